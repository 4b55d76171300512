"""Shared by all tests: where the outside cases are, and the installed program."""

import os
import subprocess
from pathlib import Path

import pytest
from installed import BENCHPRESS, OUTSIDE, Program


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
