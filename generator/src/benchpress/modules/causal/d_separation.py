"""d-separation: a battery of independence questions on one graph, minimal separators, and open paths.

Structure: random connected graphs, with hidden common causes from level 4 on; questions are drawn so that each answer
is a fair coin. Keys: reachability and enumeration of separators; confirmed by partial covariances of a generic
population and by listing every simple path.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.dag import Graph
from benchpress.graphs.separation import minimal_separators, separated
from benchpress.items import Json
from benchpress.models.linear import LinearModel
from benchpress.modules.causal import checks, checks_paths
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.sketches import draw_graph
from benchpress.protocol import IMPOSSIBLE
from benchpress.streams import Stream
from benchpress.wording.numbers import number, show
from benchpress.wording.sayings import Saying, Wording, listed, unlisted
from benchpress.wording.sections import Edges, HiddenCauses, Noise, Params, Variables, WeightedEdges
from benchpress.wording.stories import cast

FEWEST = Fraction(1, 20)
"""A regression coefficient that is asked for is at least this large, or zero by separation."""


class Queries:
    """`queries`: [{"id", "a", "b", "given"}], one line each."""

    _empty = Saying("{id} is about {a} and {b}, given nothing.")
    _given = Saying("{id} is about {a} and {b}, given {set}.")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        said = []
        for query in params["queries"]:
            ends = {"id": query["id"], "a": query["a"], "b": query["b"]}
            given = wording.stream.shuffled(query["given"])
            said.append(
                self._given.say(wording, **ends, set=listed(given)) if given else self._empty.say(wording, **ends)
            )
        return said

    def read(self, line: str, found: Params) -> bool:
        slots = self._empty.read(line) or self._given.read(line)
        if slots is None:
            return False
        given = sorted(unlisted(slots.get("set", "none")))
        query = {"id": slots["id"], "a": slots["a"], "b": slots["b"], "given": given}
        found.setdefault("queries", []).append(query)
        return True


class DSeparation(Bundle):
    name = "d_separation"
    summary = "independences read off a graph: a battery of verdicts, minimal separators, open paths"
    parts: ClassVar = {
        "SEPARATED_1": "verdict",
        "SEPARATED_2": "verdict",
        "SEPARATED_3": "verdict",
        "MINIMAL_SEPARATOR": "node_set",
        "ACTIVE_PATHS": "number",
    }
    sections = (Variables(), WeightedEdges(), Edges(), HiddenCauses(), Noise(), Queries())
    methods = ("reachability on the graph", "partial covariances of a generic population and listing of paths")

    def knobs(self, level: int) -> Mapping[str, int]:
        nodes = 5 + (level * 6) // 10
        return {
            "nodes": nodes,
            "edges": nodes + level // 2,
            "hidden": max(0, (level - 1) // 3),
            "verdicts": 3 + level // 4,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        story = cast(stream, knobs["nodes"], formal=variant == "transfer")
        hidden = 0 if variant == "numeric" else knobs["hidden"]
        graph = draw_graph(stream, story.names, knobs["edges"], hidden)
        names = list(graph.nodes)
        queries = []
        word = "CLAIM" if variant == "analyst" else "SEPARATED"
        for place in range(1, knobs["verdicts"] + 1):
            tricky = variant == "trap"
            queries.append({"id": f"{word}_{place}", **_query(stream, graph, stream.chance(1, 2), tricky)})
        a, b = _pair(stream, graph, joined=stream.chance(1, 5))
        queries.append({"id": "MINIMAL_SEPARATOR", "a": a, "b": b, "given": []})
        if variant == "numeric":
            queries.append({"id": "COEFFICIENT", **_query(stream, graph, stream.chance(1, 4), tricky=False)})
        else:
            a, b = stream.sample(names, 2)
            given = stream.sample([name for name in names if name not in (a, b)], stream.between(0, 2))
            queries.append({"id": "ACTIVE_PATHS", "a": a, "b": b, "given": sorted(given)})
        params: Params = {"graph": graph.to_json(), "queries": queries}
        if variant == "numeric":
            params["linear"] = {
                "coefficients": [
                    [tail, head, stream.choice(("-2", "-1", "-0.5", "0.5", "1", "2"))] for tail, head in graph.directed
                ],
                "noise": [[name, str(stream.between(1, 3))] for name in names],
            }
            value = _coefficient(params)
            if value != 0 and abs(value) < FEWEST:
                raise Redraw("the coefficient nearly cancels")
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        nodes = params["graph"]["nodes"]
        found = []
        for query in params["queries"]:
            a, b, part = query["a"], query["b"], query["id"]
            if part.startswith(("SEPARATED", "CLAIM")):
                words, question = ["yes", "no"], "Does the graph imply that the two are independent given these?"
                if part.startswith("CLAIM"):
                    words = ["true", "false"]
                    question = "An analyst claims that the graph makes the two independent given these. True or false?"
                classes = {words[0]: ["independent", "separated"], words[1]: ["dependent", "connected"]}
                skills = ("d_separation", "collider") if words[0] == "yes" else ("claim_checking", "d_separation")
                found.append(Asked(part, "verdict", question, {"vocabulary": words, "classes": classes}, skills))
            elif part == "MINIMAL_SEPARATOR":
                universe = sorted([*(name for name in nodes if name not in (a, b)), IMPOSSIBLE])
                text = (
                    f"Give a set of the other variables that makes {a} and {b} independent and of which no proper "
                    f"subset does; {{}} if they are independent anyway, {IMPOSSIBLE} if no set does."
                )
                found.append(Asked(part, "node_set", text, {"universe": universe}, ("d_separation",)))
            elif part == "ACTIVE_PATHS":
                text = (
                    "How many paths between the two are open given these? A path visits no variable twice; a hidden "
                    "common cause counts as a variable of its own on the path."
                )
                found.append(Asked(part, "number", text, {"tolerance": "0"}, ("d_separation", "collider")))
            else:
                text = f"What is the coefficient of {b} in the population regression of {a} on {b} and the given ones?"
                skills = ("covariance_algebra", "regression")
                found.append(Asked(part, "number", text, {"tolerance": "0.01"}, skills))
        return found

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        keys: dict[str, Key] = {}
        for query in params["queries"]:
            a, b, given, part = query["a"], query["b"], query["given"], query["id"]
            if part == "MINIMAL_SEPARATOR":
                sets = sorted((sorted(one) for one in minimal_separators(graph, [a], [b])), key=lambda s: (len(s), s))
                keys[part] = Key(sets[0], tuple(sets[1:])) if sets else Key([IMPOSSIBLE])
            elif part == "ACTIVE_PATHS":
                keys[part] = Key(str(_open_paths(graph, a, b, given)))
            elif part == "COEFFICIENT":
                keys[part] = Key(show(_coefficient(params)))
            else:
                yes, no = ("true", "false") if part.startswith("CLAIM") else ("yes", "no")
                keys[part] = Key(yes if separated(graph, [a], [b], given) else no)
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        graph = params["graph"]
        seed = checks.seed_of(graph, "separation")
        population = checks.Population(graph, seed)
        confirmed = {}
        for query in params["queries"]:
            a, b, given, part = query["a"], query["b"], query["given"], query["id"]
            key = keys[part]
            if part == "MINIMAL_SEPARATOR":
                sets = [] if key.gold == [IMPOSSIBLE] else [key.gold, *key.accept]
                confirmed[part] = sorted(sets) == sorted(checks_paths.separators_by_regression(graph, a, b, seed))
            elif part == "ACTIVE_PATHS":
                confirmed[part] = key.gold == str(checks_paths.active_paths_by_listing(graph, a, b, given))
            elif part == "COEFFICIENT":
                sample = checks.simulation_of(params, "separation")
                confirmed[part] = checks.near(sample.coefficient(a, b, given), key.gold)
            else:
                confirmed[part] = (key.gold in ("yes", "true")) == population.independent(a, b, given)
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        if habit not in ("ignore_colliders", "naive", "adjust_all"):
            return answers
        graph = Graph.from_json(params["graph"])
        for query in params["queries"]:
            a, b, given, part = query["a"], query["b"], query["given"], query["id"]
            if part.startswith(("SEPARATED", "CLAIM")):
                blocked = habit == "adjust_all" and bool(given)
                if habit == "ignore_colliders":
                    blocked = _cut(graph, a, b, given)
                answers[part] = ("yes" if blocked else "no") if part[0] == "S" else ("true" if blocked else "false")
            elif part == "MINIMAL_SEPARATOR" and habit == "adjust_all":
                answers[part] = sorted(set(graph.nodes) - {a, b})
            elif part == "ACTIVE_PATHS" and habit == "ignore_colliders":
                answers[part] = str(_open_paths(graph, a, b, given, colliders=False))
        return answers

    def steps(self, params: Mapping[str, Any]) -> int:
        return len(params["queries"]) * (len(params["graph"]["directed"]) + len(params["graph"]["bidirected"]))

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        reasons = {}
        for query in params["queries"]:
            a, b, given, part = query["a"], query["b"], query["given"], query["id"]
            count = _open_paths(graph, a, b, given)
            if part == "MINIMAL_SEPARATOR":
                joined = keys[part].gold == [IMPOSSIBLE]
                reasons[part] = (
                    f"{a} and {b} are joined directly, or by a path that every set leaves open."
                    if joined
                    else f"Given this set every path between {a} and {b} is blocked; without any member one opens."
                )
            elif part == "COEFFICIENT":
                reasons[part] = "From the covariances that the coefficients imply."
            else:
                reasons[part] = f"{count} of the paths between {a} and {b} are open given {listed(given)}."
        return reasons


def _query(stream: Stream, graph: Graph, wanted: bool, tricky: bool) -> Params:
    """A pair that is not adjacent and a set, independent given it or not as wanted; tricky: the set has a collider."""
    names = list(graph.nodes)
    colliders = [node for at, node in enumerate(names) if (graph.parents[at] | graph.spouses[at]).bit_count() > 1]
    for _ in range(200):
        a, b = stream.sample(names, 2)
        if graph.adjacent(a, b):
            continue
        others = [name for name in names if name not in (a, b)]
        given = stream.sample(others, min(len(others), stream.between(0, 3)))
        if tricky and not set(given) & set(colliders) and stream.chance(2, 3):
            continue
        if separated(graph, [a], [b], given) == wanted:
            return {"a": a, "b": b, "given": sorted(given)}
    raise Redraw("no query with the wanted answer")


def _pair(stream: Stream, graph: Graph, *, joined: bool) -> tuple[str, str]:
    """Two variables, adjacent or not as wanted."""
    for _ in range(100):
        a, b = stream.sample(list(graph.nodes), 2)
        if graph.adjacent(a, b) == joined:
            return a, b
    raise Redraw("no pair of the wanted adjacency")


def _open_paths(graph: Graph, a: str, b: str, given: list[str], *, colliders: bool = True) -> int:
    """The number of open paths between a and b, by extending paths edge by edge; bidirected edges count as edges."""
    start, goal = graph.index[a], graph.index[b]
    held = graph.mask(given)
    opened = graph.ancestors_of(held)
    steps: list[list[tuple[int, bool, bool]]] = [[] for _ in graph.nodes]
    for tail, head in graph.directed:
        i, j = graph.index[tail], graph.index[head]
        steps[i].append((j, False, True))
        steps[j].append((i, True, False))
    for one, other in graph.bidirected:
        i, j = graph.index[one], graph.index[other]
        steps[i].append((j, True, True))
        steps[j].append((i, True, True))

    count = 0
    stack: list[tuple[int, bool, int]] = [(start, False, 1 << start)]
    while stack:
        here, arrow_in, visited = stack.pop()
        for there, arrow_here, arrow_there in steps[here]:
            if visited >> there & 1:
                continue
            if here != start:
                collider = arrow_in and arrow_here
                passes = bool(opened >> here & 1) if collider and colliders else not held >> here & 1
                if not passes:
                    continue
            if there == goal:
                count += 1
            else:
                stack.append((there, arrow_there, visited | 1 << there))
    return count


def _cut(graph: Graph, a: str, b: str, given: list[str]) -> bool:
    """Whether removing `given` disconnects a and b when arrows are read as mere links."""
    links = [set(pair) for pair in (*graph.directed, *graph.bidirected)]
    reached, grown = {a}, True
    while grown:
        grown = False
        for link in links:
            new = link - reached - set(given)
            if link & reached and new:
                reached |= new
                grown = True
    return b not in reached


def _coefficient(params: Mapping[str, Any]) -> Fraction:
    graph, linear = Graph.from_json(params["graph"]), params["linear"]
    query = next(one for one in params["queries"] if one["id"] == "COEFFICIENT")
    model = LinearModel.of(
        graph,
        {(a, b): number(c) for a, b, c in linear["coefficients"]},
        {name: number(v) for name, v in linear["noise"]},
    )
    return model.coefficient(query["a"], query["b"], query["given"])


BUNDLE = DSeparation()
