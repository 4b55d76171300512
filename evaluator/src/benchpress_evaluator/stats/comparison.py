"""Comparing conditions on the items they share: paired bootstrap, exact McNemar, Holm over the board."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from benchpress.errors import UserError
from scipy import special

from benchpress_evaluator.stats.intervals import TINY
from benchpress_evaluator.stats.matrix import Condition, Scores, item_scores, select_runs
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.paired import needs_score, tango
from benchpress_evaluator.stats.resampling import RESAMPLES, limits, resampled_totals

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pairwise:
    """All pairs of conditions, first < second, in rows of equal length.

    `difference` is the first's accuracy minus the second's on the `n` items that both answered, with a 95 % paired
    bootstrap interval (Tango's score interval where `score_interval`: few items, few discordant ones, or all on one
    side); `probability` that the first is better on a fresh draw of items, ties split; `p_value` the
    exact McNemar test and `p_holm` Holm's correction over the rows. Rows with no common item hold NaN and n = 0.
    """

    conditions: tuple[Condition, ...]
    first: Integers
    second: Integers
    n: Integers
    difference: Floats
    low: Floats
    high: Floats
    probability: Floats
    first_only: Integers
    second_only: Integers
    p_value: Floats
    p_holm: Floats
    score_interval: npt.NDArray[np.bool_]


def mcnemar_exact(first_only: Integers, second_only: Integers) -> Floats:
    """Two-sided exact McNemar p-values from the counts of items that one alone has right (1 where there are none).

    The binomial test of min(b, c) out of b + c at one half, doubled and cut at 1.
    """
    least = np.minimum(first_only, second_only).astype(np.float64)
    total = (first_only + second_only).astype(np.float64)
    p: Floats = np.minimum(1.0, 2 * special.bdtr(least, total.astype(np.int64), 0.5))
    return np.where(total == 0, 1.0, p)


def holm(p_values: Floats) -> Floats:
    """Holm's step-down correction (Holm 1979): controls the chance of any false rejection. NaN stays NaN, uncounted."""
    known = ~np.isnan(p_values)
    values = p_values[known]
    order = np.argsort(values, kind="stable")
    factor = len(values) - np.arange(len(values))
    stepped = np.minimum(1.0, np.maximum.accumulate(values[order] * factor))
    adjusted = np.empty_like(values)
    adjusted[order] = stepped
    result = np.full_like(p_values, np.nan)
    result[known] = adjusted
    return result


def compare_all(scores: Scores, *, seed: int = 0, resamples: int = RESAMPLES) -> Pairwise:
    """Every pair of conditions on its common items. Shapes: m (m - 1) / 2 rows for m conditions.

    A pair's own figures depend on the seed, on its items and on nothing else; only `p_holm` looks at the board.
    """
    count = len(scores.conditions)
    first, second = (side.astype(np.int64) for side in np.triu_indices(count, 1))
    rows = len(first)
    n = np.zeros(rows, dtype=np.int64)
    figures = {name: np.full(rows, np.nan) for name in ("difference", "low", "high", "probability", "p_value")}
    only, weight = np.zeros((2, rows), dtype=np.int64), np.zeros((2, rows))
    common = scores.given[first] & scores.given[second]
    packed = np.packbits(common, axis=1)
    kinds, kind = np.unique(packed, axis=0, return_inverse=True)
    for place in range(len(kinds)):
        chosen = np.flatnonzero(kind.ravel() == place)
        mask = common[chosen[0]]
        size = int(mask.sum())
        if not size:
            continue
        used, local = np.unique(np.concatenate([first[chosen], second[chosen]]), return_inverse=True)
        a, b = local[: len(chosen)], local[len(chosen) :]
        points = scores.points[used][:, mask]
        totals = resampled_totals(points, resamples, seed)
        n[chosen] = size
        plain = points.sum(axis=1)
        figures["difference"][chosen] = (plain[a] - plain[b]) / (size * scores.scale)
        for start in range(0, len(chosen), BLOCK):
            some = slice(start, start + BLOCK)
            drawn = totals[:, a[some]] - totals[:, b[some]]
            low, high = limits(drawn)
            figures["low"][chosen[some]] = low / (size * scores.scale)
            figures["high"][chosen[some]] = high / (size * scores.scale)
            better = (drawn > 0).sum(axis=0) + (drawn == 0).sum(axis=0) / 2
            figures["probability"][chosen[some]] = better / resamples
            apart = points[a[some]] - points[b[some]]
            only[0, chosen[some]] = (apart > 0).sum(axis=1)
            only[1, chosen[some]] = (apart < 0).sum(axis=1)
            weight[0, chosen[some]] = np.maximum(apart, 0).sum(axis=1) / scores.scale
            weight[1, chosen[some]] = np.maximum(-apart, 0).sum(axis=1) / scores.scale
    known = n > 0
    edge = known & needs_score(weight[0], weight[1], n, TINY)
    figures["low"][edge], figures["high"][edge] = tango(weight[0, edge], weight[1, edge], n[edge])
    figures["low"] = np.minimum(figures["low"], figures["difference"])
    figures["high"] = np.maximum(figures["high"], figures["difference"])
    figures["p_value"][known] = mcnemar_exact(only[0, known], only[1, known])
    return Pairwise(
        scores.conditions,
        first,
        second,
        n,
        figures["difference"],
        figures["low"],
        figures["high"],
        figures["probability"],
        only[0],
        only[1],
        figures["p_value"],
        holm(figures["p_value"]),
        edge,
    )


BLOCK = 128
"""Pairs whose resampled differences are held at once: 10 MB at 10,000 resamples."""


def compare_two(frame: pd.DataFrame, a: Condition, b: Condition, settings: Settings) -> Pairwise:
    """Two conditions against each other. Raises UserError for an unknown one or where no item is common."""
    scores = item_scores(select_runs(frame, settings.runs))
    for side in (a, b):
        if side not in scores.conditions:
            known = ", ".join(sorted(f"{c.entrant} ({c.method})" for c in scores.conditions))
            raise UserError(f"no results of {side.entrant} under {side.method}; there are {known or 'none'}")
    pair = scores.rows([scores.conditions.index(a), scores.conditions.index(b)])
    result = compare_all(pair, seed=settings.seed, resamples=settings.resamples)
    if not result.n[0]:
        raise UserError(f"{a.entrant} and {b.entrant} have no item in common that both answered")
    return result


def compare_metric(frame: pd.DataFrame, a: Condition, b: Condition, settings: Settings) -> Table:
    """Two conditions over all common items and bundle by bundle; Holm's correction is over the bundles."""
    pair = compare_two(frame, a, b, settings)
    rows = [{"bundle": "all", **_figures(pair), "p_holm": None}]
    chosen = select_runs(frame, settings.runs)
    codes = chosen["bundle"].cat.codes.to_numpy()
    inside = []
    for code in np.unique(codes).tolist():
        scores = item_scores(chosen[codes == code])
        if a in scores.conditions and b in scores.conditions:
            two = scores.rows([scores.conditions.index(a), scores.conditions.index(b)])
            found = compare_all(two, seed=settings.seed, resamples=settings.resamples)
            if found.n[0]:
                inside.append({"bundle": str(chosen["bundle"].cat.categories[code]), **_figures(found)})
    corrected = holm(np.array([row["p_mcnemar"] for row in inside], dtype=np.float64))
    rows += [{**row, "p_holm": float(p)} for row, p in zip(inside, corrected.tolist(), strict=True)]
    notes = (
        f"accuracy of {a.entrant} minus accuracy of {b.entrant} on the items both answered; the unit is the item",
        f"p_a_better: the chance that {a.entrant} is ahead on a fresh draw of items, ties split; Holm over the bundles",
    )
    return Table(f"{a.entrant} against {b.entrant}", pd.DataFrame(rows), notes)


def _figures(pair: Pairwise) -> dict[str, object]:
    return {
        "n": int(pair.n[0]),
        "difference": float(pair.difference[0]),
        "low": float(pair.low[0]),
        "high": float(pair.high[0]),
        "interval": _interval_names(pair)[0],
        "p_a_better": float(pair.probability[0]),
        "only_a": int(pair.first_only[0]),
        "only_b": int(pair.second_only[0]),
        "p_mcnemar": float(pair.p_value[0]),
    }


def _interval_names(pairs: Pairwise) -> list[str]:
    return ["Tango" if edge else "paired bootstrap" for edge in pairs.score_interval.tolist()]


def pairs_table(pairs: Pairwise, title: str = "Pairs", notes: tuple[str, ...] = ()) -> Table:
    """The pairs as a table, one row a pair."""
    sides = pairs.conditions
    frame = pd.DataFrame(
        {
            "a": [sides[place].entrant for place in pairs.first],
            "a_method": [sides[place].method for place in pairs.first],
            "b": [sides[place].entrant for place in pairs.second],
            "b_method": [sides[place].method for place in pairs.second],
            "n": pairs.n,
            "difference": pairs.difference,
            "low": pairs.low,
            "high": pairs.high,
            "interval": _interval_names(pairs),
            "p_a_better": pairs.probability,
            "only_a": pairs.first_only,
            "only_b": pairs.second_only,
            "p_mcnemar": pairs.p_value,
            "p_holm": pairs.p_holm,
        }
    )
    note = "accuracy of a minus accuracy of b on the items both answered; the unit is the item; Holm over all rows"
    return Table(title, frame, (note, *notes))


def pairs_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """Every two conditions of the frame."""
    scores = item_scores(select_runs(frame, settings.runs))
    return pairs_table(compare_all(scores, seed=settings.seed, resamples=settings.resamples))
