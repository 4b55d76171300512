"""Probabilities of causation: sharp bounds on benefit and necessity from observations, trials and assumptions.

Structure: one to six groups of a population. In each, treatment and outcome were observed; some also had a trial, in
some the treatment fell by lot, in some the treatment never takes the outcome away.
Keys: the closed-form sharp bounds of each group, averaged; confirmed by the corners of all populations of response
types that agree with what is printed.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.items import Json
from benchpress.modules.causal import checks_response as checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.response_groups import (
    OPEN,
    POINT,
    Group,
    draw_types,
    draw_weights,
    groups_of,
    overall,
    risks,
    shown_cells,
)
from benchpress.streams import Stream
from benchpress.wording.definitions import Definition
from benchpress.wording.entries import Entries
from benchpress.wording.numbers import number, show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Params, Roles
from benchpress.wording.sets import NamedSets
from benchpress.wording.stories import cast

MARGIN = Fraction(1, 50)
"""Bounds on the whole population that do not meet lie this far apart."""
GAP = Fraction(1, 100)
"""Groups that are put in order differ by at least this much."""

_NOTHING = Saying("There was no trial in any group.")
_OBSERVED = Saying(
    "Observed P(treatment, outcome) within each group:",
    "What was observed in each group, as shares of its members:",
)
_TRIED = Saying(
    "Experiments with random assignment, by group:",
    "Some groups also took part in an experiment with random assignment:",
)


class CausationProbability(Bundle):
    name = "causation_probability"
    summary = "probabilities of benefit and necessity: sharp bounds from observations, experiments and monotonicity"
    parts: ClassVar = {
        "LOWER": "number",
        "UPPER": "number",
        "PN_LOWER": "number",
        "PN_UPPER": "number",
        "POINT_IDENTIFIED": "verdict",
    }
    claims = Claims(
        {
            "low": Saying("the sharp lower bound on PN is {value} (to three decimals)"),
            "high": Saying("the sharp upper bound on PN is {value} (to three decimals)"),
            "pinned": Saying(
                "within {group}, PNS is a single number", "what is known about {group} pins its PNS down to one number"
            ),
            "harmless": Saying(
                "it may be that nobody at all has Y(1) = 0 and Y(0) = 1",
                "the figures leave open that Y(1) = 0 and Y(0) = 1 hold for nobody",
            ),
            "most": Saying("of all groups, {group} has the highest upper bound on PNS"),
        }
    )
    sections = (
        Roles("treatment", "outcome"),
        Definition(
            "Y(t) is {outcome} when {treatment} is set to t. PNS is P(Y(1) = 1, Y(0) = 0), the share that benefits; PN "
            "is P(Y(0) = 0 | {treatment} = 1, {outcome} = 1). All shares are exact. An experiment gives the shares of "
            "Y(1) = 1 and Y(0) = 1 in the whole group; where a lot decided, {treatment} is independent of Y(0) and "
            "Y(1) together; elsewhere it may depend on them. Bounds are sharp: the least and the greatest value over "
            "all populations that agree with everything stated here."
        ),
        Entries(
            "shares",
            ("group", "p"),
            Saying(
                "- share of {group}: {p}", "- {group} makes up {p} of the population", "- {p} of all belong to {group}"
            ),
            Saying("Groups:", "The population falls into groups:"),
            Saying("There are no groups."),
        ),
        Entries(
            "observed",
            ("group", "a", "b", "c", "d"),
            Saying(
                "- {group}: P(1, 1) = {a}, P(1, 0) = {b}, P(0, 1) = {c}, P(0, 0) = {d}",
                "- in {group}: both {a}, treatment alone {b}, outcome alone {c}, neither {d}",
            ),
            _OBSERVED,
            Saying("Nothing was observed."),
        ),
        Entries(
            "trials",
            ("group", "a", "b"),
            Saying(
                "- {group}: P(Y(1) = 1) = {a}, P(Y(0) = 1) = {b}",
                "- in {group} the outcome came about in a share {a} with the treatment, {b} without it",
            ),
            _TRIED,
            _NOTHING,
        ),
        Entries(
            "tallies",
            ("group", "a", "b", "c", "d"),
            Saying(
                "- {group} counted: (1, 1) {a}, (1, 0) {b}, (0, 1) {c}, (0, 0) {d}",
                "- {group}, members with both: {a}, with the treatment alone: {b}, with the outcome alone: {c}, with "
                "neither: {d}",
            ),
            Saying(
                "Counts of all members of each group by (treatment, outcome):",
                "The whole population was counted, group by group:",
            ),
            Saying("Nobody was counted."),
        ),
        Entries(
            "tried",
            ("group", "a", "n", "b", "m"),
            Saying(
                "- {group} tried: Y(1) = 1 in {a} of {n}, Y(0) = 1 in {b} of {m}",
                "- of {group}, {a} out of {n} had the outcome with the treatment, {b} out of {m} without it",
            ),
            Saying(
                "Experiments with random assignment, counts by group:",
                "Some groups also took part in an experiment with random assignment, with these counts:",
            ),
            Saying("No experiment was made."),
        ),
        NamedSets(
            {
                "lottery": Saying(
                    "Groups whose observed treatment was assigned by lot: {names}.",
                    "A lot decided on the observed treatment in: {names}.",
                ),
                "monotone": Saying(
                    "Groups in which nobody has Y(1) = 0 and Y(0) = 1: {names}.",
                    "The treatment never takes the outcome away in: {names}.",
                ),
            }
        ),
        claims,
    )
    methods = ("closed-form sharp bounds", "corners of all populations of response types")

    def knobs(self, level: int) -> Mapping[str, int]:
        return {"groups": 1 + level // 2, "unit": 50 << (level - 1) // 2}

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        count, unit = knobs["groups"], knobs["unit"]
        point = stream.chance(1, 2)
        story = cast(stream, 2, formal=variant == "transfer", events=True)
        label = "G" if variant == "transfer" else stream.choice(("group ", "region ", "series ", "branch "))
        names = [f"{label}{at}" for at in range(1, count + 1)]
        for _ in range(20):
            kinds = _kinds(stream, count, point=point, trap=variant == "trap")
            drawn = [(name, kind, draw_types(stream, kind, unit)) for name, kind in zip(names, kinds, strict=True)]
            params = _printed(stream, drawn, unit, counted=variant == "numeric")
            params["roles"] = dict(zip(("treatment", "outcome"), story.names, strict=True))
            groups = groups_of(params)
            (low, high), _ = overall(groups)
            tops = sorted(group.benefit()[1] for group in groups)
            if (high == low if point else high - low >= MARGIN) and all(
                later - earlier >= GAP for earlier, later in pairwise(tops)
            ):
                break
        else:
            raise Redraw("bounds of groups too close")
        if variant == "analyst":
            params["claims"] = draw_claims(stream, _pools(groups), partial(_holds, groups), 4)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        tolerance, skills = {"tolerance": "0.001"}, ("bounds", "counterfactual")
        names = [row[0] for row in params["tallies" if "tallies" in params else "observed"]]
        bounds = [
            Asked(
                "LOWER", "number", "What is the sharp lower bound on PNS in the whole population?", tolerance, skills
            ),
            Asked(
                "UPPER", "number", "What is the sharp upper bound on PNS in the whole population?", tolerance, skills
            ),
        ]
        if "claims" in params:
            about = dict.fromkeys(self.claims.kinds, "bounds")
            return [*asked_claims(params["claims"], "Is this claim true or false?", about), *bounds]
        order = Asked(
            "ORDER",
            "sequence",
            "Put the groups in the order of their own sharp upper bounds on PNS, from the lowest to the highest.",
            {"universe": names},
            ("ordering", "bounds"),
        )
        return [
            *bounds,
            Asked(
                "PN_LOWER", "number", "What is the sharp lower bound on PN in the whole population?", tolerance, skills
            ),
            Asked(
                "PN_UPPER", "number", "What is the sharp upper bound on PN in the whole population?", tolerance, skills
            ),
            Asked(
                "POINT_IDENTIFIED",
                "verdict",
                "Is PNS in the whole population a single number, its two bounds being equal?",
                {"vocabulary": ["yes", "no"], "classes": {"yes": ["true"], "no": ["false"]}},
                ("identification", "bounds"),
            ),
            *([order] if len(names) > 2 else []),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        groups = groups_of(params)
        (low, high), (least, most) = overall(groups)
        keys = {"LOWER": Key(show(low)), "UPPER": Key(show(high))}
        if "claims" in params:
            return keys | {claim["id"]: Key(truth(_holds(groups, claim))) for claim in params["claims"]}
        keys |= {"PN_LOWER": Key(show(least)), "PN_UPPER": Key(show(most))}
        keys["POINT_IDENTIFIED"] = Key("yes" if low == high else "no")
        if len(groups) > 2:
            keys["ORDER"] = Key([group.name for group in sorted(groups, key=lambda group: group.benefit()[1])])
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        return checks.confirmed(params, {part: key.gold for part, key in keys.items()})

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        groups = groups_of(params)
        changes: dict[str, Json] = {}
        if habit == "naive":
            # The observed difference is taken for the share that benefits.
            value = show(sum((group.weight * _difference(group) for group in groups), Fraction(0)))
            changes = {"LOWER": value, "UPPER": value, "POINT_IDENTIFIED": "yes"}
        elif habit == "adjust_all":
            # Every experiment is used on its own, whatever the observations add.
            alone = [(group.weight, _from_risks(group)) for group in groups]
            low, high = (sum((weight * ends[side] for weight, ends in alone), Fraction(0)) for side in (0, 1))
            changes = {"LOWER": show(low), "UPPER": show(high), "POINT_IDENTIFIED": "no" if low < high else "yes"}
        elif habit == "adjust_parents":
            # Monotonicity is taken to be enough wherever it is stated, and necessary.
            every = all(group.monotone for group in groups)
            changes = {"POINT_IDENTIFIED": "yes" if every else "no"}
        return {part: changes.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        rows = params["tallies" if "tallies" in params else "observed"]
        return 8 * len(rows) + sum(len(value.removeprefix("0.")) for _, *values in rows for value in values)

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        groups = groups_of(params)
        (low, high), (least, most) = overall(groups)
        each = "; ".join(
            f"{group.name} from {_text(group.benefit()[0])} to {_text(group.benefit()[1])}" for group in groups
        )
        reasons = {
            "LOWER": f"PNS by group: {each}; the lower ends averaged by the groups' shares give {_text(low)}.",
            "UPPER": f"PNS by group: {each}; the upper ends averaged by the groups' shares give {_text(high)}.",
            "PN_LOWER": f"Among those with treatment and outcome, averaged by their number: {_text(least)} at least.",
            "PN_UPPER": f"Among those with treatment and outcome, averaged by their number: {_text(most)} at most.",
            "POINT_IDENTIFIED": f"PNS by group: {each}.",
            "ORDER": f"PNS by group: {each}.",
        }
        harm = "; ".join(f"{group.name} from {_text(group.harm()[0])}" for group in groups)
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = {
                "low": f"PN lies between {_text(least)} and {_text(most)}.",
                "high": f"PN lies between {_text(least)} and {_text(most)}.",
                "harmless": f"The share that is harmed, by group: {harm}.",
            }.get(claim["kind"], f"PNS by group: {each}.")
        return {part: reasons[part] for part in keys}


def _text(value: Fraction) -> str:
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def _kinds(stream: Stream, count: int, *, point: bool, trap: bool) -> list[str]:
    """Kinds of groups; with `point` all of them pin the share that benefits down, else at least one does not."""
    if point:
        tempting = ("pinned trial",) if trap else POINT
        return [stream.choice(tempting if stream.chance(2, 3) else POINT) for _ in range(count)]
    open_kinds = ("monotone watched", "trial") if trap else OPEN
    kinds = [stream.choice(open_kinds), *(stream.choice(stream.choice((POINT, OPEN))) for _ in range(count - 1))]
    return stream.shuffled(kinds)


def _printed(
    stream: Stream, drawn: Sequence[tuple[str, str, Sequence[Sequence[int]]]], unit: int, *, counted: bool
) -> Params:
    """What is said about groups of these kinds and response types."""
    cells = {name: shown_cells(types) for name, _, types in drawn}
    tried = {name: risks(types) for name, kind, types in drawn if kind.endswith("trial")}
    sets = {
        "lottery": sorted(name for name, kind, _ in drawn if kind.endswith("lot")),
        "monotone": sorted(name for name, kind, _ in drawn if kind.startswith("monotone")),
    }
    if counted:
        sizes = {name: stream.between(2, 12) for name in cells}
        halves = {name: (unit * stream.between(1, 4), unit * stream.between(1, 4)) for name in tried}
        return {
            "tallies": sorted([name, *(str(cell * sizes[name]) for cell in row)] for name, row in cells.items()),
            "tried": sorted(
                [name, str(one * n // unit), str(n), str(none * m // unit), str(m)]
                for name, (one, none) in tried.items()
                for n, m in (halves[name],)
            ),
            "sets": sets,
        }
    weights = draw_weights(stream, len(cells))
    return {
        "shares": sorted([name, show(weight)] for name, weight in zip(cells, weights, strict=True)),
        "observed": sorted([name, *(show(Fraction(cell, unit)) for cell in row)] for name, row in cells.items()),
        "trials": sorted(
            [name, show(Fraction(one, unit)), show(Fraction(none, unit))] for name, (one, none) in tried.items()
        ),
        "sets": sets,
    }


def _difference(group: Group) -> Fraction:
    """The observed difference of risks."""
    joint = group.evidence.joint or ((Fraction(0),) * 2,) * 2
    (n00, n01), (n10, n11) = joint
    return n11 / (n11 + n10) - n01 / (n01 + n00)


def _from_risks(group: Group) -> tuple[Fraction, Fraction]:
    """Bounds from two risks alone: those of the experiment, or the observed ones."""
    (n00, n01), (n10, n11) = group.evidence.joint or ((Fraction(0),) * 2,) * 2
    treated = group.evidence.treated_risk or n11 / (n11 + n10)
    untreated = group.evidence.untreated_risk or n01 / (n01 + n00)
    return max(Fraction(0), treated - untreated), min(treated, 1 - untreated)


def _holds(groups: Sequence[Group], claim: Mapping[str, Any]) -> bool:
    kind = claim["kind"]
    if kind == "pinned":
        low, high = next(group.benefit() for group in groups if group.name == claim["group"])
        return low == high
    if kind == "harmless":
        return all(group.harm()[0] == 0 for group in groups)
    if kind == "most":
        return bool(claim["group"] == max(groups, key=lambda group: group.benefit()[1]).name)
    _, necessity = overall(groups)
    return abs(necessity[kind == "high"] - number(claim["value"])) <= Fraction(1, 2000)


def _pools(groups: Sequence[Group]) -> dict[str, list[Params]]:
    """Possible claims; wrong bounds on necessity are bounds on benefit, and the other way round."""
    benefit, necessity = overall(groups)

    def values(*options: Fraction) -> list[Params]:
        rounded = [show(Fraction(round(value * 1000), 1000)) for value in options]
        return [{"value": value} for value in dict.fromkeys(rounded)]

    pools: dict[str, list[Params]] = {
        "low": values(necessity[0], benefit[0], (necessity[0] + necessity[1]) / 2),
        "high": values(necessity[1], benefit[1], (necessity[0] + 1) / 2),
        "pinned": [{"group": group.name} for group in groups],
        "harmless": [{}],
    }
    if len(groups) > 1:
        pools["most"] = [{"group": group.name} for group in groups]
    return pools


BUNDLE = CausationProbability()
