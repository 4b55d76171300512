"""Second method for base rates: the whole joint distribution as one array, and nothing but sums of its cells."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.items import Json
from benchpress.modules.causal.checks_discrete import CLOSE, Event, Joint
from benchpress.modules.causal.checks_numbers import printed

Cells = NDArray[np.floating[Any]]


class Whole:
    """All cells of a printed problem; `rate` replaces the probability of the event and keeps all else given it."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        roles = params["roles"]
        self.event, self.first, self.second = roles["event"], roles["first clue"], roles["second clue"]
        if "joint" in params:
            self.names = params["joint"]["columns"]
            self.cells: Cells = np.zeros((2,) * len(self.names))
            for bits, value in params["joint"]["rows"]:
                self.cells[tuple(map(int, bits))] = printed(value)
        else:
            joint = Joint(params["probabilities"])
            self.names, self.cells = joint.names, joint.cells()
        self.seen = dict(zip((self.first, self.second), map(int, params["seen"]), strict=True))

    def with_rate(self, rate: float) -> Cells:
        """The cells when the event has probability `rate`."""
        axis = self.names.index(self.event)
        share = self.cells.sum(axis=tuple(at for at in range(len(self.names)) if at != axis))
        factor = np.array([(1 - rate) / share[0], rate / share[1]])
        cells: Cells = self.cells * factor.reshape([2 if at == axis else 1 for at in range(len(self.names))])
        return cells

    def posterior(self, seen: Event, cells: Cells | None = None) -> float:
        """The share of the event among cells with the values of `seen`."""
        left = self.cells if cells is None else cells
        left = left[tuple(slice(seen[name], seen[name] + 1) if name in seen else slice(None) for name in self.names)]
        return float(left.take([1], axis=self.names.index(self.event)).sum() / left.sum())

    def way(self) -> str:
        """What the second clue does once the first is known."""
        before, after = self.posterior({self.first: self.seen[self.first]}), self.posterior(self.seen)
        return "same" if abs(after - before) < CLOSE else "raises" if after > before else "lowers"


def confirmed(params: Mapping[str, Any], gold: Mapping[str, Json]) -> dict[str, bool]:
    """Whether the cells bear out each key."""
    whole = Whole(params)
    alone = {name: whole.posterior({name: 1}) for name in params["sets"]["clues"]}
    one = {whole.first: whole.seen[whole.first]}
    found: dict[str, bool] = {}
    for part, value in gold.items():
        if part == "ORDER":
            found[part] = sorted(value) == sorted(alone) and all(
                alone[low] < alone[high] for low, high in pairwise(value)
            )
        elif part == "DIRECTION":
            found[part] = value == whole.way()
        elif part in ("POSTERIOR", "POSTERIOR_TWO", "SHIFTED"):
            cells = whole.with_rate(float(Fraction(params["rate"][0]))) if part == "SHIFTED" else None
            seen = one if part == "POSTERIOR" else whole.seen
            found[part] = abs(whole.posterior(seen, cells) - printed(value)) < CLOSE
    for claim in params.get("claims", ()):
        if claim["kind"] == "stronger":
            holds = alone[claim["a"]] > alone[claim["b"]]
        elif claim["kind"] == "moves":
            holds = whole.way() == {"does not change": "same"}.get(claim["way"], claim["way"])
        else:
            value = whole.posterior(one if claim["kind"] == "one" else whole.seen)
            holds = abs(value - float(Fraction(claim["value"]))) < 0.0005 + CLOSE
        found[claim["id"]] = gold[claim["id"]] == ("true" if holds else "false")
    return found
