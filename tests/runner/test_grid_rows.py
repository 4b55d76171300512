"""Result rows read back exactly, from both files, whatever stands in them."""

import csv
import io
import json
from typing import Any

import pandas as pd
from benchpress_evaluator.grid.rows import COLUMNS, TEXTS, from_csv, from_jsonl, to_csv, to_jsonl
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
def test_csv_and_json_lines_read_back_exactly(found: list[dict[str, Any]]) -> None:
    rows = [filled(row) for row in found]
    assert from_csv(to_csv(rows)) == rows
    assert list(from_jsonl(to_jsonl(rows))) == rows
    # A number that is whole stays what it is: 1.0 is no 1.
    assert json.dumps(from_csv(to_csv(rows))) == json.dumps(rows)


def test_what_a_model_wrote_is_no_formula_and_a_figure_stays_one() -> None:
    rows = [
        filled({"raw_text": text, "margin": -0.25}) for text in ('=HYPERLINK("x","B")', "@SUM(A1)", "-1", "+1", "\t=1")
    ]
    table = to_csv(rows)
    seen = list(csv.DictReader(io.StringIO(table.decode(), newline="")))
    assert [row["raw_text"][0] for row in seen] == ['"'] * 5
    assert [row["margin"] for row in seen] == ["-0.25"] * 5
    assert from_csv(table) == rows


def test_other_readers_see_the_texts_as_they_are() -> None:
    texts = ["None", "NA", "null", "nan", "a, b", 'say "hi"', "two\nlines", "1.0", "true"]
    rows = [filled({"raw_text": text, "margin": 0.25, "picks": [0, None]}) for text in texts]
    seen = pd.read_csv(io.BytesIO(to_csv(rows)), dtype=str, keep_default_na=False)
    assert list(seen["raw_text"]) == texts
    assert set(seen["margin"]) == {"0.25"}
    assert json.loads(seen["picks"][0]) == [0, None]
    assert set(seen["error"]) == {""}
