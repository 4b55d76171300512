"""Mediation: natural and controlled effects with interaction, and whether covariates can identify them.

Structure: a treatment that acts on an outcome directly and through a mediator, common causes of any two of the three,
some of them unrecorded, variables between the treatment and both others, and look-alikes that do no harm.
Keys: nested counterfactuals by exact elimination over two worlds, or the mediation formula on a printed joint
distribution; confirmed by enumerating the responses of all variables in both worlds, and by regressions on every
subset of covariates in a generic population.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.dag import Graph
from benchpress.items import Json
from benchpress.modules.causal import checks_nested as checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.chances import GRID, TENTHS, draw_chances, draw_steady, graph_of, joint_of, table
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.gadgets import build, leads, thicken
from benchpress.modules.causal.mediation_effects import apart, candidates, effects_of, is_sufficient, sufficient_set
from benchpress.modules.causal.mediation_graphs import BREAKING, FILLERS, HARMLESS, LOOKALIKES
from benchpress.streams import Stream
from benchpress.wording.definitions import Definition
from benchpress.wording.entries import Series
from benchpress.wording.joint import JointTable
from benchpress.wording.numbers import number, show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Edges, Params, Roles, Unmeasured, Variables
from benchpress.wording.shares import probabilities
from benchpress.wording.stories import cast


class Mediation(Bundle):
    name = "mediation"
    summary = "natural and controlled effects through a mediator, with interaction and confounded mediators"
    parts: ClassVar = {
        "NDE": "number",
        "NIE": "number",
        "CDE": "number",
        "TOTAL": "number",
        "IDENTIFIED": "verdict",
    }
    claims = Claims(
        {
            "nde": Saying(
                "the natural direct effect is {value} (to three decimals)", "NDE = {value} (to three decimals)"
            ),
            "nie": Saying(
                "the natural indirect effect is {value} (to three decimals)", "NIE = {value} (to three decimals)"
            ),
            "cde": Saying(
                "the controlled direct effect is {value} (to three decimals)", "CDE = {value} (to three decimals)"
            ),
            "enough": Saying(
                "the set {chosenset} blocks all the paths that the definition of a sufficient set lists",
                "{chosenset} is a sufficient set",
            ),
            "more": Saying("NDE and NIE together exceed the total effect", "NDE + NIE > total effect"),
            "less": Saying("NDE and NIE together fall short of the total effect", "NDE + NIE < total effect"),
        }
    )
    sections = (
        Variables(),
        Edges(),
        probabilities(),
        JointTable(),
        Unmeasured(),
        Roles("treatment", "mediator", "outcome"),
        Series(
            "held",
            Saying(
                "Controlled value of the mediator: {series}.",
                "For the controlled direct effect the mediator is held at {series}.",
            ),
        ),
        Definition(
            "Every variable is 1 exactly when its own noise, uniform between 0 and 1 and independent of all other "
            "noises, lies below its chance of being 1 given its direct causes. Y(t) is {outcome} when {treatment} is "
            "set to t; Y(t, m) when moreover {mediator} is set to m; M(s) is {mediator} when {treatment} is set to s, "
            "with the same noises."
        ),
        Definition(
            "The natural direct effect NDE is E[Y(1, M(0))] - E[Y(0)], the pure natural indirect effect NIE is "
            "E[Y(0, M(1))] - E[Y(0)], the controlled direct effect CDE is E[Y(1, h)] - E[Y(0, h)] with h the "
            "controlled value of {mediator}, and the total effect is E[Y(1)] - E[Y(0)]."
        ),
        Definition(
            "A sufficient set holds recorded variables that {treatment} does not affect; it blocks every back-door "
            "path from {treatment} to {mediator} and from {treatment} to {outcome}; and together with {treatment} it "
            "blocks every back-door path from {mediator} to {outcome}."
        ),
        claims,
    )
    methods = (
        "elimination over two worlds, mediation formula and back-door criterion",
        "enumeration of responses in two worlds and regression on every subset in a generic population",
    )

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "nodes": 4 + (4 * level) // 5,
            "common_causes": 1 + (level + 1) // 4,
            "extra_edges": level // 3,
            "outcome_causes": 4 + level // 8,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = dict(self.knobs(level))
        numeric = variant == "numeric"
        if numeric:
            knobs["nodes"] = 4 + level // 5
        breaking = not numeric and stream.chance(1, 2)
        plan = [HARMLESS] * (knobs["common_causes"] if not numeric else 1 + level // 8)
        if breaking:
            plan = [BREAKING, *plan[1:]]
        if variant == "trap":
            plan += [LOOKALIKES, LOOKALIKES]
        elif not numeric:
            plan += [LOOKALIKES]
        core = {(0, 1), (1, 2), (0, 2)}
        drawn = build(
            stream,
            "TMY",
            core,
            plan,
            FILLERS,
            knobs["nodes"],
            recorded_only=numeric,
            most=(3, 3, knobs["outcome_causes"]),
        )
        causes = drawn.causes
        # Treatment affects both ends or neither, so that no common cause becomes an effect of the treatment.
        thicken(
            stream,
            causes,
            knobs["extra_edges"],
            [at for at in range(3, len(causes)) if at not in drawn.hidden],
            lambda tail, head: leads(causes, 0, tail) == leads(causes, 0, head),
        )
        story = cast(stream, len(causes), formal=variant == "transfer", events=True)
        names = story.names
        params: Params = {
            "roles": dict(zip(("treatment", "mediator", "outcome"), names, strict=False)),
            "held": [str(stream.below(2))],
            "unmeasured": sorted(names[at] for at in drawn.hidden),
        }
        grid = TENTHS if numeric else GRID
        for _ in range(20):
            tables = [
                table(
                    names[at],
                    [names[cause] for cause in sorted(above)],
                    draw_chances(stream, len(above), grid) if numeric or at == 2 else draw_steady(stream, len(above)),
                )
                for at, above in enumerate(causes)
            ]
            params |= {"graph": graph_of(tables), "probabilities": sorted(tables, key=lambda entry: entry["of"])}
            effects = effects_of(params)
            if apart(effects):
                break
        else:
            raise Redraw("the natural effects nearly add up in every table")
        if (sufficient_set(params) is None) != breaking:
            raise Redraw("the drawn paths do not decide as planned")
        if numeric:
            params["joint"] = joint_of(params.pop("probabilities"))
        if variant == "analyst":
            params["claims"] = draw_claims(stream, _pools(stream, params, effects), partial(_holds, params, effects), 4)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        tolerance = {"tolerance": "0.001"}
        held = params["held"][0]
        total = Asked("TOTAL", "number", "What is the total effect?", tolerance, ("intervention", "probability"))
        nde = Asked(
            "NDE",
            "number",
            "What is the natural direct effect?",
            tolerance,
            ("mediation", "counterfactual"),
        )
        if "claims" in params:
            skills = dict.fromkeys(self.claims.kinds, "mediation") | {"enough": "identification"}
            return [*asked_claims(params["claims"], "Is this claim true or false?", skills), total]
        asked = [
            nde,
            Asked(
                "NIE",
                "number",
                "What is the pure natural indirect effect?",
                tolerance,
                ("mediation", "counterfactual"),
            ),
            Asked(
                "CDE",
                "number",
                f"What is the controlled direct effect, E[Y(1, {held})] - E[Y(0, {held})]?",
                tolerance,
                ("mediation", "intervention"),
            ),
            total,
        ]
        if "joint" in params:
            return [
                *asked,
                Asked(
                    "SUM",
                    "verdict",
                    "Is NDE + NIE larger or smaller than the total effect?",
                    {"vocabulary": ["larger", "smaller"]},
                    ("mediation",),
                ),
            ]
        return [
            *asked,
            Asked(
                "IDENTIFIED",
                "verdict",
                "Is there a sufficient set (the empty set counts)?",
                {"vocabulary": ["yes", "no"], "classes": {"yes": ["true"], "no": ["false"]}},
                ("identification", "mediation"),
            ),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        effects = effects_of(params)
        keys = {"TOTAL": Key(show(effects["total"]))}
        if "claims" in params:
            return keys | {claim["id"]: Key(truth(_holds(params, effects, claim))) for claim in params["claims"]}
        keys |= {part: Key(show(effects[part.lower()])) for part in ("NDE", "NIE", "CDE")}
        if "joint" in params:
            keys["SUM"] = Key("larger" if effects["nde"] + effects["nie"] > effects["total"] else "smaller")
        else:
            keys["IDENTIFIED"] = Key("no" if sufficient_set(params) is None else "yes")
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        found = checks.Mediated(params)
        if "claims" in params:
            confirmed = {"TOTAL": found.is_effect("total", keys["TOTAL"].gold)}
            for claim in params["claims"]:
                confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if found.bears_out(claim) else "false")
            return confirmed
        confirmed = {part: found.is_effect(part.lower(), keys[part].gold) for part in ("NDE", "NIE", "CDE", "TOTAL")}
        if "joint" in params:
            confirmed["SUM"] = keys["SUM"].gold == ("larger" if found.surplus() > 0 else "smaller")
        else:
            confirmed["IDENTIFIED"] = keys["IDENTIFIED"].gold == ("yes" if found.some_set_is_enough() else "no")
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        effects = effects_of(params)
        if habit == "naive":
            # Direct and indirect effects are taken to add up, the observed difference for the total effect.
            changes: dict[str, Json] = {"NIE": show(effects["total"] - effects["nde"]), "IDENTIFIED": "yes"}
            changes |= {claim["id"]: "true" for claim in params.get("claims", ()) if claim["kind"] in ("nie", "enough")}
        elif habit == "adjust_all":
            changes = {"NDE": show(effects["cde"]), "IDENTIFIED": "yes"}
            changes |= {claim["id"]: "true" for claim in params.get("claims", ()) if claim["kind"] == "enough"}
        elif habit == "adjust_parents":
            changes = {"IDENTIFIED": "no" if params["unmeasured"] else "yes"}
        else:
            changes = {"IDENTIFIED": "no"} if habit == "ignore_colliders" else {}
        return {part: changes.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        graph = Graph.from_json(params["graph"])
        above = set(graph.ancestors([params["roles"]["outcome"]]))
        cells = sum(len(entry["rows"]) for entry in params.get("probabilities", ()) if entry["of"] in above)
        return 2 * cells + len(params.get("joint", {}).get("rows", ())) + len(graph.directed)

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        effects = effects_of(params)
        t, m, y = (params["roles"][role] for role in ("treatment", "mediator", "outcome"))
        held = params["held"][0]
        mean = {name: show(value) for name, value in effects.items()}
        chosen = sufficient_set(params)
        reasons = {
            "NDE": f"With {t} set to 1 and {m} as under {t} = 0, {y} has the mean {mean['crossed direct']}; "
            f"with {t} set to 0 it has {mean['none']}.",
            "NIE": f"With {t} set to 0 and {m} as under {t} = 1, {y} has the mean {mean['crossed indirect']}; "
            f"with {t} set to 0 it has {mean['none']}.",
            "CDE": f"{m} is set to {held} in every case; then {t} moves the mean of {y} by {mean['cde']}.",
            "TOTAL": f"The mean of {y} is {mean['all']} with {t} set to 1 and {mean['none']} with {t} set to 0.",
            "SUM": f"NDE + NIE = {show(effects['nde'] + effects['nie'])}, the total effect is {mean['total']}: "
            "the two mechanisms interact.",
            "IDENTIFIED": "The set {" + ", ".join(chosen) + "} meets all three conditions."
            if chosen is not None
            else f"Even all recorded variables that {t} does not affect leave a back-door path open.",
        }
        for claim in params.get("claims", ()):
            kind = claim["kind"]
            reasons[claim["id"]] = (
                f"The value is {mean[kind]}."
                if kind in mean
                else "Checked path by path against the definition."
                if kind == "enough"
                else f"NDE + NIE = {show(effects['nde'] + effects['nie'])}, the total effect is {mean['total']}."
            )
        return {part: reasons[part] for part in keys}


def _holds(params: Mapping[str, Any], effects: Mapping[str, Fraction], claim: Mapping[str, Any]) -> bool:
    kind = claim["kind"]
    if kind == "enough":
        graph = Graph.from_json(params["graph"])
        return set(claim["chosenset"]) <= set(candidates(params, graph)) and is_sufficient(
            params, graph, claim["chosenset"]
        )
    if kind in ("more", "less"):
        return (effects["nde"] + effects["nie"] > effects["total"]) == bool(kind == "more")
    return abs(effects[kind] - number(claim["value"])) <= Fraction(1, 2000)


def _pools(stream: Stream, params: Mapping[str, Any], effects: Mapping[str, Fraction]) -> dict[str, list[Params]]:
    """Possible claims of each kind; wrong values are other effects of the same problem."""
    graph = Graph.from_json(params["graph"])
    recorded = [name for name in graph.nodes if name not in params["unmeasured"]]
    covariates = [name for name in recorded if name not in params["roles"].values()]
    rounded = {kind: show(Fraction(round(effects[kind] * 1000), 1000)) for kind in ("nde", "nie", "cde", "total")}
    rest = show(Fraction(round((effects["total"] - effects["nde"]) * 1000), 1000))
    sizes = range(min(3, len(covariates)) + 1)
    sets = [sorted(chosen) for size in sizes for chosen in combinations(covariates, size)]
    return {
        "nde": [{"value": rounded[kind]} for kind in ("nde", "cde", "total")],
        "nie": [{"value": value} for value in (rounded["nie"], rest)],
        "cde": [{"value": rounded[kind]} for kind in ("cde", "nde", "total")],
        "enough": [{"chosenset": chosen} for chosen in stream.shuffled(sets)[:12]],
        stream.choice(("more", "less")): [{}],
    }


BUNDLE = Mediation()
