"""The budget-normalised view: accuracy at equal generated tokens, for models that were run at several budgets.

Secondary by design: the headline compares each model in its own best configuration.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchpress_evaluator.stats.accuracy import headline
from benchpress_evaluator.stats.efficiency import usage
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.statuses import status_counts, unranked_reason


@dataclass(frozen=True, slots=True)
class Curve:
    """A model's runs by budget: mean generated tokens of an answer, ascending, and the accuracy reached with them."""

    family: str
    tokens: tuple[float, ...]
    accuracy: tuple[float, ...]

    def at(self, tokens: float) -> float | None:
        """Accuracy at a budget, linear in the logarithm of tokens; null outside what was run, never extrapolated."""
        if not self.tokens[0] <= tokens <= self.tokens[-1]:
            return None
        return float(np.interp(np.log(tokens), np.log(self.tokens), self.accuracy))


def curves(frame: pd.DataFrame, settings: Settings) -> list[Curve]:
    """The curve of every family with complete runs at two budgets or more. `settings.families` says which entrants are
    one model in several configurations."""
    used, counts = usage(frame, settings), status_counts(frame, settings)
    points: dict[str, list[tuple[float, float]]] = {}
    for condition, estimate in headline(frame, settings).items():
        family = settings.families.get(condition.entrant)
        took = used.get(condition)
        tokens = took.total["output_tokens"] if took else None
        if family is None or took is None or tokens is None or estimate is None or unranked_reason(counts[condition]):
            continue
        points.setdefault(family, []).append((tokens / took.answers, estimate.value))
    made = []
    for family in sorted(points):
        held = sorted(points[family])
        if len({tokens for tokens, _ in held}) > 1:
            made.append(Curve(family, tuple(t for t, _ in held), tuple(a for _, a in held)))
    return made


def budget_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """Accuracy of every family at the budgets that were run by anyone."""
    found = curves(frame, settings)
    budgets = sorted({tokens for curve in found for tokens in curve.tokens})
    rows = [
        {"generated_tokens": tokens, "model": curve.family, "accuracy": curve.at(tokens)}
        for tokens in budgets
        for curve in found
    ]
    notes = (
        "secondary view: accuracy at equal mean generated tokens, interpolated between a model's runs, never beyond",
        "only models with complete runs at two budgets or more are here",
    )
    return Table(
        "Accuracy at equal budget (secondary)",
        pd.DataFrame(rows, columns=["generated_tokens", "model", "accuracy"]),
        notes,
    )
