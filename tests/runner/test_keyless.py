"""An entrant of the roster whose key is missing stops alone; the others are run."""

import json
from pathlib import Path

import pytest
from installed import Program, one_line_error

ROSTER = """\
entrants:
  - {id: keyless, provider: anthropic, model: m, params: {max_tokens: 100}}
  - {id: solver, provider: reference, model: exact}
"""
WITHOUT = {"ANTHROPIC_API_KEY": ""}


@pytest.fixture
def items(program: Program, tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "models.yaml").write_text(ROSTER)
    chosen = ("--module", "causal", "--bundle", "confounding", "--variant", "base", "--n", 2)
    made = program("generate", *chosen, "--seed", 1, "--out", "items.jsonl")
    assert made.returncode == 0, made.stderr
    return ("--items", "items.jsonl")


def test_the_others_run_and_the_missing_variable_is_named_once(
    program: Program, tmp_path: Path, items: tuple[str, str]
) -> None:
    done = program("run", *items, **WITHOUT)
    assert done.returncode == 1, done.stderr
    (line,) = done.stderr.splitlines()
    assert "keyless stopped" in line
    assert "ANTHROPIC_API_KEY" in line
    told = [line for line in done.stdout.splitlines() if "up to" in line]
    assert [line.split(":")[0] for line in told] == ["solver"]
    assert told[0].endswith("no cost")
    scored = json.loads(program("score", *items, "--json", **WITHOUT).stdout)
    assert [(row["entrant"], row["correct"]) for row in scored] == [("solver", 2)]
    (register,) = (tmp_path / "runs").glob("*/runs.json")
    entries = json.loads(register.read_text())
    assert [run["entrant"] for run in entries["runs"]] == ["solver"]
    assert entries["exposures"] == []


def test_it_is_one_error_where_nobody_chosen_has_a_key(
    program: Program, tmp_path: Path, items: tuple[str, str]
) -> None:
    line = one_line_error(program("run", *items, "--entrant", "keyless", **WITHOUT))
    assert "ANTHROPIC_API_KEY" in line
    assert not (tmp_path / "runs").exists()


def test_calibration_needs_every_key_before_it_asks_anybody(
    program: Program, tmp_path: Path, items: tuple[str, str]
) -> None:
    both = ("--entrant", "solver", "--entrant", "keyless", "--bundle", "confounding", "--seed", 1)
    done = program("calibrate", *both, "--version", "v2", "--out", "recipe.yaml", **WITHOUT)
    assert done.returncode == 2
    assert "ANTHROPIC_API_KEY" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "runs").exists()
