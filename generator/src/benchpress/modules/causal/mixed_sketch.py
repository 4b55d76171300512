"""Growing a graph with hidden common causes on named places; X is the treatment, Y the outcome."""

from collections.abc import Sequence

from benchpress.graphs.adjustment import forbidden_nodes, is_adjustment_set
from benchpress.graphs.dag import Graph
from benchpress.streams import Stream


class Sketch:
    """Arrows and hidden pairs between named places that grow; X is the treatment, Y the outcome."""

    def __init__(self) -> None:
        self.places = ["X", "Y"]
        self.arrows: set[tuple[str, str]] = set()
        self.pairs: set[tuple[str, str]] = set()

    def new(self) -> str:
        self.places.append(f"V{len(self.places)}")
        return self.places[-1]

    def add(self, *arrows: tuple[str, str]) -> None:
        self.arrows |= set(arrows)

    def causes(self, place: str) -> int:
        return sum(head == place for _, head in self.arrows)

    def ties(self, place: str) -> int:
        return sum(place in pair for pair in self.pairs)

    def above(self, place: str) -> set[str]:
        """Ancestors, itself included."""
        seen, todo = {place}, [place]
        while todo:
            here = todo.pop()
            for tail, head in self.arrows:
                if head == here and tail not in seen:
                    seen.add(tail)
                    todo.append(tail)
        return seen

    def below(self, place: str) -> set[str]:
        """Descendants, itself included."""
        return {other for other in self.places if place in self.above(other)}

    def graph(self) -> Graph:
        return Graph(tuple(self.places), tuple(sorted(self.arrows)), tuple(sorted(self.pairs)))


def takes(sketch: Sketch, place: str) -> bool:
    """Whether a variable can have one more cause and its shares still fit on a few lines."""
    if place == "X":
        return sketch.causes("X") < (1 if sketch.ties("X") else 2)
    return sketch.causes(place) + sketch.ties(place) < 3 + (place == "Y")


def thicken(stream: Stream, sketch: Sketch, wanted: int, before: str = "") -> None:
    """Up to `wanted` more arrows between variables other than treatment and outcome; none makes X act on `before`."""
    for _ in range(4 * wanted):
        tail, head = stream.sample(sketch.places[2:], 2) if len(sketch.places) > 3 else ("X", "X")
        if wanted and takes(sketch, head) and (tail, head) not in sketch.arrows and head not in sketch.above(tail):
            if before and head in sketch.above(before) and "X" in sketch.above(tail):
                continue
            sketch.add((tail, head))
            wanted -= 1


def adjustable(graph: Graph, x: Sequence[str], y: str) -> bool:
    """Whether some adjustment set exists: then the ancestors of both sides, without forbidden ones, are one.

    Reference: van der Zander, Liskiewicz, Textor 2014 (UAI).
    """
    barred = {*x, y, *forbidden_nodes(graph, x, [y])}
    return is_adjustment_set(graph, x, [y], [name for name in graph.ancestors([*x, y]) if name not in barred])


def named(graph: Graph, places: Sequence[str], names: Sequence[str]) -> tuple[Graph, dict[str, str]]:
    """The graph with names for its places, all in canonical order, and the name of every place."""
    name = dict(zip(places, names, strict=True))
    pairs = [sorted((name[a], name[b])) for a, b in graph.bidirected]
    return Graph(
        tuple(sorted(name.values())),
        tuple(sorted((name[a], name[b]) for a, b in graph.directed)),
        tuple(sorted((a, b) for a, b in pairs)),
    ), name
