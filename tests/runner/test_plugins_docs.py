"""The worked example of docs/plugins.md runs as it is printed, and docs/grid.md names what there is."""

import json
import os
import re
import subprocess
from pathlib import Path

from benchpress_evaluator.grid.config import Benchmark, Config, MethodEntry, Preflight, RunEntry
from benchpress_evaluator.grid.rows import COLUMNS
from installed import BENCHPRESS, ROOT

PLUGINS = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
GRID = (ROOT / "docs" / "grid.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", PLUGINS, re.DOTALL)
    return str(found[0])


def program(folder: Path, *words: str, path: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "BENCHPRESS_HOME": str(folder), "PYTHONPATH": path}
    return subprocess.run(
        [BENCHPRESS, *words], capture_output=True, text=True, cwd=folder, env=environment, timeout=300, check=False
    )


def test_the_worked_example_runs_as_it_is_printed(tmp_path: Path) -> None:
    (tmp_path / "rivers.py").write_text(block("python"), encoding="utf-8")
    (tmp_path / "rivers.yaml").write_text(block("yaml"), encoding="utf-8")
    ran = program(tmp_path, "run", "--config", "rivers.yaml", "--run-id", "rivers", "--yes", path=str(tmp_path))
    assert ran.returncode == 0, ran.stderr
    scored = program(tmp_path, "score", "--run-id", "rivers", "--json", path=str(tmp_path))
    assert scored.returncode == 0, scored.stderr
    report = json.loads(scored.stdout)
    # The page says so: one of three, by either method, and A, A, A are the letters.
    rows = report["metrics"]["accuracy"]["rows"]
    assert [(row["method"], row["right"], row["n"]) for row in rows] == [("direct", 1, 3), ("rivers:RULE_OUT", 1, 3)]
    letters = report["metrics"]["rivers:letters"]["rows"]
    assert {(row["answer"], row["answers"]) for row in letters} == {("A", 3)}


def test_without_the_plug_in_only_its_own_conditions_fail(tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text(
        "models: [{id: d, provider: dummy, model: m}]\n"
        "benchmarks: [{name: toy}, {name: 'rivers:RIVERS'}]\n"
        "methods: [{name: direct}, {name: 'rivers:RULE_OUT'}]\n"
    )
    ran = program(tmp_path, "run", "--config", "grid.yaml", "--run-id", "r", "--json", path="")
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    found = {(one["benchmark"], one["method"]): one["status"] for one in json.loads(ran.stdout)["conditions"]}
    assert [key for key, status in found.items() if status == "completed"] == [("toy", "direct")]


def test_every_field_and_every_column_stands_on_the_page() -> None:
    for section in (Config, Benchmark, MethodEntry, Preflight, RunEntry):
        assert all(f"`{name}`" in GRID for name in section.model_fields), section
    assert all(f"`{name}`" in GRID for name in COLUMNS)
