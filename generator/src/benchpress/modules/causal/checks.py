"""Second methods that several bundles share: linear-Gaussian populations and simulations, by plain linear algebra.

Nothing here imports the graph algorithms or the exact models: that is the point. A generic population has random
coefficients, so a regression coefficient equals the causal effect there exactly when it does in every model of the
graph, and a partial covariance vanishes exactly when the graph says so (faithfulness holds with probability one).
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.canonical import canonical_bytes
from benchpress.models.simulation import Simulation, simulate
from benchpress.modules.causal.checks_numbers import printed

EXACT = 1e-10
"""Below this a floating-point bias counts as none; generic biases are larger by many orders of magnitude."""

SIGMAS = 7.0
"""How far a simulated value may lie from a right key: one in 400 thousand million beyond it by chance."""

Matrix = NDArray[np.floating[Any]]


def seed_of(params: Mapping[str, Any], purpose: str) -> int:
    """A seed for the simulation of a problem, drawn from the problem itself."""
    return int.from_bytes(hashlib.sha256(purpose.encode() + canonical_bytes(dict(params))).digest()[:8])


class Population:
    """A generic linear-Gaussian population of a graph: random coefficients, exact covariance in floating point."""

    def __init__(self, graph: Mapping[str, Any], seed: int) -> None:
        rng = np.random.Generator(np.random.PCG64(seed))
        self.nodes: list[str] = list(graph["nodes"])
        self.place = {name: at for at, name in enumerate(self.nodes)}
        count = len(self.nodes)
        hidden = graph.get("bidirected", [])
        arrows = np.zeros((count + len(hidden), count + len(hidden)))
        ends = [(self.place[head], self.place[tail]) for tail, head in graph["directed"]]
        ends += [(self.place[one], count + at) for at, pair in enumerate(hidden) for one in pair]
        if ends:
            arrows[tuple(zip(*ends, strict=True))] = _coefficients(rng, len(ends))
        total = np.linalg.inv(np.eye(len(arrows)) - arrows)
        noise = rng.uniform(0.5, 2.0, len(arrows))
        self.effects: Matrix = total[:count, :count]
        self.covariance: Matrix = ((total * noise) @ total.T)[:count, :count]
        self.arrows: Matrix = arrows

    def effect(self, x: str, y: str) -> float:
        """The total effect of one unit of x on y."""
        return float(self.effects[self.place[y], self.place[x]])

    def coefficients(self, x: str, y: str, sets: Sequence[Sequence[str]]) -> Matrix:
        """The coefficient of x in the regression of y on x and each of `sets`, which all have one size."""
        index = np.array([[self.place[x], *(self.place[name] for name in names)] for names in sets])
        gram = self.covariance[index[:, :, None], index[:, None, :]]
        cross = self.covariance[index, self.place[y]][:, :, None]
        solved: Matrix = np.linalg.solve(gram, cross)[:, 0, 0]
        return solved

    def partial_covariance(self, a: str, b: str, given: Sequence[str]) -> float:
        """The covariance of a and b left after regression on `given`."""
        outer = [self.place[a], self.place[b]]
        inner = [self.place[name] for name in given]
        block = self.covariance[np.ix_(outer, outer)]
        if inner:
            cross = self.covariance[np.ix_(inner, outer)]
            block = block - cross.T @ np.linalg.solve(self.covariance[np.ix_(inner, inner)], cross)
        return float(block[0, 1])

    def vanishing(self, a: str, b: str, sets: Sequence[Sequence[str]]) -> list[bool]:
        """For each of `sets`, all of one size, whether a and b have no partial covariance given it."""
        zero: list[bool] = (np.abs(self.coefficients(a, b, sets)) < EXACT).tolist()
        return zero

    def independent(self, a: str, b: str, given: Sequence[str] = ()) -> bool:
        """Whether a and b have no partial covariance given the others."""
        return abs(self.partial_covariance(a, b, given)) < EXACT


def _coefficients(rng: np.random.Generator, count: int) -> Matrix:
    drawn: Matrix = rng.uniform(0.5, 1.5, count) * np.where(rng.random(count) < 0.5, -1.0, 1.0)
    return drawn


def minimal_adjustment_by_regression(
    graph: Mapping[str, Any], x: str, y: str, candidates: Iterable[str], seed: int
) -> list[list[str]]:
    """Every minimal set of `candidates` whose adjustment turns the regression coefficient of x into its total effect.

    Exhaustive over subsets by growing size, without supersets of sets already found. Sorted lists, by size and name.
    """
    population = Population(graph, seed)
    truth = population.effect(x, y)
    names = sorted(candidates)
    found: list[frozenset[str]] = []
    for size in range(len(names) + 1):
        sets = [one for one in combinations(names, size) if not any(small <= set(one) for small in found)]
        if not sets:
            break
        right = np.abs(population.coefficients(x, y, sets) - truth) < EXACT
        found += [frozenset(one) for one, good in zip(sets, right.tolist(), strict=True) if good]
    return [sorted(one) for one in found]


def simulation_of(params: Mapping[str, Any], purpose: str) -> Simulation:
    """A million simulated units of the linear model in `params`."""
    linear = params["linear"]
    return simulate(
        params["graph"]["nodes"],
        {(a, b): Fraction(c) for a, b, c in linear["coefficients"]},
        {name: Fraction(value) for name, value in linear["noise"]},
        {},
        seed_of(params, purpose),
    )


def near(estimate: tuple[float, float], gold: str) -> bool:
    """Whether a simulated estimate (value, standard error) is compatible with an exact key."""
    value, error = estimate
    return abs(value - float(Fraction(gold))) <= SIGMAS * error + 1e-9


def sample_of(covariance: Sequence[Sequence[str]], seed: int) -> Simulation:
    """A million units simulated from printed covariances, entries [a, b, value]."""
    names = sorted({entry[0] for entry in covariance})
    place = {name: at for at, name in enumerate(names)}
    matrix = np.zeros((len(names), len(names)))
    for a, b, value in covariance:
        matrix[place[a], place[b]] = matrix[place[b], place[a]] = printed(value)
    root = np.linalg.cholesky(matrix)
    white = simulate(names, {}, dict.fromkeys(names, 1), {}, seed)
    return Simulation(tuple(names), white.mean, root @ white.covariance @ root.T, white.size)
