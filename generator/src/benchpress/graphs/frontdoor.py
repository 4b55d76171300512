"""The front-door criterion, read set-wise."""

from collections.abc import Iterable
from itertools import combinations

from benchpress.errors import UserError
from benchpress.graphs.dag import Graph, bits, union
from benchpress.graphs.separation import reachable, sorted_sets


def is_frontdoor_set(graph: Graph, x: str, y: str, m: Iterable[str]) -> bool:
    """Whether `m` meets the front-door criterion for the effect of x on y.

    (i) every directed path from x to y meets `m` (vacuously true without such a path); (ii) no back-door path from x
    to `m` is open; (iii) x blocks every back-door path from `m` to y, where paths through other members of `m` do not
    count (set-wise reading). O(n + edges). Raises UserError when x or y is in `m`.

    Reference: Pearl 1995 (Biometrika 82); Causality (2009), definition 3.3.3.

    >>> smoking = Graph.of("X->M M->Y", "X<->Y")
    >>> is_frontdoor_set(smoking, "X", "Y", "M"), is_frontdoor_set(smoking, "X", "Y", [])
    (True, False)
    """
    a, b, c = graph.mask((x,)), graph.mask((y,)), graph.mask(m)
    if x == y:
        raise UserError(f"front-door: treatment and outcome are both {x!r}; they must differ")
    if c & (a | b):
        raise UserError(f"front-door: {', '.join(graph.names(c & (a | b)))} is treatment or outcome, not a mediator")
    return not c & _open(graph, x) and _holds(graph, a, b, c)


def frontdoor_sets(
    graph: Graph, x: str, y: str, candidates: Iterable[str] | None = None, minimal: bool = True
) -> tuple[tuple[str, ...], ...]:
    """The sets that meet the front-door criterion, in code-point order; if `minimal`, those that hold no smaller one.

    `candidates` are the nodes that may be used (default: all but x and y). Tries the subsets from the smallest up,
    since the condition is not monotone: O(2^n) tests at worst, with nodes that can be in none left out first.

    >>> frontdoor_sets(Graph.of("X->M M->N N->Y", "X<->Y"), "X", "Y")
    (('M',), ('N',))
    """
    a, b = graph.mask((x,)), graph.mask((y,))
    allowed = graph.everything if candidates is None else graph.mask(candidates)
    # Condition (ii) speaks of each member alone, so members that fail it can be dropped at once.
    usable = list(bits(allowed & ~(a | b | _open(graph, x))))
    if minimal and _holds(graph, a, b, 0):
        return ((),)
    found: list[int] = []
    for size in range(len(usable) + 1):
        for chosen in combinations(usable, size):
            mask = sum(1 << place for place in chosen)
            if minimal and any(mask & smaller == smaller for smaller in found):
                continue
            if _holds(graph, a, b, mask):
                found.append(mask)
    return sorted_sets(graph, found)


def _open(graph: Graph, x: str) -> int:
    """The nodes to which an open back-door path of x leads: condition (ii) bars them."""
    return reachable(graph.without_outgoing((x,)), graph.mask((x,)), 0)


def _holds(graph: Graph, x: int, y: int, m: int) -> bool:
    """Conditions (i) and (iii)."""
    frontier = seen = x
    while frontier:
        frontier = union(graph.children, frontier) & ~seen & ~m
        seen |= frontier
    if seen & y:
        return False
    return not m or not reachable(graph.without_outgoing(graph.names(m)), m, x) & y
