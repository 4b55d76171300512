"""Second methods for binary models: the whole joint distribution as one array, in floating point.

Imports neither the exact network nor any formula; a probability is a sum of cells, an intervention replaces a table
by a certainty.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.modules.causal.checks_numbers import printed

CLOSE = 1e-9
"""Floating-point sums of a few thousand products agree with exact fractions much closer than this."""

Event = Mapping[str, int]


class Joint:
    """The joint distribution of binary variables, enumerated; `probabilities` as in params."""

    def __init__(self, probabilities: Sequence[Mapping[str, Any]]) -> None:
        self.names: list[str] = sorted(entry["of"] for entry in probabilities)
        self.axis = {name: at for at, name in enumerate(self.names)}
        self.factors: dict[str, NDArray[np.floating[Any]]] = {}
        for entry in probabilities:
            own = np.empty((2,) * (len(entry["given"]) + 1))
            for bits, value in entry["rows"]:
                state = tuple(int(bit) for bit in bits)
                one = printed(value)
                own[(*state, 0)] = 1 - one
                own[(*state, 1)] = one
            self.factors[entry["of"]] = self._spread(own, [*entry["given"], entry["of"]])

    @classmethod
    def of_cells(cls, params: Mapping[str, Any]) -> "Joint":
        """The same from a printed joint distribution and the graph that it factorises along."""
        columns = params["joint"]["columns"]
        whole = np.zeros((2,) * len(columns))
        for bits, value in params["joint"]["rows"]:
            whole[tuple(int(bit) for bit in bits)] = printed(value)
        entries = []
        for of in columns:
            given = sorted(cause for cause, effect in params["graph"]["directed"] if effect == of)
            kept = [columns.index(name) for name in (*given, of)]
            margin = whole.sum(axis=tuple(at for at in range(len(columns)) if at not in kept))
            margin = margin.transpose(np.argsort(np.argsort(kept)))
            share = margin[..., 1] / margin.sum(axis=-1)
            rows = [["".join(map(str, state)), Fraction(float(share[state]))] for state in np.ndindex(share.shape)]
            entries.append({"of": of, "given": given, "rows": rows})
        return cls(entries)

    def _spread(self, own: NDArray[np.floating[Any]], names: Sequence[str]) -> NDArray[np.floating[Any]]:
        """A factor over some variables, shaped to multiply with the others."""
        order = sorted(range(len(names)), key=lambda at: self.axis[names[at]])
        shape = [1] * len(self.names)
        for name in names:
            shape[self.axis[name]] = 2
        return own.transpose(order).reshape(shape)

    def cells(self, do: Event | None = None) -> NDArray[np.floating[Any]]:
        """The probability of every state, one axis a variable, under the intervention `do`."""
        fixed = do or {}
        whole = np.ones((2,) * len(self.names))
        for name, factor in self.factors.items():
            if name in fixed:
                certain = np.zeros(2)
                certain[fixed[name]] = 1
                whole = whole * self._spread(certain, [name])
            else:
                whole = whole * factor
        return whole

    def chance(self, event: Event, given: Event | None = None, do: Event | None = None) -> float:
        """P(event | given) under `do`, by adding cells."""
        whole = self.cells(do)
        condition = given or {}
        both = float(whole[self._where({**condition, **event})].sum())
        return both / float(whole[self._where(condition)].sum()) if condition else both

    def _where(self, event: Event) -> tuple[Any, ...]:
        return tuple(event.get(name, slice(None)) for name in self.names)


def close(value: float, gold: str, within: float = CLOSE) -> bool:
    """Whether a floating-point value is the exact key."""
    return abs(value - float(Fraction(gold))) < within
