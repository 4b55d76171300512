"""Binary causal models as params: drawing conditional probabilities, and the exact network behind them.

`probabilities` in params lists {"of": name, "given": [direct causes in code-point order], "rows": [[bits, value], ...]}
with one row for every state of the causes; `value` is the chance that the variable is 1.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

from benchpress.models.discrete import Network
from benchpress.models.exact import exact
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sections import Params

TENTHS = tuple(Fraction(step, 10) for step in range(1, 10))
GRID = tuple(Fraction(step, 20) for step in range(2, 19))
"""Chances that are drawn: 0.10 to 0.90 in steps of 0.05, so every cell stays well away from zero and one."""


def states(count: int) -> list[str]:
    """Every state of `count` binary causes as bits, the last one varying fastest."""
    return ["".join(bits) for bits in product("01", repeat=count)]


def draw_chances(
    stream: Stream, causes: int, grid: Sequence[Fraction] = GRID, apart: Fraction = Fraction(1, 5)
) -> list[Fraction]:
    """A chance for every state of the causes; flipping any one cause changes it by at least `apart` somewhere."""
    while True:
        values = [stream.choice(grid) for _ in range(1 << causes)]
        unit = lcm(*(value.denominator for value in values))
        steps = [value.numerator * (unit // value.denominator) * apart.denominator for value in values]
        least = apart.numerator * unit
        if all(
            any(abs(steps[at] - steps[at ^ 1 << cause]) >= least for at in range(1 << causes))
            for cause in range(causes)
        ):
            return values


def draw_steady(stream: Stream, causes: int) -> list[Fraction]:
    """A chance for every state of at most three causes; each cause moves it up or down by 0.15 to 0.45 throughout."""
    if causes == 0:
        return [Fraction(stream.between(6, 14), 20)]
    room = {1: (6, 9), 2: (4, 6), 3: (3, 4)}[causes]
    moves = [stream.between(*room) for _ in range(causes)]
    flips = stream.bits(causes)
    slack = 18 - sum(moves) - 1
    base = 1 + stream.below(max(1, slack))
    values = []
    for at in range(1 << causes):
        on = at ^ flips
        value = base + sum(move for place, move in enumerate(moves) if on >> place & 1)
        values.append(Fraction(value + stream.below(2), 20))
    return values


def table(of: str, given: Sequence[str], values: Sequence[Fraction]) -> Params:
    """One entry of `probabilities`; `values` go with `states` of the causes in the order given here."""
    texts = [show(value) for value in values]
    bits = states(len(given))
    if list(given) != (ordered := sorted(given)):
        place = [given.index(name) for name in ordered]
        bits = ["".join([state[at] for at in place]) for state in bits]
    return {"of": of, "given": ordered, "rows": sorted([state, text] for state, text in zip(bits, texts, strict=True))}


def graph_of(probabilities: Sequence[Mapping[str, Any]]) -> Params:
    """The directed graph that the tables imply, as params have it."""
    return {
        "nodes": sorted(entry["of"] for entry in probabilities),
        "directed": sorted([cause, entry["of"]] for entry in probabilities for cause in entry["given"]),
        "bidirected": [],
    }


def joint_of(probabilities: Sequence[Mapping[str, Any]]) -> Params:
    """The joint distribution that the tables imply, as params have it: every cell the product of its chances."""
    columns = sorted(entry["of"] for entry in probabilities)
    place = {name: at for at, name in enumerate(columns)}
    factors = []
    for entry in probabilities:
        chance = {bits: exact(value) for bits, value in entry["rows"]}
        factors.append((place[entry["of"]], [place[name] for name in entry["given"]], chance))
    rows = []
    for bits in states(len(columns)):
        share = Fraction(1)
        for of, given, chance in factors:
            one = chance["".join(bits[at] for at in given)]
            share *= one if bits[of] == "1" else 1 - one
        rows.append([bits, show(share)])
    return {"columns": columns, "rows": rows}


def network(params: Mapping[str, Any]) -> Network:
    """The exact network of `params["probabilities"]`."""
    entries = params["probabilities"]
    return Network.of(
        {entry["of"]: entry["given"] for entry in entries},
        {entry["of"]: [exact(value) for _, value in sorted(entry["rows"])] for entry in entries},
    )
