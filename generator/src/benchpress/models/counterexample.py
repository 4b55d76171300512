"""Proof by example that an effect is not identifiable: two models alike in all observations, apart in the effect.

Both models are parity circuits over a hedge. In the first every variable is the parity of its causes; in the second the
inner set of the hedge disregards the outer one. Nobody can tell by observing; under the intervention the first has a
fair coin where the second has none.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from benchpress.graphs.dag import Graph
from benchpress.graphs.fresh import fresh_names
from benchpress.graphs.hedges import hedges
from benchpress.models.discrete import Network
from benchpress.models.table import Table

FLIP = Fraction(1, 8)
"""How often a variable differs from its parity: keeps every observation possible."""


def disagreeing_models(graph: Graph, x: Iterable[str], y: Iterable[str]) -> tuple[Network, Network] | None:
    """Two networks on (a part of) `graph` with the same P(v) and different P(y | do(x)), or None where no hedge exists.

    Variables are binary; bidirected edges appear as latent roots named ``A<->B``, primed where a node has that name.
    Variables that play no part are left out unless they are in x or y; as independent coins they change nothing.
    Exponential in the number of ancestors of y.

    Reference: Shpitser and Pearl 2006 (AAAI), theorem 4.
    """
    treated, outcomes = _listed(x), _listed(y)
    for outer, inner in hedges(graph, treated, outcomes):
        pair = _circuits(graph, treated, outcomes, outer, inner)
        if pair is not None:
            return pair
    return None


def models_disagree(
    models: tuple[Network, Network], observed: Iterable[str], x: Iterable[str], y: Iterable[str]
) -> bool:
    """Whether two networks have the same distribution over `observed` and different distributions of `y` under do(x).

    By enumeration of every state; `observed` may hold names that the networks leave out.
    """
    first, second = models
    seen = [name for name in observed if name in first.parents]
    one, other = Table.of_network(first, seen), Table.of_network(second, seen)
    if [weight * other.total for weight in one.weights] != [weight * one.total for weight in other.weights]:
        return False
    treated, outcomes = _listed(x), _listed(y)
    for values in product((0, 1), repeat=len(outcomes)):
        event = dict(zip(outcomes, values, strict=True))
        do = dict.fromkeys(treated, 0)
        if first.probability(event, None, do) != second.probability(event, None, do):
            return True
    return False


def _circuits(
    graph: Graph, x: tuple[str, ...], y: tuple[str, ...], outer: tuple[str, ...], inner: tuple[str, ...]
) -> tuple[Network, Network] | None:
    """The two circuits of a hedge; None where the inner set reaches y only through the outer one."""
    inside, around = set(inner), set(outer) - set(inner)
    towards_y = _pointers(graph, set(y), set(graph.nodes) - set(x) - around)
    if not inside <= towards_y.keys() | set(y):
        return None
    # Every circuit node hands its value to one child: outer nodes towards the inner set, the others towards y.
    hands = _pointers(graph, inside, set(outer))
    frontier = list(inner)
    relays: list[str] = []
    while frontier:
        node = frontier.pop()
        if node not in y:
            hands[node] = towards_y[node]
            if towards_y[node] not in inside and towards_y[node] not in relays:
                relays.append(towards_y[node])
                frontier.append(towards_y[node])
    members = [*outer, *relays]
    ties = _spanning(graph, outer, inner)
    roots = dict(zip(fresh_names((f"{a}<->{b}" for a, b in ties), graph.nodes), ties, strict=True))
    takes = {node: [giver for giver in members if hands.get(giver) == node] for node in members}
    noisy = {inner[0], *relays}

    def circuit(disregard: bool) -> Network:
        parents: dict[str, tuple[str, ...]] = dict.fromkeys(roots, ())
        for node in graph.topological_order():
            if node in takes:
                deaf = disregard and node in inside
                givers = [giver for giver in takes[node] if not (deaf and giver in around)]
                latents = [
                    root for root, pair in roots.items() if node in pair and not (deaf and around.intersection(pair))
                ]
                parents[node] = (*givers, *latents)
            elif node in x or node in y:
                parents[node] = ()
        ones = {
            node: [
                (1 - FLIP if sum(state) % 2 else FLIP) if node in noisy else Fraction(sum(state) % 2)
                for state in product((0, 1), repeat=len(above))
            ]
            if node in takes
            else [Fraction(1, 2)]
            for node, above in parents.items()
        }
        return Network.of(parents, ones)

    return circuit(False), circuit(True)


def _pointers(graph: Graph, goals: set[str], within: set[str]) -> dict[str, str]:
    """For every node of `within` that reaches `goals` inside it, the next step of a shortest way."""
    pointers: dict[str, str] = {}
    reached = [node for node in graph.nodes if node in goals]
    for head in reached:
        for tail, child in graph.directed:
            if child == head and tail in within and tail not in reached:
                pointers[tail] = head
                reached.append(tail)
    return pointers


def _spanning(graph: Graph, outer: tuple[str, ...], inner: tuple[str, ...]) -> list[tuple[str, str]]:
    """Bidirected edges that form a spanning tree of the inner set, extended to one of the outer set."""
    tree: list[tuple[str, str]] = []
    grown = {inner[0]}
    for within in (set(inner), set(outer)):
        while not within <= grown:
            edge = next(pair for pair in graph.bidirected if set(pair) <= within and len(grown.intersection(pair)) == 1)
            tree.append(edge)
            grown.update(edge)
    return tree


def _listed(names: Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
