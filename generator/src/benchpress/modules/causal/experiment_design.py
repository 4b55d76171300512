"""Experiment design: the fewest interventions that settle a graph, whatever the truth is.

Structure: the pattern of a random graph with several open pairs; an experiment on a variable shows the direction of
every pair at it. Keys: Meek's rules on what each outcome leaves open; confirmed by splitting the enumerated class by
outcome.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.equivalence import class_size, cpdag
from benchpress.items import Json
from benchpress.modules.causal import checks_design
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.patterns import Possible, pattern_of
from benchpress.modules.causal.sketches import draw_graph
from benchpress.streams import Stream
from benchpress.wording.sayings import Saying, Wording, listed, unlisted
from benchpress.wording.sections import Claims, Params, Roles
from benchpress.wording.stories import cast

CLASSES = {"true": ["correct", "yes"], "false": ["no", "incorrect"]}


class Pattern:
    """`pattern`: {"nodes", "directed", "undirected"}, what observation has settled and left open."""

    _names = Saying("Variables: {names}.", "The quantities are: {names}.", "At issue are these quantities: {names}.")
    _known = Saying("- {a} -> {b}", "- {a} acts directly on {b}.", "- {b} responds directly to {a}.")
    _open = Saying(
        "- {a} -- {b}",
        "- {a} and {b} are joined directly, the direction is open.",
        "- Between {a} and {b} there is a direct effect of unknown direction.",
    )
    _header = Saying(
        "What long observation has settled (-> known direction, -- open direction; no other direct effects):",
        "What long observation has settled about direct effects (there are no others):",
    )

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        pattern = params["pattern"]
        said = [self._known.say(wording, a=a, b=b) for a, b in pattern["directed"]]
        for pair in pattern["undirected"]:
            a, b = wording.stream.shuffled(pair)
            said.append(self._open.say(wording, a=a, b=b))
        names = self._names.say(wording, names=listed(wording.stream.shuffled(pattern["nodes"])))
        return [names, self._header.say(wording), *wording.stream.shuffled(said)]

    def read(self, line: str, found: Params) -> bool:
        slots = self._names.read(line)
        if slots is not None:
            found["pattern"] = {"nodes": sorted(unlisted(slots["names"])), "directed": [], "undirected": []}
            return True
        if (slots := self._open.read(line)) is not None:
            found["pattern"]["undirected"].append(sorted([slots["a"], slots["b"]]))
            found["pattern"]["undirected"].sort()
            return True
        if (slots := self._known.read(line)) is not None:
            found["pattern"]["directed"].append([slots["a"], slots["b"]])
            return True
        return self._header.read(line) is not None


class Costs:
    """`costs`: [name, whole number], what an experiment on each variable costs."""

    _saying = Saying("Cost of an experiment on each variable: {list}.")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if "costs" not in params:
            return []
        entries = wording.stream.shuffled(params["costs"])
        return [self._saying.say(wording, list=listed([f"{name} = {value}" for name, value in entries]))]

    def read(self, line: str, found: Params) -> bool:
        slots = self._saying.read(line)
        if slots is None:
            return False
        found["costs"] = sorted(list(entry.rsplit(" = ", 1)) for entry in unlisted(slots["list"]))
        return True


class Candidates:
    """`candidates`: the variables that ORDER ranks."""

    _saying = Saying("Candidates for a first experiment: {names}.")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        return [self._saying.say(wording, names=listed(wording.stream.shuffled(params["candidates"])))]

    def read(self, line: str, found: Params) -> bool:
        slots = self._saying.read(line)
        if slots is None:
            return False
        found["candidates"] = sorted(unlisted(slots["names"]))
        return True


class ExperimentDesign(Bundle):
    name = "experiment_design"
    summary = "the fewest or cheapest interventions that settle a graph whatever the truth is"
    parts: ClassVar = {"TARGETS": "node_set", "ORDER": "sequence", "REMAINING": "number"}
    claims = Claims(
        {
            "settles": Saying("experiments on {zset} settle the graph whatever they show"),
            "leaves": Saying("after an experiment on {a} alone, at most {value} graphs are left whatever it shows"),
        }
    )
    sections = (Pattern(), Costs(), Candidates(), Roles("first target"), claims)
    methods = ("Meek's rules on every outcome", "the enumerated class split by outcome")

    def knobs(self, level: int) -> Mapping[str, int]:
        nodes = 5 + level // 3
        return {"nodes": nodes, "edges": min(12, nodes + level // 3), "graphs": 4 + level // 3}

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        story = cast(stream, knobs["nodes"], formal=variant == "transfer")
        for _ in range(300):
            graph = draw_graph(stream, story.names, knobs["edges"])
            if not knobs["graphs"] <= class_size(graph) <= 60:
                continue
            found = cpdag(graph)
            pattern: Params = {
                "nodes": list(found.nodes),
                "directed": [list(edge) for edge in found.directed],
                "undirected": [list(pair) for pair in found.undirected],
            }
            graphs = Possible(found)
            at_worst = {name: graphs.left_at_worst(name) for name in found.nodes}
            candidates = _distinct(stream, at_worst)
            if candidates and (variant != "trap" or _tempting(pattern)):
                break
        else:
            raise Redraw("no pattern with three candidates apart")
        params: Params = {"pattern": pattern, "candidates": sorted(candidates)}
        open_names = sorted({end for pair in pattern["undirected"] for end in pair})
        params["roles"] = {"first target": stream.choice(open_names)}
        if variant == "numeric":
            params["costs"] = [[name, str(stream.between(1, 9))] for name in pattern["nodes"]]
        if variant == "analyst":
            params["claims"] = _claims(stream, open_names, graphs, at_worst)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        nodes = params["pattern"]["nodes"]
        basis = "An experiment on a variable shows the direction of every direct effect at it."
        skills = ("experiment_design", "orientation")
        remaining = Asked(
            "REMAINING",
            "number",
            f"{basis} After an experiment on {params['roles']['first target']} alone, how many directed acyclic graphs "
            "with these direct effects and no further unshielded collider can still be possible at worst?",
            {"tolerance": "0"},
            ("experiment_design", "equivalence"),
        )
        order = Asked(
            "ORDER",
            "sequence",
            "Rank the candidates by how many graphs an experiment on each alone leaves at worst, fewest first.",
            {"universe": params["candidates"]},
            ("experiment_design", "ordering"),
        )
        if "claims" in params:
            truth = {"vocabulary": ["true", "false"], "classes": CLASSES}
            judged = [
                Asked(c["id"], "verdict", f"{basis} Is this claim true or false?", truth, ("claim_checking", *skills))
                for c in params["claims"]
            ]
            return [*judged, order, remaining]
        wish = "the cheapest set of variables in total" if "costs" in params else "a smallest set of variables"
        targets = Asked(
            "TARGETS",
            "node_set",
            f"{basis} All experiments are fixed beforehand. Give {wish} such that experiments on each of them settle "
            "every direction, whatever the truth is.",
            {"universe": nodes},
            skills,
        )
        if "costs" in params:
            total = Asked(
                "TOTAL_COST", "number", "What does that set cost?", {"tolerance": "0"}, ("experiment_design",)
            )
            return [targets, total, order, remaining]
        return [targets, order, remaining]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graphs = _graphs(params)
        at_worst = {name: graphs.left_at_worst(name) for name in params["pattern"]["nodes"]}
        keys = {
            "REMAINING": Key(str(at_worst[params["roles"]["first target"]])),
            "ORDER": Key(sorted(params["candidates"], key=lambda name: at_worst[name])),
        }
        if "claims" in params:
            for claim in params["claims"]:
                keys[claim["id"]] = Key("true" if _holds(claim, graphs, at_worst) else "false")
            return keys
        cost = {name: int(value) for name, value in params["costs"]} if "costs" in params else None
        best, total = _best(params["pattern"], graphs, cost)
        keys["TARGETS"] = Key(best[0], tuple(best[1:]))
        if cost is not None:
            keys["TOTAL_COST"] = Key(str(total))
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        found = checks_design.Design(params["pattern"])
        first = params["roles"]["first target"]
        confirmed = {"REMAINING": keys["REMAINING"].gold == str(found.left([first]))}
        ranked = [found.left([name]) for name in keys["ORDER"].gold]
        confirmed["ORDER"] = sorted(keys["ORDER"].gold) == params["candidates"] and all(
            ranked[at] < ranked[at + 1] for at in range(len(ranked) - 1)
        )
        for claim in params.get("claims", ()):
            if claim["kind"] == "settles":
                holds = found.left(claim["zset"]) == 1
            else:
                holds = found.left([claim["a"]]) <= int(claim["value"])
            confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
        if "TARGETS" in keys:
            sets = found.cheapest(dict(params["costs"]) if "costs" in params else None)
            given = [keys["TARGETS"].gold, *keys["TARGETS"].accept]
            confirmed["TARGETS"] = sorted(given) == sets.targets
            if "TOTAL_COST" in keys:
                confirmed["TOTAL_COST"] = keys["TOTAL_COST"].gold == str(sets.total)
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        pattern = params["pattern"]
        degree = {name: sum(name in pair for pair in pattern["undirected"]) for name in pattern["nodes"]}
        if habit == "naive":
            cover = _cover(pattern["undirected"], degree)
            changes: dict[str, Json] = {
                "TARGETS": cover,
                "ORDER": sorted(params["candidates"], key=lambda n: -degree[n]),
            }
        elif habit == "adjust_all":
            changes = {"TARGETS": sorted(name for name in degree if degree[name])}
        elif habit == "ignore_colliders":
            left = len(pattern["undirected"]) - degree[params["roles"]["first target"]]
            changes = {"REMAINING": str(2**left)}
        else:
            return answers
        return {part: changes.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        return len(_graphs(params)) + 3 * len(params["pattern"]["undirected"])

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graphs = _graphs(params)
        at_worst = {name: graphs.left_at_worst(name) for name in params["pattern"]["nodes"]}
        listing = ", ".join(f"{name}: {count}" for name, count in at_worst.items())
        reasons = {
            "TARGETS": f"{len(graphs)} graphs are possible; each of them gives these experiments a different outcome.",
            "ORDER": f"Graphs left at worst: {listing}.",
            "REMAINING": f"Graphs left at worst: {listing}.",
            "TOTAL_COST": "The sum of the costs of that set.",
        }
        claims = {claim["id"]: f"Graphs left at worst: {listing}." for claim in params.get("claims", ())}
        return {part: text for part, text in (reasons | claims).items() if part in keys}


def _graphs(params: Mapping[str, Any]) -> Possible:
    pattern = params["pattern"]
    return Possible(pattern_of(pattern["nodes"], pattern["directed"], pattern["undirected"]))


def _distinct(stream: Stream, at_worst: Mapping[str, int]) -> list[str]:
    """Three variables whose worst cases differ, or none."""
    by_count: dict[int, list[str]] = {}
    for name, count in at_worst.items():
        by_count.setdefault(count, []).append(name)
    if len(by_count) < 3:
        return []
    return [stream.choice(by_count[count]) for count in stream.sample(sorted(by_count), 3)]


def _best(pattern: Mapping[str, Any], graphs: Possible, cost: Mapping[str, int] | None) -> tuple[list[list[str]], int]:
    """All settling sets of least size, or of least cost, and that size or cost."""
    names = sorted({end for pair in pattern["undirected"] for end in pair})
    best: list[list[str]] = []
    least: int | None = None
    for size in range(len(names) + 1):
        if cost is None and best:
            break
        for targets in combinations(names, size):
            total = size if cost is None else sum(cost[name] for name in targets)
            if (least is None or total <= least) and graphs.settled_by(targets):
                best = [*best, list(targets)] if total == least else [list(targets)]
                least = total
    return best, least or 0


def _cover(pairs: Sequence[Sequence[str]], degree: Mapping[str, int]) -> list[str]:
    """Greedy: the variable with most open pairs first, until every open pair is touched."""
    left, chosen = [set(pair) for pair in pairs], []
    while left:
        name = max(sorted(degree), key=lambda one: sum(one in pair for pair in left))
        chosen.append(name)
        left = [pair for pair in left if name not in pair]
    return sorted(chosen)


def _tempting(pattern: Mapping[str, Any]) -> bool:
    """A variable with the most direct effects at it has none of open direction: it only looks important."""
    pairs = [*pattern["directed"], *pattern["undirected"]]
    degree = {name: sum(name in pair for pair in pairs) for name in pattern["nodes"]}
    most = max(degree.values())
    return any(
        count == most and not any(name in pair for pair in pattern["undirected"]) for name, count in degree.items()
    )


def _holds(claim: Mapping[str, Any], graphs: Possible, at_worst: Mapping[str, int]) -> bool:
    if claim["kind"] == "settles":
        return graphs.settled_by(claim["zset"])
    return at_worst[claim["a"]] <= int(claim["value"])


def _claims(stream: Stream, names: Sequence[str], graphs: Possible, at_worst: Mapping[str, int]) -> list[Params]:
    claims: list[Params] = []
    sets = [list(one) for size in range(1, min(4, len(names))) for one in combinations(names, size)]
    for _ in range(2):
        wanted = stream.chance(1, 2)
        fitting = [
            one for one in sets if graphs.settled_by(one) == wanted and {"kind": "settles", "zset": one} not in claims
        ]
        if not fitting:
            raise Redraw("no set of the wanted power")
        claims.append({"kind": "settles", "zset": stream.choice(fitting)})
    for a in stream.sample(names, 2):
        value = at_worst[a] if stream.chance(1, 2) else at_worst[a] - 1
        claims.append({"kind": "leaves", "a": a, "value": str(value)})
    return [{"id": f"CLAIM_{place}", **claim} for place, claim in enumerate(stream.shuffled(claims), 1)]


BUNDLE = ExperimentDesign()
