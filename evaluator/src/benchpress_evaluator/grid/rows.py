"""The results of one condition: a row per selected question, as JSON lines and as CSV, which both read back exactly.

Nothing that depends on when or how fast a run went stands in a row; that is in the usage lines beside it.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchpress.items import Item, Status
from benchpress.modules.choice.question import Question
from benchpress.spreadsheets import FORMULA

from benchpress_evaluator.records import ScoredItem

IDENTITIES = (
    "experiment_id",
    "condition_id",
    "benchmark",
    "split",
    "artifact_id",
    "selection_id",
    "model",
    "model_id",
    "method",
    "method_id",
    "prompt_id",
    "seed",
)
TEXTS = frozenset(
    {*IDENTITIES, "item_id", "question_id", "subject", "correct_option", "parsed_choice", "outcome", "status"}
    | {"transport_status", "answer_status", "error", "mode", "raw_text"}
) - {"seed"}
"""Columns of text; all others hold JSON."""

COLUMNS = (
    *IDENTITIES,
    "item_id",
    "question_id",
    "subject",
    "n_choices",
    "correct_option",
    "correct_source_index",
    "parsed_choice",
    "parsed_source_index",
    "correct",
    "outcome",
    "status",
    "transport_status",
    "answer_status",
    "error",
    "gate_modal_k",
    "gate_n_total",
    "gate_n_evaluated",
    "gate_n_excluded",
    "n_permutations_total",
    "n_permutations_failed",
    "picks",
    "source_indexes",
    "margin",
    "fallback_used",
    "mode",
    "distribution",
    "distributions",
    "prior",
    "raw_text",
    "extra",
)
"""The columns in their order. `extra` holds what a method stores besides; null is what does not apply."""

NAMED = {"rotations": "n_permutations_total", "failed_rotations": "n_permutations_failed"}
KEPT = ("picks", "source_indexes", "margin", "fallback_used", "mode", "distribution", "distributions", "prior")

Row = dict[str, Any]


def row_of(identities: Mapping[str, Any], item: Item, one: ScoredItem, text: str | None, transport: str | None) -> Row:
    """The row of one scored answer. `text` is what the method's answer was read from, null where it was decided."""
    question = Question.of(item)
    extra = dict(one.extra)
    parsed = one.result.parts[0].parsed if one.result is not None else None
    letter = parsed if isinstance(parsed, str) and parsed in question.letters else None
    gate = extra.pop("gate", None) or {}
    extra.pop("parsed_choice", None)
    extra.pop("gated", None)
    row: Row = dict.fromkeys(COLUMNS)
    row.update(identities)
    row.update(
        item_id=item.id,
        question_id=question.id,
        subject=question.subject,
        n_choices=len(question.options),
        correct_option=question.gold_letter,
        correct_source_index=question.gold_source_index,
        parsed_choice=letter,
        parsed_source_index=None if letter is None else question.options[question.letters.index(letter)].source_index,
        correct=None if one.result is None else one.result.correct,
        outcome=outcome_of(one, letter),
        status=None if one.result is None else str(one.result.status),
        transport_status=transport,
        answer_status=answer_status_of(one, letter),
        error=extra.pop("error", None),
        raw_text=text,
        **{f"gate_{name}": gate.get(name) for name in ("modal_k", "n_total", "n_evaluated", "n_excluded")},
    )
    for name, column in NAMED.items():
        row[column] = extra.pop(name, None)
    for name in KEPT:
        row[name] = extra.pop(name, None)
    row["extra"] = extra or None
    return row


def outcome_of(one: ScoredItem, letter: str | None) -> str:
    """right, wrong (another letter), abstained (no letter), or gated."""
    if one.gated:
        return "gated"
    if letter is None:
        return "abstained"
    return "right" if one.result is not None and one.result.correct else "wrong"


def answer_status_of(one: ScoredItem, letter: str | None) -> str:
    """Whether a final letter was reached, however the method reaches one; never null."""
    if one.gated:
        return "gated"
    if letter is not None:
        return "success"
    if one.result is None or "error" in one.extra:
        return "method_error"
    return {Status.OK: "no_answer", Status.INVALID_ANSWER: "no_answer", Status.API_ERROR: "transport_error"}.get(
        one.result.status, str(one.result.status)
    )


def usage_of(condition_id: str, one: ScoredItem) -> Row:
    """What an answer took: times, tokens and costs."""
    return {
        "condition_id": condition_id,
        "item_id": one.item_id,
        "at": one.at,
        "latency_s": one.latency_s,
        "input_tokens": one.input_tokens,
        "output_tokens": one.output_tokens,
        "thinking_tokens": one.thinking_tokens,
        "cost_usd": one.cost_usd,
        "flags": list(one.flags),
    }


def to_jsonl(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """One JSON object a line. Text that UTF-8 cannot hold is escaped."""
    return b"".join(_line(row) for row in rows)


def _line(row: Mapping[str, Any]) -> bytes:
    try:
        return (json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n").encode()
    except UnicodeEncodeError:
        return (json.dumps(row, separators=(",", ":"), allow_nan=False) + "\n").encode()


def to_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str] = COLUMNS) -> bytes:
    """The rows as CSV with a header.

    A cell of a text column is the text itself; an empty cell is null. Text that is empty, begins with a quotation mark,
    would be computed by a spreadsheet or cannot stand in UTF-8 is written as JSON, in quotation marks. Every other cell
    is JSON.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(name, row[name]) for name in columns])
    return out.getvalue().encode()


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name not in TEXTS:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    text = str(value)
    special = any(letter in "\r\0" or "\ud800" <= letter <= "\udfff" for letter in text)
    return json.dumps(text) if not text or text.startswith(('"', *FORMULA)) or special else text


def from_csv(data: bytes) -> list[Row]:
    """The rows of :func:`to_csv`, exactly."""
    csv.field_size_limit(1 << 30)
    lines = csv.reader(io.StringIO(data.decode(), newline=""))
    columns = next(lines)
    return [{name: _value(name, cell) for name, cell in zip(columns, line, strict=True)} for line in lines]


def _value(name: str, cell: str) -> Any:
    if not cell:
        return None
    return json.loads(cell) if name not in TEXTS or cell.startswith('"') else cell


def from_jsonl(data: bytes) -> Iterator[Row]:
    """The rows of :func:`to_jsonl`."""
    return (json.loads(line) for line in data.split(b"\n") if line)
