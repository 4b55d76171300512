"""m-separation once more, by another route: latent expansion and the moralised ancestral graph.

The independent check of :mod:`benchpress.graphs.separation`; reads nothing but the edge lists of a graph and
shares no code with it.
"""

from collections.abc import Iterable
from itertools import combinations

from benchpress.graphs.dag import Graph


def moral_separated(graph: Graph, x: Iterable[str], y: Iterable[str], given: Iterable[str] = ()) -> bool:
    """Whether `given` separates `x` from `y` in the moralised ancestral graph.

    Every bidirected edge becomes a latent parent of its two ends; the ancestors of all three sets are kept, parents
    of a common child are married, directions dropped, `given` removed. O(n^3) at worst.

    Reference: Lauritzen, Dawid, Larsen, Leimer 1990.

    >>> moral_separated(Graph.of("B->C", "A<->B"), "A", "C", "B")
    True
    """
    parents: dict[object, list[object]] = {node: [] for node in graph.nodes}
    for tail, head in graph.directed:
        parents[head].append(tail)
    for number, (one, other) in enumerate(graph.bidirected):
        parents[number] = []
        parents[one].append(number)
        parents[other].append(number)
    start, goal, blocked = set(_listed(x)), set(_listed(y)), set(_listed(given))
    ancestors: set[object] = set()
    stack: list[object] = [*start, *goal, *blocked]
    while stack:
        below = stack.pop()
        if below not in ancestors:
            ancestors.add(below)
            stack.extend(parents[below])
    near: dict[object, set[object]] = {node: set() for node in ancestors}
    for member in ancestors:
        for a, b in combinations([member, *parents[member]], 2):
            near[a].add(b)
            near[b].add(a)
    seen: set[object] = set(start)
    stack = list(start)
    while stack:
        for beside in near[stack.pop()]:
            if beside not in seen and beside not in blocked:
                seen.add(beside)
                stack.append(beside)
    return not seen & goal


def open_paths(
    graph: Graph, x: str, y: str, given: Iterable[str] = (), limit: int | None = None
) -> list[tuple[str, ...]]:
    """Every open path from x to y given a set, as the text of its steps; the definition itself.

    Two nodes joined by both kinds of edge give two paths. Exponential in the worst case; `limit` stops the search
    after so many paths. Paths come in the order of `graph.nodes`, directed edges before bidirected ones.

    >>> open_paths(Graph.of("Z->X Z->Y X->Y", "X<->Y"), "X", "Y")
    [('X', '<-', 'Z', '->', 'Y'), ('X', '->', 'Y'), ('X', '<->', 'Y')]
    """
    blocked = set(_listed(given))
    steps: dict[str, list[tuple[str, str]]] = {node: [] for node in graph.nodes}
    above: dict[str, list[str]] = {node: [] for node in graph.nodes}
    for tail, head in graph.directed:
        steps[tail].append(("->", head))
        steps[head].append(("<-", tail))
        above[head].append(tail)
    for one, other in graph.bidirected:
        steps[one].append(("<->", other))
        steps[other].append(("<->", one))
    place = {node: number for number, node in enumerate(graph.nodes)}
    for listed in steps.values():
        listed.sort(key=lambda step: (place[step[1]], step[0] == "<->"))
    opening: set[str] = set()
    stack = list(blocked)
    while stack:
        node = stack.pop()
        if node not in opening:
            opening.add(node)
            stack.extend(above[node])

    found: list[tuple[str, ...]] = []

    def extend(path: list[str], arrived_by_head: bool) -> None:
        node = path[-1]
        for mark, following in steps[node]:
            if limit is not None and len(found) >= limit:
                return
            if following in path[::2]:
                continue
            if len(path) > 1:
                collider = arrived_by_head and mark != "->"
                if (node not in opening) if collider else (node in blocked):
                    continue
            longer = [*path, mark, following]
            if following == y:
                found.append(tuple(longer))
            else:
                extend(longer, mark != "<-")

    extend([x], False)
    return found


def _listed(names: Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
