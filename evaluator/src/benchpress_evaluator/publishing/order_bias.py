"""The page of the choice track: how the place of options moves the answers of every condition."""

import pandas as pd
from benchpress.publication import Interval, OrderBias, OrderBiasRow

from benchpress_evaluator.publishing import disclosure
from benchpress_evaluator.publishing.leaderboard import Board
from benchpress_evaluator.stats.choice_table import Cell
from benchpress_evaluator.stats.frame import GATED, answers_of
from benchpress_evaluator.stats.intervals import EXACT
from benchpress_evaluator.stats.matrix import Condition, select_runs
from benchpress_evaluator.stats.order_bias import NOTHING, Bias, Figure, biases

POINT_DIGITS = 2
"""Decimals of figures in points."""
NOTE = (
    "Accuracy and changed picks have exact intervals, the other figures a bootstrap over questions. A method without "
    "rotations has no figure for them."
)


def order_bias_page(made: Board) -> OrderBias | None:
    """`order_bias.json`: one row per condition and benchmark; null where nothing is multiple choice.

    Of a sealed version only what rests on enough questions leaves.
    """
    left_out = _gated(made.frame, made.settings.runs)
    rows = [
        _row(made, cell, found, left_out.get(cell, 0))
        for cell, found in biases(made.frame, made.settings).items()
        if disclosure.leaves("bundle", cell.benchmark, found.n, made.allowed)
    ]
    return OrderBias(version=made.release.version, rows=tuple(rows), note=NOTE) if rows else None


def _row(made: Board, cell: Cell, found: Bias, gated: int) -> OrderBiasRow:
    sealed = made.release.sealed

    def may_leave(figure: Figure) -> bool:
        return disclosure.part_leaves(figure.n, found.n, sealed=sealed)

    mad, recall, order, flip = (
        figure if may_leave(figure) else NOTHING
        for figure in (found.mad, found.recall_rstd, found.order_rstd, found.flip_rate)
    )
    accuracy = _interval(found.accuracy)
    if accuracy is None:
        raise ValueError("a row holds at least one question")
    answered = may_leave(found.accuracy_conditional)
    return OrderBiasRow(
        slug=made.slug(cell.condition),
        method=cell.condition.method,
        benchmark=cell.benchmark,
        n=found.n,
        accuracy=accuracy,
        accuracy_conditional=_interval(found.accuracy_conditional) if answered else None,
        mad=_points(mad.value),
        mad_low=_points(mad.low),
        mad_high=_points(mad.high),
        recall_rstd=_points(recall.value),
        recall_rstd_low=_points(recall.low),
        recall_rstd_high=_points(recall.high),
        order_rstd=disclosure.share(order.value),
        order_rstd_low=disclosure.share(order.low),
        order_rstd_high=disclosure.share(order.high),
        flip_rate=disclosure.share(flip.value),
        flip_rate_low=disclosure.share(flip.low),
        flip_rate_high=disclosure.share(flip.high),
        right=found.right if answered else None,
        wrong=found.wrong if answered else None,
        abstained=found.abstained if answered else None,
        gated=gated,
    )


def _interval(figure: Figure) -> Interval | None:
    value, low, high = (disclosure.share(one) for one in (figure.value, figure.low, figure.high))
    if value is None or low is None or high is None:
        return None
    return Interval(value=value, low=low, high=high, unit="question", method=EXACT)


def _points(value: float | None) -> float | None:
    return None if value is None else round(value, POINT_DIGITS) + 0.0


def _gated(frame: pd.DataFrame, runs: str) -> dict[Cell, int]:
    """How many questions a gate left out, where it left some and not all."""
    answers = answers_of(select_runs(frame, "latest" if runs == "latest" else "first"))
    gated = answers[(answers["status"] == GATED).to_numpy()]
    counted: dict[Cell, int] = {}
    for bundle, entrant, method in gated[["bundle", "entrant", "method"]].astype(str).itertuples(index=False):
        cell = Cell(bundle, Condition(entrant, method))
        counted[cell] = counted.get(cell, 0) + 1
    return counted
