"""M-bias: a variable that precedes the treatment, goes along with treatment and outcome, and must be left alone.

Structure: M-structures with arms of drawn length, recorded or not, beside confounders, butterflies, mediators and
consequences. Two regressions are compared: with a baseline set of covariates, and with a candidate added that is a
collider before the treatment, or its descendant. Keys: adjustment criterion and exact regression; confirmed by
regression over all subsets in a generic population and by simulation.
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
from benchpress.modules.causal import checks, checks_linear
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.draft import SMALL, WHOLE, covariance_rows, draw_linear, model_of
from benchpress.modules.causal.m_bias_graphs import KINDS, comparison, structure
from benchpress.modules.causal.moments import moments_of, shows
from benchpress.modules.causal.observed import about, any_of, braced
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
from benchpress.wording.sets import NamedSets
from benchpress.wording.stories import cast

MARGIN = Fraction(1, 20)
"""A bias that is not zero by structure is at least this large; so is the distance of two biases in size."""

SMALLEST_EFFECT = Fraction(1, 10)


class MBias(Bundle):
    name = "m_bias"
    summary = "a collider before the treatment: when adding a covariate makes matters worse"
    parts: ClassVar = {
        "ADJUSTMENT_SET": "node_set",
        "EFFECT": "number",
        "BIAS_BASELINE": "number",
        "BIAS_IF_ADJUSTED": "number",
        "VERDICT": "verdict",
    }
    claims = Claims(
        {
            "sufficient": Saying(
                "the covariates {zset} suffice for the total effect",
                "nothing but the total effect remains in the slope once {zset} is adjusted for",
            ),
            "opens": Saying(
                "adjusting for {z} alone ties {a} to {b}, which are independent otherwise",
                "{a} and {b} are independent but no longer so given {z}",
            ),
            "independent": Saying(
                "{a} is independent of {b} given {zset}",
                "{a} tells nothing about {b} for a fixed value of {zset}",
            ),
            "closer": Saying(
                "adding {z} to the baseline brings the slope closer to the total effect",
                "the regression with {z} beside the baseline is nearer to the total effect",
            ),
            "farther": Saying(
                "adding {z} to the baseline takes the slope farther from the total effect",
                "the regression with {z} beside the baseline is farther from the total effect",
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
        Roles("treatment", "outcome", "candidate covariate"),
        NamedSets(
            {
                "baseline": Saying(
                    "Baseline covariates: {names}.",
                    "The baseline regression adjusts for: {names}.",
                    "Covariates that are in the baseline regression already: {names}.",
                )
            }
        ),
        claims,
    )
    methods = ("adjustment criterion and exact regression", "generic population over all subsets and simulation")

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "nodes": 6 + 3 * level // 4,
            "m_structures": 1 + (level >= 6),
            "arm_steps": (level + 2) // 3,
            "extra_edges": level // 2,
            "baseline": 2 + level // 4,
            "mediators": level // 4,
            "unrecorded": 1 + level // 3,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        kind = stream.weighted(KINDS, (3, 3, 4, 4, 3))
        blocked = variant != "numeric" and stream.chance(1, 4) and not kind.endswith("exact") and kind != "same"
        for _ in range(8):
            sketch = structure(stream, knobs, kind, blocked)
            found = comparison(stream, sketch, knobs["baseline"], kind, variant == "trap")
            if found is not None:
                break
        else:
            raise Redraw(f"no comparison of the kind {kind} in eight structures")
        story = cast(stream, sketch.draft.count, formal=variant == "transfer")
        names = story.names
        graph = sketch.draft.graph(names)
        params: Params = {
            "graph": graph.to_json(),
            "unmeasured": sorted(names[number] for number in sketch.hidden),
            "roles": {"treatment": names[0], "outcome": names[1], "candidate covariate": names[found[0]]},
            "sets": {"baseline": sorted(names[number] for number in found[1])},
        }
        if variant == "numeric" and not _sets(params, graph):
            raise Redraw("printed covariances would not give the effect")
        sizes = WHOLE if variant == "numeric" else SMALL
        for _ in range(12):
            params["linear"] = linear = draw_linear(stream, graph, sizes)
            if _clear(_findings(params, graph), kind):
                break
        else:
            raise Redraw("an effect or a bias nearly cancels")
        if variant == "numeric":
            del params["linear"]
            params["covariance"] = covariance_rows(
                model_of(graph, linear), set(graph.nodes) - set(params["unmeasured"])
            )
        if variant == "analyst":
            params["claims"] = _claims(stream, params, graph)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        x, y, c = (params["roles"][role] for role in ("treatment", "outcome", "candidate covariate"))
        recorded = [name for name in params["graph"]["nodes"] if name not in (*params["unmeasured"], x, y)]
        number = {"tolerance": "0.01"}
        numbers = [
            Asked(
                "EFFECT",
                "number",
                f"What is the total effect of {x} on {y}, the change in {y} per unit by which {x} is set higher?",
                number,
                ("path_tracing",) if "linear" in params else ("adjustment", "regression"),
            ),
            Asked(
                "BIAS_BASELINE",
                "number",
                f"Regress {y} on {x} and the baseline covariates in the population: by how much does the slope of {x} "
                "exceed the total effect (negative if it falls short)?",
                number,
                ("covariance_algebra", "adjustment"),
            ),
            Asked(
                "BIAS_IF_ADJUSTED",
                "number",
                f"By how much does the slope of {x} exceed the total effect when {c} is added to that regression?",
                number,
                ("covariance_algebra", "collider"),
            ),
        ]
        if "claims" in params:
            question = "Is this claim about adjustment true or false?"
            return [*asked_claims(params["claims"], question, _CLAIM_SKILL), *numbers]
        return [
            Asked(
                "ADJUSTMENT_SET",
                "node_set",
                f"Which recorded quantities have to be adjusted for to get the total effect of {x} on {y}? Give a set "
                "that meets the adjustment criterion and no proper subset of which does; {} where nothing needs "
                f"adjustment, {IMPOSSIBLE} where no set of recorded quantities meets it.",
                {"universe": sorted([*recorded, IMPOSSIBLE])},
                ("adjustment", "back_door", "collider"),
            ),
            *numbers,
            Asked(
                "VERDICT",
                "verdict",
                f"Which regression has the slope of {x} closer to the total effect: the one without {c}, the one with "
                f"{c}, or are both equally close (same)?",
                {
                    "vocabulary": ["without", "with", "same"],
                    "classes": {
                        "without": ["baseline", "omit", "exclude"],
                        "with": ["adjusted", "include", "candidate"],
                        "same": ["equal", "equally", "both", "no difference"],
                    },
                },
                ("collider", "bias_direction"),
            ),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        effect, before, after = _findings(params, graph)
        keys = {
            "EFFECT": Key(show(effect)),
            "BIAS_BASELINE": Key(show(before)),
            "BIAS_IF_ADJUSTED": Key(show(after)),
        }
        if "claims" in params:
            gain = abs(before) - abs(after)
            return keys | {claim["id"]: Key(truth(_holds(claim, params, graph, gain))) for claim in params["claims"]}
        sets = _sets(params, graph)
        keys["ADJUSTMENT_SET"] = Key(sets[0], tuple(sets[1:])) if sets else Key([IMPOSSIBLE])
        keys["VERDICT"] = Key(_verdict(before, after))
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        x, y, c = (params["roles"][role] for role in ("treatment", "outcome", "candidate covariate"))
        base = params["sets"]["baseline"]
        candidates = [name for name in params["graph"]["nodes"] if name not in (*params["unmeasured"], x, y)]
        population = checks_linear.population_of(params)
        truth_there = population.effect(x, y)
        sets = checks_linear.minimal_adjustment(population, x, y, candidates)
        sample = checks_linear.sample_of_problem(params, "m_bias")
        on = [tail for tail, head in params["graph"]["directed"] if head == x] if "linear" in params else sets[-1]
        effect, slope, added = (sample.coefficient(y, x, given) for given in (on, base, [*base, c]))
        before, after = slope[0] - effect[0], added[0] - effect[0]
        confirmed = {
            "EFFECT": checks.near(effect, keys["EFFECT"].gold),
            "BIAS_BASELINE": checks.near((before, slope[1] + effect[1]), keys["BIAS_BASELINE"].gold),
            "BIAS_IF_ADJUSTED": checks.near((after, added[1] + effect[1]), keys["BIAS_IF_ADJUSTED"].gold),
        }
        small, large = (population.coefficients(x, y, [given])[0] for given in (base, [*base, c]))
        if abs(small - large) < checks_linear.SLOPE:
            nearer = "same"
        else:
            nearer = "with" if abs(after) < abs(before) else "without"
        if "claims" in params:
            for claim in params["claims"]:
                match claim["kind"]:
                    case "sufficient":
                        estimate = population.coefficients(x, y, [claim["zset"]])[0]
                        holds = abs(estimate - truth_there) < checks_linear.SLOPE
                    case "opens":
                        holds = checks_linear.independent(population, claim["a"], claim["b"]) and not (
                            checks_linear.independent(population, claim["a"], claim["b"], [claim["z"]])
                        )
                    case "independent":
                        holds = checks_linear.independent(population, claim["a"], claim["b"], claim["zset"])
                    case "closer":
                        holds = nearer == "with"
                    case _:
                        holds = nearer == "without"
                confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
            return confirmed
        key = keys["ADJUSTMENT_SET"]
        given = [] if key.gold == [IMPOSSIBLE] else [key.gold, *key.accept]
        confirmed["ADJUSTMENT_SET"] = sorted(given) == sorted(sets)
        confirmed["VERDICT"] = keys["VERDICT"].gold == nearer
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        graph = Graph.from_json(params["graph"])
        x, y, c = (params["roles"][role] for role in ("treatment", "outcome", "candidate covariate"))
        later = graph.descendants([x])
        before = [name for name in graph.nodes if name not in (*params["unmeasured"], *later)]
        if habit == "naive":
            chosen: list[str] = []
        elif habit == "adjust_parents":
            chosen = [name for name in before if [name, x] in params["graph"]["directed"]]
        elif habit == "adjust_all":
            chosen = before
        else:
            # Whatever precedes the treatment and goes along with both sides is taken for a confounder.
            chosen = [name for name in before if all(not separated(graph, [name], [end]) for end in (x, y))]
        if "ADJUSTMENT_SET" in answers:
            answers["ADJUSTMENT_SET"] = chosen
            answers["VERDICT"] = "with" if c in chosen else "same"
        for claim in params.get("claims", ()):
            if claim["kind"] == "sufficient":
                answers[claim["id"]] = truth(set(chosen) <= set(claim["zset"]))
            elif claim["kind"] in ("closer", "farther"):
                answers[claim["id"]] = truth((claim["kind"] == "closer") == (c in chosen))
        moments = moments_of(params, graph)
        effect = moments.coefficient(y, x, chosen)
        answers["EFFECT"] = show(effect)
        answers["BIAS_BASELINE"] = show(moments.coefficient(y, x, params["sets"]["baseline"]) - effect)
        answers["BIAS_IF_ADJUSTED"] = show(moments.coefficient(y, x, [*params["sets"]["baseline"], c]) - effect)
        return answers

    def steps(self, params: Mapping[str, Any]) -> int:
        involved = 2 + len(params["sets"]["baseline"])
        traced = len(params["graph"]["directed"]) * involved // 3 if "linear" in params else involved**2
        return traced + len(params["graph"]["directed"]) + involved**3 // 3

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        x, y, c = (params["roles"][role] for role in ("treatment", "outcome", "candidate covariate"))
        effect, before, after = (about(value) for value in _findings(params, graph))
        base = braced(params["sets"]["baseline"])
        sets = any_of(_sets(params, graph))
        causes = [name for name in graph.nodes if [name, c] in params["graph"]["directed"]]
        tied = f" {c} has the causes {braced(causes)}; adjusting for it can join them." if len(causes) > 1 else ""
        compared = f"Without {c} the slope misses the effect by {before}, with it by {after}."
        reasons = {
            "ADJUSTMENT_SET": f"Minimal sets of recorded quantities that block every back-door path: {sets}.",
            "EFFECT": f"Products of coefficients over the directed paths from {x} to {y} add up to {effect}."
            if "linear" in params
            else f"The regression of {y} on {x} and an adjustment set has the coefficient {effect}.",
            "BIAS_BASELINE": f"The slope given {base} less the effect, {effect}: {before}.",
            "BIAS_IF_ADJUSTED": f"The same with {c} added: {after}.{tied}",
            "VERDICT": compared,
        }
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = {
                "sufficient": f"Minimal sets that are enough: {sets}.",
                "opens": "Checked by d-separation without and with the quantity.",
                "independent": "Checked by d-separation on the graph.",
            }.get(claim["kind"], compared)
        return {part: reasons[part] for part in keys}


_CLAIM_SKILL = {
    "sufficient": "adjustment",
    "opens": "collider",
    "independent": "d_separation",
    "closer": "bias_direction",
    "farther": "bias_direction",
}


def _sets(params: Mapping[str, Any], graph: Graph) -> list[list[str]]:
    """All minimal adjustment sets of recorded variables, smallest first."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    found = minimal_adjustment_sets(graph, [x], [y], excluded=params["unmeasured"])
    return sorted((sorted(one) for one in found), key=lambda one: (len(one), one))


def _findings(params: Mapping[str, Any], graph: Graph) -> tuple[Fraction, Fraction, Fraction]:
    """The total effect, and the bias of the slope without and with the candidate."""
    x, y, c = (params["roles"][role] for role in ("treatment", "outcome", "candidate covariate"))
    base = params["sets"]["baseline"]
    if "linear" in params:
        model = model_of(graph, params["linear"])
        effect, moments = model.total_effect(x, y), model
        slopes = [moments.coefficient(y, x, given) for given in (base, [*base, c])]
    else:
        table = moments_of(params, graph)
        effect = table.coefficient(y, x, _sets(params, graph)[0])
        slopes = [table.coefficient(y, x, given) for given in (base, [*base, c])]
    return effect, slopes[0] - effect, slopes[1] - effect


def _verdict(before: Fraction, after: Fraction) -> str:
    if before == after:
        return "same"
    return "without" if abs(before) < abs(after) else "with"


def _clear(findings: tuple[Fraction, Fraction, Fraction], kind: str) -> bool:
    """Whether the numbers show what the structure says, by a margin."""
    effect, before, after = findings
    if abs(effect) < SMALLEST_EFFECT or any(0 < abs(bias) < MARGIN for bias in (before, after)):
        return False
    if kind == "same":
        return before == after
    exact = kind.endswith("exact")
    return (
        _verdict(before, after) == kind.split("_")[0]
        and abs(abs(before) - abs(after)) >= MARGIN
        and exact == (before == 0 or after == 0)
    )


def _claims(stream: Stream, params: Mapping[str, Any], graph: Graph) -> list[Params]:
    """Four claims about sufficient sets, opened paths, independences and the better regression."""
    x, y, c = (params["roles"][role] for role in ("treatment", "outcome", "candidate covariate"))
    recorded = [name for name in graph.nodes if name not in params["unmeasured"]]
    covariates = [name for name in recorded if name not in (x, y)]
    pairs = list(combinations(recorded, 2))
    triples = [(a, b, z) for a, b in pairs for z in recorded if z not in (a, b)]
    pools: dict[str, list[Params]] = {
        "sufficient": [{"zset": list(one)} for size in (1, 2, 3) for one in combinations(covariates, size)],
        "opens": [{"a": a, "b": b, "z": z} for a, b, z in triples],
        "independent": [{"a": a, "b": b, "zset": [z]} for a, b, z in triples],
        stream.choice(("closer", "farther")): [{"z": c}],
    }
    _, before, after = _findings(params, graph)
    gain = abs(before) - abs(after)
    model = model_of(graph, params["linear"])

    def clear(claim: Params) -> bool:
        if claim["kind"] in ("closer", "farther"):
            return True
        if claim["kind"] == "sufficient":
            bias = model.coefficient(y, x, claim["zset"]) - model.total_effect(x, y)
            return bias == 0 if is_adjustment_set(graph, [x], [y], claim["zset"]) else abs(bias) >= MARGIN
        a, b = claim["a"], claim["b"]
        conditions = [[], [claim["z"]]] if claim["kind"] == "opens" else [claim["zset"]]
        return all(shows(model, a, b, one, separated=separated(graph, [a], [b], one)) for one in conditions)

    return draw_claims(stream, pools, lambda claim: _holds(claim, params, graph, gain), 4, clear)


def _holds(claim: Mapping[str, Any], params: Mapping[str, Any], graph: Graph, gain: Fraction) -> bool:
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    match claim["kind"]:
        case "sufficient":
            return is_adjustment_set(graph, [x], [y], claim["zset"])
        case "opens":
            a, b = [claim["a"]], [claim["b"]]
            return separated(graph, a, b) and not separated(graph, a, b, [claim["z"]])
        case "independent":
            return separated(graph, [claim["a"]], [claim["b"]], claim["zset"])
        case "closer":
            return gain > 0
        case _:
            return gain < 0


BUNDLE = MBias()
