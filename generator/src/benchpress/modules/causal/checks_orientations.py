"""Second methods for equivalence: every orientation of a skeleton at once, as arrays; no rules, no search.

An orientation is a row of bits, one per adjacent pair (low, high) in code-point order: 1 means low -> high. Feasible up
to about sixteen pairs.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]
Masks = NDArray[np.int64]
Pair = tuple[str, str]


class Orientations:
    """All acyclic orientations of the skeleton with the given adjacent pairs."""

    def __init__(self, nodes: Sequence[str], pairs: Sequence[Sequence[str]]) -> None:
        self.nodes = sorted(nodes)
        self.place = {name: at for at, name in enumerate(self.nodes)}
        self.pairs: list[Pair] = sorted((min(pair), max(pair)) for pair in pairs)
        count = len(self.pairs)
        codes = np.arange(1 << count)
        every: Bits = (codes[:, None] >> np.arange(count) & 1).astype(bool)
        parents = np.zeros((len(every), len(self.nodes)), dtype=np.int64)
        for at, (low, high) in enumerate(self.pairs):
            a, b = self.place[low], self.place[high]
            parents[:, b] |= np.where(every[:, at], 1 << a, 0)
            parents[:, a] |= np.where(every[:, at], 0, 1 << b)
        left = np.full(len(every), (1 << len(self.nodes)) - 1)
        for _ in self.nodes:
            for at in range(len(self.nodes)):
                free = (parents[:, at] & left) == 0
                left = np.where(free, left & ~(1 << at), left)
        acyclic = left == 0
        self.rows: Bits = every[acyclic]
        self.parents: Masks = parents[acyclic]

    def triples(self) -> list[tuple[str, str, str]]:
        """Unshielded triples (end, middle, end), ends in code-point order."""
        near: dict[str, set[str]] = {name: set() for name in self.nodes}
        for a, b in self.pairs:
            near[a].add(b)
            near[b].add(a)
        return [
            (a, middle, b)
            for middle in self.nodes
            for a, b in combinations(sorted(near[middle]), 2)
            if b not in near[a]
        ]

    def colliding(self, triple: tuple[str, str, str]) -> Bits:
        """For every orientation, whether both arrows of the triple meet in its middle."""
        a, middle, b = (self.place[name] for name in triple)
        both = (1 << a) | (1 << b)
        found: Bits = (self.parents[:, middle] & both) == both
        return found

    def row_of(self, directed: Sequence[Sequence[str]]) -> int:
        """The number of the orientation that has these arrows."""
        arrows = {tuple(edge) for edge in directed}
        wanted = np.array([pair in arrows for pair in self.pairs])
        return int(np.flatnonzero((self.rows == wanted).all(axis=1))[0])

    def keep(self, chosen: Bits) -> "Orientations":
        """Only the chosen orientations."""
        kept = object.__new__(Orientations)
        kept.nodes, kept.place, kept.pairs = self.nodes, self.place, self.pairs
        kept.rows, kept.parents = self.rows[chosen], self.parents[chosen]
        return kept

    def equivalent_to(self, directed: Sequence[Sequence[str]]) -> "Orientations":
        """The orientations with the same colliders as the graph with these arrows."""
        row = self.row_of(directed)
        same: Bits = np.ones(len(self.rows), dtype=bool)
        for triple in self.triples():
            meets = self.colliding(triple)
            same &= meets == meets[row]
        return self.keep(same)

    def descendants(self, name: str) -> Masks:
        """For every orientation the mask of variables that `name` acts on, itself included."""
        found = np.full(len(self.rows), 1 << self.place[name])
        for _ in self.nodes:
            for at in range(len(self.nodes)):
                found = np.where(self.parents[:, at] & found, found | 1 << at, found)
        return found

    def agreed(self) -> tuple[list[list[str]], list[list[str]]]:
        """Arrows that all orientations share, and pairs on whose direction they differ."""
        ones = self.rows.sum(axis=0)
        arrows: list[list[str]] = []
        open_pairs: list[list[str]] = []
        for (low, high), forward in zip(self.pairs, ones.tolist(), strict=True):
            if forward == len(self.rows):
                arrows.append([low, high])
            elif forward == 0:
                arrows.append([high, low])
            else:
                open_pairs.append([low, high])
        return sorted(arrows), open_pairs

    def outcomes(self, targets: Sequence[str]) -> list[Any]:
        """How the orientations split by what an experiment on each of `targets` shows: rows per outcome."""
        touching = [at for at, pair in enumerate(self.pairs) if set(pair) & set(targets)]
        seen = self.rows[:, touching]
        groups: dict[bytes, list[int]] = {}
        for number, row in enumerate(seen):
            groups.setdefault(row.tobytes(), []).append(number)
        return list(groups.values())
