"""The installed program and the outside cases, as the tests see them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTSIDE = Path(os.environ.get("BENCHPRESS_OUTSIDE_CASES", ROOT.parent / "shared"))
BENCHPRESS = Path(sys.executable).with_name("benchpress")

Program = Callable[..., subprocess.CompletedProcess[str]]


def one_line_error(done: subprocess.CompletedProcess[str]) -> str:
    """The error of a refused call: exit code 2 and exactly one line that says so."""
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("note:", "warning:"))]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    assert "Traceback" not in done.stderr
    return lines[0]
