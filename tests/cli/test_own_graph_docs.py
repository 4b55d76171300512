"""docs/own-graph.md runs as it is printed and names every kind of question."""

import re
from pathlib import Path

from benchpress.solve import KINDS
from installed import ROOT, Program

PAGE = (ROOT / "docs" / "own-graph.md").read_text(encoding="utf-8")


def test_the_questions_have_the_answers_that_the_page_shows(tmp_path: Path, program: Program) -> None:
    cases, answers = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    (command,) = re.findall(r"```sh\nbenchpress (.*)\n```", PAGE)
    (tmp_path / "cases.jsonl").write_text(cases, encoding="utf-8")
    done = program(*command.split())
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "answers.jsonl").read_text(encoding="utf-8") == answers


def test_every_kind_of_question_is_told_of() -> None:
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(KINDS)
