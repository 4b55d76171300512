"""Simulated respondents with a known truth: falling curves of accuracy over levels, one per bundle, by name."""

from collections.abc import Sequence

import numpy as np
from benchpress_evaluator.calibration import Ask, Seen
from scipy import special

LEVELS = np.arange(1, 11)
BUNDLES = tuple(f"bundle-{place:02d}" for place in range(22))


def steady(state):
    """Logistic, every bundle with its own place and slope."""
    return special.expit(-state.uniform(0.5, 1.2, 22)[:, None] * (LEVELS - state.uniform(3, 8, 22)[:, None]))


def cliff(state):
    """From nearly always to nearly never within two levels."""
    return special.expit(-state.uniform(2, 5, 22)[:, None] * (LEVELS - state.uniform(3, 8, 22)[:, None]))


def normal(state):
    """Probit curves: lighter tails than the fitted model has."""
    return special.ndtr(-state.uniform(0.3, 0.8, 22)[:, None] * (LEVELS - state.uniform(3, 8, 22)[:, None]))


def uneven(state):
    """Bundles of every kind, a few of them too easy or too hard at any level."""
    chance = steady(state)
    chance[:4] = special.expit(4 - 0.1 * LEVELS)
    chance[4:6] = 0.1
    chance[6:10] = np.exp(-state.uniform(0.1, 0.4, 4)[:, None] * (LEVELS - 0.5))
    chance[10:14] = 0.97 * (1 - ((LEVELS - 1) / 10)[None, :] ** state.uniform(0.8, 2.5, 4)[:, None])
    return chance


RESPONDENTS = {"steady": steady, "cliff": cliff, "normal": normal, "uneven": uneven}


class Simulated:
    """Answers a calibration's questions by the true chances of one or several respondents, and counts them."""

    def __init__(self, truths: dict[str, np.ndarray], state: np.random.RandomState, cost: float | None = 0.01) -> None:
        self.truths, self.state, self.cost = truths, state, cost
        self.calls = 0
        self.items: set[tuple[str, int, int]] = set()

    def __call__(self, asks: Sequence[Ask]) -> list[Seen]:
        found = []
        for ask in asks:
            new = {(ask.bundle, ask.level, ask.first + k) for k in range(ask.count)}
            assert not new & self.items, "an item was asked twice"
            self.items |= new
            for name in sorted(self.truths):
                chance = self.truths[name][BUNDLES.index(ask.bundle), ask.level - 1]
                cost = None if self.cost is None else self.cost * ask.count
                right = int(self.state.binomial(ask.count, chance))
                found.append(Seen(name, ask.bundle, ask.level, right, ask.count, cost))
                self.calls += ask.count
        return found


def true_accuracy(calibration, truths):
    """What the calibrated version would really give, averaged over bundles and respondents."""
    rows = [
        np.mean([truth[BUNDLES.index(held.bundle), level - 1] for level in held.levels])
        for truth in truths.values()
        for held in calibration.bundles
    ]
    return float(np.mean(rows))
