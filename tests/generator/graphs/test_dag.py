"""Graphs: what is refused, ancestors and orders, and the latent projection."""

from itertools import combinations

import networkx as nx
import pytest
from benchpress.errors import UserError
from benchpress.graphs.dag import Graph, latent_projection
from benchpress.graphs.moral import moral_separated
from random_graphs import explicit, random_graph, stream


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"nodes": ["A", "A"], "directed": []}, "'A' is listed twice"),
        ({"nodes": ["A"], "directed": [["A", "B"]]}, "names 'B', not in nodes"),
        ({"nodes": ["A", "B"], "directed": [["A", "B"], ["B", "A"]]}, "form a cycle"),
        ({"nodes": ["A"], "directed": [["A", "A"]]}, "joins a node to itself"),
        ({"nodes": ["A"], "bidirected": [["A", "A"]]}, "joins a node to itself"),
        ({"nodes": ["A", "B"], "directed": [["A", "B"], ["A", "B"]]}, "A -> B is listed twice"),
        ({"nodes": ["A", "B"], "bidirected": [["A", "B"], ["B", "A"]]}, "B <-> A is listed twice"),
        ({"nodes": "AB", "directed": []}, "expected"),
        ({"nodes": [1, 2], "directed": []}, "expected"),
        ({"nodes": ["A", "B"], "directed": ["AB"]}, "expected"),
        ({"nodes": ["A", "B", "C"], "directed": [["A", "B", "C"]]}, "expected"),
        ({"directed": []}, "expected"),
        (["A"], "expected"),
    ],
)
def test_a_broken_graph_is_refused_in_one_line(value: object, message: str) -> None:
    with pytest.raises(UserError, match=message) as problem:
        Graph.from_json(value)  # type: ignore[arg-type]
    assert "\n" not in str(problem.value)


def test_the_json_form_is_read_back() -> None:
    value = {"nodes": ["B", "A", "1"], "directed": [["A", "B"]], "bidirected": [["B", "1"]]}
    assert Graph.from_json(value).to_json() == value


def test_a_bare_string_is_one_name_not_its_letters() -> None:
    graph = Graph.of("XY->Z X->Z")
    assert graph.ancestors("XY") == ("XY",)
    with pytest.raises(UserError, match="unknown node 'YX'"):
        graph.ancestors("YX")


@pytest.mark.parametrize("seed", range(30))
def test_ancestors_descendants_and_order_are_those_of_networkx(seed: int) -> None:
    graph = random_graph(stream("dag", seed), 9, 30)
    peer = nx.DiGraph(graph.directed)
    peer.add_nodes_from(graph.nodes)
    for node in graph.nodes:
        assert set(graph.ancestors(node)) == nx.ancestors(peer, node) | {node}
        assert set(graph.descendants(node)) == nx.descendants(peer, node) | {node}
    order = graph.topological_order()
    assert sorted(order) == sorted(graph.nodes)
    assert all(order.index(tail) < order.index(head) for tail, head in graph.directed)


def test_an_intervention_cuts_arrowheads_of_both_kinds_and_nothing_else() -> None:
    graph = Graph.of("A->X X->Y", "X<->Y A<->Y")
    cut = graph.without_incoming("X")
    assert (cut.directed, cut.bidirected) == ((("X", "Y"),), (("A", "Y"),))
    assert graph.without_outgoing("X").directed == (("A", "X"),)
    assert graph.without_outgoing("X").bidirected == graph.bidirected
    assert graph.subgraph(["X", "Y"]).to_json() == {
        "nodes": ["X", "Y"],
        "directed": [["X", "Y"]],
        "bidirected": [["X", "Y"]],
    }


@pytest.mark.parametrize("seed", range(40))
def test_the_projection_keeps_every_separation_among_the_observed(seed: int) -> None:
    draws = stream("projection", seed)
    graph = random_graph(draws, 7, 35, 10)
    latent = draws.sample(graph.nodes, 3)
    projected = latent_projection(graph, latent)
    for a, b in combinations(projected.nodes, 2):
        others = [node for node in projected.nodes if node not in (a, b)]
        for size in range(len(others) + 1):
            for given in combinations(others, size):
                assert moral_separated(projected, a, b, given) == moral_separated(graph, a, b, given)
        assert (b in projected.descendants(a)) == (b in graph.descendants(a))


def test_one_latent_with_three_children_is_three_bidirected_edges() -> None:
    graph = latent_projection(Graph.of("U->A U->B U->C"), "U")
    assert graph.bidirected == (("A", "B"), ("A", "C"), ("B", "C"))


def test_latents_in_a_row_and_latent_mediators_are_projected() -> None:
    graph = latent_projection(Graph.of("U->V V->A V->B A->M M->C"), ["U", "V", "M"])
    assert graph.directed == (("A", "C"),)
    assert graph.bidirected == (("A", "B"),)


@pytest.mark.parametrize("seed", range(10))
def test_projecting_explicit_latents_gives_the_graph_back(seed: int) -> None:
    graph = random_graph(stream("round", seed), 6, 40, 30)
    full, latents = explicit(graph)
    projected = latent_projection(full, latents)
    assert set(projected.directed) == set(graph.directed)
    assert set(map(frozenset, projected.bidirected)) == set(map(frozenset, graph.bidirected))
