"""Partially directed graphs and the graphs that they leave possible, by Meek's rules."""

from collections import Counter
from collections.abc import Sequence

from benchpress.graphs.equivalence import Cpdag, completions

Arrow = tuple[str, str]


def pattern_of(nodes: Sequence[str], directed: Sequence[Sequence[str]], undirected: Sequence[Sequence[str]]) -> Cpdag:
    """A pattern from lists as params have them."""
    return Cpdag(
        tuple(sorted(nodes)),
        tuple(sorted((a, b) for a, b in directed)),
        tuple(sorted((min(pair), max(pair)) for pair in undirected)),
    )


class Possible:
    """The graphs that a pattern leaves possible, each as a mask of its arrows."""

    def __init__(self, pattern: Cpdag) -> None:
        bit: dict[Arrow, int] = {}
        self.graphs = [sum(bit.setdefault(arrow, 1 << len(bit)) for arrow in arrows) for arrows in completions(pattern)]
        self.at = {name: sum(one for arrow, one in bit.items() if name in arrow) for name in pattern.nodes}

    def __len__(self) -> int:
        return len(self.graphs)

    def left_at_worst(self, target: str) -> int:
        """How many may still be possible after an experiment on the target, whatever arrows at it are seen."""
        shown = self.at[target]
        return max(Counter(graph & shown for graph in self.graphs).values())

    def settled_by(self, targets: Sequence[str]) -> bool:
        """Whether experiments on all targets show something else in each of the graphs."""
        shown = 0
        for name in targets:
            shown |= self.at[name]
        return len({graph & shown for graph in self.graphs}) == len(self.graphs)
