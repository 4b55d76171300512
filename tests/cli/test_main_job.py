"""The main job through the program: seal, run, score, stats, export, with reference entrants that read the prompt."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from benchpress.publication import FILES, ModelPage, Versions
from installed import BENCHPRESS, Program, one_line_error

pytestmark = pytest.mark.xdist_group("main_job")

RECIPE = """\
version: trial
status: demo
module: causal
bundles: [confounding]
variants: [base, trap, transfer]
per_variant: 20
levels: [4, 5, 6]
"""
ROSTER = """\
entrants:
  - {id: exact, provider: reference, model: exact}
  - {id: adjust-all, provider: reference, model: adjust_all}
  - {id: random, provider: reference, model: random}
"""
PASS = {"BENCHPRESS_PASSPHRASE": "correct horse"}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which the whole job was done once."""
    home = tmp_path_factory.mktemp("job")
    (home / "recipe.yaml").write_text(RECIPE)
    (home / "models.yaml").write_text(ROSTER)
    for words in (
        ["seal", "--recipe", "recipe.yaml", "--passphrase", "--workers", "2"],
        ["run", "trial"],
        ["score", "trial"],
        ["export", "trial", "--out", "data"],
    ):
        environment = {**os.environ, **PASS, "BENCHPRESS_HOME": str(home)}
        done = subprocess.run(
            [BENCHPRESS, *words], cwd=home, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (words, done.stdout, done.stderr)
    return home


@pytest.fixture
def workspace(finished: Path, tmp_path: Path) -> Path:
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_the_exact_solver_scores_everything_and_the_others_do_not(program: Program, workspace: Path) -> None:
    done = program("score", "trial", "--json", **PASS)
    rows = {row["entrant"]: row for row in json.loads(done.stdout)}
    assert rows["exact"]["correct"] == rows["exact"]["planned"] == 60
    assert rows["adjust-all"]["correct"] < 30
    assert rows["random"]["correct"] <= 2
    for row in rows.values():
        statuses = ("ok", "refusal", "invalid_answer", "truncated", "api_error", "pending")
        assert sum(row[status] for status in statuses) == row["planned"]


def test_what_was_answered_is_never_asked_again(program: Program, workspace: Path) -> None:
    done = program("run", "trial", "--json", **PASS)
    assert done.returncode == 0
    assert all(row["calls"] == 0 for row in json.loads(done.stdout)["entrants"])


def test_scores_are_the_same_with_every_provider_package_unimportable(program: Program, workspace: Path) -> None:
    before = program("score", "trial", "--json", **PASS).stdout
    blocked = workspace / "blocked"
    for package in ("openai", "anthropic", "google", "cohere", "ollama", "boto3", "httpx", "httpx2"):
        (blocked / package).mkdir(parents=True)
        (blocked / package / "__init__.py").write_text("raise ImportError('blocked')\n")
    done = program("score", "trial", "--json", PYTHONPATH=str(blocked), **PASS)
    assert done.stdout == before


def test_the_publication_fits_its_schema_and_names_no_item(program: Program, workspace: Path) -> None:
    data = workspace / "data"
    Versions.model_validate_json((data / "versions.json").read_bytes())
    for path in (data / "trial").rglob("*.json"):
        model = ModelPage if path.parent.name == "models" else FILES[path.stem]
        model.model_validate_json(path.read_bytes())
        assert "causal-confounding-" not in path.read_text()
    board = json.loads((data / "trial" / "leaderboard.json").read_text())
    exact = next(row for row in board["rows"] if row["entrant"]["slug"] == "exact")
    assert exact["accuracy"]["value"] == 1
    assert exact["accuracy"]["low"] < 1 <= exact["accuracy"]["high"]


def test_stats_shows_statuses_and_intervals(program: Program, workspace: Path) -> None:
    done = program("stats", "trial", **PASS)
    assert done.returncode == 0, done.stderr
    assert "refusal" in done.stdout
    every = program("stats", "trial", "--metric", "all", "--json", **PASS)
    assert every.returncode == 0, every.stderr
    assert "NaN" not in every.stdout


def test_doctor_finds_nothing_wrong(program: Program, workspace: Path) -> None:
    done = program("doctor", "trial", **PASS)
    assert done.returncode == 0, done.stdout
    assert "0 problems" in done.stdout


def test_wrong_inputs_are_one_line(program: Program, workspace: Path) -> None:
    assert "passphrase" in one_line_error(program("score", "trial", BENCHPRESS_PASSPHRASE="wrong"))
    assert "passphrase" in one_line_error(program("score", "trial", BENCHPRESS_PASSPHRASE=""))
    assert "nosuch" in one_line_error(program("run", "nosuch", **PASS))
    assert "nosuch" in one_line_error(program("run", "trial", "--entrant", "nosuch", **PASS))
    assert "per-item" in one_line_error(program("score", "trial", "--out", "scores.jsonl", **PASS))
    (workspace / "models.yaml").write_text("entrants:\n  - {id: a, id: b}\n")
    assert "models.yaml" in one_line_error(program("run", "trial", **PASS))
    (workspace / "models.yaml").write_text("entrants: [")
    assert "models.yaml" in one_line_error(program("run", "trial", **PASS))
    (workspace / "recipe.yaml").write_text(RECIPE.replace("per_variant: 20", "per_variant: 3"))
    assert "20" in one_line_error(program("seal", "--recipe", "recipe.yaml", "--passphrase", **PASS))
    sealed = workspace / "private" / "trial.age"
    sealed.write_bytes(sealed.read_bytes()[:-20])
    assert "trial.age" in one_line_error(program("score", "trial", **PASS))


def test_no_network_and_an_unknown_model_are_one_line(program: Program, workspace: Path) -> None:
    roster = "entrants:\n  - {id: far, provider: openai_compatible, model: m, base_url: 'http://127.0.0.1:9/v1'}\n"
    (workspace / "models.yaml").write_text(roster + "  - {id: odd, provider: reference, model: nosuch}\n")
    assert "far" in one_line_error(program("run", "trial", "--entrant", "far", "--limit", "2", **PASS))
    assert "nosuch" in one_line_error(program("run", "trial", "--entrant", "odd", **PASS))
    (workspace / "models.yaml").write_text("entrants:\n  - {id: a, provider: openai, model: m}\n")
    keyless = {**PASS, "OPENAI_API_KEY": ""}
    assert "OPENAI_API_KEY" in one_line_error(program("run", "trial", **keyless))


def test_nothing_private_stands_in_clear_on_disk(workspace: Path) -> None:
    """Prompts, parameters, keys and answers exist only encrypted: no name of a story, no label, no item id."""
    for path in (workspace / "private").rglob("*"):
        if path.is_file() and not path.name.endswith((".commitment.json", ".metadata.json")):
            data = path.read_bytes()
            for canary in (b"ADJUSTMENT_SET", b"causal-confounding-", b"treatment", b"reference"):
                if path.name == "runs.json" and canary == b"reference":
                    continue
                assert canary not in data, (path, canary)


def test_a_version_that_was_run_is_not_sealed_anew_where_its_commitment_is_lost(
    program: Program, workspace: Path
) -> None:
    before = (workspace / "private" / "trial.age").read_bytes()
    (workspace / "private" / "trial.commitment.json").unlink()
    line = one_line_error(program("seal", "--recipe", "recipe.yaml", "--passphrase", **PASS))
    assert "was run already" in line
    assert (workspace / "private" / "trial.age").read_bytes() == before
