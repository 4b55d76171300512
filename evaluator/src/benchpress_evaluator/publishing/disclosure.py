"""Disclosure control: the one place that decides which figures of a sealed version may leave, and how they are rounded.

Sealed versions publish fixed one-way margins whose cells hold at least MIN_CELL items, and no figure from which the
result of fewer could be computed: `figures.py` lists what is published, `rank.py` proves that no combination of it
tells of less. Rounding is the same for every version.
"""

import math
import re
from collections.abc import Sequence

from benchpress.publication import Cell, Difference, Interval, Spread
from benchpress.recipe import SMALLEST_CELL

from benchpress_evaluator.stats.efficiency import Quantity, Usage
from benchpress_evaluator.stats.intervals import Estimate

MIN_CELL = SMALLEST_CELL
MIN_FIELD = 5
SHARE_DIGITS = 4
CHANCE_DIGITS = 2
MONEY_FIGURES = 4
SECONDS_DIGITS = 2

STOP_REASON = re.compile(r"[A-Za-z][A-Za-z0-9_.:/-]{0,39}")
OTHER_STOP_REASON = "(other)"


Allowed = frozenset[tuple[str, str]] | None
"""The cells, as (margin, name), that may leave together; None where the items are public and everything may."""


def leaves(margin: str, name: str, n: int, allowed: Allowed) -> bool:
    """Whether a cell of `n` items may be published."""
    return allowed is None or (n >= MIN_CELL and (margin, name) in allowed)


def part_leaves(n: int, of: int, *, sealed: bool) -> bool:
    """Whether a figure over `n` of the `of` items of a published cell may be published.

    Which items they are depends on the results, so the figure and the cell's own together tell of the rest too.
    """
    return not sealed or (n >= MIN_CELL and (of == n or of - n >= MIN_CELL))


def cell(margin: str, name: str, estimate: Estimate, allowed: Allowed) -> Cell | None:
    """A cell of a margin as it may be published; null where it may not leave."""
    if not leaves(margin, name, estimate.n, allowed):
        return None
    return Cell(
        name=name,
        n=estimate.n,
        accuracy=share(estimate.value),
        low=share(estimate.low),
        high=share(estimate.high),
    )


def begun_may_leave(planned: int, pending: int, *, sealed: bool) -> bool:
    """Whether a run may be shown that is complete, or has answers to and waits for MIN_CELL items or more."""
    return not sealed or pending == 0 or min(planned - pending, pending) >= MIN_CELL


def pair_may_leave(rights: tuple[int, int], n: int, apart: int, *, sealed: bool) -> bool:
    """Whether figures of two conditions' joint results may leave a sealed version.

    They tell how many items exactly one has right. Where a condition has few right or few wrong (but some), that would
    tell of those few items, so each must have none or at least MIN_CELL of either. Where the two differ on few items
    (`apart` of them), it would turn the difference of their margins into results of those few.
    """
    if not sealed:
        return True
    sizes = (size for right in rights for size in (right, n - right))
    return n >= MIN_CELL and all(size == 0 or size >= MIN_CELL for size in (*sizes, apart))


def counts_may_leave(rights: Sequence[int], n: int, *, sealed: bool) -> bool:
    """Whether counts of items by how many conditions have them right may leave a sealed version: with MIN_FIELD
    conditions or more, each of which may be compared."""
    if not sealed:
        return True
    return len(rights) >= MIN_FIELD and all(pair_may_leave((right, right), n, 0, sealed=True) for right in rights)


def stop_reason(raw: str | None) -> str | None:
    """A vendor's word for why it stopped; whatever does not look like one word is not repeated."""
    if raw is None or STOP_REASON.fullmatch(raw):
        return raw
    return OTHER_STOP_REASON


def share(value: float | None) -> float | None:
    """A share or a difference of shares, to four decimals."""
    if value is None or math.isnan(value):
        return None
    return round(float(value), SHARE_DIGITS) + 0.0


def chance(value: float | None) -> float | None:
    """A probability from resampling, to two decimals: more would be noise."""
    return None if value is None or math.isnan(value) else round(float(value), CHANCE_DIGITS)


def interval(estimate: Estimate) -> Interval:
    """A published interval; rounding keeps low <= value <= high."""
    return Interval(
        value=_sure(share(estimate.value)),
        low=_sure(share(estimate.low)),
        high=_sure(share(estimate.high)),
        unit=estimate.unit,
        method=estimate.method,
    )


def difference(value: float, low: float | None, high: float | None) -> Difference:
    """A published difference."""
    return Difference(value=_sure(share(value)), low=share(low), high=share(high))


def spread(used: Usage | None, quantity: Quantity) -> Spread:
    """Median and 90th percentile of what an answer took."""
    if used is None:
        return Spread(median=None, p90=None)
    return Spread(
        median=amount(used.median[quantity], quantity),
        p90=amount(used.p90[quantity], quantity),
    )


def amount(value: float | None, quantity: Quantity) -> float | None:
    """Money to four significant figures, seconds to two decimals, tokens to whole ones."""
    if value is None or math.isnan(value):
        return None
    if quantity == "cost_usd":
        return float(f"{value:.{MONEY_FIGURES}g}")
    return round(float(value), SECONDS_DIGITS if quantity == "latency_s" else 0)


def _sure(value: float | None) -> float:
    if value is None:
        raise ValueError("an estimate that is published has a value")
    return value
