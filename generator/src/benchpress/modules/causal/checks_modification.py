"""Second method for effect modification: potential outcomes by adding cells of the joint distribution."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.items import Json
from benchpress.modules.causal.checks_discrete import CLOSE, Joint

Cells = NDArray[np.floating[Any]]


class Potential:
    """Means of the outcome under either treatment for every state of what the treatment does not affect."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        joint = Joint.of_cells(params) if "joint" in params else Joint(params["probabilities"])
        t, y = params["roles"]["treatment"], params["roles"]["outcome"]
        after = {t}
        for _ in joint.names:
            after |= {b for a, b in params["graph"]["directed"] if a in after}
        self.before = [name for name in joint.names if name not in after]
        self.recorded = [name for name in self.before if name not in params["unmeasured"]]
        places = [joint.names.index(name) for name in self.before]

        def over(cells: Cells, **fixed: int) -> Cells:
            """Cells added up over all that the treatment affects, but for the values fixed."""
            held = tuple(
                slice(fixed[role], fixed[role] + 1) if role in fixed else slice(None)
                for role in ("t" if name == t else "y" if name == y else name for name in joint.names)
            )
            summed: Cells = cells[held].sum(axis=tuple(at for at in range(len(joint.names)) if at not in places))
            return summed

        natural = joint.cells()
        self.weight = over(natural)
        self.treated = over(natural, t=1)
        self.mean = [over(joint.cells({t: value}), y=1) / self.weight for value in (0, 1)]

    def effect(self, weight: Cells) -> float:
        """The mean difference of the potential outcomes with these weights."""
        return float((weight * (self.mean[1] - self.mean[0])).sum() / weight.sum())

    def means(self, name: str, value: int) -> tuple[float, float]:
        """The two means among cases with a value of one variable."""
        axis = self.before.index(name)
        part = self.weight.take(value, axis=axis)
        low, high = (float((part * mean.take(value, axis=axis)).sum() / part.sum()) for mean in self.mean)
        return low, high

    def scales(self, name: str) -> tuple[bool, bool]:
        """Whether the effect differs between the values of a variable as a difference, and as a ratio."""
        (low, high), (low_one, high_one) = self.means(name, 0), self.means(name, 1)
        return abs(high - low - (high_one - low_one)) > CLOSE, abs(high / low - high_one / low_one) > CLOSE


def confirmed(params: Mapping[str, Any], gold: Mapping[str, Json]) -> dict[str, bool]:
    """Whether the cells bear out each key."""
    potential = Potential(params)
    numbers = {
        "ATE": potential.effect(potential.weight),
        "ATT": potential.effect(potential.treated),
        "ATU": potential.effect(potential.weight - potential.treated),
    }
    found = {part: abs(value - float(Fraction(gold[part]))) < CLOSE for part, value in numbers.items() if part in gold}
    if "MODIFIERS" in gold:
        found["MODIFIERS"] = gold["MODIFIERS"] == [name for name in potential.recorded if potential.scales(name)[0]]
    if "SCALE_VERDICT" in gold:
        words = {
            (True, True): "both",
            (True, False): "difference",
            (False, True): "ratio",
            (False, False): "neither",
        }
        found["SCALE_VERDICT"] = gold["SCALE_VERDICT"] == words[potential.scales(params["roles"]["covariate"])]
    for claim in params.get("claims", ()):
        kind = claim["kind"]
        if kind == "modifies":
            holds = potential.scales(claim["name"])[claim["scale"] == "ratio"]
        elif kind == "larger":
            holds = numbers["ATT"] > numbers["ATU"] if claim["more"] == "treated" else numbers["ATU"] > numbers["ATT"]
        else:
            holds = abs(numbers[kind.upper()] - float(Fraction(claim["value"]))) < 0.0005 + CLOSE
        found[claim["id"]] = gold[claim["id"]] == ("true" if holds else "false")
    return found
