"""Adjustment sets: the adjustment criterion, the back-door criterion, minimal sets, the optimal set, direct effects."""

from collections.abc import Iterable
from typing import Literal

from benchpress.errors import UserError
from benchpress.graphs.dag import Graph, bits, union
from benchpress.graphs.separation import reachable, separator_masks, sorted_sets

Effect = Literal["total", "direct"]


def causal_nodes(graph: Graph, x: Iterable[str], y: Iterable[str]) -> tuple[str, ...]:
    """Nodes on proper causal paths from `x` to `y`, without `x`: directed paths that leave `x` at once and for good.

    Reference: Perkovic, Textor, Kalisch, Maathuis 2018 (JMLR 18), cn(X, Y, G).

    >>> causal_nodes(Graph.of("X->M M->Y M->D X->C"), "X", "Y")
    ('M', 'Y')
    """
    return graph.names(causal_mask(graph, *_sides(graph, x, y)))


def forbidden_nodes(graph: Graph, x: Iterable[str], y: Iterable[str]) -> tuple[str, ...]:
    """Nodes that no adjustment set for the total effect may hold: descendants of nodes on proper causal paths.

    Reference: Perkovic et al. 2018, Forb(X, Y, G).
    """
    return graph.names(graph.descendants_of(causal_mask(graph, *_sides(graph, x, y))))


def is_adjustment_set(graph: Graph, x: Iterable[str], y: Iterable[str], z: Iterable[str]) -> bool:
    """Whether `z` meets the adjustment criterion for the total effect of `x` on `y`.

    `z` holds no descendant of a node (other than x) on a proper causal path, and blocks every proper non-causal path.
    Sound and complete: true exactly when P(y | do(x)) = sum_z P(y | x, z) P(z) in every model of the graph.
    Linear in the size of the graph. Raises UserError when the sets overlap.

    Reference: Shpitser, VanderWeele, Robins 2010; van der Zander et al. 2019 (proper back-door graph).

    >>> graph = Graph.of("X->Y X->Z")
    >>> is_adjustment_set(graph, "X", "Y", "Z"), is_backdoor_set(graph, "X", "Y", "Z")
    (True, False)
    """
    a, b = _sides(graph, x, y)
    c = _covariates(graph, a | b, z)
    causal = causal_mask(graph, a, b)
    if graph.descendants_of(causal) & c:
        return False
    return not reachable(proper_backdoor(graph, a, causal), a, c) & b


def is_backdoor_set(graph: Graph, x: Iterable[str], y: Iterable[str], z: Iterable[str]) -> bool:
    """Whether `z` meets Pearl's back-door criterion for every pair of one node of `x` and one of `y`.

    `z` holds no descendant of the treatment and blocks every path between the two that enters the treatment by an
    arrowhead. O(|x| (n + edges)).

    Reference: Pearl, Causality (2009), definition 3.3.1.
    """
    a, b = _sides(graph, x, y)
    c = _covariates(graph, a | b, z)
    if graph.descendants_of(a) & c:
        return False
    return all(not reachable(_cut_outgoing(graph, 1 << place), 1 << place, c) & b for place in bits(a))


def is_direct_effect_set(graph: Graph, x: Iterable[str], y: Iterable[str], z: Iterable[str]) -> bool:
    """Whether regression on `x` and `z` gives the coefficients of the edges from `x` to `y` (single-door criterion).

    `z` holds no descendant of `y` and m-separates the two once the edges from `x` to `y` are removed.

    Reference: Pearl, Causality (2009), theorem 5.3.1; Pearl 1998 (direct effects).
    """
    a, b = _sides(graph, x, y)
    c = _covariates(graph, a | b, z)
    if graph.descendants_of(b) & c:
        return False
    return not reachable(_without_direct(graph, a, b), a, c) & b


def minimal_adjustment_sets(
    graph: Graph,
    x: Iterable[str],
    y: Iterable[str],
    required: Iterable[str] = (),
    excluded: Iterable[str] = (),
    effect: Effect = "total",
) -> tuple[tuple[str, ...], ...]:
    """All adjustment sets that hold `required`, avoid `excluded`, and lose validity with any further node left out.

    No set exists: an empty tuple. Nothing to adjust for: one empty tuple inside. With `required`, minimal among its
    supersets. Sets and their members are in code-point order. `effect` "total" is the adjustment criterion, "direct"
    the single-door criterion. Polynomial time for each set found.

    Reference: van der Zander, Liskiewicz, Textor 2019.

    >>> minimal_adjustment_sets(Graph.of("A->X A->B B->Y X->Y"), "X", "Y")
    (('A',), ('B',))
    """
    a, b = _sides(graph, x, y)
    needed = graph.mask(required)
    if needed & (a | b):
        return ()
    if effect == "direct":
        cut, forbidden = _without_direct(graph, a, b), graph.descendants_of(b)
    else:
        causal = causal_mask(graph, a, b)
        cut, forbidden = proper_backdoor(graph, a, causal), graph.descendants_of(causal)
    return sorted_sets(graph, separator_masks(cut, a, b, needed, graph.mask(excluded) | forbidden))


def minimum_adjustment_sets(
    graph: Graph,
    x: Iterable[str],
    y: Iterable[str],
    required: Iterable[str] = (),
    excluded: Iterable[str] = (),
    effect: Effect = "total",
) -> tuple[tuple[str, ...], ...]:
    """Those of :func:`minimal_adjustment_sets` with the fewest nodes."""
    found = minimal_adjustment_sets(graph, x, y, required, excluded, effect)
    fewest = min(map(len, found), default=0)
    return tuple(names for names in found if len(names) == fewest)


def optimal_adjustment_set(graph: Graph, x: Iterable[str], y: Iterable[str]) -> tuple[str, ...]:
    """The valid adjustment set with the smallest asymptotic variance in every linear model of a DAG.

    The parents of the nodes on proper causal paths, without these nodes' descendants and `x`. Raises UserError for a
    graph with bidirected edges (none need exist there), for `x` without causal path to every node of `y`, and where
    adjustment cannot identify the effect.

    Reference: Henckel, Perkovic, Maathuis 2022 (JRSS B 84), O(X, Y, G).

    >>> optimal_adjustment_set(Graph.of("A->X A->B B->Y X->Y C->Y D->X"), "X", "Y")
    ('B', 'C')
    """
    if graph.bidirected:
        raise UserError("optimal adjustment set: the graph has bidirected edges; the set is defined for DAGs")
    a, b = _sides(graph, x, y)
    causal = causal_mask(graph, a, b)
    if b & ~causal:
        raise UserError(f"optimal adjustment set: no causal path leads to {', '.join(graph.names(b & ~causal))}")
    best = union(graph.parents, causal) & ~graph.descendants_of(causal) & ~a
    if reachable(proper_backdoor(graph, a, causal), a, best) & b:
        raise UserError("optimal adjustment set: no adjustment set exists for this effect")
    return graph.names(best)


def causal_mask(graph: Graph, x: int, y: int) -> int:
    """The mask of :func:`causal_nodes`."""
    # Forwards from x never entering x again, backwards from y never through x.
    below = frontier = union(graph.children, x) & ~x
    while frontier:
        frontier = union(graph.children, frontier) & ~below & ~x
        below |= frontier
    above = frontier = y & ~x
    while frontier:
        frontier = union(graph.parents, frontier) & ~above & ~x
        above |= frontier
    return below & above


def _sides(graph: Graph, x: Iterable[str], y: Iterable[str]) -> tuple[int, int]:
    a, b = graph.mask(x), graph.mask(y)
    if not a or not b:
        raise UserError("adjustment: x and y need at least one node each")
    if a & b:
        raise UserError(f"adjustment: {', '.join(graph.names(a & b))} occur both in x and y; they must be disjoint")
    return a, b


def _covariates(graph: Graph, others: int, z: Iterable[str]) -> int:
    c = graph.mask(z)
    if c & others:
        raise UserError(f"adjustment: {', '.join(graph.names(c & others))} of z occur in x or y; remove them from z")
    return c


def proper_backdoor(graph: Graph, x: int, causal: int) -> Graph:
    """The graph without the first edges of proper causal paths from `x`, `causal` being their :func:`causal_mask`."""
    index = graph.index
    return graph.without_edges(
        edge for edge in graph.directed if x >> index[edge[0]] & 1 and causal >> index[edge[1]] & 1
    )


def _cut_outgoing(graph: Graph, x: int) -> Graph:
    return graph.without_outgoing(graph.names(x))


def _without_direct(graph: Graph, x: int, y: int) -> Graph:
    index = graph.index
    return graph.without_edges(edge for edge in graph.directed if x >> index[edge[0]] & 1 and y >> index[edge[1]] & 1)
