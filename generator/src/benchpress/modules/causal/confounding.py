"""Confounding: which covariates to adjust for among mediators, colliders, instruments and descendants.

Structure: a treatment and an outcome joined by drawn motifs (confounders, chains of them, mediators, M-structures,
butterflies, common effects, instruments, causes of the outcome alone, consequences), some variables unrecorded.
Keys: adjustment criterion and covariance algebra; confirmed by regression over all subsets in a generic linear
population and by simulation of the printed model.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.adjustment import is_adjustment_set, minimal_adjustment_sets
from benchpress.graphs.dag import Graph
from benchpress.graphs.separation import separated
from benchpress.items import Json
from benchpress.models.linear import LinearModel
from benchpress.modules.causal import checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, truth
from benchpress.modules.causal.confounding_graphs import structure
from benchpress.modules.causal.draft import SMALL, WHOLE, covariance_rows, draw_linear, model_of
from benchpress.modules.causal.moments import moments_of, shows
from benchpress.protocol import IMPOSSIBLE
from benchpress.streams import Stream
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
from benchpress.wording.stories import cast

MARGIN = Fraction(1, 10)
"""A bias is at least this large or exactly zero by structure; a total effect likewise is never near zero."""


class Confounding(Bundle):
    name = "confounding"
    summary = "back-door adjustment among mediators, colliders, instruments and descendants"
    parts: ClassVar = {
        "ADJUSTMENT_SET": "node_set",
        "EFFECT": "number",
        "NAIVE_EFFECT": "number",
        "BIAS_DIRECTION": "verdict",
    }
    claims = Claims(
        {
            "sufficient": Saying(
                "adjusting for {zset} suffices for the total effect",
                "holding {zset} fixed is enough to remove all bias from the comparison",
                "with {zset} as covariates the regression gives the total effect",
            ),
            "independent": Saying(
                "{a} is independent of {b} given {zset}",
                "once {zset} is held fixed, {a} tells nothing about {b}",
            ),
            "overstates": Saying(
                "the unadjusted slope exceeds the total effect",
                "without any adjustment the slope comes out too large",
            ),
            "understates": Saying(
                "the unadjusted slope falls short of the total effect",
                "without any adjustment the slope comes out too small",
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
        Roles("treatment", "outcome"),
        claims,
    )
    methods = ("adjustment criterion and covariance algebra", "generic population over all subsets and simulation")

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "nodes": 5 + (level * 6) // 10,
            "extra_edges": level // 2,
            "opening_motifs": 1 + level // 4,
            "unrecorded": (level + 2) // 4,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        kind = stream.weighted(("adjust", "nothing", "impossible"), _kinds(variant))
        skeleton = structure(stream, knobs, variant, kind)
        story = cast(stream, skeleton.count, formal=variant == "transfer")
        names = list(story.names)
        directed = sorted([names[a], names[b]] for a, b in skeleton.arrows)
        hidden = sorted(names[number] for number in skeleton.unrecorded)
        graph = Graph.from_json({"nodes": sorted(names), "directed": directed, "bidirected": []})
        params: Params = {
            "graph": graph.to_json(),
            "unmeasured": hidden,
            "roles": {"treatment": names[0], "outcome": names[1]},
        }
        sets = _sets(params, graph)
        if kind != ("impossible" if not sets else "nothing" if sets == [[]] else "adjust"):
            raise Redraw(f"wanted {kind}")
        if variant == "trap" and is_adjustment_set(graph, names[:1], names[1:2], _tempting(params, graph)):
            raise Redraw("the tempting set is right")
        linear = draw_linear(stream, graph, WHOLE if variant == "numeric" else SMALL)
        model = model_of(graph, linear)
        _keep_margins(model, params)
        if variant == "numeric":
            params["covariance"] = covariance_rows(model, set(graph.nodes) - set(hidden))
        else:
            params["linear"] = linear
        if variant == "analyst":
            params["claims"] = _claims(stream, params, graph, model)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        seen = [name for name in params["graph"]["nodes"] if name not in params["unmeasured"] and name not in (x, y)]
        number = {"tolerance": "0.01"}
        effect = Asked(
            "EFFECT",
            "number",
            f"What is the total effect of {x} on {y}: the change in {y} when {x} is raised by one unit from outside?",
            number,
            ("path_tracing",) if "linear" in params else ("adjustment", "regression"),
        )
        naive = Asked(
            "NAIVE_EFFECT",
            "number",
            f"What is the slope of {x} in the population regression of {y} on {x} alone?",
            number,
            ("covariance_algebra",),
        )
        if "claims" in params:
            return [*asked_claims(params["claims"], "Is this claim true or false?", _CLAIM_SKILLS), effect, naive]
        return [
            Asked(
                "ADJUSTMENT_SET",
                "node_set",
                f"Which recorded quantities must be adjusted for to estimate the total effect of {x} on {y}? Give a "
                "set that satisfies the adjustment criterion and of which no proper subset does; {} if no adjustment "
                f"is needed, {IMPOSSIBLE} if no set of recorded quantities satisfies it.",
                {"universe": sorted([*seen, IMPOSSIBLE])},
                ("adjustment", "back_door", "collider"),
            ),
            effect,
            naive,
            Asked(
                "BIAS_DIRECTION",
                "verdict",
                "Compared with the total effect, is the slope without adjustment higher (upward), lower (downward) or "
                "the same (none)?",
                {
                    "vocabulary": ["upward", "downward", "none"],
                    "classes": {
                        "upward": ["higher", "up", "positive", "overestimate", "overestimates"],
                        "downward": ["lower", "down", "negative", "underestimate", "underestimates"],
                        "none": ["same", "unbiased", "no bias", "zero"],
                    },
                },
                ("bias_direction",),
            ),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        sets = _sets(params, graph)
        if "linear" in params:
            model = model_of(graph, params["linear"])
            effect, naive = model.total_effect(x, y), model.coefficient(y, x)
        else:
            table = moments_of(params, graph)
            effect, naive = table.coefficient(y, x, sets[0]), table.coefficient(y, x)
        keys = {"EFFECT": Key(show(effect)), "NAIVE_EFFECT": Key(show(naive))}
        if "claims" in params:
            gap = naive - effect
            return keys | {one["id"]: Key(truth(_holds(one, params, graph, gap))) for one in params["claims"]}
        keys["ADJUSTMENT_SET"] = Key(sets[0], tuple(sets[1:])) if sets else Key([IMPOSSIBLE])
        keys["BIAS_DIRECTION"] = Key("none" if naive == effect else "upward" if naive > effect else "downward")
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        nodes = params["graph"]["nodes"]
        candidates = [name for name in nodes if name not in params["unmeasured"] and name not in (x, y)]
        seed = checks.seed_of(params["graph"], "population")
        sets = checks.minimal_adjustment_by_regression(params["graph"], x, y, candidates, seed)
        if "linear" in params:
            sample = checks.simulation_of(params, "confounding")
            on = [tail for tail, head in params["graph"]["directed"] if head == x]
            effect, naive = sample.coefficient(y, x, on), sample.coefficient(y, x)
        else:
            sample = checks.sample_of(params["covariance"], checks.seed_of(params, "confounding"))
            effect, naive = sample.coefficient(y, x, sets[-1]), sample.coefficient(y, x)
        confirmed = {
            "EFFECT": checks.near(effect, keys["EFFECT"].gold),
            "NAIVE_EFFECT": checks.near(naive, keys["NAIVE_EFFECT"].gold),
        }
        gap, error = naive[0] - effect[0], checks.SIGMAS * (naive[1] + effect[1]) + 1e-9
        direction = "none" if abs(gap) <= error else "upward" if gap > 0 else "downward"
        if "claims" in params:
            population = checks.Population(params["graph"], seed)
            truth = population.effect(x, y)
            for claim in params["claims"]:
                if claim["kind"] == "sufficient":
                    holds = abs(float(population.coefficients(x, y, [claim["zset"]])[0]) - truth) < checks.EXACT
                elif claim["kind"] == "independent":
                    holds = population.independent(claim["a"], claim["b"], claim["zset"])
                else:
                    holds = direction == {"overstates": "upward", "understates": "downward"}[claim["kind"]]
                confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
            return confirmed
        key = keys["ADJUSTMENT_SET"]
        given = [] if key.gold == [IMPOSSIBLE] else [key.gold, *key.accept]
        confirmed["ADJUSTMENT_SET"] = sorted(given) == sorted(sets)
        confirmed["BIAS_DIRECTION"] = direction == keys["BIAS_DIRECTION"].gold
        return confirmed

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        effect, naive = keys["EFFECT"].gold, keys["NAIVE_EFFECT"].gold
        reasons = {
            "EFFECT": f"Products of coefficients over the directed paths from {x} to {y} add up to {effect}."
            if "linear" in params
            else f"The regression of {y} on {x} and an adjustment set has the coefficient {effect}.",
            "NAIVE_EFFECT": f"Covariance of {x} and {y} divided by the variance of {x}: {naive}.",
            "BIAS_DIRECTION": f"The slope without adjustment is {naive}, the effect {effect}.",
        }
        forbidden = [name for name in graph.descendants([x]) if name not in (x, y)]
        consequences = f" {', '.join(forbidden)} come after {x}." if forbidden else ""
        key = keys.get("ADJUSTMENT_SET")
        if key is not None:
            options = " or ".join("{" + ", ".join(one) + "}" for one in [key.gold, *key.accept])
            if key.gold == [IMPOSSIBLE]:
                reasons["ADJUSTMENT_SET"] = (
                    f"Some back-door path runs through unrecorded quantities only.{consequences}"
                )
            elif key.gold:
                reasons["ADJUSTMENT_SET"] = f"{options} blocks every back-door path and opens none.{consequences}"
            else:
                reasons["ADJUSTMENT_SET"] = (
                    f"Every back-door path holds a collider and is closed by itself.{consequences}"
                )
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = {
                "sufficient": "Checked by the adjustment criterion on the graph.",
                "independent": "Checked by d-separation on the graph.",
            }.get(claim["kind"], f"The slope without adjustment is {naive}, the effect {effect}.")
        return {part: reasons[part] for part in keys}

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        if habit not in ("adjust_all", "ignore_colliders", "adjust_parents", "naive"):
            return answers
        graph = Graph.from_json(params["graph"])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        chosen = _habitual(habit, params, graph)
        if "ADJUSTMENT_SET" in answers:
            answers["ADJUSTMENT_SET"] = chosen
        answers["EFFECT"] = show(moments_of(params, graph).coefficient(y, x, chosen))
        for claim in params.get("claims", ()):
            if claim["kind"] == "sufficient":
                answers[claim["id"]] = truth(set(chosen) <= set(claim["zset"]))
        return answers


_CLAIM_SKILLS = {
    "sufficient": "adjustment",
    "independent": "d_separation",
    "overstates": "bias_direction",
    "understates": "bias_direction",
}


def _kinds(variant: str) -> tuple[int, int, int]:
    """Weights of: a set is needed, none is, none exists. Printed covariances need an identified effect."""
    return {"trap": (5, 3, 3), "numeric": (7, 2, 0)}.get(variant, (6, 2, 2))


def _sets(params: Mapping[str, Any], graph: Graph) -> list[list[str]]:
    """All minimal adjustment sets of recorded variables, smallest first."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    found = minimal_adjustment_sets(graph, [x], [y], excluded=params["unmeasured"])
    return sorted((sorted(one) for one in found), key=lambda one: (len(one), one))


def _keep_margins(model: LinearModel, params: Mapping[str, Any]) -> None:
    """Refuse a problem whose effect or bias nearly cancels."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    effect = model.total_effect(x, y)
    if abs(effect) < MARGIN:
        raise Redraw("the effect nearly cancels")
    bias = model.coefficient(y, x) - effect
    confounded = not is_adjustment_set(model.graph, [x], [y], [])
    if confounded and abs(bias) < MARGIN:
        raise Redraw("the bias nearly cancels")


def _tempting(params: Mapping[str, Any], graph: Graph) -> list[str]:
    """Everything recorded that the treatment does not affect: what one is tempted to adjust for."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    later = set(graph.descendants([x]))
    return [name for name in graph.nodes if name not in later and name not in params["unmeasured"] and name != y]


def _habitual(habit: str, params: Mapping[str, Any], graph: Graph) -> list[str]:
    """The covariates that a bad habit chooses."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    if habit == "naive":
        return []
    if habit == "adjust_all":
        return sorted(set(_tempting(params, graph)) - {x})
    recorded = [name for name in graph.nodes if name not in params["unmeasured"] and name not in (x, y)]
    if habit == "adjust_parents":
        return sorted(name for name in recorded if [name, x] in params["graph"]["directed"])
    return sorted(
        name for name in recorded if all(not separated(graph, [name], [end], []) for end in (x, y))
    )  # ignoring colliders: whatever is associated with both


def _claims(stream: Stream, params: Mapping[str, Any], graph: Graph, model: LinearModel) -> list[Params]:
    """Four claims, each true or false by a fair coin as far as the graph allows."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    recorded = [name for name in graph.nodes if name not in params["unmeasured"] and name not in (x, y)]
    bias = model.coefficient(y, x) - model.total_effect(x, y)
    pool = [list(one) for size in range(4) for one in combinations(recorded, size)]
    claims: list[Params] = []
    for kind in ("sufficient", "sufficient", "independent"):
        wanted = stream.chance(1, 2)
        for _ in range(60):
            claim: Params = {"kind": kind, "zset": stream.choice(pool)}
            if kind == "independent":
                a, b = stream.sample([*recorded, x, y], 2)
                if a in claim["zset"] or b in claim["zset"]:
                    continue
                claim |= {"a": a, "b": b}
            if claim not in claims and _holds(claim, params, graph, bias) == wanted and _clear(claim, x, y, model):
                claims.append(claim)
                break
        else:
            raise Redraw(f"no {kind} claim of the wanted truth")
    claims.append({"kind": stream.choice(("overstates", "understates"))})
    return [{"id": f"CLAIM_{number}", **claim} for number, claim in enumerate(stream.shuffled(claims), 1)]


def _clear(claim: Mapping[str, Any], x: str, y: str, model: LinearModel) -> bool:
    """Whether the printed numbers say about the claim what the graph says: no paths that cancel."""
    graph, given = model.graph, claim["zset"]
    if claim["kind"] == "sufficient":
        bias = model.coefficient(y, x, given) - model.total_effect(x, y)
        return bias == 0 if is_adjustment_set(graph, [x], [y], given) else abs(bias) >= MARGIN
    a, b = claim["a"], claim["b"]
    return shows(model, a, b, given, separated=separated(graph, [a], [b], given))


def _holds(claim: Mapping[str, Any], params: Mapping[str, Any], graph: Graph, bias: Fraction) -> bool:
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    if claim["kind"] == "sufficient":
        return is_adjustment_set(graph, [x], [y], claim["zset"])
    if claim["kind"] == "independent":
        return separated(graph, [claim["a"]], [claim["b"]], claim["zset"])
    return bias > 0 if claim["kind"] == "overstates" else bias < 0


BUNDLE = Confounding()
