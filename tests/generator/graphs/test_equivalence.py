"""Equivalence classes against every orientation of the skeleton, and implications against every subset."""

from itertools import product

import networkx as nx
import pytest
from benchpress.errors import UserError
from benchpress.graphs import definitions, implications
from benchpress.graphs.dag import Graph
from benchpress.graphs.equivalence import (
    class_size,
    covered_edge_class,
    cpdag,
    markov_equivalent,
    members,
    oriented_with,
    skeleton,
    v_structures,
)
from random_graphs import random_graph, stream


def every_orientation(graph: Graph) -> list[frozenset[tuple[str, str]]]:
    """The class by brute force: all acyclic orientations of the skeleton with the same separations."""
    wanted = definitions.independences(graph)
    found = []
    pairs = skeleton(graph)
    for turns in product((False, True), repeat=len(pairs)):
        edges = [pair[::-1] if turn else pair for pair, turn in zip(pairs, turns, strict=True)]
        if nx.is_directed_acyclic_graph(nx.DiGraph(edges)):
            candidate = Graph(graph.nodes, tuple(edges))
            if definitions.independences(candidate) == wanted:
                found.append(frozenset(edges))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_the_class_is_that_of_all_orientations_with_the_same_separations(seed: int) -> None:
    draws = stream("class", seed)
    graph = random_graph(draws, draws.between(3, 5), 60)
    wanted = every_orientation(graph)
    compelled = frozenset.intersection(*wanted)
    pattern = cpdag(graph)
    assert set(pattern.directed) == compelled
    assert set(pattern.undirected) == {tuple(sorted(edge)) for edge in graph.directed if edge not in compelled}
    listed = list(members(graph))
    assert len(listed) == len(wanted) == class_size(graph)
    assert {frozenset(member.directed) for member in listed} == set(wanted)
    walked = covered_edge_class(graph, 1000)
    assert walked is not None
    assert {frozenset(member.directed) for member in walked} == set(wanted)
    assert v_structures(graph) == definitions.v_structures_by_separation(graph)
    assert set(v_structures(graph)) == set(definitions.unshielded_colliders(graph))


@pytest.mark.parametrize("seed", range(60))
def test_meek_counting_and_the_covered_edge_walk_agree_on_larger_graphs(seed: int) -> None:
    draws = stream("larger", seed)
    graph = random_graph(draws, draws.between(6, 9), draws.choice((25, 40, 90)))
    walked = covered_edge_class(graph, 3000)
    if walked is None:
        assert class_size(graph) > 3000
        return
    assert class_size(graph) == len(walked)
    assert set(cpdag(graph).directed) == set.intersection(*(set(member.directed) for member in walked))


@pytest.mark.parametrize(
    ("graph", "size"),
    [
        (Graph.of(nodes="A B C"), 1),
        (Graph.of("A->B B->C C->D"), 4),
        (Graph.of("A->B C->D"), 4),
        (Graph.of("A->B A->C B->C"), 6),
        (Graph.of(" ".join(f"V{i}->V{j}" for i in range(10) for j in range(i + 1, 10))), 3628800),
        # A star of undirected edges: any node may be the root.
        (Graph.of(" ".join(f"C->L{i}" for i in range(9))), 10),
    ],
)
def test_sizes_known_in_closed_form(graph: Graph, size: int) -> None:
    assert class_size(graph) == size


@pytest.mark.parametrize("seed", range(60))
def test_equivalence_means_the_same_separations(seed: int) -> None:
    draws = stream("equivalent", seed)
    graph = random_graph(draws, 4, 60)
    other = random_graph(draws, 4, 60)
    member = list(members(graph))[-1]
    assert markov_equivalent(graph, member)
    same = definitions.independences(graph) == definitions.independences(other)
    assert markov_equivalent(graph, other) == same


@pytest.mark.parametrize("seed", range(40))
def test_background_knowledge_leaves_exactly_the_members_that_have_it(seed: int) -> None:
    draws = stream("knowledge", seed)
    graph = random_graph(draws, 5, 60)
    pattern = cpdag(graph)
    if not pattern.undirected:
        return
    pair = draws.choice(pattern.undirected)
    known = pair if pair in graph.directed else pair[::-1]
    consistent = [set(member.directed) for member in members(graph) if known in member.directed]
    assert set(oriented_with(pattern, [known]).directed) == set.intersection(*consistent)


def test_knowledge_against_the_pattern_is_refused() -> None:
    pattern = cpdag(Graph.of("A->C B->C"))
    with pytest.raises(UserError, match="does not fit"):
        oriented_with(pattern, [("C", "A")])


def test_a_shielded_collider_is_no_v_structure() -> None:
    assert v_structures(Graph.of("A->C B->C A->B")) == ()
    assert v_structures(Graph.of("B->C A->C")) == (("A", "C", "B"),)


def test_classes_are_for_dags() -> None:
    for ask in (cpdag, class_size, lambda graph: list(members(graph))):
        with pytest.raises(UserError, match="bidirected"):
            ask(Graph.of("A->B", "A<->B"))


@pytest.mark.parametrize("seed", range(40))
def test_implications_are_all_minimal_separating_sets(seed: int) -> None:
    draws = stream("implications", seed)
    graph = random_graph(draws, draws.between(3, 6), 40, draws.choice((0, 25)))
    statements = definitions.independences(graph)
    smallest = [
        (pair, given)
        for pair, given in statements
        if not any(pair == other and set(less) < set(given) for other, less in statements)
    ]
    assert implications.testable_implications(graph) == tuple(sorted(smallest))
    assert definitions.minimal_independences(graph) == tuple(sorted(smallest))
    assert implications.separable_pairs(graph) == tuple(sorted({pair for pair, _ in statements}))


def test_a_verma_graph_has_a_pair_that_nothing_separates() -> None:
    verma = Graph.of("A->B B->C C->D", "B<->D")
    assert not verma.adjacent("A", "D")
    assert ("A", "D") not in implications.separable_pairs(verma)
