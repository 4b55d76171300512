"""Identification of causal effects in ADMGs: c-components, the ID and IDC algorithms, z-identification, transport.

One engine serves all: the effect falls into c-factors Q[D], and each must be computable from one of the distributions
at hand, by repeated marginalisation and splitting into districts.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchpress.errors import UserError
from benchpress.graphs.dag import Graph, bits, union
from benchpress.graphs.estimand import (
    Assignment,
    Distribution,
    Expression,
    P,
    add_over,
    divide,
    evaluate_on,
    free_variables,
    multiply,
)
from benchpress.graphs.separation import reachable


@dataclass(frozen=True)
class Source:
    """A population with data: its observations, and experiments on every subset of `experiments`.

    The mechanisms of the variables in `differing` may differ from those of the target (an S-node points at them).
    """

    name: str
    experiments: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Identification:
    """The answer: an estimand, or where there is none a hedge (outer set, inner set) that proves it.

    The outer set is one district, all ancestors of the inner one inside it. Where several populations were
    available, the hedge is the one in the target's observations. `arbitrary` are variables that occur free in the
    estimand although its value does not depend on them (as in the napkin graph): set them to anything.
    """

    estimand: Expression | None
    hedge: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    arbitrary: tuple[str, ...] = ()

    @property
    def identifiable(self) -> bool:
        """Whether there is an estimand."""
        return self.estimand is not None

    def on_table(self, table: Distribution, values: Assignment) -> Fraction:
        """The value of the estimand on a table of observations. Raises UserError where there is no estimand."""
        return self.each_on_table(table, values)[0]

    def each_on_table(self, table: Distribution, *cases: Assignment) -> list[Fraction]:
        """The same for several values of its free variables, in less time than one after the other."""
        if self.estimand is None:
            raise UserError("identification: the effect is not identifiable, so it has no estimand")
        return evaluate_on(self.estimand, table, *({**dict.fromkeys(self.arbitrary, 0), **one} for one in cases))


def c_components(graph: Graph) -> tuple[tuple[str, ...], ...]:
    """The districts: sets of nodes joined by paths of bidirected edges, in the order of their first nodes.

    Reference: Tian and Pearl 2002.

    >>> c_components(Graph.of("X->M M->Y", "X<->Y"))
    (('X', 'Y'), ('M',))
    """
    return tuple(graph.names(mask) for mask in districts(graph, graph.everything))


def districts(graph: Graph, within: int) -> Iterator[int]:
    """The districts of the subgraph on a mask, by their lowest node."""
    while within:
        part = frontier = within & -within
        while frontier:
            frontier = union(graph.spouses, frontier) & within & ~part
            part |= frontier
        yield part
        within &= ~part


def is_identifiable(graph: Graph, x: Iterable[str], y: Iterable[str]) -> bool:
    """Whether P(y | do(x)) can be computed from P(v) in every model of the graph with positive P(v).

    Sound and complete, O(n^3) mask steps. Reference: Tian and Pearl 2002; Shpitser and Pearl 2006; Huang and Valtorta
    2006.

    >>> is_identifiable(Graph.of("X->M M->Y", "X<->Y"), "X", "Y"), is_identifiable(Graph.of("X->Y", "X<->Y"), "X", "Y")
    (True, False)
    """
    a, b = _sides(graph, x, y)
    everything = graph.ancestors_of(b)
    return all(
        narrow(graph, target, _district_of(graph, everything, target)) == target
        for target in districts(graph, ancestors_within(graph, b, everything & ~a))
    )


def identify(graph: Graph, x: Iterable[str], y: Iterable[str]) -> Identification:
    """The estimand of P(y | do(x)) from P(v), or a hedge.

    >>> from benchpress.graphs.estimand import text
    >>> text(identify(Graph.of("X->M M->Y", "X<->Y"), "X", "Y").estimand)
    "sum_{M} P(M | X) (sum_{X'} P(X') P(Y | X', M))"

    Reference: Tian and Pearl 2002 (AAAI); Shpitser and Pearl 2006 (AAAI).
    """
    return transport(graph, x, y, ())


def identify_conditional(
    graph: Graph, x: Iterable[str], y: Iterable[str], given: Iterable[str], sources: Sequence[Source] = ()
) -> Identification:
    """The estimand of P(y | do(x), given) from P(v) and what `sources` offer (the IDC algorithm), or a hedge.

    Conditions that act as interventions on y (rule 2 of the do-calculus) are turned into such; the rest is
    P(y, rest | do) over its sum. Complete for observations alone.

    Reference: Shpitser and Pearl 2006 (UAI), theorem 20.
    """
    a, b = _sides(graph, x, y)
    c = graph.mask(given)
    if c & (a | b):
        raise UserError(f"identification: {', '.join(graph.names(c & (a | b)))} of the condition occur in x or y")
    moved = True
    while moved:
        moved = False
        cut = graph.without_incoming(graph.names(a))
        for place in bits(c):
            bit = 1 << place
            if not reachable(cut.without_outgoing(graph.names(bit)), bit, (a | c) & ~bit) & b:
                a |= bit
                c &= ~bit
                moved = True
                break
    found = transport(graph, graph.names(a), graph.names(b | c), sources)
    if found.estimand is None or not c:
        return found
    return Identification(divide(found.estimand, add_over(graph.names(b), found.estimand)), None, found.arbitrary)


def transport(
    graph: Graph, x: Iterable[str], y: Iterable[str], sources: Sequence[Source], observed: bool = True
) -> Identification:
    """The estimand of the target population's P(y | do(x)) from its observations (if `observed`) and the `sources`.

    Without sources this is the ID algorithm, with one source that differs nowhere z-identification, in general
    transportability from several populations with limited experiments. Sound and complete.

    Reference: Bareinboim and Pearl 2014 (NIPS); Lee, Correa, Bareinboim 2020 (AAAI, general transportability).
    """
    a, b = _sides(graph, x, y)
    everything = graph.ancestors_of(b)
    causes = ancestors_within(graph, b, everything & ~a)
    places = [(Source(""), 0, 0)] if observed else []
    for source in sources:
        experiments, differing = graph.mask(source.experiments), graph.mask(source.differing)
        places.append((source, experiments & everything, differing))
    factors = []
    for target in districts(graph, causes):
        factor, hedge = None, None
        for source, experiments, differing in places:
            if differing & target:
                continue
            fixed = experiments & ~target
            whole = everything & ~fixed
            district = _district_of(graph, whole, target)
            reduced = narrow(graph, target, district)
            if reduced == target:
                factor = _factor(graph, source, fixed, whole, district, target)
                break
            hedge = hedge or (graph.names(reduced), graph.names(target))
        if factor is None:
            return Identification(None, hedge)
        factors.append(factor)
    order = [graph.nodes[place] for place in graph.order if (causes & ~b) >> place & 1]
    estimand = add_over(order, multiply(factors))
    named = frozenset(graph.names(a | b))
    return Identification(estimand, None, tuple(sorted(free_variables(estimand) - named)))


def _sides(graph: Graph, x: Iterable[str], y: Iterable[str]) -> tuple[int, int]:
    a, b = graph.mask(x), graph.mask(y)
    if not b:
        raise UserError("identification: y needs at least one node")
    if a & b:
        raise UserError(f"identification: {', '.join(graph.names(a & b))} occur both in x and y")
    return a, b


def ancestors_within(graph: Graph, mask: int, within: int) -> int:
    """Ancestors of a set in the subgraph on `within`, the set itself included."""
    found = frontier = mask & within
    while frontier:
        frontier = union(graph.parents, frontier) & within & ~found
        found |= frontier
    return found


def _district_of(graph: Graph, within: int, target: int) -> int:
    return next(part for part in districts(graph, within) if part & target)


def narrow(graph: Graph, target: int, district: int) -> int:
    """Shrink a district around `target` to ancestors and districts in turn; down to it exactly when Q is identified."""
    while district != target:
        ancestors = ancestors_within(graph, target, district)
        if ancestors == district:
            break
        district = _district_of(graph, ancestors, target)
    return district


def _factor(graph: Graph, source: Source, fixed: int, whole: int, district: int, target: int) -> Expression:
    """Q[target] in terms of the distribution P(whole | do(fixed)) of a source; the caller knows that it exists."""
    # Q[district] from the joint: each variable given the district it closes and that district's parents (Tian 2002).
    terms: list[Expression] = []
    seen = 0
    for place in graph.order:
        bit = 1 << place
        if not whole & bit:
            continue
        seen |= bit
        if district & bit:
            closed = _district_of(graph, seen, bit)
            given = (closed | union(graph.parents, closed)) & whole & ~bit
            terms.append(P((graph.nodes[place],), graph.names(given), graph.names(fixed), source.name))
    expression = multiply(terms)
    while district != target:
        ancestors = ancestors_within(graph, target, district)
        expression = add_over(_ordered(graph, district & ~ancestors), expression)
        if ancestors == target:
            break
        inner = _district_of(graph, ancestors, target)
        if inner != ancestors:
            expression = _split(graph, ancestors, inner, expression)
        district = inner
    return expression


def _split(graph: Graph, whole: int, part: int, expression: Expression) -> Expression:
    """Q[part] for a district `part` of `whole`, from the expression of Q[whole] (Tian and Pearl 2002, lemma 4)."""
    terms = []
    later = whole
    for place in graph.order:
        bit = 1 << place
        if not whole & bit:
            continue
        before, later = later, later & ~bit
        if part & bit:
            terms.append(
                divide(add_over(_ordered(graph, later), expression), add_over(_ordered(graph, before), expression))
            )
    return multiply(terms)


def _ordered(graph: Graph, mask: int) -> list[str]:
    return [graph.nodes[place] for place in graph.order if mask >> place & 1]
