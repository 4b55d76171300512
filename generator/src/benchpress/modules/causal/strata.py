"""Two groups in several strata and periods, as a table of counts and means: exact contrasts, and how tables are drawn.

A scheme starts in the treated group after some periods. Within every stratum, the gap between the groups would have
kept changing without the scheme by the same amount per period as before; the strata's shares may change as well.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from benchpress.gate import Redraw
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sections import Params

KINDS = ("both", "within", "pooled", "neither")
"""Where the means of the groups move in parallel before the scheme: in every stratum, in the pooled means."""

MARGIN = Fraction(1, 10)
SMALLEST_EFFECT = Fraction(1, 2)


class Table:
    """The exact contrasts of a printed table."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        (self.treated,), (self.untreated,) = params["sets"]["treated"], params["sets"]["untreated"]
        self.before = sorted(map(int, params["sets"]["before"]))
        self.after = sorted(map(int, params["sets"]["after"]))
        self.cells = {
            (group, stratum): [(int(count), Fraction(mean)) for count, mean in row]
            for group, stratum, row in params["cells"]
        }
        self.strata = sorted({stratum for _, stratum in self.cells})

    def pooled(self, group: str, periods: Sequence[int]) -> Fraction:
        """The mean of all units of a group in some periods."""
        units = [self.cells[group, stratum][period - 1] for stratum in self.strata for period in periods]
        return sum((count * mean for count, mean in units), Fraction(0)) / sum(count for count, _ in units)

    def pooled_gap(self, periods: Sequence[int]) -> Fraction:
        return self.pooled(self.treated, periods) - self.pooled(self.untreated, periods)

    def gap(self, stratum: str, period: int) -> Fraction:
        """By how much the treated group's mean exceeds the other's."""
        return self.cells[self.treated, stratum][period - 1][1] - self.cells[self.untreated, stratum][period - 1][1]

    def placebo(self) -> Fraction:
        return self.pooled_gap(self.before[-1:]) - self.pooled_gap(self.before[:1])

    def estimate(self) -> Fraction:
        return self.pooled_gap(self.after) - self.pooled_gap(self.before[-1:])

    def effect(self) -> Fraction:
        """The mean effect on the treated units of the periods after, with every stratum's gap extrapolated."""
        first, last = self.before[0], self.before[-1]
        whole, units = Fraction(0), 0
        for stratum in self.strata:
            step = (self.gap(stratum, last) - self.gap(stratum, first)) / (last - first)
            for period in self.after:
                count = self.cells[self.treated, stratum][period - 1][0]
                whole += count * (self.gap(stratum, period) - self.gap(stratum, last) - step * (period - last))
                units += count
        return whole / units

    def parallel(self) -> str:
        """Where the groups move in parallel before the scheme."""
        within = all(len({self.gap(stratum, period) for period in self.before}) == 1 for stratum in self.strata)
        together = len({self.pooled_gap([period]) for period in self.before}) == 1
        return {(True, True): "both", (True, False): "within", (False, True): "pooled"}.get(
            (within, together), "neither"
        )


def draw_table(
    stream: Stream, knobs: Mapping[str, int], kind: str, groups: Sequence[str], strata: Sequence[str]
) -> Params:
    """A table whose groups move in parallel before the scheme as `kind` says, by a margin where they do not."""
    for _ in range(10):
        params = _drawn(stream, knobs, kind, groups, strata)
        table = Table(params)
        gaps = [table.pooled_gap([period]) for period in table.before]
        widest = max(gaps) - min(gaps)
        if (
            table.parallel() == kind
            and (widest == 0 or widest >= MARGIN)
            and abs(table.estimate() - table.effect()) >= MARGIN
            and abs(table.effect()) >= SMALLEST_EFFECT
        ):
            return params
    raise Redraw(f"no table that is parallel in {kind}")


def _drawn(stream: Stream, knobs: Mapping[str, int], kind: str, groups: Sequence[str], strata: Sequence[str]) -> Params:
    before, after = knobs["before"] + 1, knobs["after"]
    periods = before + after
    tilted = kind in ("pooled", "neither")
    steady = kind in ("both", "pooled")
    counts = {(group, one): [5 * stream.between(2, 12)] * periods for group in groups for one in strata}
    for series in counts.values():
        for period in range(periods):
            if period >= before or (not steady and stream.chance(1, 3)):
                series[period] = 5 * stream.between(2, 12)
    slopes = dict.fromkeys(strata, Fraction(0))
    if kind == "neither":
        slopes |= {one: Fraction(stream.between(1, 4) * stream.choice((-1, 1)), 2) for one in stream.sample(strata, 2)}
    elif tilted:
        # Two strata tilt against each other, so that the pooled gap stands still.
        one, other = stream.sample(strata, 2)
        pull = Fraction(stream.choice((-1, 1)), 10)
        slopes[one] = pull * counts[groups[0], other][0] / 5
        slopes[other] = -pull * counts[groups[0], one][0] / 5
    common = [Fraction(stream.between(-8, 8), 2) for _ in range(periods)]
    cells = []
    for one in strata:
        level, lead = Fraction(stream.between(60, 140), 2), Fraction(stream.between(-12, 12), 2)
        effect = Fraction(stream.between(1, 10) * stream.choice((-1, 1)), 2)
        own = [
            common[period] if steady and period < before else Fraction(stream.between(-8, 8), 2)
            for period in range(periods)
        ]
        untreated = [level + move for move in own]
        treated = [
            mean + lead + slopes[one] * period + (effect if period >= before else 0)
            for period, mean in enumerate(untreated)
        ]
        for group, means in zip(groups, (treated, untreated), strict=True):
            row = [[str(count), show(mean)] for count, mean in zip(counts[group, one], means, strict=True)]
            cells.append([group, one, row])
    return {
        "cells": sorted(cells),
        "sets": {
            "treated": [groups[0]],
            "untreated": [groups[1]],
            "before": sorted(str(period + 1) for period in range(before)),
            "after": sorted(str(period + 1) for period in range(before, periods)),
        },
    }
