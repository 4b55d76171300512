"""Selection: what a sample tells in which only the selected cases are, and what must be measured outside.

Structure: treatment, outcome, a selection variable below drawn causes, covariates, mediators, unrecorded variables;
whether the sample suffices, needs outside data, or is beyond repair is drawn first. Keys: recoverability algorithm and
generalised adjustment criterion, exact fractions; confirmed by a generic population over all subsets, by random models
and pairs of models, and by adding cells. What is printed is what a study of the selected cases knows.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key
from benchpress.graphs.dag import Graph, latent_projection
from benchpress.graphs.selection import needed_external
from benchpress.graphs.separation import separated
from benchpress.items import Json
from benchpress.modules.causal import checks_selection as checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.mixed_sketch import named
from benchpress.modules.causal.observed import about
from benchpress.modules.causal.selection_graphs import draw_selection, weighable
from benchpress.modules.causal.selection_study import MARGIN, Study, draw_study, ends, recorded, tabled
from benchpress.protocol import IMPOSSIBLE
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Edges, Params, Roles, Unmeasured, Variables
from benchpress.wording.shares import Shares, StateTable
from benchpress.wording.stories import cast

SKILLS = {
    "recoverable": "selection_bias",
    "enough": "selection_bias",
    "independent": "collider",
    "overstates": "bias_direction",
    "understates": "bias_direction",
}


class Selection(Bundle):
    name = "selection"
    summary = "what a selected sample tells about an effect, and what must be measured outside it"
    parts: ClassVar = {
        "RECOVERABLE": "verdict",
        "NEEDED_EXTERNAL": "node_set",
        "EFFECT": "number",
        "SAMPLE_CONTRAST": "number",
    }
    claims = Claims(
        {
            "recoverable": Saying(
                "the selected cases and the diagram alone determine the effect of {x} on {y} in everybody",
            ),
            "enough": Saying(
                "if {tset} were also recorded for everybody, some adjustment of the selected cases would be right",
                "with unbiased figures on {tset} beside the selected cases, adjustment can be made to work",
            ),
            "independent": Saying(
                "among the selected cases, {a} tells nothing about {b}",
                "{a} and {b} are independent among the selected cases",
            ),
            "overstates": Saying(
                "the plain contrast among the selected cases exceeds the effect in everybody",
                "whoever compares the selected cases finds an effect that is too high",
            ),
            "understates": Saying(
                "the plain contrast among the selected cases falls short of the effect in everybody",
                "whoever compares the selected cases finds an effect that is too low",
            ),
        }
    )
    sections = (
        Variables(),
        Edges(),
        Unmeasured(),
        Roles("treatment", "outcome", "selection"),
        StateTable(
            "sample",
            "selected cases",
            Saying(
                "All nodes are 0 or 1. Numbers of selected cases by state:",
                "Everything is yes (1) or no (0). How many selected cases show each combination:",
                "Each of these either happens (1) or does not (0). The selected cases, counted by combination:",
            ),
        ),
        Shares(
            "shares",
            "P'",
            Saying(
                "Conditional probabilities P' of the other recorded nodes among the selected cases; their product with "
                "the shares in the table is the whole distribution there:",
                "How likely a yes is among the selected cases for all else that is recorded; these shares P' times "
                "those of the table give the whole distribution there:",
            ),
        ),
        StateTable(
            "outside",
            "share in everybody",
            Saying(
                "Unbiased shares in the whole population:",
                "From an unbiased count of everybody (1 = yes, 0 = no):",
            ),
        ),
        Shares(
            "chances",
            "P",
            Saying(
                "Probability of being selected, in the whole population:",
                "How likely anybody was to be selected, known from the plan of the study:",
                "The study selected its cases from everybody with these chances:",
            ),
        ),
        claims,
    )
    methods = (
        "recoverability algorithm, generalised adjustment criterion and exact weighting of the sample",
        "generic population over all subsets, random models, pairs of models that agree on the sample, arrays",
    )

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "nodes": 5 + (level * 6) // 10,
            "extra_edges": level // 2,
            "causes_of_selection": 1 + (level >= 3) + (level >= 7),
            "unrecorded": (level + 1) // 5,
            "tabled": 4 + (level >= 4) + (level >= 8),
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = dict(self.knobs(level))
        if variant == "numeric":
            knobs |= {"nodes": 5 + (level >= 4) + (level >= 9), "extra_edges": level // 4, "unrecorded": 0}
        kind = stream.weighted(("free", "needed", "never"), (14, 7, 4))
        graph, places, hidden = draw_selection(stream, knobs, kind, trap=variant == "trap")
        story = cast(stream, len(places), formal=variant == "transfer", events=True)
        graph, name = named(graph, places, story.names)
        x, y, s = name["X"], name["Y"], name["S"]
        params: Params = {
            "graph": graph.to_json(),
            "unmeasured": sorted(name[place] for place in hidden),
            "roles": {"treatment": x, "outcome": y, "selection": s},
        }
        columns = tabled(graph, params["unmeasured"], s)
        if variant == "numeric":
            columns = sorted({x, y, *recorded(params)})
        weighed = kind == "never" or (stream.chance(2, 5) and weighable(graph, params["unmeasured"], s))
        counted = [] if weighed else _measured(stream, params, graph, columns)
        params |= draw_study(stream, graph, params, columns, counted)
        if variant == "analyst":
            params["claims"] = _claims(stream, params, Study(params, graph))
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        x, y, s = (params["roles"][role] for role in ("treatment", "outcome", "selection"))
        number = {"tolerance": "0.001"}
        effect = Asked(
            "EFFECT",
            "number",
            f"What is P({y} = 1 | do({x} = 1)) - P({y} = 1 | do({x} = 0)) in the whole population? It follows "
            "from the diagram and the figures above.",
            number,
            ("selection_bias", "adjustment"),
        )
        contrast = Asked(
            "SAMPLE_CONTRAST",
            "number",
            f"What is P({y} = 1 | {x} = 1, {s} = 1) - P({y} = 1 | {x} = 0, {s} = 1), the contrast among the selected "
            "cases?",
            number,
            ("selection_bias", "probability"),
        )
        if "claims" in params:
            return [*asked_claims(params["claims"], "Is this claim true or false?", SKILLS), effect, contrast]
        return [
            Asked(
                "RECOVERABLE",
                "verdict",
                f"Suppose nothing is known but the diagram and the distribution of all recorded variables among the "
                f"cases with {s} = 1. Does this determine P({y} = 1 | do({x} = 1)) in the whole population?",
                {"vocabulary": ["yes", "no"], "classes": {"yes": ["true"], "no": ["false"]}},
                ("selection_bias", "identification"),
            ),
            Asked(
                "NEEDED_EXTERNAL",
                "node_set",
                f"Which recorded variables (the outside variables) need their joint distribution known for the whole "
                f"population, beside the cases with {s} = 1, so that adjustment is right: so that for some adjustment "
                f"set of recorded variables that contains them, and neither {x} nor {y} nor {s}, the sum over the "
                f"values of the adjustment set of P({y} | {x}, adjustment set, {s} = 1) P(rest of the adjustment set | "
                f"outside variables, {s} = 1) P(outside variables) equals P({y} | do({x})) in every model of the "
                "diagram? Give a set of which no proper subset suffices; {} if nothing outside the sample is needed, "
                f"{IMPOSSIBLE} if no set suffices.",
                {"universe": sorted([*recorded(params), IMPOSSIBLE])},
                ("selection_bias", "adjustment", "d_separation"),
            ),
            effect,
            contrast,
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        study = Study(params, graph)
        keys = {"EFFECT": Key(show(study.effect)), "SAMPLE_CONTRAST": Key(show(study.contrast))}
        if "claims" in params:
            return keys | {one["id"]: Key(truth(_holds(one, study))) for one in params["claims"]}
        sets = [list(one) for one in study.needed]
        keys["NEEDED_EXTERNAL"] = Key(sets[0], tuple(sets[1:])) if sets else Key([IMPOSSIBLE])
        keys["RECOVERABLE"] = Key("yes" if study.recoverable else "no")
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        return checks.confirm(params, keys, IMPOSSIBLE)

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        graph = Graph.from_json(params["graph"])
        x, y, s = ends(params)
        above = [name for name in recorded(params) if name in graph.ancestors([s])]
        causes = [name for name in recorded(params) if [name, s] in params["graph"]["directed"]]
        later = set(graph.descendants([x]))
        wrong: dict[str, Json] = {}
        if habit == "naive":
            wrong = {"EFFECT": show(Study(params, graph).contrast), "RECOVERABLE": "yes", "NEEDED_EXTERNAL": []}
        elif habit == "adjust_all":
            needed = sorted(name for name in recorded(params) if name not in later)
            wrong = {"NEEDED_EXTERNAL": needed, "RECOVERABLE": "no"}
        elif habit == "adjust_parents":
            wrong = {"NEEDED_EXTERNAL": sorted(causes), "RECOVERABLE": "no" if causes else "yes"}
        elif habit == "ignore_colliders":
            wrong = {"NEEDED_EXTERNAL": sorted(above), "RECOVERABLE": "no" if y in graph.ancestors([s]) else "yes"}
        for claim in params.get("claims", ()):
            if claim["kind"] == "independent" and habit in ("naive", "ignore_colliders"):
                wrong[claim["id"]] = truth(separated(graph, [claim["a"]], [claim["b"]]))
            elif claim["kind"] == "recoverable":
                wrong[claim["id"]] = truth(habit == "naive")
            elif claim["kind"] == "enough":
                wrong[claim["id"]] = truth(set(causes) <= set(claim["tset"]))
        return {part: wrong.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        shares = sum(len(entry["rows"]) for entry in (*params.get("shares", ()), *params.get("chances", ())))
        tables = len(params["sample"]["rows"]) + len(params.get("outside", {}).get("rows", ()))
        return 2 * shares + 2 * tables + 2 * len(params["graph"]["directed"])

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        x, y, s = ends(params)
        study = Study(params, graph)
        effect, contrast = study.effect, study.contrast
        way = (
            "weighing every selected case by one over its chance of selection"
            if "chances" in params
            else "adjusting the selected cases and weighting by the shares in everybody"
        )
        shown = ", ".join("{" + ", ".join(one) + "}" for one in study.needed) or "none"
        above = ", ".join(name for name in graph.ancestors([s]) if name != s)
        reasons = {
            "RECOVERABLE": f"Selection depends on {above}; "
            + ("every" if study.recoverable else "not every")
            + " factor of the effect can be had among the selected alone.",
            "NEEDED_EXTERNAL": f"Minimal sets whose distribution in everybody makes an adjustment right: {shown}.",
            "EFFECT": f"By {way}, setting {x} in everybody changes the share of {y} by {about(effect)}.",
            "SAMPLE_CONTRAST": f"Among cases with {s} = 1 the shares differ by {about(contrast)}.",
        }
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = {
                "recoverable": reasons["RECOVERABLE"],
                "enough": reasons["NEEDED_EXTERNAL"],
                "independent": f"Selection depends on {above}; checked by d-separation given {s}.",
            }.get(claim["kind"], f"The effect is {about(effect)}, the contrast among the selected {about(contrast)}.")
        return {part: text for part, text in reasons.items() if part in keys}


def _measured(stream: Stream, params: Mapping[str, Any], graph: Graph, columns: Sequence[str]) -> list[str]:
    """What was counted in everybody: a set that is needed, and one more variable, of the table if there is one."""
    x, y, s = ends(params)
    seen = latent_projection(graph, params["unmeasured"])
    needed = stream.choice(needed_external(seen, [x], [y], s))
    others = [name for name in recorded(params) if name not in needed]
    others = [name for name in others if name in columns] or others
    return sorted([*needed, *stream.sample(others, min(1, len(others)))])


def _claims(stream: Stream, params: Mapping[str, Any], study: Study) -> list[Params]:
    """Four claims about recoverability, outside data, independence among the selected, and the bias."""
    names = stream.shuffled([study.x, study.y, *recorded(params)])
    pools: dict[str, list[Params]] = {
        "recoverable": [{"x": study.x, "y": study.y}],
        "enough": [{"tset": list(one)} for size in range(1, 4) for one in combinations(recorded(params), size)],
        "independent": [{"a": a, "b": b} for a, b in combinations(names, 2)],
        stream.choice(("overstates", "understates")): [{}],
    }

    def clear(one: Params) -> bool:
        """Whether the figures on the selected show what the graph says of them."""
        if one["kind"] != "independent":
            return True
        difference = study.difference(one["a"], one["b"])
        return difference == 0 if _holds(one, study) else abs(difference) >= MARGIN

    return draw_claims(stream, pools, lambda one: _holds(one, study), 4, clear)


def _holds(claim: Mapping[str, Any], study: Study) -> bool:
    kind = claim["kind"]
    if kind == "independent":
        return separated(study.graph, [claim["a"]], [claim["b"]], [study.s])
    if kind == "recoverable":
        return study.recoverable
    if kind == "enough":
        return any(set(one) <= set(claim["tset"]) for one in study.needed)
    bias = study.contrast - study.effect
    return bias > 0 if kind == "overstates" else bias < 0


BUNDLE = Selection()
