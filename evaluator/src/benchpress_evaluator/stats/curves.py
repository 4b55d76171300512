"""Accuracy against level: a falling logistic curve per bundle, fitted to few answers with partial pooling."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

Floats = npt.NDArray[np.float64]

MIDDLE = 5.5
TYPICAL_SLOPE = 0.6
"""Logits lost from one level to the next, before anything is known."""
SLOPE_SD = 0.5
"""Standard deviation of the logarithm of the slopes between bundles."""
MEAN_SLOPE_SD = 0.7
PLACE_SD = 6.0
"""Of a bundle's logit at the middle level: hardly a restriction."""
ENTRANT_SD = 2.0
STEPS = 60
TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True)
class Curves:
    """A fit. The chance of entrant e on bundle b at level l is expit(place[b] + shift[e] - slope[b] (l - 5.5)).

    `covariance` is that of (place, log slope, shift) by Laplace's approximation.
    """

    levels: Floats
    place: Floats
    slope: Floats
    shift: Floats
    covariance: Floats

    def chances(self) -> Floats:
        """Mean chance over the entrants: bundles x levels."""
        return np.asarray(self._each().mean(axis=0), dtype=np.float64)

    def mean(self, weights: Floats) -> tuple[float, float]:
        """Expected accuracy, averaged over bundles, of items spread over levels by `weights` (bundles x levels, rows
        that sum to 1), and its standard error by the delta method."""
        each = self._each()
        bundles, entrants = len(self.place), len(self.shift)
        value = float((each.mean(axis=0) * weights).sum() / bundles)
        change = each * (1 - each) * weights[None] / (bundles * entrants)
        gradient = np.concatenate(
            [
                change.sum(axis=(0, 2)),
                (change * (-self.slope[:, None] * (self.levels - MIDDLE))[None]).sum(axis=(0, 2)),
                change.sum(axis=(1, 2)),
            ]
        )
        return value, float(np.sqrt(max(0.0, gradient @ self.covariance @ gradient)))

    def _each(self) -> Floats:
        fall = self.slope[:, None] * (self.levels - MIDDLE)[None, :]
        return np.asarray(special.expit(self.place[:, None] + self.shift[:, None, None] - fall), dtype=np.float64)


def fit_curves(right: Floats, asked: Floats, levels: Floats) -> Curves:
    """The posterior mode of the curves from counts, entrants x bundles x levels.

    Slopes are positive and share a mean that is fitted along (partial pooling), so a bundle with few answers borrows
    the slope of the others but never their place. Newton's method with Fisher's information; no randomness.
    """
    entrants, bundles, _ = asked.shape
    model = _Model(right, asked, levels - MIDDLE)
    theta = np.zeros(2 * bundles + entrants + 1)
    theta[bundles : 2 * bundles] = theta[-1] = np.log(TYPICAL_SLOPE)
    value = model.value(theta)
    for _ in range(STEPS):
        step = np.linalg.solve(model.information(theta), model.gradient(theta))
        size = 1.0
        while (new := model.value(theta + size * step)) > value + TOLERANCE and size > 1e-6:
            size /= 2
        theta = theta + size * step
        if value - new < TOLERANCE:
            break
        value = new
    covariance: Floats = np.linalg.inv(model.information(theta)).astype(np.float64)[:-1, :-1]
    place, slope = theta[:bundles], np.exp(theta[bundles : 2 * bundles])
    return Curves(levels, place, slope, theta[2 * bundles : -1], covariance)


class _Model:
    """Negative log posterior of (place, log slope, shift, mean log slope), with gradient and information."""

    def __init__(self, right: Floats, asked: Floats, offset: Floats) -> None:
        self.right, self.asked, self.offset = right, asked, offset
        self.entrants, self.bundles = asked.shape[:2]
        # One entrant alone has no shift that could be told from the bundles' places.
        self.shift_sd = ENTRANT_SD if self.entrants > 1 else 1e-4

    def _split(self, theta: Floats) -> tuple[Floats, Floats, Floats, float]:
        b = self.bundles
        return theta[:b], theta[b : 2 * b], theta[2 * b : -1], float(theta[-1])

    def _logits(self, theta: Floats) -> Floats:
        place, log_slope, shift, _ = self._split(theta)
        fall = np.exp(log_slope)[:, None] * self.offset[None, :]
        return np.asarray(place[:, None] + shift[:, None, None] - fall)

    def value(self, theta: Floats) -> float:
        place, log_slope, shift, mean = self._split(theta)
        logits = self._logits(theta)
        fit = (self.asked * np.logaddexp(0, logits) - self.right * logits).sum()
        prior = (place @ place) / PLACE_SD**2 + (shift @ shift) / self.shift_sd**2
        prior += ((log_slope - mean) ** 2).sum() / SLOPE_SD**2
        prior += (mean - np.log(TYPICAL_SLOPE)) ** 2 / MEAN_SLOPE_SD**2
        return float(fit + prior / 2)

    def gradient(self, theta: Floats) -> Floats:
        """Of the log posterior: the direction of ascent."""
        place, log_slope, shift, mean = self._split(theta)
        rest = self.right - self.asked * special.expit(self._logits(theta))
        pull = (log_slope - mean) / SLOPE_SD**2
        tilt = -np.exp(log_slope)[:, None] * self.offset[None, :]
        return np.concatenate(
            [
                rest.sum(axis=(0, 2)) - place / PLACE_SD**2,
                (rest * tilt[None]).sum(axis=(0, 2)) - pull,
                rest.sum(axis=(1, 2)) - shift / self.shift_sd**2,
                [pull.sum() - (mean - np.log(TYPICAL_SLOPE)) / MEAN_SLOPE_SD**2],
            ]
        )

    def information(self, theta: Floats) -> Floats:
        _, log_slope, _, _ = self._split(theta)
        b, e = self.bundles, self.entrants
        chance = special.expit(self._logits(theta))
        weight = self.asked * chance * (1 - chance)
        tilt = -np.exp(log_slope)[:, None] * self.offset[None, :]
        info = np.zeros((2 * b + e + 1, 2 * b + e + 1))
        at, steep, who = np.arange(b), b + np.arange(b), 2 * b + np.arange(e)
        info[at, at] = weight.sum(axis=(0, 2)) + 1 / PLACE_SD**2
        info[steep, steep] = (weight * (tilt * tilt)[None]).sum(axis=(0, 2)) + 1 / SLOPE_SD**2
        info[at, steep] = info[steep, at] = (weight * tilt[None]).sum(axis=(0, 2))
        info[who, who] = weight.sum(axis=(1, 2)) + 1 / self.shift_sd**2
        across, along = weight.sum(axis=2), (weight * tilt[None]).sum(axis=2)
        info[np.ix_(who, at)], info[np.ix_(at, who)] = across, across.T
        info[np.ix_(who, steep)], info[np.ix_(steep, who)] = along, along.T
        info[steep, -1] = info[-1, steep] = -1 / SLOPE_SD**2
        info[-1, -1] = b / SLOPE_SD**2 + 1 / MEAN_SLOPE_SD**2
        return info
