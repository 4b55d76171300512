"""Classical item statistics, and items whose key deserves a second look. For the maintainer: they name items."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchpress_evaluator.stats.frame import GATED, PENDING
from benchpress_evaluator.stats.matrix import Condition, Scores, select_runs
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.ranks import ranked_scores

Floats = npt.NDArray[np.float64]

STRONG = 1 / 3
"""The strong entrants are this share of the field, by accuracy on all other items, and at least FEWEST."""
FEWEST = 3
AGREEMENT = 2 / 3
"""A key is suspected where at least this share of the strong entrants gives one and the same other answer."""
COMMON = 1 / 2
"""A wrong answer is common where at least this share of those who were wrong, and FEWEST of them, gave it."""


@dataclass(frozen=True, slots=True)
class ItemStatistics:
    """Per item, in the order of `items`: `difficulty` is the share of conditions that are right (the classical
    p-value), `discrimination` the item-rest correlation, NaN where it is undefined because nothing varies."""

    items: tuple[str, ...]
    conditions: int
    difficulty: Floats
    discrimination: Floats
    reliability: float | None
    """KR-20 for scores of 0 and 1, Cronbach's alpha otherwise; null where the totals do not vary."""

    @property
    def dead(self) -> npt.NDArray[np.bool_]:
        """Everyone is right."""
        return np.asarray(self.difficulty == 1, dtype=np.bool_)

    @property
    def broken(self) -> npt.NDArray[np.bool_]:
        """Everyone is wrong."""
        return np.asarray(self.difficulty == 0, dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A part for which strong entrants agree with each other and not with the key."""

    item_id: str
    part: str
    answer: str
    agreeing: int
    strong: int
    with_key: int


@dataclass(frozen=True, slots=True)
class CommonWrong:
    """A wrong answer that many of those who were wrong gave: a trap that works, or a second key."""

    item_id: str
    part: str
    answer: str
    given_by: int
    wrong: int


def field_scores(frame: pd.DataFrame, settings: Settings) -> Scores:
    """The scores that items are judged by: ranked models, and reference solvers too where there are not two models."""
    scores = ranked_scores(frame, settings)
    models = [place for place, c in enumerate(scores.conditions) if not settings.is_reference(c.entrant)]
    return scores.rows(models) if len(models) > 1 else scores


def item_statistics(scores: Scores) -> ItemStatistics:
    """Difficulty, discrimination and reliability over the conditions of `scores`, on the items all of them have."""
    common = scores.planned.all(axis=0) if scores.conditions else np.zeros(len(scores.items), dtype=np.bool_)
    points = scores.points[:, common]
    items = tuple(scores.items[place] for place in np.flatnonzero(common).tolist())
    count = len(scores.conditions)
    whole = count * scores.scale
    difficulty = points.sum(axis=0) / whole if count else np.zeros(len(items))
    return ItemStatistics(items, count, difficulty, item_rest(points), reliability(points))


def item_rest(points: npt.NDArray[np.int64]) -> Floats:
    """Pearson correlation of each item (column) with the sum of all others, NaN where either does not vary.

    The item itself is left out of the sum: item-total correlation would count it on both sides.
    """
    count, items = points.shape
    if count < 2:
        return np.full(items, np.nan)
    rest = points.sum(axis=1, keepdims=True) - points
    x, y = points.astype(np.float64), rest.astype(np.float64)
    sxy = count * (x * y).sum(axis=0) - x.sum(axis=0) * y.sum(axis=0)
    sxx = count * (x * x).sum(axis=0) - x.sum(axis=0) ** 2
    syy = count * (y * y).sum(axis=0) - y.sum(axis=0) ** 2
    result = np.full(items, np.nan)
    vary = (sxx > 0) & (syy > 0)
    result[vary] = np.clip(sxy[vary] / np.sqrt(sxx[vary] * syy[vary]), -1, 1)
    return result


def reliability(points: npt.NDArray[np.int64]) -> float | None:
    """Cronbach's alpha (Kuder and Richardson's formula 20 for scores of 0 and 1); null where it is undefined."""
    count, items = points.shape
    if count < 2 or items < 2:
        return None
    totals = points.sum(axis=1)
    spread: int = int(count * (totals * totals).sum() - totals.sum() ** 2)
    if not spread:
        return None
    own: int = int((count * (points * points).sum(axis=0) - points.sum(axis=0) ** 2).sum())
    return float(items / (items - 1) * (1 - own / spread))


def suspicions(frame: pd.DataFrame, settings: Settings) -> list[Suspicion]:
    """Parts whose key strong entrants contradict in one voice, most agreement first."""
    scores = field_scores(frame, settings)
    found = []
    for item, part, answers in _answers(frame, scores.conditions, settings):
        strong = _strong(scores, item)
        if len(strong) < FEWEST:
            continue
        given = [answers[c] for c in strong if c in answers]
        wrong = Counter(answer for answer, right in given if not right and answer is not None)
        if not wrong:
            continue
        answer, agreeing = min(wrong.items(), key=lambda entry: (-entry[1], entry[0]))
        with_key = sum(right for _, right in given)
        if agreeing >= FEWEST and agreeing >= AGREEMENT * len(strong) and agreeing > with_key:
            found.append(Suspicion(item, part, answer, agreeing, len(strong), with_key))
    return sorted(found, key=lambda s: (-s.agreeing / s.strong, s.item_id, s.part))


def common_wrong(frame: pd.DataFrame, settings: Settings) -> list[CommonWrong]:
    """Wrong answers that many entrants share, most frequent first."""
    scores = field_scores(frame, settings)
    found = []
    for item, part, answers in _answers(frame, scores.conditions, settings):
        wrong = [answer for answer, right in answers.values() if not right]
        counts = Counter(answer for answer in wrong if answer is not None)
        for answer, times in sorted(counts.items()):
            if times >= FEWEST and times >= COMMON * len(wrong):
                found.append(CommonWrong(item, part, answer, times, len(wrong)))
    return sorted(found, key=lambda c: (-c.given_by, c.item_id, c.part, c.answer))


def _strong(scores: Scores, item: str) -> list[Condition]:
    """The strongest conditions by everything but `item`; equal ones at the border are all in."""
    place = scores.items.index(item) if item in scores.items else None
    rest = scores.points.sum(axis=1) - (0 if place is None else scores.points[:, place])
    wanted = max(FEWEST, int(np.ceil(STRONG * len(scores.conditions))))
    if len(scores.conditions) <= wanted:
        return list(scores.conditions)
    border = np.sort(rest)[::-1][wanted - 1]
    return [c for c, points in zip(scores.conditions, rest.tolist(), strict=True) if points >= border]


Given = dict[Condition, tuple[str | None, bool]]


def _answers(frame: pd.DataFrame, conditions: Sequence[Condition], settings: Settings) -> list[tuple[str, str, Given]]:
    """What each condition answered to each part, by its first counted run: item, part, condition -> (answer, right)."""
    rows = select_runs(frame, settings.runs)
    rows = rows[~rows["status"].isin([PENDING, GATED])]
    wanted = set(conditions)
    spelled = {text: _comparable(str(text)) for text in rows["answer"].cat.categories}
    found: dict[tuple[str, str], Given] = {}
    columns = (rows[name] for name in ("entrant", "method", "item_id", "part", "answer", "part_correct"))
    for entrant, method, item, part, answer, right in zip(*columns, strict=True):
        condition = Condition(str(entrant), str(method))
        if condition in wanted:
            text = spelled[answer] if isinstance(answer, str) else None
            found.setdefault((str(item), str(part)), {}).setdefault(condition, (text, bool(right)))
    return [(item, part, found[item, part]) for item, part in sorted(found)]


def _comparable(text: str) -> str:
    """An answer so that equal numbers are equal text: `"0.50"`, `"1/2"` and `"5e-1"` are one answer."""
    value = json.loads(text)
    if isinstance(value, str):
        try:
            return str(Fraction(value))
        except (ValueError, ZeroDivisionError):
            return value
    return text


def items_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """One row per item, hardest first."""
    scores = field_scores(frame, settings)
    found = item_statistics(scores)
    suspected = {s.item_id: s for s in suspicions(frame, settings)}
    rows = []
    for place in sorted(range(len(found.items)), key=lambda p: (found.difficulty[p], found.items[p])):
        item = found.items[place]
        correlation = float(found.discrimination[place])
        rows.append(
            {
                "item_id": item,
                "p_value": float(found.difficulty[place]),
                "item_rest": None if np.isnan(correlation) else correlation,
                "kind": _kind(found, place),
                "suspected_key": suspected[item].part if item in suspected else "",
                "agreed_answer": suspected[item].answer if item in suspected else "",
            }
        )
    named = "undefined" if found.reliability is None else f"{found.reliability:.3f}"
    notes = (
        f"{found.conditions} conditions; {'KR-20' if scores.scale == 1 else 'alpha'} {named}; "
        f"{int(found.dead.sum())} dead, {int(found.broken.sum())} broken, {len(suspected)} with a suspected key",
        "item_rest is undefined (–) where everyone is right or everyone is wrong",
    )
    columns = ["item_id", "p_value", "item_rest", "kind", "suspected_key", "agreed_answer"]
    return Table("Items", pd.DataFrame(rows, columns=columns), notes, secret=True)


def _kind(found: ItemStatistics, place: int) -> str:
    if found.dead[place]:
        return "dead: everyone is right"
    if found.broken[place]:
        return "broken: everyone is wrong"
    if found.discrimination[place] < 0:
        return "negative discrimination"
    return ""


def common_wrong_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """Wrong answers shared by many entrants."""
    rows = [
        {"item_id": c.item_id, "part": c.part, "answer": c.answer, "given_by": c.given_by, "wrong": c.wrong}
        for c in common_wrong(frame, settings)
    ]
    columns = ["item_id", "part", "answer", "given_by", "wrong"]
    note = f"given by at least {COMMON:.0%} of those who were wrong, and by {FEWEST} of them"
    return Table("Common wrong answers", pd.DataFrame(rows, columns=columns), (note,), secret=True)
