"""A table for people (rich), for programs (JSON) and for spreadsheets (CSV)."""

import csv
import io
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from benchpress.spreadsheets import plain_cell
from rich.table import Table as RichTable
from rich.text import Text

from benchpress_evaluator.stats.metric import Table

MISSING = "–"
MONEY = ("cost",)
WHOLE_FROM = 100.0


def records(table: Table) -> list[dict[str, Any]]:
    """The rows as plain values: null where a figure is unknown, never NaN or infinity."""
    names = [str(name) for name in table.frame.columns]
    return [dict(zip(names, row, strict=True)) for row in _rows(table.frame)]


def to_json(table: Table) -> dict[str, Any]:
    """What `--json` prints for one table."""
    return {"title": table.title, "notes": list(table.notes), "rows": records(table)}


def to_csv(table: Table) -> str:
    """The table as CSV (RFC 4180): empty where unknown, numbers as they are, text that a spreadsheet would take for a
    formula made plain by a leading apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([plain_cell(str(name)) for name in table.frame.columns])
    for row in _rows(table.frame):
        writer.writerow(["" if value is None else plain_cell(value) for value in row])
    return out.getvalue()


def to_rich(table: Table) -> RichTable:
    """The table for a terminal: numbers to the right, shares to three decimals, a dash where unknown."""
    made = RichTable(title=Text(table.title), caption=Text("\n".join(table.notes)) if table.notes else None)
    rows = list(_rows(table.frame))
    for place, name in enumerate(table.frame.columns):
        numeric = any(isinstance(row[place], int | float) and not isinstance(row[place], bool) for row in rows)
        made.add_column(Text(str(name)), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        made.add_row(*(Text(in_words(value, str(name))) for value, name in zip(row, table.frame.columns, strict=True)))
    return made


def in_words(value: Any, name: str = "") -> str:
    """One cell for people."""
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    if any(word in name for word in MONEY):
        return f"{value:.4g}"
    if value and abs(value) < 0.0005:
        return f"{value:.1e}"
    return f"{value:,.0f}" if abs(value) >= WHOLE_FROM else f"{value:.3f}"


def plain(value: Any) -> Any:
    """A value as JSON has it: Python's own types, null for NaN, infinity and missing."""
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [plain(held) for held in value]
    return value


def _rows(frame: pd.DataFrame) -> Iterator[list[Any]]:
    columns = [frame[name].tolist() for name in frame.columns]
    for row in zip(*columns, strict=True):
        yield [plain(value) for value in row]
