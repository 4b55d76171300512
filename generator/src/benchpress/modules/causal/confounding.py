"""Confounding: which covariates to adjust for among mediators, colliders, instruments and descendants.

Structure: a treatment and an outcome joined by drawn motifs (confounders, chains of them, mediators, M-structures,
butterflies, common effects, instruments, causes of the outcome alone, consequences), some variables unrecorded.
Keys: adjustment criterion and covariance algebra; confirmed by regression over all subsets in a generic linear
population and by simulation of the printed model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from itertools import count as count_up
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.adjustment import is_adjustment_set, minimal_adjustment_sets
from benchpress.graphs.dag import Graph
from benchpress.graphs.separation import separated
from benchpress.items import Json
from benchpress.models.linear import LinearModel
from benchpress.modules.causal import checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.moments import shows
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

MOTIFS: dict[str, tuple[int, tuple[str, ...]]] = {
    "confounder": (1, ("a>X", "a>Y")),
    "chain": (2, ("a>b", "a>X", "b>Y")),
    "back_chain": (2, ("a>b", "b>X", "a>Y")),
    "mediator": (1, ("X>a", "a>Y")),
    "m_structure": (3, ("a>X", "a>c", "b>c", "b>Y")),
    "butterfly": (3, ("a>X", "a>c", "b>c", "b>Y", "c>X", "c>Y")),
    "collider": (1, ("X>a", "Y>a")),
    "instrument": (1, ("a>X",)),
    "precision": (1, ("a>Y",)),
    "consequence": (1, ("Y>a",)),
    "side_effect": (1, ("X>a",)),
}
"""Motif -> how many new variables it brings and its arrows; X and Y are treatment and outcome."""

WEIGHTS = {
    "open": {"confounder": 5, "chain": 4, "back_chain": 4, "butterfly": 2},
    "closed": {"m_structure": 3, "mediator": 3},
    "filler": {
        "mediator": 4, "collider": 3, "instrument": 2, "precision": 2, "consequence": 2, "side_effect": 1,
        "m_structure": 2,
    },
}  # fmt: skip
"""How often each motif is drawn: to open a back-door path, to leave none open, to fill up with distractors."""


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
        skeleton = _structure(stream, knobs, variant, kind)
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
        linear = _linear(stream, params, whole=variant == "numeric")
        model = _model(graph, linear)
        _keep_margins(model, params)
        if variant == "numeric":
            seen = [name for name in graph.nodes if name not in hidden]
            params["covariance"] = sorted(
                [a, b, show(model.covariance(a, b))] for at, a in enumerate(seen) for b in seen[at:]
            )
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
            return [
                *(
                    Asked(
                        claim["id"],
                        "verdict",
                        "Is this claim true or false?",
                        {"vocabulary": ["true", "false"], "classes": {"true": ["correct", "yes"], "false": ["no"]}},
                        ("claim_checking", *_CLAIM_SKILLS[claim["kind"]]),
                    )
                    for claim in params["claims"]
                ),
                effect,
                naive,
            ]
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
            model = _model(graph, params["linear"])
            effect, naive = model.total_effect(x, y), model.coefficient(y, x)
        else:
            effect, naive = (_regression(params["covariance"], x, y, z) for z in (sets[0], []))
        keys = {"EFFECT": Key(show(effect)), "NAIVE_EFFECT": Key(show(naive))}
        if "claims" in params:
            for claim in params["claims"]:
                keys[claim["id"]] = Key("true" if _holds(claim, params, graph, naive - effect) else "false")
            return keys
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
        return reasons

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        if habit not in ("adjust_all", "ignore_colliders", "adjust_parents", "naive"):
            return answers
        graph = Graph.from_json(params["graph"])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        chosen = _habitual(habit, params, graph)
        if "ADJUSTMENT_SET" in answers:
            answers["ADJUSTMENT_SET"] = chosen
        if "linear" in params:
            estimate = _model(graph, params["linear"]).coefficient(y, x, chosen)
        else:
            estimate = _regression(params["covariance"], x, y, chosen)
        answers["EFFECT"] = show(estimate)
        for claim in params.get("claims", ()):
            if claim["kind"] == "sufficient":
                answers[claim["id"]] = "true" if set(chosen) <= set(claim["zset"]) else "false"
        return answers


_CLAIM_SKILLS = {
    "sufficient": ("adjustment",),
    "independent": ("d_separation",),
    "overstates": ("bias_direction",),
    "understates": ("bias_direction",),
}


def _kinds(variant: str) -> tuple[int, int, int]:
    """Weights of: a set is needed, none is, none exists. Printed covariances need an identified effect."""
    return {"trap": (5, 3, 3), "numeric": (7, 2, 0)}.get(variant, (6, 2, 2))


@dataclass(frozen=True, slots=True)
class _Skeleton:
    """Arrows between numbered variables (0 treatment, 1 outcome), how many there are, and which to leave unrecorded."""

    arrows: list[tuple[int, int]]
    count: int
    unrecorded: set[int]


def _structure(stream: Stream, knobs: Mapping[str, int], variant: str, kind: str) -> _Skeleton:
    """A trap hides both arms of an M-structure; where no set is to exist, a whole opening motif stays unrecorded."""
    arrows: set[tuple[int, int]] = set()
    count, unrecorded = 2, set()
    plan = [] if kind == "nothing" else [stream.weighted(*_options("open", 2)) for _ in range(knobs["opening_motifs"])]
    openers = len(plan)
    if kind == "nothing":
        plan = [stream.weighted(*_options("closed", knobs["nodes"] - count))]
    if variant == "trap":
        plan.append("m_structure")
    for turn in count_up():
        if turn >= len(plan) and count >= knobs["nodes"]:
            break
        motif = plan[turn] if turn < len(plan) else stream.weighted(*_options("filler", knobs["nodes"] - count))
        size, shape = MOTIFS[motif]
        place = {"X": 0, "Y": 1, **{letter: count + at for at, letter in enumerate("abc"[:size])}}
        arrows |= {(place[arrow[0]], place[arrow[2]]) for arrow in shape}
        if kind == "impossible" and turn == 0:
            unrecorded |= set(range(count, count + size))
        if variant == "trap" and turn == len(plan) - 1:
            unrecorded |= {place["a"], place["b"]}
        count += size
    if stream.chance(3, 4) or not _reaches(arrows, 0, 1):
        arrows.add((0, 1))
    _add_extra(stream, arrows, count, knobs["extra_edges"] if openers else knobs["extra_edges"] // 3)
    spare = [number for number in range(2, count) if number not in unrecorded]
    wanted = max(0, min(knobs["unrecorded"] - len(unrecorded), len(spare) - 2))
    return _Skeleton(sorted(arrows), count, unrecorded | set(stream.sample(spare, wanted)))


def _options(pool: str, room: int) -> tuple[list[str], list[int]]:
    """Motifs of a pool that bring at most `room` variables, with their weights."""
    fitting = {motif: weight for motif, weight in WEIGHTS[pool].items() if MOTIFS[motif][0] <= max(room, 1)}
    return list(fitting), list(fitting.values())


def _add_extra(stream: Stream, arrows: set[tuple[int, int]], count: int, extra: int) -> None:
    """Up to `extra` more arrows between the other variables, along a drawn causal order."""
    for _ in range(4 * extra):
        if extra == 0:
            return
        a, b = stream.sample(range(count), 2)
        if (a < 2 and b < 2) or (a, b) in arrows or (b, a) in arrows or _reaches(arrows, b, a):
            continue
        arrows.add((a, b))
        extra -= 1


def _reaches(arrows: set[tuple[int, int]], start: int, goal: int) -> bool:
    seen, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for a, b in arrows:
            if a == here and b not in seen:
                seen.add(b)
                todo.append(b)
    return goal in seen


def _sets(params: Mapping[str, Any], graph: Graph) -> list[list[str]]:
    """All minimal adjustment sets of recorded variables, smallest first."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    found = minimal_adjustment_sets(graph, [x], [y], excluded=params["unmeasured"])
    return sorted((sorted(one) for one in found), key=lambda one: (len(one), one))


def _linear(stream: Stream, params: Mapping[str, Any], *, whole: bool) -> Params:
    """Coefficients (halves, or whole numbers where covariances are printed) and noise variances."""
    sizes = ("1", "2", "3") if whole else ("0.5", "1", "1.5", "2")
    coefficients = [
        [a, b, ("-" if stream.chance(2, 5) else "") + stream.choice(sizes)] for a, b in params["graph"]["directed"]
    ]
    return {
        "coefficients": coefficients,
        "noise": [[name, str(stream.between(1, 4))] for name in params["graph"]["nodes"]],
    }


def _model(graph: Graph, linear: Mapping[str, Any]) -> LinearModel:
    return LinearModel.of(graph, {(a, b): c for a, b, c in linear["coefficients"]}, dict(linear["noise"]))


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


def _regression(covariance: list[list[str]], x: str, y: str, given: list[str]) -> Fraction:
    """The coefficient of x in the regression of y on x and `given`, from printed covariances."""
    table = {(a, b): Fraction(v) for a, b, v in covariance}
    names = [x, *given]
    rows = [[table[min(a, b), max(a, b)] for b in names] + [table[min(a, y), max(a, y)]] for a in names]
    for at in range(len(names)):
        for below in range(len(names)):
            if below != at and rows[below][at]:
                factor = rows[below][at] / rows[at][at]
                rows[below] = [p - factor * q for p, q in zip(rows[below], rows[at], strict=True)]
    return rows[0][-1] / rows[0][0]


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
