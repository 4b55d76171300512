"""Selection: what a sample tells in which only the selected cases are, and what must be measured outside.

Structure: treatment, outcome, a selection variable below drawn causes, covariates, mediators, unrecorded variables;
whether the sample suffices, needs outside data, or is beyond repair is drawn first. Keys: recoverability algorithm and
generalised adjustment criterion, exact fractions; confirmed by a generic population over all subsets, by random models
and derivatives, and by adding cells.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.dag import Graph, latent_projection
from benchpress.graphs.selection import is_effect_recoverable, is_selection_adjustment_set, needed_external
from benchpress.graphs.separation import separated
from benchpress.items import Json
from benchpress.models.table import Table
from benchpress.modules.causal import checks_selection as checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.chances import states
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.mixed_sketch import named
from benchpress.modules.causal.observed import Observed, about, joint_rows, table_of
from benchpress.modules.causal.selection_graphs import draw_selection
from benchpress.modules.causal.shares import draw_shares
from benchpress.protocol import IMPOSSIBLE
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Edges, Params, Roles, Unmeasured, Variables
from benchpress.wording.shares import Shares, StateTable
from benchpress.wording.stories import cast

MARGIN = Fraction(1, 100)
"""The effect is at least this large; the selected cases are off by at least this much, or not at all by structure."""

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
        Shares(
            "shares",
            "P",
            Saying(
                "All nodes are 0 or 1. Conditional probabilities in the whole population:",
                "Everything is yes (1) or no (0). How likely a yes is among everybody, given the direct causes:",
                "Each of these either happens (1) or does not (0). Conditional probabilities for everybody:",
            ),
        ),
        StateTable(
            "sample",
            "selected cases",
            Saying(
                "Numbers of selected cases by state (1 or 0):",
                "How many selected cases show each combination (1 = yes, 0 = no):",
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
        claims,
    )
    methods = (
        "recoverability algorithm and generalised adjustment criterion",
        "generic population over all subsets, random models, derivatives, enumeration of cells",
    )

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "nodes": 5 + (level * 6) // 10,
            "extra_edges": level // 2,
            "causes_of_selection": 1 + (level >= 3) + (level >= 7),
            "unrecorded": (level + 1) // 5,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = dict(self.knobs(level))
        if variant == "numeric":
            knobs |= {"nodes": 5 + (level >= 4) + (level >= 9), "extra_edges": level // 4, "unrecorded": 0}
        kind = stream.weighted(("free", "needed", "never"), (9, 11, 0) if variant == "numeric" else (10, 8, 4))
        graph, places, hidden = draw_selection(stream, knobs, kind, trap=variant == "trap")
        story = cast(stream, len(places), formal=variant == "transfer", events=True)
        graph, name = named(graph, places, story.names)
        x, y, s = name["X"], name["Y"], name["S"]
        params: Params = {
            "graph": graph.to_json(),
            "unmeasured": sorted(name[place] for place in hidden),
            "roles": {"treatment": x, "outcome": y, "selection": s},
        }
        for _ in range(30):
            model = draw_shares(stream, graph, steady=stream.chance(1, 3), tenths=variant == "numeric")
            effect, contrast = _model_effects(model, x, y, s)
            if abs(effect) >= MARGIN and (effect == contrast or abs(effect - contrast) >= MARGIN):
                break
        else:
            raise Redraw("the effect nearly cancels in every table")
        if variant == "analyst":
            params["claims"] = _claims(stream, params, graph, contrast - effect)
        if variant == "numeric":
            params["sample"] = _counts(model.table(graph.nodes).given({s: 1}))
            params["outside"] = joint_rows(model.table(_measured(stream, params, graph)))
        else:
            params["shares"] = model.entries()
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        x, y, s = (params["roles"][role] for role in ("treatment", "outcome", "selection"))
        number = {"tolerance": "0.001"}
        follows = " It follows from the diagram and both tables." if "sample" in params else ""
        effect = Asked(
            "EFFECT",
            "number",
            f"What is P({y} = 1 | do({x} = 1)) - P({y} = 1 | do({x} = 0)) in the whole population?{follows}",
            number,
            ("intervention", "probability") if "shares" in params else ("selection_bias", "adjustment"),
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
                f"Which recorded variables need their joint distribution T known for the whole population, beside the "
                f"cases with {s} = 1, so that adjustment is right: so that for some set Z of recorded variables that "
                f"contains them, and neither {x} nor {y} nor {s}, the sum over the values of Z of P({y} | {x}, Z, "
                f"{s} = 1) P(rest of Z | T, {s} = 1) P(T) equals P({y} | do({x})) in every model of the diagram? Give "
                "a set of which no proper subset suffices; {} if nothing outside the sample is needed, "
                f"{IMPOSSIBLE} if no set suffices.",
                {"universe": sorted([*_recorded(params), IMPOSSIBLE])},
                ("selection_bias", "adjustment", "d_separation"),
            ),
            effect,
            contrast,
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        effect, contrast = _effects(params, graph)
        keys = {"EFFECT": Key(show(effect)), "SAMPLE_CONTRAST": Key(show(contrast))}
        if "claims" in params:
            return keys | {
                one["id"]: Key(truth(_holds(one, params, graph, contrast - effect))) for one in params["claims"]
            }
        x, y, s = _ends(params)
        seen = latent_projection(graph, params["unmeasured"])
        sets = [list(one) for one in needed_external(seen, [x], [y], s)]
        keys["NEEDED_EXTERNAL"] = Key(sets[0], tuple(sets[1:])) if sets else Key([IMPOSSIBLE])
        keys["RECOVERABLE"] = Key("yes" if is_effect_recoverable(seen, [x], [y], s) else "no")
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        return checks.confirm(params, keys, IMPOSSIBLE)

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        graph = Graph.from_json(params["graph"])
        x, y, s = _ends(params)
        _, contrast = _effects(params, graph)
        above = [name for name in _recorded(params) if name in graph.ancestors([s])]
        causes = [name for name in _recorded(params) if [name, s] in params["graph"]["directed"]]
        later = set(graph.descendants([x]))
        wrong: dict[str, Json] = {}
        if habit == "naive":
            wrong = {"EFFECT": show(contrast), "RECOVERABLE": "yes", "NEEDED_EXTERNAL": []}
        elif habit == "adjust_all":
            needed = sorted(name for name in _recorded(params) if name not in later)
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
        rows = sum(len(entry["rows"]) for entry in params.get("shares", ()))
        tables = len(params.get("sample", {}).get("rows", ())) + len(params.get("outside", {}).get("rows", ()))
        return 2 * rows + 2 * tables + 2 * len(params["graph"]["directed"])

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        x, y, s = _ends(params)
        effect, contrast = _effects(params, graph)
        seen = latent_projection(graph, params["unmeasured"])
        sets = needed_external(seen, [x], [y], s)
        shown = ", ".join("{" + ", ".join(one) + "}" for one in sets) or "none"
        recoverable = is_effect_recoverable(seen, [x], [y], s)
        above = ", ".join(name for name in graph.ancestors([s]) if name != s)
        reasons = {
            "RECOVERABLE": f"Selection depends on {above}; "
            + ("every" if recoverable else "not every")
            + " factor of the effect can be had among the selected alone.",
            "NEEDED_EXTERNAL": f"Minimal sets whose distribution in everybody makes an adjustment right: {shown}.",
            "EFFECT": f"Setting {x} in everybody changes the share of {y} by {about(effect)}.",
            "SAMPLE_CONTRAST": f"Among cases with {s} = 1 the shares differ by {about(contrast)}.",
        }
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = {
                "recoverable": reasons["RECOVERABLE"],
                "enough": reasons["NEEDED_EXTERNAL"],
                "independent": f"Selection depends on {above}; checked by d-separation given {s}.",
            }.get(claim["kind"], f"The effect is {about(effect)}, the contrast among the selected {about(contrast)}.")
        return {part: text for part, text in reasons.items() if part in keys}


def _ends(params: Mapping[str, Any]) -> tuple[str, str, str]:
    roles = params["roles"]
    return roles["treatment"], roles["outcome"], roles["selection"]


def _recorded(params: Mapping[str, Any]) -> list[str]:
    """What may be adjusted for."""
    return [name for name in params["graph"]["nodes"] if name not in (*params["unmeasured"], *params["roles"].values())]


def _model_effects(model: Observed, x: str, y: str, s: str) -> tuple[Fraction, Fraction]:
    """The effect in everybody and the contrast among the selected, from the whole model."""
    effect = model.planned(y, {x: 1}) - model.planned(y, {x: 0})
    cells = model.table([x, y, s])
    return effect, cells.mean(y, {x: 1, s: 1}) - cells.mean(y, {x: 0, s: 1})


def _effects(params: Mapping[str, Any], graph: Graph) -> tuple[Fraction, Fraction]:
    """The same from whatever is printed; tables of sample and outside are combined by a right adjustment."""
    x, y, s = _ends(params)
    if "shares" in params:
        return _model_effects(Observed(params["shares"]), x, y, s)
    sample, outside = table_of(params["sample"]), table_of(params["outside"])
    covariates, external = _adjustment(params, graph)
    treated, untreated = (_adjusted(sample, outside, y, {x: value}, covariates, external) for value in (1, 0))
    return treated - untreated, sample.mean(y, {x: 1}) - sample.mean(y, {x: 0})


def _adjustment(params: Mapping[str, Any], graph: Graph) -> tuple[list[str], list[str]]:
    """A set to adjust for and the part of it whose distribution is taken from outside, both as small as can be."""
    x, y, s = _ends(params)
    free = _recorded(params)
    for size in range(len(free) + 1):
        for covariates in combinations(free, size):
            for count in range(size + 1):
                for external in combinations([one for one in covariates if one in params["outside"]["columns"]], count):
                    if is_selection_adjustment_set(graph, [x], [y], covariates, s, external):
                        return list(covariates), list(external)
    raise Redraw("the tables allow no right adjustment")


def _adjusted(
    sample: Table, outside: Table, y: str, do: Mapping[str, int], covariates: Sequence[str], external: Sequence[str]
) -> Fraction:
    """sum over z of P(y = 1 | do, z, selected) P(rest of z | external, selected) P(external)."""
    result = Fraction(0)
    for state in sample.states(covariates):
        known = {name: state[name] for name in external}
        rest = {name: value for name, value in state.items() if name not in known}
        weight = outside.probability(known) * sample.probability(rest, known)
        if weight:
            result += weight * sample.mean(y, {**state, **do})
    return result


def _counts(selected: Table) -> Params:
    """The selected cases as the smallest whole numbers in the right proportions."""
    ordered = selected.marginal(sorted(selected.names))
    unit = gcd(*ordered.weights)
    rows = [
        [state, str(weight // unit)] for state, weight in zip(states(len(ordered.names)), ordered.weights, strict=True)
    ]
    return {"columns": list(ordered.names), "rows": rows}


def _measured(stream: Stream, params: Mapping[str, Any], graph: Graph) -> list[str]:
    """What was counted in everybody: a set that is needed, and one more variable."""
    x, y, s = _ends(params)
    needed = stream.choice(needed_external(graph, [x], [y], s))
    others = [name for name in _recorded(params) if name not in needed]
    return sorted([*needed, *stream.sample(others, min(1, len(others)))])


def _claims(stream: Stream, params: Mapping[str, Any], graph: Graph, bias: Fraction) -> list[Params]:
    """Four claims about recoverability, outside data, independence among the selected, and the bias."""
    x, y, s = _ends(params)
    recorded = _recorded(params)
    names = stream.shuffled([name for name in graph.nodes if name != s])
    pools: dict[str, list[Params]] = {
        "recoverable": [{"x": x, "y": y}],
        "enough": [{"tset": list(one)} for size in range(1, 4) for one in combinations(recorded, size)],
        "independent": [{"a": a, "b": b} for at, a in enumerate(names) for b in names[at + 1 :]],
        stream.choice(("overstates", "understates")): [{}],
    }
    return draw_claims(stream, pools, lambda one: _holds(one, params, graph, bias), 4)


def _holds(claim: Mapping[str, Any], params: Mapping[str, Any], graph: Graph, bias: Fraction) -> bool:
    x, y, s = _ends(params)
    kind = claim["kind"]
    if kind == "independent":
        return separated(graph, [claim["a"]], [claim["b"]], [s])
    if kind in ("recoverable", "enough"):
        seen = latent_projection(graph, params["unmeasured"])
        if kind == "recoverable":
            return is_effect_recoverable(seen, [x], [y], s)
        return bool(needed_external(seen, [x], [y], s, claim["tset"]))
    return bias > 0 if kind == "overstates" else bias < 0


BUNDLE = Selection()
