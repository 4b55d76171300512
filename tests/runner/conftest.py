"""The runner's tests use the vendors' loopback servers, and grids in a workspace of their own."""

import sys
from pathlib import Path

import pytest
from benchpress_evaluator.methods import METHODS
from grids import Counting, Workspace

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "providers"))


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Workspace:
    monkeypatch.setenv("BENCHPRESS_HOME", str(tmp_path))
    monkeypatch.setattr(Counting, "down", False)
    # What a plug-in was loaded from may change between tests.
    monkeypatch.setattr(METHODS, "_loaded", {})
    return Workspace(tmp_path, capsys)
