"""Replay metrics over many submissions: means in which an illegal submission counts as zero, and conditional rates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Metrics = Mapping[str, float | bool | int | None]

SHARES = (
    "legal", "train_exact", "train_world_exact", "heldout_world_exact", "heldout_all_exact", "heldout_exact",
    "train_cell_accuracy", "heldout_cell_accuracy", "parent_f1", "parents_exact", "root_exact", "root_precision",
    "root_recall", "alt_train_exact", "alt_distinct", "alt_success", "experiment_valid", "experiment_resolves",
    "witness_valid", "joint_success", "multiple_answers",
)  # fmt: skip
"""Metrics between 0 and 1: means over all submissions, where a missing value counts as zero."""

CONDITIONAL = (
    ("heldout_exact", "train_exact"),
    ("heldout_world_exact", "train_exact"),
    ("train_exact", "root_exact"),
    ("heldout_exact", "root_exact"),
    ("heldout_world_exact", "root_exact"),
    ("joint_success", "alt_success"),
)

FEWEST = 6
"""A conditional rate of fewer submissions is not shown."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean and the number of submissions it is over. The value is null where there are too few."""

    value: float | None
    n: int


def summarise(submissions: Sequence[Metrics]) -> dict[str, Figure]:
    """The figures of one pool, from the metrics of each submission to it; only those that apply to its setting.

    `n_valid` counts legal submissions; the structural distance is a mean over these alone.
    """
    figures = {"n_valid": Figure(float(sum(bool(one.get("legal")) for one in submissions)), len(submissions))}
    for name in SHARES:
        if any(name in one for one in submissions):
            figures[name] = _mean([one.get(name) for one in submissions])
    distances = [one["parent_shd"] for one in submissions if one.get("parent_shd") is not None]
    figures["parent_shd"] = _mean(distances)
    for name, condition in CONDITIONAL:
        if condition in figures and name in figures:
            kept = [one.get(name) for one in submissions if one.get(condition)]
            mean = _mean(kept)
            figures[f"{name} given {condition}"] = mean if mean.n >= FEWEST else Figure(None, mean.n)
    return figures


def _mean(values: Sequence[float | bool | int | None]) -> Figure:
    if not values:
        return Figure(None, 0)
    return Figure(sum(float(value or 0) for value in values) / len(values), len(values))
