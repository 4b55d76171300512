"""Testable implications: the conditional independences that a graph implies."""

from itertools import combinations

from benchpress.graphs.dag import Graph
from benchpress.graphs.separation import minimal_separators, reachable

Implication = tuple[tuple[str, str], tuple[str, ...]]


def testable_implications(graph: Graph) -> tuple[Implication, ...]:
    """Every pair of non-adjacent nodes with every minimal set that m-separates it, sorted.

    Pairs are in code-point order. With bidirected edges a non-adjacent pair may have no separator (an inducing path)
    and then does not occur. Polynomial time for each statement. Reference: Pearl 1988; van der Zander et al. 2019.

    >>> testable_implications(Graph.of("A->B B->C"))
    ((('A', 'C'), ('B',)),)
    """
    return tuple(
        ((a, b), given)
        for a, b in combinations(sorted(graph.nodes), 2)
        if not graph.adjacent(a, b)
        for given in minimal_separators(graph, (a,), (b,))
    )


def separable_pairs(graph: Graph) -> tuple[tuple[str, str], ...]:
    """The pairs of nodes that some set m-separates, in code-point order.

    A pair is separable exactly when the ancestors of the two, without the two, separate it: O(n^2) tests.
    Reference: Richardson and Spirtes 2002, theorem 4.2.
    """
    found = []
    for a, b in combinations(sorted(graph.nodes), 2):
        pair = graph.mask((a, b))
        one = graph.mask((a,))
        if not reachable(graph, one, graph.ancestors_of(pair) & ~pair) & pair & ~one:
            found.append((a, b))
    return tuple(found)
