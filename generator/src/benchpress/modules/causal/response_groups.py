"""Groups of a population with observed shares, trials and assumptions: exact bounds, and how groups are drawn.

A group is drawn by the shares of its members with treatment 0 or 1 who are of one of four response types, so whatever
is printed about it is consistent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from benchpress.models.causation import Bounds, Evidence, benefit_bounds, harm_bounds, necessity_bounds
from benchpress.models.exact import exact
from benchpress.streams import Stream

ALWAYS, BENEFITS, HARMED, NEVER = range(4)
"""Response types: the outcome under either treatment, under 1 only, under 0 only, under neither."""

POINT = ("monotone trial", "monotone lot", "pinned trial")
"""Kinds of groups in which the probability of benefit is a single number."""
OPEN = ("trial", "lot", "watched", "monotone watched")


@dataclass(frozen=True, slots=True)
class Group:
    """What is known about a group, in exact fractions."""

    name: str
    weight: Fraction
    evidence: Evidence
    monotone: bool

    def benefit(self) -> Bounds:
        """Sharp bounds on P(Y(1) = 1, Y(0) = 0); without harm, benefit is the difference of the two risks."""
        treated, untreated = self.evidence.treated_risk, self.evidence.untreated_risk
        if self.monotone and treated is not None and untreated is not None:
            return treated - untreated, treated - untreated
        return benefit_bounds(self.evidence)

    def harm(self) -> Bounds:
        """Sharp bounds on P(Y(1) = 0, Y(0) = 1)."""
        return (Fraction(0), Fraction(0)) if self.monotone else harm_bounds(self.evidence)

    def necessity(self) -> Bounds:
        """Sharp bounds on P(Y(0) = 0 | X = 1, Y = 1); without harm and with risks it is the lower one."""
        low, high = necessity_bounds(self.evidence)
        return (low, low) if self.monotone and self.evidence.untreated_risk is not None else (low, high)

    @property
    def shown(self) -> Fraction:
        """P(X = 1, Y = 1)."""
        return Fraction(0) if self.evidence.joint is None else self.evidence.joint[1][1]


def groups_of(params: Mapping[str, Any]) -> list[Group]:
    """The groups of a printed problem."""
    tallied = "tallies" in params
    rows = params["tallies"] if tallied else params["observed"]
    observed = {name: [exact(value) for value in values] for name, *values in rows}
    if tallied:
        trials = {name: (Fraction(int(a), int(n)), Fraction(int(b), int(m))) for name, a, n, b, m in params["tried"]}
        whole = sum(sum(cells) for cells in observed.values())
        weights = {name: Fraction(sum(cells)) / whole for name, cells in observed.items()}
        observed = {name: [cell / sum(cells) for cell in cells] for name, cells in observed.items()}
    else:
        trials = {name: (Fraction(a), Fraction(b)) for name, a, b in params["trials"]}
        weights = {name: exact(share) for name, share in params["shares"]}
    groups = []
    for name, (n11, n10, n01, n00) in observed.items():
        risks: tuple[Fraction | None, Fraction | None] = trials.get(name, (None, None))
        if name in params["sets"]["lottery"]:
            risks = n11 / (n11 + n10), n01 / (n01 + n00)
        evidence = Evidence(*risks, ((n00, n01), (n10, n11)))
        groups.append(Group(name, weights[name], evidence, name in params["sets"]["monotone"]))
    return groups


def overall(groups: Sequence[Group]) -> tuple[Bounds, Bounds]:
    """Sharp bounds on benefit, and on necessity, in the whole population."""
    benefit = [(group.weight, group.benefit()) for group in groups]
    necessity = [(group.weight * group.shown, group.necessity()) for group in groups]
    shown = sum((weight for weight, _ in necessity), Fraction(0))

    def total(side: int, parts: Sequence[tuple[Fraction, Bounds]]) -> Fraction:
        return sum((weight * bounds[side] for weight, bounds in parts), Fraction(0))

    return (
        (total(0, benefit), total(1, benefit)),
        (total(0, necessity) / shown, total(1, necessity) / shown),
    )


def draw_types(stream: Stream, kind: str, unit: int) -> list[list[int]]:
    """`types[x][type]`: of `unit` members, how many have treatment x and are of that response type."""
    barred: list[tuple[int, ...]] = [(HARMED,), (HARMED,)] if kind.startswith("monotone") else [(), ()]
    if kind == "pinned trial":
        # Each arm keeps one type with the outcome and one without it, and all who differ between risks are seen.
        barred = [
            stream.choice(((HARMED, NEVER), (ALWAYS, BENEFITS))),
            stream.choice(((ALWAYS, HARMED), (BENEFITS, NEVER))),
        ]
    types = [[0] * 4, [0] * 4]
    if kind.endswith("lot"):
        treated = stream.between(3, 7)
        kept = [one for one in range(4) if one not in barred[0]]
        for one, size in zip(kept, _split(stream, unit // 10, len(kept)), strict=True):
            types[0][one], types[1][one] = size * (10 - treated), size * treated
        return types
    places = [(x, one) for x in (0, 1) for one in range(4) if one not in barred[x]]
    for (x, one), size in zip(places, _split(stream, unit, len(places)), strict=True):
        types[x][one] = size
    return types


def _split(stream: Stream, unit: int, count: int) -> list[int]:
    """`unit` split into `count` whole shares, none of them tiny."""
    least = max(1, unit // (4 * count))
    rest = unit - least * count
    ends = [0, *sorted(stream.below(rest + 1) for _ in range(count - 1)), rest]
    return [least + high - low for low, high in pairwise(ends)]


def draw_weights(stream: Stream, count: int) -> list[Fraction]:
    """Shares of `count` groups, in twentieths."""
    return [Fraction(size, 20) for size in _split(stream, 20, count)]


def shown_cells(types: Sequence[Sequence[int]]) -> list[int]:
    """Members by (treatment, outcome): (1, 1), (1, 0), (0, 1), (0, 0)."""
    untreated, treated = types
    return [
        treated[ALWAYS] + treated[BENEFITS],
        treated[HARMED] + treated[NEVER],
        untreated[ALWAYS] + untreated[HARMED],
        untreated[BENEFITS] + untreated[NEVER],
    ]


def risks(types: Sequence[Sequence[int]]) -> tuple[int, int]:
    """How many would have the outcome if all had treatment 1, and if all had treatment 0."""
    return (
        sum(arm[ALWAYS] + arm[BENEFITS] for arm in types),
        sum(arm[ALWAYS] + arm[HARMED] for arm in types),
    )
