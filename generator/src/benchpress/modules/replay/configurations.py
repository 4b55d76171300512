"""Sizes of problems: which knobs a level turns, and the configurations of the paper's suite."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchpress.modules.replay.minimal import LIMITS


@dataclass(frozen=True, slots=True)
class Configuration:
    """How large a problem is. Sizes of formulas are nodes of the shortest formula of the mechanism's function."""

    name: str
    level: int
    variables: int
    roots: int
    parents: int
    """Most parents of a mechanism."""
    nodes: tuple[int, int]
    rows: int
    """Rows in each world."""
    sizes: tuple[int, int, int]
    """Weights of interventions on one, two and three variables."""
    assigned: int
    """Percent of interventions that assign row by row; the others hold constants."""
    train_worlds: int = 8
    heldout_worlds: int = 8

    @property
    def most_parents(self) -> int:
        """The class in which models are counted: at most so many functional parents."""
        return min(max(4, self.parents), self.variables - 1)

    @property
    def window(self) -> int:
        """Parents are drawn among so many variables before a mechanism's own."""
        return max(4, self.parents)

    def node_counts(self, parents: int) -> list[int]:
        """Formula sizes to draw from for a mechanism of so many parents: what the shortest formulas of functions that
        need all their inputs can have, cut to the configuration's range where the two overlap."""
        lowest, highest = ESSENTIAL_NODES[parents]
        low, high = max(lowest, self.nodes[0]), min(highest, self.nodes[1], LIMITS[parents])
        return list(range(low, high + 1)) if low <= high else list(range(lowest, highest + 1))


ESSENTIAL_NODES: Mapping[int, tuple[int, int]] = {2: (3, 4), 3: (4, 9), 4: (5, 11), 5: (6, 9)}
"""Parents -> fewest and most nodes of the shortest formula of a function that needs all of them (as far as the table
of shortest formulas reaches)."""


LEVELS: Mapping[int, Configuration] = {
    entry.level: entry
    for entry in (
        Configuration("n5", 1, 5, 2, 2, (3, 4), 8, (30, 60, 10), 70, train_worlds=6, heldout_worlds=6),
        Configuration("n6", 2, 6, 3, 2, (3, 4), 10, (20, 55, 25), 70),
        Configuration("n7", 3, 7, 3, 3, (5, 9), 10, (10, 50, 40), 75),
        Configuration("n8", 4, 8, 3, 4, (6, 11), 10, (8, 50, 42), 75),
        Configuration("n8-matched", 5, 8, 3, 4, (7, 11), 11, (3, 43, 54), 82),
        Configuration("n9", 6, 9, 3, 4, (6, 11), 10, (5, 50, 45), 75),
        Configuration("n9-dense", 7, 9, 3, 5, (7, 11), 11, (4, 46, 50), 80),
        Configuration("n10", 8, 10, 3, 4, (7, 11), 10, (4, 46, 50), 80),
        Configuration("n11", 9, 11, 4, 4, (7, 11), 11, (4, 44, 52), 82, train_worlds=9),
        Configuration("n12", 10, 12, 4, 4, (8, 11), 11, (3, 42, 55), 85, train_worlds=10),
    )
}
"""Level -> configuration: from five variables to twelve."""

SUITE: tuple[Configuration, ...] = (
    LEVELS[2],
    LEVELS[3],
    LEVELS[4],
    Configuration("n8-dense", 5, 8, 3, 5, (6, 11), 10, (5, 50, 45), 75),
    LEVELS[6],
    LEVELS[7],
    LEVELS[8],
    Configuration("n10-dense", 8, 10, 3, 5, (8, 11), 11, (3, 42, 55), 85),
)
"""The eight configurations of the paper's full pools; the matched pools have level 5's."""
