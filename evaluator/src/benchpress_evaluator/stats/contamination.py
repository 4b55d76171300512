"""Contamination: canonical items, which could have been seen, against fresh ones of the same recipe."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from benchpress.errors import UserError

from benchpress_evaluator.stats.comparison import holm
from benchpress_evaluator.stats.matrix import Condition, Scores
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.ranks import ranked_scores
from benchpress_evaluator.stats.resampling import limits, resampled_totals

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

ALARM = 0.05
"""A gap above this, still significant after Holm's correction, raises the alarm."""
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Gap:
    """One condition. `gap` is canonical - fresh, bundle by bundle with the canonical set's weights; positive means
    better on what could have been seen. `excess` is the gap minus the mean gap of the other conditions: a difference in
    differences, which takes out a fresh sample that happened to be easier or harder; null for a single condition."""

    condition: Condition
    canonical: float
    fresh: float
    gap: float
    low: float
    high: float
    p_value: float
    p_holm: float
    excess: float | None
    excess_low: float | None
    excess_high: float | None
    alarm: float = ALARM
    """The gap above which this is an alarm."""

    @property
    def flagged(self) -> bool:
        """Whether this is an alarm."""
        return self.gap > self.alarm and self.p_holm < LEVEL


def gaps(canonical: pd.DataFrame, fresh: pd.DataFrame, settings: Settings, alarm: float = ALARM) -> list[Gap]:
    """The gap of every condition that may be ranked on both sets, on the bundles that both have.

    Intervals by a bootstrap of the items within each bundle of each set, shared by all conditions; p-values by
    permutation of the set labels within bundles, two-sided, corrected by Holm. Raises UserError without a common
    condition or bundle.
    """
    sides = [ranked_scores(frame, settings) for frame in (canonical, fresh)]
    common = sorted(set(sides[0].conditions) & set(sides[1].conditions))
    bundles = sorted(set(sides[0].groups) & set(sides[1].groups))
    if not common or not bundles:
        missing = "bundle in common" if common else "entrant in common that finished both"
        raise UserError(f"the canonical and the fresh results have no {missing}; run both with the same")
    chosen = [side.rows([side.conditions.index(condition) for condition in common]) for side in sides]
    scale = int(np.lcm(chosen[0].scale, chosen[1].scale))
    cells = [[_cell(side, bundle, scale) for bundle in bundles] for side in chosen]
    weights = np.array([cell.shape[1] for cell in cells[0]], dtype=np.float64)
    weights /= weights.sum()
    means = [np.array([cell.mean(axis=1) for cell in side]) / scale for side in cells]
    plain = [weights @ side for side in means]
    observed = plain[0] - plain[1]
    drawn = _bootstrap(cells, weights, scale, settings)
    p_values = _permutation(cells, weights, scale, observed, settings)
    low, high = limits(drawn)
    excess, excess_low, excess_high = _excess(observed, drawn)
    corrected = holm(p_values)
    return [
        Gap(
            condition,
            float(plain[0][place]),
            float(plain[1][place]),
            float(observed[place]),
            min(float(low[place]), float(observed[place])),
            max(float(high[place]), float(observed[place])),
            float(p_values[place]),
            float(corrected[place]),
            None if excess is None else float(excess[place]),
            None if excess_low is None else float(excess_low[place]),
            None if excess_high is None else float(excess_high[place]),
            alarm,
        )
        for place, condition in enumerate(common)
    ]


def _cell(scores: Scores, bundle: str, scale: int) -> Integers:
    inside = (scores.group == scores.groups.index(bundle)) & scores.given.all(axis=0)
    if not inside.any():
        raise UserError(f"no item of bundle {bundle} was run by every entrant that is compared; finish the runs first")
    return np.asarray(scores.points[:, inside] * (scale // scores.scale), dtype=np.int64)


def _bootstrap(cells: list[list[Integers]], weights: Floats, scale: int, settings: Settings) -> Floats:
    total = np.zeros((settings.resamples, cells[0][0].shape[0]))
    for place in range(len(weights)):
        for side, sign in ((0, 1), (1, -1)):
            cell = cells[side][place]
            seed = (settings.seed + 2 * place + side) % 2**32
            drawn = resampled_totals(cell, settings.resamples, seed)
            total += sign * weights[place] * drawn / (scale * cell.shape[1])
    return total


def _permutation(
    cells: list[list[Integers]], weights: Floats, scale: int, observed: Floats, settings: Settings
) -> Floats:
    """(1 + times a shuffled gap is as large) / (1 + shuffles), so that no p-value is zero."""
    state = np.random.RandomState(settings.seed)
    shuffled = np.zeros((settings.resamples, len(observed)))
    for place, weight in enumerate(weights.tolist()):
        canonical, fresh = cells[0][place], cells[1][place]
        pooled = np.concatenate([canonical, fresh], axis=1).astype(np.float64)
        n, m = canonical.shape[1], fresh.shape[1]
        keys = state.random_sample((settings.resamples, n + m))
        member = np.zeros((settings.resamples, n + m))
        np.put_along_axis(member, np.argsort(keys, axis=1, kind="stable")[:, :n], 1.0, axis=1)
        sums = member @ pooled.T
        rest = pooled.sum(axis=1)[None, :] - sums
        shuffled += weight * (sums / n - rest / m) / scale
    as_large = np.abs(shuffled) >= np.abs(observed)[None, :] - 1e-12
    return np.asarray((1 + as_large.sum(axis=0)) / (1 + settings.resamples), dtype=np.float64)


def _excess(observed: Floats, drawn: Floats) -> tuple[Floats | None, Floats | None, Floats | None]:
    count = len(observed)
    if count < 2:
        return None, None, None

    def against_others(values: Floats) -> Floats:
        others = (values.sum(axis=-1, keepdims=True) - values) / (count - 1)
        return np.asarray(values - others)

    excess = against_others(observed)
    low, high = limits(against_others(drawn))
    return excess, np.minimum(low, excess), np.maximum(high, excess)


def sentence(found: list[Gap]) -> str:
    """The result in one sentence."""
    alarmed = [gap.condition.entrant for gap in found if gap.flagged]
    if alarmed:
        return f"Better on the canonical items than chance explains: {', '.join(alarmed)}."
    points = 100 * (found[0].alarm if found else ALARM)
    return f"No entrant does better on the canonical items by more than {points:.0f} points beyond chance."


def gaps_table(found: list[Gap]) -> Table:
    """The gaps as a table."""
    rows = [
        {
            "entrant": gap.condition.entrant,
            "method": gap.condition.method,
            "canonical": gap.canonical,
            "fresh": gap.fresh,
            "gap": gap.gap,
            "low": gap.low,
            "high": gap.high,
            "p_permutation": gap.p_value,
            "p_holm": gap.p_holm,
            "excess": gap.excess,
            "excess_low": gap.excess_low,
            "excess_high": gap.excess_high,
            "flagged": gap.flagged,
        }
        for gap in found
    ]
    note = "gap = canonical - fresh by bundle; excess = gap minus the mean gap of the others; the unit is the item"
    return Table("Contamination", pd.DataFrame(rows), (sentence(found), note))
