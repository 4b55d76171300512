"""Groups followed over periods, some of which take up a scheme: exact means and contrasts, and how they are drawn.

The mean of the outcome in a group and period is base level + period shift + covariate means times the slopes of the
period + drift times periods passed + what the scheme adds. All numbers are printed, so every contrast is exact.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from benchpress.gate import Redraw
from benchpress.models.exact import exact
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sections import Params

Term = Callable[[str, int], int]

KINDS = ("none", "trends", "anticipation", "spillover", "contamination")
"""What spoils the comparison: nothing, different trends without the scheme, treated groups that react before their
start, comparison groups that feel the scheme elsewhere, comparison groups that take up the scheme themselves."""

MARGIN = Fraction(1, 4)
SMALLEST_EFFECT = Fraction(1, 2)


class Panel:
    """The exact means that a printed panel states; a term of one group and period is a whole number of `unit`."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        slopes = {name: [exact(value) for value in series] for name, series in params["slopes"]}
        means = [(covariate, group, [exact(value) for value in series]) for covariate, group, series in params["means"]]
        others = {
            kind: {group: exact(value) for group, value in params[kind]}
            for kind in ("drifts", "anticipation", "spillover")
        }
        effects = [exact(value) for value in params["effects"]]
        values = [
            *(value for series in slopes.values() for value in series),
            *(value for _, _, series in means for value in series),
            *(value for known in others.values() for value in known.values()),
            *effects,
        ]
        # Means times slopes are the finest terms.
        scale = lcm(*(value.denominator for value in values)) if values else 1
        self.unit = Fraction(1, scale**2)

        def whole(value: Fraction, power: int = 2) -> int:
            return int(value * scale**power)

        self.size = {group: int(size) for group, size, _ in params["groups"]}
        self.shift: Sequence[str] = params["shifts"]
        self.start = {group: int(period) for group, period in params["starts"]}
        self.sets: Mapping[str, Sequence[str]] = params["sets"]
        self.effects = [whole(value) for value in effects]
        self.drift, self.ahead, self.spill = (
            {group: whole(value) for group, value in known.items()} for known in others.values()
        )
        self.moved = {group: [0] * len(self.shift) for group in self.size}
        """What the covariates do to the mean of a group, by period."""
        for covariate, group, series in means:
            for at, (mean, slope) in enumerate(zip(series, slopes[covariate], strict=True)):
                self.moved[group][at] += whole(mean, 1) * whole(slope, 1)

    def untouched(self, group: str, period: int) -> int:
        """The mean without the scheme, apart from the base level and the shift, which every contrast cancels."""
        return self.moved[group][period - 1] + self.drift.get(group, 0) * (period - 1)

    def own(self, group: str, period: int) -> int:
        """What the scheme does in a group that has taken it up."""
        begun = self.start.get(group)
        return self.effects[period - begun] if begun is not None and period >= begun else 0

    def early(self, group: str, period: int) -> int:
        """What a group does in the last period before its own start."""
        return self.ahead.get(group, 0) if period + 1 == self.start.get(group) else 0

    def spilt(self, group: str, period: int) -> int:
        """What the scheme elsewhere does to a group, from the first start anywhere on."""
        return self.spill.get(group, 0) if period >= min(self.start.values()) else 0

    def observed(self, group: str, period: int) -> int:
        """The mean with the scheme, apart from base level and shift."""
        return sum(term(group, period) for term in (self.untouched, self.own, self.early, self.spilt))

    def level(self, term: Term, groups: Sequence[str], periods: Sequence[str]) -> Fraction:
        """The mean of a term over groups, weighted by size, and periods, weighted alike."""
        total = sum(self.size[group] for group in groups)
        whole = sum(self.size[group] * term(group, int(period)) for group in groups for period in periods)
        return whole * self.unit / (total * len(periods))

    def contrast(self, term: Term, before: Sequence[str], after: Sequence[str]) -> Fraction:
        """The difference of differences of a term between the two sides and two sets of periods."""
        treated, untreated = self.sets["treated"], self.sets["untreated"]
        return (
            self.level(term, treated, after)
            - self.level(term, treated, before)
            - self.level(term, untreated, after)
            + self.level(term, untreated, before)
        )

    def estimate(self) -> Fraction:
        return self.contrast(self.observed, self.sets["before"], self.sets["after"])

    def effect(self) -> Fraction:
        return self.level(self.own, self.sets["treated"], self.sets["after"])

    def placebo(self) -> Fraction:
        earlier, later = self.sets["placebo"]
        return self.contrast(self.observed, [earlier], [later])

    def violations(self) -> list[str]:
        """Every requirement that the comparison breaks."""
        before, after = self.sets["before"], self.sets["after"]
        untreated = self.sets["untreated"]
        broken = {
            "trends": self.contrast(self.untouched, before, after) != 0,
            "anticipation": self.level(self.early, self.sets["treated"], before) != 0,
            "spillover": self.level(self.spilt, untreated, after) != 0,
            "contamination": self.level(self.own, untreated, after) != 0,
        }
        return [kind for kind in KINDS if broken.get(kind)]


@dataclass(slots=True)
class _Draft:
    """A panel in the making; numbers are halves."""

    periods: int
    treated: list[str]
    untreated: list[str]
    spare: list[str]
    before: list[int]
    after: list[int]
    starts: dict[str, int]
    slopes: dict[str, list[Fraction]] = field(default_factory=dict)
    means: dict[tuple[str, str], list[Fraction]] = field(default_factory=dict)
    drifts: dict[str, Fraction] = field(default_factory=dict)
    ahead: dict[str, Fraction] = field(default_factory=dict)
    spill: dict[str, Fraction] = field(default_factory=dict)

    @property
    def used(self) -> list[str]:
        return [*self.treated, *self.untreated]

    @property
    def everybody(self) -> list[str]:
        return [*self.used, *self.spare]


def draw_panel(
    stream: Stream, knobs: Mapping[str, int], kind: str, groups: Sequence[str], covariates: Sequence[str], trap: bool
) -> Params:
    """A panel whose comparison breaks the one requirement `kind`, or none.

    In a trap, different trends come from slopes that change while every covariate stands still, and a sound comparison
    has a placebo contrast that is not zero.
    """
    for _ in range(10):
        draft = _layout(stream, knobs, groups)
        bump = kind == "none" if trap and kind in ("none", "trends") else stream.chance(3, 4)
        _covariates(stream, draft, covariates)
        for _ in range(knobs["breaks"]):
            _break(stream, draft, kind, covariates[0], trap)
        _distract(stream, draft, kind)
        if bump:
            group = stream.choice(draft.used)
            draft.means[covariates[0], group][0] += _half(stream, 2, 8)
        params = _written(stream, draft)
        panel = Panel(params)
        bias = panel.estimate() - panel.effect()
        if (
            panel.violations() == ([] if kind == "none" else [kind])
            and abs(panel.effect()) >= SMALLEST_EFFECT
            and (bias == 0 if kind == "none" else abs(bias) >= MARGIN)
        ):
            return params
    raise Redraw(f"no panel with the one violation {kind}")


def _half(stream: Stream, low: int, high: int) -> Fraction:
    """A number of so many halves, of either sign."""
    return Fraction(stream.between(low, high) * stream.choice((-1, 1)), 2)


def _layout(stream: Stream, knobs: Mapping[str, int], groups: Sequence[str]) -> _Draft:
    """Sides, windows and starts: period 1 is in no window, windows lie before all starts and after the treated ones."""
    treated = list(groups[: knobs["treated"]])
    untreated = list(groups[knobs["treated"] : knobs["treated"] + knobs["untreated"]])
    spare = list(groups[knobs["treated"] + knobs["untreated"] :])
    first = 2 + knobs["before"] + stream.below(2)
    last = first + (stream.below(2) if len(treated) > 1 else 0)
    starts = {group: stream.between(first, last) for group in treated}
    starts[treated[0]] = first
    last = max(starts.values())
    periods = last + knobs["after"] + stream.below(2)
    before = sorted(stream.sample(range(2, first), knobs["before"]))
    after = sorted(stream.sample(range(last, periods + 1), knobs["after"]))
    for group in spare:
        if stream.chance(1, 2):
            starts[group] = stream.between(first, periods)
    return _Draft(periods, treated, untreated, spare, before, after, starts)


def _covariates(stream: Stream, draft: _Draft, covariates: Sequence[str]) -> None:
    """Covariates that leave every contrast alone: they move alike in all groups, or count alike at any time."""
    for turn, name in enumerate(covariates):
        moves = [_half(stream, 0, 4) for _ in range(draft.periods)]
        if turn and stream.chance(1, 2):
            draft.slopes[name] = [_half(stream, 1, 4) for _ in moves]
            for group in draft.everybody:
                draft.means[name, group] = list(moves) if group in draft.used else [one + 1 for one in moves]
        else:
            draft.slopes[name] = [_half(stream, 1, 4)] * draft.periods
            for group in draft.everybody:
                level = _half(stream, 4, 24) + 14
                draft.means[name, group] = [level + one for one in moves]


def _break(stream: Stream, draft: _Draft, kind: str, name: str, trap: bool) -> None:
    """Something that spoils the comparison in one way; where trends change, `name` is the covariate behind it."""
    turn = stream.between(max(draft.before) + 1, min(draft.after))
    match kind:
        case "anticipation":
            early = [one for one in draft.treated if draft.starts[one] - 1 in draft.before]
            if early:
                draft.ahead[stream.choice(early)] = _half(stream, 2, 9)
        case "spillover":
            draft.spill[stream.choice(draft.untreated)] = _half(stream, 2, 9)
        case "contamination":
            begun = min(draft.starts.values())
            draft.starts.setdefault(stream.choice(draft.untreated), stream.between(begun, max(draft.after)))
        case "trends":
            way = "slopes" if trap else stream.choice(("slopes", "means", "drift"))
            group, change = stream.choice(draft.used), _half(stream, 1, 6)
            if way == "drift":
                draft.drifts[group] = draft.drifts.get(group, Fraction(0)) + change
            elif way == "means":
                series = draft.means[name, group]
                series[turn - 1 :] = [one + change for one in series[turn - 1 :]]
            else:
                series = draft.slopes[name]
                draft.slopes[name] = [*series[: turn - 1], *(one + change / 2 for one in series[turn - 1 :])]
                if trap:
                    for one in draft.everybody:
                        draft.means[name, one] = [draft.means[name, one][0]] * draft.periods
        case _:
            pass


def _distract(stream: Stream, draft: _Draft, kind: str) -> None:
    """Facts of the same sort that do not touch the comparison: elsewhere, too late, or alike everywhere."""
    if kind != "trends" and stream.chance(1, 2):
        common = _half(stream, 1, 4)
        draft.drifts |= dict.fromkeys(draft.used, common)
    for group in draft.spare:
        if stream.chance(1, 2):
            draft.drifts[group] = _half(stream, 1, 6)
        if group in draft.starts and stream.chance(1, 2):
            draft.ahead[group] = _half(stream, 2, 9)
        elif group not in draft.starts and stream.chance(1, 2):
            draft.spill[group] = _half(stream, 2, 9)
    late = [one for one in draft.treated if draft.starts[one] - 1 not in draft.before and one not in draft.ahead]
    if late and stream.chance(1, 2):
        draft.ahead[stream.choice(late)] = _half(stream, 2, 9)
    idle = [one for one in draft.untreated if one not in draft.starts and one not in draft.spill]
    if idle and max(draft.after) < draft.periods and stream.chance(1, 2):
        draft.starts[stream.choice(idle)] = draft.periods


def _written(stream: Stream, draft: _Draft) -> Params:
    """The panel as params, every number as it is printed."""

    def pairs(values: Mapping[str, Fraction | int]) -> list[list[str]]:
        return sorted([name, show(value)] for name, value in values.items())

    return {
        "groups": sorted(
            [group, str(5 * stream.between(2, 12)), show(_half(stream, 0, 40) + 40)] for group in draft.everybody
        ),
        "shifts": ["0", *(show(_half(stream, 0, 8)) for _ in range(draft.periods - 1))],
        "slopes": sorted([name, [show(one) for one in series]] for name, series in draft.slopes.items()),
        "means": sorted([name, group, [show(one) for one in series]] for (name, group), series in draft.means.items()),
        "drifts": pairs(draft.drifts),
        "starts": pairs(draft.starts),
        "effects": [show(_half(stream, 2, 12)) for _ in range(draft.periods)],
        "anticipation": pairs(draft.ahead),
        "spillover": pairs(draft.spill),
        "sets": {
            "treated": sorted(draft.treated),
            "untreated": sorted(draft.untreated),
            "before": sorted(map(str, draft.before)),
            "after": sorted(map(str, draft.after)),
            "placebo": ["1", str(draft.before[0])],
        },
    }
