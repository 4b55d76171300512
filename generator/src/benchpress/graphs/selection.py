"""Selection bias: what can be recovered from a sample in which a selection node equals 1."""

from collections.abc import Iterable
from itertools import combinations

from benchpress.errors import UserError
from benchpress.graphs.adjustment import causal_mask, proper_backdoor
from benchpress.graphs.dag import Graph, bits
from benchpress.graphs.identification import ancestors_within, districts, narrow
from benchpress.graphs.separation import reachable, separator_masks, sorted_sets


def is_conditional_recoverable(graph: Graph, y: Iterable[str], x: Iterable[str], selection: str) -> bool:
    """Whether P(y | x) can be computed from P(v | selection = 1): exactly when `selection` is separated from y given x.

    O(n + edges). Reference: Bareinboim, Tian, Pearl 2014 (AAAI), theorem 1.

    >>> is_conditional_recoverable(Graph.of("X->Y X->S"), "Y", "X", "S")
    True
    """
    return not reachable(graph, graph.mask(y), graph.mask(x)) & graph.mask((selection,))


def is_effect_recoverable(graph: Graph, x: Iterable[str], y: Iterable[str], selection: str) -> bool:
    """Whether P(y | do(x)) can be computed from P(v | selection = 1) alone (the RC algorithm).

    Sound and complete, O(n^3) mask steps. Reference: Bareinboim and Tian 2015 (AAAI); completeness in Correa, Tian,
    Bareinboim 2019 (AAAI).

    >>> graph = Graph.of("Z->X Z->Y X->Y X->S")
    >>> is_effect_recoverable(graph, "X", "Y", "S"), is_effect_recoverable(Graph.of("X->Y X->S"), "X", "Y", "S")
    (False, True)
    """
    treated, outcomes, chosen = graph.mask(x), graph.mask(y), graph.mask((selection,))
    if treated & outcomes or chosen & (treated | outcomes):
        raise UserError("selection: treatment, outcome and selection node must all differ")
    causes = ancestors_within(graph, outcomes, graph.everything & ~treated)
    return all(_recovers(graph, part, chosen) for part in districts(graph, causes))


def is_selection_adjustment_set(
    graph: Graph,
    x: Iterable[str],
    y: Iterable[str],
    z: Iterable[str],
    selection: str,
    external: Iterable[str] = (),
) -> bool:
    """Whether adjusting the selected sample for `z` gives the effect in everybody.

    `external` is the part of `z` whose distribution is known without bias. The formula is
    sum_z P(y | x, z, S=1) P(z without external | external, S=1) P(external); without external data the weights are
    P(z | S=1). Conditions: `z` holds no descendant of a node on a proper causal path; `z` and S block every proper
    non-causal path; `external` separates y from S in the proper back-door graph. Sound and complete for the formula.

    Reference: Correa and Bareinboim 2017 (AAAI); Correa, Tian, Bareinboim 2018 (AAAI), generalised adjustment
    criterion.

    >>> graph = Graph.of("Z->X Z->Y X->Y Z->S")
    >>> [is_selection_adjustment_set(graph, "X", "Y", "Z", "S", external) for external in ((), ("Z",))]
    [False, True]
    """
    treated, outcomes, chosen = graph.mask(x), graph.mask(y), graph.mask((selection,))
    covariates, unbiased = graph.mask(z), graph.mask(external)
    if unbiased & ~covariates:
        raise UserError("selection: the externally measured variables must be among those adjusted for")
    if chosen & (treated | outcomes | covariates) or treated & outcomes or covariates & (treated | outcomes):
        raise UserError("selection: treatment, outcome, covariates and selection node must all differ")
    causal = causal_mask(graph, treated, outcomes)
    cut = proper_backdoor(graph, treated, causal)
    return (
        not graph.descendants_of(causal) & covariates
        and not reachable(cut, treated, covariates | chosen) & outcomes
        and not reachable(cut, outcomes, unbiased) & chosen
    )


def needed_external(
    graph: Graph, x: Iterable[str], y: Iterable[str], selection: str, candidates: Iterable[str] | None = None
) -> tuple[tuple[str, ...], ...]:
    """The minimal sets that must be measured without bias so that some adjustment of the selected sample is right.

    Every returned set is contained in an adjustment set of :func:`is_selection_adjustment_set`, and no proper subset is
    enough. `candidates` restricts what may be measured outside. No set: an empty tuple; nothing needed: one empty tuple
    inside. O(2^n) at worst.

    >>> needed_external(Graph.of("Z->X Z->Y X->Y Z->S"), "X", "Y", "S")
    (('Z',),)
    """
    treated, outcomes, chosen = graph.mask(x), graph.mask(y), graph.mask((selection,))
    if treated & outcomes or chosen & (treated | outcomes):
        raise UserError("selection: treatment, outcome and selection node must all differ")
    causal = causal_mask(graph, treated, outcomes)
    forbidden = graph.descendants_of(causal)
    allowed = graph.everything if candidates is None else graph.mask(candidates)
    free = list(bits(allowed & ~(forbidden | treated | outcomes | chosen)))
    cut = proper_backdoor(graph, treated, causal)
    found: list[int] = []
    for size in range(len(free) + 1):
        for picked in combinations(free, size):
            unbiased = sum(1 << place for place in picked)
            if any(unbiased & smaller == smaller for smaller in found):
                continue
            if reachable(cut, outcomes, unbiased) & chosen:
                continue
            # Without a treatment there is no path to block: P(y) needs its weights alone.
            if not treated or separator_masks(cut, treated, outcomes, unbiased | chosen, forbidden & ~chosen):
                found.append(unbiased)
    return sorted_sets(graph, found)


def _recovers(graph: Graph, target: int, chosen: int) -> bool:
    within = graph.everything
    while True:
        above = ancestors_within(graph, chosen, within)
        within &= ancestors_within(graph, target, within) | above
        untouched = [part for part in districts(graph, within) if not part & above]
        if not untouched:
            return False
        for part in untouched:
            if target & part:
                return target & ~part == 0 and narrow(graph, target, part) == target
        for part in untouched:
            within &= ~part
