"""Diagrams with hidden common causes whose core holds an effect that is identifiable and no adjustment set gives."""

from collections.abc import Mapping

from benchpress.gate import Redraw
from benchpress.graphs.dag import Graph
from benchpress.graphs.identification import is_identifiable
from benchpress.modules.causal.mixed_sketch import adjustable
from benchpress.streams import Stream

TRIES = 60

Edges = set[tuple[int, int]]

CORES: tuple[tuple[int, str, str], ...] = (
    (3, "0>1 1>2", "0-2"),
    (4, "0>1 1>2 2>3", "0-3"),
    (4, "0>1 1>2 2>3", "0-2 0-3"),
    (4, "0>1 0>3 1>2 2>3", "1-3"),
    (4, "0>1 1>3 0>2 2>3", "0-3"),
    (4, "0>1 0>2 1>2 2>3", "1-3"),
)
"""Sizes, arrows and hidden pairs of small cores: the last variable is the outcome. Front doors, the napkin, and kin."""


def draw_diagram(stream: Stream, knobs: Mapping[str, int]) -> tuple[Graph, list[str]]:
    """A diagram and its places: X and Y of the effect to be computed, all ancestors of Y in the core.

    Raises Redraw where no core is found.
    """
    for _ in range(TRIES):
        count, arrows, ties = _core(stream, knobs["core"], knobs["core_ties"])
        options = stream.shuffled(range(count - 1))
        graph = _graph(count, arrows, ties)
        for x in options:
            one, last = [str(x)], [str(count - 1)]
            if is_identifiable(graph, one, last) and not adjustable(graph, one, last[0]):
                return _grown(stream, knobs, count, arrows, ties, x)
    raise Redraw("no core with an effect beyond adjustment")


def _core(stream: Stream, count: int, pairs: int) -> tuple[int, Edges, Edges]:
    """Arrows and ties on `count` variables in causal order, all of them ancestors of the last one."""
    if count == 3 or stream.chance(1, 3):
        size, arrows, ties = stream.choice([core for core in CORES if min(count, 4) - 1 <= core[0] <= count])
        edges = {(int(one[0]), int(one[2])) for one in arrows.split()}
        hidden = {(int(one[0]), int(one[2])) for one in ties.split()}
        for at in range(size, count):
            # One more variable upstream or between: all numbers after it move up by one.
            place = stream.below(at)
            edges = {(a + (a >= place), b + (b >= place)) for a, b in edges}
            hidden = {(a + (a >= place), b + (b >= place)) for a, b in hidden}
            edges.add((place, stream.between(place + 1, at)))
        return count, edges, hidden
    edges = {(at, stream.between(at + 1, min(count - 1, at + 2))) for at in range(count - 1)}
    for _ in range(stream.between(0, count - 3)):
        low, high = sorted(stream.sample(range(count), 2))
        if sum(head == high for _, head in edges) < 3:
            edges.add((low, high))
    hidden = set[tuple[int, int]]()
    for _ in range(stream.between(1, pairs)):
        low, high = sorted(stream.sample(range(count), 2))
        hidden.add((low, high))
    return count, edges, hidden


def _graph(count: int, arrows: Edges, ties: Edges) -> Graph:
    name = [str(at) for at in range(count)]
    return Graph(
        tuple(name),
        tuple((name[a], name[b]) for a, b in sorted(arrows)),
        tuple((name[a], name[b]) for a, b in sorted(ties)),
    )


def _grown(
    stream: Stream, knobs: Mapping[str, int], count: int, arrows: Edges, ties: Edges, x: int
) -> tuple[Graph, list[str]]:
    """The core with further variables downstream or beside it, none of which acts on the core."""
    core = count
    arrows, ties = set(arrows), set(ties)
    while count < knobs["nodes"]:
        arrows.add((stream.below(count), count))
        count += 1
    for _ in range(8 * knobs["extra_edges"]):
        low, high = sorted(stream.sample(range(count), 2))
        if len(arrows) < count - 1 + knobs["extra_edges"] and high >= core and _causes(arrows, high) < 3:
            arrows.add((low, high))
    for _ in range(8 * knobs["ties"]):
        low, high = sorted(stream.sample(range(count), 2))
        if len(ties) < knobs["ties"] and high >= core:
            ties.add((low, high))
    places = ["X" if at == x else "Y" if at == core - 1 else f"V{at}" for at in range(count)]
    return Graph(
        tuple(places),
        tuple((places[a], places[b]) for a, b in sorted(arrows)),
        tuple((places[a], places[b]) for a, b in sorted(ties)),
    ), places


def _causes(arrows: Edges, place: int) -> int:
    return sum(head == place for _, head in arrows)
