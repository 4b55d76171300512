"""Exact second moments of a printed problem, whether it gives a linear model or a covariance table."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Protocol

from benchpress.graphs.dag import Graph
from benchpress.models.elimination import eliminate
from benchpress.models.exact import exact
from benchpress.modules.causal.draft import model_of

FAINT = Fraction(1, 1000)
"""Where a claim speaks of an association that the graph allows, its squared correlation is at least this large."""


class Moments(Protocol):
    """Regression coefficients and partial covariances in a population."""

    def coefficient(self, y: str, x: str, given: Sequence[str] = ()) -> Fraction:
        """The coefficient of x in the population regression of y on x and `given`."""
        ...

    def partial_covariance(self, a: str, b: str, given: Sequence[str] = ()) -> Fraction:
        """The covariance of a and b that regression on `given` leaves."""
        ...


class CovarianceTable:
    """The moments of printed covariances, entries [a, b, value]."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        values = [(a, b, exact(value)) for a, b, value in rows]
        self.unit = lcm(*(value.denominator for _, _, value in values))
        self.table: dict[tuple[str, str], int] = {}
        for a, b, value in values:
            self.table[a, b] = self.table[b, a] = int(value * self.unit)

    def coefficient(self, y: str, x: str, given: Sequence[str] = ()) -> Fraction:
        rest, _ = self._left((x, y), given)
        return Fraction(rest[0][1], rest[0][0])

    def partial_covariance(self, a: str, b: str, given: Sequence[str] = ()) -> Fraction:
        rest, determinant = self._left((a, b), given)
        return Fraction(rest[0][1], determinant * self.unit)

    def _left(self, pair: tuple[str, str], given: Sequence[str]) -> tuple[list[list[int]], int]:
        order = (*given, *pair)
        return eliminate([[self.table[a, b] for b in order] for a in order], len(given))


def shows(moments: Moments, a: str, b: str, given: Sequence[str], *, separated: bool) -> bool:
    """Whether the numbers agree with the graph about a and b given the others: nothing left, or clearly something.

    Paths of a printed model can cancel exactly; a statement that is false of the graph would be true of its numbers.
    """
    strength = moments.coefficient(a, b, given) * moments.coefficient(b, a, given)
    return strength == 0 if separated else strength >= FAINT


def moments_of(params: Mapping[str, Any], graph: Graph) -> Moments:
    """The moments that `params` states, by `linear` or by `covariance`."""
    return model_of(graph, params["linear"]) if "linear" in params else CovarianceTable(params["covariance"])
