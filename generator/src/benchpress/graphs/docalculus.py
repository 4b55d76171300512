"""A search for derivations in the do-calculus: identifiability from any mixture of observations and experiments.

The third way to every identifiability question, and the general one: transported and selected data are conditions on
extra nodes. Exponential (4^n distributions over n nodes), so for graphs of up to eight nodes or so.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchpress.errors import UserError
from benchpress.graphs.dag import Graph, bits
from benchpress.graphs.separation import reachable


@dataclass(frozen=True)
class Known:
    """A distribution P(of | given, do(do)) that is asked for or at hand."""

    of: tuple[str, ...]
    given: tuple[str, ...] = ()
    do: tuple[str, ...] = ()


class _State(NamedTuple):
    of: int
    given: int
    do: int


def derivation(
    graph: Graph,
    target: Known,
    sources: Iterable[Known],
    selected: Iterable[str] = (),
    switches: Iterable[str] = (),
) -> tuple[str, ...] | None:
    """A derivation of `target` from `sources`, one line a step, or None where the search ends without one.

    Steps: marginalise, condition, multiply, and the three rules of the do-calculus on one variable at a time.
    `selected` are nodes known at the value 1 only, which are never summed over. `switches` are roots that tell
    populations apart: no random variables, so that they transmit nothing; one that is not in a condition stands for
    the target.

    Reference: Pearl 1995; Tikka, Hyttinen, Karvanen 2021 (Journal of Statistical Software 99).

    >>> for line in derivation(Graph.of("Z->X Z->Y X->Y"), Known(("Y",), (), ("X",)), [Known(("Z", "X", "Y"))]):
    ...     print(line)
    P(Z, X, Y) is given
    P(X, Y | Z) by conditioning of P(Z, X, Y)
    P(Y | Z, X) by conditioning of P(X, Y | Z)
    P(Y | Z, do(X)) by rule 2 of P(Y | Z, X)
    P(Z, Y) by marginalisation of P(Z, X, Y)
    P(Z) by marginalisation of P(Z, Y)
    P(Z | do(X)) by rule 3 of P(Z)
    P(Z, Y | do(X)) by product of P(Y | Z, do(X)) and P(Z | do(X))
    P(Y | do(X)) by marginalisation of P(Z, Y | do(X))
    """
    search = _Search(graph, graph.mask(selected), graph.mask(switches))
    return search.run(_state(graph, target), [_state(graph, source) for source in sources])


def switched(graph: Graph, populations: Sequence[tuple[str, Iterable[str]]]) -> Graph:
    """The selection diagram: one new root a population, named as given, pointing at the mechanisms that differ there.

    Reference: Pearl and Bareinboim 2014, definition 5.
    """
    edges = [(name, node) for name, differing in populations for node in differing]
    return Graph((*graph.nodes, *(name for name, _ in populations)), (*graph.directed, *edges), graph.bidirected)


def _state(graph: Graph, known: Known) -> _State:
    state = _State(graph.mask(known.of), graph.mask(known.given), graph.mask(known.do))
    if state.of & (state.given | state.do) or state.given & state.do or not state.of:
        raise UserError("do-calculus: a distribution needs variables, and its three sets must be disjoint")
    return state


class _Search:
    def __init__(self, graph: Graph, selected: int, switches: int) -> None:
        self.graph = graph
        self.switches = switches
        self.constants = selected | switches
        self.cuts: dict[tuple[int, int], Graph] = {}
        self.reasons: dict[_State, tuple[str, tuple[_State, ...]]] = {}
        self.queue: deque[_State] = deque()
        self.right: dict[tuple[int, int], list[_State]] = {}

    def run(self, target: _State, sources: Iterable[_State]) -> tuple[str, ...] | None:
        for source in sources:
            self.add(source, "given")
        while self.queue and target not in self.reasons:
            state = self.queue.popleft()
            self.rules(state)
            self.products(state)
        return self.lines(target) if target in self.reasons else None

    def add(self, state: _State, reason: str, *origins: _State) -> None:
        if state not in self.reasons:
            self.reasons[state] = reason, origins
            self.queue.append(state)
            self.right.setdefault((state.given, state.do), []).append(state)

    def rules(self, state: _State) -> None:
        of, given, do = state
        if of & (of - 1):
            for place in bits(of):
                bit = 1 << place
                self.add(_State(of ^ bit, given, do), "marginalisation", state)
                self.add(_State(of ^ bit, given | bit, do), "conditioning", state)
        for place in bits(given):
            bit = 1 << place
            rest = given ^ bit
            if self.apart(of, bit, rest, do, 0):
                self.add(_State(of, rest, do), "rule 1", state)
            if not bit & self.switches and self.apart(of, bit, rest, do, bit):
                self.add(_State(of, rest, do | bit), "rule 2", state)
        for place in bits(do):
            bit = 1 << place
            rest = do ^ bit
            if self.apart(of, bit, given, rest, bit):
                self.add(_State(of, given | bit, rest), "rule 2", state)
            if self.inert(of, bit, given, rest):
                self.add(_State(of, given, rest), "rule 3", state)
        for place in bits(self.graph.everything & ~(of | given | do)):
            bit = 1 << place
            if self.apart(of, bit, given, do, 0):
                self.add(_State(of, given | bit, do), "rule 1", state)
            if not bit & self.switches and self.inert(of, bit, given, do):
                self.add(_State(of, given, do | bit), "rule 3", state)

    def products(self, state: _State) -> None:
        of, given, do = state
        # state times P(more | of, given), and P(part of given | rest) times state.
        for other in tuple(self.right.get((of | given, do), ())):
            self.add(_State(of | other.of, given, do), "product", other, state)
        part = given & ~self.constants
        subset = part
        while subset:
            other = _State(subset, given & ~subset, do)
            if other in self.reasons:
                self.add(_State(of | subset, given & ~subset, do), "product", state, other)
            subset = (subset - 1) & part

    def apart(self, of: int, bit: int, given: int, do: int, without_outgoing: int) -> bool:
        cut = self.cut(do, without_outgoing)
        return not reachable(cut, bit, given | do | self.switches & ~bit) & of

    def inert(self, of: int, bit: int, given: int, do: int) -> bool:
        upstream = self.cut(do, 0).ancestors_of(given) & bit
        return not reachable(self.cut(do if upstream else do | bit, 0), bit, given | do | self.switches) & of

    def cut(self, without_incoming: int, without_outgoing: int) -> Graph:
        key = (without_incoming, without_outgoing)
        found = self.cuts.get(key)
        if found is None:
            names = self.graph.names
            found = self.graph.without_incoming(names(without_incoming)).without_outgoing(names(without_outgoing))
            self.cuts[key] = found
        return found

    def lines(self, target: _State) -> tuple[str, ...]:
        written: list[str] = []
        done: set[_State] = set()

        def write(state: _State) -> None:
            if state in done:
                return
            done.add(state)
            reason, origins = self.reasons[state]
            for origin in origins:
                write(origin)
            source = " and ".join(map(self.text, origins))
            written.append(
                f"{self.text(state)} is given" if not origins else f"{self.text(state)} by {reason} of {source}"
            )

        write(target)
        return tuple(written)

    def text(self, state: _State) -> str:
        of, given, do = (", ".join(self.graph.names(mask)) for mask in state)
        condition = ", ".join(part for part in (given, f"do({do})" if do else "") if part)
        return f"P({of}{' | ' if condition else ''}{condition})"
