"""Figures that the ReplaySCM paper reports on its own items. They are never compared with ours: the items differ."""

import csv
from dataclasses import dataclass
from importlib.resources import files

ATTRIBUTION = (
    "As reported by the paper, on its own items: S. Batzoglou, ReplaySCM (arXiv 2605.08197), result tables of the "
    "release artifact, CC BY 4.0; figures only, rearranged."
)


@dataclass(frozen=True, slots=True)
class Reported:
    """One published figure. `n` is null for a share of a part of the items whose number the tables do not give."""

    setting: str
    system: str
    metric: str
    value: float
    n: int | None


def reported() -> tuple[Reported, ...]:
    """All published figures, by setting. Metrics bear our names; "given" marks a conditional rate."""
    text = (files(__package__) / "reported.csv").read_text(encoding="utf-8")
    return tuple(
        Reported(row["setting"], row["system"], row["metric"], float(row["value"]), int(row["n"]) if row["n"] else None)
        for row in csv.DictReader(text.splitlines())
    )
