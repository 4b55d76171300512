"""Second methods for linear problems beyond :mod:`checks`: many partial covariances at once, search over all subsets.

As there, nothing here imports the graph algorithms or the exact models.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from benchpress.models.simulation import Simulation
from benchpress.modules.causal.checks import Matrix, Population, sample_of, seed_of, simulation_of

NEGLIGIBLE = 1e-9
"""A covariance smaller than this, beside the spread of its two variables, is none: rounding leaves about 1e-13."""


def partial_covariances(population: Population, a: str, b: str, sets: Sequence[Sequence[str]]) -> Matrix:
    """The covariance of a and b that regression on each of `sets`, all of one size, leaves, beside their spread."""
    i, j = population.place[a], population.place[b]
    covariance = population.covariance
    spread = np.sqrt(covariance[i, i] * covariance[j, j])
    if not sets[0]:
        return np.full(len(sets), covariance[i, j] / spread)
    index = np.array([[population.place[name] for name in names] for names in sets])
    gram = covariance[index[:, :, None], index[:, None, :]]
    solved = np.linalg.solve(gram, covariance[index, j][:, :, None])[:, :, 0]
    left: Matrix = (covariance[i, j] - np.einsum("sk,sk->s", covariance[index, i], solved)) / spread
    return left


def independent(population: Population, a: str, b: str, given: Sequence[str] = ()) -> bool:
    """Whether a and b have no covariance left given the others, in a generic population."""
    return bool(abs(partial_covariances(population, a, b, [tuple(given)])[0]) < NEGLIGIBLE)


def minimal_sets(candidates: Iterable[str], test: Callable[[list[tuple[str, ...]]], Iterable[bool]]) -> list[list[str]]:
    """Every subset that passes `test` (given sets of one size) and of which no proper subset does, smallest first."""
    names = sorted(candidates)
    found: list[frozenset[str]] = []
    for size in range(len(names) + 1):
        sets = [one for one in combinations(names, size) if not any(small <= set(one) for small in found)]
        if not sets:
            break
        found += [frozenset(one) for one, good in zip(sets, test(sets), strict=True) if good]
    return [sorted(one) for one in found]


def minimal_separators_by_covariance(
    population: Population, a: str, b: str, kept: Sequence[str], candidates: Iterable[str]
) -> list[list[str]]:
    """The minimal sets that, held fixed beside `kept`, leave a and b without covariance in a generic population."""

    def vanishes(sets: list[tuple[str, ...]]) -> Iterable[bool]:
        left = partial_covariances(population, a, b, [(*kept, *one) for one in sets])
        independent: list[bool] = (np.abs(left) < NEGLIGIBLE).tolist()
        return independent

    return minimal_sets(candidates, vanishes)


def population_of(params: Mapping[str, Any]) -> Population:
    """A generic population of the graph in `params`."""
    return Population(params["graph"], seed_of(params["graph"], "population"))


def sample_of_problem(params: Mapping[str, Any], purpose: str) -> Simulation:
    """A million units simulated from what `params` states: the linear model, or the printed covariances."""
    if "linear" in params:
        return simulation_of(params, purpose)
    return sample_of(params["covariance"], seed_of(params, purpose))
