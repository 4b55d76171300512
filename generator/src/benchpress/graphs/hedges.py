"""Non-identifiability by brute force: a search for hedges over all subsets, the check on the ID algorithm.

Works on plain sets and shares no code with :mod:`benchpress.graphs.identification`.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from benchpress.graphs.dag import Graph

NodeSet = frozenset[str]


def find_hedge(
    graph: Graph,
    x: Iterable[str],
    y: Iterable[str],
    available: Sequence[tuple[Iterable[str], Iterable[str]]] = (),
    observed: bool = True,
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """A hedge that forbids computing P(y | do(x)), or None when there is none.

    A hedge is a pair T, D: D is a district among the causes of y in the graph without x, T is a larger set that
    contains D, is connected by bidirected edges, and whose members are all ancestors of D inside T. `available` lists
    further populations as (experiments, differing mechanisms), beside the target's own observations if `observed`: a
    c-factor is barred only if it is so in all of them. 2^n subsets: for at most about 16 ancestors of y.

    Reference: Shpitser and Pearl 2006, definition 6; Tian 2002, theorem 22.

    >>> find_hedge(Graph.of("X->Y", "X<->Y"), "X", "Y")
    (('X', 'Y'), ('Y',))
    """
    treated, outcomes = frozenset((x,) if isinstance(x, str) else x), frozenset((y,) if isinstance(y, str) else y)
    nodes = frozenset(graph.nodes)
    settings = [(frozenset[str](), frozenset[str]())] if observed else []
    settings += [(frozenset(experiments), frozenset(differing)) for experiments, differing in available]
    for district in _districts(graph, _ancestors(graph, outcomes, nodes - treated)):
        witness = None
        for experiments, differing in settings:
            if district & differing:
                continue
            outer = next(_outer(graph, district, nodes - (experiments - district)), None)
            if outer is None:
                break
            witness = witness or outer
        else:
            return _listed(graph, witness or district), _listed(graph, district)
    return None


def hedges(graph: Graph, x: Iterable[str], y: Iterable[str]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every hedge (T, D) against P(y | do(x)) in the target's observations, district by district, smallest T first."""
    treated, outcomes = frozenset((x,) if isinstance(x, str) else x), frozenset((y,) if isinstance(y, str) else y)
    nodes = frozenset(graph.nodes)
    for district in _districts(graph, _ancestors(graph, outcomes, nodes - treated)):
        for outer in _outer(graph, district, nodes):
            yield _listed(graph, outer), _listed(graph, district)


def find_conditional_hedge(
    graph: Graph, x: Iterable[str], y: Iterable[str], given: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """A hedge that forbids computing P(y | do(x), given), or None when there is none.

    P(y, given | do(x)) is a product of c-factors, summed over all else. Dividing by its sum over y cancels every factor
    that no chain of shared variables, fixed ones apart, links to y. A hedge for any of the rest forbids.

    Reference: Tian 2004 (UAI), identifying conditional causal effects.

    >>> find_conditional_hedge(Graph.of("X->Z Z->Y", "X<->Z"), "X", "Y", "Z") is None
    True
    """
    treated, outcomes, condition = (frozenset((names,) if isinstance(names, str) else names) for names in (x, y, given))
    nodes = frozenset(graph.nodes)
    causes = _ancestors(graph, outcomes | condition, nodes - treated)
    factors = [
        (district, district.union(tail for tail, head in graph.directed if head in district))
        for district in _districts(graph, causes)
    ]
    linked = set(outcomes)
    kept: list[NodeSet] = []
    grown = True
    while grown:
        grown = False
        for district, arguments in factors:
            if district not in kept and linked & arguments:
                kept.append(district)
                linked |= arguments - treated - condition
                grown = True
    for district in kept:
        for outer in _outer(graph, district, nodes):
            return _listed(graph, outer), _listed(graph, district)
    return None


def _outer(graph: Graph, district: NodeSet, within: NodeSet) -> Iterator[NodeSet]:
    others = sorted(_ancestors(graph, district, within) - district)
    for size in range(1, len(others) + 1):
        for chosen in combinations(others, size):
            outer = district.union(chosen)
            if _ancestors(graph, district, outer) == outer and len(_districts(graph, outer)) == 1:
                yield outer


def _ancestors(graph: Graph, nodes: NodeSet, within: NodeSet) -> NodeSet:
    found = set(nodes & within)
    grown = True
    while grown:
        grown = False
        for tail, head in graph.directed:
            if head in found and tail in within and tail not in found:
                found.add(tail)
                grown = True
    return frozenset(found)


def _districts(graph: Graph, within: NodeSet) -> list[NodeSet]:
    parts: list[set[str]] = [{node} for node in graph.nodes if node in within]
    for one, other in graph.bidirected:
        if one in within and other in within:
            first = next(part for part in parts if one in part)
            if other not in first:
                second = next(part for part in parts if other in part)
                parts.remove(second)
                first |= second
    return [frozenset(part) for part in parts]


def _listed(graph: Graph, nodes: NodeSet) -> tuple[str, ...]:
    return tuple(node for node in graph.nodes if node in nodes)
