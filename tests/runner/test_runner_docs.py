"""The examples in docs/running.md run as they are printed."""

import re
import sys
import types
from pathlib import Path

import pytest
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.plan import Plan
from benchpress_evaluator.providers import PROVIDERS
from benchpress_evaluator.runner import run
from benchpress_evaluator.scoring import score
from benchpress_evaluator.storage import open_storage
from harness import DIRECT, VERSION, items

TEXT = (Path(__file__).resolve().parent.parent.parent / "docs" / "running.md").read_text(encoding="utf-8")


def test_the_provider_and_the_method_of_the_guide_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert len(examples) == 2
    guide = types.ModuleType("guide")
    monkeypatch.setitem(sys.modules, "guide", guide)
    for example in examples:
        exec(example, guide.__dict__)
    entrant = Entrant.model_validate({"id": "echo", "provider": "guide:Echo", "model": "none"})
    methods = [*DIRECT, MethodChoice("guide:METHOD")]
    journal = Journal.open(open_storage(tmp_path), "journal", None)
    report = run(Plan(VERSION, items(2), [entrant], methods), journal, {})
    assert report.complete
    rows = list(score(items(2), journal.records(), VERSION, [entrant], methods))
    assert [row.result is not None for row in rows] == [True] * 4
    assert rows[2].extra["first"].startswith("What is 0 + 1?")


def test_every_built_in_provider_stands_in_the_table() -> None:
    table = TEXT.partition("| provider |")[2].partition("\n\n")[0]
    assert all(f"`{name}`" in table for name in PROVIDERS.names())


def test_every_field_of_the_roster_stands_in_the_table() -> None:
    table = TEXT.partition("| field |")[2].partition("\n\n")[0]
    assert all(f"`{name}`" in table for name in Entrant.model_fields)
