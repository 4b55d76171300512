"""The second method for discovery: every orientation of the skeleton against every stated fact."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from benchpress.modules.causal.checks import Population, seed_of
from benchpress.modules.causal.checks_numbers import printed
from benchpress.modules.causal.checks_orientations import Bits, Orientations

ZERO = 1e-9
"""Partial correlations of printed covariances are exact zeros or larger than a twentieth."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is left: joined pairs, arrows that all graphs share, pairs that go both ways, how many graphs."""

    skeleton: list[list[str]]
    arrows: list[list[str]]
    open_pairs: list[list[str]]
    graphs: int


def search(params: Mapping[str, Any]) -> Found:
    """Everything that agrees with the stated independences or covariances and with the experiments."""
    names = params["variables"]
    apart = _apart(params)
    skeleton = [list(pair) for pair in combinations(names, 2) if pair not in apart]
    every = Orientations(names, skeleton)
    fits: Bits = np.ones(len(every.rows), dtype=bool)
    for triple in every.triples():
        a, middle, b = triple
        fits &= every.colliding(triple) == (middle not in apart[a, b])
    for target, changed in params["experiments"]:
        mask = sum(1 << every.place[name] for name in (*changed, target))
        fits &= every.descendants(target) == mask
    left = every.keep(fits)
    if not len(left.rows) or not _stands(left, params, skeleton):
        return Found([], [], [], 0)
    arrows, open_pairs = left.agreed()
    return Found(skeleton, arrows, open_pairs, len(left.rows))


def _apart(params: Mapping[str, Any]) -> dict[tuple[str, str], set[str]]:
    """Separated pairs with a set that separates them."""
    if "independences" in params:
        return {(a, b): set(given) for a, b, given in params["independences"]}
    names = params["variables"]
    matrix = np.zeros((len(names), len(names)))
    for a, b, value in params["covariance"]:
        matrix[names.index(a), names.index(b)] = matrix[names.index(b), names.index(a)] = printed(value)
    found = {}
    for i, j in combinations(range(len(names)), 2):
        others = [at for at in range(len(names)) if at not in (i, j)]
        for given in (one for size in range(len(others) + 1) for one in combinations(others, size)):
            block = np.linalg.inv(matrix[np.ix_((i, j, *given), (i, j, *given))])
            if abs(block[0, 1]) / np.sqrt(block[0, 0] * block[1, 1]) < ZERO:
                found[names[i], names[j]] = {names[at] for at in given}
                break
    return found


def _stands(left: Orientations, params: Mapping[str, Any], skeleton: list[list[str]]) -> bool:
    """Whether one of the graphs left has every listed independence, and no set of up to two separates a joined pair."""
    row = left.rows[0].tolist()
    arrows = [[a, b] if forward else [b, a] for (a, b), forward in zip(left.pairs, row, strict=True)]
    graph = {"nodes": params["variables"], "directed": arrows, "bidirected": []}
    population = Population(graph, seed_of(graph, "discovery"))
    if any(not population.independent(a, b, given) for a, b, given in params.get("independences", ())):
        return False
    for a, b in skeleton:
        others = [name for name in params["variables"] if name not in (a, b)]
        for size in range(min(3, len(others) + 1)):
            if any(population.vanishing(a, b, list(combinations(others, size)))):
                return False
    return True
