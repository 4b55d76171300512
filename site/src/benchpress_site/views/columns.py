"""The columns of the leaderboard: what each says, how it sorts, and how it is written."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from benchpress.publication import Row

from benchpress_site import formats

Value = float | int | str | None


@dataclass(frozen=True)
class Column:
    key: str
    label: str
    kind: str
    """num, text or date: how it aligns, and which way it sorts first."""
    help: str
    value: Callable[[Row], Value]
    write: Callable[[Any], object]
    optional: bool = False
    """Hidden at first where scripts run; the reader can show it."""


def tier(row: Row) -> str | None:
    """Size class and whether it reasons, in words: like is compared with like."""
    entrant = row.entrant
    if entrant.kind == "reference":
        return "reference solver"
    mode = None if entrant.reasoning is None else "reasoning" if entrant.reasoning else "non-reasoning"
    return ", ".join(part for part in (entrant.size_class, mode) if part) or None


def group(row: Row | None) -> str:
    """The tier with the openness of the weights, as the legend of a chart names it."""
    if row is None:
        return "other"
    return ", ".join(part for part in (tier(row) or "tier not known", row.entrant.openness) if part)


def openness(row: Row) -> str | None:
    return row.entrant.openness


def tie_letters(groups: Iterable[int | None]) -> Mapping[int, str]:
    """A letter for every tie group, A for the first: 27 groups on, AA, as spreadsheets count."""
    found = {}
    for place, group in enumerate(sorted({group for group in groups if group is not None})):
        letters, rest = "", place
        while rest >= 0:
            letters = chr(ord("A") + rest % 26) + letters
            rest = rest // 26 - 1
        found[group] = letters
    return found


def asked(row: Row) -> str | None:
    """How far a partial run has come, `3 of 40 right`; None for a complete one.

    Of a partial run no accuracy is shown: what was not asked would count as wrong.
    """
    counts = row.statuses
    if not counts.pending:
        return None
    return f"{row.correct} of {counts.planned - counts.pending - counts.gated} right"


def rank(row: Row) -> int | None:
    return row.rank_low if row.ranked else None


COLUMNS: tuple[Column, ...] = (
    Column("rank", "Rank", "num", "Range of ranks that the data allow at 95 %", rank, formats.count),
    Column("model", "Model", "text", "Entrant in one configuration", lambda row: row.entrant.name, formats.text),
    Column("method", "Method", "text", "How an item was put to it", lambda row: row.method, formats.text, True),
    Column(
        "accuracy",
        "Accuracy",
        "num",
        "Correct of planned, with its 95 % interval",
        lambda row: row.accuracy.value if row.accuracy and not row.statuses.pending else None,
        formats.share,
    ),
    Column(
        "tie",
        "Tie",
        "num",
        "Entrants with the same letter cannot be told apart from the first of them",
        lambda row: row.tie_group if row.ranked else None,
        formats.count,
    ),
    Column(
        "answered",
        "On answered",
        "num",
        "Correct of those answered in a readable form",
        lambda row: row.accuracy_on_answered,
        formats.share,
    ),
    Column("tier", "Tier", "text", "Size class and mode", tier, formats.text),
    Column("open", "Weights", "text", "Whether the weights are open", openness, formats.text, True),
    Column("org", "Organisation", "text", "Who made it", lambda row: row.entrant.organisation, formats.text, True),
    Column("planned", "Planned", "num", "Items put to it", lambda row: row.statuses.planned, formats.count),
    Column("ok", "OK", "num", "Answered in a readable form", lambda row: row.statuses.ok, formats.count),
    Column("refusal", "Refused", "num", "Refused by model or vendor", lambda row: row.statuses.refusal, formats.count),
    Column(
        "invalid_answer",
        "Invalid",
        "num",
        "No part could be read",
        lambda row: row.statuses.invalid_answer,
        formats.count,
    ),
    Column("truncated", "Cut off", "num", "Cut at the output cap", lambda row: row.statuses.truncated, formats.count),
    Column("api_error", "API error", "num", "No answer came back", lambda row: row.statuses.api_error, formats.count),
    Column("pending", "Pending", "num", "Not asked yet", lambda row: row.statuses.pending, formats.count, True),
    Column(
        "gated", "Left out", "num", "Left out by a method's gate", lambda row: row.statuses.gated, formats.count, True
    ),
    Column("cost", "Cost", "num", "US dollars for the whole run", lambda row: row.cost_usd, formats.money),
    Column(
        "thinking",
        "Thinking tokens",
        "num",
        "Median per answer, where the vendor reports it",
        lambda row: row.thinking_tokens.median,
        formats.count,
    ),
    Column(
        "output",
        "Generated tokens",
        "num",
        "Median per answer, thinking included",
        lambda row: row.output_tokens.median,
        formats.count,
        True,
    ),
    Column(
        "latency",
        "Latency",
        "num",
        "Median working time per answer; queueing and waiting excluded",
        lambda row: row.latency_s.median,
        formats.seconds,
    ),
    Column(
        "efficiency",
        "Parts per 1,000 tokens",
        "num",
        "Correct parts per 1,000 generated tokens, over the whole run",
        lambda row: row.correct_parts_per_1000_tokens,
        formats.decimal,
        True,
    ),
    Column("launched", "Launched", "date", "Launch date", lambda row: row.entrant.launch_date, formats.text),
    Column("run", "Run", "date", "Date of the run", lambda row: row.run_date, formats.text, True),
    Column(
        "difference",
        "Public \u2212 private",
        "num",
        "Accuracy on the public items less that on the sealed ones, in points",
        lambda row: row.public_minus_private,
        formats.points,
        True,
    ),
)


def shown(rows: tuple[Row, ...]) -> tuple[Column, ...]:
    """The columns with something to say for `rows`: a method or a gate that nobody has needs none."""
    silent = set()
    if len({row.method for row in rows}) <= 1:
        silent.add("method")
    if not any(row.statuses.gated for row in rows):
        silent.add("gated")
    for key in ("difference", "efficiency"):
        column = next(column for column in COLUMNS if column.key == key)
        if all(column.value(row) is None for row in rows):
            silent.add(key)
    return tuple(column for column in COLUMNS if column.key not in silent)
