"""Pareto frontiers: accuracy against what it costs, never a single rank."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchpress_evaluator.stats.efficiency import QUANTITIES, Quantity, Usage, usage
from benchpress_evaluator.stats.matrix import Condition
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.ranks import ranked_scores
from benchpress_evaluator.stats.resampling import resampled_totals

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Point:
    """A condition in one plot. `x` is null where it is unknown: such a point is never on the frontier."""

    condition: Condition
    x: float | None
    accuracy: float
    on_frontier: bool
    frontier_probability: float | None


def frontier(x: Floats, y: Floats) -> Booleans:
    """Which points no other point beats. `x` (less is better, NaN unknown) has shape (points,); `y` (more is better)
    has shape (points,) or (resamples, points), and so has the result.

    A point is beaten by one that is no worse in both and better in one; points that are equal in both stay together.
    """
    y2 = np.atleast_2d(y)
    result = np.zeros(y2.shape, dtype=np.bool_)
    places = np.flatnonzero(~np.isnan(x))
    best = np.full(len(y2), -np.inf)
    for value in np.unique(x[places]).tolist():
        level = places[x[places] == value]
        top = y2[:, level].max(axis=1)
        result[:, level] = (y2[:, level] == top[:, None]) & (top > best)[:, None]
        best = np.maximum(best, top)
    return result.reshape(np.shape(y))


def pareto(frame: pd.DataFrame, quantity: Quantity, settings: Settings) -> list[Point]:
    """The ranked conditions against one cost: mean cost per answer, or the median per answer of the others.

    Sorted by x, unknown last. The probability is the share of paired resamples of the items in which the point is on
    the frontier, its x held. Reference solvers are yardsticks: where a model is ranked they are shown and never on the
    frontier, nor do they beat anybody.
    """
    scores = ranked_scores(frame, settings)
    common = scores.planned.all(axis=0)
    n = int(common.sum())
    if not scores.conditions or not n:
        return []
    used = usage(frame, settings)
    xs = [_x(used.get(condition), quantity) for condition in scores.conditions]
    x = np.array([np.nan if value is None else value for value in xs])
    references = np.array([settings.is_reference(condition.entrant) for condition in scores.conditions])
    if not references.all():
        x[references] = np.nan
    points = scores.points[:, common]
    on = frontier(x, points.sum(axis=1).astype(np.float64))
    share = frontier(x, resampled_totals(points, settings.resamples, settings.seed)).mean(axis=0)
    made = [
        Point(
            condition,
            xs[place],
            int(points[place].sum()) / (n * scores.scale),
            bool(on[place]),
            None if np.isnan(x[place]) else float(share[place]),
        )
        for place, condition in enumerate(scores.conditions)
    ]
    return sorted(made, key=lambda point: (point.x is None, point.x or 0.0, -point.accuracy, point.condition))


def _x(used: Usage | None, quantity: Quantity) -> float | None:
    if used is None:
        return None
    if quantity == "cost_usd":
        total = used.total["cost_usd"]
        return None if total is None else total / used.answers
    return used.median[quantity]


def pareto_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """All four frontiers, one row per axis and condition."""
    rows = []
    missing: list[str] = []
    for quantity in QUANTITIES:
        for point in pareto(frame, quantity, settings):
            rows.append(
                {
                    "axis": quantity,
                    "entrant": point.condition.entrant,
                    "method": point.condition.method,
                    "x": point.x,
                    "accuracy": point.accuracy,
                    "on_frontier": point.on_frontier,
                    "frontier_probability": point.frontier_probability,
                }
            )
            if point.x is None:
                missing.append(f"{point.condition.entrant} ({quantity})")
    notes = ["mean cost in US dollars an answer, medians of tokens and seconds; partial and failed runs left out"]
    if missing:
        notes.append("left out for an unknown or impossible value: " + ", ".join(missing))
    return Table("Pareto frontiers", pd.DataFrame(rows), tuple(notes))
