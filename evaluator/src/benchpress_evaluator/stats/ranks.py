"""Rank ranges and ties: simultaneous confidence sets for ranks (Mogstad, Romano, Shaikh and Wilhelm 2024)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchpress_evaluator.stats.intervals import CONFIDENCE, accuracy_intervals
from benchpress_evaluator.stats.matrix import Condition, Scores, item_scores, select_runs
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.resampling import RESAMPLES, resampled_totals
from benchpress_evaluator.stats.statuses import status_counts, unranked_reason

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

BLOCK = 128
"""Pairs whose resamples are held at once: 40 MB at 10,000 resamples."""
SMOOTHING = 0.5
"""Added to each cell of a pair's table for its standard error, so that no pair is judged by an error of zero."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """Rank ranges that hold all true ranks at once with 95 % confidence, best first at rank 1.

    `better[i, j]` says that i is shown to be better than j; `low` and `high` bound the rank of each condition;
    `tie_group` numbers the groups of conditions that cannot be told from the best of their group.
    """

    conditions: tuple[Condition, ...]
    accuracy: Floats
    better: Booleans
    low: Integers
    high: Integers
    tie_group: Integers


def rank_sets(scores: Scores, *, seed: int = 0, resamples: int = RESAMPLES, confidence: float = CONFIDENCE) -> Ranks:
    """Simultaneous confidence sets for the ranks of all conditions, on the items that all of them have.

    All one-sided hypotheses "i is not better than j" are tested together: each studentised difference against the
    quantile of the greatest studentised bootstrap difference, then stepping down over the hypotheses that are left
    (Romano and Wolf 2005), which bounds the chance of any false claim by 1 - `confidence`. Every resample is divided by
    its own standard error; with the plain one the claims would be too bold below a hundred items. A rank lies between
    one plus the number of conditions shown to be better and m minus the number shown to be worse.
    """
    count = len(scores.conditions)
    common = scores.planned.all(axis=0)
    points = scores.points[:, common]
    n = points.shape[1]
    better = np.zeros((count, count), dtype=np.bool_)
    totals = points.sum(axis=1)
    if count > 1 and n:
        better = _step_down(_Differences(points, scores.scale, seed, resamples), confidence)
    low = 1 + better.sum(axis=0)
    high = count - better.sum(axis=1)
    accuracy = totals / (n * scores.scale) if n else np.full(count, np.nan)
    return Ranks(scores.conditions, accuracy, better, low, high, tie_groups(totals, better))


class _Differences:
    """All pairwise differences of totals, observed and resampled, each over its smoothed standard error."""

    def __init__(self, points: Integers, scale: int, seed: int, resamples: int) -> None:
        self.points, self.smooth = points, 2 * SMOOTHING * scale * scale
        self.seed, self.resamples = seed, resamples
        self.first, self.second = np.triu_indices(len(points), 1)
        apart = points[self.first] - points[self.second]
        self.total = apart.sum(axis=1).astype(np.float64)
        self.statistic = self.total / self._error(self.total, (apart * apart).sum(axis=1).astype(np.float64))

    def _error(self, total: Floats, squares: Floats) -> Floats:
        variance = squares + self.smooth - total * total / (self.points.shape[1] + 4 * SMOOTHING)
        return np.asarray(np.sqrt(np.maximum(variance, self.smooth / 2)), dtype=np.float64)

    def greatest(self, up: Booleans, down: Booleans) -> Floats:
        """In every resample, the greatest centred statistic among the hypotheses that are left: `up` for first over
        second, `down` for second over first."""
        found = np.full(self.resamples, -np.inf)
        left = np.flatnonzero(up | down)
        for start in range(0, len(left), BLOCK):
            some = left[start : start + BLOCK]
            apart = self.points[self.first[some]] - self.points[self.second[some]]
            drawn = resampled_totals(np.concatenate([apart, apart * apart]), self.resamples, self.seed)
            totals, squares = drawn[:, : len(some)], drawn[:, len(some) :]
            centred = (totals - self.total[some]) / self._error(totals, squares)
            np.maximum(found, np.where(up[some], centred, -np.inf).max(axis=1), out=found)
            np.maximum(found, np.where(down[some], -centred, -np.inf).max(axis=1), out=found)
        return found


def _step_down(pairs: _Differences, confidence: float) -> Booleans:
    first, second = pairs.first, pairs.second
    count = len(pairs.points)
    better = np.zeros((count, count), dtype=np.bool_)
    while True:
        up, down = ~better[first, second], ~better[second, first]
        greatest = np.sort(pairs.greatest(up, down))
        critical = greatest[min(len(greatest), int(np.ceil(confidence * (len(greatest) + 1)))) - 1]
        new_up, new_down = up & (pairs.statistic > critical), down & (-pairs.statistic > critical)
        if not (new_up.any() or new_down.any()):
            return better
        better[first[new_up], second[new_up]] = True
        better[second[new_down], first[new_down]] = True


def tie_groups(totals: Integers, better: Booleans) -> Integers:
    """Groups of statistical ties, numbered from 1 at the best. The anchor of a group is its best condition and stays.

    Going down by accuracy, a condition joins the group while the anchor is not shown to be better; the first that is
    worse opens the next group as its anchor. So a chain of small steps cannot put everyone in one group.
    """
    order = np.argsort(-totals, kind="stable")
    groups = np.zeros(len(totals), dtype=np.int64)
    anchor, group = -1, 0
    for place in order.tolist():
        if anchor < 0 or better[anchor, place]:
            anchor, group = place, group + 1
        groups[place] = group
    return groups


def ranked_scores(frame: pd.DataFrame, settings: Settings) -> Scores:
    """Scores of the conditions that may be ranked: complete runs with few failed calls."""
    counts = status_counts(frame, settings)
    scores = item_scores(select_runs(frame, settings.runs))
    chosen = [place for place, condition in enumerate(scores.conditions) if unranked_reason(counts[condition]) is None]
    return scores.rows(chosen)


def rank_order(ranks: Ranks) -> list[int]:
    """Places of the conditions, best first, equal ones by name."""
    return sorted(range(len(ranks.conditions)), key=lambda place: (-ranks.accuracy[place], ranks.conditions[place]))


def rank_row(ranks: Ranks, place: int) -> dict[str, object]:
    """One condition's line of a table of ranks."""
    return {
        "entrant": ranks.conditions[place].entrant,
        "method": ranks.conditions[place].method,
        "rank_low": int(ranks.low[place]),
        "rank_high": int(ranks.high[place]),
        "tie_group": int(ranks.tie_group[place]),
        "accuracy": float(ranks.accuracy[place]),
    }


def ranks_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """Rank ranges and tie groups of the ranked conditions."""
    scores = ranked_scores(frame, settings)
    ranks = rank_sets(scores, seed=settings.seed, resamples=settings.resamples)
    estimates = accuracy_intervals(scores, seed=settings.seed, resamples=settings.resamples)
    rows = []
    for place in rank_order(ranks):
        estimate = estimates[place]
        limits = {"low": estimate.low, "high": estimate.high} if estimate else {"low": None, "high": None}
        rows.append({**rank_row(ranks, place), **limits})
    notes = (
        "rank ranges hold all true ranks at once with 95 % confidence; within a tie group nobody is shown to be worse "
        "than its best",
    )
    return Table("Rank ranges", pd.DataFrame(rows), notes)
