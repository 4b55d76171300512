"""Random small graphs and random exact models of them, drawn from a fixed stream."""

from fractions import Fraction

from benchpress.graphs.dag import Graph
from benchpress.models.discrete import Network
from benchpress.models.linear import LinearModel
from benchpress.streams import Stream, derive


def stream(*path: str | int) -> Stream:
    return derive(b"tests", *path)


def random_graph(draws: Stream, nodes: int, directed: int = 45, bidirected: int = 0) -> Graph:
    """A graph with the given per cent of directed and bidirected edges, in an order unrelated to that of its nodes."""
    names = [f"V{number}" for number in range(nodes)]
    order = draws.shuffled(names)
    pairs = [(order[a], order[b]) for a in range(nodes) for b in range(a + 1, nodes)]
    return Graph(
        tuple(names),
        tuple(pair for pair in pairs if draws.chance(directed, 100)),
        tuple(pair for pair in pairs if draws.chance(bidirected, 100)),
    )


def explicit(graph: Graph) -> tuple[Graph, tuple[str, ...]]:
    """The DAG in which every bidirected edge is a latent parent of its ends, and the names of the latents."""
    latents = tuple(f"L{number}" for number in range(len(graph.bidirected)))
    arrows = [(latent, end) for latent, pair in zip(latents, graph.bidirected, strict=True) for end in pair]
    return Graph((*graph.nodes, *latents), (*graph.directed, *arrows)), latents


def random_network(draws: Stream, graph: Graph) -> Network:
    """A binary model with positive probabilities of a prime denominator, so that nothing cancels by chance."""
    full, _ = explicit(graph)
    parents = {node: full.names(full.parents[place]) for place, node in enumerate(full.nodes)}
    return Network.of(
        parents,
        {node: [Fraction(draws.between(900, 9000), 9973) for _ in range(2 ** len(up))] for node, up in parents.items()},
    )


def random_linear(draws: Stream, graph: Graph) -> LinearModel:
    """A linear model with generic coefficients and a positive definite noise covariance."""
    return LinearModel.of(
        graph,
        {edge: Fraction(draws.choice((-1, 1)) * draws.between(301, 1999), 1000) for edge in graph.directed},
        {node: len(graph.nodes) + draws.between(1, 5) for node in graph.nodes},
        {pair: Fraction(draws.between(301, 899), 1000) for pair in graph.bidirected},
        {node: draws.between(-3, 3) for node in graph.nodes},
    )
