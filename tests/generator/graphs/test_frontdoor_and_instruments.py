"""Front-door sets and instruments against their definitions and against exact models."""

from itertools import combinations

import pytest
from benchpress.errors import UserError
from benchpress.graphs import definitions
from benchpress.graphs.dag import Graph
from benchpress.graphs.frontdoor import frontdoor_sets, is_frontdoor_set
from benchpress.graphs.instruments import (
    conditional_instruments,
    conditioning_sets,
    instruments,
    is_instrument,
    is_ratio_instrument,
)
from benchpress.models.formulas import front_door
from benchpress.models.table import Table
from random_graphs import random_graph, random_linear, random_network, stream


@pytest.mark.parametrize("seed", range(80))
def test_the_front_door_criterion_is_its_definition_over_all_paths(seed: int) -> None:
    draws = stream("frontdoor", seed)
    graph = random_graph(draws, 6, 40, 20)
    x, y, *free = draws.shuffled(graph.nodes)
    valid = []
    for size in range(len(free) + 1):
        for m in combinations(free, size):
            wanted = definitions.intercepts(graph, x, y, m)
            assert is_frontdoor_set(graph, x, y, m) == wanted
            if wanted:
                valid.append(tuple(sorted(m)))
    assert frontdoor_sets(graph, x, y, minimal=False) == tuple(sorted(valid))
    smallest = [m for m in valid if not any(set(other) < set(m) for other in valid)]
    assert frontdoor_sets(graph, x, y) == tuple(sorted(smallest))


def test_a_front_door_set_gives_the_effect_by_its_formula() -> None:
    tried = 0
    for seed in range(900):
        draws = stream("formula", seed)
        graph = random_graph(draws, 5, 45, 25)
        x, y = draws.sample(graph.nodes, 2)
        if y not in graph.descendants(x) or (x, y) in graph.directed:
            continue
        for m in frontdoor_sets(graph, x, y, minimal=False):
            if m:
                network = random_network(draws, graph)
                table = Table.of_network(network, graph.nodes)
                assert front_door(table, x, y, m, 1) == network.probability({y: 1}, None, {x: 1})
                tried += 1
    assert tried >= 20


def test_front_door_conventions() -> None:
    assert is_frontdoor_set(Graph.of("Y->X", nodes="X Y M"), "X", "Y", [])
    # Set-wise: the path from A to Y through B is no back-door path of the set.
    chain = Graph.of("X->A X->B B->A A->Y B->Y", "X<->Y")
    assert is_frontdoor_set(chain, "X", "Y", ["A", "B"])
    assert not is_frontdoor_set(chain, "X", "Y", ["A"])
    with pytest.raises(UserError, match="not a mediator"):
        is_frontdoor_set(chain, "X", "Y", ["Y"])


@pytest.mark.parametrize("effect", ["total", "edge"])
@pytest.mark.parametrize("seed", range(60))
def test_instruments_are_those_whose_covariance_ratio_is_the_effect(seed: int, effect: str) -> None:
    draws = stream("instruments", seed)
    graph = random_graph(draws, 6, 40, 20)
    model = random_linear(draws, graph)
    x, y, z, *free = draws.shuffled(graph.nodes)
    wanted = model.total_effect(x, y) if effect == "total" else model.coefficients.get((x, y), 0)
    barred = graph.descendants((x, y) if effect == "total" else y)
    found = []
    for size in range(len(free) + 1):
        for w in combinations(free, size):
            got = is_instrument(graph, z, x, y, w, effect)  # type: ignore[arg-type]
            wider = is_ratio_instrument(graph, z, x, y, w, effect)  # type: ignore[arg-type]
            assert wider == definitions.serves_as_instrument(graph, z, x, y, w, effect == "total")
            if set(w) & set(barred):
                assert not got
                assert not wider
                continue
            relevant = model.partial_covariance(z, x, w) != 0
            assert wider == (relevant and model.instrument_ratio(y, x, z, w) == wanted)
            assert got == (wider and not (effect == "total" and z in graph.descendants(x)))
            if got:
                found.append(tuple(sorted(w)))
    smallest = [w for w in found if not any(set(other) < set(w) for other in found)]
    assert conditioning_sets(graph, z, x, y, effect) == tuple(sorted(smallest))  # type: ignore[arg-type]


def test_an_effect_of_the_treatment_is_no_instrument() -> None:
    assert instruments(Graph.of("X->Z X->Y"), "X", "Y") == ()


def test_conditioning_can_make_and_break_an_instrument() -> None:
    graph = Graph.of("Z->X X->Y W->Z W->Y Z->C", "X<->Y C<->Y")
    assert conditional_instruments(graph, "X", "Y") == (("Z", ("W",)),)
    assert not is_instrument(graph, "Z", "X", "Y", ["W", "C"])
    # A proxy of a cause serves as well: association is enough.
    assert instruments(Graph.of("T->Z T->X X->Y", "X<->Y"), "X", "Y") == ("T", "Z")
    with pytest.raises(UserError, match="must all differ"):
        is_instrument(graph, "Z", "Z", "Y")
