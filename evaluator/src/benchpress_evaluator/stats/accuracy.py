"""Accuracy: the conjunctive headline, accuracy on what was answered, and marginals."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from benchpress_evaluator.stats.frame import answers_of
from benchpress_evaluator.stats.intervals import Estimate, accuracy_intervals, clopper_pearson, macro_mean
from benchpress_evaluator.stats.matrix import Condition, Scores, item_scores, part_scores, select_runs, skills_of
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.statuses import status_counts

MARGINS = ("bundle", "variant", "level", "part", "skill")
"""The fixed one-way margins. Bundle, variant and level are conjunctive over their items; a part or a skill is the
share of its parts that are right, averaged inside the item first."""


def headline(frame: pd.DataFrame, settings: Settings) -> dict[Condition, Estimate | None]:
    """Correct / planned per condition, with its interval; null where nothing was answered yet."""
    scores = item_scores(select_runs(frame, settings.runs))
    estimates = accuracy_intervals(scores, seed=settings.seed, resamples=settings.resamples, cluster=settings.cluster)
    answered = [bool(given.any()) for given in scores.given]
    return {
        condition: estimate if some else None
        for condition, estimate, some in zip(scores.conditions, estimates, answered, strict=True)
    }


def on_answered(frame: pd.DataFrame, settings: Settings) -> dict[Condition, tuple[int, int]]:
    """Correct and answered per condition: of the answers that were given in full and could be read (status ok)."""
    answers = answers_of(select_runs(frame, settings.runs))
    answers = answers[answers["status"] == "ok"]
    counted = answers.groupby(["entrant", "method"], observed=True)["item_correct"].agg(["sum", "size"]).reset_index()
    return {Condition(str(e), str(m)): (int(right), int(of)) for e, m, right, of in counted.itertuples(index=False)}


def cells(frame: pd.DataFrame, margin: str, settings: Settings) -> Iterator[tuple[str, Scores]]:
    """Every cell of one margin in code-point order (levels by number), as scores of all conditions on its items."""
    frame = select_runs(frame, settings.runs)
    if margin == "skill":
        for tag, mask in skills_of(frame).items():
            yield tag, part_scores(frame[mask])
        return
    codes = frame[margin].to_numpy() if margin == "level" else frame[margin].cat.codes.to_numpy()
    for code in np.unique(codes).tolist():
        rows = frame[codes == code]
        if margin == "part":
            yield str(frame[margin].cat.categories[code]), part_scores(rows)
        else:
            name = str(code) if margin == "level" else str(frame[margin].cat.categories[code])
            yield name, item_scores(rows)


def margin(frame: pd.DataFrame, name: str, settings: Settings) -> dict[Condition, list[tuple[str, Estimate]]]:
    """One margin per condition: its cells with their intervals."""
    result: dict[Condition, list[tuple[str, Estimate]]] = {}
    for cell, scores in cells(frame, name, settings):
        estimates = accuracy_intervals(scores, seed=settings.seed, resamples=settings.resamples)
        for condition, estimate in zip(scores.conditions, estimates, strict=True):
            if estimate is not None:
                result.setdefault(condition, []).append((cell, estimate))
    return result


def accuracy_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """The headline table: accuracy with its interval, and accuracy on what was answered beside it."""
    answered = on_answered(frame, settings)
    counts = status_counts(frame, settings)
    macro = {
        condition: macro_mean([estimate for _, estimate in held])
        for condition, held in margin(frame, "bundle", settings).items()
    }
    rows = []
    found = headline(frame, settings)
    for condition in sorted(found, key=lambda c: (-_value(found[c]), c)):
        estimate = found[condition]
        right, of = answered.get(condition, (0, 0))
        exact = clopper_pearson(estimate.value * estimate.n, estimate.n) if estimate else (None, None)
        mean, mean_se = macro[condition]
        rows.append(
            {
                "entrant": condition.entrant,
                "method": condition.method,
                **_columns(estimate),
                "exact_low": exact[0],
                "exact_high": exact[1],
                "accuracy_on_answered": right / of if of else None,
                "answered": of,
                "macro_accuracy": mean if estimate else None,
                "macro_se": mean_se if estimate else None,
                "pending": counts[condition]["pending"],
            }
        )
    notes = (
        f"95 % intervals, {settings.resamples:,} resamples of {settings.cluster or 'item'}s, seed {settings.seed}; "
        "exact where few items or an edge make the bootstrap unreliable",
        "accuracy is correct / planned; on answered leaves out refused, invalid, truncated and failed answers; "
        "macro is the unweighted mean over bundles, with its own standard error",
    )
    return Table("Accuracy", pd.DataFrame(rows), notes)


class MarginMetric:
    """A margin as a metric: one row per condition and cell."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, frame: pd.DataFrame, settings: Settings) -> Table:
        rows = [
            {"entrant": condition.entrant, "method": condition.method, self.name: cell, **_columns(estimate)}
            for condition, found in margin(frame, self.name, settings).items()
            for cell, estimate in found
        ]
        what = "parts right" if self.name in ("part", "skill") else "all parts right"
        return Table(f"Accuracy by {self.name}", pd.DataFrame(rows), (f"share with {what}; the unit is the item",))


bundle_metric = MarginMetric("bundle")
variant_metric = MarginMetric("variant")
level_metric = MarginMetric("level")
part_metric = MarginMetric("part")
skill_metric = MarginMetric("skill")


def _value(estimate: Estimate | None) -> float:
    return -1.0 if estimate is None else estimate.value


def _columns(estimate: Estimate | None) -> dict[str, object]:
    if estimate is None:
        return dict.fromkeys(("accuracy", "low", "high", "se", "n", "unit", "interval", "flags"))
    return {
        "accuracy": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "se": estimate.se,
        "n": estimate.n,
        "unit": estimate.unit,
        "interval": estimate.method,
        "flags": ", ".join(estimate.flags),
    }
