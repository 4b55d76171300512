"""Moving an effect between populations: S-admissible sets in a selection diagram.

Whether an effect can be moved at all, from any mixture of populations, is answered by
:func:`benchpress.graphs.identification.transport`.
"""

from collections.abc import Iterable

from benchpress.graphs.dag import Graph
from benchpress.graphs.fresh import fresh_names
from benchpress.graphs.separation import reachable, separator_masks, sorted_sets


def selection_diagram(graph: Graph, differing: Iterable[str]) -> Graph:
    """The graph with one more root, its last node, pointing at every variable whose mechanism differs.

    Reference: Pearl and Bareinboim 2014 (Statistical Science 29), definition 5.
    """
    nodes = (differing,) if isinstance(differing, str) else tuple(differing)
    graph.mask(nodes)
    (switch,) = fresh_names(["@population"], graph.nodes)
    return Graph((*graph.nodes, switch), (*graph.directed, *((switch, node) for node in nodes)), graph.bidirected)


def is_s_admissible(
    graph: Graph, differing: Iterable[str], x: Iterable[str], y: Iterable[str], z: Iterable[str]
) -> bool:
    """Whether `z` separates `y` from the differences between the populations once `x` is set by intervention.

    Then P*(y | do(x), z) = P(y | do(x), z); with `z` unaffected by `x`, the effect in the target is
    sum_z P(y | do(x), z) P*(z). O(n + edges).

    Reference: Pearl and Bareinboim 2014, definition 8.

    >>> graph = Graph.of("Z->X Z->Y X->Y")
    >>> is_s_admissible(graph, "Z", "X", "Y", "Z"), is_s_admissible(graph, "Z", "X", "Y", [])
    (True, False)
    """
    diagram = selection_diagram(graph, differing).without_incoming(x)
    start = 1 << len(graph.nodes)
    return not reachable(diagram, start, diagram.mask(x) | diagram.mask(z)) & diagram.mask(y)


def minimal_s_admissible_sets(
    graph: Graph,
    differing: Iterable[str],
    x: Iterable[str],
    y: Iterable[str],
    excluded: Iterable[str] = (),
    pretreatment: bool = True,
) -> tuple[tuple[str, ...], ...]:
    """All S-admissible sets of which no proper subset is one, in code-point order.

    Descendants of `x` are left out unless `pretreatment` is false, so that the plain transport formula applies.
    No set: an empty tuple. The empty set: one empty tuple inside. Polynomial time for each set.

    >>> minimal_s_admissible_sets(Graph.of("Z->W W->Y X->Y"), "Z", "X", "Y")
    (('W',), ('Z',))
    """
    treated = graph.mask(x)
    barred = graph.mask(excluded) | (graph.descendants_of(treated) if pretreatment else 0)
    diagram = selection_diagram(graph, differing).without_incoming(x)
    start = 1 << len(graph.nodes)
    found = separator_masks(diagram, start, diagram.mask(y), treated, barred & ~treated)
    return sorted_sets(graph, [mask & ~treated for mask in found])
