"""Random acyclic graphs for bundles that ask about graphs as such."""

from collections.abc import Sequence

from benchpress.graphs.dag import Graph
from benchpress.streams import Stream


def draw_graph(stream: Stream, names: Sequence[str], edges: int, hidden: int = 0, most_parents: int = 3) -> Graph:
    """A connected acyclic graph over `names` with about `edges` arrows and `hidden` bidirected edges.

    The causal order is drawn; a random tree joins everything, further arrows go to random pairs, none twice.
    """
    order = stream.shuffled(list(names))
    arrows: set[tuple[str, str]] = set()
    parents = dict.fromkeys(order, 0)
    for place in range(1, len(order)):
        other = order[stream.below(place)]
        arrows.add((other, order[place]))
        parents[order[place]] += 1
    for _ in range(8 * edges):
        if len(arrows) >= edges:
            break
        low, high = sorted(stream.sample(range(len(order)), 2))
        arrow = (order[low], order[high])
        if arrow not in arrows and parents[order[high]] < most_parents:
            arrows.add(arrow)
            parents[order[high]] += 1
    both: set[tuple[str, str]] = set()
    for _ in range(20 * hidden):
        if len(both) >= hidden:
            break
        a, b = sorted(stream.sample(list(names), 2))
        if (a, b) not in arrows and (b, a) not in arrows:
            both.add((a, b))
    return Graph.from_json(
        {"nodes": sorted(names), "directed": sorted(map(list, arrows)), "bidirected": sorted(map(list, both))}
    )
