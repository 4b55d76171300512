"""Second methods for nested counterfactuals: all cells of two worlds at once, one axis a variable and world.

Every variable's response is enumerated: its noise is cut at the chances of its rows, and each piece of noise answers
for every state of the causes in both worlds. Sums of cells in floating point; no formula, no elimination.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.modules.causal.checks import EXACT, Population, seed_of
from benchpress.modules.causal.checks_numbers import printed

Cells = NDArray[np.floating[Any]]
Slot = tuple[str, int]

CLOSE = 1e-9
"""Floating-point sums of cells agree with exact fractions much closer than this."""


def tables_of(params: Mapping[str, Any]) -> dict[str, tuple[list[str], Cells]]:
    """Direct causes and chance of a 1 for every state of them, from printed chances or a printed joint distribution."""
    found: dict[str, tuple[list[str], Cells]] = {}
    if "joint" not in params:
        for entry in params["probabilities"]:
            chance = np.empty((2,) * len(entry["given"]))
            for bits, value in entry["rows"]:
                chance[tuple(map(int, bits))] = printed(value)
            found[entry["of"]] = (list(entry["given"]), chance)
        return found
    columns = params["joint"]["columns"]
    whole = np.zeros((2,) * len(columns))
    for bits, value in params["joint"]["rows"]:
        whole[tuple(map(int, bits))] = printed(value)
    for of in columns:
        given = [name for name in columns if [name, of] in params["graph"]["directed"]]
        kept = [columns.index(name) for name in (*given, of)]
        margin = whole.sum(axis=tuple(at for at in range(len(columns)) if at not in kept))
        margin = margin.transpose(np.argsort(np.argsort(kept)))
        found[of] = (given, margin[..., 1] / margin.sum(axis=-1))
    return found


class TwoWorlds:
    """Treatment set to `t` in one world and to `s` in the other; the mediator of the first may follow the second."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.tables = tables_of(params)
        roles = params["roles"]
        self.t, self.m, self.y = roles["treatment"], roles["mediator"], roles["outcome"]
        self.downstream = _reach(self.tables, self.t)
        self.needed = {name for name in self.tables if self.y in _reach(self.tables, name)}
        self.twice = {name for name in self.downstream if self.m in _reach(self.tables, name)}

    def outcome(self, t: int, s: int | None = None, m: int | None = None) -> float:
        """P(outcome = 1) with treatment t; the mediator held at m, as under treatment s, or as it comes."""
        names = sorted(self.needed)
        slots = [(name, 0) for name in names]
        if s is not None:
            slots += [(name, 1) for name in names if name in self.twice]
        axis = {slot: at for at, slot in enumerate(slots)}
        whole = np.ones((1,) * len(slots))
        for name in names:
            copies = [slot for slot in ((name, 0), (name, 1)) if slot in axis]
            if name == self.t:
                whole = whole * _spread(np.eye(2)[t], [(name, 0)], axis)
                if (name, 1) in axis and s is not None:
                    whole = whole * _spread(np.eye(2)[s], [(name, 1)], axis)
            elif name == self.m and m is not None:
                whole = whole * _spread(np.eye(2)[m], [(name, 0)], axis)
            elif name == self.m and s is not None:
                whole = whole * _spread(np.eye(2), copies, axis)
                whole = whole * self._responses(name, copies[1:], axis)
            else:
                whole = whole * self._responses(name, copies, axis)
        ones = [slice(None)] * len(slots)
        ones[axis[self.y, 0]] = slice(1, 2)
        return float(whole[tuple(ones)].sum())

    def _responses(self, name: str, copies: Sequence[Slot], axis: Mapping[Slot, int]) -> Cells:
        """The chance of the copies' values for every state of their causes, by the pieces of the shared noise."""
        given, chance = self.tables[name]
        if len(copies) == 1:
            ends = [(cause, copies[0][1]) if (cause, copies[0][1]) in axis else (cause, 0) for cause in given]
            return _spread(np.stack([1 - chance, chance], axis=-1), [*ends, *copies], axis)
        cuts = np.unique(np.concatenate([[0.0, 1.0], chance.ravel()]))
        width, middle = np.diff(cuts), (cuts[1:] + cuts[:-1]) / 2
        answers = (middle < chance[..., None]).astype(float)
        table = np.stack([1 - answers, answers], axis=-1)
        sources = [[(cause, world) if (cause, world) in axis else (cause, 0) for cause in given] for _, world in copies]
        labels: dict[Slot, int] = {}
        for slot in (*(slot for one in sources for slot in one), *copies):
            labels.setdefault(slot, len(labels) + 1)
        operands: list[Any] = [width, [0]]
        for slot, causes in zip(copies, sources, strict=True):
            operands += [table, [*(labels[cause] for cause in causes), 0, labels[slot]]]
        slots = list(labels)
        return _spread(np.einsum(*operands, [labels[slot] for slot in slots]), slots, axis)


def _spread(own: Cells, slots: Sequence[Slot], axis: Mapping[Slot, int]) -> Cells:
    order = sorted(range(len(slots)), key=lambda at: axis[slots[at]])
    shape = [1] * len(axis)
    for slot in slots:
        shape[axis[slot]] = 2
    return own.transpose(order).reshape(shape)


def _reach(tables: Mapping[str, tuple[list[str], Cells]], start: str) -> set[str]:
    """`start` and everything downstream, by passes over the tables until one adds nothing."""
    found, before = {start}, 0
    while len(found) > before:
        before = len(found)
        found |= {name for name, (given, _) in tables.items() if not found.isdisjoint(given)}
    return found


def effects_agree(population: Population, t: str, m: str, y: str, sets: Sequence[Sequence[str]]) -> list[bool]:
    """For each set, all of one size: do regressions on it give the effects of t on m and y, and of m on y beside t?

    In a generic linear population this holds exactly when the set, free of effects of t, blocks all back-door paths.
    """
    right = np.ones(len(sets), dtype=bool)
    for x, end, beside in ((t, m, ()), (t, y, ()), (m, y, (t,))):
        slopes = population.coefficients(x, end, [[*beside, *one] for one in sets])
        right &= np.abs(slopes - population.effect(x, end)) < 1e3 * EXACT
    return [bool(one) for one in right]


class Mediated:
    """What the enumeration says about a mediation problem."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.params = params
        worlds = TwoWorlds(params)
        held = int(params["held"][0])
        none = worlds.outcome(0)
        self.effects = {
            "nde": worlds.outcome(1, s=0) - none,
            "nie": worlds.outcome(0, s=1) - none,
            "cde": worlds.outcome(1, m=held) - worlds.outcome(0, m=held),
            "total": worlds.outcome(1) - none,
        }
        barred = {*worlds.downstream, *params["unmeasured"]}
        self.free = [name for name in params["graph"]["nodes"] if name not in barred]

    @cached_property
    def population(self) -> Population:
        """A generic linear population of the graph."""
        return Population(self.params["graph"], seed_of(self.params["graph"], "mediation"))

    def is_effect(self, name: str, gold: str) -> bool:
        return abs(self.effects[name] - float(Fraction(gold))) < CLOSE

    def surplus(self) -> float:
        """What direct and indirect effect have beyond the total."""
        return self.effects["nde"] + self.effects["nie"] - self.effects["total"]

    def some_set_is_enough(self) -> bool:
        """Whether any subset of the recorded variables that the treatment does not affect identifies everything."""
        return any(any(self._enough(list(combinations(self.free, size)))) for size in range(len(self.free) + 1))

    def bears_out(self, claim: Mapping[str, Any]) -> bool:
        kind = claim["kind"]
        if kind == "enough":
            return set(claim["chosenset"]) <= set(self.free) and self._enough([claim["chosenset"]])[0]
        if kind in ("more", "less"):
            return (self.surplus() > 0) == bool(kind == "more")
        return abs(self.effects[kind] - float(Fraction(claim["value"]))) < 0.0005 + CLOSE

    def _enough(self, sets: Sequence[Sequence[str]]) -> list[bool]:
        roles = self.params["roles"]
        return effects_agree(self.population, roles["treatment"], roles["mediator"], roles["outcome"], sets)
