"""Instrumental variables and conditional instruments, for total effects and for single edges."""

from collections.abc import Iterable
from itertools import combinations
from typing import Literal

from benchpress.errors import UserError
from benchpress.graphs.dag import Graph, bits
from benchpress.graphs.separation import reachable, sorted_sets

Estimand = Literal["total", "edge"]


def is_instrument(graph: Graph, z: str, x: str, y: str, given: Iterable[str] = (), effect: Estimand = "total") -> bool:
    """Whether z, conditionally on `given`, is an instrument for the effect of x on y in a linear model.

    `effect` "total": z is no descendant of x, `given` holds no descendant of x or y, z is connected to x given them,
    and separated from y given them once the edges out of x are removed. "edge", for the coefficient of x -> y: `given`
    holds no descendant of y, and only that edge is removed. Then cov(z, y | given) / cov(z, x | given) is the
    effect. z need not cause x. O(n + edges). Raises UserError when the nodes overlap.

    Reference: Brito and Pearl 2002 (UAI); Pearl, Causality (2009), section 7.4.5; van der Zander et al. 2015 (IJCAI).

    >>> graph = Graph.of("Z->X X->Y W->Z W->Y", "X<->Y")
    >>> is_instrument(graph, "Z", "X", "Y"), is_instrument(graph, "Z", "X", "Y", "W")
    (False, True)
    """
    a, b, c, w = _places(graph, z, x, y, given)
    return _holds(graph, _cut(graph, x, y, effect), a, b, c, w, effect)


def is_ratio_instrument(
    graph: Graph, z: str, x: str, y: str, given: Iterable[str] = (), effect: Estimand = "total"
) -> bool:
    """Whether cov(z, y | given) / cov(z, x | given) is the effect by the graph, whatever the coefficients.

    The conditions of :func:`is_instrument`, except that for the total effect z may also be a descendant of x, where
    `given` separates x from y once the edges out of x are removed: z then carries x itself, and what else goes into y
    must be unrelated to both. O(n + edges). Raises UserError when the nodes overlap.

    >>> [is_ratio_instrument(Graph.of("X->Z X->Y", hidden), "Z", "X", "Y") for hidden in ("", "X<->Y", "Z<->Y")]
    [True, False, False]
    """
    a, b, c, w = _places(graph, z, x, y, given)
    cut = _cut(graph, x, y, effect)
    if effect == "total" and c & graph.descendants_of(a) and reachable(cut, a, w) & b:
        return False
    return _connects(graph, cut, a, b, c, w, effect)


def instruments(graph: Graph, x: str, y: str, effect: Estimand = "total") -> tuple[str, ...]:
    """All unconditional instruments for the effect of x on y, in the order of the graph.

    >>> instruments(Graph.of("Z->X X->Y P->Z", "X<->Y"), "X", "Y")
    ('Z', 'P')
    """
    return tuple(z for z in graph.nodes if z not in (x, y) and is_instrument(graph, z, x, y, (), effect))


def conditioning_sets(
    graph: Graph, z: str, x: str, y: str, effect: Estimand = "total", excluded: Iterable[str] = ()
) -> tuple[tuple[str, ...], ...]:
    """All sets given which z is an instrument and of which no proper subset serves, in code-point order.

    Tries subsets from the smallest up, O(2^n) tests at worst (relevance is not monotone in the set), none where z and y
    cannot be separated at all.

    >>> conditioning_sets(Graph.of("Z->X X->Y W->Z W->Y", "X<->Y"), "Z", "X", "Y")
    (('W',),)
    """
    a, b, c = graph.mask((x,)), graph.mask((y,)), graph.mask((z,))
    barred = a | b | c | graph.mask(excluded) | graph.descendants_of(b if effect == "edge" else a | b)
    usable = graph.everything & ~barred
    cut = _cut(graph, x, y, effect)
    # If anything usable separates two nodes, the usable ones among their ancestors do.
    if (effect == "total" and c & graph.descendants_of(a)) or reachable(cut, c, cut.ancestors_of(b | c) & usable) & b:
        return ()
    if _holds(graph, cut, a, b, c, 0, effect):
        return ((),)
    free = list(bits(usable))
    found: list[int] = []
    for size in range(1, len(free) + 1):
        for chosen in combinations(free, size):
            w = sum(1 << place for place in chosen)
            if any(w & smaller == smaller for smaller in found):
                continue
            if _holds(graph, cut, a, b, c, w, effect):
                found.append(w)
    return sorted_sets(graph, found)


def conditional_instruments(
    graph: Graph, x: str, y: str, effect: Estimand = "total", excluded: Iterable[str] = ()
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """All pairs of an instrument and a minimal set to condition on, instruments in the order of the graph."""
    return tuple(
        (z, given)
        for z in graph.nodes
        if z not in (x, y)
        for given in conditioning_sets(graph, z, x, y, effect, excluded)
    )


def _places(graph: Graph, z: str, x: str, y: str, given: Iterable[str]) -> tuple[int, int, int, int]:
    """The masks of x, y, z and `given`."""
    a, b, c, w = graph.mask((x,)), graph.mask((y,)), graph.mask((z,)), graph.mask(given)
    if (a | b | c).bit_count() < 3 or w & (a | b | c):
        raise UserError("instrument: treatment, outcome, instrument and the variables conditioned on must all differ")
    return a, b, c, w


def _cut(graph: Graph, x: str, y: str, effect: Estimand) -> Graph:
    return graph.without_edges([(x, y)]) if effect == "edge" else graph.without_outgoing((x,))


def _holds(graph: Graph, cut: Graph, x: int, y: int, z: int, w: int, effect: Estimand) -> bool:
    if effect == "total" and z & graph.descendants_of(x):
        return False
    return _connects(graph, cut, x, y, z, w, effect)


def _connects(graph: Graph, cut: Graph, x: int, y: int, z: int, w: int, effect: Estimand) -> bool:
    """The conditions on the set conditioned on, and on the ways from z to x and to y."""
    if w & graph.descendants_of(y if effect == "edge" else x | y):
        return False
    return bool(reachable(graph, z, w) & x) and not reachable(cut, z, w) & y
