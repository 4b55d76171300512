"""Markov equivalence: which arrows are compelled, which colliders are unshielded, how large the class is.

Structure: random connected graphs; traps have shielded colliders and arrows that are compelled without being part of
any unshielded collider. Keys: Meek's rules; confirmed by going through every orientation of the skeleton.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.dag import Graph
from benchpress.graphs.equivalence import class_size, cpdag, v_structures
from benchpress.items import Json
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.checks_orientations import Orientations
from benchpress.modules.causal.sketches import draw_graph
from benchpress.streams import Stream
from benchpress.wording.sayings import Saying, Wording
from benchpress.wording.sections import Claims, Edges, Params, Variables
from benchpress.wording.stories import cast

MOST_PAIRS = 14
CLASSES = {"true": ["correct", "yes"], "false": ["no", "incorrect"]}


class Matrix:
    """`graph.directed` as a table of zeros and ones where `as_matrix` stands in params; rows act on columns."""

    _header = Saying("Adjacency matrix (1: the row acts directly on the column):")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if "as_matrix" not in params:
            return []
        names = wording.stream.shuffled(params["graph"]["nodes"])
        arrows = {tuple(edge) for edge in params["graph"]["directed"]}
        rows = [self._header.say(wording), f"| | {' | '.join(names)} |", "|" + " --- |" * (len(names) + 1)]
        rows += [f"| {a} | {' | '.join(str(int((a, b) in arrows)) for b in names)} |" for a in names]
        return rows

    def read(self, line: str, found: Params) -> bool:
        if self._header.read(line) is not None:
            found["as_matrix"] = "yes"
            return True
        if "as_matrix" not in found or not line.startswith("|"):
            return False
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not cells[0]:
            found["columns"] = cells[1:]
        elif cells[0] != "---":
            arrows = [[cells[0], b] for b, bit in zip(found["columns"], cells[1:], strict=True) if bit == "1"]
            found["graph"]["directed"] += arrows
        return True


class PlainEdges(Edges):
    """Edges as sentences, left to Matrix where the graph is printed as a table."""

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        return [] if "as_matrix" in params else super().lines(params, wording)


class Equivalence(Bundle):
    name = "equivalence"
    summary = "compelled arrows, unshielded colliders and the size of a Markov equivalence class"
    parts: ClassVar = {"COMPELLED": "edges", "V_STRUCTURES": "node_set", "CLASS_SIZE": "number"}
    claims = Claims(
        {
            "compelled": Saying("every equivalent graph has the arrow from {a} to {b}"),
            "collider": Saying("{a} is the middle of an unshielded collider"),
            "reversible": Saying("reversing only the arrow from {a} to {b} gives an equivalent graph"),
        }
    )
    sections = (Variables(), PlainEdges(), Matrix(), claims)
    methods = ("Meek's rules", "enumeration of every orientation of the skeleton")

    def knobs(self, level: int) -> Mapping[str, int]:
        nodes = 5 + level // 3
        return {"nodes": nodes, "edges": min(MOST_PAIRS, nodes + level // 3)}

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        story = cast(stream, knobs["nodes"], formal=variant == "transfer")
        trap = variant == "trap"
        bare = stream.chance(1, 12)
        for _ in range(400):
            graph = draw_graph(stream, story.names, knobs["edges"] + trap, most_parents=3)
            if not bare and not v_structures(graph):
                continue
            if class_size(graph) > 1 and (not trap or _tempting(graph, shielded=level > 4)):
                break
        else:
            raise Redraw("no graph with open arrows and the wanted traps")
        params: Params = {"graph": graph.to_json()}
        if variant == "numeric":
            params["as_matrix"] = "yes"
        if variant == "analyst":
            params["claims"] = _claims(stream, graph)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        nodes = params["graph"]["nodes"]
        size = Asked(
            "CLASS_SIZE",
            "number",
            "How many directed acyclic graphs imply exactly the same independences as this one, itself included?",
            {"tolerance": "0"},
            ("equivalence",),
        )
        compelled = Asked(
            "COMPELLED",
            "edges",
            "Which arrows have the same direction in every directed acyclic graph that implies exactly the same "
            "independences? {} if none has.",
            {"universe": nodes, "directed": True},
            ("equivalence", "orientation"),
        )
        if "claims" in params:
            skills = ("claim_checking", "equivalence")
            truth = {"vocabulary": ["true", "false"], "classes": CLASSES}
            judged = [
                Asked(claim["id"], "verdict", "Is this claim true or false?", truth, skills)
                for claim in params["claims"]
            ]
            return [*judged, size]
        if "as_matrix" in params:
            number = Asked(
                "OPEN_ARROWS",
                "number",
                "How many arrows have one direction in some of these graphs and the other direction in others?",
                {"tolerance": "0"},
                ("equivalence",),
            )
            return [compelled, number, size]
        colliders = Asked(
            "V_STRUCTURES",
            "node_set",
            "Which variables are the middle of an unshielded collider: two arrows meet in them from variables that "
            "no arrow joins? {} if none is.",
            {"universe": nodes},
            ("collider", "equivalence"),
        )
        return [compelled, colliders, size]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        pattern = cpdag(graph)
        middles = sorted({middle for _, middle, _ in v_structures(graph)})
        keys = {"CLASS_SIZE": Key(str(class_size(graph)))}
        if "claims" in params:
            for claim in params["claims"]:
                keys[claim["id"]] = Key("true" if _holds(claim, graph) else "false")
            return keys
        keys["COMPELLED"] = Key([list(edge) for edge in pattern.directed])
        if "as_matrix" in params:
            keys["OPEN_ARROWS"] = Key(str(len(pattern.undirected)))
        else:
            keys["V_STRUCTURES"] = Key(middles)
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        directed = params["graph"]["directed"]
        every = Orientations(params["graph"]["nodes"], directed)
        alike = every.equivalent_to(directed)
        arrows, open_pairs = alike.agreed()
        row = every.row_of(directed)
        middles = sorted({triple[1] for triple in every.triples() if every.colliding(triple)[row]})
        confirmed = {"CLASS_SIZE": keys["CLASS_SIZE"].gold == str(len(alike.rows))}
        for claim in params.get("claims", ()):
            if claim["kind"] == "collider":
                holds = claim["a"] in middles
            elif claim["kind"] == "compelled":
                holds = [claim["a"], claim["b"]] in arrows
            else:
                turned = [edge for edge in directed if edge != [claim["a"], claim["b"]]] + [[claim["b"], claim["a"]]]
                holds = any(
                    (member == [tuple(p) in set(map(tuple, turned)) for p in alike.pairs]).all()
                    for member in alike.rows
                )
            confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
        if "COMPELLED" in keys:
            confirmed["COMPELLED"] = keys["COMPELLED"].gold == arrows
        if "OPEN_ARROWS" in keys:
            confirmed["OPEN_ARROWS"] = keys["OPEN_ARROWS"].gold == str(len(open_pairs))
        if "V_STRUCTURES" in keys:
            confirmed["V_STRUCTURES"] = keys["V_STRUCTURES"].gold == middles
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        graph = Graph.from_json(params["graph"])
        if habit == "ignore_colliders":
            changes: dict[str, Json] = {"COMPELLED": [], "V_STRUCTURES": [], "OPEN_ARROWS": str(len(graph.directed))}
        elif habit == "naive":
            meeting = sorted({tuple(e) for t in v_structures(graph) for e in ((t[0], t[1]), (t[2], t[1]))})
            changes = {"COMPELLED": [list(edge) for edge in meeting]}
            changes["OPEN_ARROWS"] = str(len(graph.directed) - len(meeting))
            changes["CLASS_SIZE"] = str(2 ** (len(graph.directed) - len(meeting)))
        elif habit == "adjust_parents":
            changes = {
                "V_STRUCTURES": [name for at, name in enumerate(graph.nodes) if graph.parents[at].bit_count() > 1]
            }
            changes["CLASS_SIZE"] = "1"
        else:
            return answers
        return {part: changes.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        graph = Graph.from_json(params["graph"])
        return 2 * len(graph.directed) + 3 * min(20, class_size(graph))

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        pattern = cpdag(graph)
        triples = "; ".join(f"{a} -> {c} <- {b}" for a, c, b in v_structures(graph)) or "none"
        still = "; ".join(f"{a} - {b}" for a, b in pattern.undirected)
        reasons = {
            "COMPELLED": f"Unshielded colliders ({triples}) fix their arrows; others would make new ones or a cycle.",
            "V_STRUCTURES": f"Unshielded colliders: {triples}.",
            "OPEN_ARROWS": f"Open: {still}.",
            "CLASS_SIZE": f"Directing {still} without a new collider or a cycle: {keys['CLASS_SIZE'].gold} ways.",
        }
        reasons |= {claim["id"]: f"Colliders: {triples}. Open: {still}." for claim in params.get("claims", ())}
        return {part: text for part, text in reasons.items() if part in keys}


def _tempting(graph: Graph, *, shielded: bool) -> bool:
    """An arrow that is compelled outside every unshielded collider; a shielded collider too where wanted."""
    triples = v_structures(graph)
    middles = {middle for _, middle, _ in triples}
    meeting = {(end, middle) for a, middle, b in triples for end in (a, b)}
    if set(cpdag(graph).directed) <= meeting:
        return False
    return not shielded or any(
        graph.parents[at].bit_count() > 1 and name not in middles for at, name in enumerate(graph.nodes)
    )


def _holds(claim: Mapping[str, Any], graph: Graph) -> bool:
    if claim["kind"] == "collider":
        return claim["a"] in {middle for _, middle, _ in v_structures(graph)}
    if claim["kind"] == "compelled":
        return (claim["a"], claim["b"]) in cpdag(graph).directed
    # Reversing a -> b keeps the class exactly when the arrow is covered: b's other parents are a's (Chickering 1995).
    a, b = graph.index[claim["a"]], graph.index[claim["b"]]
    return graph.parents[b] & ~(1 << a) == graph.parents[a]


def _claims(stream: Stream, graph: Graph) -> list[Params]:
    claims: list[Params] = []
    for kind in ("compelled", "compelled", "collider", "reversible"):
        wanted = stream.chance(1, 2)
        for _ in range(60):
            a, b = stream.choice(graph.directed)
            claim: Params = {"kind": kind, "a": a, "b": b}
            if kind == "collider":
                claim = {"kind": kind, "a": stream.choice(graph.nodes)}
            if claim not in claims and _holds(claim, graph) == wanted:
                claims.append(claim)
                break
        else:
            raise Redraw(f"no {kind} claim of the wanted truth")
    return [{"id": f"CLAIM_{number}", **claim} for number, claim in enumerate(stream.shuffled(claims), 1)]


BUNDLE = Equivalence()
