"""Like compared with like: rank ranges among the entrants that share an attribute."""

from collections.abc import Iterator
from typing import Literal

import pandas as pd

from benchpress_evaluator.stats.matrix import Condition
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.ranks import Ranks, rank_order, rank_row, rank_sets, ranked_scores

Dimension = Literal["reasoning", "size_class", "openness"]
DIMENSIONS: tuple[Dimension, ...] = ("reasoning", "size_class", "openness")


def tier_of(condition: Condition, dimension: Dimension, settings: Settings) -> str | None:
    """The tier of a condition in words, null where it is unknown or does not apply (a reference solver)."""
    entrant = settings.entrants.get(condition.entrant)
    if entrant is None or entrant.kind == "reference":
        return None
    if dimension == "reasoning":
        return None if entrant.reasoning is None else "reasoning" if entrant.reasoning else "not reasoning"
    return entrant.size_class if dimension == "size_class" else entrant.openness


def tier_ranks(frame: pd.DataFrame, settings: Settings) -> Iterator[tuple[Dimension, str, Ranks]]:
    """Rank ranges and tie groups inside every tier, tiers by name. Who is in other tiers does not matter."""
    scores = ranked_scores(frame, settings)
    for dimension in DIMENSIONS:
        places: dict[str, list[int]] = {}
        for place, condition in enumerate(scores.conditions):
            tier = tier_of(condition, dimension, settings)
            if tier is not None:
                places.setdefault(tier, []).append(place)
        for tier in sorted(places):
            inside = scores.rows(places[tier])
            yield dimension, tier, rank_sets(inside, seed=settings.seed, resamples=settings.resamples)


def tiers_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """One row per tier and member."""
    rows: list[dict[str, object]] = []
    for dimension, tier, ranks in tier_ranks(frame, settings):
        rows.extend({"dimension": dimension, "tier": tier, **rank_row(ranks, place)} for place in rank_order(ranks))
    note = "ranks hold inside the tier alone; reference solvers and entrants of unknown attribute are in none"
    return Table("Tiers", pd.DataFrame(rows), (note,))
