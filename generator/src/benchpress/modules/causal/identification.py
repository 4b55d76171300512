"""Identification with hidden common causes: which effects follow from diagram and observed distribution.

Structure: a core of ancestors of one outcome with an effect that no adjustment set gives, inside a larger diagram with
more hidden common causes; questions are drawn so that each answer is a fair coin. Keys: the ID algorithm and its
estimand evaluated in exact fractions; confirmed by fixing on the observed array checked against random models with
their hidden causes, and, where an effect is left open, by derivatives in a random model of a part of the diagram.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.adjustment import is_adjustment_set
from benchpress.graphs.dag import Graph
from benchpress.graphs.identification import c_components, identify, is_identifiable
from benchpress.items import Json
from benchpress.models.table import Table
from benchpress.modules.causal import checks_identification as checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.identification_graphs import draw_diagram
from benchpress.modules.causal.mixed_sketch import adjustable, named
from benchpress.modules.causal.observed import Observed, about, joint_rows, reweighted, table_of
from benchpress.modules.causal.shares import steady_chances
from benchpress.streams import Stream
from benchpress.wording.joint import JointTable
from benchpress.wording.numbers import show
from benchpress.wording.queries import Effects
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Edges, HiddenCauses, Params, Roles, Variables
from benchpress.wording.stories import cast

MARGIN = Fraction(1, 100)
"""The effect, and its distance from the plain difference of shares, are at least this large."""

DIAGRAMS = 12
"""How many diagrams are looked at for effects of the wanted kinds."""

SKILLS = {
    "identifiable": "identification",
    "adjust": "adjustment",
    "together": "identification",
    "overstates": "bias_direction",
    "understates": "bias_direction",
}


class Identification(Bundle):
    name = "identification"
    summary = "which effects follow from diagram and observed distribution under hidden common causes"
    parts: ClassVar = {
        "IDENTIFIABLE_1": "verdict",
        "IDENTIFIABLE_2": "verdict",
        "C_COMPONENT": "node_set",
        "EFFECT": "number",
        "NAIVE_EFFECT": "number",
    }
    claims = Claims(
        {
            "identifiable": Saying(
                "P({y} | do({xset})) is identifiable from the diagram and the observed distribution of all quantities",
                "the diagram and the records of all quantities determine how {y} is distributed when {xset} is set",
            ),
            "adjust": Saying(
                "adjusting for {zset} gives the effect of {x} on {y}",
                "the effect of {x} on {y} is found by standardising over {zset}",
            ),
            "together": Saying(
                "{a} and {b} lie in the same c-component of the diagram",
                "a path of hidden common causes alone joins {a} and {b}",
            ),
            "overstates": Saying("the plain difference of shares of {y} with and without {x} exceeds the effect"),
            "understates": Saying(
                "the plain difference of shares of {y} with and without {x} falls short of the effect"
            ),
        }
    )
    sections = (Variables(), Edges(), HiddenCauses(), JointTable(), Roles("treatment", "outcome"), Effects(), claims)
    methods = (
        "ID algorithm and its estimand in exact fractions",
        "fixing on the observed array, random models with hidden causes, derivatives",
    )

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "core": 3 + (level >= 2) + (level >= 5) + (level >= 8),
            "core_ties": 2 + (level >= 6),
            "nodes": 5 + (level * 6) // 10,
            "ties": 3 + level // 2,
            "extra_edges": 2 + level // 2,
            "queries": 2 + level // 5,
            "treatments": 1 + (level >= 4),
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = dict(self.knobs(level))
        if variant == "numeric":
            knobs |= {"queries": 1, "nodes": knobs["core"] + 1 + level // 4, "ties": knobs["core_ties"] + 1}
        wanted = [stream.chance(1, 2) for _ in range(0 if variant == "analyst" else knobs["queries"])]
        for _ in range(DIAGRAMS):
            graph, places = draw_diagram(stream, knobs)
            queries = _queries(stream, graph, wanted, knobs["treatments"], hard=variant == "trap")
            if queries is not None:
                break
        else:
            raise Redraw("no effects of the wanted kinds")
        story = cast(stream, len(places), formal=variant == "transfer", events=True)
        graph, name = named(graph, places, story.names)
        x, y = name["X"], name["Y"]
        params: Params = {"graph": graph.to_json(), "roles": {"treatment": x, "outcome": y}}
        core = graph.subgraph(graph.ancestors([y]))
        for _ in range(30):
            whole = _model(stream, core)
            effect = whole.planned(y, {x: 1}) - whole.planned(y, {x: 0})
            if abs(effect) >= MARGIN:
                records = whole.table(core.nodes)
                naive = records.mean(y, {x: 1}) - records.mean(y, {x: 0})
                if abs(naive - effect) >= MARGIN:
                    break
        else:
            raise Redraw("the effect or its bias nearly cancels in every table")
        params["joint"] = joint_rows(records)
        if variant == "analyst":
            params["claims"] = _claims(stream, params, graph, records, effect)
        else:
            params["queries"] = [
                {"x": sorted(name[place] for place in one["x"]), "y": name[one["y"]]} for one in queries
            ]
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        number = {"tolerance": "0.001"}
        effect = Asked(
            "EFFECT",
            "number",
            f"What is P({y} = 1 | do({x} = 1)) - P({y} = 1 | do({x} = 0))? It follows from the diagram and the table.",
            number,
            ("identification", "probability"),
        )
        naive = Asked(
            "NAIVE_EFFECT",
            "number",
            f"What is P({y} = 1 | {x} = 1) - P({y} = 1 | {x} = 0)?",
            number,
            ("probability",),
        )
        if "claims" in params:
            return [*asked_claims(params["claims"], "Is this claim true or false?", SKILLS), effect, naive]
        verdicts = [
            Asked(
                f"IDENTIFIABLE_{at}",
                "verdict",
                f"Is the distribution of query {at} identifiable: is it the same in all models of the diagram with "
                "positive probabilities that agree on the observed distribution of all listed variables?",
                {"vocabulary": ["yes", "no"], "classes": {"yes": ["true"], "no": ["false"]}},
                ("identification",),
            )
            for at in range(1, len(params["queries"]) + 1)
        ]
        return [
            *verdicts,
            Asked(
                "C_COMPONENT",
                "node_set",
                f"Take the diagram without {x}, and of what is left {y} and the ancestors of {y} only. Which variables "
                f"are in the c-component of {y} there: {y} itself and all that paths of hidden common causes among "
                "these variables join to it?",
                {"universe": list(params["graph"]["nodes"])},
                ("identification",),
            ),
            effect,
            naive,
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        effect, naive = _effects(params, graph)
        keys = {"EFFECT": Key(show(effect)), "NAIVE_EFFECT": Key(show(naive))}
        if "claims" in params:
            return keys | {
                one["id"]: Key(truth(_holds(one, params, graph, naive - effect))) for one in params["claims"]
            }
        for at, query in enumerate(params["queries"], 1):
            keys[f"IDENTIFIABLE_{at}"] = Key("yes" if is_identifiable(graph, query["x"], [query["y"]]) else "no")
        keys["C_COMPONENT"] = Key(_component(params, graph))
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        return checks.confirm(params, keys)

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        graph = Graph.from_json(params["graph"])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        _, naive = _effects(params, graph)
        wrong: dict[str, Json] = {"EFFECT": show(naive)} if habit == "naive" else {}
        for at, query in enumerate(params.get("queries", ()), 1):
            wrong[f"IDENTIFIABLE_{at}"] = "yes" if _habitual(habit, graph, query["x"], query["y"]) else "no"
        if habit in ("adjust_all", "ignore_colliders"):
            wrong["C_COMPONENT"] = sorted(next(part for part in c_components(graph) if y in part))
        for claim in params.get("claims", ()):
            if claim["kind"] == "identifiable":
                wrong[claim["id"]] = truth(_habitual(habit, graph, claim["xset"], claim["y"]))
            elif claim["kind"] == "adjust" and habit in ("adjust_all", "adjust_parents"):
                parents = {tail for tail, head in graph.directed if head == x}
                wrong[claim["id"]] = truth(parents <= set(claim["zset"]))
        return {part: wrong.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        graph = params["graph"]
        edges = len(graph["directed"]) + 2 * len(graph["bidirected"])
        judged = len(params.get("queries", params.get("claims", ())))
        return len(params["joint"]["rows"]) // 2 + edges * (1 + judged) // 2

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        effect, naive = _effects(params, graph)
        reasons = {
            "EFFECT": f"The estimand of the ID algorithm, evaluated on the table, gives {about(effect)}.",
            "NAIVE_EFFECT": f"The share of {y} among cases with {x} = 1 less that among the others: {about(naive)}.",
            "C_COMPONENT": f"Among the ancestors of {y} without {x}, ties join {', '.join(_component(params, graph))}.",
        }
        for at, query in enumerate(params.get("queries", ()), 1):
            reasons[f"IDENTIFIABLE_{at}"] = _ground(graph, query["x"], query["y"])
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = _reason(
                claim, graph, f"The effect is {about(effect)}, the difference {about(naive)}."
            )
        return {part: text for part, text in reasons.items() if part in keys}


def _reason(claim: Mapping[str, Any], graph: Graph, figures: str) -> str:
    """What stands behind a claim's truth."""
    if claim["kind"] == "identifiable":
        return _ground(graph, claim["xset"], claim["y"])
    if claim["kind"] == "adjust":
        return "Checked by the adjustment criterion on the diagram."
    if claim["kind"] == "together":
        return "; ".join(["c-components", *("{" + ", ".join(part) + "}" for part in c_components(graph))]) + "."
    return figures


def _ground(graph: Graph, x: Sequence[str], y: str) -> str:
    """Why an effect is identifiable or not."""
    hedge = identify(graph, x, [y]).hedge
    if hedge is None:
        return "Every c-factor of the effect follows from the observed distribution."
    outer, inner = (", ".join(part) for part in hedge)
    return f"The c-factor of {{{inner}}} cannot be told apart inside the c-component {{{outer}}}: a hedge."


def _habitual(habit: str, graph: Graph, x: Sequence[str], y: str) -> bool:
    """Whether a bad habit takes an effect for identifiable."""
    if habit == "naive":
        return True
    if habit == "adjust_all":
        return adjustable(graph, x, y)
    tied = {name for pair in graph.bidirected for name in pair}
    if habit == "adjust_parents":
        return not set(x) & tied
    return not any(set(pair) & set(x) and y in pair for pair in graph.bidirected)


def _model(stream: Stream, graph: Graph) -> Observed:
    """A random model with its hidden causes, which are fair coins; chances in tenths."""
    model = Observed()
    for a, b in graph.bidirected:
        model.take(f"{a}<->{b}", (), (1,), 2)
    for name in graph.nodes:
        given = [tail for tail, head in graph.directed if head == name]
        given += [f"{a}<->{b}" for a, b in graph.bidirected if name in (a, b)]
        model.take(name, given, steady_chances(stream, len(given), 10), 10)
    return model


def _effects(params: Mapping[str, Any], graph: Graph) -> tuple[Fraction, Fraction]:
    """The effect by the estimand of the ID algorithm, and the plain difference of shares."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    records: Table = table_of(params["joint"])
    high, low = identify(graph, [x], [y]).each_on_table(records, {x: 1, y: 1}, {x: 0, y: 1})
    return high - low, records.mean(y, {x: 1}) - records.mean(y, {x: 0})


def _component(params: Mapping[str, Any], graph: Graph) -> list[str]:
    """The c-component of the outcome among its ancestors in the diagram without the treatment."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    rest = graph.subgraph([name for name in graph.nodes if name != x])
    left = rest.subgraph(rest.ancestors([y]))
    return sorted(next(part for part in c_components(left) if y in part))


def _queries(stream: Stream, graph: Graph, wanted: Sequence[bool], most: int, *, hard: bool) -> list[Params] | None:
    """Effects to be judged, identifiable or not as wanted; first of all those without an obvious answer."""
    pool = _candidates(stream, graph, most)
    chosen: list[Params] = []
    for follows in wanted:
        fallback = None
        for one in pool:
            if one in chosen or is_identifiable(graph, one["x"], [one["y"]]) != follows:
                continue
            if not _obvious(graph, one, follows):
                break
            fallback = fallback or one
        else:
            if fallback is None or hard:
                return None
            one = fallback
        chosen.append(one)
    return chosen


def _candidates(stream: Stream, graph: Graph, most: int) -> list[Params]:
    """Effects of one or two variables on one that they act on, in drawn order."""
    found = []
    for y in graph.nodes:
        above = [name for name in graph.ancestors([y]) if name != y]
        found += [{"x": [one], "y": y} for one in above]
        if most > 1:
            found += [{"x": [a, b], "y": y} for at, a in enumerate(above) for b in above[at + 1 :]]
    return stream.shuffled(found)[:40]


def _obvious(graph: Graph, query: Params, identifiable: bool) -> bool:
    """Whether adjustment gives the effect, or a treatment shares a hidden cause with its own effect on the way."""
    if identifiable:
        return adjustable(graph, query["x"], query["y"])
    return any(
        graph.spouses[graph.index[x]] & graph.children[graph.index[x]] & graph.mask([query["y"]]) for x in query["x"]
    )


def _claims(stream: Stream, params: Mapping[str, Any], graph: Graph, records: Table, effect: Fraction) -> list[Params]:
    """Five claims about identifiability, adjustment, c-components and the direction of the bias."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    bias = reweighted(records.marginal((x, y)).weights) - effect
    others = [name for name in graph.nodes if name not in (x, y)]
    ends = {"x": x, "y": y}
    names = stream.shuffled(graph.nodes)
    pools: dict[str, list[Params]] = {
        "identifiable": [{"xset": one["x"], "y": one["y"]} for one in _candidates(stream, graph, 2)],
        "adjust": [{"zset": sorted(stream.sample(others, stream.below(3)))} | ends for _ in range(6)],
        "together": [{"a": a, "b": b} for at, a in enumerate(names) for b in names[at + 1 :]],
        stream.choice(("overstates", "understates")): [ends],
    }

    def clear(one: Params) -> bool:
        """Whether no adjustment that the diagram refuses happens to be right in the table."""
        if one["kind"] != "adjust" or not set(one["zset"]) <= set(records.names) or _holds(one, params, graph, bias):
            return True
        weights = records.marginal((x, y, *one["zset"])).weights
        return abs(reweighted(weights, records.marginal(one["zset"]).weights) - effect) >= MARGIN

    return draw_claims(stream, pools, lambda one: _holds(one, params, graph, bias), 5, clear)


def _holds(claim: Mapping[str, Any], params: Mapping[str, Any], graph: Graph, bias: Fraction) -> bool:
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    kind = claim["kind"]
    if kind == "identifiable":
        return is_identifiable(graph, claim["xset"], [claim["y"]])
    if kind == "adjust":
        return is_adjustment_set(graph, [x], [y], claim["zset"])
    if kind == "together":
        return any(claim["a"] in part and claim["b"] in part for part in c_components(graph))
    return bias > 0 if kind == "overstates" else bias < 0


BUNDLE = Identification()
