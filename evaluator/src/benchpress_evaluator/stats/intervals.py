"""95 % intervals of an accuracy: seeded bootstrap, and exact where the bootstrap is not to be trusted."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from benchpress_evaluator.stats.matrix import Scores
from benchpress_evaluator.stats.resampling import RESAMPLES, limits, resampled_totals

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
Cluster = Literal["bundle"]

CONFIDENCE = 0.95
TINY = 50
"""Below this many items the interval is exact."""
EDGE = 0.1
"""Where the exact interval lies wholly within this distance of 0 or 1, it is the one reported."""
DIGITS = 10
"""Limits from special functions are rounded to this many decimals, since their last bits differ between platforms."""

BOOTSTRAP = "bootstrap"
EXACT = "Clopper-Pearson"
CLUSTERED = "clustered bootstrap"
KORN_GRAUBARD = "Korn-Graubard"
ZERO_SE = "zero standard error"
FEW_CLUSTERS = "fewer than two clusters"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share of `n` items with its 95 % interval. `unit` is what was resampled, `method` how the limits were made.

    `se` is the standard error of the mean; it is null for fewer than two units. `flags` hold what a reader should
    know, such as a standard error of exactly zero.
    """

    value: float
    low: float
    high: float
    se: float | None
    n: int
    unit: str
    method: str
    flags: tuple[str, ...] = ()


def clopper_pearson(correct: float, n: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The exact interval of a binomial share (Clopper and Pearson 1934), which covers at least `confidence`.

    `correct` may be fractional, where units are means in [0, 1] or `n` is an effective size: the binomial has the
    greatest variance of all such units, so the limits stay conservative. Nothing observed (n = 0) gives (0, 1).
    """
    if n <= 0:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = 0.0 if correct <= 0 else float(special.betaincinv(correct, n - correct + 1, tail))
    high = 1.0 if correct >= n else float(special.betaincinv(correct + 1, n - correct, 1 - tail))
    return round(low, DIGITS), round(high, DIGITS)


def korn_graubard(share: float, se: float, n: int, clusters: int) -> tuple[float, float]:
    """The exact interval on the effective sample size of a clustered share (Korn and Graubard 1998).

    The effective size is share (1 - share) / se^2, times the squared ratio of Student quantiles with n - 1 and
    clusters - 1 degrees of freedom, and at most n. Where all units agree (`se` is 0) the design effect is unknown and
    taken at its greatest: the effective size is then the number of clusters.
    """
    if se <= 0 or clusters < 2:
        effective = float(max(1, clusters))
    else:
        tail = (1 + CONFIDENCE) / 2
        ratio = special.stdtrit(n - 1, tail) / special.stdtrit(clusters - 1, tail)
        effective = min(float(n), share * (1 - share) / se**2 * float(ratio) ** 2)
    return clopper_pearson(share * effective, effective)


def needs_exact(correct: float, n: int) -> bool:
    """Whether the exact interval is the one to report: few items, all or none right, or close to an edge.

    The rule keeps what the bootstrap covers between .1 and .9 as it is, and replaces it where it covers too little.
    """
    if n < TINY or correct <= 0 or correct >= n:
        return True
    low, high = clopper_pearson(correct, n)
    return high <= EDGE or low >= 1 - EDGE


def accuracy_intervals(
    scores: Scores, *, seed: int = 0, resamples: int = RESAMPLES, cluster: Cluster | None = None
) -> list[Estimate | None]:
    """Mean score over the planned items of every condition, null where nothing was planned. Items are the units.

    The bootstrap's draws depend on `seed` and the number of items alone, so a condition's interval does not change
    when another is added or renamed. With `cluster` whole bundles are drawn instead (Miller 2024) and the edges are
    those of Korn and Graubard.
    """
    result: list[Estimate | None] = [None] * len(scores.conditions)
    for mask, places in patterns(scores.planned):
        if not mask.any():
            continue
        points = scores.points[places][:, mask]
        if cluster is None:
            made = _by_item(points, scores.scale, seed, resamples)
        else:
            made = _by_cluster(points, scores.scale, scores.group[mask], seed, resamples)
        for place, estimate in zip(places, made, strict=True):
            result[place] = estimate
    return result


def patterns(masks: Booleans) -> list[tuple[Booleans, list[int]]]:
    """Rows of `masks` that are equal, together: the mask and the places of its rows, in order of first appearance."""
    found: dict[bytes, list[int]] = {}
    for place, mask in enumerate(masks):
        found.setdefault(mask.tobytes(), []).append(place)
    return [(masks[places[0]], places) for places in found.values()]


def standard_error(points: npt.NDArray[np.int64], scale: int) -> float | None:
    """Standard error of the mean of the units, sqrt(sample variance / n); null for fewer than two units."""
    n = len(points)
    if n < 2:
        return None
    total, squares = int(points.sum()), int((points * points).sum())
    return float(np.sqrt((n * squares - total * total) / (n * n * (n - 1)))) / scale


def _by_item(points: npt.NDArray[np.int64], scale: int, seed: int, resamples: int) -> list[Estimate]:
    n = points.shape[1]
    totals = points.sum(axis=1)
    exact = [needs_exact(total / scale, n) for total in totals.tolist()]
    bootstrapped = [place for place, edge in enumerate(exact) if not edge]
    lows: dict[int, tuple[float, float]] = {}
    if bootstrapped:
        low, high = limits(resampled_totals(points[bootstrapped], resamples, seed))
        whole = n * scale
        lows = {p: (low[k] / whole, high[k] / whole) for k, p in enumerate(bootstrapped)}
    made = []
    for place, total in enumerate(totals.tolist()):
        pair = clopper_pearson(total / scale, n) if exact[place] else lows[place]
        se = standard_error(points[place], scale)
        made.append(_estimate(total / (n * scale), pair, se, n, "item", EXACT if exact[place] else BOOTSTRAP))
    return made


def _by_cluster(
    points: npt.NDArray[np.int64], scale: int, group: npt.NDArray[np.int64], seed: int, resamples: int
) -> list[Estimate]:
    n = points.shape[1]
    used, place_of = np.unique(group, return_inverse=True)
    clusters = len(used)
    member = (place_of[:, None] == np.arange(clusters)[None, :]).astype(np.int64)
    sums, sizes = points @ member, member.sum(axis=0)
    drawn = resampled_totals(np.vstack([sums, sizes[None, :]]), resamples, seed)
    low, high = limits(drawn[:, :-1] / drawn[:, -1:])
    made = []
    for place, total in enumerate(points.sum(axis=1).tolist()):
        share = total / (n * scale)
        deviation = sums[place] / scale - share * sizes
        spread = float((deviation * deviation).sum())
        se = float(np.sqrt(clusters / max(1, clusters - 1) * spread)) / n
        if clusters < 2 or se == 0 or needs_exact(total / scale, n):
            pair, method = korn_graubard(share, se, n, clusters), KORN_GRAUBARD
        else:
            pair, method = (low[place] / scale, high[place] / scale), CLUSTERED
        estimate = _estimate(share, pair, se if clusters > 1 else None, n, "bundle", method)
        made.append(estimate if clusters > 1 else _flagged(estimate, FEW_CLUSTERS))
    return made


def _estimate(value: float, pair: tuple[float, float], se: float | None, n: int, unit: str, method: str) -> Estimate:
    low, high = min(float(pair[0]), value), max(float(pair[1]), value)
    made = Estimate(value, low, high, se, n, unit, method)
    return _flagged(made, ZERO_SE) if se == 0 and n > 1 else made


def _flagged(estimate: Estimate, flag: str) -> Estimate:
    return Estimate(
        estimate.value,
        estimate.low,
        estimate.high,
        estimate.se,
        estimate.n,
        estimate.unit,
        estimate.method,
        (*estimate.flags, flag),
    )


def macro_mean(estimates: list[Estimate]) -> tuple[float, float | None]:
    """The unweighted mean of subsets and its own standard error, sqrt(sum se^2) / k: not that of the pooled mean."""
    k = len(estimates)
    errors = [estimate.se for estimate in estimates]
    known = [error for error in errors if error is not None]
    se = float(np.sqrt(sum(error * error for error in known))) / k if len(known) == k else None
    return sum(estimate.value for estimate in estimates) / k, se
