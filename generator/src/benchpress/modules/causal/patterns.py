"""Partially directed graphs and the graphs that they leave possible, by Meek's rules."""

from collections.abc import Iterator, Sequence
from typing import Any

from benchpress.graphs.equivalence import Cpdag, oriented_with

Arrow = tuple[str, str]


def pattern_of(nodes: Sequence[str], directed: Sequence[Sequence[str]], undirected: Sequence[Sequence[str]]) -> Cpdag:
    """A pattern from lists as params have them."""
    return Cpdag(
        tuple(sorted(nodes)),
        tuple(sorted((a, b) for a, b in directed)),
        tuple(sorted((min(pair), max(pair)) for pair in undirected)),
    )


def extensions(pattern: Cpdag) -> Iterator[tuple[Arrow, ...]]:
    """The arrows of every acyclic graph without new unshielded colliders that the pattern leaves possible."""
    waiting = [pattern]
    while waiting:
        current = waiting.pop()
        if not current.undirected:
            yield current.directed
            continue
        a, b = current.undirected[0]
        waiting += [oriented_with(current, [(b, a)]), oriented_with(current, [(a, b)])]


def touching(arrows: Sequence[Arrow], targets: Sequence[str]) -> tuple[Arrow, ...]:
    """What an experiment on each of `targets` shows: the arrows at them."""
    return tuple(arrow for arrow in arrows if arrow[0] in targets or arrow[1] in targets)


def left_at_worst(graphs: Sequence[tuple[Arrow, ...]], targets: Sequence[str]) -> int:
    """How many graphs may still be possible after experiments on `targets`, whatever they show."""
    counts: dict[Any, int] = {}
    for arrows in graphs:
        shown = touching(arrows, targets)
        counts[shown] = counts.get(shown, 0) + 1
    return max(counts.values())
