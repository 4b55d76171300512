"""The second routes share no code with the first: what each may import, and what a call really runs."""

import ast
import sys
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from benchpress.graphs.dag import Graph
from benchpress.models.linear import LinearModel
from benchpress.models.simulation import simulate

ALLOWED = {
    "benchpress.models.simulation": set(),
    "benchpress.graphs.moral": {"benchpress.graphs.dag"},
    "benchpress.graphs.hedges": {"benchpress.graphs.dag"},
    "benchpress.graphs.definitions": {"benchpress.graphs.dag", "benchpress.graphs.moral"},
    "benchpress.models.discrete": {"benchpress.errors", "benchpress.graphs.dag"},
    "benchpress.models.response_types": {"benchpress.errors", "benchpress.models.simplex"},
    "benchpress.models.causation": {"benchpress.errors"},
    "benchpress.models.structural": {"benchpress.errors", "benchpress.graphs.fresh", "benchpress.models.discrete"},
}


@pytest.mark.parametrize("name", ALLOWED)
def test_an_independent_route_imports_no_more_than_it_may(name: str) -> None:
    source = Path(str(import_module(name).__file__)).read_text(encoding="utf-8")
    imported = {
        node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("benchpress")
    }
    assert imported <= ALLOWED[name]


OURS = str(Path(str(import_module("benchpress").__file__)).parent)


def files_run_by(call: Any) -> set[str]:
    """The files of ours whose functions run during a call."""
    seen: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            seen.add(Path(frame.f_code.co_filename).name)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return seen - {Path(__file__).name}


def test_simulating_runs_none_of_the_exact_model_and_the_other_way_round() -> None:
    graph = Graph.of("Z->X X->Y", "X<->Y")
    model = LinearModel.of(graph, {("Z", "X"): 1, ("X", "Y"): 2}, None, {("X", "Y"): "1/2"})
    data = (graph.nodes, model.coefficients, model.variances, model.error_covariances)

    def sample() -> None:
        drawn = simulate(*data, seed=1)
        drawn.coefficient("Y", "X", ["Z"])
        drawn.independence_score("Y", "Z", ["X"])
        drawn.two_stage_least_squares("Y", "X", "Z")

    def exact() -> None:
        model.coefficient("Y", "X", ["Z"])
        model.instrument_ratio("Y", "X", "Z")

    assert files_run_by(sample) == {"simulation.py"}
    assert "simulation.py" not in files_run_by(exact)
    assert "linear.py" in files_run_by(exact)
