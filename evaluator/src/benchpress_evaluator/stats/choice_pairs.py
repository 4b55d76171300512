"""Methods and models compared on the questions that both answered: paired tests, and how often the picks agree."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd

from benchpress_evaluator.stats.choice_table import CHOICE, NONE, Cell, ChoiceTable, choice_tables
from benchpress_evaluator.stats.comparison import compare_all, holm
from benchpress_evaluator.stats.intervals import clopper_pearson
from benchpress_evaluator.stats.matrix import Condition, item_scores, select_runs
from benchpress_evaluator.stats.metric import Settings, Table

COLUMNS = (
    "benchmark",
    "a",
    "a_method",
    "b",
    "b_method",
    "n",
    "accuracy_a",
    "accuracy_b",
    "difference",
    "low",
    "high",
    "only_a",
    "only_b",
    "p_mcnemar",
    "p_holm",
    "both_read",
    "agreement",
    "agreement_low",
    "agreement_high",
)


def choice_pairs_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """Every two conditions of a benchmark that share the model or the method.

    Whatever either of them left out or has pending is left out for both, so the accuracies of a row are on the same
    questions, whatever each is elsewhere.
    """
    rows = list(_rows(frame, settings))
    corrected = holm(np.array([row["p_mcnemar"] for row in rows], dtype=np.float64))
    for row, p in zip(rows, corrected.tolist(), strict=True):
        row["p_holm"] = p
    notes = (
        "accuracy of a minus accuracy of b on the n questions both were scored on; exact McNemar, Holm over all rows",
        "agreement: the share of equal picks among the questions for which both gave a letter, with its exact interval",
    )
    return Table("Pairs on common questions", pd.DataFrame(rows, columns=list(COLUMNS)), notes)


def _rows(frame: pd.DataFrame, settings: Settings) -> Iterator[dict[str, object]]:
    tables = choice_tables(frame, settings)
    runs = select_runs(frame, "latest" if settings.runs == "latest" else "first")
    choice = runs["part_type"].isin([CHOICE]).to_numpy() | runs["status"].isin(["gated", "pending"]).to_numpy()
    for benchmark in sorted({cell.benchmark for cell in tables}):
        held = runs[choice & (runs["bundle"] == benchmark).to_numpy()]
        scores = item_scores(held)
        pairs = compare_all(scores, seed=settings.seed, resamples=settings.resamples)
        for place in range(len(pairs.first)):
            first, second = (scores.conditions[side[place]] for side in (pairs.first, pairs.second))
            if not pairs.n[place] or (first.entrant != second.entrant and first.method != second.method):
                continue
            one, other = (tables[Cell(benchmark, condition)] for condition in (first, second))
            yield {
                "benchmark": benchmark,
                **_sides(first, second),
                "n": int(pairs.n[place]),
                **_accuracies(one, other),
                "difference": float(pairs.difference[place]),
                "low": float(pairs.low[place]),
                "high": float(pairs.high[place]),
                "only_a": int(pairs.first_only[place]),
                "only_b": int(pairs.second_only[place]),
                "p_mcnemar": float(pairs.p_value[place]),
                **agreement(one, other),
            }


def _sides(first: Condition, second: Condition) -> dict[str, object]:
    return {"a": first.entrant, "a_method": first.method, "b": second.entrant, "b_method": second.method}


def _common(one: ChoiceTable, other: ChoiceTable) -> tuple[list[int], list[int]]:
    """The rows of the common questions in each table."""
    where = {name: place for place, name in enumerate(other.ids)}
    both = [(place, where[name]) for place, name in enumerate(one.ids) if name in where]
    return [a for a, _ in both], [b for _, b in both]


def _accuracies(one: ChoiceTable, other: ChoiceTable) -> dict[str, object]:
    a, b = _common(one, other)
    return {"accuracy_a": float(one.right[a].mean()), "accuracy_b": float(other.right[b].mean())}


def agreement(one: ChoiceTable, other: ChoiceTable) -> dict[str, object]:
    """How often two conditions pick the same option, among the common questions for which both gave a letter."""
    a, b = _common(one, other)
    first, second = one.parsed[a], other.parsed[b]
    both = (first != NONE) & (second != NONE)
    count, same = int(both.sum()), int((both & (first == second)).sum())
    low, high = clopper_pearson(same, count) if count else (None, None)
    return {
        "both_read": count,
        "agreement": same / count if count else None,
        "agreement_low": low,
        "agreement_high": high,
    }


def run_agreement_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """How often repeated runs of one condition pick the same option, whether or not it is right.

    Over the `n` questions for which every run gave a letter: `agreement` is the mean over pairs of runs, `unanimous`
    the share of questions with one pick in all runs, with its exact interval. Conditions with one run are left out.
    """
    numbers = sorted(set(frame["run"].tolist()))
    by_run = [choice_tables(frame[(frame["run"] == number).to_numpy()], settings) for number in numbers]
    rows = []
    for cell in sorted({cell for tables in by_run for cell in tables}):
        held = [tables[cell] for tables in by_run if cell in tables]
        if len(held) < 2:
            continue
        picks = [dict(zip(table.ids, table.parsed.tolist(), strict=True)) for table in held]
        common = [name for name in picks[0] if all(picked.get(name, NONE) != NONE for picked in picks)]
        pairs = [sum(a[name] == b[name] for name in common) for a, b in combinations(picks, 2)]
        one = sum(len({picked[name] for picked in picks}) == 1 for name in common)
        low, high = clopper_pearson(one, len(common)) if common else (None, None)
        rows.append(
            {
                "benchmark": cell.benchmark,
                "entrant": cell.condition.entrant,
                "method": cell.condition.method,
                "runs": len(held),
                "n": len(common),
                "agreement": sum(pairs) / len(pairs) / len(common) if common else None,
                "unanimous": one / len(common) if common else None,
                "unanimous_low": low,
                "unanimous_high": high,
            }
        )
    columns = ["benchmark", "entrant", "method", "runs", "n", "agreement"]
    columns += [f"unanimous{end}" for end in ("", "_low", "_high")]
    note = "over the questions for which every run gave a letter; exact 95 % intervals"
    return Table("Agreement of repeated runs", pd.DataFrame(rows, columns=columns), (note,))
