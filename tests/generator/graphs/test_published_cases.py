"""Every published graph case, answered as published; and how wrong input is answered."""

import json
from pathlib import Path
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.graphs.adjustment import is_backdoor_set
from benchpress.graphs.dag import Graph, latent_projection
from benchpress.solve import KINDS, solve_case, solve_file

CASES = [
    json.loads(line) for line in (Path(__file__).parents[2] / "data" / "causal_cases.jsonl").open(encoding="utf-8")
]
GRAPH_CASES = [case for case in CASES if case["kind"] != "numeric"]


def normal(value: Any) -> Any:
    """Lists without their order, at every depth."""
    if isinstance(value, list):
        return sorted((normal(each) for each in value), key=json.dumps)
    if isinstance(value, dict):
        return {key: normal(each) for key, each in value.items()}
    return value


@pytest.mark.parametrize("case", GRAPH_CASES, ids=lambda case: case["id"])
def test_a_published_case_is_answered_as_published_by_two_methods(case: dict[str, Any]) -> None:
    question = {key: case[key] for key in ("id", "kind", "graph", "graph_full", "query") if key in case}
    got = solve_case(question)
    assert normal(got.get("answer", got.get("error"))) == normal(case["answer"])
    assert len(got["methods"]) >= 2


@pytest.mark.parametrize("case", [case for case in CASES if "answer_backdoor" in case], ids=lambda case: case["id"])
def test_the_back_door_verdict_beside_it_is_the_published_one(case: dict[str, Any]) -> None:
    query = case["query"]
    assert (
        is_backdoor_set(Graph.from_json(case["graph"]), query["x"], query["y"], query["z"]) == case["answer_backdoor"]
    )
    asked = {**case, "query": {**query, "criterion": "backdoor"}}
    assert solve_case(asked)["answer"] == case["answer_backdoor"]


@pytest.mark.parametrize("case", [case for case in CASES if "graph_full" in case], ids=lambda case: case["id"])
def test_the_graph_with_explicit_latents_projects_to_the_given_one(case: dict[str, Any]) -> None:
    full, graph = case["graph_full"], Graph.from_json(case["graph"])
    projected = latent_projection(Graph.from_json(full), full["latent"])
    assert set(projected.directed) == set(graph.directed)
    assert set(map(frozenset, projected.bidirected)) == set(map(frozenset, graph.bidirected))
    without = {key: value for key, value in case.items() if key != "graph"}
    assert normal(solve_case(without)["answer"]) == normal(case["answer"])


def test_every_kind_of_graph_case_occurs() -> None:
    assert {case["kind"] for case in GRAPH_CASES} == set(KINDS)


def test_a_file_is_answered_line_by_line_in_order(tmp_path: Path) -> None:
    source, out = tmp_path / "cases.jsonl", tmp_path / "answers.jsonl"
    chosen = [GRAPH_CASES[3], {"id": "odd", "kind": "unheard of"}, GRAPH_CASES[0]]
    source.write_text("".join(json.dumps(case) + "\n" for case in chosen), encoding="utf-8")
    assert solve_file(source, out) == (2, 1)
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == [case["id"] for case in chosen]
    assert "unknown kind" in lines[1]["error"]


def test_a_broken_line_leaves_no_file_behind(tmp_path: Path) -> None:
    source, out = tmp_path / "cases.jsonl", tmp_path / "answers.jsonl"
    for text, message in (
        ("{}\n{broken\n", "line 2: not valid JSON"),
        ("[1]\n", "line 1: a case is a JSON object"),
        *((f'{{"id": {name}}}\n', "line 1: the id of a case") for name in ("0.5", "[NaN]", '"\\ud800"')),
    ):
        source.write_text(text, encoding="utf-8")
        with pytest.raises(UserError, match=message):
            solve_file(source, out)
        assert list(tmp_path.iterdir()) == [source]


GRAPH = {"nodes": ["A", "B", "C"], "directed": [["A", "B"], ["B", "C"]], "bidirected": []}


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ({"kind": "d_separation", "query": {}}, "the case has no graph"),
        ({"kind": "d_separation", "graph": GRAPH}, "has no query object"),
        ({"kind": "d_separation", "graph": GRAPH, "query": {"x": ["A"]}}, "query.y must be a list"),
        ({"kind": "d_separation", "graph": GRAPH, "query": {"x": ["A"], "y": ["Q"]}}, "unknown node 'Q'"),
        ({"kind": "d_separation", "graph": GRAPH, "query": {"x": ["A"], "y": [3]}}, "query.y must be a list"),
        ({"kind": "d_separation", "graph": {"nodes": ["A"], "directed": [["A", "A"]]}, "query": {}}, "joins a node"),
        (
            {"kind": "minimal_separator", "graph": GRAPH, "query": {"x": ["A"], "y": ["C"], "form": "odd"}},
            "query.form is 'odd'",
        ),
        (
            {"kind": "frontdoor_valid", "graph": GRAPH, "query": {"x": ["A", "B"], "y": "C", "m": []}},
            "query.x must be one node name",
        ),
        ({"kind": "cpdag", "graph": {**GRAPH, "bidirected": [["A", "C"]]}, "query": {}}, "bidirected"),
        (
            {"kind": "transportable", "graph": GRAPH, "query": {"x": ["A"], "y": ["C"], "domains": "x"}},
            "query.domains must be a list",
        ),
        ({"kind": "s_recoverable", "graph": GRAPH, "query": {}}, "a target object and a selection_node"),
    ],
)
def test_a_wrong_case_gets_one_line_that_says_what_is_wrong(case: dict[str, Any], message: str) -> None:
    got = solve_case({"id": "x", **case})
    assert set(got) == {"id", "error"}
    assert message in got["error"]
    assert "\n" not in got["error"]


def test_names_may_be_given_without_a_list() -> None:
    asked = {"id": 1, "kind": "d_separation", "graph": GRAPH, "query": {"x": "A", "y": "C", "given": "B"}}
    assert solve_case(asked)["answer"] is True
