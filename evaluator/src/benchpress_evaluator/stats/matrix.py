"""From the frame to the matrices that the statistics are made of: conditions x items of whole-number scores."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from benchpress.errors import UserError

from benchpress_evaluator.stats.frame import GATED, PENDING, SEPARATOR, answers_of

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

POLICIES = ("first", "latest", "mean")
"""Which runs count: the first, the latest, or all of them averaged inside the item."""


class Condition(NamedTuple):
    """What has one line in every table: an entrant under a method."""

    entrant: str
    method: str


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of conditions on items. `points[c, i] / scale` is the mean score of condition c on item i, in [0, 1].

    Whole numbers, so that sums are exact in any order. `planned[c, i]` says that the item belongs to the condition,
    `given[c, i]` that an answer to it exists (neither pending nor left out by a gate). `group[i]` is the place of the
    item's bundle in `groups`.
    """

    conditions: tuple[Condition, ...]
    items: tuple[str, ...]
    groups: tuple[str, ...]
    group: Integers
    points: Integers
    scale: int
    planned: Booleans
    given: Booleans

    def rows(self, places: Sequence[int]) -> "Scores":
        """The scores of some conditions, all items kept."""
        chosen = list(places)
        return Scores(
            tuple(self.conditions[place] for place in chosen),
            self.items,
            self.groups,
            self.group,
            self.points[chosen],
            self.scale,
            self.planned[chosen],
            self.given[chosen],
        )


def one_version(frame: pd.DataFrame) -> str:
    """The version that `frame` holds. Raises UserError for none or several: their items are not one set."""
    versions = sorted(set(frame["version"].dropna()))
    if len(versions) != 1:
        held = ", ".join(versions) or "none"
        raise UserError(f"statistics are made for one version at a time, the results hold {held}; name one")
    return str(versions[0])


def select_runs(frame: pd.DataFrame, policy: str = "first") -> pd.DataFrame:
    """The rows of the runs that count under `policy` (one of :data:`POLICIES`), condition by condition."""
    if policy not in POLICIES:
        raise UserError(f"unknown run policy {policy!r}: known are {', '.join(POLICIES)}")
    if policy == "mean" or frame.empty:
        return frame
    runs = frame.groupby(["version", "entrant", "method"], observed=True)["run"]
    chosen = runs.transform("min" if policy == "first" else "max")
    return frame[frame["run"] == chosen]


def item_scores(frame: pd.DataFrame) -> Scores:
    """Conjunctive scores: 1 where every part of an answer is right; repeats are averaged inside the item."""
    answers = answers_of(frame)
    return _scores(answers, answers["item_correct"].to_numpy().astype(np.int64), np.ones(len(answers), dtype=np.int64))


def part_scores(rows: pd.DataFrame) -> Scores:
    """Scores by parts: the share of an item's parts among `rows` that are right, the item as the unit."""
    keys = ["version", "entrant", "method", "item_id", "run"]
    answers = answers_of(rows)
    parts = rows.groupby(keys, observed=True, sort=False)["part_correct"].agg(["sum", "size"]).reset_index()
    merged = answers.merge(parts, on=keys, how="left", sort=False)
    return _scores(merged, merged["sum"].to_numpy().astype(np.int64), merged["size"].to_numpy().astype(np.int64))


def skills_of(frame: pd.DataFrame) -> dict[str, npt.NDArray[np.bool_]]:
    """Skill tag -> which rows of the frame carry it, sorted by tag."""
    categories = [frozenset(str(text).split(SEPARATOR)) for text in frame["skills"].cat.categories]
    codes = frame["skills"].cat.codes.to_numpy()
    tags = sorted(set().union(*categories) - {""}) if categories else []
    return {tag: np.array([tag in held for held in categories], dtype=np.bool_)[codes] for tag in tags}


def _scores(answers: pd.DataFrame, right: Integers, of: Integers) -> Scores:
    """Add up `right` out of `of` per condition and item; the scale is the least that keeps every share whole."""
    conditions, row = _conditions(answers)
    item_codes = answers["item_id"].cat.codes.to_numpy().astype(np.int64)
    used = np.unique(item_codes)
    items = tuple(str(answers["item_id"].cat.categories[code]) for code in used)
    column = np.searchsorted(used, item_codes)
    shape = (len(conditions), len(items))
    cell = row * len(items) + column

    def total(values: Integers) -> Integers:
        return np.bincount(cell, weights=values, minlength=shape[0] * shape[1]).astype(np.int64).reshape(shape)

    shares, whole = total(right), total(of)
    sizes = np.unique(whole[whole > 0])
    scale = math.lcm(*(int(size) for size in sizes)) if len(sizes) else 1
    points = shares * (scale // np.where(whole > 0, whole, 1))
    given = total((~answers["status"].isin([PENDING, GATED])).to_numpy().astype(np.int64)) > 0
    group_codes = np.zeros(len(items), dtype=np.int64)
    group_codes[column] = answers["bundle"].cat.codes.to_numpy()
    groups, group = np.unique(group_codes, return_inverse=True)
    names = tuple(str(answers["bundle"].cat.categories[code]) for code in groups)
    return Scores(conditions, items, names, group.astype(np.int64), points, scale, whole > 0, given)


def _conditions(answers: pd.DataFrame) -> tuple[tuple[Condition, ...], Integers]:
    entrant, method = answers["entrant"], answers["method"]
    width = max(1, len(method.cat.categories))
    code = entrant.cat.codes.to_numpy().astype(np.int64) * width + method.cat.codes.to_numpy()
    used, row = np.unique(code, return_inverse=True)
    names = tuple(
        Condition(str(entrant.cat.categories[value // width]), str(method.cat.categories[value % width]))
        for value in used
    )
    return names, row.astype(np.int64)
