"""Means of what a part type measures beside right and wrong, such as the replay track's ladder of metrics."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchpress_evaluator.stats.frame import METRIC_PREFIX
from benchpress_evaluator.stats.matrix import Condition, select_runs
from benchpress_evaluator.stats.metric import Settings, Table

WHERE_DEFINED = ("parent_shd",)
"""Distances: an answer that has none is left out. In every other measure it counts as zero."""
CONDITIONAL = (
    ("train_exact", "heldout_world_exact", "heldout_world_given_train_exact"),
    ("train_exact", "heldout_exact", "heldout_exact_given_train_exact"),
    ("root_exact", "train_exact", "train_exact_given_root_exact"),
    ("root_exact", "heldout_world_exact", "heldout_world_given_root_exact"),
    ("root_exact", "heldout_exact", "heldout_exact_given_root_exact"),
)
"""Shown too among the answers that have another measure in full: that one, the measure, the name."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The mean of one measure for one condition in one setting, over `n` planned answers (or those that define it)."""

    condition: Condition
    setting: str
    name: str
    value: float | None
    n: int


def measures(frame: pd.DataFrame, settings: Settings) -> list[Measure]:
    """Means per condition and setting (bundle/variant) of every measure that applies there.

    A measure applies in a setting where anybody's answer has it. Where it applies, an unreadable or illegal answer
    counts as zero, and `valid` is the share of legal ones; the means of
    CONDITIONAL are over the answers that have the condition.
    """
    rows = select_runs(frame, settings.runs)
    names = [str(column) for column in rows.columns if str(column).startswith(METRIC_PREFIX)]
    if not names:
        return []
    found = []
    for (bundle, variant), held in rows.groupby(["bundle", "variant"], observed=True):
        applying = [name for name in names if held[name].notna().any()]
        for (entrant, method), mine in held.groupby(["entrant", "method"], observed=True):
            condition, setting = Condition(str(entrant), str(method)), f"{bundle}/{variant}"
            found += [_mean(condition, setting, name, mine) for name in applying]
            found += _conditional(condition, setting, mine, applying)
    return sorted(found, key=lambda measure: (measure.setting, measure.name, measure.condition))


def _mean(condition: Condition, setting: str, name: str, mine: pd.DataFrame) -> Measure:
    plain = name.removeprefix(METRIC_PREFIX)
    values = mine[name].to_numpy(dtype=np.float64)
    if plain in WHERE_DEFINED:
        values = values[~np.isnan(values)]
    value = float(np.nan_to_num(values, nan=0.0).mean()) if len(values) else None
    return Measure(condition, setting, "valid" if plain == "legal" else plain, value, len(values))


def _conditional(condition: Condition, setting: str, mine: pd.DataFrame, applying: list[str]) -> list[Measure]:
    made = []
    for given, plain, name in CONDITIONAL:
        base, column = METRIC_PREFIX + given, METRIC_PREFIX + plain
        if base in applying and column in applying:
            inside = mine[mine[base] == 1][column].to_numpy(dtype=np.float64)
            value = float(np.nan_to_num(inside, nan=0.0).mean()) if len(inside) else None
            made.append(Measure(condition, setting, name, value, len(inside)))
    return made


def measures_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """One row per condition, setting and measure."""
    rows = [
        {
            "setting": measure.setting,
            "measure": measure.name,
            "entrant": measure.condition.entrant,
            "method": measure.condition.method,
            "mean": measure.value,
            "n": measure.n,
        }
        for measure in measures(frame, settings)
    ]
    note = "unreadable and illegal answers count as zero, except in distances, which are over the answers that have one"
    columns = ["setting", "measure", "entrant", "method", "mean", "n"]
    return Table("Measures of the part types", pd.DataFrame(rows, columns=columns), (note,))
