"""docs/own-module.md runs as it is printed."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from installed import BENCHPRESS, ROOT, Program, one_line_error

PAGE = (ROOT / "docs" / "own-module.md").read_text(encoding="utf-8")


def benchpress(folder: Path, *words: str) -> str:
    home = {
        "PYTHONPATH": str(folder),
        "BENCHPRESS_HOME": str(folder),
        "BENCHPRESS_PASSPHRASE": "a throw-away passphrase",
    }
    done = subprocess.run(
        [BENCHPRESS, *words],
        capture_output=True, text=True, cwd=folder, env={**os.environ, **home}, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in re.findall(r"`(\w+\.(?:py|yaml))`[^\n`]*:\n\n```\w+\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {"powers.py", "recipe.yaml", "roman.py"}
    return tmp_path


def test_the_module_is_generated_verified_audited_and_sealed(files: Path) -> None:
    told = {line: benchpress(files, *line.split()) for line in re.findall(r"^\$ benchpress (.*)$", PAGE, re.MULTILINE)}
    assert len(told) == 4
    assert "no finding" in told["audit-items powers.jsonl"], "the page says so"
    items = [json.loads(line) for line in (files / "powers.jsonl").read_text().splitlines()]
    assert len({item["id"] for item in items}) == 50
    for item in items:
        base, exponent, modulus = map(int, re.findall(r"\d+", item["prompt"])[:3])
        assert item["parts"][0]["gold"] == str(base**exponent % modulus)
    assert (files / "private" / "powers-v1.commitment.json").is_file()


def test_the_part_type_reads_what_stands_behind_the_label(files: Path) -> None:
    part = {"id": "YEAR", "type": "roman:ROMAN", "gold": "MCMXCIX", "params": {}, "skills": []}
    item = {"schema": "benchpress.item/1", "module": "m", "bundle": "b", "variant": "base", "level": 1, "params": {}}
    said = {
        "plain": "YEAR: MCMXCIX",
        "bold": "So that is it.\n\n**YEAR:** mcmxcix.",
        "corrected": "YEAR: MM\nNo.\nYEAR: MCMXCIX",
        "wrong": "YEAR: MIM",
        "other": "YEAR: MM",
    }
    with (files / "items.jsonl").open("w") as items, (files / "responses.jsonl").open("w") as responses:
        for name, text in said.items():
            items.write(json.dumps(item | {"id": name, "prompt": "When?", "parts": [part], "verification": []}) + "\n")
            responses.write(json.dumps({"item_id": name, "text": text}) + "\n")
    benchpress(files, "grade", "items.jsonl", "responses.jsonl", "--out", "scores.jsonl")
    scores = [json.loads(line) for line in (files / "scores.jsonl").read_text().splitlines()]
    assert {score["item_id"]: (score["parts"][0]["parsed"], score["correct"]) for score in scores} == {
        "plain": ("MCMXCIX", True),
        "bold": ("MCMXCIX", True),
        "corrected": ("MCMXCIX", True),
        "wrong": (None, False),
        "other": ("MM", False),
    }


def test_a_space_that_is_too_small_is_said_to_be(files: Path, program: Program) -> None:
    small = (files / "powers.py").read_text().replace("between(2, 99)", "between(2, 3)")
    small = small.replace("between(3, 3 + 10 * level)", "between(8, 9)").replace("101 + 100 * level", "103")
    (files / "powers.py").write_text(small)
    words = ("generate", "--module", "powers:MODULE", "--n", "200", "--seed", "1", "--out", "a.jsonl")
    said = one_line_error(program(*words, PYTHONPATH=str(files)))
    assert "powers:MODULE power base has too few different items at level 5" in said
    assert not (files / "a.jsonl").exists()
