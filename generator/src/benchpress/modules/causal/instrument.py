"""Instruments: which variables can stand in for an experiment, given what, and what the ratio gives where they cannot.

Structure: treatment and outcome share an unrecorded cause; a candidate instrument is linked to the treatment by an
arrow, a chain or a common cause, and may reach the outcome by ways of its own, some of which can be closed by
conditioning and some not; other instruments, near-instruments and bystanders stand around. Keys: the graphical
criterion and exact covariance ratios; confirmed by covariances of generic populations over all subsets and by
simulation.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.dag import Graph
from benchpress.graphs.instruments import is_instrument
from benchpress.graphs.separation import separated
from benchpress.items import Json
from benchpress.modules.causal import checks, checks_linear
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.draft import SMALL, WHOLE, covariance_rows, draw_linear, model_of
from benchpress.modules.causal.instrument_graphs import structure
from benchpress.modules.causal.instrument_keys import (
    CANDIDATE,
    MARGIN,
    VERDICTS,
    conditioning_of,
    covariance_ratio,
    draw_controls,
    ends_of,
    instruments_of,
    margins_kept,
    total_effect_of,
    violated_by,
)
from benchpress.modules.causal.moments import moments_of, shows
from benchpress.modules.causal.observed import about, any_of, braced
from benchpress.protocol import IMPOSSIBLE
from benchpress.streams import Stream
from benchpress.wording.definitions import Definition
from benchpress.wording.numbers import show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import (
    Claims,
    Covariances,
    Edges,
    Noise,
    Params,
    Roles,
    Unmeasured,
    Variables,
    WeightedEdges,
)
from benchpress.wording.sets import NamedSets
from benchpress.wording.stories import cast


class Instrument(Bundle):
    name = "instrument"
    summary = "valid, broken and conditional instruments, and what their covariance ratio gives"
    parts: ClassVar = {
        "INSTRUMENTS": "node_set",
        "CONDITION_ON": "node_set",
        "WALD": "number",
        "WALD_GIVEN": "number",
        "EFFECT": "number",
        "EXCLUSION": "verdict",
    }
    claims = Claims(
        {
            "serves": Saying(
                "{z} is an instrument given {wset}",
                "conditional on {wset} one may use {z} as an instrument",
            ),
            "excluded": Saying(
                "no directed path from {z} to {y} avoids {x}",
                "whatever {z} does to {y}, it does by way of {x}",
            ),
            "independent": Saying(
                "{a} is independent of {b} given {wset}",
                "with {wset} held fixed {a} tells nothing about {b}",
            ),
            "above": Saying(
                "the ratio for {z} without conditioning exceeds the total effect",
                "taking {z} as an instrument without conditioning gives too large a number",
            ),
            "below": Saying(
                "the ratio for {z} without conditioning falls short of the total effect",
                "taking {z} as an instrument without conditioning gives too small a number",
            ),
        }
    )
    sections = (
        Variables(),
        WeightedEdges(),
        Edges(),
        Noise(),
        Covariances(),
        Unmeasured(),
        Roles("treatment", "outcome", CANDIDATE),
        NamedSets(
            {
                "controls": Saying(
                    "Controls: {names}.",
                    "Somebody proposes these controls: {names}.",
                    "The controls under discussion are: {names}.",
                )
            }
        ),
        Definition(
            "For the total effect of {treatment} on {outcome}, a quantity Z is an instrument given a set W of recorded "
            "quantities if {treatment} affects neither Z nor any member of W, Z is d-connected to {treatment} given W, "
            "and Z is d-separated from {outcome} given W once all arrows out of {treatment} are removed."
        ),
        claims,
    )
    methods = (
        "instrument criterion and exact covariance ratios",
        "generic populations over all subsets and simulation",
    )

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "nodes": 6 + 3 * level // 4,
            "violations": 1 + (level >= 4) + (level >= 8),
            "longest": (level + 3) // 4,
            "mediators": level // 4,
            "controls": 1 + level // 4,
            "extra_edges": level // 3,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        verdict = stream.weighted(VERDICTS, (3, 3, 3, 2))
        fixable = verdict != "none" and stream.chance(1, 2)
        for _ in range(8):
            sketch = structure(stream, knobs, verdict, fixable, variant == "trap")
            story = cast(stream, sketch.draft.count, formal=variant == "transfer")
            names = story.names
            graph = sketch.draft.graph(names)
            params: Params = {
                "graph": graph.to_json(),
                "unmeasured": sorted(names[number] for number in sketch.hidden),
                "roles": {"treatment": names[0], "outcome": names[1], CANDIDATE: names[sketch.candidate]},
            }
            sets = conditioning_of(params, graph)
            params["sets"] = {"controls": draw_controls(stream, params, graph, knobs["controls"], sets)}
            if (
                violated_by(params, graph) == verdict
                and (bool(sets) == fixable or verdict == "none")
                and (variant != "numeric" or sets or instruments_of(params, graph))
                and params["sets"]["controls"]
            ):
                break
        else:
            raise Redraw(f"no candidate that violates {verdict} in eight structures")
        for _ in range(12):
            linear = draw_linear(stream, graph, WHOLE if variant == "numeric" else SMALL)
            if margins_kept(params | {"linear": linear}, graph, verdict, sets):
                break
        else:
            raise Redraw("an effect, a bias or a relevance nearly vanishes")
        if variant == "numeric":
            recorded = set(graph.nodes) - set(params["unmeasured"])
            params["covariance"] = covariance_rows(model_of(graph, linear), recorded)
        else:
            params["linear"] = linear
        if variant == "analyst":
            params["claims"] = _claims(stream, params, graph)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        x, y, z = (params["roles"][role] for role in ("treatment", "outcome", CANDIDATE))
        recorded = [name for name in params["graph"]["nodes"] if name not in (*params["unmeasured"], x, y)]
        numbers = [
            Asked(
                "WALD",
                "number",
                f"What is the covariance of {z} with {y} divided by the covariance of {z} with {x}?",
                {"tolerance": "0.01"},
                ("instrument", "covariance_algebra"),
            ),
            Asked(
                "WALD_GIVEN",
                "number",
                f"What is the ratio of the partial covariances of {z} with {y} and of {z} with {x}, both given the "
                f"controls {{{', '.join(params['sets']['controls'])}}}?",
                {"tolerance": "0.01"},
                ("instrument", "regression"),
            ),
            Asked(
                "EFFECT",
                "number",
                f"By how much does {y} change in total for each unit by which {x} is raised from outside?",
                {"tolerance": "0.01"},
                ("path_tracing",) if "linear" in params else ("instrument", "regression"),
            ),
        ]
        if "claims" in params:
            question = "Is this claim about instruments true or false?"
            return [*asked_claims(params["claims"], question, _CLAIM_SKILL), *numbers]
        return [
            Asked(
                "INSTRUMENTS",
                "node_set",
                f"Which recorded quantities are instruments for {x} and {y} given the empty set? Name all of them.",
                {"universe": recorded},
                ("instrument", "d_separation"),
            ),
            Asked(
                "CONDITION_ON",
                "node_set",
                f"Given which recorded quantities is {z} an instrument? Give a set no proper subset of "
                f"which will do; {{}} if none are needed, {IMPOSSIBLE} if no set of recorded quantities will do.",
                {"universe": sorted([IMPOSSIBLE, *(name for name in recorded if name != z)])},
                ("instrument", "back_door", "collider"),
            ),
            *numbers,
            Asked(
                "EXCLUSION",
                "verdict",
                f"Without conditioning, which requirement does {z} violate: exclusion (a directed path leads from {z} "
                f"to {y} that avoids {x}), exogeneity (an open path that enters {z} by an arrowhead joins it to {y} "
                f"once all arrows out of {x} are removed), both, or none?",
                {
                    "vocabulary": list(VERDICTS),
                    "classes": {
                        "none": ["neither", "valid", "no violation"],
                        "exclusion": ["exclusion restriction", "exclusion only"],
                        "exogeneity": ["independence", "exogeneity only", "confounded"],
                        "both": ["exclusion and exogeneity"],
                    },
                },
                ("instrument",),
            ),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        sets = conditioning_of(params, graph)
        moments = moments_of(params, graph)
        wald, effect = covariance_ratio(params, moments), total_effect_of(params, graph, moments, sets)
        given = covariance_ratio(params, moments, params["sets"]["controls"])
        keys = {"WALD": Key(show(wald)), "WALD_GIVEN": Key(show(given)), "EFFECT": Key(show(effect))}
        if "claims" in params:
            gap = wald - effect
            return keys | {claim["id"]: Key(truth(_holds(claim, params, graph, gap))) for claim in params["claims"]}
        keys["INSTRUMENTS"] = Key(instruments_of(params, graph))
        keys["CONDITION_ON"] = Key(sets[0], tuple(sets[1:])) if sets else Key([IMPOSSIBLE])
        keys["EXCLUSION"] = Key(violated_by(params, graph))
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        x, y, z = (params["roles"][role] for role in ("treatment", "outcome", CANDIDATE))
        nodes = params["graph"]["nodes"]
        population = checks_linear.population_of(params)
        recorded = [name for name in nodes if name not in (*params["unmeasured"], x, y)]
        free = [name for name in recorded if abs(population.effect(x, name)) < checks_linear.SLOPE]
        valid = [name for name in free if checks_linear.serves(population, x, y, name, [])]
        sets = checks_linear.instrument_sets(population, x, y, z, [name for name in free if name != z])
        sample = checks_linear.sample_of_problem(params, "instrument")
        wald = sample.two_stage_least_squares(y, x, z)
        if "linear" in params:
            on = [tail for tail, head in params["graph"]["directed"] if head == x]
            effect = sample.coefficient(y, x, on)
        elif sets:
            effect = sample.two_stage_least_squares(y, x, z, sets[-1])
        else:
            effect = sample.two_stage_least_squares(y, x, valid[-1])
        confirmed = {
            "WALD": checks.near(wald, keys["WALD"].gold),
            "WALD_GIVEN": checks.near(
                sample.two_stage_least_squares(y, x, z, params["sets"]["controls"]), keys["WALD_GIVEN"].gold
            ),
            "EFFECT": checks.near(effect, keys["EFFECT"].gold),
        }
        if "claims" in params:
            for claim in params["claims"]:
                match claim["kind"]:
                    case "serves":
                        unaffected = claim["z"] in free and set(claim["wset"]) <= set(free)
                        holds = unaffected and checks_linear.serves(population, x, y, claim["z"], claim["wset"])
                    case "excluded":
                        holds = not checks_linear.bypasses(params["graph"], x, y, claim["z"])[0]
                    case "independent":
                        holds = checks_linear.independent(population, claim["a"], claim["b"], claim["wset"])
                    case "above":
                        holds = wald[0] - effect[0] > float(MARGIN) / 2
                    case _:
                        holds = effect[0] - wald[0] > float(MARGIN) / 2
                confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
            return confirmed
        key = keys["CONDITION_ON"]
        given = [] if key.gold == [IMPOSSIBLE] else [key.gold, *key.accept]
        confirmed["INSTRUMENTS"] = keys["INSTRUMENTS"].gold == sorted(valid)
        confirmed["CONDITION_ON"] = sorted(given) == sorted(sets)
        onward, backward = checks_linear.bypasses(params["graph"], x, y, z)
        said = {(True, True): "both", (True, False): "exclusion", (False, True): "exogeneity", (False, False): "none"}
        confirmed["EXCLUSION"] = keys["EXCLUSION"].gold == said[onward, backward]
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        graph = Graph.from_json(params["graph"])
        x, y, z = (params["roles"][role] for role in ("treatment", "outcome", CANDIDATE))
        recorded = [name for name in graph.nodes if name not in (*params["unmeasured"], x, y)]
        causes = sorted(name for name in recorded if [name, x] in params["graph"]["directed"])
        early = [name for name in recorded if name not in graph.descendants([x])]
        moments = moments_of(params, graph)
        if habit == "naive":
            # The slope without any instrument is taken for the effect.
            answers["EFFECT"] = show(moments.coefficient(y, x))
            if "CONDITION_ON" in answers:
                answers |= {"INSTRUMENTS": causes, "CONDITION_ON": [], "EXCLUSION": "none"}
        elif habit in ("adjust_all", "adjust_parents"):
            chosen = [name for name in (early if habit == "adjust_all" else causes) if name != z]
            answers["EFFECT"] = show(moments.coefficient(y, x, chosen))
            if "CONDITION_ON" in answers:
                answers["CONDITION_ON"] = chosen
        elif "CONDITION_ON" in answers:
            # Every chain of links is taken for a way along which dependence flows.
            answers["INSTRUMENTS"] = [name for name in causes if [name, y] not in params["graph"]["directed"]]
            linked = [name for name in early if name != z and not separated(graph, [name], [z])]
            answers["CONDITION_ON"] = [name for name in linked if not separated(graph, [name], [y])]
        for claim in params.get("claims", ()):
            if claim["kind"] == "serves":
                answers[claim["id"]] = truth(claim["z"] in causes)
        return answers

    def steps(self, params: Mapping[str, Any]) -> int:
        edges = len(params["graph"]["directed"])
        traced = edges if "linear" in params else len(params["covariance"]) // 3
        return edges + traced + (2 + len(params["sets"]["controls"])) ** 3 // 3

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        x, y, z = (params["roles"][role] for role in ("treatment", "outcome", CANDIDATE))
        sets, moments = conditioning_of(params, graph), moments_of(params, graph)
        wald, effect = covariance_ratio(params, moments), total_effect_of(params, graph, moments, sets)
        controls = params["sets"]["controls"]
        given = covariance_ratio(params, moments, controls)
        names = braced(instruments_of(params, graph))
        enough = any_of(sets)
        reasons = {
            "INSTRUMENTS": f"Not affected by {x}, tied to {x}, and d-separated from {y} once the arrows out of {x} are "
            f"removed: {names}.",
            "CONDITION_ON": f"Minimal sets that cut {z} off from {y} once the arrows out of {x} are removed, and leave "
            f"it tied to {x}: {enough}.",
            "WALD": f"The ratio of the two covariances is {about(wald)}.",
            "WALD_GIVEN": f"Given {braced(controls)} the ratio is {about(given)}.",
            "EFFECT": f"Products of coefficients over the directed paths from {x} to {y} add up to {about(effect)}."
            if "linear" in params
            else f"The ratio of an instrument, given what it needs, is {about(effect)}.",
            "EXCLUSION": f"What the open ways from {z} to {y} break without the arrows out of {x}: "
            f"{violated_by(params, graph)}.",
        }
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = {
                "serves": "Checked by the definition of an instrument on the graph.",
                "excluded": f"Checked by the directed paths that avoid {x}.",
                "independent": "Checked by d-separation on the graph.",
            }.get(claim["kind"], f"The ratio is {about(wald)}, the total effect {about(effect)}.")
        return {part: reasons[part] for part in keys}


_CLAIM_SKILL = {
    "serves": "instrument",
    "excluded": "instrument",
    "independent": "d_separation",
    "above": "bias_direction",
    "below": "bias_direction",
}


def _claims(stream: Stream, params: Mapping[str, Any], graph: Graph) -> list[Params]:
    """Four claims about instruments, exclusion, independences and the bias of the ratio."""
    x, y, z = ends_of(params)
    recorded = [name for name in graph.nodes if name not in params["unmeasured"]]
    early = [name for name in recorded if name not in graph.descendants([x])]
    pairs = list(combinations(recorded, 2))
    pools: dict[str, list[Params]] = {
        "serves": [
            {"z": name, "wset": list(one)}
            for name in early
            for size in (0, 1, 2)
            for one in combinations([other for other in early if other != name], size)
        ],
        "excluded": [{"z": name, "x": x, "y": y} for name in early],
        "independent": [
            {"a": a, "b": b, "wset": [given]} for a, b in pairs for given in recorded if given not in (a, b)
        ],
        stream.choice(("above", "below")): [{"z": z}],
    }
    model = model_of(graph, params["linear"])
    effect = model.total_effect(x, y)
    gap = covariance_ratio(params, model) - effect

    def holds(claim: Params) -> bool:
        return _holds(claim, params, graph, gap)

    def clear(claim: Params) -> bool:
        """Whether the numbers of the model show what the graph says."""
        if claim["kind"] == "independent":
            a, b, given = claim["a"], claim["b"], claim["wset"]
            return shows(model, a, b, given, separated=separated(graph, [a], [b], given))
        if claim["kind"] == "serves":
            linked = model.partial_covariance(claim["z"], x, claim["wset"])
            if holds(claim):
                return shows(model, claim["z"], x, claim["wset"], separated=False)
            beyond = model.partial_covariance(claim["z"], y, claim["wset"]) - effect * linked
            return linked == 0 or abs(beyond / linked) >= MARGIN
        if claim["kind"] == "excluded" and not holds(claim):
            past = model.total_effect(claim["z"], y) - model.total_effect(claim["z"], x) * effect
            return abs(past) >= MARGIN
        return True

    return draw_claims(stream, pools, holds, 4, clear)


def _holds(claim: Mapping[str, Any], params: Mapping[str, Any], graph: Graph, gap: Fraction) -> bool:
    x, y, _ = ends_of(params)
    match claim["kind"]:
        case "serves":
            return is_instrument(graph, claim["z"], x, y, claim["wset"])
        case "excluded":
            return y not in graph.without_outgoing([x]).descendants([claim["z"]])
        case "independent":
            return separated(graph, [claim["a"]], [claim["b"]], claim["wset"])
        case "above":
            return gap > 0
        case _:
            return gap < 0


BUNDLE = Instrument()
