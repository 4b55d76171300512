"""Collider bias: two unrelated quantities that become associated in a sample selected on a common effect.

Structure: two quantities without common cause or effect on each other, each with causes and consequences of its own,
and common effects further down; the sample is selected on one or more variables, which open a path between the two or
only look as if they did. The numeric variant has binary variables with tables of chances. Keys: d-separation and exact
regression or enumeration; confirmed by partial covariances of a generic population over all subsets, by simulation and
by summing the joint distribution.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.dag import Graph
from benchpress.graphs.separation import minimal_separators, separated
from benchpress.items import Json
from benchpress.modules.causal import checks, checks_linear
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.checks_discrete import CLOSE, Joint
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.collider_graphs import WANTED, selection, structure
from benchpress.modules.causal.collider_tables import MARGIN as BINARY_MARGIN
from benchpress.modules.causal.collider_tables import asked_of_tables, differences, draw_tables
from benchpress.modules.causal.draft import draw_linear, model_of
from benchpress.modules.causal.moments import shows
from benchpress.modules.causal.observed import about, any_of, braced
from benchpress.protocol import IMPOSSIBLE
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import (
    Claims,
    Edges,
    Noise,
    Params,
    Roles,
    Unmeasured,
    Variables,
    WeightedEdges,
)
from benchpress.wording.sets import NamedSets
from benchpress.wording.shares import probabilities
from benchpress.wording.stories import cast

MARGIN = Fraction(1, 20)
"""A slope that is not zero by structure is at least this large, and so is a change of slope."""

FIRST, SECOND, FURTHER = "first quantity", "second quantity", "further quantity"


class ColliderBias(Bundle):
    name = "collider_bias"
    summary = "association between unrelated quantities in a sample selected on a common effect"
    parts: ClassVar = {
        "OPENED_BY": "node_set",
        "ASSOCIATION_SELECTED": "number",
        "SAFE_COVARIATES": "node_set",
        "ASSOCIATION_FURTHER": "number",
        "VERDICT": "verdict",
    }
    claims = Claims(
        {
            "opens": Saying(
                "holding {z} alone fixed makes {a} and {b} dependent",
                "in a sample selected on {z} alone {a} and {b} are associated",
            ),
            "closes": Saying(
                "holding {zset} fixed as well leaves {a} and {b} independent in the sample",
                "the sample shows no association of {a} and {b} once {zset} is held fixed too",
            ),
            "independent": Saying(
                "in the sample {a} is independent of {b}",
                "the sample shows {a} and {b} unassociated",
            ),
            "above": Saying(
                "in the sample the slope of {b} on {a} is above zero",
                "the regression on the sample gives {a} a slope above zero for {b}",
            ),
            "below": Saying(
                "in the sample the slope of {b} on {a} is below zero",
                "the regression on the sample gives {a} a slope below zero for {b}",
            ),
        }
    )
    sections = (
        Variables(),
        WeightedEdges(),
        Edges(),
        Noise(),
        probabilities(),
        Unmeasured(),
        Roles(FIRST, SECOND, FURTHER),
        NamedSets(
            {
                "selected": Saying(
                    "Sample selected on: {names}.",
                    "The sample holds only cases with one and the same value of each of these: {names}.",
                    "Only cases that agree in these entered the sample: {names}.",
                    "What was kept are the cases with one fixed value for each of: {names}.",
                ),
                "kept": Saying(
                    "Kept in the sample where all of these are 1: {names}.",
                    "The sample holds only cases in which all of these happened: {names}.",
                    "A case entered the sample only where all of these were so: {names}.",
                ),
            }
        ),
        claims,
    )
    methods = ("d-separation and exact regression", "generic population over all subsets and simulation")

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "nodes": 5 + 4 * level // 5,
            "extra_edges": level,
            "selected": 1 + (level >= 4) + (level >= 8),
            "unrecorded": level // 4,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        binary = variant == "numeric"
        knobs = dict(self.knobs(level))
        if binary:
            # Tables double with every cause, so there are fewer variables and at most three causes each.
            knobs |= {"nodes": 5 + level // 2, "extra_edges": (level + 1) // 2, "causes": 3}
        wanted = stream.weighted(WANTED, (0, 3, 5, 2) if variant == "analyst" else (3, 3, 5, 3))
        apart = wanted == "creates" or (wanted == "unchanged" and stream.chance(1, 4))
        for _ in range(8):
            draft = structure(stream, knobs)
            story = cast(stream, draft.count, formal=variant == "transfer", events=binary)
            graph = draft.graph(story.names)
            found = selection(stream, graph, story.names, knobs["selected"], wanted, apart, variant)
            if found is not None:
                break
        else:
            raise Redraw(f"no selection that {wanted} in eight structures")
        selected, further = found
        spare = [name for name in graph.nodes if name not in (*selected, further, *story.names[:2])]
        hidden = sorted(stream.sample(spare, min(knobs["unrecorded"], max(0, len(spare) - 2))))
        params: Params = {
            "graph": graph.to_json(),
            "unmeasured": hidden,
            "roles": {FIRST: story.names[0], SECOND: story.names[1], FURTHER: further},
            "sets": {"kept" if binary else "selected": selected},
        }
        for _ in range(12):
            if binary:
                params["probabilities"] = draw_tables(stream, graph)
            else:
                params["linear"] = draw_linear(stream, graph)
            if _clear(params, graph, wanted):
                break
        else:
            raise Redraw("an association nearly cancels")
        if variant == "analyst":
            params["claims"] = _claims(stream, params, graph)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        a, b, c = (params["roles"][role] for role in (FIRST, SECOND, FURTHER))
        kept = _selected(params)
        chosen = "{" + ", ".join(kept) + "}"
        recorded = _recorded(params)
        slopes = (
            asked_of_tables(a, b, c, kept)
            if "probabilities" in params
            else [
                Asked(
                    "ASSOCIATION_SELECTED",
                    "number",
                    f"What is the slope of {a} in the population regression of {b} on {a} and {chosen}? "
                    "(With normal noise, this is the slope inside the sample.)",
                    {"tolerance": "0.01"},
                    ("covariance_algebra", "selection_bias"),
                ),
                Asked(
                    "ASSOCIATION_FURTHER",
                    "number",
                    f"What does this slope become when {c} is a further regressor beside {a} and {chosen}?",
                    {"tolerance": "0.01"},
                    ("covariance_algebra", "regression"),
                ),
            ]
        )
        if "claims" in params:
            question = "Is this claim about the sample or its selection true or false?"
            return [*asked_claims(params["claims"], question, _CLAIM_SKILL), *slopes]
        return [
            Asked(
                "OPENED_BY",
                "node_set",
                f"{a} and {b} are independent in the whole population. Judged by the arrows, which recorded variables "
                "make them dependent when that variable alone is held fixed? Give all of them.",
                {"universe": [name for name in recorded if name not in (a, b)]},
                ("collider", "d_separation"),
            ),
            slopes[0],
            Asked(
                "SAFE_COVARIATES",
                "node_set",
                f"Judged by the arrows, which recorded variables must be held fixed in addition to {chosen} for {a} "
                f"and {b} to be independent in the sample? Give a set of which no proper subset does it; {{}} if they "
                f"are independent there already, {IMPOSSIBLE} if no set of recorded variables does it.",
                {"universe": sorted([IMPOSSIBLE, *(one for one in recorded if one not in (a, b, *kept))])},
                ("d_separation", "collider", "selection_bias"),
            ),
            slopes[1],
            Asked(
                "VERDICT",
                "verdict",
                f"What does holding {c} fixed as well, as in ASSOCIATION_FURTHER, do to the association of {a} with "
                f"{b} in the sample: does it create one where there was none, remove the one there was, change its "
                "size without removing it, or leave it exactly as it was (unchanged)?",
                {
                    "vocabulary": list(WANTED),
                    "classes": {
                        "creates": ["create", "created", "induces", "opens"],
                        "removes": ["remove", "removed", "eliminates", "closes"],
                        "changes": ["change", "changed", "alters"],
                        "unchanged": ["same", "nothing", "no change", "unaffected"],
                    },
                },
                ("collider", "bias_direction"),
            ),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        before, after = _associations(params, graph)
        keys = {"ASSOCIATION_SELECTED": Key(show(before)), "ASSOCIATION_FURTHER": Key(show(after))}
        if "claims" in params:
            for claim in params["claims"]:
                keys[claim["id"]] = Key(truth(_holds(claim, params, graph, before)))
            return keys
        sets = _safe_sets(params, graph)
        keys["OPENED_BY"] = Key(_openers(params, graph))
        keys["SAFE_COVARIATES"] = Key(sets[0], tuple(sets[1:])) if sets else Key([IMPOSSIBLE])
        keys["VERDICT"] = Key(_verdict(before, after))
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        a, b, c = (params["roles"][role] for role in (FIRST, SECOND, FURTHER))
        kept = params["sets"]["kept" if "probabilities" in params else "selected"]
        rest = [name for name in params["graph"]["nodes"] if name not in (*params["unmeasured"], a, b)]
        population = checks_linear.population_of(params)
        if "probabilities" in params:
            joint = Joint(params["probabilities"])
            high, low, high_further, low_further = (
                joint.chance({b: 1}, {**dict.fromkeys(given, 1), a: value})
                for given in (kept, [*kept, c])
                for value in (1, 0)
            )
            before, after = (high - low, CLOSE), (high_further - low_further, CLOSE)
        else:
            sample = checks_linear.sample_of_problem(params, "collider_bias")
            before, after = sample.coefficient(b, a, kept), sample.coefficient(b, a, [*kept, c])
        confirmed = {
            "ASSOCIATION_SELECTED": checks.near(before, keys["ASSOCIATION_SELECTED"].gold),
            "ASSOCIATION_FURTHER": checks.near(after, keys["ASSOCIATION_FURTHER"].gold),
        }
        if "claims" in params:
            for claim in params["claims"]:
                match claim["kind"]:
                    case "opens":
                        holds = not checks_linear.independent(population, a, b, [claim["z"]])
                    case "closes":
                        holds = checks_linear.independent(population, a, b, [*kept, *claim["zset"]])
                    case "independent":
                        holds = checks_linear.independent(population, claim["a"], claim["b"], kept)
                    case "above":
                        holds = before[0] > checks.SIGMAS * before[1]
                    case _:
                        holds = before[0] < -checks.SIGMAS * before[1]
                confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
            return confirmed
        left = checks_linear.partial_covariances(population, a, b, [(name,) for name in rest])
        opened = [name for name, value in zip(rest, left, strict=True) if abs(value) > checks_linear.NEGLIGIBLE]
        confirmed["OPENED_BY"] = keys["OPENED_BY"].gold == sorted(opened)
        free = [name for name in rest if name not in kept]
        sets = checks_linear.minimal_separators_by_covariance(population, a, b, kept, free)
        key = keys["SAFE_COVARIATES"]
        given = [] if key.gold == [IMPOSSIBLE] else [key.gold, *key.accept]
        confirmed["SAFE_COVARIATES"] = sorted(given) == sorted(sets)
        gone, back = ([] in sets), checks_linear.independent(population, a, b, [*kept, c])
        if gone != back:
            verdict = "creates" if gone else "removes"
        else:
            verdict = "unchanged" if abs(before[0] - after[0]) < float(BINARY_MARGIN) / 2 else "changes"
        confirmed["VERDICT"] = keys["VERDICT"].gold == verdict
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        graph = Graph.from_json(params["graph"])
        a, b = params["roles"][FIRST], params["roles"][SECOND]
        recorded = [name for name in _recorded(params) if name not in (a, b, *_selected(params))]
        if habit in ("naive", "ignore_colliders"):
            # Unrelated in the population, so unrelated in the sample.
            answers |= {"ASSOCIATION_SELECTED": "0", "ASSOCIATION_FURTHER": "0"}
            blind = {"OPENED_BY": [], "SAFE_COVARIATES": [], "VERDICT": "unchanged"}
            answers |= {part: value for part, value in blind.items() if part in answers}
            for claim in params.get("claims", ()):
                answers[claim["id"]] = "true" if claim["kind"] in ("closes", "independent") else "false"
        else:
            # More control is taken to be safer: what is adjusted for closes the path.
            parents = [name for name in recorded if [name, a] in params["graph"]["directed"]]
            chosen = parents if habit == "adjust_parents" else recorded
            if "SAFE_COVARIATES" in answers:
                answers["SAFE_COVARIATES"] = chosen
                answers["VERDICT"] = "removes" if separated(graph, [a], [b], chosen) else "changes"
            for claim in params.get("claims", ()):
                if claim["kind"] == "closes":
                    answers[claim["id"]] = truth(habit == "adjust_all" or set(parents) <= set(claim["zset"]))
        return answers

    def steps(self, params: Mapping[str, Any]) -> int:
        involved = 3 + len(_selected(params))
        if "probabilities" in params:
            return (len(params["graph"]["nodes"]) - involved + 1) * 8 * involved
        traced = len(params["graph"]["directed"]) * involved // 3
        return traced + len(params["graph"]["directed"]) + involved**3 // 3

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        a, b, c = (params["roles"][role] for role in (FIRST, SECOND, FURTHER))
        before, after = (about(value) for value in _associations(params, graph))
        kept = braced(_selected(params))
        safe = any_of(_safe_sets(params, graph))
        measured = "difference of chances" if "probabilities" in params else "slope"
        reasons = {
            "OPENED_BY": f"{a} and {b} have no common cause and neither affects the other; a common effect of theirs, "
            f"or what it affects, joins them once it is held fixed: {braced(_openers(params, graph))}.",
            "ASSOCIATION_SELECTED": f"The {measured} of {b} by {a} given {kept}: {before}.",
            "SAFE_COVARIATES": f"Minimal sets that d-separate {a} from {b} together with {kept}: {safe}.",
            "ASSOCIATION_FURTHER": f"The same {measured} given {kept} and {c}: {after}.",
            "VERDICT": f"Without {c} it is {before}, with {c} it is {after}.",
        }
        for claim in params.get("claims", ()):
            slope = claim["kind"] in ("above", "below")
            reasons[claim["id"]] = (
                f"The {measured} in the sample is {before}." if slope else "Checked by d-separation on the graph."
            )
        return {part: reasons[part] for part in keys}


_CLAIM_SKILL = {
    "opens": "collider",
    "closes": "d_separation",
    "independent": "d_separation",
    "above": "bias_direction",
    "below": "bias_direction",
}


def _recorded(params: Mapping[str, Any]) -> list[str]:
    return [name for name in params["graph"]["nodes"] if name not in params["unmeasured"]]


def _selected(params: Mapping[str, Any]) -> list[str]:
    """What the sample was selected on; in binary problems the variables that are 1 in it."""
    names: list[str] = params["sets"]["kept" if "probabilities" in params else "selected"]
    return names


def _associations(params: Mapping[str, Any], graph: Graph) -> tuple[Fraction, Fraction]:
    """The association in the sample, and with the further variable held fixed."""
    a, b, c = (params["roles"][role] for role in (FIRST, SECOND, FURTHER))
    kept = _selected(params)
    if "probabilities" in params:
        before, after = differences(params, b, a, [kept, [*kept, c]])
        return before, after
    model = model_of(graph, params["linear"])
    return model.coefficient(b, a, kept), model.coefficient(b, a, [*kept, c])


def _verdict(before: Fraction, after: Fraction) -> str:
    if before == after:
        return "unchanged"
    return "creates" if before == 0 else "removes" if after == 0 else "changes"


def _clear(params: Mapping[str, Any], graph: Graph, wanted: str) -> bool:
    """Whether the slopes show what the structure says, by a margin."""
    before, after = _associations(params, graph)
    if _verdict(before, after) != wanted:
        return False
    margin = BINARY_MARGIN if "probabilities" in params else MARGIN
    if any(0 < abs(value) < margin for value in (before, after, before - after)):
        return False
    a, b = params["roles"][FIRST], params["roles"][SECOND]
    return (before == 0) == separated(graph, [a], [b], _selected(params))


def _openers(params: Mapping[str, Any], graph: Graph) -> list[str]:
    a, b = params["roles"][FIRST], params["roles"][SECOND]
    return [name for name in _recorded(params) if name not in (a, b) and not separated(graph, [a], [b], [name])]


def _safe_sets(params: Mapping[str, Any], graph: Graph) -> list[list[str]]:
    """The minimal sets that make both sides independent in the sample, smallest first."""
    a, b, kept = params["roles"][FIRST], params["roles"][SECOND], _selected(params)
    found = minimal_separators(graph, [a], [b], include=kept, exclude=params["unmeasured"])
    return sorted((sorted(set(one) - set(kept)) for one in found), key=lambda one: (len(one), one))


def _claims(stream: Stream, params: Mapping[str, Any], graph: Graph) -> list[Params]:
    """Four claims about single openers, closing sets, pairs in the sample and the sign of the slope."""
    a, b, kept = params["roles"][FIRST], params["roles"][SECOND], _selected(params)
    others = [name for name in _recorded(params) if name not in (a, b)]
    free = [name for name in others if name not in kept]
    pairs = [pair for pair in combinations(sorted([*free, a, b]), 2) if set(pair) != {a, b}]
    slope = _associations(params, graph)[0]
    pools: dict[str, list[Params]] = {
        "opens": [{"z": name, "a": a, "b": b} for name in others],
        "closes": [{"zset": list(one), "a": a, "b": b} for size in (1, 2, 3) for one in combinations(free, size)],
        "independent": [{"a": one, "b": other} for one, other in pairs],
        stream.choice(("above", "below")): [{"a": a, "b": b}],
    }
    model = model_of(graph, params["linear"])

    def clear(claim: Params) -> bool:
        if claim["kind"] in ("above", "below"):
            return True
        given = [claim["z"]] if claim["kind"] == "opens" else [*kept, *claim.get("zset", ())]
        return shows(
            model, claim["a"], claim["b"], given, separated=separated(graph, [claim["a"]], [claim["b"]], given)
        )

    return draw_claims(stream, pools, lambda claim: _holds(claim, params, graph, slope), 4, clear)


def _holds(claim: Mapping[str, Any], params: Mapping[str, Any], graph: Graph, slope: Fraction) -> bool:
    a, b, kept = params["roles"][FIRST], params["roles"][SECOND], _selected(params)
    match claim["kind"]:
        case "opens":
            return not separated(graph, [a], [b], [claim["z"]])
        case "closes":
            return separated(graph, [a], [b], [*kept, *claim["zset"]])
        case "independent":
            return separated(graph, [claim["a"]], [claim["b"]], kept)
        case "above":
            return slope > 0
        case _:
            return slope < 0


BUNDLE = ColliderBias()
