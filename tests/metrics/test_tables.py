"""Tables for people, programs and spreadsheets: null and never NaN, formulas made plain, reports that stand alone."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from benchpress_evaluator.stats import METRICS
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.report import report
from benchpress_evaluator.stats.tables import in_words, to_csv, to_json, to_rich
from results_by_hand import ability_matrix, answer, matrix, results
from rich.console import Console

ODD = Table(
    "Odd",
    pd.DataFrame(
        {
            "name": ["=HYPERLINK(1)", "+1", "-1+2", "@sum", "\tx", "plain", "＝1"],
            "value": [np.nan, np.inf, -0.25, 1.0, None, 0.0, 2e-6],
            "count": np.array([1, 2, 3, 4, 5, 6, 7], dtype=np.int64),
            "day": ["2026-01-01"] * 7,
        }
    ),
    ("a note",),
)


def test_json_has_null_and_never_nan():
    text = json.dumps(to_json(ODD), allow_nan=False)
    assert [row["value"] for row in json.loads(text)["rows"]] == [None, None, -0.25, 1.0, None, 0.0, 2e-6]


def test_csv_cells_that_a_spreadsheet_would_compute_are_neutralised_and_numbers_are_not():
    rows = list(csv.DictReader(io.StringIO(to_csv(ODD), newline="")))
    assert [row["name"] for row in rows] == ["'=HYPERLINK(1)", "'+1", "'-1+2", "'@sum", "'\tx", "plain", "'＝1"]
    assert [row["value"] for row in rows] == ["", "", "-0.25", "1.0", "", "0.0", "2e-06"]


def test_a_date_stays_the_day_it_is():
    assert {row["day"] for row in to_json(ODD)["rows"]} == {"2026-01-01"}
    late = results([answer("a", "i0", at="2026-03-01T23:59:59Z")])
    assert late["at"].tolist() == ["2026-03-01T23:59:59Z"]


def test_the_terminal_shows_a_dash_for_unknown_and_no_markup_of_others():
    table = Table("[bold]T[/bold]", pd.DataFrame({"who": ["[red]x[/red]"], "share": [None]}))
    console = Console(file=io.StringIO(), width=100)
    console.print(to_rich(table))
    shown = console.file.getvalue()
    assert "[red]x[/red]" in shown
    assert "[bold]T[/bold]" in shown
    assert "–" in shown


@pytest.mark.parametrize(
    ("value", "name", "text"),
    [
        (None, "", "–"),
        (True, "", "yes"),
        (0.12345, "accuracy", "0.123"),
        (0.00001234, "p", "1.2e-05"),
        (12345.6, "tokens", "12,346"),
        (0.000123456, "cost_usd_median", "0.0001235"),
        (0.0, "share", "0.000"),
    ],
)
def test_numbers_in_words(value, name, text):
    assert in_words(value, name) == text


def test_the_report_stands_alone_and_escapes_what_others_wrote():
    frame = matrix(ability_matrix([0.4, 0.7], 60, seed=1), ["<img src=x onerror=alert(1)>", 'b"&'])
    page = report("All <metrics>", [METRICS.get(name)(frame, Settings(resamples=200)) for name in METRICS])
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "<script" not in page
    assert not re.findall(r"(?:src|href)=\"(?!#)", page)
    assert not re.findall(r"https?://", page)
    assert "prefers-color-scheme: dark" in page
    assert "not for publication" in page
    assert page.count("<section") == len(METRICS.names())
    assert '<svg role="img"' in page
    assert "nan" not in re.sub(r"<[^>]+>", " ", page).lower().split()


def test_a_report_without_items_is_not_marked_private():
    page = report("Accuracy", [METRICS.get("accuracy")(matrix([[1, 0]], ["a"]), Settings(resamples=200))])
    assert "not for publication" not in page


def test_the_same_results_give_the_same_report():
    frame = matrix(ability_matrix([0.4, 0.7], 60, seed=1))
    pages = {report("r", [METRICS.get("ranks")(frame, Settings(resamples=300))]) for _ in range(2)}
    assert len(pages) == 1


def test_a_metric_of_ones_own_is_named_by_module_and_attribute():
    found = METRICS.get("own_metric:longest")(matrix([[1, 0]], ["a"]), Settings())
    assert to_json(found)["rows"] == [{"entrant": "a", "items": 2}]


def test_the_metric_in_the_documentation_works():
    text = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1)
    scope: dict = {}
    exec(code, scope)
    found = scope["longest"](matrix([[1, 0, 1]], ["a"]), Settings())
    assert to_json(found)["rows"] == [{"entrant": "a", "items": 3}]
