"""Shared by all tests: where the outside cases are, and the installed program."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OUTSIDE = Path(os.environ.get("BENCHPRESS_OUTSIDE_CASES", ROOT.parent / "shared"))
BENCHPRESS = Path(sys.executable).with_name("benchpress")

Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def outside() -> Path:
    """The folder of outside cases; a clone without it skips the tests that read there."""
    if not OUTSIDE.is_dir():
        pytest.skip(f"no outside cases at {OUTSIDE}; BENCHPRESS_OUTSIDE_CASES names their folder")
    return OUTSIDE


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The installed `benchpress`, run in a workspace of its own; keyword arguments are environment variables."""

    def call(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [BENCHPRESS, *map(str, words)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "BENCHPRESS_HOME": str(tmp_path), **environment},
            timeout=240,
            check=False,
        )

    return call


def one_line_error(done: subprocess.CompletedProcess[str]) -> str:
    """The error of a refused call: exit code 2 and exactly one line that says so."""
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("note:", "warning:"))]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    assert "Traceback" not in done.stderr
    return lines[0]
