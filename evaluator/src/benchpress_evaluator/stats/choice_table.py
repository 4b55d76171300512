"""Answers to multiple-choice questions as plain arrays: what every statistic of the choice track is computed from."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_uppercase
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from benchpress.errors import UserError

from benchpress_evaluator.stats.frame import GATED, PENDING
from benchpress_evaluator.stats.matrix import Condition, select_runs
from benchpress_evaluator.stats.metric import Settings

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

NONE = -1
"""No letter was read, or no pick was made."""
CHOICE = "choice"


class Cell(NamedTuple):
    """What has one line in the tables of the choice track: a condition on one benchmark."""

    benchmark: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class ChoiceTable:
    """Answers of one condition to `n` questions. A place is a letter's number from 0 in the question as keyed.

    Questions that a gate left out or that are pending are not in it.
    """

    ids: tuple[str, ...]
    labels: int
    """Size of the declared label set: the most options that any question of the benchmark has."""
    gold: Integers
    """(n,) the place of the key."""
    parsed: Integers
    """(n,) the place that was answered, or NONE."""
    picks: Integers
    """(n, labels) the place picked under each rotation, or NONE where it was not asked, failed or was not read."""
    options: Integers
    """(n,) how many options the question has; 0 where that is unknown."""

    @property
    def n(self) -> int:
        return len(self.ids)

    @property
    def read(self) -> Booleans:
        """Which questions a letter was read for."""
        return np.asarray(self.parsed != NONE, dtype=np.bool_)

    @property
    def right(self) -> Booleans:
        return np.asarray(self.parsed == self.gold, dtype=np.bool_)


def choice_table(rows: Iterable[Mapping[str, Any]], labels: int = 0) -> ChoiceTable:
    """A table from plain rows: `id`, `gold` and `parsed` (letters; parsed may be null), and where known `n_options`,
    `picks` (source index or null per rotation), `source_indexes` (in printed order; 0, 1, 2 ... where left out).

    `labels` is the size of the declared label set where it is larger than what the rows show. Picks count as rotations
    where there are as many as options, and at least two. Raises UserError for an id that occurs twice.
    """
    held = sorted(rows, key=lambda row: str(row["id"]))
    ids = tuple(str(row["id"]) for row in held)
    for before, after in pairwise(ids):
        if before == after:
            raise UserError(f"question {after} occurs twice in one condition")
    gold = _places(row["gold"] for row in held)
    parsed = _places(row["parsed"] for row in held)
    options = np.array([_options(row) for row in held], dtype=np.int64)
    size = max(labels, label_set(held))
    picks = np.full((len(held), size), NONE, dtype=np.int64)
    for place, row in enumerate(held):
        found = row.get("picks") or ()
        if len(found) >= 2 and len(found) == options[place]:
            names = row.get("source_indexes") or range(len(found))
            where = {name: at for at, name in enumerate(names)}
            picks[place, : len(found)] = [NONE if pick is None else where[pick] for pick in found]
    return ChoiceTable(ids, size, gold, parsed, picks, options)


def label_set(rows: Iterable[Mapping[str, Any]]) -> int:
    """How many labels the rows show: by their number of options, key and answer."""
    return max(
        (max(_options(row), *(_place(row[name]) + 1 for name in ("gold", "parsed"))) for row in rows),
        default=0,
    )


def choice_tables(frame: pd.DataFrame, settings: Settings) -> dict[Cell, ChoiceTable]:
    """Every condition on every benchmark of the results frame, in code-point order.

    The label set of a benchmark is the same for all its conditions. Of several runs the first counts, or the latest
    where the settings say so.
    """
    chosen = select_runs(frame, "latest" if settings.runs == "latest" else "first")
    chosen = chosen[(chosen["part_type"] == CHOICE).to_numpy() & ~chosen["status"].isin([PENDING, GATED]).to_numpy()]
    found: dict[Cell, list[dict[str, Any]]] = {}
    columns = ("bundle", "entrant", "method", "item_id", "key", "answer", "extra")
    for bundle, entrant, method, item, key, answer, extra in zip(
        *(chosen[name].astype(object).to_numpy() for name in columns), strict=True
    ):
        stored = json.loads(extra) if isinstance(extra, str) else {}
        names = stored.get("source_indexes")
        row = {
            "id": item,
            "gold": json.loads(key) if isinstance(key, str) else None,
            "parsed": json.loads(answer) if isinstance(answer, str) else None,
            "n_options": len(names) if names else settings.options.get(item, 0),
            # Questions that PriDe calibrates on are rotated; what it does to the others is not seen in them.
            "picks": None if stored.get("mode") == "cyclic" else stored.get("picks"),
            "source_indexes": names,
        }
        found.setdefault(Cell(str(bundle), Condition(str(entrant), str(method))), []).append(row)
    sizes: dict[str, int] = {}
    for cell, rows in found.items():
        sizes[cell.benchmark] = max(sizes.get(cell.benchmark, 0), label_set(rows))
    return {cell: choice_table(found[cell], sizes[cell.benchmark]) for cell in sorted(found)}


def _options(row: Mapping[str, Any]) -> int:
    return int(row.get("n_options") or len(row.get("source_indexes") or ()))


def _place(letter: str | None) -> int:
    return NONE if letter is None else ascii_uppercase.index(letter)


def _places(letters: Iterable[str | None]) -> Integers:
    return np.array([_place(letter) for letter in letters], dtype=np.int64)
