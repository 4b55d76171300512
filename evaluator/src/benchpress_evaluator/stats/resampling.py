"""The bootstrap's resamples: how often each unit was drawn, times whole-number scores.

The stream is that of `numpy.random.RandomState`, which is frozen; what is added up are whole numbers below 2^53,
which floating point holds exactly in whatever order a matrix product adds them. So a seed gives the same digits on
every platform and with every version of the libraries.
"""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from benchpress.errors import UserError

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

RESAMPLES = 10_000
CHUNK = 4_000_000
"""Draws held at once: 32 MB."""
KEPT = 220_000_000
"""Up to this many counts, one byte each as a rule, are kept for the next statistic on as many units."""
EXACT = 2**53


Counts = npt.NDArray[np.uint8] | npt.NDArray[np.uint32]


def resample_counts(units: int, resamples: int, seed: int) -> Iterator[npt.NDArray[np.uint32]]:
    """How often each of `units` occurs in each resample, in chunks of shape (some resamples, units).

    Each row is one multinomial draw of `units` with equal chances. The chunks joined do not depend on their size.
    """
    if units < 1 or resamples < 1:
        raise UserError(f"a bootstrap needs units and resamples, not {units} and {resamples}")
    state = np.random.RandomState(seed)
    step = max(1, CHUNK // units)
    for start in range(0, resamples, step):
        draws = state.randint(0, units, size=(min(step, resamples - start), units), dtype=np.int64)
        counts = np.empty(draws.shape, dtype=np.uint32)
        for row, drawn in enumerate(draws):
            counts[row] = np.bincount(drawn, minlength=units)
        yield counts


def resampled_totals(points: Integers, resamples: int = RESAMPLES, seed: int = 0) -> Floats:
    """Totals of every row of `points` (rows x units) in every resample: shape (resamples, rows), whole numbers.

    All rows share the draws, so differences of columns are paired. Raises UserError where a total could exceed 2^53.
    """
    rows, units = points.shape
    if units and int(np.abs(points).max(initial=0)) * units >= EXACT:
        raise UserError("scores are too fine to be added exactly; use fewer repeats an item")
    columns = np.ascontiguousarray(points.T, dtype=np.float64)
    totals = np.empty((resamples, rows), dtype=np.float64)
    start = 0
    for counts in _chunks(units, resamples, seed):
        np.matmul(counts.astype(np.float64), columns, out=totals[start : start + len(counts)])
        start += len(counts)
    return totals


def _chunks(units: int, resamples: int, seed: int) -> Iterator[Counts]:
    if units * resamples > KEPT:
        yield from resample_counts(units, resamples, seed)
        return
    kept = _kept_counts(units, resamples, seed)
    step = max(1, CHUNK // units)
    for start in range(0, resamples, step):
        yield kept[start : start + step]


@lru_cache(maxsize=2)
def _kept_counts(units: int, resamples: int, seed: int) -> Counts:
    """All counts in the smallest type that holds them: one byte, unless some unit was drawn more than 255 times."""
    kept: Counts = np.empty((resamples, units), dtype=np.uint8)
    start = 0
    for counts in resample_counts(units, resamples, seed):
        if kept.dtype == np.uint8 and counts.max() > 255:
            kept = kept.astype(np.uint32)
        kept[start : start + len(counts)] = counts
        start += len(counts)
    kept.flags.writeable = False
    return kept


def limits(values: Floats, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """The central interval of each column of `values` by order statistics, without interpolation."""
    resamples = len(values)
    tail = (1 - confidence) / 2
    low = min(int(np.floor(tail * resamples + 1e-9)), resamples - 1)
    high = resamples - 1 - low
    ordered = np.partition(values, (low, high), axis=0)
    return ordered[low], ordered[high]
