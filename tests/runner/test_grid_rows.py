"""Result rows read back exactly from JSON lines; no spreadsheet computes anything of them as CSV."""

import csv
import io
import json
from typing import Any

import pandas as pd
from benchpress_evaluator.grid.rows import COLUMNS, TEXTS, from_jsonl, to_csv, to_jsonl
from hypothesis import given
from hypothesis import strategies as st

# Half of a surrogate pair, which vendors do send, is among the characters.
ANY_TEXT = st.text(st.characters(codec=None))
ODD = st.sampled_from(
    ["", "None", "NA", "nan", "null", '"', '""', "a\rb", "a\r\nb", "1", "true", " x ", "\x00", "=1+1"]
)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)
ROW = st.fixed_dictionaries(
    {
        name: st.none() | ODD | ANY_TEXT if name in TEXTS else VALUE
        for name in COLUMNS
        if name in TEXTS or name[0] in "dpe"
    }
)


def filled(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row.get(name) for name in COLUMNS}


@given(st.lists(ROW, max_size=3))
def test_json_lines_read_back_exactly(found: list[dict[str, Any]]) -> None:
    rows = [filled(row) for row in found]
    assert list(from_jsonl(to_jsonl(rows))) == rows
    # A number that is whole stays what it is: 1.0 is no 1.
    assert json.dumps(list(from_jsonl(to_jsonl(rows)))) == json.dumps(rows)


@given(st.lists(ROW, max_size=3))
def test_csv_has_a_line_per_row_and_no_text_that_is_a_formula(found: list[dict[str, Any]]) -> None:
    columns, *lines = csv.reader(io.StringIO(to_csv([filled(row) for row in found]).decode(), newline=""))
    assert columns == list(COLUMNS)
    assert len(lines) == len(found)
    for line in lines:
        for name, cell in zip(columns, line, strict=True):
            assert name not in TEXTS or not cell or cell[0] not in "=+-@\t\r\n＝＋－＠"


def test_what_a_model_wrote_is_no_formula_and_a_figure_stays_one() -> None:
    rows = [filled({"raw_text": '=HYPERLINK("http://x","B")', "margin": -0.25}), filled({"raw_text": "\0@SUM(A1)"})]
    seen = list(csv.DictReader(io.StringIO(to_csv(rows).decode(), newline="")))
    assert [row["raw_text"] for row in seen] == ['\'=HYPERLINK("http://x","B")', "'@SUM(A1)"]
    assert [row["margin"] for row in seen] == ["-0.25", ""]


def test_other_readers_see_the_texts_as_they_are() -> None:
    texts = ["None", "NA", "null", "nan", "a, b", 'say "hi"', "two\nlines", "1.0", "true"]
    rows = [filled({"raw_text": text, "margin": 0.25, "picks": [0, None]}) for text in texts]
    seen = pd.read_csv(io.BytesIO(to_csv(rows)), dtype=str, keep_default_na=False)
    assert list(seen["raw_text"]) == texts
    assert set(seen["margin"]) == {"0.25"}
    assert json.loads(seen["picks"][0]) == [0, None]
    assert set(seen["error"]) == {""}
