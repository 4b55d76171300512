"""The tutorials and the cluster page: every command on them runs as it is printed, in the order of the page."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

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
    (tmp_path / "version.json").write_bytes(commitment.read_bytes())
    follow(tmp_path, page("tutorial-visitor"))


def script(folder: Path, name: str) -> None:
    """Put a job script of the cluster page into `folder`."""
    text = page("clusters")
    found = BLOCK.search(text, text.index(f"`{name}`:"))
    assert found is not None
    (folder / name).write_text(found["text"])


def test_the_array_job_puts_every_item_once(tmp_path: Path) -> None:
    script(tmp_path, "shards.sbatch")
    (tmp_path / "recipe.yaml").write_text(
        "version: array\ntitle: t\nstatus: demo\nmodule: causal\n"
        "bundles: [simpson]\nvariants: [base]\nper_variant: 20\nlevels: [3]\n"
    )
    (tmp_path / "models.yaml").write_text("entrants:\n  - {id: exact, provider: reference, model: exact}\n")
    call(tmp_path, ["benchpress", "seal", "--recipe", "recipe.yaml", "--passphrase"])

    def task(number: int, count: int, **more: str) -> str:
        slurm = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_COUNT": str(count)}
        more |= {"BENCHPRESS_VERSION": "array", "SLURM_SUBMIT_DIR": str(tmp_path)}
        return call(tmp_path, ["bash", "shards.sbatch"], **slurm, **more)

    task(1, 3)
    task(3, 3)
    (row,) = json.loads(call(tmp_path, ["benchpress", "score", "array", "--json"]))
    assert 0 < row["pending"] < 20
    # `sbatch --array=2` alone: Slurm then counts one task.
    task(2, 1, SHARDS="3")
    assert re.search(r"exact +7/7 +0 ", task(1, 3)), "what was answered is not asked again"
    (row,) = json.loads(call(tmp_path, ["benchpress", "score", "array", "--json"]))
    assert (row["planned"], row["correct"], row["pending"]) == (20, 20, 0)


def test_the_dask_job_makes_the_same_items_as_one_process(tmp_path: Path) -> None:
    script(tmp_path, "items.sbatch")
    # In place of Slurm's: what it is given is started twice, as two tasks of a job would be.
    (tmp_path / "srun").write_text('#!/bin/bash\nshift\n"$@" &\n"$@" &\ntrap "kill $(jobs -p)" TERM\nwait\n')
    (tmp_path / "srun").chmod(0o755)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    path = f"{tmp_path}{os.pathsep}{BENCHPRESS.parent}{os.pathsep}{os.environ['PATH']}"
    call(tmp_path, ["bash", "items.sbatch"], PORT=str(port), N="1", LEVEL="1", PATH=path)
    (tmp_path / "items.jsonl").rename(tmp_path / "cluster.jsonl")
    words = "generate --module causal --level 1 --n 1 --seed 1 --out items.jsonl"
    call(tmp_path, ["benchpress", *words.split()])
    assert (tmp_path / "cluster.jsonl").read_bytes() == (tmp_path / "items.jsonl").read_bytes()
