"""Small results for tests of statistics, written by hand or drawn from a stated model."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from benchpress.items import ItemResult, PartResult, Status
from benchpress.publication import Entrant
from benchpress_evaluator.records import ScoredItem
from benchpress_evaluator.stats.frame import results_frame
from benchpress_evaluator.stats.matrix import Condition, Scores

SKILLS = {"P": ("identify",), "Q": ("compute", "identify")}


def answer(
    entrant: str,
    item: str,
    right: bool | Sequence[bool] = True,
    *,
    status: str = "ok",
    run: int = 1,
    bundle: str = "confounding",
    variant: str = "base",
    level: int = 5,
    method: str = "direct",
    version: str = "v1",
    given: Sequence[Any] = (),
    key: Any = None,
    part_type: str = "verdict",
    metrics: Mapping[str, Any] | None = None,
    **more: Any,
) -> ScoredItem:
    """One scored answer; `right` per part (one part P by default), status `pending` or `gated` has no result."""
    flags = [right] if isinstance(right, bool) else list(right)
    names = ["P", "Q", "R", "S", "T"][: len(flags)]
    result = None
    if status not in ("pending", "gated"):
        parts = tuple(
            PartResult(name, part_type, given[k] if k < len(given) else ("yes" if ok else "no"), key, ok, "", metrics)
            for k, (name, ok) in enumerate(zip(names, flags, strict=True))
        )
        result = ItemResult(item, Status(status), all(flags), parts)
    skills = {name: SKILLS.get(name, ()) for name in names}
    return ScoredItem(
        version, entrant, method, run, item, "causal", bundle, variant, level, skills, result,
        gated=status == "gated", **more,
    )  # fmt: skip


def results(answers: Iterable[ScoredItem]) -> pd.DataFrame:
    return results_frame(answers)


def matrix(rights: Any, names: Sequence[str] = (), **more: Any) -> pd.DataFrame:
    """Results from a matrix of entrants x items of 0 and 1."""
    table = np.asarray(rights)
    who = list(names) or [f"e{place:02d}" for place in range(len(table))]
    return results(
        answer(who[e], f"i{i:04d}", bool(table[e, i]), **more)
        for e in range(table.shape[0])
        for i in range(table.shape[1])
    )


def scores_of(points: Any, scale: int = 1, groups: Any = None) -> Scores:
    """A matrix of entrants x items as scores, without the way through a frame."""
    table = np.asarray(points).astype(np.int64)
    group = np.zeros(table.shape[1], dtype=np.int64) if groups is None else np.asarray(groups, dtype=np.int64)
    everywhere = np.ones(table.shape, dtype=np.bool_)
    conditions = tuple(Condition(f"e{k:02d}", "direct") for k in range(len(table)))
    names = tuple(f"g{k}" for k in range(int(group.max()) + 1))
    items = tuple(f"i{k:04d}" for k in range(table.shape[1]))
    return Scores(conditions, items, names, group, table, scale, everywhere, everywhere)


def entrant(name: str, **more: Any) -> Entrant:
    plain: dict[str, Any] = {
        "slug": name,
        "name": name,
        "organisation": "",
        "kind": "model",
        "openness": None,
        "size_class": None,
        "reasoning": None,
        "launch_date": None,
    }
    return Entrant(**{**plain, **more})


def ability_matrix(chances: Sequence[float], items: int, seed: int, spread: float = 1.0) -> Any:
    """Rights of entrants with these mean chances on items of varied difficulty, drawn with `seed`."""
    state = np.random.RandomState(seed)
    logits = np.log(np.asarray(chances) / (1 - np.asarray(chances)))
    difficulty = state.normal(0, spread, items)
    return (state.random_sample((len(chances), items)) < 1 / (1 + np.exp(-(logits[:, None] - difficulty)))).astype(int)
