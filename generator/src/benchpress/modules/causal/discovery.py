"""Discovery: the graph from listed independences and experiments, or from exact covariances.

Structure: random connected graphs; each pair that no arrow joins is listed with one separating set, and some variables
were experimented on. Keys: constraint search with Meek's rules; confirmed by going through every orientation of the
skeleton, and every adjacency by partial covariances.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.dag import Graph
from benchpress.graphs.equivalence import Cpdag, completions, oriented_with
from benchpress.graphs.separation import minimal_separators, separated
from benchpress.items import Json
from benchpress.models.linear import LinearModel
from benchpress.modules.causal import checks_discovery
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.moments import CovarianceTable
from benchpress.modules.causal.patterns import pattern_of
from benchpress.modules.causal.sketches import draw_graph
from benchpress.streams import Stream
from benchpress.wording.independences import Experiments, Independences, Names
from benchpress.wording.numbers import show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Covariances, Params
from benchpress.wording.stories import cast

FAINT = Fraction(1, 1000)
"""A squared partial correlation is at least this large, or zero by separation."""

CLASSES = {"true": ["correct", "yes"], "false": ["no", "incorrect"]}


class Discovery(Bundle):
    name = "discovery"
    summary = "a graph from listed independences and experiments, or from exact covariances"
    parts: ClassVar = {"SKELETON": "edges", "ORIENTED": "edges", "UNDETERMINED": "edges", "GRAPHS_LEFT": "number"}
    claims = Claims(
        {
            "adjacent": Saying("{a} and {b} are joined directly, in one direction or the other"),
            "acts": Saying("it follows from all this that {a} acts directly on {b}"),
            "open": Saying("the two are joined, and all this leaves the direction between {a} and {b} open"),
        }
    )
    sections = (Names(), Independences(), Covariances(), Experiments(), claims)
    methods = ("constraint search with Meek's rules", "every orientation of the skeleton, and partial covariances")

    def knobs(self, level: int) -> Mapping[str, int]:
        nodes = 4 + level // 2
        return {"nodes": nodes, "edges": min(12, nodes + level // 4), "experiments": (level + 1) // 4}

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        nodes = 4 + (level >= 5) if variant == "numeric" else knobs["nodes"]
        story = cast(stream, nodes, formal=variant == "transfer")
        edges = min(knobs["edges"], nodes * (nodes - 1) // 2 - 2)
        for _ in range(200):
            graph = draw_graph(stream, story.names, edges, most_parents=3)
            targets = stream.sample(story.names, knobs["experiments"])
            changed = [[name, sorted(set(graph.descendants([name])) - {name})] for name in sorted(targets)]
            params: Params = {"variables": sorted(story.names), "experiments": sorted(changed)}
            params["independences"] = _separated_pairs(stream, graph)
            _, pattern = _search(params)
            settled = bool(pattern.directed) and (variant != "trap" or _tempting(pattern))
            if settled and (pattern.undirected or stream.chance(1, 3)):
                break
        else:
            raise Redraw("no graph with arrows that follow")
        if variant == "numeric":
            del params["independences"]
            params["covariance"] = _covariance(stream, graph)
        if variant == "analyst":
            params["claims"] = _claims(stream, params)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        names = params["variables"]
        basis = (
            "Assume a directed acyclic graph without hidden common causes whose every dependence shows (faithfulness)."
        )
        left = Asked(
            "GRAPHS_LEFT",
            "number",
            f"{basis} How many directed acyclic graphs agree with everything stated?",
            {"tolerance": "0"},
            ("equivalence",),
        )
        if "claims" in params:
            skills = ("claim_checking", "orientation")
            truth = {"vocabulary": ["true", "false"], "classes": CLASSES}
            judged = [
                Asked(claim["id"], "verdict", f"{basis} Is this claim true or false?", truth, skills)
                for claim in params["claims"]
            ]
            return [*judged, left]
        both = {"universe": names, "directed": False}
        return [
            Asked("SKELETON", "edges", f"{basis} Which pairs are joined directly?", both, ("d_separation",)),
            Asked(
                "ORIENTED",
                "edges",
                "For which of them does the direction follow? Give the arrows, {} if there are none.",
                {"universe": names, "directed": True},
                ("orientation", "collider"),
            ),
            Asked(
                "UNDETERMINED",
                "edges",
                "For which of them does the direction remain open? {} if for none.",
                both,
                ("orientation", "equivalence"),
            ),
            left,
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        skeleton, pattern = _search(params)
        keys = {"GRAPHS_LEFT": Key(str(sum(1 for _ in completions(pattern))))}
        if "claims" in params:
            for claim in params["claims"]:
                keys[claim["id"]] = Key("true" if _holds(claim, skeleton, pattern) else "false")
            return keys
        keys["SKELETON"] = Key(skeleton)
        keys["ORIENTED"] = Key([list(arrow) for arrow in pattern.directed])
        keys["UNDETERMINED"] = Key([list(pair) for pair in pattern.undirected])
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        found = checks_discovery.search(params)
        confirmed = {"GRAPHS_LEFT": keys["GRAPHS_LEFT"].gold == str(found.graphs)}
        for claim in params.get("claims", ()):
            pair = sorted([claim["a"], claim["b"]])
            holds = {
                "adjacent": pair in found.skeleton,
                "acts": [claim["a"], claim["b"]] in found.arrows,
                "open": pair in found.open_pairs,
            }[claim["kind"]]
            confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
        if "SKELETON" in keys:
            confirmed["SKELETON"] = keys["SKELETON"].gold == found.skeleton
            confirmed["ORIENTED"] = keys["ORIENTED"].gold == found.arrows
            confirmed["UNDETERMINED"] = keys["UNDETERMINED"].gold == found.open_pairs
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        skeleton, _ = _search(params)
        known = [list(arrow) for arrow in _shown(params, skeleton)]
        if habit == "ignore_colliders":
            arrows = sorted(known)
        elif habit == "naive":
            arrows = []
        elif habit == "adjust_parents":
            arrows = sorted(known + [list(arrow) for arrow in _colliders(params, skeleton) if list(arrow) not in known])
        else:
            return answers
        joined = [sorted(arrow) for arrow in arrows]
        changes: dict[str, Json] = {
            "ORIENTED": arrows,
            "UNDETERMINED": [pair for pair in skeleton if pair not in joined],
            "GRAPHS_LEFT": str(2 ** (len(skeleton) - len(arrows))),
        }
        return {part: changes.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        count = len(params["variables"])
        return count * (count - 1) // 2 + 3 * len(_search(params)[0])

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        _, pattern = _search(params)
        arrows = "; ".join(f"{a} -> {b}" for a, b in pattern.directed) or "none"
        still = "; ".join(f"{a} - {b}" for a, b in pattern.undirected) or "none"
        reasons = {
            "SKELETON": "A pair is joined exactly when no set separates it.",
            "ORIENTED": "Colliders (middles outside the separating set), experiments, then no new collider, no cycle.",
            "UNDETERMINED": f"These go both ways: {still}.",
            "GRAPHS_LEFT": f"Directing {still} without a new collider or a cycle: {keys['GRAPHS_LEFT'].gold} ways.",
        }
        reasons |= {claim["id"]: f"Arrows that follow: {arrows}. Open: {still}." for claim in params.get("claims", ())}
        return {part: text for part, text in reasons.items() if part in keys}


def _separated_pairs(stream: Stream, graph: Graph) -> list[list[Any]]:
    """Every pair that is not joined, with one of its minimal separating sets."""
    found: list[list[Any]] = []
    for a, b in combinations(sorted(graph.nodes), 2):
        if not graph.adjacent(a, b):
            sets = sorted(sorted(one) for one in minimal_separators(graph, [a], [b]))
            found.append([a, b, stream.choice(sets)])
    return found


def _covariance(stream: Stream, graph: Graph) -> list[list[str]]:
    """The covariances of a linear model of the graph, in which every partial covariance is zero or not faint."""
    for _ in range(60):
        coefficients = {edge: stream.choice((-2, -1, 1, 2)) for edge in graph.directed}
        model = LinearModel.of(graph, coefficients, {name: stream.between(1, 3) for name in graph.nodes})
        if _clear(model, graph):
            names = sorted(graph.nodes)
            return sorted([a, b, show(model.covariance(a, b))] for at, a in enumerate(names) for b in names[at:])
    raise Redraw("every model has a faint dependence")


def _clear(model: LinearModel, graph: Graph) -> bool:
    """Whether no partial correlation is faint, and none is zero that the graph allows."""
    for a, b in combinations(graph.nodes, 2):
        others = [name for name in graph.nodes if name not in (a, b)]
        for given in (one for size in range(len(others) + 1) for one in combinations(others, size)):
            square = model.squared_partial_correlation(a, b, given)
            if square < FAINT and (square or not separated(graph, [a], [b], given)):
                return False
    return True


def _separators(params: Mapping[str, Any]) -> dict[tuple[str, str], list[str]]:
    """For every separated pair a set that separates it, as listed or found in the covariances."""
    if "independences" in params:
        return {(a, b): given for a, b, given in params["independences"]}
    table = CovarianceTable(params["covariance"])
    found = {}
    for a, b in combinations(params["variables"], 2):
        others = [name for name in params["variables"] if name not in (a, b)]
        for given in (one for size in range(len(others) + 1) for one in combinations(others, size)):
            if table.partial_covariance(a, b, given) == 0:
                found[a, b] = list(given)
                break
    return found


def _search(params: Mapping[str, Any]) -> tuple[list[list[str]], Cpdag]:
    """The skeleton, and the pattern with every arrow that follows from independences and experiments."""
    separators = _separators(params)
    skeleton = [[a, b] for a, b in combinations(params["variables"], 2) if (a, b) not in separators]
    fixed = _colliders(params, skeleton, separators)
    shown = [arrow for arrow in _shown(params, skeleton) if arrow not in fixed]
    open_pairs = [pair for pair in skeleton if (pair[0], pair[1]) not in fixed and (pair[1], pair[0]) not in fixed]
    return skeleton, oriented_with(pattern_of(params["variables"], fixed, open_pairs), shown)


def _colliders(
    params: Mapping[str, Any],
    skeleton: list[list[str]],
    separators: Mapping[tuple[str, str], list[str]] | None = None,
) -> list[tuple[str, str]]:
    """Arrows into the middles of unshielded triples whose separating set leaves the middle out."""
    near: dict[str, set[str]] = {name: set() for name in params["variables"]}
    for a, b in skeleton:
        near[a].add(b)
        near[b].add(a)
    found = {}
    for (a, b), given in sorted((separators or _separators(params)).items()):
        for middle in sorted(near[a] & near[b]):
            if middle not in given:
                found[a, middle] = found[b, middle] = True
    return list(found)


def _shown(params: Mapping[str, Any], skeleton: list[list[str]]) -> list[tuple[str, str]]:
    """Arrows at the variables that were experimented on: a neighbour that changed is an effect."""
    found = {}
    for target, changed in params["experiments"]:
        for a, b in skeleton:
            if target in (a, b):
                other = b if target == a else a
                found[(target, other) if other in changed else (other, target)] = True
    return list(found)


def _tempting(pattern: Cpdag) -> bool:
    """Some arrows follow while a neighbouring pair stays open: tempting to direct it by the look of things."""
    ends = {end for arrow in pattern.directed for end in arrow}
    return any(a in ends or b in ends for a, b in pattern.undirected)


def _holds(claim: Mapping[str, Any], skeleton: list[list[str]], pattern: Cpdag) -> bool:
    a, b = claim["a"], claim["b"]
    pair = sorted([a, b])
    if claim["kind"] == "adjacent":
        return pair in skeleton
    if claim["kind"] == "acts":
        return (a, b) in pattern.directed
    return (pair[0], pair[1]) in pattern.undirected


def _claims(stream: Stream, params: Mapping[str, Any]) -> list[Params]:
    skeleton, pattern = _search(params)
    names = params["variables"]
    pool = {
        "adjacent": [stream.sample(names, 2) for _ in range(30)],
        "acts": [stream.shuffled(pair) for pair in skeleton],
        "open": [stream.shuffled(pair) for pair in skeleton],
    }
    claims: list[Params] = []
    for kind in ("adjacent", "acts", "acts", "open"):
        fitting: dict[bool, list[Params]] = {True: [], False: []}
        for a, b in pool[kind]:
            claim: Params = {"kind": kind, "a": a, "b": b}
            if claim not in claims:
                fitting[_holds(claim, skeleton, pattern)].append(claim)
        wanted = stream.chance(1, 2)
        options = fitting[wanted] or fitting[not wanted]
        if not options:
            raise Redraw(f"no {kind} claim")
        claims.append(stream.choice(options))
    return [{"id": f"CLAIM_{place}", **claim} for place, claim in enumerate(stream.shuffled(claims), 1)]


BUNDLE = Discovery()
