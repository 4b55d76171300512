"""What became of the answers: every status in its own column, and statuses against raw stop reasons."""

from collections.abc import Mapping

import pandas as pd

from benchpress_evaluator.stats.frame import GATED, PENDING, STATUSES, answers_of
from benchpress_evaluator.stats.matrix import Condition, select_runs
from benchpress_evaluator.stats.metric import Settings, Table

MAX_API_ERROR = 0.02
"""Above this share of failed calls a condition is not ranked."""

NO_STOP_REASON = "(none given)"


def status_counts(frame: pd.DataFrame, settings: Settings) -> dict[Condition, dict[str, int]]:
    """Answers per condition and status, in the order of STATUSES, with `planned`, their sum, and `correct`."""
    answers = answers_of(select_runs(frame, settings.runs))
    counts: dict[Condition, dict[str, int]] = {}
    for (entrant, method), rows in answers.groupby(["entrant", "method"], observed=True):
        found = rows["status"].value_counts()
        held = {status: int(found.get(status, 0)) for status in STATUSES}
        counts[Condition(str(entrant), str(method))] = {
            "planned": sum(held.values()),
            **held,
            "correct": int(rows["item_correct"].sum()),
        }
    return counts


def unranked_reason(counts: Mapping[str, int]) -> str | None:
    """Why a condition with these counts has no rank; null where it has one."""
    planned = counts["planned"]
    if counts[PENDING]:
        return f"partial: {planned - counts[PENDING]} of {planned} items were run"
    asked = planned - counts[GATED]
    if not asked:
        return "nothing was answered"
    if counts["api_error"] > MAX_API_ERROR * asked:
        return f"{counts['api_error']} of {asked} calls failed (more than {MAX_API_ERROR:.0%})"
    return None


def stop_table(frame: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Answers per condition, raw stop reason and status: columns entrant, method, stop_reason (null: none given),
    status, n. Pending and gated answers have no stop reason and are left out, so n sums to the answers given."""
    answers = answers_of(select_runs(frame, settings.runs))
    answers = answers[~answers["status"].isin([PENDING, GATED])]
    keys = ["entrant", "method", "stop_reason", "status"]
    counted = answers.groupby(keys, observed=True, dropna=False).size().rename("n").reset_index()
    return counted.astype(dict.fromkeys(keys, object)).replace({float("nan"): None})


def statuses_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """Planned, correct and every status, with why a condition is not ranked."""
    rows = [
        {
            "entrant": condition.entrant,
            "method": condition.method,
            **counts,
            "ranked": unranked_reason(counts) is None,
            "reason": unranked_reason(counts) or "",
        }
        for condition, counts in status_counts(frame, settings).items()
    ]
    note = (
        "planned is the sum of all statuses; a run that is partial, or with more than 2 % failed calls, is not ranked"
    )
    return Table("Statuses", pd.DataFrame(rows), (note,))


def stop_reasons_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """Raw stop reasons against statuses, so that a reader can check how one became the other."""
    table = stop_table(frame, settings)
    table["stop_reason"] = [NO_STOP_REASON if reason is None else reason for reason in table["stop_reason"]]
    return Table("Stop reasons and statuses", table, ("answers given, by the vendor's own word for why it stopped",))
