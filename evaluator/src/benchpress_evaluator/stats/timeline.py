"""Over time: the frontier over launch dates, and bridges between versions."""

from dataclasses import dataclass

import pandas as pd

from benchpress_evaluator.stats.accuracy import headline
from benchpress_evaluator.stats.intervals import Estimate
from benchpress_evaluator.stats.matrix import Condition
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.ranks import ranked_scores
from benchpress_evaluator.stats.resampling import limits, resampled_totals


@dataclass(frozen=True, slots=True)
class Launch:
    """A ranked model at the date it was launched (ISO, a day without time zone). `on_frontier`: no model that was
    launched up to that day is better."""

    condition: Condition
    launch_date: str
    accuracy: Estimate
    on_frontier: bool


@dataclass(frozen=True, slots=True)
class BridgeFigures:
    """Mean change in accuracy, later - earlier, of the conditions ranked on both versions, with a 95 % interval."""

    conditions: tuple[Condition, ...]
    change: float
    low: float
    high: float


def launches(frame: pd.DataFrame, settings: Settings) -> tuple[list[Launch], list[Condition]]:
    """The ranked models by launch date, and those without one. Reference solvers have no date and no place here."""
    ranked = set(ranked_scores(frame, settings).conditions)
    dated: list[tuple[str, Condition, Estimate]] = []
    undated = []
    for condition, estimate in headline(frame, settings).items():
        if condition not in ranked or estimate is None or settings.is_reference(condition.entrant):
            continue
        entrant = settings.entrants.get(condition.entrant)
        if entrant is None or entrant.launch_date is None:
            undated.append(condition)
        else:
            dated.append((entrant.launch_date, condition, estimate))
    made = []
    for date, condition, estimate in sorted(dated, key=lambda entry: (entry[0], -entry[2].value, entry[1])):
        best = max(other.value for day, _, other in dated if day <= date)
        made.append(Launch(condition, date, estimate, estimate.value >= best))
    return made, sorted(undated)


def bridge(earlier: pd.DataFrame, later: pd.DataFrame, settings: Settings) -> BridgeFigures | None:
    """How the conditions that are ranked on both versions changed on average; null where there is none.

    The items of the two versions are drawn apart, each shared by all conditions, so the interval is about the versions
    and not about which entrants happened to bridge them.
    """
    sides = [ranked_scores(frame, settings) for frame in (earlier, later)]
    common = sorted(set(sides[0].conditions) & set(sides[1].conditions))
    if not common:
        return None
    means, drawn = [], []
    for place, side in enumerate(sides):
        scores = side.rows([side.conditions.index(condition) for condition in common])
        held = scores.planned.all(axis=0)
        sums = scores.points[:, held].sum(axis=0, keepdims=True)
        whole = int(held.sum()) * scores.scale * len(common)
        means.append(int(sums.sum()) / whole)
        drawn.append(resampled_totals(sums, settings.resamples, settings.seed + place) / whole)
    low, high = limits(drawn[1] - drawn[0])
    change = means[1] - means[0]
    return BridgeFigures(tuple(common), change, min(change, float(low[0])), max(change, float(high[0])))


def timeline_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """The frontier over launch dates."""
    made, undated = launches(frame, settings)
    rows = [
        {
            "launch_date": launch.launch_date,
            "entrant": launch.condition.entrant,
            "method": launch.condition.method,
            "accuracy": launch.accuracy.value,
            "low": launch.accuracy.low,
            "high": launch.accuracy.high,
            "on_frontier": launch.on_frontier,
        }
        for launch in made
    ]
    notes = ["on the frontier: no model launched up to that day is better"]
    if undated:
        notes.append("without a launch date: " + ", ".join(condition.entrant for condition in undated))
    columns = ["launch_date", "entrant", "method", "accuracy", "low", "high", "on_frontier"]
    return Table("Over time", pd.DataFrame(rows, columns=columns), tuple(notes))
