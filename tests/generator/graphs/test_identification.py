"""Identification against hedges, the do-calculus, random models, and pairs of models that agree on all data."""

import pytest
from benchpress.errors import UserError
from benchpress.graphs.dag import Graph
from benchpress.graphs.docalculus import Known, derivation
from benchpress.graphs.estimand import P, Product, Quotient, Sum, add_over, divide, evaluate, evaluate_on, text
from benchpress.graphs.hedges import find_conditional_hedge, find_hedge
from benchpress.graphs.identification import c_components, identify, identify_conditional, is_identifiable
from benchpress.models.counterexample import disagreeing_models, models_disagree
from benchpress.models.table import Table
from random_graphs import random_graph, random_network, stream


def drawn(seed: int, nodes: tuple[int, ...] = (3, 4, 5)) -> tuple[Graph, list[str], list[str], list[str]]:
    """A graph with a set of treatments, of outcomes, and the rest."""
    draws = stream("identification", seed)
    graph = random_graph(draws, draws.choice(nodes), 45, 40)
    names = draws.shuffled(graph.nodes)
    x = draws.choice((1, 1, 2)) if len(names) > 3 else 1
    y = draws.choice((1, 1, 2)) if len(names) > 3 else 1
    return graph, names[:x], names[x : x + y], names[x + y :]


@pytest.mark.parametrize("block", range(10))
def test_three_methods_agree_and_each_answer_is_proved_by_models(block: int) -> None:
    for seed in range(30 * block, 30 * block + 30):
        graph, x, y, _ = drawn(seed)
        found = identify(graph, x, y)
        assert found.identifiable == is_identifiable(graph, x, y) == (find_hedge(graph, x, y) is None)
        searched = derivation(graph, Known(tuple(y), (), tuple(x)), [Known(graph.nodes)])
        assert found.identifiable == (searched is not None)
        if found.identifiable:
            assert disagreeing_models(graph, x, y) is None
            if len(graph.bidirected) <= 5:
                network = random_network(stream("model", seed), graph)
                table = Table.of_network(network, graph.nodes)
                for value in (0, 1):
                    event, do = dict.fromkeys(y, 1), dict.fromkeys(x, value)
                    assert found.on_table(table, {**event, **do}) == network.probability(event, None, do)
        else:
            models = disagreeing_models(graph, x, y)
            assert models is not None
            assert models_disagree(models, graph.nodes, x, y)


@pytest.mark.parametrize("block", range(8))
def test_conditional_effects_agree_with_the_do_calculus_and_with_models(block: int) -> None:
    for seed in range(30 * block, 30 * block + 30):
        graph, x, y, rest = drawn(seed)
        draws = stream("condition", seed)
        given = [node for node in rest if draws.chance(1, 2)]
        found = identify_conditional(graph, x, y, given)
        searched = derivation(graph, Known(tuple(y), tuple(given), tuple(x)), [Known(graph.nodes)])
        assert found.identifiable == (searched is not None)
        if found.identifiable and len(graph.bidirected) <= 5:
            network = random_network(draws, graph)
            table = Table.of_network(network, graph.nodes)
            event, do, seen = dict.fromkeys(y, 1), dict.fromkeys(x, 0), dict.fromkeys(given, 1)
            assert found.on_table(table, {**event, **do, **seen}) == network.probability(event, seen, do)


def test_the_reported_hedge_is_one() -> None:
    for seed in range(200):
        graph, x, y, _ = drawn(seed)
        hedge = identify(graph, x, y).hedge
        if hedge is None:
            continue
        outer, inner = hedge
        assert set(inner) < set(outer)
        assert set(x) & set(outer)
        assert not set(x) & set(inner)
        for part in (outer, inner):
            assert len(c_components(graph.subgraph(part))) == 1
        assert set(graph.subgraph(outer).ancestors(inner)) == set(outer)


def test_the_napkin_needs_more_than_adjustment_and_has_an_arbitrary_value() -> None:
    napkin = Graph.of("W->R R->X X->Y", "W<->X W<->Y")
    found = identify(napkin, "X", "Y")
    assert found.arbitrary == ("R",)
    network = random_network(stream("napkin"), napkin)
    table = Table.of_network(network, napkin.nodes)
    truth = network.probability({"Y": 1}, None, {"X": 1})
    assert {found.on_table(table, {"X": 1, "Y": 1, "R": r}) for r in (0, 1)} == {truth}


def test_a_conditional_effect_can_be_identified_where_the_joint_is_not() -> None:
    graph = Graph.of("X->Z Z->Y", "X<->Z")
    assert identify_conditional(graph, "X", "Y", "Z").identifiable
    assert not identify(graph, "X", ["Y", "Z"]).identifiable


def test_districts() -> None:
    assert c_components(Graph.of("A->B B->C", "A<->C C<->D E<->F")) == (("A", "C", "D"), ("B",), ("E", "F"))


def test_a_derivation_reads_from_the_data_to_the_target() -> None:
    lines = derivation(Graph.of("X->M M->Y", "X<->Y"), Known(("Y",), (), ("X",)), [Known(("X", "M", "Y"))])
    assert lines is not None
    assert lines[0] == "P(X, M, Y) is given"
    assert lines[-1].startswith("P(Y | do(X)) by ")
    stated = [line.split(" by ")[0].split(" is given")[0] for line in lines]
    for line in lines[1:]:
        for origin in line.split(" of ")[1].split(" and "):
            assert origin in stated[: lines.index(line)]


def test_estimands_are_printed_simplified_and_without_capture() -> None:
    assert text(identify(Graph.of("Z->X Z->Y X->Y"), "X", "Y").estimand or Product(())) == "sum_{Z} P(Z) P(Y | Z, X)"
    hidden = Sum(("a",), Product((P(("a",)), Sum(("a",), P(("b",), ("a",))))))
    assert text(hidden) == "sum_{a} P(a) (sum_{a'} P(b | a'))"
    assert text(add_over(("a",), P(("a", "b"), ("c",)))) == "P(b | c)"
    assert text(divide(P(("a", "b"), ("c",)), P(("b",), ("c",)))) == "P(a | b, c)"
    assert text(Product(())) == "1"
    assert text(Quotient(P(("a",), (), ("x",)), P(("b",), (), (), "site"))) == "[P(a | do(x)) / P_site(b)]"


def test_an_estimand_says_what_it_cannot_be_evaluated_on() -> None:
    table = Table.from_rows(["A", "B", "n"], [[0, 0, 1], [0, 1, 1]])
    with pytest.raises(UserError, match="no value is given for B"):
        evaluate_on(P(("A",), ("B",)), table, {"A": 0})
    with pytest.raises(UserError, match="cannot be read off observations"):
        evaluate_on(P(("A",), (), ("B",)), table, {"A": 0, "B": 0})
    with pytest.raises(UserError, match="is zero"):
        evaluate_on(Quotient(P(("B",)), P(("A",))), table, {"A": 1, "B": 0})
    with pytest.raises(UserError, match="not identifiable"):
        identify(Graph.of("X->Y", "X<->Y"), "X", "Y").on_table(table, {"X": 0, "Y": 0})


def test_an_experimental_estimand_is_evaluated_by_a_lookup() -> None:
    graph = Graph.of("X->M M->Y", "X<->Y")
    network = random_network(stream("lookup"), graph)

    def lookup(node: P, values: object) -> object:
        state = dict(values)  # type: ignore[call-overload]
        return network.probability(
            {name: state[name] for name in node.of},
            {name: state[name] for name in node.given},
            {name: state[name] for name in node.do},
        )

    expression = Sum(("M",), Product((P(("M",), (), ("X",)), P(("Y",), (), ("M",)))))
    value = evaluate(expression, {"X": 1, "Y": 1}, {"M": 2}, lookup)  # type: ignore[arg-type]
    assert value == network.probability({"Y": 1}, None, {"X": 1})


def test_overlaps_are_refused() -> None:
    with pytest.raises(UserError, match="both in x and y"):
        identify(Graph.of("A->B"), "A", "A")
    with pytest.raises(UserError, match="occur in x or y"):
        identify_conditional(Graph.of("A->B"), "A", "B", "A")
    with pytest.raises(UserError, match="disjoint"):
        derivation(Graph.of("A->B"), Known(("A",), ("A",)), [])


@pytest.mark.parametrize("block", range(4))
def test_conditional_effects_are_barred_exactly_by_the_hedges_that_do_not_cancel(block: int) -> None:
    verdicts = set()
    for seed in range(50 * block, 50 * block + 50):
        graph, x, y, rest = drawn(seed, (5, 6, 7))
        draws = stream("cancel", seed)
        given = [node for node in rest if draws.chance(1, 2)]
        identified = identify_conditional(graph, x, y, given).identifiable
        assert identified == (find_conditional_hedge(graph, x, y, given) is None)
        verdicts.add(identified)
    assert verdicts == {True, False}
