"""Adjustment sets against their definitions, exhaustive search, and exact linear and discrete models."""

from fractions import Fraction
from itertools import combinations

import pytest
from benchpress.errors import UserError
from benchpress.graphs import definitions
from benchpress.graphs.adjustment import (
    causal_nodes,
    forbidden_nodes,
    is_adjustment_set,
    is_backdoor_set,
    is_direct_effect_set,
    minimal_adjustment_sets,
    minimum_adjustment_sets,
    optimal_adjustment_set,
)
from benchpress.graphs.dag import Graph
from benchpress.models.table import Table
from random_graphs import random_graph, random_linear, random_network, stream


@pytest.mark.parametrize("seed", range(60))
def test_validity_is_the_definition_over_all_paths(seed: int) -> None:
    draws = stream("valid", seed)
    graph = random_graph(draws, 6, 45, draws.choice((0, 25)))
    nodes = draws.shuffled(graph.nodes)
    x, y, free = nodes[: draws.between(1, 2)], nodes[2 : 2 + draws.between(1, 2)], nodes[4:]
    for size in range(len(free) + 1):
        for z in combinations(free, size):
            assert is_adjustment_set(graph, x, y, z) == definitions.adjusts(graph, x, y, z)
            assert is_backdoor_set(graph, x, y, z) == definitions.adjusts_by_backdoor(graph, x, y, z)


@pytest.mark.parametrize("seed", range(60))
def test_a_set_is_valid_exactly_when_regression_finds_the_effect_in_a_generic_model(seed: int) -> None:
    draws = stream("regression", seed)
    graph = random_graph(draws, 6, 50, draws.choice((0, 20)))
    model = random_linear(draws, graph)
    x, y, *free = draws.shuffled(graph.nodes)
    for size in range(len(free) + 1):
        for z in combinations(free, size):
            right = model.coefficient(y, x, z) == model.total_effect(x, y)
            assert is_adjustment_set(graph, [x], [y], z) == right
            # The edge's coefficient: the criterion is complete for sets without descendants of y.
            if not set(z) & set(graph.descendants(y)):
                edge = model.coefficients.get((x, y), Fraction(0))
                assert is_direct_effect_set(graph, [x], [y], z) == (model.coefficient(y, x, z) == edge)


@pytest.mark.parametrize("seed", range(25))
def test_a_joint_adjustment_set_standardises_to_the_truth_in_a_discrete_model(seed: int) -> None:
    draws = stream("joint", seed)
    graph = random_graph(draws, 5, 55, 15)
    network = random_network(draws, graph)
    table = Table.of_network(network, graph.nodes)
    nodes = draws.shuffled(graph.nodes)
    x, y, free = nodes[:2], nodes[2:3], nodes[3:]
    for size in range(len(free) + 1):
        for z in combinations(free, size):
            equal = all(
                sum(
                    (
                        table.probability(dict.fromkeys(y, 1), {**state, x[0]: one, x[1]: other})
                        * table.probability(state)
                        for state in table.states(z)
                    ),
                    Fraction(0),
                )
                == network.probability(dict.fromkeys(y, 1), None, {x[0]: one, x[1]: other})
                for one, other in ((0, 0), (0, 1), (1, 0), (1, 1))
            )
            assert is_adjustment_set(graph, x, y, z) == equal


@pytest.mark.parametrize("effect", ["total", "direct"])
@pytest.mark.parametrize("seed", range(60))
def test_minimal_sets_are_those_of_an_exhaustive_search(seed: int, effect: str) -> None:
    draws = stream("minimal", seed)
    graph = random_graph(draws, 7, 40, draws.choice((0, 20)))
    nodes = draws.shuffled(graph.nodes)
    x, y = nodes[: draws.between(1, 2)], nodes[2 : 2 + draws.between(1, 2)]
    required, excluded = nodes[4 : 4 + draws.below(2)], nodes[5 : 5 + draws.below(3)]
    wanted = definitions.minimal_adjustment_by_search(graph, x, y, required, excluded, effect)
    assert minimal_adjustment_sets(graph, x, y, required, excluded, effect) == wanted  # type: ignore[arg-type]
    fewest = min(map(len, wanted), default=0)
    assert minimum_adjustment_sets(graph, x, y, required, excluded, effect) == tuple(  # type: ignore[arg-type]
        z for z in wanted if len(z) == fewest
    )


@pytest.mark.parametrize("seed", range(60))
def test_no_valid_set_has_a_smaller_variance_than_the_optimal_one(seed: int) -> None:
    draws = stream("optimal", seed)
    graph = random_graph(draws, 6, 45)
    x, y, *free = draws.shuffled(graph.nodes)
    if y not in graph.descendants(x):
        with pytest.raises(UserError, match="no causal path"):
            optimal_adjustment_set(graph, x, y)
        return
    best = optimal_adjustment_set(graph, x, y)
    model = random_linear(draws, graph)

    def variance(z: tuple[str, ...]) -> Fraction:
        # Up to 1/n: residual variance of y over that of x (Henckel et al. 2022, equation 5).
        return model.partial_covariance(y, y, (x, *z)) / model.partial_covariance(x, x, z)

    assert is_adjustment_set(graph, x, y, best)
    for size in range(len(free) + 1):
        for z in combinations(free, size):
            if is_adjustment_set(graph, x, y, z):
                assert variance(best) <= variance(z)


def test_m_bias_needs_nothing_and_the_butterfly_more_than_its_middle() -> None:
    m_bias = Graph.of("A->X A->Z B->Z B->Y X->Y")
    assert minimal_adjustment_sets(m_bias, "X", "Y") == ((),)
    assert not is_adjustment_set(m_bias, "X", "Y", "Z")
    butterfly = Graph.of("A->X A->Z B->Z B->Y Z->X Z->Y X->Y")
    assert not is_adjustment_set(butterfly, "X", "Y", "Z")
    assert minimal_adjustment_sets(butterfly, "X", "Y") == (("A", "Z"), ("B", "Z"))


def test_descendants_of_mediators_and_of_the_outcome_are_forbidden() -> None:
    graph = Graph.of("X->M M->Y M->C Y->D X->E")
    assert causal_nodes(graph, "X", "Y") == ("M", "Y")
    assert forbidden_nodes(graph, "X", "Y") == ("M", "Y", "C", "D")
    assert [z for z in "CDE" if is_adjustment_set(graph, "X", "Y", z)] == ["E"]


def test_without_a_causal_path_adjustment_means_separation() -> None:
    assert minimal_adjustment_sets(Graph.of("A->X A->Z B->Z B->Y"), "X", "Y") == ((),)
    assert minimal_adjustment_sets(Graph.of("Y->X"), "X", "Y") == ()


def test_no_set_and_the_empty_set_are_told_apart() -> None:
    assert minimal_adjustment_sets(Graph.of("X->Y", "X<->Y"), "X", "Y") == ()
    assert minimal_adjustment_sets(Graph.of("X->Y"), "X", "Y") == ((),)


def test_overlaps_are_refused() -> None:
    graph = Graph.of("Z->X X->Y")
    with pytest.raises(UserError, match="both in x and y"):
        is_adjustment_set(graph, "X", "X", ())
    with pytest.raises(UserError, match="remove them from z"):
        is_adjustment_set(graph, "X", "Y", "X")
    with pytest.raises(UserError, match="bidirected"):
        optimal_adjustment_set(Graph.of("X->Y", "X<->Y"), "X", "Y")
