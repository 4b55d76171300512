"""Exact probabilities in one or two worlds at once, by elimination along the causal order, in whole numbers.

Every binary variable is 1 exactly when its own noise, uniform and independent of all others, lies below its chance
under its direct causes. A world is an intervention; the noises are the same in all worlds, so nested counterfactuals
follow from the tables alone.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from benchpress.models.exact import exact

Do = Mapping[str, int | tuple[int, str]]
"""An intervention: a value, or (world, variable) for the value that the variable has in an earlier world."""

State = tuple[int, ...]
States = dict[State, int]
Looks = Sequence[Sequence[tuple[int, int]]]
"""Where each copy finds the values of its causes: (1, place in the state), or (0, value) where it is set."""

Copy = tuple[int, str]
"""A variable in a world; variables that no intervention touches stand in world 0 only."""


class Model:
    """The binary network of `params["probabilities"]`, its chances as whole numbers over one unit a variable."""

    def __init__(self, probabilities: Sequence[Mapping[str, Any]]) -> None:
        self.parents: dict[str, tuple[str, ...]] = {entry["of"]: tuple(entry["given"]) for entry in probabilities}
        self.units: dict[str, int] = {}
        self.chances: dict[str, dict[tuple[int, ...], int]] = {}
        for entry in probabilities:
            values = {tuple(map(int, bits)): exact(value) for bits, value in entry["rows"]}
            unit = lcm(*(value.denominator for value in values.values()))
            self.units[entry["of"]] = unit
            self.chances[entry["of"]] = {
                state: value.numerator * (unit // value.denominator) for state, value in values.items()
            }
        self.order: list[str] = []
        waiting = sorted(self.parents)
        while waiting:
            ready = [name for name in waiting if all(cause in self.order for cause in self.parents[name])]
            self.order += ready
            waiting = [name for name in waiting if name not in ready]

    def affected(self, names: Sequence[str]) -> set[str]:
        """`names` and everything downstream of them."""
        found = set(names)
        for name in self.order:
            if not found.isdisjoint(self.parents[name]):
                found.add(name)
        return found

    def distribution(self, keep: Sequence[Copy], worlds: Sequence[Do] = ({},)) -> dict[tuple[int, ...], Fraction]:
        """The joint distribution of the copies in `keep` (values in their order), states of weight zero left out."""
        weights, whole = self.weights(keep, worlds)
        return {values: Fraction(weight, whole) for values, weight in weights.items()}

    def weights(self, keep: Sequence[Copy], worlds: Sequence[Do] = ({},)) -> tuple[dict[tuple[int, ...], int], int]:
        """The same as whole numbers, and what they sum to.

        Exponential only in the number of copies that are alive at once.
        """
        touched = [self.affected(tuple(do)) for do in worlds]

        def settle(copy: Copy) -> Copy | int:
            """The copy that really varies, or the value that an intervention gives it."""
            while True:
                world, name = copy
                forced = worlds[world].get(name)
                if forced is None:
                    return (world, name) if name in touched[world] else (0, name)
                if isinstance(forced, int):
                    return forced
                copy = forced

        goals = [settle(copy) for copy in keep]
        causes: dict[Copy, list[Copy | int]] = {}
        todo = [goal for goal in goals if not isinstance(goal, int)]
        while todo:
            copy = todo.pop()
            if copy not in causes:
                world, name = copy
                causes[copy] = [settle((world, cause)) for cause in self.parents[name]]
                todo += [cause for cause in causes[copy] if not isinstance(cause, int)]

        steps = [
            (name, copies)
            for name in self.order
            if (copies := [copy for copy in ((world, name) for world in range(len(worlds))) if copy in causes])
        ]
        last = {copy: len(steps) for copy in goals if not isinstance(copy, int)}
        for at, (_, copies) in reversed(list(enumerate(steps))):
            for copy in copies:
                for cause in causes[copy]:
                    if not isinstance(cause, int):
                        last.setdefault(cause, at)

        alive: list[Copy] = []
        states: dict[tuple[int, ...], int] = {(): 1}
        whole = 1
        for at, (name, copies) in enumerate(steps):
            unit, chances = self.units[name], self.chances[name]
            whole *= unit
            place = {copy: where for where, copy in enumerate(alive)}
            looks = [
                [(0, cause) if isinstance(cause, int) else (1, place[cause]) for cause in causes[copy]]
                for copy in copies
            ]
            grown = [*alive, *copies]
            kept = [where for where, copy in enumerate(grown) if last.get(copy, -1) > at]
            step = _one if len(copies) == 1 and kept[-1:] == [len(alive)] else _several
            following = step(states, looks, chances, unit, kept)
            alive, states = [grown[where] for where in kept], following

        result: dict[tuple[int, ...], int] = {}
        place = {copy: where for where, copy in enumerate(alive)}
        for state, weight in states.items():
            values = tuple([goal if isinstance(goal, int) else state[place[goal]] for goal in goals])
            result[values] = result.get(values, 0) + weight
        return result, whole

    def chance(self, copy: Copy, worlds: Sequence[Do] = ({},)) -> Fraction:
        """The chance that one copy is 1."""
        weights, whole = self.weights([copy], worlds)
        return Fraction(weights.get((1,), 0), whole)


def _one(states: States, looks: Looks, chances: Mapping[State, int], unit: int, kept: Sequence[int]) -> States:
    """States and weights after one more variable, which stays alive: what :func:`_several` does, in fewer steps."""
    following: States = {}
    stay, look = kept[:-1], looks[0]
    for state, weight in states.items():
        one = chances[tuple([state[it] if varies else it for varies, it in look])]
        base = tuple([state[where] for where in stay])
        if one:
            key = (*base, 1)
            following[key] = following.get(key, 0) + weight * one
        if one < unit:
            key = (*base, 0)
            following[key] = following.get(key, 0) + weight * (unit - one)
    return following


def _several(states: States, looks: Looks, chances: Mapping[State, int], unit: int, kept: Sequence[int]) -> States:
    """States and weights after the copies of one more variable in several worlds, which share its noise."""
    following: States = {}
    for state, weight in states.items():
        ends = [chances[tuple([state[it] if varies else it for varies, it in look])] for look in looks]
        for values, share in _together(ends, unit):
            if share:
                longer = (*state, *values)
                key = tuple([longer[where] for where in kept])
                following[key] = following.get(key, 0) + weight * share
    return following


def _together(ends: Sequence[int], unit: int) -> list[tuple[tuple[int, ...], int]]:
    """Values of variables that are 1 below their `ends` on one noise, with the shares of the noise's `unit`."""
    if len(ends) == 1:
        return [((1,), ends[0]), ((0,), unit - ends[0])]
    cuts = sorted({0, unit, *ends})
    return [(tuple([int(low < end) for end in ends]), high - low) for low, high in pairwise(cuts)]
