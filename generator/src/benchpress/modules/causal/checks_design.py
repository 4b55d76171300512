"""The second method for experiment design: the enumerated class, split by what experiments show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

import numpy as np

from benchpress.modules.causal.checks_orientations import Bits, Orientations


@dataclass(frozen=True, slots=True)
class Cheapest:
    """The best target sets and what each of them costs (or how many targets it has)."""

    targets: list[list[str]]
    total: int


class Design:
    """The graphs that a pattern leaves possible."""

    def __init__(self, pattern: Mapping[str, Any]) -> None:
        pairs = [*pattern["directed"], *pattern["undirected"]]
        every = Orientations(pattern["nodes"], pairs)
        known = {tuple(edge) for edge in pattern["directed"]}
        fits: Bits = np.ones(len(every.rows), dtype=bool)
        for at, (low, high) in enumerate(every.pairs):
            if (low, high) in known or (high, low) in known:
                fits &= every.rows[:, at] == ((low, high) in known)
        for triple in every.triples():
            a, middle, b = triple
            fits &= every.colliding(triple) == ((a, middle) in known and (b, middle) in known)
        self.possible = every.keep(fits)
        self.open_names = sorted({end for pair in pattern["undirected"] for end in pair})

    def left(self, targets: Sequence[str]) -> int:
        """The most graphs that one outcome of these experiments leaves."""
        return max(len(group) for group in self.possible.outcomes(targets))

    def cheapest(self, costs: Mapping[str, str] | None) -> Cheapest:
        """Every set of least cost, or least size, that tells all graphs apart."""
        price = {name: 1 if costs is None else int(costs[name]) for name in self.open_names}
        every = chain.from_iterable(combinations(self.open_names, size) for size in range(len(self.open_names) + 1))
        settling = [(sum(price[name] for name in one), list(one)) for one in every if self.left(one) == 1]
        least = min(total for total, _ in settling)
        return Cheapest(sorted(one for total, one in settling if total == least), least)
