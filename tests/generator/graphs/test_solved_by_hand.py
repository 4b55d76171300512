"""Cases of `solve` whose answers follow by hand; each derivation stands beside its case."""

from typing import Any

import pytest
from benchpress.graphs.dag import Graph
from benchpress.solve import solve_case


def answer(kind: str, graph: Graph, query: dict[str, Any], **more: Any) -> Any:
    got = solve_case({"id": "x", "kind": kind, "graph": graph.to_json(), "query": query, **more})
    return got.get("answer", got.get("error"))


@pytest.mark.parametrize(
    ("graph", "external", "recoverable"),
    [
        # Y has nothing to do with S, so that P(Y) = P(Y | S=1).
        (Graph.of("X->Y Z->S"), [["Z"]], True),
        # P(Y) = sum_z P(Y | z, S=1) P(z).
        (Graph.of("Z->Y Z->S"), [["Z"]], True),
        # What is asked for is known from outside.
        (Graph.of("Y->S Z->Y"), [["Y", "Z"]], True),
        # Selection by Y alone: any P(Y) is compatible with P(Y | S=1), and Z says nothing about Y.
        (Graph.of("Y->S", nodes="Z"), [["Z"]], False),
        # The second formula, in a graph that is too large for the search.
        (Graph.of("A->B B->C C->D D->E E->F F->Z Z->Y Z->G G->S"), [["Z"]], True),
    ],
)
def test_a_distribution_without_intervention_is_recovered_with_data_from_outside(
    graph: Graph, external: list[list[str]], recoverable: bool
) -> None:
    query = {"target": {"type": "do", "x": [], "y": ["Y"]}, "selection_node": "S", "external": external}
    assert answer("s_recoverable", graph, query) is recoverable


@pytest.mark.parametrize(
    ("graph", "given", "valid"),
    [
        # X = e1, Z = aX + e2, Y = bX + e3: cov(Z, Y) / cov(Z, X) = ab var(X) / a var(X) = b.
        (Graph.of("X->Z X->Y"), [], True),
        # cov(e1, e3) = c adds ac to the numerator alone.
        (Graph.of("X->Z X->Y", "X<->Y"), [], False),
        # cov(e2, e3) = c adds c to the numerator alone.
        (Graph.of("X->Z X->Y", "Z<->Y"), [], False),
        # cov(e1, e2) = c adds bc to the numerator and c to the denominator: the ratio stays b.
        (Graph.of("X->Z X->Y", "X<->Z"), [], True),
        # A common cause W of X and Y is e1 and e3 in common, until it is held fixed.
        (Graph.of("X->Z X->Y W->X W->Y"), [], False),
        (Graph.of("X->Z X->Y W->X W->Y"), ["W"], True),
        # Z on the way: Y = bZ + e3, and cov(Z, Y) / cov(Z, X) = b var(Z) / a var(X) is not ab.
        (Graph.of("X->Z Z->Y"), [], False),
        # Z after Y: Z = aY + e2, and cov(Z, Y) / cov(Z, X) = a var(Y) / ab var(X) is not b.
        (Graph.of("X->Y Y->Z"), [], False),
        # Y before X: no effect, but Z and Y vary together through X.
        (Graph.of("Y->X X->Z"), [], False),
        # A set that holds what X or Y brings about is ruled out whatever the numbers.
        (Graph.of("X->Z X->Y X->W"), ["W"], False),
    ],
)
def test_an_effect_of_the_treatment_serves_where_the_covariance_ratio_is_the_total_effect(
    graph: Graph, given: list[str], valid: bool
) -> None:
    query = {"treatment": "X", "outcome": "Y", "z": "Z", "w": given, "effect": "total"}
    assert answer("conditional_instrument", graph, query) is valid
    if not given:
        del query["w"]
        assert answer("instrument_valid", graph, query) is valid


@pytest.mark.parametrize("available", ["P(V | S=1)", "P(V|S=1)", "P(V | Chosen = 1)", None])
def test_the_selected_sample_may_be_spelled_out(available: str | None) -> None:
    """P(Y | X) = P(Y | X, Chosen=1), since X separates Y from the selection."""
    target = {"type": "conditional", "x": ["X"], "y": ["Y"]}
    query = {"target": target, "selection_node": "Chosen", "available": available}
    assert answer("s_recoverable", Graph.of("X->Y X->Chosen"), query) is True


@pytest.mark.parametrize("available", ["P(X, Y | S=1)", "P(V)", "P(V | S=0)", "", [], ["P(V | S=1)"], 1, {"V": 1}])
@pytest.mark.parametrize("more", [{}, {"adjust_for": []}, {"external": [["X"]]}])
def test_other_data_than_the_selected_sample_are_refused(available: Any, more: dict[str, Any]) -> None:
    query = {"target": {"type": "do", "x": ["X"], "y": ["Y"]}, "selection_node": "S", "available": available, **more}
    error = answer("s_recoverable", Graph.of("X->Y X->S"), query)
    assert error.startswith(f"query.available is {available!r}; known is P(V | S=1)")
    assert "\n" not in error


@pytest.mark.parametrize("with_projection", [True, False])
def test_a_latent_may_be_excluded_by_name_as_it_is_anyway(with_projection: bool) -> None:
    """X and Y share U, which is latent, and W: no adjustment set; X and A are apart given W alone."""
    full = {**Graph.of("U->X U->Y W->X W->Y W->A X->Y").to_json(), "latent": ["U"]}
    graph = Graph.of("W->X W->Y W->A X->Y", "X<->Y").to_json() if with_projection else None
    case = {"id": "x", "graph_full": full, "graph": graph}
    asked = {"x": ["X"], "y": ["A"], "form": "all", "excluded": ["U", "Y"]}
    assert solve_case({**case, "kind": "minimal_separator", "query": asked})["answer"] == [["W"]]
    asked = {"x": ["X"], "y": ["Y"], "excluded": ["U"]}
    assert solve_case({**case, "kind": "adjustment_sets_minimal", "query": asked})["answer"] == []
    asked = {"x": ["X"], "y": ["A"], "excluded": ["W"]}
    assert solve_case({**case, "kind": "adjustment_sets_minimal", "query": asked})["answer"] == []
    asked = {"x": ["X"], "y": ["A"], "excluded": ["Q"]}
    assert "unknown node 'Q'" in solve_case({**case, "kind": "adjustment_sets_minimal", "query": asked})["error"]
