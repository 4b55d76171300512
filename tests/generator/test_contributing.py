"""The recipes of CONTRIBUTING.md run as they are printed."""

import json
import os
import re
import subprocess
from math import gcd
from pathlib import Path

import pytest
from installed import BENCHPRESS, ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def benchpress(folder: Path, *words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder), "BENCHPRESS_HOME": str(folder)}
    done = subprocess.run(
        [BENCHPRESS, *words], capture_output=True, text=True, cwd=folder, env=environment, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def recipes(tmp_path: Path) -> Path:
    for name, code in re.findall(r"`([\w.]+)`:\n\n```(?:python|yaml)\n(.*?)```", PAGE, re.DOTALL):
        (tmp_path / name).write_text(code, encoding="utf-8")
    files = {"gcds.py", "colours.py", "doubts.py", "wavering.py", "wavering.yaml", "letters.py"}
    assert {path.name for path in tmp_path.iterdir()} == files
    return tmp_path


def printed(word: str) -> list[str]:
    """The command lines of the page in which `word` stands, as arguments."""
    return [line for line in re.findall(r"^benchpress (.*)$", PAGE, re.MULTILINE) if word in line]


def test_the_module_generates_and_verifies(recipes: Path) -> None:
    for line in printed("gcds"):
        benchpress(recipes, *line.split())
    items = [json.loads(line) for line in (recipes / "gcds.jsonl").read_text().splitlines()]
    assert len({item["id"] for item in items}) == 5
    for item in items:
        first, second = map(int, re.findall(r"\d+", item["prompt"])[:2])
        assert item["parts"][0]["gold"] == str(gcd(first, second))
    altered = items[0]["parts"][0] | {"gold": "1001"}
    (recipes / "bad.jsonl").write_text(json.dumps(items[0] | {"parts": [altered]}) + "\n")
    done = subprocess.run(
        [BENCHPRESS, "verify", "bad.jsonl"], cwd=recipes, env={**os.environ, "PYTHONPATH": str(recipes)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "GCD" in done.stdout + done.stderr


def test_the_part_type_grades(recipes: Path) -> None:
    part = {"id": "SKY", "type": "colours:COLOUR", "gold": "blue", "params": {}, "skills": []}
    item = {"schema": "benchpress.item/1", "module": "m", "bundle": "b", "variant": "base", "level": 1, "params": {}}
    said = {"right": "SKY: blue", "wrong": "SKY: red", "unread": "SKY: blue or red"}
    with (recipes / "items.jsonl").open("w") as items, (recipes / "responses.jsonl").open("w") as responses:
        for name, text in said.items():
            items.write(
                json.dumps(item | {"id": name, "prompt": "Which colour?", "parts": [part], "verification": []}) + "\n"
            )
            responses.write(json.dumps({"item_id": name, "text": text}) + "\n")
    benchpress(recipes, "grade", "items.jsonl", "responses.jsonl", "--out", "scores.jsonl")
    scores = [json.loads(line) for line in (recipes / "scores.jsonl").read_text().splitlines()]
    assert {score["item_id"]: (score["parts"][0]["parsed"], score["correct"]) for score in scores} == {
        "right": ("blue", True), "wrong": ("red", False), "unread": (None, False),
    }  # fmt: skip


def test_the_method_the_provider_and_the_metric_run_together(recipes: Path) -> None:
    asked, scored = printed("doubts")
    benchpress(recipes, *asked.split())
    report = json.loads(benchpress(recipes, *scored.split(), "--json"))
    rows = {row["method"]: row for row in report["metrics"]["accuracy"]["rows"]}
    assert (rows["direct"]["right"], rows["direct"]["n"]) == (3, 10), "the page says so"
    letters = report["metrics"]["letters:letters"]["rows"]
    found = {(row["method"], row["answer"].strip('"')): row["answers"] for row in letters}
    assert found == {("direct", "A"): 10, ("doubts:DOUBTS", "B"): 10}


def test_every_link_leads_somewhere() -> None:
    for page in ("CONTRIBUTING.md", "SECURITY.md", "README.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text(encoding="utf-8")):
            assert (ROOT / target).exists(), (page, target)
