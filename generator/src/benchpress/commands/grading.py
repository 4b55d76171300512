"""`grade` and `explain`."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from benchpress.commands.items import find_item
from benchpress.commands.work import AsJson, print_json, print_table, progress
from benchpress.errors import UserError
from benchpress.grading import PartExplanation, Summary, grade_file
from benchpress.grading import explain as explain_response
from benchpress.jsonl import read_responses
from benchpress.terminal import printable

Items = Annotated[Path, typer.Argument(help="The item file.")]
Responses = Annotated[Path, typer.Argument(help="Responses, one JSON line each: item_id and text.")]


def grade(
    items: Items,
    responses: Responses,
    out: Annotated[Path, typer.Option("--out", help="Where the scores go, one JSON line per response.")],
    as_json: AsJson = False,
) -> None:
    """Score a file of responses, offline, and say what was right, wrong and not to be read."""
    try:
        size = responses.stat().st_size
    except OSError:
        size = 0
    with progress("grading", max(1, size // 400)) as step:
        summary = grade_file(items, responses, out, step)
    if as_json:
        print_json(summary.to_json())
        return
    tell(summary, out)


def tell(summary: Summary, out: Path) -> None:
    """The summary for people."""
    share = f" ({summary.correct / summary.graded:.1%} of those graded)" if summary.graded else ""
    print(f"{summary.correct} of {summary.items} items correct{share}; scores in {out}")
    statuses = [f"{count} {status}" for status, count in summary.statuses.items() if count]
    if summary.pending:
        statuses.append(f"{summary.pending} pending (no response)")
    print("statuses: " + (", ".join(statuses) or "none"))
    if len(summary.parts) <= 40:
        rows = [[name, str(count.right), str(count.wrong), str(count.unread)] for name, count in summary.parts.items()]
        print_table("", ["part", "right", "wrong", "unread"], rows, frozenset({1, 2, 3}))
    unread = sum(count.unread for count in summary.parts.values())
    if unread:
        print(
            f"{unread} parts could not be read: `benchpress explain ITEMS RESPONSES ID` shows why, one answer at a time"
        )


def explain(
    items: Items,
    responses: Responses,
    item_id: Annotated[str, typer.Argument(metavar="ID", help="Which item; a part of its id is enough.")],
    as_json: AsJson = False,
) -> None:
    """Show how one answer was read: which value, from which line, and why."""
    item = find_item(items, item_id)
    response = next((one for one in read_responses(responses) if one.item_id == item.id), None)
    if response is None:
        raise UserError(f"{responses} has no response to {item.id}")
    found = explain_response(item, response)
    if as_json:
        print_json(found.to_json())
        return
    mark = "correct" if found.result.correct else "not correct"
    lines = "\n".join(f"{number:4}  {line}" for number, line in enumerate(found.visible.split("\n"), 1))
    print(printable(f"{item.id}: {found.result.status}, {mark}\n\n{lines}"))
    if found.hidden_characters:
        print(f"\n{found.hidden_characters} characters of thinking or markup were set aside")
    rows = [
        [
            part.result.id,
            "right" if part.result.correct else "unread" if part.result.parsed is None else "wrong",
            _value(part.result.parsed),
            _value(part.result.expected),
            _where(part),
            part.result.note,
        ]
        for part in found.parts
    ]
    print()
    print_table("", ["part", "mark", "read", "key", "from", "why"], rows)


def _value(value: Any) -> str:
    return "-" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _where(part: PartExplanation) -> str:
    line = "" if part.line is None else f"line {part.line}: "
    return f"{line}{part.source}".strip()
