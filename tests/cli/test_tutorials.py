"""The tutorials and the cluster page: every command on them runs as it is printed, in the order of the page."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from installed import BENCHPRESS, ROOT

BLOCK = re.compile(r"^(?:`(?P<file>[\w.]+)`[^\n]*\n\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE)
PASS = {"BENCHPRESS_PASSPHRASE": "a throw-away passphrase"}


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def call(folder: Path, words: list[str], **more: str) -> str:
    path = f"{BENCHPRESS.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **PASS, "PATH": path, "BENCHPRESS_HOME": str(folder), **more}
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, env=environment, timeout=300, check=False)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def follow(folder: Path, text: str) -> dict[str, str]:
    """Do what a page says; returns what each command printed."""
    told = {}
    for block in BLOCK.finditer(text):
        match block["kind"]:
            case "console":
                for line in block["text"].splitlines():
                    command = line.removeprefix("$ ").strip()
                    told[command] = call(folder, command.split())
            case "python":
                call(folder, [sys.executable, "-c", block["text"]])
            case "yaml":
                name = block["file"] or ("recipe.yaml" if block["text"].startswith("version:") else "models.yaml")
                (folder / name).write_text(block["text"])
    return told


def test_the_tutorial_for_researchers(tmp_path: Path) -> None:
    told = follow(tmp_path, page("tutorial-researcher"))
    assert len((tmp_path / "items.jsonl").read_text().splitlines()) == 10, "the page says so"
    scores = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
    assert [(score["status"], score["correct"]) for score in scores] == [
        ("ok", True),
        ("ok", False),
        ("refusal", False),
    ]
    assert (tmp_path / "dataset" / "README.md").is_file()
    assert any("explain" in command and output.strip() for command, output in told.items())


def test_the_tutorial_for_maintainers(tmp_path: Path) -> None:
    told = follow(tmp_path, page("tutorial-maintainer"))
    board = json.loads((tmp_path / "data" / "tutorial-v1" / "leaderboard.json").read_text())
    exact = next(row for row in board["rows"] if row["entrant"]["slug"] == "exact")
    assert exact["accuracy"]["value"] == 1
    assert "exact" in told["benchpress compare exact random tutorial-v1"]


def test_the_tutorial_for_visitors(tmp_path: Path) -> None:
    recipe = BLOCK.search(page("tutorial-maintainer"), page("tutorial-maintainer").index("`recipe.yaml`"))
    assert recipe is not None
    (tmp_path / "recipe.yaml").write_text(recipe["text"])
    (tmp_path / "models.yaml").write_text("entrants:\n  - {id: exact, provider: reference, model: exact}\n")
    for words in (
        "seal --recipe recipe.yaml --passphrase",
        "run tutorial-v1",
        "score tutorial-v1",
        "export tutorial-v1 --out data",
    ):
        call(tmp_path, ["benchpress", *words.split()])
    call(tmp_path, ["benchpress", "reveal", "tutorial-v1", "--out", "reveal.json", "--yes"])
    commitment = next((tmp_path / "private").glob("tutorial-v1*commitment*.json"))
    (tmp_path / "commitment.json").write_bytes(commitment.read_bytes())
    follow(tmp_path, page("tutorial-visitor"))


@pytest.mark.parametrize("shards", [3])
def test_the_array_job_puts_every_item_once(shards: int, tmp_path: Path) -> None:
    script = next(block for block in BLOCK.finditer(page("clusters")) if block["kind"] == "bash")
    (tmp_path / "shards.sbatch").write_text(script["text"])
    call(
        tmp_path,
        [
            "benchpress",
            "generate",
            "--module",
            "causal",
            "--bundle",
            "simpson",
            "--n",
            "2",
            "--seed",
            "1",
            "--out",
            "items.jsonl",
        ],
    )
    (tmp_path / "recipe.yaml").write_text(
        "version: array\ntitle: t\nstatus: demo\nmodule: causal\n"
        "bundles: [simpson]\nvariants: [base]\nper_variant: 20\nlevels: [3]\n"
    )
    (tmp_path / "models.yaml").write_text("entrants:\n  - {id: exact, provider: reference, model: exact}\n")
    call(tmp_path, ["benchpress", "seal", "--recipe", "recipe.yaml", "--passphrase"])
    for number in range(1, shards + 1):
        slurm = {
            "SLURM_ARRAY_TASK_ID": str(number),
            "SLURM_ARRAY_TASK_COUNT": str(shards),
            "SLURM_SUBMIT_DIR": str(tmp_path),
        }
        call(tmp_path, ["bash", "shards.sbatch"], BENCHPRESS_VERSION="array", **slurm)
    (row,) = json.loads(call(tmp_path, ["benchpress", "score", "array", "--json"]))
    assert (row["planned"], row["correct"], row["pending"]) == (20, 20, 0)
