"""Difference in differences: what the comparison of changes gives, what the scheme does, and what comes between them.

Structure: groups over periods with base levels, common shifts, covariates whose means and slopes may move, drifts, a
scheme that groups take up at different times, early reactions and effects on others. One comparison of two sides and
two windows is judged; at most one requirement is broken, among facts that only look as if they mattered. The numeric
variant is a table of counts and means by stratum instead. Keys: exact algebra of contrasts; confirmed by simulation of
the worlds with and without the scheme and weighted least squares.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key
from benchpress.items import Json
from benchpress.modules.causal import checks, checks_panel
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.observed import about
from benchpress.modules.causal.panels import KINDS, Panel, draw_panel
from benchpress.modules.causal.strata import KINDS as PARALLEL
from benchpress.modules.causal.strata import Table, draw_table
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.panels import SECTIONS, group_names
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Params
from benchpress.wording.stories import cast


class DifferenceInDifferences(Bundle):
    name = "difference_in_differences"
    summary = "comparing changes between groups, and what parallel trends, anticipation and spillovers do to it"
    parts: ClassVar = {
        "PLACEBO": "number",
        "DID": "number",
        "EFFECT": "number",
        "BIAS": "number",
        "ASSUMPTION": "verdict",
    }
    claims = Claims(
        {
            "parallel": Saying(
                "without the scheme {a} and {b} would have changed alike between periods {p} and {q}",
                "{a} and {b} would have run in parallel between periods {p} and {q} had there been no scheme",
            ),
            "untouched": Saying(
                "the scheme makes no difference to {a} in period {p}",
                "{a} would have had the same mean in period {p} without any scheme",
            ),
            "above": Saying(
                "the comparison of changes gives more than the effect",
                "the comparison of changes errs upwards",
            ),
            "below": Saying(
                "the comparison of changes gives less than the effect",
                "the comparison of changes errs downwards",
            ),
        }
    )
    sections = (*SECTIONS, claims)
    methods = ("exact algebra of contrasts", "simulation of both worlds and weighted least squares")

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "treated": 1 + (level + 1) // 4,
            "untreated": 1 + (level + 1) // 3,
            "spare": (level + 2) // 4,
            "covariates": 1 + level // 4,
            "before": 1 + level // 4,
            "after": 1 + level // 5,
            "breaks": 1 + level // 4,
            "strata": 2 + level // 3,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        formal = variant == "transfer"
        story = cast(stream, 1 + knobs["covariates"], formal=formal)
        roles = {"outcome": story.names[0]}
        if variant == "numeric":
            names = group_names(stream, 2 + knobs["strata"])
            table = draw_table(stream, knobs, stream.choice(PARALLEL), names[:2], names[2:])
            return Drawn({"roles": roles, **table}, story.opening)
        count = knobs["treated"] + knobs["untreated"] + knobs["spare"]
        groups = group_names(stream, count, story.names if formal else ())
        kind = stream.choice(KINDS)
        params: Params = {
            "roles": roles,
            **draw_panel(stream, knobs, kind, groups, story.names[1:], variant == "trap"),
        }
        if variant == "analyst":
            params["claims"] = _claims(stream, params)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        return _asked_of_table(params) if "cells" in params else _asked_of_panel(params)

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        exact = Table(params) if "cells" in params else Panel(params)
        estimate, effect = exact.estimate(), exact.effect()
        numbers = {"PLACEBO": exact.placebo(), "DID": estimate, "EFFECT": effect, "BIAS": estimate - effect}
        keys = {part: Key(show(value)) for part, value in numbers.items()}
        if isinstance(exact, Table):
            keys["ASSUMPTION"] = Key(exact.parallel())
        elif "claims" in params:
            keys |= {one["id"]: Key(truth(_holds(one, exact))) for one in params["claims"]}
        else:
            broken = exact.violations()
            keys["ASSUMPTION"] = Key(broken[0] if broken else "none")
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        error = 10 * checks_panel.CELL_ERROR
        if "cells" in params:
            table = checks_panel.RegressedTable(params)
            estimate, effect, placebo, verdict = table.estimate(), table.effect(), table.placebo(), table.parallel()
        else:
            panel = checks_panel.SimulatedPanel(params)
            estimate, effect, placebo, verdict = panel.estimate(), panel.effect(), panel.placebo(), panel.verdict()
        found = {"PLACEBO": placebo, "DID": estimate, "EFFECT": effect, "BIAS": estimate - effect}
        confirmed = {part: checks.near((value, error), keys[part].gold) for part, value in found.items()}
        if "claims" not in params:
            return confirmed | {"ASSUMPTION": keys["ASSUMPTION"].gold == verdict}
        slack = 100 * checks_panel.CELL_ERROR
        for claim in params["claims"]:
            match claim["kind"]:
                case "parallel":
                    holds = panel.moves_alike(claim["a"], claim["b"], claim["p"], claim["q"])
                case "untouched":
                    holds = not panel.touched(claim["a"], claim["p"])
                case "above":
                    holds = estimate - effect > slack
                case _:
                    holds = estimate - effect < -slack
            confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        if habit == "naive":
            # The comparison of changes is taken for the effect, whatever the groups did.
            answers |= {"EFFECT": answers["DID"], "BIAS": "0"}
            verdict = "both" if "cells" in params else "none"
        elif habit == "adjust_all" and "cells" not in params:
            # A simple before and after of the treated groups.
            panel = Panel(params)
            sides = (panel.sets["treated"], panel.sets["before"], panel.sets["after"])
            change = panel.level(panel.observed, sides[0], sides[2]) - panel.level(panel.observed, sides[0], sides[1])
            answers |= {"DID": show(change), "BIAS": show(change - panel.effect())}
            verdict = "none"
        else:
            # The placebo contrast alone decides.
            calm = Fraction(str(answers["PLACEBO"])) == 0
            verdict = ("both" if calm else "neither") if "cells" in params else "none" if calm else "trends"
        if "ASSUMPTION" in answers:
            answers["ASSUMPTION"] = verdict
        for claim in params.get("claims", ()):
            answers[claim["id"]] = truth(claim["kind"] in ("parallel", "untouched"))
        return answers

    def steps(self, params: Mapping[str, Any]) -> int:
        sets = params["sets"]
        if "cells" in params:
            strata = len(params["cells"]) // 2
            return strata * (2 * (len(sets["before"]) + len(sets["after"])) + 3 * len(sets["after"]))
        sides = len(sets["treated"]) + len(sets["untreated"])
        windows = len(sets["before"]) + len(sets["after"]) + 2
        return sides * windows + len(params["slopes"]) * windows + 2 * sides

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        exact = Table(params) if "cells" in params else Panel(params)
        estimate, effect, placebo = (about(value) for value in (exact.estimate(), exact.effect(), exact.placebo()))
        if isinstance(exact, Table):
            course = "The outcome less what the gap would have been by its earlier course in each stratum"
            verdict = f"Where the gaps between the two sides before the start stay the same: {exact.parallel()}."
        else:
            course = "What the scheme adds to the treated side in the after periods, weighted by size"
            verdict = f"What the estimate holds beside the effect: {next(iter(exact.violations()), 'nothing')}."
        reasons = {
            "PLACEBO": f"The same difference of changes between two earlier periods: {placebo}.",
            "DID": f"The change on the treated side less that on the untreated side: {estimate}.",
            "EFFECT": f"{course}: {effect}.",
            "BIAS": f"The estimate, {estimate}, less the effect, {effect}.",
            "ASSUMPTION": verdict,
        }
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = {
                "parallel": "Checked by the means without the scheme: covariates times slopes, and drifts.",
                "untouched": "Checked by what the scheme adds to that group in that period, by any way.",
            }.get(claim["kind"], f"The estimate is {estimate}, the effect {effect}.")
        return {part: reasons[part] for part in keys}


_CLAIM_SKILL = {
    "parallel": "difference_in_differences",
    "untouched": "counterfactual",
    "above": "bias_direction",
    "below": "bias_direction",
}

_NUMBER = {"tolerance": "0.01"}


def _asked_of_panel(params: Mapping[str, Any]) -> list[Asked]:
    sets, y = params["sets"], params["roles"]["outcome"]
    earlier, later = sets["placebo"]
    numbers = [
        Asked(
            "PLACEBO",
            "number",
            f"Take the change of the mean {y} from period {earlier} to period {later}, averaged over the treated side "
            "with the groups weighted by size: by how much does it exceed the same change on the untreated side?",
            _NUMBER,
            ("difference_in_differences",),
        ),
        Asked(
            "DID",
            "number",
            f"What is the difference-in-differences estimate: the change of the mean {y} from the before periods to "
            "the after periods on the treated side, minus the same change on the untreated side? Groups are weighted "
            "by size, the periods of a window alike.",
            _NUMBER,
            ("difference_in_differences",),
        ),
        Asked(
            "EFFECT",
            "number",
            "How much does the scheme change the mean outcome of the treated side in the after periods, compared with "
            "a world in which no group ever takes it up (same weights)?",
            _NUMBER,
            ("difference_in_differences", "counterfactual"),
        ),
        Asked(
            "BIAS",
            "number",
            "By how much does the difference-in-differences estimate exceed that effect?",
            _NUMBER,
            ("bias_direction", "difference_in_differences"),
        ),
    ]
    if "claims" in params:
        question = "Is this claim about the scheme and the groups true or false?"
        return [*asked_claims(params["claims"], question, _CLAIM_SKILL), *numbers]
    return [
        *numbers,
        Asked(
            "ASSUMPTION",
            "verdict",
            "What spoils this comparison: nothing (none); the two sides would have changed differently without the "
            "scheme (trends); the treated side reacts within the before periods (anticipation); the untreated side "
            "feels the scheme elsewhere in the after periods (spillover); or the untreated side has itself taken up "
            "the scheme by then (contamination)?",
            {
                "vocabulary": list(KINDS),
                "classes": {
                    "none": ["nothing", "holds", "valid"],
                    "trends": ["parallel trends", "non-parallel trends", "trend"],
                    "anticipation": ["anticipated", "early reaction"],
                    "spillover": ["spillovers", "interference"],
                    "contamination": ["contaminated", "treated comparison"],
                },
            },
            ("difference_in_differences",),
        ),
    ]


def _asked_of_table(params: Mapping[str, Any]) -> list[Asked]:
    sets, y = params["sets"], params["roles"]["outcome"]
    (treated,), (untreated,) = sets["treated"], sets["untreated"]
    before = sorted(map(int, sets["before"]))
    first, last = before[0], before[-1]
    return [
        Asked(
            "PLACEBO",
            "number",
            f"Pool the units of all strata in each group: by how much does the change of the mean {y} from period "
            f"{first} to period {last} in {treated} exceed that in {untreated}?",
            _NUMBER,
            ("difference_in_differences", "aggregation"),
        ),
        Asked(
            "DID",
            "number",
            f"What is the pooled difference-in-differences estimate, from period {last} to all units of the after "
            f"periods taken together: the change in {treated} minus the change in {untreated}?",
            _NUMBER,
            ("difference_in_differences", "aggregation"),
        ),
        Asked(
            "EFFECT",
            "number",
            f"Suppose that without the scheme the gap between the means of {treated} and {untreated} would have gone "
            f"on changing, within each stratum, by the same amount per period as on average from period {first} to "
            f"period {last}. What is the mean effect of the scheme on the units of {treated} in the after periods?",
            _NUMBER,
            ("difference_in_differences", "aggregation"),
        ),
        Asked(
            "BIAS",
            "number",
            "By how much does the pooled estimate exceed this effect?",
            _NUMBER,
            ("bias_direction", "difference_in_differences"),
        ),
        Asked(
            "ASSUMPTION",
            "verdict",
            f"In the before periods, where is the gap between the means of {treated} and {untreated} the same in every "
            "period: in each stratum but not in the pooled means (within), in the pooled means but not in each "
            "stratum (pooled), in both, or in neither?",
            {
                "vocabulary": list(PARALLEL),
                "classes": {
                    "both": ["everywhere"],
                    "within": ["strata", "within strata", "each stratum"],
                    "pooled": ["pooled only", "pooled means"],
                    "neither": ["none", "nowhere"],
                },
            },
            ("difference_in_differences", "aggregation"),
        ),
    ]


def _claims(stream: Stream, params: Mapping[str, Any]) -> list[Params]:
    """Four claims about parallel changes, what the scheme touches and the side to which the estimate errs."""
    panel = Panel(params)
    groups = sorted(panel.size)
    periods = [str(period) for period in range(1, len(panel.shift) + 1)]
    pools: dict[str, list[Params]] = {
        "parallel": [
            {"a": a, "b": b, "p": p, "q": q} for a, b in combinations(groups, 2) for p, q in combinations(periods, 2)
        ],
        "untouched": [{"a": group, "p": period} for group in groups for period in periods],
        stream.choice(("above", "below")): [{}],
    }
    return draw_claims(stream, pools, lambda claim: _holds(claim, panel), 4)


def _holds(claim: Mapping[str, Any], panel: Panel) -> bool:
    match claim["kind"]:
        case "parallel":
            p, q = int(claim["p"]), int(claim["q"])
            changes = {panel.untouched(claim[side], q) - panel.untouched(claim[side], p) for side in ("a", "b")}
            return len(changes) == 1
        case "untouched":
            return not any(
                term(claim["a"], int(claim["p"])) for term in (panel.own, panel.early, panel.spilt)
            )  # fmt: skip
        case "above":
            return panel.estimate() > panel.effect()
        case _:
            return panel.estimate() < panel.effect()


BUNDLE = DifferenceInDifferences()
