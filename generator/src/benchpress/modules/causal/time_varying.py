"""Treatments in several periods, with covariates that earlier treatments affect and that steer later ones.

Structure: two to four treatments in time order, covariates before and between them, an outcome, hidden causes of
covariates and outcome. Keys: the longitudinal g-formula in exact fractions and the adjustment criterion for several
treatments; confirmed by fixing on the array of the observed distribution, checked on a random model whose hidden causes
are known, and by regression over all sets of covariates in a generic population.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.items import Json
from benchpress.modules.causal import checks_time_varying as checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.mixed_sketch import named
from benchpress.modules.causal.observed import about, joint_rows
from benchpress.modules.causal.observed_wording import BIAS, BIAS_SKILLS, OBSERVED
from benchpress.modules.causal.shares import draw_shares
from benchpress.modules.causal.time_varying_effects import TREATMENTS, Contrasts, choose_plans, treatments_of
from benchpress.modules.causal.time_varying_graphs import KINDS, draw_periods
from benchpress.protocol import IMPOSSIBLE
from benchpress.streams import Stream
from benchpress.wording.entries import Entries
from benchpress.wording.numbers import show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Params, Roles
from benchpress.wording.stories import cast

SKILLS = {
    "one_step": "time_varying",
    "higher": "ordering",
    "share": "time_varying",
    **BIAS_SKILLS,
}


class TimeVarying(Bundle):
    name = "time_varying"
    summary = "treatments in several periods with feedback through covariates"
    parts: ClassVar = {
        "EFFECT": "number",
        "NAIVE_EFFECT": "number",
        "ADJUST_NAIVELY": "verdict",
        "ONE_STEP_SET": "node_set",
        "ORDER": "sequence",
    }
    claims = Claims(
        {
            "one_step": Saying(
                "standardising over {zset} in one step gives the effect of all treatments together",
                "for the joint effect of the treatments it is enough to compare within strata of {zset} and to weight "
                "by how frequent these are",
            ),
            "higher": Saying(
                "{p} leads to {y} = 1 more often than {q} does", "with {p}, {y} = 1 is more frequent than with {q}"
            ),
            "share": Saying("under {p}, the share with {y} = 1 would be {value} (to three decimals)"),
            **BIAS,
        }
    )
    sections = (
        *OBSERVED,
        Roles(*TREATMENTS, "outcome"),
        Entries(
            "plans",
            ("p", "series"),
            Saying(
                "- {p} = ({series})",
                "- {p} sets the treatments, in time order, to {series}",
                "- Under {p} the treatments are, in time order, {series}",
            ),
            Saying("Plans (values of the treatments in time order):", "Plans for the treatments:", "Under discussion:"),
            Saying("Plans: none."),
        ),
        claims,
    )
    methods = ("longitudinal g-formula", "fixing on the observed array and a random model with its hidden causes")

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "treatments": 2 + (level >= 5) + (level >= 9),
            "covariates": 1 + (level + 1) // 2 - (level >= 9),
            "plans": 3 + (level >= 5),
            "hidden": 1 + (level >= 7),
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = dict(self.knobs(level))
        if variant == "numeric":
            knobs |= {"treatments": 2, "covariates": 1 + (level >= 3) + (level >= 8), "hidden": 1}
        kind = stream.weighted(KINDS, (44, 20 + level, 30))
        graph, numbers = draw_periods(stream, knobs, kind, lookalike=variant == "trap")
        story = cast(stream, len(graph.nodes), formal=variant == "transfer", events=True)
        graph, name = named(graph, numbers, story.names)
        count = knobs["treatments"]
        roles = {TREATMENTS[at]: name[f"A{at}"] for at in range(count)}
        params: Params = {"graph": graph.to_json(), "roles": {**roles, "outcome": name["Y"]}}
        steered = treatments_of(params)
        for _ in range(20):
            shares = draw_shares(stream, graph, steady=steered, tenths=variant == "numeric")
            response = shares.responses(name["Y"], steered)
            if plans := choose_plans(stream, response, knobs["plans"]):
                params["plans"] = [[f"plan {at}", list(plan)] for at, plan in enumerate(plans, 1)]
                found = Contrasts(params, shares, response)
                if found.clear(kind == "all"):
                    break
        else:
            raise Redraw("the effect is near a wrong way's result in every table")
        if variant == "analyst":
            params["claims"] = _claims(stream, found)
        if variant == "numeric":
            params["joint"] = joint_rows(shares.table(graph.nodes))
        else:
            params["shares"] = shares.entries()
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        treatments, y = treatments_of(params), params["roles"]["outcome"]
        ones, zeros = (", ".join(f"{one} = {value}" for one in treatments) for value in (1, 0))
        covariates = [one for one in params["graph"]["nodes"] if one not in (*treatments, y)]
        number = {"tolerance": "0.001"}
        effect = Asked(
            "EFFECT",
            "number",
            f"What is P({y} = 1 | do({ones})) - P({y} = 1 | do({zeros}))?",
            number,
            ("time_varying", "probability"),
        )
        naive = Asked(
            "NAIVE_EFFECT",
            "number",
            f"What is P({y} = 1 | {ones}) - P({y} = 1 | {zeros})?",
            number,
            ("probability",),
        )
        if "claims" in params:
            return [*asked_claims(params["claims"], "Is this claim true or false?", SKILLS), effect, naive]
        return [
            effect,
            naive,
            Asked(
                "ADJUST_NAIVELY",
                "verdict",
                "Is the same effect found by standardising in one step over all covariates, that is over "
                f"{', '.join(covariates)}: by the sum, over their joint values c, of P(c) times the difference between "
                f"P({y} = 1 | {ones}, c) and P({y} = 1 | {zeros}, c)?",
                {"vocabulary": ["yes", "no"], "classes": {"yes": ["true"], "no": ["false"]}},
                ("time_varying", "adjustment"),
            ),
            Asked(
                "ONE_STEP_SET",
                "node_set",
                f"Which covariates meet the adjustment criterion for the effect of all treatments together on {y}, so "
                "that standardising over them in one step gives that effect in every distribution that fits the "
                f"diagram? Give a set of which no proper subset meets it; {{}} where none is needed, {IMPOSSIBLE} "
                "where no set of covariates meets it.",
                {"universe": sorted([*covariates, IMPOSSIBLE])},
                ("adjustment", "time_varying"),
            ),
            Asked(
                "ORDER",
                "sequence",
                f"Put the plans in the order of P({y} = 1) when the treatments are set as the plan says, lowest first.",
                {"universe": [plan for plan, _ in params["plans"]]},
                ("ordering", "time_varying"),
            ),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        found = Contrasts(params)
        keys = {"EFFECT": Key(show(found.effect)), "NAIVE_EFFECT": Key(show(found.naive))}
        if "claims" in params:
            return keys | {claim["id"]: Key(truth(found.holds(claim))) for claim in params["claims"]}
        keys["ADJUST_NAIVELY"] = Key("yes" if found.one_step == found.effect else "no")
        sets = [list(one) for one in found.minimal_sets()]
        keys["ONE_STEP_SET"] = Key(sets[0], tuple(sets[1:])) if sets else Key([IMPOSSIBLE])
        keys["ORDER"] = Key(sorted(found.plans, key=found.plans.__getitem__))
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        treatments = [params["roles"][role] for role in TREATMENTS if role in params["roles"]]
        return checks.confirm(params, keys, treatments, IMPOSSIBLE)

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        found = Contrasts(params)
        chosen = found.habitual(habit)
        wrong: dict[str, Json] = {"EFFECT": show(found.over(chosen)), "ONE_STEP_SET": list(chosen)}
        if habit == "naive":
            plain = {plan: found.plain(values) for plan, values in found.values.items()}
            wrong["ORDER"] = sorted(plain, key=plain.__getitem__)
        else:
            wrong["ADJUST_NAIVELY"] = "yes"
        for claim in params.get("claims", ()):
            if claim["kind"] in ("overstates", "understates") and habit == "naive":
                wrong[claim["id"]] = "false"
            elif claim["kind"] == "one_step":
                wrong[claim["id"]] = truth(set(chosen) <= set(claim["zset"]))
        return {part: wrong.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        rows = sum(len(entry["rows"]) for entry in params.get("shares", ()))
        covariates = len(params["graph"]["nodes"]) - len(treatments_of(params)) - 1
        leaves = (2 + len(params["plans"])) << covariates
        joint = len(params.get("joint", {}).get("rows", ()))
        return rows + joint + leaves // 2 + 2 * len(params["graph"]["directed"])

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        found = Contrasts(params)
        shares = ", ".join(f"{plan} {about(value)}" for plan, value in found.plans.items())
        affected = [
            f"{tail} acts on {head}"
            for tail, head in params["graph"]["directed"]
            if tail in found.treatments and head not in (*found.treatments, found.y)
        ]
        feedback = "; ".join(affected) or "no treatment acts on a covariate"
        reasons = {
            "EFFECT": "Weight the outcome's shares by the covariates' shares given what came before, period by period "
            f"and with the treatments set: {about(found.effect)}.",
            "NAIVE_EFFECT": f"Among cases that happened to have all treatments 1, less those with all 0: "
            f"{about(found.naive)}.",
            "ADJUST_NAIVELY": f"One step gives {about(found.one_step)}; the effect is {about(found.effect)}; "
            f"{feedback}.",
            "ONE_STEP_SET": f"Minimal sets that meet the criterion: {_shown(found.minimal_sets())}; {feedback}.",
            "ORDER": f"By the same formula: {shares}.",
        }
        claims = {
            claim["id"]: f"Minimal sets for one step: {_shown(found.minimal_sets())}; {feedback}."
            if claim["kind"] == "one_step"
            else f"The effect is {about(found.effect)}, the plain difference {about(found.naive)}; {shares}."
            for claim in params.get("claims", ())
        }
        return {part: text for part, text in (reasons | claims).items() if part in keys}


def _shown(sets: Sequence[Sequence[str]]) -> str:
    return ", ".join("{" + ", ".join(one) + "}" for one in sets) or "none"


def _claims(stream: Stream, found: Contrasts) -> list[Params]:
    """Four claims about plans, the one-step method and the direction of the bias."""
    named = list(found.plans)
    right = [found.covariates, *map(list, found.minimal_sets())]
    pool = [list(one) for size in range(4) for one in combinations(found.covariates, size)]
    pools: dict[str, list[Params]] = {
        "one_step": [{"zset": one} for one in [*right * 2, *pool]],
        "higher": [{"p": p, "q": q, "y": found.y} for p in named for q in named if p != q],
        "share": [],
        stream.choice(("overstates", "understates")): [{}],
    }
    for plan, share in found.plans.items():
        # Wrong values: what was observed without setting anything, and another plan's share.
        other = found.plans[stream.choice([one for one in named if one != plan])]
        for value in (share, found.plain(found.values[plan]), other):
            pools["share"].append({"p": plan, "value": show(Fraction(round(value * 1000), 1000)), "y": found.y})
    return draw_claims(stream, pools, found.holds, 4, found.distinct)


BUNDLE = TimeVarying()
