"""Numerical second opinions on graph questions: random models of the graph, computed exactly.

A criterion that holds must hold in every model; one that fails, fails in almost every model, so that a few random ones
with fine-grained parameters decide it. Parameters are drawn from a fixed stream of the graph, so answers repeat.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from benchpress.errors import UserError
from benchpress.graphs.dag import Graph
from benchpress.graphs.fresh import fresh_names
from benchpress.graphs.identification import Identification
from benchpress.models.discrete import Network
from benchpress.models.linear import LinearModel
from benchpress.models.table import Table
from benchpress.streams import Stream, derive

LARGEST = 12
"""Observed and latent variables that a discrete model may have here: 2^12 states."""


def fits_enumeration(graph: Graph) -> bool:
    """Whether the graph is small enough for a discrete model with one latent a bidirected edge."""
    return len(graph.nodes) + len(graph.bidirected) <= LARGEST


def linear_instrument(graph: Graph, z: str, x: str, y: str, given: Sequence[str], effect: str) -> bool:
    """Whether cov(z, y | given) / cov(z, x | given) is the effect in random linear models of the graph."""
    for number in range(2):
        model = _linear(graph, number)
        if model.partial_covariance(z, x, given) == 0:
            return False
        wanted = model.total_effect(x, y) if effect == "total" else model.coefficients.get((x, y), Fraction(0))
        if model.instrument_ratio(y, x, z, given) != wanted:
            return False
    return True


def linear_adjustment(graph: Graph, x: str, y: str, z: Sequence[str]) -> bool:
    """Whether regression on x and z gives the total effect of x on y in random linear models of the graph."""
    return all(
        _linear(graph, number).coefficient(y, x, z) == _linear(graph, number).total_effect(x, y) for number in range(2)
    )


def linear_independence(graph: Graph, x: Sequence[str], y: Sequence[str], given: Sequence[str]) -> bool:
    """Whether every pair of x and y has partial covariance zero in random linear models of the graph."""
    model = _linear(graph, 0)
    return all(model.partial_covariance(a, b, given) == 0 for a in x for b in y)


def estimand_is_right(
    graph: Graph, found: Identification, x: Sequence[str], y: Sequence[str], given: Sequence[str] = ()
) -> bool:
    """Whether an estimand over observations equals P(y | do(x), given) in a random discrete model with its latents."""
    network = _discrete(graph)
    table = Table.of_network(network, graph.nodes)
    for value in (0, 1):
        values = {name: (value + place) % 2 for place, name in enumerate((*x, *y, *given))}
        truth = network.probability(
            {name: values[name] for name in y},
            {name: values[name] for name in given},
            {name: values[name] for name in x},
        )
        if found.on_table(table, values) != truth:
            return False
    return True


def selected_adjustment(graph: Graph, x: Sequence[str], y: Sequence[str], z: Sequence[str], selection: str) -> bool:
    """Whether adjusting the selected units of a random discrete model for z gives the effect in everybody."""
    network = _discrete(graph)
    table = Table.of_network(network, graph.nodes).given({selection: 1})
    for value in (0, 1):
        treatment, outcome = dict.fromkeys(x, value), dict.fromkeys(y, 1)
        adjusted = sum(
            (
                table.probability(outcome, {**stratum, **treatment}) * table.probability(stratum)
                for stratum in table.states(z)
            ),
            Fraction(0),
        )
        if adjusted != network.probability(outcome, None, treatment):
            return False
    return True


def _draws(graph: Graph, purpose: str, number: int = 0) -> Stream:
    if len(graph.nodes) > 200:
        raise UserError("solve: graphs of more than 200 nodes are not answered")
    return derive(b"benchpress.solve", purpose, number, *graph.nodes)


@cache
def _linear(graph: Graph, number: int) -> LinearModel:
    draws = _draws(graph, "linear", number)
    coefficients = {
        edge: Fraction(draws.between(101, 999) * (1 if draws.chance(1, 2) else -1), 100) for edge in graph.directed
    }
    covariances = {pair: Fraction(draws.between(101, 999), 1000) for pair in graph.bidirected}
    # Diagonal dominance keeps the noise covariance positive definite.
    spouses = [row.bit_count() for row in graph.spouses]
    variances = {
        node: Fraction(1000 * (1 + spouses[place]) + draws.between(1, 999), 1000)
        for place, node in enumerate(graph.nodes)
    }
    return LinearModel(graph, coefficients, variances, covariances)


@cache
def _discrete(graph: Graph) -> Network:
    draws = _draws(graph, "discrete")
    names = fresh_names((f"latent {place}" for place in range(len(graph.bidirected))), graph.nodes)
    latent = dict(zip(names, graph.bidirected, strict=True))
    parents: dict[str, tuple[str, ...]] = dict.fromkeys(latent, ())
    for place, node in enumerate(graph.nodes):
        hidden = [name for name, pair in latent.items() if node in pair]
        parents[node] = (*graph.names(graph.parents[place]), *hidden)
    chances = {
        name: [Fraction(draws.between(1_000, 8_973), 9_973) for _ in range(2 ** len(above))]
        for name, above in parents.items()
    }
    return Network.of(parents, chances)
