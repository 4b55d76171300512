"""Seeded simulation of linear-Gaussian models: the second route to every effect and independence.

Instead of a million rows, the sample covariance of the noises is drawn from its exact distribution (Wishart, by
Bartlett's decomposition) and carried through the structural equations: the same numbers a simulated data set would
give, at a sixtieth of the cost. Floating point throughout; it reads plain mappings and shares no code with the exact
model.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import atanh, sqrt

import numpy as np
from numpy.typing import NDArray

Number = Fraction | int | float
SIZE = 1_000_000


@dataclass(frozen=True)
class Simulation:
    """The sample mean and covariance of `size` simulated units, variables in the order of `nodes`."""

    nodes: tuple[str, ...]
    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]
    size: int

    def coefficient(self, y: str, x: str, given: Sequence[str] = ()) -> tuple[float, float]:
        """Ordinary least squares of y on x and `given`: the coefficient of x and its standard error."""
        places = [self.nodes.index(name) for name in (x, *given)]
        target = self.nodes.index(y)
        gram = self.covariance[np.ix_(places, places)]
        inverse = np.linalg.inv(gram)
        cross = self.covariance[places, target]
        weights = inverse @ cross
        residual = max(float(self.covariance[target, target] - weights @ cross), 0.0)
        return float(weights[0]), sqrt(residual * float(inverse[0, 0]) / (self.size - len(places) - 1))

    def regression(self, y: str, on: Sequence[str]) -> dict[str, float]:
        """All coefficients of the least-squares regression of y on `on`."""
        places = [self.nodes.index(name) for name in on]
        target = self.nodes.index(y)
        weights = np.linalg.solve(self.covariance[np.ix_(places, places)], self.covariance[places, target])
        return dict(zip(on, weights.tolist(), strict=True))

    def partial_covariance(self, a: str, b: str, given: Sequence[str] = ()) -> float:
        """The sample covariance of the residuals of a and b after regression on `given`."""
        return float(self._residual((a, b), given)[0, 1])

    def partial_correlation(self, a: str, b: str, given: Sequence[str] = ()) -> float:
        """The sample partial correlation of a and b given the others."""
        rest = self._residual((a, b), given)
        return float(rest[0, 1] / sqrt(rest[0, 0] * rest[1, 1]))

    def independence_score(self, a: str, b: str, given: Sequence[str] = ()) -> float:
        """Fisher's z of the partial correlation: standard normal where a and b are independent given the others.

        Reference: Fisher 1924.
        """
        return atanh(self.partial_correlation(a, b, given)) * sqrt(self.size - len(given) - 3)

    def two_stage_least_squares(self, y: str, x: str, z: str, given: Sequence[str] = ()) -> tuple[float, float]:
        """The instrumental-variable estimate of the effect of x on y by instrument z, with its standard error."""
        rest = self._residual((z, x, y), given)
        estimate = rest[0, 2] / rest[0, 1]
        noise = rest[2, 2] - 2 * estimate * rest[1, 2] + estimate**2 * rest[1, 1]
        return float(estimate), sqrt(max(float(noise), 0.0) * float(rest[0, 0]) / self.size) / abs(float(rest[0, 1]))

    def _residual(self, names: Sequence[str], given: Sequence[str]) -> NDArray[np.float64]:
        outer = [self.nodes.index(name) for name in names]
        block = self.covariance[np.ix_(outer, outer)]
        if not given:
            return block
        inner = [self.nodes.index(name) for name in given]
        cross = self.covariance[np.ix_(inner, outer)]
        reduced: NDArray[np.float64] = block - cross.T @ np.linalg.solve(self.covariance[np.ix_(inner, inner)], cross)
        return reduced


def simulate(
    nodes: Sequence[str],
    coefficients: Mapping[tuple[str, str], Number],
    variances: Mapping[str, Number],
    error_covariances: Mapping[tuple[str, str], Number],
    seed: bytes | int,
    size: int = SIZE,
    intercepts: Mapping[str, Number] | None = None,
    randomised: Iterable[str] = (),
) -> Simulation:
    """Simulate `size` units of a linear-Gaussian model, reproducibly for one `seed` and one version of numpy.

    The variables in `randomised` ignore their causes,
    as in an experiment: they keep the variance of their noise, or 1 where it has none, and share it with no other.
    O(n^3) for n variables, whatever the size.

    Reference: Bartlett 1933; Smith and Hocking 1972 (algorithm AS 53).
    """
    place = {node: number for number, node in enumerate(nodes)}
    experiment = frozenset((randomised,) if isinstance(randomised, str) else randomised)
    count = len(nodes)
    noise = np.zeros((count, count))
    for node, value in variances.items():
        noise[place[node], place[node]] = float(value) or (1.0 if node in experiment else 0.0)
    for (one, other), value in error_covariances.items():
        if one not in experiment and other not in experiment:
            noise[place[one], place[other]] = noise[place[other], place[one]] = float(value)
    arrows = np.eye(count)
    for (tail, head), value in coefficients.items():
        if head not in experiment:
            arrows[place[head], place[tail]] -= float(value)
    shifts = np.zeros(count)
    for node, value in (intercepts or {}).items():
        shifts[place[node]] = float(value)

    generator = np.random.Generator(np.random.PCG64(seed if isinstance(seed, int) else int.from_bytes(seed)))
    bartlett = np.tril(generator.standard_normal((count, count)), -1)
    degrees = size - 1
    bartlett[np.diag_indices(count)] = np.sqrt(generator.chisquare(degrees - np.arange(count)))
    centre = generator.standard_normal(count)
    root = _square_root(noise)
    spread = np.linalg.solve(arrows, root)
    factor = spread @ bartlett / sqrt(degrees)
    mean = np.linalg.solve(arrows, shifts) + spread @ centre / sqrt(size)
    return Simulation(tuple(nodes), mean, factor @ factor.T, size)


def _square_root(noise: NDArray[np.float64]) -> NDArray[np.float64]:
    """A lower triangular root; a variable without noise has an empty row and column."""
    if not np.count_nonzero(noise - np.diag(noise.diagonal())):
        return np.diag(np.sqrt(noise.diagonal()))
    live = np.flatnonzero(noise.diagonal())
    root = np.zeros_like(noise)
    root[np.ix_(live, live)] = np.linalg.cholesky(noise[np.ix_(live, live)])
    return root
