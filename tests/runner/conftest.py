"""The runner's tests use vendors' loopback servers, grids in a workspace of their own, and scripted questions."""

import sys
from pathlib import Path

import pytest
from benchpress_evaluator.methods import METHODS
from choice_session import Session
from grids import Counting, Workspace
from scripted import SEEN

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "providers"))


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Workspace:
    monkeypatch.setenv("BENCHPRESS_HOME", str(tmp_path))
    monkeypatch.setattr(Counting, "down", False)
    # What a plug-in was loaded from may change between tests.
    monkeypatch.setattr(METHODS, "_loaded", {})
    return Workspace(tmp_path, capsys)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    SEEN.clear()
    return Session(tmp_path)
