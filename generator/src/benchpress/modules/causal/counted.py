"""Tables of counts for problems of aggregation: exact contrasts, and how counts are drawn.

The stratifying variables are of kinds. Some are causes of treatment and outcome, some lie between them, some are their
effects, some relate to one of them only. Unrecorded variables leave no other trace in such a table than these kinds.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import gcd
from typing import Any

from benchpress.models.formulas import average_effect
from benchpress.models.table import Table
from benchpress.streams import Stream
from benchpress.wording.sections import Params

CAUSE, BETWEEN, EFFECT, TRACE, OF_OUTCOME, OF_TREATMENT, BY_TREATMENT = range(7)
"""Kinds of stratifying variables: cause of both, mediator, effect of both, effect of the outcome alone; and the
harmless ones: cause of the outcome alone, cause of the treatment alone, effect of the treatment alone."""


class Counted:
    """The exact contrasts of a printed table of counts: differences of the outcome's share, treated minus untreated."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.x, self.y = params["roles"]["treatment"], params["roles"]["outcome"]
        self.strata: list[str] = params["counts"]["strata"]
        self.rows = {bits: (int(cases), int(shown)) for bits, cases, shown in params["counts"]["rows"]}

    @cached_property
    def table(self) -> Table:
        """All cases by stratifying variables, treatment and outcome."""
        rows = (self.rows["".join(bits)] for bits in product("01", repeat=len(self.strata) + 1))
        weights = tuple([count for cases, shown in rows for count in (cases - shown, shown)])
        return Table((*self.strata, self.x, self.y), (2,) * (len(self.strata) + 2), weights)

    def adjusted(self, covariates: Sequence[str]) -> Fraction:
        """Standardised over the strata of `covariates`; with none, the pooled difference."""
        return average_effect(self.table, self.x, self.y, covariates)

    @cached_property
    def pooled(self) -> Fraction:
        """The difference among all cases."""
        cases, shown = [0, 0], [0, 0]
        for bits, (count, ones) in self.rows.items():
            treated = bits[-1] == "1"
            cases[treated] += count
            shown[treated] += ones
        return Fraction(shown[1] * cases[0] - shown[0] * cases[1], cases[0] * cases[1])

    def within(self, state: str) -> Fraction:
        """The difference in one stratum, named by the bits of all stratifying variables."""
        (none, shown), (treated, also) = self.rows[state + "0"], self.rows[state + "1"]
        return Fraction(also * none - shown * treated, treated * none)

    @cached_property
    def differences(self) -> list[Fraction]:
        """The difference in every stratum."""
        return [self.within("".join(bits)) for bits in product("01", repeat=len(self.strata))]

    def against(self) -> int:
        """In how many strata the difference has the opposite sign to the pooled one."""
        return sum(value.numerator * self.pooled.numerator < 0 for value in self.differences)


def draw_counts(
    stream: Stream, kinds: Sequence[int], names: Sequence[str], links: Mapping[int, int], *, opposed: bool
) -> Params:
    """Counts for stratifying variables of these kinds; `links` says which cause of both acts on which later one.

    With `opposed` the other ways between treatment and outcome pull against the direct one, strongly.
    """
    sign = stream.choice((-1, 1))
    count = len(kinds)
    # What opposes the direct effect: other ways that act on the outcome, else selection by one common effect.
    ways = [at for at, kind in enumerate(kinds) if kind in (CAUSE, BETWEEN)]
    selecting = next((at for at, kind in enumerate(kinds) if kind == EFFECT and opposed and not ways), None)
    pull = -sign if opposed else stream.choice((-1, 1))
    direct = stream.between(2, 3) if opposed else stream.between(2, 7)
    raisers = [at for at, kind in enumerate(kinds) if kind in (CAUSE, BETWEEN, OF_OUTCOME)]
    others = len(raisers) - len(ways)
    room = (17 - direct - others) // max(1, len(ways))
    # The direction of each variable's own association with the treatment; its pull on the outcome undoes it.
    lean = [stream.choice((-1, 1)) for _ in kinds]
    push = [
        stream.choice((-1, 1)) * (1 if opposed else stream.between(1, 3))
        if kind == OF_OUTCOME
        else min(room, stream.between(5, 9) if opposed else stream.between(2, 6)) * pull * lean[at]
        for at, kind in enumerate(kinds)
    ]
    low = sum(min(0, push[at]) for at in raisers) + min(0, sign * direct)
    spare = max(0, 17 - sum(abs(push[at]) for at in raisers) - direct)
    base = 1 - low + (spare // 2 if selecting is not None else stream.below(spare + 1))
    jitter = {bits: stream.below(2) for bits in product((0, 1), repeat=len(raisers) + 1)}
    shares = [stream.between(4, 6) if opposed else stream.between(3, 7) for _ in kinds]
    leaning = [at for at, kind in enumerate(kinds) if kind in (CAUSE, OF_TREATMENT)]
    most = 9 // max(1, len(leaning))
    strength = [min(most, stream.between(7, 8) if opposed else stream.between(2, 5)) for _ in kinds]
    swing = [stream.between(3, 4) if opposed else stream.between(1, 3) for _ in kinds]
    selected = {
        at: _selection(stream, sign, strong=at == selecting, weak=opposed)
        for at, kind in enumerate(kinds)
        if kind in (EFFECT, TRACE)
    }
    cells: dict[str, list[int]] = {}
    for state in product((0, 1), repeat=count):
        for t in (0, 1):
            weight = 1
            treated = 10 + sum(strength[at] * lean[at] * (2 * state[at] - 1) for at in leaning)
            weight *= treated if t else 20 - treated
            for at, kind in enumerate(kinds):
                if kind in (CAUSE, OF_OUTCOME, OF_TREATMENT):
                    one = shares[at] + (2 * state[links[at]] - 1 if at in links else 0)
                elif kind in (BETWEEN, BY_TREATMENT):
                    one = 5 + swing[at] * lean[at] * (2 * t - 1)
                else:
                    continue
                weight *= one if state[at] else 10 - one
            rate = base + sign * direct * t + sum(push[at] for at in raisers if state[at])
            rate = max(1, min(19, rate + jitter[(t, *(state[at] for at in raisers))]))
            both = [weight * (20 - rate), weight * rate]
            for at, kind in enumerate(kinds):
                if kind in (EFFECT, TRACE):
                    for outcome in (0, 1):
                        one = selected[at][t if kind == EFFECT else 0, outcome]
                        both[outcome] *= one if state[at] else 10 - one
            cells["".join(map(str, (*state, t)))] = both
    unit = gcd(*(value for both in cells.values() for value in both))
    order = sorted(range(count), key=lambda at: names[at])
    rows = [
        ["".join(bits[at] for at in (*order, count)), str(sum(both) // unit), str(both[1] // unit)]
        for bits, both in cells.items()
    ]
    return {"strata": sorted(names), "rows": sorted(rows)}


def _selection(stream: Stream, sign: int, *, strong: bool, weak: bool) -> dict[tuple[int, int], int]:
    """In tenths, the chance of an effect of treatment and outcome for every state of the two.

    A strong one turns the sign of their association, `sign`, around among cases with it and among cases without it.
    """
    if not strong:
        low_end, high_end = (4, 6) if weak else (2, 8)
        return {(t, y): stream.between(low_end, high_end) for t in (0, 1) for y in (0, 1)}
    low, high, middle = stream.choice(((1, 9, 6), (1, 9, 5), (1, 9, 4), (1, 8, 5), (2, 9, 5)))
    flip = stream.chance(1, 2)
    table = {(0, 0): low, (0, 1): middle, (1, 0): middle, (1, 1): high}
    if sign < 0:
        table = {(1 - t, y): value for (t, y), value in table.items()}
    return {state: 10 - value if flip else value for state, value in table.items()}
