"""Whether natural direct and indirect effects can be computed from data."""

from collections.abc import Iterable

from benchpress.errors import UserError
from benchpress.graphs.dag import Graph, union
from benchpress.graphs.identification import ancestors_within, districts, narrow


def is_natural_effect_identifiable(
    graph: Graph, x: str, y: str, mediators: Iterable[str], randomised: bool = False
) -> bool:
    """Whether the mean of y under x = 1 with the mediators as under x = 0 follows from P(v), or if `randomised` from
    P(v | do(x)).

    The nested counterfactual falls into district factors. It is identified exactly when no variable is needed as it
    would be under both values of x, no district mixes the two values, and every factor is itself identified. An
    unmeasured mediator-outcome confounder or one that x causes therefore forbids it. O(n^3) mask steps.

    Reference: Avin, Shpitser, Pearl 2005 (IJCAI); Shpitser 2013 (recanting districts); Correa, Lee, Bareinboim 2021.

    >>> is_natural_effect_identifiable(Graph.of("X->M M->Y X->Y"), "X", "Y", "M")
    True
    >>> is_natural_effect_identifiable(Graph.of("X->M M->Y X->Y", "M<->Y"), "X", "Y", "M")
    False
    """
    treated, outcome, between = graph.mask((x,)), graph.mask((y,)), graph.mask(mediators)
    if treated & outcome or between & (treated | outcome):
        raise UserError("mediation: treatment, outcome and mediators must all differ")
    outside = graph.everything & ~treated
    direct = ancestors_within(graph, outcome, outside & ~between)
    held = union(graph.parents, direct) & between
    indirect = ancestors_within(graph, held, outside)
    # Variables that x reaches without the mediators differ between the two worlds.
    moved = frontier = union(graph.children, treated) & ~between
    while frontier:
        frontier = union(graph.children, frontier) & ~between & ~moved
        moved |= frontier
    if direct & indirect & moved:
        return False
    children = union(graph.children, treated)
    whole = graph.everything & ~treated if randomised else graph.everything
    available = list(districts(graph, whole))
    for part in districts(graph, direct | indirect):
        if part & children & direct and part & children & indirect:
            return False
        around = next(district for district in available if district & part)
        if narrow(graph, part, around) != part:
            return False
    return True
