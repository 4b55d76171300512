"""How the place of options moves answers: accuracy, skew of the letters, and sensitivity to rotation.

Letter skew (MAD) compares which letters are answered with which are keyed; it is no measure of causal order bias. That
is what rotations measure: the same question with its options at other places.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchpress_evaluator.stats.choice_table import NONE, Cell, ChoiceTable, choice_tables
from benchpress_evaluator.stats.intervals import clopper_pearson
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.resampling import RESAMPLES, limits, resampled_totals

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure over `n` questions with its 95 % interval; null where there is nothing to compute it from."""

    value: float | None
    low: float | None
    high: float | None
    n: int


NOTHING = Figure(None, None, None, 0)


@dataclass(frozen=True, slots=True)
class Bias:
    """The figures of one condition on one benchmark. Percentages where it says points, shares otherwise."""

    n: int
    right: int
    wrong: int
    """Answered with another letter than the key."""
    abstained: int
    """No letter could be read."""
    accuracy: Figure
    """Right / all; exact (Clopper-Pearson)."""
    accuracy_conditional: Figure
    """Right / answered; exact (Clopper-Pearson)."""
    mad: Figure
    """Mean over the declared labels of |answered % - keyed %|, both over the answered questions; in points."""
    mad_sd: float | None
    """Standard deviation of the bootstrapped MAD."""
    recall_rstd: Figure
    """Population standard deviation over keyed labels of the recall among answered questions; in points."""
    order_rstd: Figure
    """Population standard deviation over printed places of P(pick is right | the key is printed there)."""
    flip_rate: Figure
    """Share of questions whose pick is not the same under all rotations; exact (Clopper-Pearson)."""
    recalls: tuple[float | None, ...]
    """Recall per label in points; null for a label that no answered question is keyed with."""
    place_recalls: tuple[float | None, ...]
    """P(pick is right | the key is printed at this place); null for a place without a pick."""


def share(right: int, of: int) -> Figure:
    """A share with its exact interval."""
    return Figure(right / of, *clopper_pearson(right, of), of) if of else NOTHING


def measure_bias(table: ChoiceTable, *, seed: int = 0, resamples: int = RESAMPLES) -> Bias:
    """Every figure of one table. Questions are the unit of the bootstrap."""
    read, labels = table.read, table.labels
    answered = _one_hot(np.where(read, table.parsed, NONE), labels)
    keyed = _one_hot(np.where(read, table.gold, NONE), labels)
    hits = _one_hot(np.where(read & table.right, table.gold, NONE), labels)
    place_hits, place_asked = _by_place(table)
    turned, flips = _flips(table)
    parts = (answered, keyed, hits, place_hits, place_asked)
    totals = [part.sum(axis=0)[None, :].astype(np.float64) for part in parts]
    mad, recall, order = _mad(*totals[:2]), _rstd(totals[2], totals[1], 100), _rstd(totals[3], totals[4], 1)
    drawn: list[Floats] = []
    if table.n:
        sums = resampled_totals(np.hstack(parts).T, resamples, seed)
        columns = [sums[:, start : start + labels] for start in range(0, labels * len(parts), labels)]
        drawn = [
            _mad(columns[0], columns[1]),
            _rstd(columns[2], columns[1], 100),
            _rstd(columns[3], columns[4], 1),
        ]
    right, answers = int(table.right.sum()), int(read.sum())
    return Bias(
        n=table.n,
        right=right,
        wrong=answers - right,
        abstained=table.n - answers,
        accuracy=share(right, table.n),
        accuracy_conditional=share(right, answers),
        mad=_figure(mad, drawn, 0, answers),
        mad_sd=float(np.nanstd(drawn[0])) if answers else None,
        recall_rstd=_figure(recall, drawn, 1, answers),
        order_rstd=_figure(order, drawn, 2, int((table.picks != NONE).any(axis=1).sum())),
        flip_rate=share(int(flips.sum()), int(turned.sum())),
        recalls=_ratios(totals[2], totals[1], 100),
        place_recalls=_ratios(totals[3], totals[4], 1),
    )


def _one_hot(places: Integers, labels: int) -> Integers:
    return np.asarray(places[:, None] == np.arange(labels)[None, :], dtype=np.int64)


def _by_place(table: ChoiceTable) -> tuple[Integers, Integers]:
    """Per question and printed place of the key: how often the pick was right, and how often there was a pick.

    Under rotation k the option at place c is printed at (c - k) mod its number of options.
    """
    hits, asked = (np.zeros((table.n, table.labels), dtype=np.int64) for _ in range(2))
    rows, turns = np.nonzero(table.picks != NONE)
    place = (table.gold[rows] - turns) % table.options[rows]
    np.add.at(asked, (rows, place), 1)
    np.add.at(hits, (rows, place), (table.picks[rows, turns] == table.gold[rows]).astype(np.int64))
    return hits, asked


def _flips(table: ChoiceTable) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which questions have picks under two rotations or more, and which of these picked different options."""
    held = table.picks != NONE
    turned = held.sum(axis=1) >= 2
    highest = np.where(held, table.picks, NONE).max(axis=1, initial=NONE)
    lowest = np.where(held, table.picks, table.labels).min(axis=1, initial=table.labels)
    return turned, turned & (highest != lowest)


def _mad(answered: Floats, keyed: Floats) -> Floats:
    """Mean absolute deviation in points, row by row; NaN where nothing was answered."""
    with np.errstate(invalid="ignore", divide="ignore"):
        deviation = np.abs(answered - keyed) / answered.sum(axis=1, keepdims=True)
    return np.asarray(100 * deviation.mean(axis=1)) if answered.shape[1] else np.full(len(answered), np.nan)


def _rstd(hits: Floats, of: Floats, scale: float) -> Floats:
    """Population standard deviation of the ratios that are defined, row by row; NaN where none is."""
    known = of > 0
    count = known.sum(axis=1)
    ratio = scale * np.divide(hits, of, out=np.zeros_like(hits), where=known)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = ratio.sum(axis=1) / count
        spread = np.where(known, (ratio - mean[:, None]) ** 2, 0.0).sum(axis=1) / count
    return np.asarray(np.sqrt(spread), dtype=np.float64)


def _ratios(hits: Floats, of: Floats, scale: float) -> tuple[float | None, ...]:
    return tuple(scale * h / n if n else None for h, n in zip(hits[0].tolist(), of[0].tolist(), strict=True))


def _figure(value: Floats, drawn: list[Floats], which: int, n: int) -> Figure:
    """The point estimate with the central 95 % of its bootstrap, which is stretched to hold the estimate."""
    if not n or np.isnan(value[0]):
        return NOTHING
    known = drawn[which][~np.isnan(drawn[which])]
    low, high = limits(known[:, None])
    point = float(value[0])
    return Figure(point, min(point, float(low[0])), max(point, float(high[0])), n)


def biases(frame: pd.DataFrame, settings: Settings) -> dict[Cell, Bias]:
    """The figures of every condition on every benchmark of the results frame."""
    tables = choice_tables(frame, settings)
    return {
        cell: measure_bias(table, seed=settings.seed, resamples=settings.resamples) for cell, table in tables.items()
    }


def _columns(name: str, figure: Figure) -> dict[str, float | None]:
    return {name: figure.value, f"{name}_low": figure.low, f"{name}_high": figure.high}


ACCURACY = ("accuracy", "accuracy_conditional")
COUNTS = ("n", "right", "wrong", "abstained")


class ChoiceMetric:
    """Some of the figures as a table: one row per condition and benchmark."""

    def __init__(self, title: str, figures: tuple[str, ...], note: str, counts: tuple[str, ...] = ("n",)) -> None:
        self.title = title
        self.figures = figures
        self.counts = counts
        self.note = note

    def __call__(self, frame: pd.DataFrame, settings: Settings) -> Table:
        return self.table(biases(frame, settings))

    def table(self, measured: Mapping[Cell, Bias]) -> Table:
        """These figures out of what :func:`biases` measured, which several metrics may share."""
        rows = [self.row(cell, found) for cell, found in measured.items()]
        columns = ["benchmark", "entrant", "method", *self.counts]
        columns += [f"{name}{end}" for name in self.figures for end in ("", "_low", "_high")]
        columns += ["mad_sd"] if "mad" in self.figures else []
        return Table(self.title, pd.DataFrame(rows, columns=columns), (self.note,))

    def row(self, cell: Cell, found: Bias) -> Mapping[str, object]:
        made: dict[str, object] = {
            "benchmark": cell.benchmark,
            "entrant": cell.condition.entrant,
            "method": cell.condition.method,
            **{name: getattr(found, name) for name in self.counts},
        }
        for name in self.figures:
            made |= _columns(name, getattr(found, name))
        return made | ({"mad_sd": found.mad_sd} if "mad" in self.figures else {})


choice_accuracy_metric = ChoiceMetric(
    "Accuracy on multiple-choice questions",
    ACCURACY,
    "exact 95 % intervals; conditional is on the questions where a letter was read; right + wrong + abstained = n",
    COUNTS,
)
mad_metric = ChoiceMetric(
    "Skew of the letters",
    ("mad",),
    "mean over the declared labels of |answered % - keyed %| in points; 95 % bootstrap over questions",
)
recall_rstd_metric = ChoiceMetric(
    "Spread of recall over keyed letters",
    ("recall_rstd",),
    "population standard deviation in points; labels that no answered question is keyed with are left out",
)
order_sensitivity_metric = ChoiceMetric(
    "Sensitivity to the order of options",
    ("order_rstd", "flip_rate"),
    "from the picks of each rotation, null for methods without rotations; a failed rotation is left out",
)
order_bias_metric = ChoiceMetric(
    "Order bias",
    (*ACCURACY, "mad", "recall_rstd", "order_rstd", "flip_rate"),
    "accuracy and flip rate with exact intervals, the rest with a bootstrap over questions",
    COUNTS,
)
