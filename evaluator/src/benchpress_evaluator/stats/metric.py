"""What a metric is: one function from the results frame to a table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pandas as pd
from benchpress.publication import Entrant

from benchpress_evaluator.stats.intervals import Cluster
from benchpress_evaluator.stats.resampling import RESAMPLES


@dataclass(frozen=True, slots=True)
class Settings:
    """How statistics are made. `entrants` describes who is in the frame; a metric does without where one is missing."""

    seed: int = 0
    resamples: int = RESAMPLES
    runs: str = "first"
    """Which runs count: first, latest or mean."""
    cluster: Cluster | None = None
    entrants: Mapping[str, Entrant] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    """Entrant -> model, for entrants that are one model in several configurations."""
    options: Mapping[str, int] = field(default_factory=dict)
    """Item -> number of options, for multiple-choice items whose method does not store it."""

    def is_reference(self, entrant: str) -> bool:
        """Whether `entrant` is a reference solver; one that is not described is taken for a model."""
        return entrant in self.entrants and self.entrants[entrant].kind == "reference"


@dataclass(frozen=True, slots=True)
class Table:
    """A result for people and programs: a tidy frame (null is None or NaN, never zero) with words about it.

    `secret` marks what names single items: it stays with the maintainer and is never published.
    """

    title: str
    frame: pd.DataFrame
    notes: tuple[str, ...] = ()
    secret: bool = False


Metric = Callable[[pd.DataFrame, Settings], Table]
"""One statistic over the results frame of one version. It asks no model, reads no file and keeps no state."""
