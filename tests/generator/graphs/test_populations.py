"""Transport, recovery under selection, and natural effects, against searches and exact models."""

from fractions import Fraction
from itertools import chain, combinations

import pytest
from benchpress.errors import UserError
from benchpress.graphs.dag import Graph
from benchpress.graphs.docalculus import Known, derivation, switched
from benchpress.graphs.estimand import P, evaluate
from benchpress.graphs.hedges import find_hedge
from benchpress.graphs.identification import Source, transport
from benchpress.graphs.natural import is_natural_effect_identifiable
from benchpress.graphs.selection import (
    is_conditional_recoverable,
    is_effect_recoverable,
    is_selection_adjustment_set,
    needed_external,
)
from benchpress.graphs.transport import is_s_admissible, minimal_s_admissible_sets
from benchpress.models.discrete import Network
from benchpress.models.formulas import natural_direct_effect
from benchpress.models.structural import Mechanism, Potential, StructuralModel, monotone_model
from benchpress.models.table import Table
from random_graphs import explicit, random_graph, random_network, stream


def subsets(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    return list(chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)))


@pytest.mark.parametrize("block", range(8))
def test_transport_agrees_with_hedges_and_with_the_do_calculus(block: int) -> None:
    for seed in range(25 * block, 25 * block + 25):
        draws = stream("transport", seed)
        graph = random_graph(draws, draws.choice((3, 4)), 60, 55)
        x, y = draws.sample(graph.nodes, 2)
        sources = [
            Source(
                f"site{number}",
                tuple(node for node in graph.nodes if node != y and draws.chance(1, 3)),
                tuple(node for node in graph.nodes if draws.chance(2, 5)),
            )
            for number in range(draws.between(1, 2))
        ]
        observed = draws.chance(4, 5)
        found = transport(graph, [x], [y], sources, observed).identifiable
        data = [(source.experiments, source.differing) for source in sources]
        assert found == (find_hedge(graph, x, y, data, observed) is None)
        diagram = switched(graph, [(source.name, source.differing) for source in sources])
        known = [Known(graph.nodes)] if observed else []
        for source in sources:
            known += [
                Known(tuple(node for node in graph.nodes if node not in do), (source.name,), do)
                for do in subsets(source.experiments)
            ]
        switches = [source.name for source in sources]
        assert found == (derivation(diagram, Known((y,), (), (x,)), known, (), switches) is not None)


def test_a_transported_effect_is_the_one_in_the_target() -> None:
    # Z differs between the two populations, and nothing else does.
    graph = Graph.of("Z->X Z->Y X->Y", "X<->Y")
    here, there = (random_network(stream("population", number), graph) for number in (1, 2))
    target = Network(here.parents, {**here.tables, "Z": there.tables["Z"]})
    found = transport(graph, "X", "Y", [Source("trial", ("X",), ("Z",))])
    assert found.estimand is not None

    def lookup(node: P, values: object) -> Fraction:
        state = dict(values)  # type: ignore[call-overload]
        population = here if node.where == "trial" else target
        of, given, do = ({name: state[name] for name in names} for names in (node.of, node.given, node.do))
        return population.probability(of, given, do)

    value = evaluate(found.estimand, {"X": 1, "Y": 1}, {"Z": 2}, lookup)  # type: ignore[arg-type]
    assert value == target.probability({"Y": 1}, None, {"X": 1})
    assert value != here.probability({"Y": 1}, None, {"X": 1})


@pytest.mark.parametrize("seed", range(40))
def test_s_admissible_sets_are_those_that_make_the_conditional_effect_the_same(seed: int) -> None:
    draws = stream("admissible", seed)
    graph = random_graph(draws, 5, 45, 15)
    x, y, *free = draws.shuffled(graph.nodes)
    differing = [node for node in graph.nodes if draws.chance(1, 3)]
    here, other = random_network(draws, graph), random_network(draws, graph)
    there = Network(here.parents, {**here.tables, **{node: other.tables[node] for node in differing}})
    admissible = []
    for z in subsets(tuple(free)):
        same = all(
            here.probability({y: 1}, state, {x: 1}) == there.probability({y: 1}, state, {x: 1})
            for state in Table.of_network(here).states(z)
        )
        assert is_s_admissible(graph, differing, [x], [y], z) == same
        if same and not set(z) & set(graph.descendants(x)):
            admissible.append(tuple(sorted(z)))
    smallest = [z for z in admissible if not any(set(less) < set(z) for less in admissible)]
    assert minimal_s_admissible_sets(graph, differing, [x], [y]) == tuple(sorted(smallest))


@pytest.mark.parametrize("block", range(8))
def test_recovery_from_a_selected_sample_agrees_with_the_do_calculus(block: int) -> None:
    for seed in range(25 * block, 25 * block + 25):
        draws = stream("selection", seed)
        graph = random_graph(draws, draws.choice((4, 4, 5)), 50, 20)
        x, y, chosen = draws.sample(graph.nodes, 3)
        sample = [Known(tuple(node for node in graph.nodes if node != chosen), (chosen,))]
        effect = derivation(graph, Known((y,), (), (x,)), sample, [chosen])
        assert is_effect_recoverable(graph, [x], [y], chosen) == (effect is not None)
        plain = derivation(graph, Known((y,), (x,)), sample, [chosen])
        assert is_conditional_recoverable(graph, [y], [x], chosen) == (plain is not None)


@pytest.mark.parametrize("seed", range(50))
def test_adjusting_a_selected_sample_is_right_exactly_when_the_criterion_says_so(seed: int) -> None:
    draws = stream("selected", seed)
    graph = random_graph(draws, draws.choice((4, 5)), 50, 15)
    x, y, chosen, *free = draws.shuffled(graph.nodes)
    network = random_network(draws, graph)
    table = Table.of_network(network, graph.nodes)
    sample = table.given({chosen: 1})
    useful = []
    for z in subsets(tuple(free)):
        for outside in subsets(z):

            def adjusted(value: int, z: tuple[str, ...] = z, outside: tuple[str, ...] = outside) -> Fraction:
                total = Fraction(0)
                for state in table.states(z):
                    known = {name: state[name] for name in outside}
                    share = sample.probability(state, known) * table.probability(known)
                    total += sample.probability({y: 1}, {**state, x: value}) * share
                return total

            right = all(adjusted(value) == network.probability({y: 1}, None, {x: value}) for value in (0, 1))
            assert is_selection_adjustment_set(graph, [x], [y], z, chosen, outside) == right
            if right:
                useful.append(tuple(sorted(outside)))
    smallest = {z for z in useful if not any(set(less) < set(z) for less in useful)}
    assert needed_external(graph, [x], [y], chosen) == tuple(sorted(smallest))


@pytest.mark.parametrize("seed", range(50))
def test_weighting_a_selected_sample_gives_a_plain_distribution_exactly_when_nothing_else_is_needed(seed: int) -> None:
    draws = stream("weighted", seed)
    graph = random_graph(draws, draws.choice((4, 5)), 50, 15)
    y, chosen, *free = draws.shuffled(graph.nodes)
    table = Table.of_network(random_network(draws, graph), graph.nodes)
    sample = table.given({chosen: 1})
    useful = [
        tuple(sorted(outside))
        for outside in subsets(tuple(free))
        if table.probability({y: 1})
        == sum(sample.probability({y: 1}, state) * table.probability(state) for state in table.states(outside))
    ]
    smallest = [z for z in useful if not any(set(less) < set(z) for less in useful)]
    assert needed_external(graph, [], [y], chosen) == tuple(sorted(smallest))


def test_the_selection_node_is_no_outcome() -> None:
    with pytest.raises(UserError, match="selection node must all differ"):
        needed_external(Graph.of("X->Y Y->S"), "X", "S", "S")


def test_natural_effects_in_the_textbook_graphs() -> None:
    plain = "X->M M->Y X->Y"
    assert is_natural_effect_identifiable(Graph.of(plain), "X", "Y", "M")
    assert is_natural_effect_identifiable(Graph.of(f"{plain} C->M C->Y C->X"), "X", "Y", "M")
    assert is_natural_effect_identifiable(Graph.of(plain, "X<->C", nodes="C X M Y"), "X", "Y", "M")
    # An unmeasured or treatment-induced confounder of mediator and outcome forbids it, even in an experiment.
    for graph in (Graph.of(plain, "M<->Y"), Graph.of(f"{plain} X->L L->M L->Y")):
        assert not is_natural_effect_identifiable(graph, "X", "Y", "M")
        assert not is_natural_effect_identifiable(graph, "X", "Y", "M", randomised=True)
    # An unmeasured confounder of treatment and outcome or mediator is cured by randomising.
    for arc in ("X<->Y", "X<->M"):
        assert not is_natural_effect_identifiable(Graph.of(plain, arc), "X", "Y", "M")
        assert is_natural_effect_identifiable(Graph.of(plain, arc), "X", "Y", "M", randomised=True)
    # Taking the induced confounder as a second mediator helps.
    assert is_natural_effect_identifiable(Graph.of(f"{plain} X->L L->M L->Y"), "X", "Y", ["M", "L"])
    with pytest.raises(UserError, match="must all differ"):
        is_natural_effect_identifiable(Graph.of(plain), "X", "Y", "Y")


def test_a_recanting_witness_leaves_the_effect_open_although_all_data_agree() -> None:
    # Two models with the same P(v): L is a fair coin, in one kept and in the other redrawn when X changes.
    half = (Fraction(1, 2), Fraction(1, 2))

    def model(same_coin: bool) -> StructuralModel:
        return StructuralModel(
            {"ux": half, "u0": half, "u1": half},
            {
                "X": Mechanism(("ux",), lambda u: u),
                "L": Mechanism(("X", "u0", "u1"), lambda x, u0, u1: u0 if same_coin or x == 0 else u1),
                "M": Mechanism(("L",), lambda level: level),
                "Y": Mechanism(("L", "M"), lambda level, m: level ^ m),
            },
        )

    first, second = model(True), model(False)
    for values in ((x, level) for x in (0, 1) for level in (0, 1)):
        event = [(Potential("X"), values[0]), (Potential("L"), values[1])]
        assert first.probability(event) == second.probability(event)
    nested = Potential("Y", {"X": 1, "M": Potential("M", {"X": 0})})
    assert first.expectation(nested) != second.expectation(nested)
    assert not is_natural_effect_identifiable(Graph.of("X->L L->M L->Y M->Y"), "X", "Y", "M")


@pytest.mark.parametrize("seed", range(20))
def test_the_mediation_formula_gives_the_nested_mean_where_covariates_suffice(seed: int) -> None:
    draws = stream("mediation", seed)
    graph = Graph.of("C->X C->M C->Y X->M M->Y X->Y")
    network = random_network(draws, graph)
    table = Table.of_network(network, graph.nodes)
    model = monotone_model(network)
    nested = model.expectation(Potential("Y", {"X": 1, "M": Potential("M", {"X": 0})}))
    assert natural_direct_effect(table, "X", "Y", ["M"], ["C"]) == nested - model.expectation(Potential("Y", {"X": 0}))


def test_the_helper_for_latents_is_what_the_tests_think() -> None:
    full, latents = explicit(Graph.of("A->B", "A<->B"))
    assert latents == ("L0",)
    assert set(full.directed) == {("A", "B"), ("L0", "A"), ("L0", "B")}
