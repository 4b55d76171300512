"""Second methods for linear problems beyond :mod:`checks`: many partial covariances at once, search over all subsets.

As there, nothing here imports the graph algorithms or the exact models.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.models.simulation import Simulation, simulate
from benchpress.modules.causal.checks import Matrix, Population, seed_of
from benchpress.modules.causal.checks_numbers import printed

Places = NDArray[np.int64]
Tests = NDArray[np.bool_]

NEGLIGIBLE = 1e-9
"""A covariance smaller than this, beside the spread of its two variables, is none: rounding leaves about 1e-13."""

SLOPE = 1e-8
"""Two slopes closer than this are one."""

UNITS = 10**10
"""Units of a simulation: the covariance of so many is drawn as fast as that of ten, and errors shrink to about 1e-5."""


def partial_covariances(population: Population, a: str, b: str, sets: Sequence[Sequence[str]]) -> Matrix:
    """The covariance of a and b that regression on each of `sets`, all of one size, leaves, beside their spread."""
    place = population.place
    return _left_over(population.covariance, place[a], place[b], np.array([[place[one] for one in it] for it in sets]))


def _left_over(covariance: Matrix, i: int, j: int, sets: Places) -> Matrix:
    spread = np.sqrt(covariance[i, i] * covariance[j, j])
    if not sets.size:
        return np.full(len(sets), covariance[i, j] / spread)
    solved = np.linalg.solve(covariance[sets[:, :, None], sets[:, None, :]], covariance[sets, j][:, :, None])[:, :, 0]
    left: Matrix = (covariance[i, j] - np.einsum("sk,sk->s", covariance[sets, i], solved)) / spread
    return left


def independent(population: Population, a: str, b: str, given: Sequence[str] = ()) -> bool:
    """Whether a and b have no covariance left given the others, in a generic population."""
    return bool(abs(partial_covariances(population, a, b, [tuple(given)])[0]) < NEGLIGIBLE)


@lru_cache(maxsize=256)
def _subsets(count: int, size: int) -> tuple[Places, Places]:
    """All subsets of so many things, a row each, and their masks."""
    rows = np.array(list(combinations(range(count), size)), dtype=np.int64).reshape(comb(count, size), size)
    return rows, (1 << rows).sum(axis=1)


def minimal_sets(
    candidates: Iterable[str], places: Mapping[str, int], test: Callable[[Places], Tests]
) -> list[list[str]]:
    """Every subset that passes `test` and of which no proper subset does, smallest first.

    All subsets are tried by growing size, without supersets of those found; `test` is given sets of one size, a row of
    places each.
    """
    names = sorted(candidates)
    where = np.array([places[name] for name in names], dtype=np.int64)
    found: list[tuple[int, list[str]]] = []
    for size in range(len(names) + 1):
        rows, masks = _subsets(len(names), size)
        for mask, _ in found:
            kept = masks & mask != mask
            rows, masks = rows[kept], masks[kept]
        if not len(rows):
            break
        passed = np.flatnonzero(test(where[rows])).tolist()
        found += [(int(masks[at]), [names[number] for number in rows[at].tolist()]) for at in passed]
    return [chosen for _, chosen in found]


def minimal_separators_by_covariance(
    population: Population, a: str, b: str, kept: Sequence[str], candidates: Iterable[str]
) -> list[list[str]]:
    """The minimal sets that, held fixed beside `kept`, leave a and b without covariance in a generic population."""
    place = population.place
    always = np.array([place[name] for name in kept], dtype=np.int64)

    def vanishes(sets: Places) -> Tests:
        whole = np.hstack([sets, np.broadcast_to(always, (len(sets), len(always)))])
        tests: Tests = np.abs(_left_over(population.covariance, place[a], place[b], whole)) < NEGLIGIBLE
        return tests

    return minimal_sets(candidates, place, vanishes)


def minimal_adjustment(population: Population, x: str, y: str, candidates: Iterable[str]) -> list[list[str]]:
    """The minimal sets whose adjustment turns the coefficient of x into its total effect in a generic population."""
    truth, covariance = population.effect(x, y), population.covariance
    i, j = population.place[x], population.place[y]

    def right(sets: Places) -> Tests:
        on = np.hstack([np.full((len(sets), 1), i), sets])
        cross = covariance[on, j][:, :, None]
        slopes = np.linalg.solve(covariance[on[:, :, None], on[:, None, :]], cross)[:, 0, 0]
        tests: Tests = np.abs(slopes - truth) < SLOPE
        return tests

    return minimal_sets(candidates, population.place, right)


def population_of(params: Mapping[str, Any]) -> Population:
    """A generic population of the graph in `params`."""
    return Population(params["graph"], seed_of(params["graph"], "population"))


def sample_of_problem(params: Mapping[str, Any], purpose: str) -> Simulation:
    """Units simulated from what `params` states: the linear model, or the printed covariances."""
    seed = seed_of(params, purpose)
    if "linear" in params:
        coefficients = {(tail, head): printed(value) for tail, head, value in params["linear"]["coefficients"]}
        noise = {name: printed(value) for name, value in params["linear"]["noise"]}
        return simulate(params["graph"]["nodes"], coefficients, noise, {}, seed, UNITS)
    names = sorted({entry[0] for entry in params["covariance"]})
    place = {name: at for at, name in enumerate(names)}
    matrix = np.zeros((len(names), len(names)))
    for a, b, value in params["covariance"]:
        matrix[place[a], place[b]] = matrix[place[b], place[a]] = printed(value)
    root = np.linalg.cholesky(matrix)
    white = simulate(names, {}, dict.fromkeys(names, 1), {}, seed, UNITS)
    return Simulation(tuple(names), root @ white.mean, root @ white.covariance @ root.T, UNITS)


def serves(population: Population, x: str, y: str, z: str, given: Sequence[str]) -> bool:
    """Whether z, given variables that x does not affect, has a covariance ratio equal to the total effect of x on y."""
    top, bottom = (partial_covariances(population, z, end, [tuple(given)])[0] for end in (y, x))
    return bool(abs(bottom) > NEGLIGIBLE and abs(top - bottom * _effect_in_spreads(population, x, y)) < NEGLIGIBLE)


def instrument_sets(population: Population, x: str, y: str, z: str, candidates: Iterable[str]) -> list[list[str]]:
    """The minimal sets of `candidates`, none affected by x, given which z serves as an instrument."""
    place, covariance = population.place, population.covariance
    effect = _effect_in_spreads(population, x, y)

    def right(sets: Places) -> Tests:
        top, bottom = (_left_over(covariance, place[z], place[end], sets) for end in (y, x))
        tests: Tests = (np.abs(bottom) > NEGLIGIBLE) & (np.abs(top - bottom * effect) < NEGLIGIBLE)
        return tests

    return minimal_sets(candidates, place, right)


def _effect_in_spreads(population: Population, x: str, y: str) -> float:
    i, j = population.place[x], population.place[y]
    return population.effect(x, y) * float(np.sqrt(population.covariance[i, i] / population.covariance[j, j]))


def bypasses(graph: Mapping[str, Any], x: str, y: str, z: str) -> tuple[bool, bool]:
    """Whether z acts on y past x, and whether z and y are tied from behind, with x made to act on nothing.

    In a generic population of the graph without the arrows out of x: the first by the total effect of z, the second by
    what the slope of y on z has beyond it.
    """
    kept = [edge for edge in graph["directed"] if edge[0] != x]
    cut = {"nodes": graph["nodes"], "directed": kept, "bidirected": graph["bidirected"]}
    population = Population(cut, seed_of(cut, "bypasses"))
    onward = population.effect(z, y)
    slope = float(population.coefficients(z, y, [()])[0])
    return abs(onward) > SLOPE, abs(slope - onward) > SLOPE


def stands_in(population: Population, x: str, y: str, seen: str, response: str, z: str) -> bool:
    """Whether the ratio of z's covariances with `response` and `seen` gives the total effect of x on y.

    `seen` and `response` are readings of x and y, or x and y themselves; what their arrows multiply by is taken out.
    """
    covariance, place = population.covariance, population.place
    top, bottom = float(covariance[place[z], place[response]]), float(covariance[place[z], place[seen]])
    if response != y:
        top /= float(population.arrows[place[response], place[y]])
    loading = float(population.arrows[place[seen], place[x]]) if seen != x else 1.0
    scale = float(np.sqrt(covariance[place[z], place[z]] * covariance[place[response], place[response]]))
    return abs(bottom) > NEGLIGIBLE * scale and abs(top - population.effect(x, y) * bottom / loading) < SLOPE * scale


def corrected_slope(
    sample: Simulation, y: str, x: str, given: Sequence[str], errors: Mapping[str, float]
) -> tuple[float, float]:
    """The slope of y on x and `given` once the known variances of their errors are taken out, with its standard error.

    The error is that of the moments, to first order: a unit contributes regressor times residual, and regressor and
    residual are normal and go along with each other because of the errors. Reference: Fuller 1987, section 2.2.
    """
    places = [sample.nodes.index(name) for name in (x, *given)]
    noise = np.diag([errors.get(name, 0.0) for name in (x, *given)])
    gram = sample.covariance[np.ix_(places, places)]
    response = sample.nodes.index(y)
    cross, spread = sample.covariance[places, response], sample.covariance[response, response]
    inverse = np.linalg.inv(gram - noise)
    slopes = inverse @ cross
    left = float(spread - 2 * slopes @ cross + slopes @ gram @ slopes)
    together = cross - gram @ slopes
    row = inverse[0]
    variance = float(row @ gram @ row) * left + float(row @ together) ** 2
    return float(slopes[0]), float(np.sqrt(variance / sample.size))
