"""A node may have any name, also one that the solvers would give to a latent, a switch or a noise."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from benchpress.graphs.dag import Graph
from benchpress.graphs.estimand import P, Product, Sum, text
from benchpress.graphs.fresh import fresh_names
from benchpress.graphs.transport import is_s_admissible, minimal_s_admissible_sets
from benchpress.models.counterexample import disagreeing_models, models_disagree
from benchpress.models.discrete import Network
from benchpress.models.structural import Potential, monotone_model
from benchpress.solve import solve_case

CASES = [
    json.loads(line) for line in (Path(__file__).parents[2] / "data" / "causal_cases.jsonl").open(encoding="utf-8")
]
VERDICTS = [
    case
    for case in CASES
    if case["kind"] in ("id_identifiable", "idc_identifiable", "transportable", "s_recoverable")
    and "graph" in case
    and (case["graph"]["bidirected"] or case["kind"] == "transportable")
]
ODD = [name for place in range(9) for name in (f"latent {place}", f"@{place}", f"latent {place}'", f"@{place}''")]


def renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    if isinstance(value, dict):
        return {key: each if key in ("name", "type") else renamed(each, names) for key, each in value.items()}
    return names.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize("case", VERDICTS, ids=lambda case: case["id"])
def test_a_published_verdict_does_not_depend_on_what_the_nodes_are_called(case: dict[str, Any]) -> None:
    names = dict(zip(case["graph"]["nodes"], ODD, strict=False))
    assert len(names) == len(case["graph"]["nodes"])
    asked = {"id": "x", "kind": case["kind"], **{key: renamed(case[key], names) for key in ("graph", "query")}}
    got = solve_case(asked)
    assert got.get("answer", got.get("error")) == case["answer"]


def test_fresh_names_are_primed_past_all_that_are_taken() -> None:
    assert fresh_names(["a", "a", "b"], ["a'", "b", "c"]) == ("a", "a''", "b'")


def test_a_switch_between_populations_is_no_node() -> None:
    graph = Graph.of("Z->@population @population->Y X->Y")
    assert is_s_admissible(graph, "Z", "X", "Y", ["@population"])
    assert not is_s_admissible(graph, "@population", "X", "Y", [])
    assert minimal_s_admissible_sets(graph, "Z", "X", "Y") == (("@population",), ("Z",))


def test_the_noise_of_a_variable_is_no_other_variable() -> None:
    third = Fraction(1, 3)
    network = Network.of({"A": (), "noise of A": ("A",)}, {"A": [third], "noise of A": [third, 1 - third]})
    model = monotone_model(network)
    assert model.probability([(Potential("A"), 1)]) == third
    # 2/3 of A = 0 with 1/3, and 1/3 of A = 1 with 2/3.
    assert model.probability([(Potential("noise of A"), 1)]) == Fraction(4, 9)
    assert model.probability([(Potential("noise of A", {"A": 1}), 1)]) == Fraction(2, 3)


def test_a_latent_of_a_counterexample_is_no_node() -> None:
    """X -> M -> Y with X <-> Y <-> M: {Y, M} and all three form a hedge, so P(y | do(x)) is not identifiable."""
    m = "X<->Y"
    graph = Graph(("X", m, "Y"), (("X", m), (m, "Y")), (("X", "Y"), (m, "Y")))
    models = disagreeing_models(graph, "X", "Y")
    assert models is not None
    assert models_disagree(models, graph.nodes, "X", "Y")


def test_a_bound_variable_gets_a_name_that_occurs_nowhere() -> None:
    inner = Sum(("x",), Product((P(("y",), ("x", "m")), P(("x",)))))
    expression = Sum(("m",), Product((P(("m",), ("x", "x'")), inner)))
    assert text(expression) == "sum_{m} P(m | x, x') (sum_{x''} P(y | x'', m) P(x''))"
