"""What rows show: for many pairs of a variable and a support at once, which assignments of the support were seen with
which value of the variable. Whole-number arrays only, so every machine gets the same."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.models.boolean import truth_table
from benchpress.modules.replay.latent import Latent

Bits = NDArray[np.uint8]
"""Rows by variables (in the order of `Latent.variables`), entries 0 or 1."""


class Simulator:
    """Forward simulation of a latent model, many rows at a time, by table look-up."""

    def __init__(self, latent: Latent) -> None:
        place = {name: index for index, name in enumerate(latent.variables)}
        self.variables = len(place)
        self.roots = [place[name] for name in latent.roots]
        self._steps = []
        for name, formula in latent.model.formulas.items():
            parents = formula.variables
            table = truth_table(formula, parents)
            values = np.array([table >> entry & 1 for entry in range(1 << len(parents))], np.uint8)
            weights = np.array([1 << index for index in range(len(parents))], np.intp)
            self._steps.append((place[name], [place[parent] for parent in parents], weights, values))

    def run(self, roots: Bits, targets: Sequence[int], assigned: Bits) -> Bits:
        """Rows from root values (rows by roots) with `targets` held at `assigned` (rows by targets)."""
        rows = np.zeros((len(roots), self.variables), np.uint8)
        rows[:, self.roots] = roots
        held = set(targets)
        if held:
            rows[:, targets] = assigned
        for variable, parents, weights, values in self._steps:
            if variable not in held:
                rows[:, variable] = values[rows[:, parents] @ weights]
        return rows


class Supports:
    """Pairs of a target and a support. A state has a row a pair and an entry an assignment of the support: bit 0 where
    it was seen with the target at 0, bit 1 with the target at 1."""

    def __init__(self, pairs: Iterable[tuple[int, Sequence[int]]], variables: int) -> None:
        listed = list(pairs)
        self.targets = np.array([target for target, _ in listed], np.intp)
        self.sizes = np.array([len(members) for _, members in listed], np.intp)
        self.masks = np.array([sum(1 << member for member in members) for _, members in listed], np.intp)
        self.weights = np.zeros((variables, len(listed)), np.intp)
        for column, (_, members) in enumerate(listed):
            for place, member in enumerate(members):
                self.weights[member, column] = 1 << place
        self.width = 1 << int(self.sizes.max(initial=0))

    def unseen(self) -> Bits:
        """The state before any row. Entries beyond a support's assignments count as seen with both values."""
        state = np.zeros((len(self.targets), self.width), np.uint8)
        state[np.arange(self.width)[None, :] >= (1 << self.sizes)[:, None]] = 4
        return state

    def add(self, state: Bits, rows: Bits, clamped: Sequence[int]) -> Bits:
        """The state after further rows in which the variables `clamped` were intervened."""
        state = state.copy()
        free = np.flatnonzero(~np.isin(self.targets, clamped))
        entries = rows.astype(np.intp) @ self.weights[:, free]
        marks = np.left_shift(1, rows[:, self.targets[free]]).astype(np.uint8)
        for entry, mark in zip(entries, marks, strict=True):
            state[free, entry] |= mark
        return state

    def entries(self, rows: Bits) -> NDArray[np.intp]:
        """Which assignment of each support each row has (rows by pairs)."""
        result: NDArray[np.intp] = rows.astype(np.intp) @ self.weights
        return result

    @staticmethod
    def fits(state: Bits) -> NDArray[np.bool_]:
        """Which pairs still have the target as a function of the support."""
        result: NDArray[np.bool_] = ~(state == 3).any(axis=1)
        return result

    @staticmethod
    def open(state: Bits) -> Any:
        """How many assignments of each support were never seen."""
        return (state == 0).sum(axis=1)
