"""Second method for probabilities of causation: the corners of all populations that agree with what is printed.

A population of a group is a share for each treatment and response type. The shares that agree with the observations
form a polytope with few free numbers; every corner is written down and the quantity is computed there.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from benchpress.items import Json

CLOSE = 1e-9

Corner = tuple[float, float, float, float, float, float]
"""Who benefits and is harmed among the treated, the same untreated, who is treated with the outcome, and the weight."""


def corners(params: Mapping[str, Any]) -> dict[str, list[Corner]]:
    """For every group, the corners of its populations."""
    tallied = "tallies" in params
    observed = {
        row[0]: [float(Fraction(value)) for value in row[1:]] for row in params["tallies" if tallied else "observed"]
    }
    everybody = sum(map(sum, observed.values()))
    trials: dict[str, tuple[float, float]] = {}
    for row in params["tried" if tallied else "trials"]:
        numbers = [float(Fraction(value)) for value in row[1:]]
        trials[row[0]] = (numbers[0] / numbers[1], numbers[2] / numbers[3]) if tallied else (numbers[0], numbers[1])
    shares = {} if tallied else {name: float(Fraction(value)) for name, value in params["shares"]}
    found = {}
    for name, cells in observed.items():
        size = sum(cells)
        weight = size / everybody if tallied else shares[name]
        n11, n10, n01, n00 = (cell / size for cell in cells)
        monotone = name in params["sets"]["monotone"]
        if name in params["sets"]["lottery"]:
            treated = n11 + n10
            one, none = n11 / treated, n01 / (1 - treated)
            ends = _interval([(0, 1), (none, -1), (one - none, 1), (1 - one, -1)], monotone)
            points = [
                (treated * (one - none + h), treated * h, (1 - treated) * (one - none + h), (1 - treated) * h)
                for h in ends
            ]
        elif name in trials:
            one, none = trials[name]
            # With treatment 1, those who would have the outcome untreated are none - n01; untreated, one - n11.
            gain = n11 - (none - n01)
            other = (one - n11) - n01
            treated_ends = _interval([(0, 1), (n10, -1), (gain, 1), (n11 - gain, -1)], monotone)
            untreated_ends = _interval([(0, 1), (n01, -1), (other, 1), (n00 - other, -1)], monotone)
            points = [(gain + b, b, other + d, d) for b, d in product(treated_ends, untreated_ends)]
        else:
            harmed = [(0.0,), (0.0,)] if monotone else [(0.0, n10), (0.0, n01)]
            points = list(product((0.0, n11), harmed[0], (0.0, n00), harmed[1]))
        found[name] = [(*point, n11, weight) for point in points]
    return found


def _interval(bounds: Sequence[tuple[float, int]], monotone: bool) -> tuple[float, ...]:
    """The ends of {h: start + slope * h >= 0 for all bounds}; with `monotone`, h = 0."""
    if monotone:
        return (0.0,)
    return max(-start for start, slope in bounds if slope > 0), min(start for start, slope in bounds if slope < 0)


def benefit(corner: Corner) -> float:
    return corner[0] + corner[2]


def harm(corner: Corner) -> float:
    return corner[1] + corner[3]


def _range(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)


def confirmed(params: Mapping[str, Any], gold: Mapping[str, Json]) -> dict[str, bool]:
    """Whether the corners bear out each key."""
    groups = corners(params)
    gains = {name: _range([benefit(one) for one in points]) for name, points in groups.items()}
    weight = {name: points[0][5] for name, points in groups.items()}
    low, high = (sum(weight[name] * ends[side] for name, ends in gains.items()) for side in (0, 1))
    shown = sum(weight[name] * points[0][4] for name, points in groups.items())
    needed = [
        sum(weight[name] * _range([one[0] for one in points])[side] for name, points in groups.items()) / shown
        for side in (0, 1)
    ]
    numbers = {"LOWER": low, "UPPER": high, "PN_LOWER": needed[0], "PN_UPPER": needed[1]}
    found = {part: abs(value - float(Fraction(gold[part]))) < CLOSE for part, value in numbers.items() if part in gold}
    if "POINT_IDENTIFIED" in gold:
        found["POINT_IDENTIFIED"] = gold["POINT_IDENTIFIED"] == ("yes" if high - low < CLOSE else "no")
    if "ORDER" in gold:
        tops = [gains[name][1] for name in gold["ORDER"]]
        found["ORDER"] = sorted(gold["ORDER"]) == sorted(gains) and all(
            tops[at] < tops[at + 1] for at in range(len(tops) - 1)
        )
    for claim in params.get("claims", ()):
        kind = claim["kind"]
        if kind == "pinned":
            ends = gains[claim["group"]]
            holds = ends[1] - ends[0] < CLOSE
        elif kind == "harmless":
            holds = all(_range([harm(one) for one in points])[0] < CLOSE for points in groups.values())
        elif kind == "most":
            holds = claim["group"] == max(gains, key=lambda name: gains[name][1])
        else:
            value = {"low": needed[0], "high": needed[1]}[kind]
            holds = abs(value - float(Fraction(claim["value"]))) < 0.0005 + CLOSE
        found[claim["id"]] = gold[claim["id"]] == ("true" if holds else "false")
    return found
