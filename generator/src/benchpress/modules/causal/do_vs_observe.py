"""Seeing against doing: P(outcome | action) beside P(outcome | do(action)) in a binary model.

Structure: an action and an outcome with drawn common causes, chains into either side, mediators and common effects.
Keys: truncated factorisation in exact fractions; confirmed by adding cells of the whole joint distribution, in which
an intervention replaces a table by a certainty, and by reachability on a matrix.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from benchpress.gate import Key, Redraw
from benchpress.graphs.dag import Graph
from benchpress.items import Json
from benchpress.modules.causal import checks_discrete as checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.chances import TENTHS, draw_chances, draw_steady, graph_of, joint_of, network, table
from benchpress.streams import Stream
from benchpress.wording.joint import JointTable
from benchpress.wording.numbers import number, show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Edges, Params, Roles, Variables
from benchpress.wording.shares import probabilities
from benchpress.wording.stories import cast

MARGIN = Fraction(1, 100)
"""Seeing and doing differ by at least this much, or not at all by structure."""

Shape = tuple[str, ...]

CONFOUNDED: tuple[Shape, ...] = (("a>X", "a>Y"), ("a>X", "a>b", "b>Y"), ("a>b", "b>X", "a>Y"))
LOOKALIKES: tuple[Shape, ...] = (("a>X", "a>b"), ("X>a", "Y>a"), ("b>a", "b>Y", "X>a"), ("a>Y", "a>b", "X>b"))
FILLERS: tuple[Shape, ...] = (("a>X",), ("a>Y",), ("X>a", "a>Y"), ("Y>a",), ("X>a",))


class DoVsObserve(Bundle):
    name = "do_vs_observe"
    summary = "seeing against doing in binary models with common causes and look-alikes"
    parts: ClassVar = {"P_SEE": "number", "P_DO": "number", "DIFFER": "verdict", "WHY": "node_set"}
    claims = Claims(
        {
            "see": Saying("among cases with {x} = 1, the share with {y} = 1 is {value} (to three decimals)"),
            "do": Saying(
                "if {x} were set to 1 in every case, the share with {y} = 1 would be {value} (to three decimals)"
            ),
            "common": Saying(
                "{name} is a common cause of {x} and {y}", "{name} acts on {x} and, apart from that, on {y}"
            ),
            "same": Saying("seeing {x} = 1 and setting it to 1 tell the same about {y}"),
        }
    )
    sections = (Variables(), Edges(), probabilities(), JointTable(), Roles("action", "outcome"), claims)
    methods = ("truncated factorisation", "enumeration of the joint distribution and matrix reachability")

    def knobs(self, level: int) -> Mapping[str, int]:
        return {"nodes": 4 + level // 2, "extra_edges": level // 3, "common_causes": 1 + level // 5}

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        if variant == "numeric":
            knobs = {**knobs, "nodes": min(knobs["nodes"], 4 + level // 6)}
        confounded = stream.chance(11, 20)
        causes = _structure(stream, knobs, confounded=confounded, trap=variant == "trap")
        story = cast(stream, len(causes), formal=variant == "transfer", events=True)
        params: Params = {"roles": {"action": story.names[0], "outcome": story.names[1]}}
        for _ in range(40):
            params |= _tables(stream, causes, story.names, short=variant == "numeric")
            see, do = _see_and_do(params)
            if confounded == (see != do) and (not confounded or abs(see - do) >= MARGIN):
                break
        else:
            raise Redraw("seeing and doing nearly agree in every table")
        if variant == "analyst":
            params["claims"] = _claims(stream, params, see, do)
        if variant == "numeric":
            params["joint"] = joint_of(params.pop("probabilities"))
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        x, y = params["roles"]["action"], params["roles"]["outcome"]
        number_params = {"tolerance": "0.001"}
        skills = ("intervention", "probability")
        see = Asked("P_SEE", "number", f"What is P({y} = 1 | {x} = 1)?", number_params, ("probability",))
        do = Asked("P_DO", "number", f"What is P({y} = 1 | do({x} = 1))?", number_params, skills)
        if "claims" in params:
            truth = {"vocabulary": ["true", "false"], "classes": {"true": ["correct", "yes"], "false": ["no"]}}
            judged = [
                Asked(claim["id"], "verdict", "Is this claim true or false?", truth, ("claim_checking", "intervention"))
                for claim in params["claims"]
            ]
            return [*judged, do]
        others = [name for name in params["graph"]["nodes"] if name not in (x, y)]
        return [
            see,
            do,
            Asked(
                "DIFFER",
                "verdict",
                "Do the two probabilities differ?",
                {"vocabulary": ["yes", "no"], "classes": {"yes": ["true"], "no": ["false"]}},
                ("intervention",),
            ),
            Asked(
                "WHY",
                "node_set",
                f"Which variables are common causes of {x} and {y}: each has a directed path to {x} and a directed "
                f"path to {y} that does not pass through {x}. {{}} if there are none.",
                {"universe": others},
                ("back_door", "intervention"),
            ),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        see, do = _see_and_do(params)
        common = _common_causes(params)
        keys = {"P_DO": Key(show(do))}
        if "claims" not in params:
            keys |= {"P_SEE": Key(show(see)), "DIFFER": Key("no" if see == do else "yes"), "WHY": Key(common)}
        for claim in params.get("claims", ()):
            holds = _holds(claim, see, do, common)
            keys[claim["id"]] = Key("true" if holds else "false")
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        x, y = params["roles"]["action"], params["roles"]["outcome"]
        joint = checks.Joint(params["probabilities"]) if "joint" not in params else checks.Joint.of_cells(params)
        see, do = joint.chance({y: 1}, {x: 1}), joint.chance({y: 1}, do={x: 1})
        differ = abs(see - do) > checks.CLOSE
        common = _reaching_both(params)
        confirmed = {"P_DO": checks.close(do, keys["P_DO"].gold)}
        if "claims" not in params:
            confirmed["P_SEE"] = checks.close(see, keys["P_SEE"].gold)
            confirmed["DIFFER"] = keys["DIFFER"].gold == ("yes" if differ else "no")
            confirmed["WHY"] = keys["WHY"].gold == common
        for claim in params.get("claims", ()):
            if claim["kind"] in ("see", "do"):
                holds = checks.close(see if claim["kind"] == "see" else do, claim["value"], 0.0005 + checks.CLOSE)
            else:
                holds = claim["name"] in common if claim["kind"] == "common" else not differ
            confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        see, _ = _see_and_do(params)
        if habit == "naive":
            answers["P_DO"] = show(see)
            changes: dict[str, Json] = {"DIFFER": "no", "WHY": []}
        elif habit == "adjust_all":
            changes = {"WHY": sorted(set(params["graph"]["nodes"]) - set(params["roles"].values())), "DIFFER": "yes"}
        elif habit == "adjust_parents":
            x = params["roles"]["action"]
            parents = sorted(cause for cause, of in params["graph"]["directed"] if of == x)
            changes = {"WHY": parents, "DIFFER": "yes" if parents else "no"}
        else:
            changes = {"DIFFER": "yes"} if habit == "ignore_colliders" else {}
        for claim in params.get("claims", ()):
            if habit == "naive" and claim["kind"] == "do":
                changes[claim["id"]] = "true" if _rounds_to(see, claim["value"]) else "false"
            if habit == "naive" and claim["kind"] == "same":
                changes[claim["id"]] = "true"
        return {part: changes.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        cells = sum(len(entry["rows"]) for entry in params.get("probabilities", ()))
        return 2 * cells + len(params.get("joint", {}).get("rows", ())) + len(params["graph"]["directed"])

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        x, y = params["roles"]["action"], params["roles"]["outcome"]
        see, do = (show(value) for value in _see_and_do(params))
        common = ", ".join(_common_causes(params)) or "no variable"
        reasons = {
            "P_SEE": f"Add the shares of the states with {x} = 1 and {y} = 1 and divide by those with {x} = 1: {see}.",
            "P_DO": f"Leave the chance of {x} out of the product, set it to 1 everywhere, and add up: {do}.",
            "DIFFER": f"Seeing gives {see}, doing {do}: {common} acts on both.",
            "WHY": f"On {x} and, by a path that avoids it, on {y}: {common}.",
        }
        claims = {
            claim["id"]: f"Seeing gives {see}, doing {do}; {common} acts on both." for claim in params.get("claims", ())
        }
        return {part: text for part, text in (reasons | claims).items() if part in keys}


def _tables(stream: Stream, causes: list[set[int]], names: tuple[str, ...], *, short: bool) -> Params:
    """Graph and conditional probabilities; tenths where the joint distribution is to be printed, so it stays short."""
    tables = [
        table(
            names[at],
            [names[cause] for cause in sorted(above)],
            draw_chances(stream, len(above), TENTHS) if short else draw_steady(stream, len(above)),
        )
        for at, above in enumerate(causes)
    ]
    return {"graph": graph_of(tables), "probabilities": sorted(tables, key=lambda entry: entry["of"])}


def _structure(stream: Stream, knobs: Mapping[str, int], *, confounded: bool, trap: bool) -> list[set[int]]:
    """Direct causes of each numbered variable, at most three; 0 is the action, 1 the outcome."""
    causes: list[set[int]] = [set(), {0} if stream.chance(4, 5) else set()]
    plan = [CONFOUNDED] * knobs["common_causes"] if confounded else []
    plan += [LOOKALIKES] * (1 + trap)
    while plan or len(causes) < knobs["nodes"]:
        pool = plan.pop(0) if plan else FILLERS
        shape = stream.choice([shape for shape in pool if _fits(shape, causes)] or [("X>a",)])
        fresh = sorted({end for arrow in shape for end in (arrow[0], arrow[2])} - {"X", "Y"})
        place = {"X": 0, "Y": 1, **{letter: len(causes) + at for at, letter in enumerate(fresh)}}
        causes += [set() for _ in fresh]
        for arrow in shape:
            causes[place[arrow[2]]].add(place[arrow[0]])
    extra = knobs["extra_edges"]
    for _ in range(6 * extra):
        tail, head = stream.sample(range(2, len(causes)), 2)
        if extra and len(causes[head]) < 3 and tail not in causes[head] and not _above(causes, tail, head):
            causes[head].add(tail)
            if not confounded and _joined(causes):
                causes[head].discard(tail)
            else:
                extra -= 1
    return causes


def _fits(shape: Shape, causes: list[set[int]]) -> bool:
    """Whether action and outcome keep at most three direct causes."""
    return all(len(causes[at]) + sum(arrow[2] == end for arrow in shape) <= 3 for at, end in ((0, "X"), (1, "Y")))


def _joined(causes: list[set[int]]) -> bool:
    """Whether some variable acts on the action and, around it, on the outcome."""
    return any(_above(causes, 0, at) and _above(causes, 1, at, without=0) for at in range(2, len(causes)))


def _above(causes: list[set[int]], node: int, goal: int, without: int | None = None) -> bool:
    """Whether `goal` is `node` or one of its causes, on a path that avoids `without`."""
    todo, seen = [node], {node}
    while todo:
        here = todo.pop()
        if here == goal:
            return True
        for cause in causes[here]:
            if cause not in seen and cause != without:
                seen.add(cause)
                todo.append(cause)
    return False


def _see_and_do(params: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """P(outcome | action) and P(outcome | do(action)), exactly."""
    x, y = params["roles"]["action"], params["roles"]["outcome"]
    if "joint" in params:
        return _from_joint(params, x, y)
    model = network(params)
    return model.probability({y: 1}, {x: 1}), model.probability({y: 1}, do={x: 1})


def _from_joint(params: Mapping[str, Any], x: str, y: str) -> tuple[Fraction, Fraction]:
    """From a printed joint distribution, by adjustment for the direct causes of the action."""
    columns = params["joint"]["columns"]
    rows = [(dict(zip(columns, bits, strict=True)), number(value)) for bits, value in params["joint"]["rows"]]
    parents = [cause for cause, of in params["graph"]["directed"] if of == x]

    def mass(**wanted: str) -> Fraction:
        return sum((p for state, p in rows if all(state[name] == bit for name, bit in wanted.items())), Fraction(0))

    see = mass(**{x: "1", y: "1"}) / mass(**{x: "1"})
    strata = {tuple(state[name] for name in parents) for state, _ in rows}
    do = Fraction(0)
    for stratum in sorted(strata):
        fixed = dict(zip(parents, stratum, strict=True))
        do += mass(**fixed) * mass(**fixed, **{x: "1", y: "1"}) / mass(**fixed, **{x: "1"})
    return see, do


def _common_causes(params: Mapping[str, Any]) -> list[str]:
    graph = Graph.from_json(params["graph"])
    x, y = params["roles"]["action"], params["roles"]["outcome"]
    around = graph.without_outgoing([x])
    return sorted((set(graph.ancestors([x])) & set(around.ancestors([y]))) - {x, y})


def _reaching_both(params: Mapping[str, Any]) -> list[str]:
    """Common causes again, from powers of the adjacency matrix with and without the action's arrows."""
    nodes = params["graph"]["nodes"]
    x, y = (nodes.index(params["roles"][role]) for role in ("action", "outcome"))
    step = np.zeros((len(nodes), len(nodes)), dtype=bool)
    for a, b in params["graph"]["directed"]:
        step[nodes.index(a), nodes.index(b)] = True

    def reach(matrix: Any) -> Any:
        found = matrix
        for _ in nodes:
            found = found | (found @ matrix)
        return found

    silenced = step.copy()
    silenced[x] = False
    to_action, around = reach(step)[:, x], reach(silenced)[:, y]
    return sorted(name for at, name in enumerate(nodes) if to_action[at] and around[at] and at not in (x, y))


def _rounds_to(exact: Fraction, printed: str) -> bool:
    return abs(exact - number(printed)) <= Fraction(1, 2000)


def _holds(claim: Mapping[str, Any], see: Fraction, do: Fraction, common: list[str]) -> bool:
    if claim["kind"] == "common":
        return claim["name"] in common
    if claim["kind"] == "same":
        return see == do
    return _rounds_to(see if claim["kind"] == "see" else do, claim["value"])


def _claims(stream: Stream, params: Mapping[str, Any], see: Fraction, do: Fraction) -> list[Params]:
    """Four claims; wrong values are the other probability or a near miss."""
    x, y = params["roles"]["action"], params["roles"]["outcome"]
    common = _common_causes(params)
    others = [name for name in params["graph"]["nodes"] if name not in (x, y)]
    claims: list[Params] = []
    for kind, right, wrong in (("see", see, do), ("do", do, see)):
        value = right if stream.chance(1, 2) else wrong
        if wrong == right and stream.chance(1, 2):
            value = right + Fraction(stream.choice((-1, 1)), 10)
        claims.append({"kind": kind, "x": x, "y": y, "value": show(Fraction(round(value * 1000), 1000))})
    pool = common if common and stream.chance(1, 2) else [name for name in others if name not in common] or others
    claims.append({"kind": "common", "name": stream.choice(pool), "x": x, "y": y})
    claims.append({"kind": "same", "x": x, "y": y})
    return [{"id": f"CLAIM_{place}", **claim} for place, claim in enumerate(stream.shuffled(claims), 1)]


BUNDLE = DoVsObserve()
