"""Moving an effect to another population whose mechanisms differ in known places.

Structure: treatment, outcome, covariates, mediators, hidden common causes, and the variables whose mechanisms may
differ; whether reweighting, the target's own records, or nothing moves the effect is drawn first. Keys:
S-admissibility, the general transport algorithm and the transport formula; confirmed by a generic population with a
population indicator over all subsets, by derivatives in a random model of both populations, and on arrays.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.dag import Graph
from benchpress.graphs.identification import Source
from benchpress.graphs.identification import transport as transported
from benchpress.graphs.transport import is_s_admissible, minimal_s_admissible_sets
from benchpress.items import Json
from benchpress.models.table import Table
from benchpress.modules.causal import checks_transport as checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.mixed_sketch import named
from benchpress.modules.causal.observed import Observed, about, joint_rows, reweighted, table_of
from benchpress.modules.causal.shares import draw_other, draw_shares
from benchpress.modules.causal.transport_graphs import KINDS, draw_populations
from benchpress.protocol import IMPOSSIBLE
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Edges, HiddenCauses, Params, Roles, Variables
from benchpress.wording.sets import NamedSets
from benchpress.wording.shares import Shares, StateTable
from benchpress.wording.stories import cast

MARGIN = Fraction(1, 200)
"""The effect is at least this large; reweighting changes it by at least this much, or not at all."""

SKILLS = dict.fromkeys(("admissible", "transportable", "alike", "raises", "lowers"), "transport")


class Transport(Bundle):
    name = "transport"
    summary = "moving an effect to a population whose mechanisms differ in known places"
    parts: ClassVar = {
        "ADMISSIBLE_SET": "node_set",
        "EFFECT": "number",
        "SOURCE_EFFECT": "number",
        "TRANSPORTABLE": "verdict",
    }
    claims = Claims(
        {
            "admissible": Saying(
                "once {x} is set and {zset} is held fixed, {y} has the same distribution in both populations whatever "
                "the mechanisms that may differ",
                "with {x} set from outside, {zset} separates {y} from all differences between the populations",
            ),
            "transportable": Saying(
                "the target's effect of {x} on {y} follows from the source's experiment and records, the target's "
                "records and the diagram",
            ),
            "alike": Saying(
                "without any intervention, {name} is distributed alike in both populations whatever the mechanisms "
                "that may differ",
                "records of {name} alone must look alike in source and target",
            ),
            "raises": Saying("reweighting the experiment to the target raises the effect"),
            "lowers": Saying("reweighting the experiment to the target lowers the effect"),
        }
    )
    sections = (
        Variables(),
        Edges(),
        HiddenCauses(),
        NamedSets(
            {
                "differing": Saying(
                    "Mechanisms that may differ between source and target: {names}.",
                    "Source and target share the diagram and all mechanisms but, possibly, those of: {names}.",
                    "Source and target may differ in what determines: {names}. All other mechanisms are the same.",
                )
            }
        ),
        Roles("treatment", "outcome"),
        Shares(
            "shares",
            "P",
            Saying(
                "All nodes are 0 or 1. Source, experiment that sets the treatment at random; the distribution of all "
                "else is the product of:",
                "Everything is yes (1) or no (0). In the source the treatment was set at random; these shares of yes "
                "were found, and their product is the whole distribution:",
                "Each of these either happens (1) or does not (0). An experiment in the source set the treatment at "
                "random and found these shares, whose product is the whole distribution:",
            ),
        ),
        StateTable(
            "joint",
            "share in the experiment",
            Saying(
                "Source, experiment that sets the treatment to 1 with probability 1/2 (all nodes are 0 or 1):",
                "An experiment in the source set the treatment to 1 or 0 by the toss of a fair coin (1 = yes, 0 = no):",
            ),
        ),
        StateTable(
            "target",
            "share in the target",
            Saying(
                "Target, observed distribution P* of some variables:",
                "Of the target's records these shares are at hand:",
                "How often these combinations occur in the target:",
            ),
        ),
        claims,
    )
    methods = (
        "selection diagram, transport algorithm and formula",
        "generic population with a population indicator, derivatives in a random model, arrays",
    )

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "nodes": 5 + (level * 6) // 10,
            "weights": 1 + (level >= 4) + (level >= 8),
            "extra_edges": level // 3,
            "mediators": 1 + level // 5,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = dict(self.knobs(level))
        if variant == "numeric":
            knobs |= {"nodes": 4 + (level >= 4) + (level >= 9), "mediators": 1, "extra_edges": level // 6}
            knobs["weights"] = min(knobs["weights"], 2)
        weights = (4, 2, 4, 4, 4, 2, 4) if variant == "trap" else (7, 1, 3, 6, 2, 1, 5)
        kind = stream.weighted(KINDS, weights)
        graph, places, differing = draw_populations(stream, knobs, kind)
        story = cast(stream, len(places), formal=variant == "transfer", events=True)
        graph, name = named(graph, places, story.names)
        x, y = name["X"], name["Y"]
        params: Params = {"graph": graph.to_json(), "roles": {"treatment": x, "outcome": y}}
        changed = sorted(name[place] for place in differing)
        params["sets"] = {"differing": changed}
        weighed = _weights(stream, graph, x, y, changed, knobs["weights"])
        experiment = graph.without_incoming([x])
        unit = 10 if variant == "numeric" else 20
        before = set(graph.ancestors(weighed))
        for _ in range(15):
            source = draw_shares(stream, experiment, steady=False, tenths=variant == "numeric")
            there = Observed()
            for of in source.given:
                if of in before:
                    ones, whole = (source.ones[of], source.unit[of])
                    if of in changed:
                        ones, whole = draw_other(stream, source, of, unit)
                    there.take(of, source.given[of], ones, whole)
            target = there.table(weighed)
            effect, plain = _effects(source, target, x, y)
            if abs(plain) >= MARGIN and (effect == plain or abs(effect - plain) >= MARGIN):
                break
        else:
            raise Redraw("reweighting changes nearly nothing in every table")
        params["target"] = joint_rows(target)
        if variant == "analyst":
            params["claims"] = _claims(stream, params, graph, effect - plain)
        if variant == "numeric":
            source.take(x, (), (1,), 2)
            params["joint"] = joint_rows(source.table(graph.nodes))
        else:
            params["shares"] = source.entries(without=[x])
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        others = [name for name in params["graph"]["nodes"] if name not in (x, y)]
        weighed = ", ".join(params["target"]["columns"])
        number = {"tolerance": "0.001"}
        effect = Asked(
            "EFFECT",
            "number",
            f"What effect of {x} on {y} does reweighting by the target's shares of {weighed} give: the sum, over their "
            f"joint values c, of P*(c) in the target times the difference between P({y} = 1 | {x} = 1, c) and "
            f"P({y} = 1 | {x} = 0, c) in the source's experiment?",
            number,
            ("transport", "probability"),
        )
        source = Asked(
            "SOURCE_EFFECT",
            "number",
            f"What is P({y} = 1 | {x} = 1) - P({y} = 1 | {x} = 0) in the source's experiment?",
            number,
            ("probability", "intervention"),
        )
        if "claims" in params:
            return [*asked_claims(params["claims"], "Is this claim true or false?", SKILLS), effect, source]
        return [
            Asked(
                "ADMISSIBLE_SET",
                "node_set",
                f"Which variables, before or after {x}, are S-admissible for the effect of {x} on {y}: once all "
                f"arrows into {x} are removed and {x} and the set are held fixed, {y} is separated from the "
                "differences between the populations (an extra node with an arrow into every variable whose mechanism "
                "may differ)? Give a set of which no proper subset is S-admissible; {} if nothing need be held fixed, "
                f"{IMPOSSIBLE} if no such set exists.",
                {"universe": sorted([*others, IMPOSSIBLE])},
                ("transport", "d_separation"),
            ),
            effect,
            source,
            Asked(
                "TRANSPORTABLE",
                "verdict",
                f"Suppose that in the source there are records of all listed variables, both without intervention and "
                f"from experiments that set {x}, and in the target records of all listed variables without any "
                f"intervention. Do these, together with the diagram and the list of mechanisms that may differ, "
                f"determine the target's P*({y} = 1 | do({x} = 1))?",
                {"vocabulary": ["yes", "no"], "classes": {"yes": ["true"], "no": ["false"]}},
                ("transport", "identification"),
            ),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        effect, plain = _effects_of(params)
        keys = {"EFFECT": Key(show(effect)), "SOURCE_EFFECT": Key(show(plain))}
        if "claims" in params:
            return keys | {
                one["id"]: Key(truth(_holds(one, params, graph, effect - plain))) for one in params["claims"]
            }
        sets = [list(one) for one in _admissible(params, graph)]
        keys["ADMISSIBLE_SET"] = Key(sets[0], tuple(sets[1:])) if sets else Key([IMPOSSIBLE])
        keys["TRANSPORTABLE"] = Key("yes" if _transportable(params, graph) else "no")
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        return checks.confirm(params, keys, IMPOSSIBLE)

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        graph = Graph.from_json(params["graph"])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        differing = params["sets"]["differing"]
        later = set(graph.descendants([x]))
        _, plain = _effects_of(params)
        chosen = {
            "naive": [],
            "adjust_all": [one for one in graph.nodes if one not in later],
            "adjust_parents": sorted(tail for tail, head in graph.directed if head == x),
            "ignore_colliders": sorted(one for one in differing if one not in (x, y)),
        }[habit]
        wrong: dict[str, Json] = {"ADMISSIBLE_SET": chosen, "TRANSPORTABLE": "yes"}
        if habit == "naive":
            wrong["EFFECT"] = show(plain)
        for claim in params.get("claims", ()):
            if claim["kind"] == "admissible":
                wrong[claim["id"]] = truth(set(chosen) <= set(claim["zset"]))
            elif claim["kind"] == "transportable":
                wrong[claim["id"]] = "true"
        return {part: wrong.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        rows = sum(len(entry["rows"]) for entry in params.get("shares", ()))
        edges = len(params["graph"]["directed"]) + 2 * len(params["graph"]["bidirected"])
        return 2 * rows + len(params.get("joint", {}).get("rows", ())) + 3 * len(params["target"]["rows"]) + edges

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        effect, plain = _effects_of(params)
        sets = _admissible(params, graph)
        shown = ", ".join("{" + ", ".join(one) + "}" for one in sets) or "none"
        differing = ", ".join(params["sets"]["differing"])
        moved = (
            f"The effect can be moved: every factor of P*({y} | do({x})) is found in the source's experiment or in the "
            "target's records."
            if _transportable(params, graph)
            else f"Some factor of P*({y} | do({x})) may differ in the target and does not follow from records there."
        )
        reasons = {
            "ADMISSIBLE_SET": f"The mechanisms of {differing} may differ; minimal S-admissible sets: {shown}.",
            "EFFECT": f"Differences within strata, weighted by the target's shares, add up to {about(effect)}.",
            "SOURCE_EFFECT": f"The plain difference in the experiment is {about(plain)}.",
            "TRANSPORTABLE": moved,
        }
        claims = {
            one["id"]: f"Minimal S-admissible sets: {shown}."
            if one["kind"] == "admissible"
            else moved
            if one["kind"] == "transportable"
            else f"The mechanisms of {differing} may differ; what they act on may differ with them."
            if one["kind"] == "alike"
            else f"The experiment shows {about(plain)}, reweighted {about(effect)}."
            for one in params.get("claims", ())
        }
        return {part: text for part, text in (reasons | claims).items() if part in keys}


def _admissible(params: Mapping[str, Any], graph: Graph) -> tuple[tuple[str, ...], ...]:
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    return minimal_s_admissible_sets(graph, params["sets"]["differing"], [x], [y], pretreatment=False)


def _transportable(params: Mapping[str, Any], graph: Graph) -> bool:
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    source = Source("source", (x,), tuple(params["sets"]["differing"]))
    return transported(graph, [x], [y], [source]).identifiable


def _effects_of(params: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """The effects of a printed problem."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    source = table_of(params["joint"]) if "joint" in params else Observed(params["shares"])
    return _effects(source, table_of(params["target"]), x, y)


def _effects(source: Observed | Table, target: Table, x: str, y: str) -> tuple[Fraction, Fraction]:
    """The effect reweighted to the target, and the plain effect in the source's experiment."""
    names = (y, *target.names)
    weights = source.tried(x, names) if isinstance(source, Observed) else source.marginal((x, *names)).weights
    return reweighted(weights, target.weights), reweighted(weights)


def _weights(stream: Stream, graph: Graph, x: str, y: str, changed: Sequence[str], wanted: int) -> list[str]:
    """What to reweight by: variables before the treatment, first those that may differ and meet its paths to y."""
    later = set(graph.descendants([x]))
    before = [name for name in stream.shuffled(graph.nodes) if name not in later]
    moved, bearing = set(graph.descendants(changed)), set(graph.without_incoming([x]).ancestors([y]))
    meeting = {tail for tail, head in graph.directed if head in later and head in bearing}
    before.sort(key=lambda name: 2 * (name not in moved) + 2 * (name not in bearing) + (name not in meeting))
    return sorted(before[:wanted])


def _claims(stream: Stream, params: Mapping[str, Any], graph: Graph, change: Fraction) -> list[Params]:
    """Four claims about S-admissible sets, transportability and what reweighting does."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    others = [name for name in graph.nodes if name not in (x, y)]
    pool = [sorted(one) for size in range(4) for one in combinations(others, size)]
    right = [sorted(one) for one in _admissible(params, graph)]
    pools: dict[str, list[Params]] = {
        "admissible": [{"zset": one, "x": x, "y": y} for one in [*right * 3, *pool]],
        "transportable": [{"x": x, "y": y}],
        "alike": [{"name": name} for name in graph.nodes],
        stream.choice(("raises", "lowers")): [{}],
    }
    return draw_claims(stream, pools, lambda one: _holds(one, params, graph, change), 4)


def _holds(claim: Mapping[str, Any], params: Mapping[str, Any], graph: Graph, change: Fraction) -> bool:
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    if claim["kind"] == "admissible":
        return is_s_admissible(graph, params["sets"]["differing"], [x], [y], claim["zset"])
    if claim["kind"] == "transportable":
        return _transportable(params, graph)
    if claim["kind"] == "alike":
        return claim["name"] not in graph.descendants(params["sets"]["differing"])
    return change > 0 if claim["kind"] == "raises" else change < 0


BUNDLE = Transport()
