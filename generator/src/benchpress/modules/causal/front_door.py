"""The front door: an effect identified through mediators although a hidden common cause joins its ends.

Structure: channels of mediators from treatment to outcome; either a hidden common cause of the two, or recorded ones,
or both doors open, or neither although the effect is identified; mediators that are spoiled by a common cause of
their own, and distractors. Keys: front-door criterion and formula (back-door formula and ID algorithm where it does
not apply); confirmed by generic populations over all subsets and by fixing on the array of the observed distribution.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.adjustment import is_adjustment_set, minimal_adjustment_sets
from benchpress.graphs.dag import Graph
from benchpress.graphs.frontdoor import frontdoor_sets, is_frontdoor_set
from benchpress.items import Json
from benchpress.models.formulas import average_effect, front_door
from benchpress.modules.causal import checks_front_door as checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.front_door_effects import (
    MARGIN,
    ROUNDED,
    Figures,
    apart,
    data_of,
    doors_of,
    figures_of,
    habitual,
    holding,
)
from benchpress.modules.causal.front_door_graphs import draw_front_door
from benchpress.modules.causal.mixed_sketch import named
from benchpress.modules.causal.observed import Observed, about, joint_rows
from benchpress.modules.causal.observed_wording import BIAS, BIAS_SKILLS, OBSERVED
from benchpress.modules.causal.shares import draw_shares
from benchpress.protocol import IMPOSSIBLE
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Params, Roles
from benchpress.wording.stories import cast

KINDS = ("front", "back", "both", "neither")
"""Which door is open: a front-door set exists, an adjustment set exists, both, neither (identified all the same)."""

SKILLS = {
    "front": "front_door",
    "adjust": "adjustment",
    "share": "identification",
    "seen": "probability",
    **BIAS_SKILLS,
}


class FrontDoor(Bundle):
    name = "front_door"
    summary = "identification through mediators, against back-door adjustment"
    parts: ClassVar = {
        "FRONT_DOOR_SET": "node_set",
        "EFFECT": "number",
        "NAIVE_EFFECT": "number",
        "BACK_DOOR_POSSIBLE": "verdict",
    }
    claims = Claims(
        {
            "front": Saying(
                "{mset} satisfies the front-door criterion for the effect",
                "the front-door formula with the mediators {mset} is right",
            ),
            "adjust": Saying(
                "adjusting for {zset} gives the effect",
                "standardising over {zset} is enough to remove all confounding",
            ),
            "share": Saying(
                "with {x} set to {v} in every case, the share with {y} = 1 would be {value} (to three decimals)"
            ),
            "seen": Saying(
                "among the cases that have {x} = {v} anyway, the share with {y} = 1 is {value} (to three decimals)"
            ),
            **BIAS,
        }
    )
    sections = (
        *OBSERVED,
        Roles("treatment", "outcome"),
        claims,
    )
    methods = (
        "front-door criterion and formula",
        "generic populations over all subsets and fixing on the observed array",
    )

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "nodes": 4 + (level * 7) // 10,
            "channels": 1 + (level >= 4),
            "extra_edges": level // 4,
            "spoiled": (level + 1) // 4,
            "misleading": 20 + 7 * level,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = dict(self.knobs(level))
        if variant == "numeric":
            knobs |= {"nodes": min(knobs["nodes"], 4 + level // 5), "extra_edges": 0, "spoiled": min(level // 4, 1)}
        kind = stream.weighted(KINDS, (3 + level // 4, 3, 3, 3) if variant == "trap" else (4 + level // 4, 3, 2, 2))
        graph, numbers, front = draw_front_door(stream, knobs, kind)
        story = cast(stream, len(graph.nodes), formal=variant == "transfer", events=True)
        graph, name = named(graph, numbers, story.names)
        x, y = name["X"], name["Y"]
        params: Params = {"graph": graph.to_json(), "roles": {"treatment": x, "outcome": y}}
        doors = (
            tuple(sorted(tuple(sorted(name[one] for one in members)) for members in front)),
            () if front else minimal_adjustment_sets(graph, [x], [y]),
        )
        habits = (habitual(habit, graph, x, y) for habit in ("adjust_parents", "adjust_all"))
        wrong = [chosen for chosen in habits if not is_adjustment_set(graph, [x], [y], chosen)]
        for _ in range(20):
            shares = draw_shares(stream, graph, steady=[x], tenths=variant == "numeric")
            found = figures_of(shares, graph, x, y, doors)
            if abs(found.effect) >= MARGIN and apart(found, shares, x, y, doors[0], wrong):
                break
        else:
            raise Redraw("the effect is near zero or a wrong way's result in every table")
        if variant == "numeric":
            params["joint"] = joint_rows(shares.table(graph.nodes))
        else:
            params["shares"] = shares.entries()
        if variant == "analyst":
            params["claims"] = _claims(stream, params, graph, shares, found)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        others = [name for name in params["graph"]["nodes"] if name not in (x, y)]
        number = {"tolerance": "0.001"}
        effect = Asked(
            "EFFECT",
            "number",
            f"What is P({y} = 1 | do({x} = 1)) - P({y} = 1 | do({x} = 0))? It follows from the diagram and the "
            "observed distribution.",
            number,
            ("front_door", "identification", "probability"),
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
        return [
            Asked(
                "FRONT_DOOR_SET",
                "node_set",
                f"Which variables satisfy the front-door criterion for the effect of {x} on {y}? A set satisfies it "
                f"if (1) every directed path from {x} to {y} meets the set, (2) no back-door path from {x} to a "
                f"member is open while nothing is conditioned on, and (3) conditioning on {x} alone closes every "
                f"back-door path from a member to {y} on which no other member lies. Give a set of which no proper "
                f"subset satisfies it; {IMPOSSIBLE} if no set of listed variables does.",
                {"universe": sorted([*others, IMPOSSIBLE])},
                ("front_door", "mediation"),
            ),
            effect,
            naive,
            Asked(
                "BACK_DOOR_POSSIBLE",
                "verdict",
                f"Does some set of listed variables, possibly empty, satisfy the back-door criterion for the effect "
                f"of {x} on {y}?",
                {"vocabulary": ["yes", "no"], "classes": {"yes": ["true"], "no": ["false"]}},
                ("back_door", "adjustment"),
            ),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        doors = doors_of(graph, x, y)
        found = figures_of(data_of(params), graph, x, y, doors)
        keys = {"EFFECT": Key(show(found.effect)), "NAIVE_EFFECT": Key(show(found.naive))}
        if "claims" in params:
            return keys | {one["id"]: Key(truth(_holds(one, graph, x, y, found))) for one in params["claims"]}
        front, back = doors
        keys["FRONT_DOOR_SET"] = Key(list(front[0]), tuple(map(list, front[1:]))) if front else Key([IMPOSSIBLE])
        keys["BACK_DOOR_POSSIBLE"] = Key("yes" if back else "no")
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        return checks.confirm(params, keys, IMPOSSIBLE)

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        graph = Graph.from_json(params["graph"])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        covariates = habitual(habit, graph, x, y)
        mediators = sorted(set(graph.descendants([x])) & set(graph.ancestors([y])) - {x, y})
        table = holding(data_of(params), [x, y, *covariates])
        chosen: dict[str, Json] = {"EFFECT": show(average_effect(table, x, y, covariates))}
        if habit == "ignore_colliders":
            chosen["FRONT_DOOR_SET"] = mediators or [IMPOSSIBLE]
        elif habit != "naive":
            chosen["BACK_DOOR_POSSIBLE"] = "yes"
        for claim in params.get("claims", ()):
            if claim["kind"] == "adjust":
                chosen[claim["id"]] = truth(set(covariates) <= set(claim["zset"]))
            elif claim["kind"] == "front":
                chosen[claim["id"]] = truth(set(claim["mset"]) <= set(mediators))
        return {part: chosen.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        rows = sum(len(entry["rows"]) for entry in params.get("shares", ()))
        graph = params["graph"]
        edges = len(graph["directed"]) + 2 * len(graph["bidirected"])
        return rows + len(params.get("joint", {}).get("rows", ())) + 2 * edges

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        front, back = doors = doors_of(graph, x, y)
        found = figures_of(data_of(params), graph, x, y, doors)
        effect, naive = found.effect, found.naive
        door = (
            f"The front-door formula through {{{', '.join(front[0])}}}"
            if front
            else f"Adjusting for {{{', '.join(back[0])}}}"
            if back
            else "Neither door is open, but each factor of the observed distribution can be had; the ID algorithm"
        )
        shown = f"Front-door sets: {_shown(front)}; adjustment sets: {_shown(back)}."
        reasons = {
            "FRONT_DOOR_SET": f"Minimal sets that satisfy all three conditions: {_shown(front)}.",
            "EFFECT": f"{door} gives {about(effect)}.",
            "NAIVE_EFFECT": f"The share of {y} among cases with {x} = 1 less that among the others: {about(naive)}.",
            "BACK_DOOR_POSSIBLE": f"Minimal adjustment sets of listed variables: {_shown(back)}.",
        }
        claims = {
            one["id"]: shown if one["kind"] in ("front", "adjust") else
            f"P({y} = 1) is {about(found.done[1])} under do({x} = 1) and {about(found.done[0])} under do({x} = 0); the "
            f"plain difference is {about(naive)}."
            for one in params.get("claims", ())
        }  # fmt: skip
        return {part: text for part, text in (reasons | claims).items() if part in keys}


def _shown(sets: Sequence[Sequence[str]]) -> str:
    return ", ".join("{" + ", ".join(one) + "}" for one in sets) or "none"


def _claims(stream: Stream, params: Mapping[str, Any], graph: Graph, data: Observed, found: Figures) -> list[Params]:
    """Four claims about front-door sets, adjustment sets, shares under intervention and the direction of the bias."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    others = [name for name in graph.nodes if name not in (x, y)]
    pool = [list(one) for size in range(3) for one in combinations(others, size)]
    right = [sorted(one) for one in frontdoor_sets(graph, x, y, minimal=False)]

    def values(right: Sequence[Fraction], wrong: Sequence[Fraction]) -> list[Params]:
        """A right value and two wrong ones for either state of the treatment."""
        return [
            {"x": x, "v": str(at), "y": y, "value": show(Fraction(round(value * 1000), 1000))}
            for at in (0, 1)
            for value in (right[at], wrong[at], right[1 - at])
        ]

    pools: dict[str, list[Params]] = {
        "front": [{"mset": one} for one in [*right * 2, *pool]],
        "adjust": [{"zset": one} for one in pool],
        "share": values(found.done, found.seen),
        "seen": values(found.seen, found.done),
        stream.choice(("overstates", "understates")): [{}],
    }

    def clear(claim: Params) -> bool:
        """Whether a claim that is false of the graph is false of the numbers, and a wrong value far from the right."""
        if claim["kind"] in ("overstates", "understates") or _holds(claim, graph, x, y, found):
            return True
        if claim["kind"] in ("share", "seen"):
            return _gap(claim, found) >= MARGIN
        if claim["kind"] == "adjust":
            got = average_effect(data.table([x, *claim["zset"], y]), x, y, claim["zset"])
        else:
            table = data.table([x, *claim["mset"], y])
            got = front_door(table, x, y, claim["mset"], 1) - front_door(table, x, y, claim["mset"], 0)
        return abs(got - found.effect) >= MARGIN

    return draw_claims(stream, pools, lambda one: _holds(one, graph, x, y, found), 4, clear)


def _holds(claim: Mapping[str, Any], graph: Graph, x: str, y: str, found: Figures) -> bool:
    match claim["kind"]:
        case "front":
            return is_frontdoor_set(graph, x, y, claim["mset"])
        case "adjust":
            return is_adjustment_set(graph, [x], [y], claim["zset"])
        case "share" | "seen":
            return _gap(claim, found) <= ROUNDED
        case "overstates":
            return found.naive > found.effect
        case _:
            return found.naive < found.effect


def _gap(claim: Mapping[str, Any], found: Figures) -> Fraction:
    """How far the value of a claim lies from the share that it speaks of."""
    shares = found.done if claim["kind"] == "share" else found.seen
    return abs(shares[int(claim["v"])] - Fraction(claim["value"]))


BUNDLE = FrontDoor()
