"""The second method for counterfactuals: the twin network as one joint normal, conditioned on what was seen.

Works on matrices alone: the noises are the common ground of the actual and the changed world.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from benchpress.modules.causal.checks_numbers import printed

CLOSE = 1e-7


class Twin:
    """A linear model and one unit of it, in floating point."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.nodes = list(params["graph"]["nodes"])
        count = len(self.nodes)
        self.arrows = np.zeros((count, count))
        for a, b, value in params["linear"]["coefficients"]:
            self.arrows[self.nodes.index(b), self.nodes.index(a)] = printed(value)
        spread = np.zeros(count)
        for name, value in params["linear"]["noise"]:
            spread[self.nodes.index(name)] = printed(value)
        seen = [self.nodes.index(name) for name, _ in params["observed"]]
        values = np.array([printed(value) for _, value in params["observed"]])
        total = np.linalg.inv(np.eye(count) - self.arrows)
        mixed = (total * spread)[seen]
        self.noises = mixed.T @ np.linalg.solve(mixed @ total[seen].T, values)
        self.actual = total @ self.noises

    def noise(self, name: str) -> float:
        """The expected noise of a variable given what was seen."""
        return float(self.noises[self.nodes.index(name)])

    def factual(self, name: str) -> float:
        """The expected value of a variable as things were."""
        return float(self.actual[self.nodes.index(name)])

    def value(self, target: str, changed: str, to: float) -> float:
        """The expected value of `target` in the world where `changed` is set."""
        at = self.nodes.index(changed)
        cut, noises = self.arrows.copy(), self.noises.copy()
        cut[at], noises[at] = 0, to
        return float(np.linalg.solve(np.eye(len(self.nodes)) - cut, noises)[self.nodes.index(target)])


def close(value: float, gold: str) -> bool:
    """Whether a floating-point value is the exact key."""
    exact = float(Fraction(gold))
    return abs(value - exact) < CLOSE * max(1.0, abs(exact))
