"""Second method for tables of counts: weights by inverse probability, and regressions in a generic population."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.items import Json
from benchpress.modules.causal.checks import EXACT, Population, seed_of

Cells = NDArray[np.floating[Any]]

CLOSE = 1e-9
SAME_SLOPE = 1e3 * EXACT


class Weighed:
    """The table as two arrays, cases and cases with the outcome: an axis a stratifying variable, the treatment last."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.params = params
        self.x, self.y = params["roles"]["treatment"], params["roles"]["outcome"]
        self.strata: list[str] = list(params["counts"]["strata"])
        self.cases: Cells = np.zeros((2,) * (len(self.strata) + 1))
        self.shown: Cells = np.zeros_like(self.cases)
        for bits, cases, shown in params["counts"]["rows"]:
            place = tuple(map(int, bits))
            self.cases[place], self.shown[place] = float(cases), float(shown)

    def weighted(self, covariates: Sequence[str]) -> float:
        """The difference of weighted shares, each case weighing one over the chance of its treatment in its stratum."""
        dropped = tuple(at for at, name in enumerate(self.strata) if name not in covariates)
        cases, shown = self.cases.sum(axis=dropped), self.shown.sum(axis=dropped)
        weight = cases.sum(axis=-1, keepdims=True) / cases
        totals = (shown * weight).reshape(-1, 2).sum(axis=0) / self.cases.sum()
        return float(totals[1] - totals[0])

    def within(self) -> Cells:
        """The difference in every stratum."""
        share = self.shown / self.cases
        difference: Cells = share[..., 1] - share[..., 0]
        return difference

    def against(self) -> int:
        """How many strata go against the pooled difference."""
        return int((self.within() * self.weighted([]) < 0).sum())

    def right(self) -> list[list[str]]:
        """Every set of stratifying variables whose regression gives the total effect in a generic population."""
        population = Population(self.params["graph"], seed_of(self.params["graph"], "counts"))
        truth = population.effect(self.x, self.y)
        found: list[list[str]] = []
        for size in range(len(self.strata) + 1):
            sets = [list(one) for one in combinations(self.strata, size)]
            slopes = population.coefficients(self.x, self.y, sets)
            found += [one for one, slope in zip(sets, slopes.tolist(), strict=True) if abs(slope - truth) < SAME_SLOPE]
        return found


def confirmed(params: Mapping[str, Any], gold: Mapping[str, Json]) -> dict[str, bool]:
    """Whether the weighted table and the generic population bear out each key."""
    table = Weighed(params)
    right = table.right()
    words = {(True, True): "both", (True, False): "pooled", (False, True): "stratified", (False, False): "neither"}
    differences = table.within()
    numbers = {
        "POOLED": [table.weighted([])],
        "STRATIFIED": [table.weighted(table.strata)],
        "EFFECT": [table.weighted(one) for one in right],
        "PARTIAL": [table.weighted(params["sets"].get("compared", ()))],
        "STRATUM_1": [float(differences.flat[0])],
        "STRATUM_2": [float(differences.flat[-1])],
    }
    found: dict[str, bool] = {}
    for part, values in numbers.items():
        if part in gold:
            key = float(Fraction(gold[part]))
            found[part] = bool(values) and all(abs(value - key) < CLOSE for value in values)
    if "REVERSAL" in gold:
        found["REVERSAL"] = gold["REVERSAL"] == ("yes" if table.against() == differences.size else "no")
    if "USE" in gold:
        found["USE"] = gold["USE"] == words[[] in right, table.strata in right]
    for claim in params.get("claims", ()):
        if claim["kind"] == "right":
            holds = ([] if claim["way"] == "pooled" else table.strata) in right
        elif claim["kind"] == "enough":
            holds = claim["chosenset"] in right
        elif claim["kind"] == "against":
            holds = table.against() == int(claim["number"])
        else:
            state = dict(piece.split(" = ") for piece in claim["stratum"].split(" and "))
            value = float(differences[tuple(int(state[name]) for name in table.strata)])
            holds = abs(value - float(Fraction(claim["value"]))) < 0.0005 + CLOSE
        found[claim["id"]] = gold[claim["id"]] == ("true" if holds else "false")
    return found
