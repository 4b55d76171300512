"""Shortest formulas: for every Boolean function of a few variables, how many nodes its shortest formula has.

The table is complete up to its limit: all formulas of the language, operators of any arity, are covered, so a function
that first appears at *s* nodes has no formula with fewer. Functions are truth tables (bit *a* for assignment *a*),
kept as sorted arrays of integers; every step is exact integer arithmetic.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.models.boolean import Formula, Step, assignment_masks

Tables = NDArray[np.uint64]

_EMPTY: Tables = np.array([], np.uint64)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_FOLD: dict[str, Any] = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}

LIMITS = {1: 4, 2: 4, 3: 9, 4: 11, 5: 9}
"""Inputs -> nodes up to which the table is complete. For up to three inputs that is every function."""


@cache
def minimal_formulas(inputs: int) -> "MinimalFormulas":
    """The table for functions of so many inputs, built once a process (at most about a second)."""
    return MinimalFormulas(inputs, LIMITS[inputs])


class MinimalFormulas:
    """All functions of `inputs` variables whose shortest formula has at most `limit` nodes.

    `by_size[s]` are those of exactly *s* nodes. Under an operator the order of operands is free, so what several
    operands with *t* nodes in all can make is kept as well (`_lists`, for iff as pairs of conjunction and
    disjunction): an operator node over them has *t* + 1 nodes.
    """

    def __init__(self, inputs: int, limit: int) -> None:
        self.inputs = inputs
        self.limit = limit
        self._full = np.uint64((1 << (1 << inputs)) - 1)
        self._variables = assignment_masks(inputs)
        atoms = np.sort(np.array(self._variables, np.uint64))
        self.by_size: list[Tables] = [_EMPTY, atoms]
        self._lists: dict[str, list[Tables]] = {operator: [_EMPTY, atoms] for operator in _FOLD}
        self._pairs: list[Tables] = [_EMPTY, _pair(atoms)]
        self._grow()
        self._known = np.concatenate(self.by_size)
        self._sizes = np.concatenate([np.full(len(tables), size) for size, tables in enumerate(self.by_size)])
        order = np.argsort(self._known, kind="stable")
        self._sorted, self._sorted_sizes = self._known[order], self._sizes[order]

    def _grow(self) -> None:
        known = self.by_size[1]
        known_lists = dict.fromkeys(_FOLD, known)
        known_pairs = self._pairs[1]
        for size in range(2, self.limit + 1):
            found = [self.by_size[size - 1] ^ self._full]
            operands = size - 1
            if operands >= 2:
                own = self.by_size[operands]
                for operator, fold in _FOLD.items():
                    lists = self._lists[operator]
                    several = _union(
                        _outer(fold, lists[operands - last], self.by_size[last]) for last in range(1, operands)
                    )
                    found.append(several)
                    fresh = np.union1d(np.setdiff1d(several, known_lists[operator], assume_unique=True), own)
                    lists.append(fresh)
                    known_lists[operator] = np.union1d(known_lists[operator], fresh)
                several = _union(
                    _outer_pairs(self._pairs[operands - last], self.by_size[last]) for last in range(1, operands)
                )
                found.append((several >> _HALF) | ((several & _LOW) ^ self._full))
                fresh = np.union1d(np.setdiff1d(several, known_pairs, assume_unique=True), _pair(own))
                self._pairs.append(fresh)
                known_pairs = np.union1d(known_pairs, fresh)
            new = np.setdiff1d(_union(found), known, assume_unique=True)
            self.by_size.append(new)
            known = np.union1d(known, new)

    def size(self, table: int) -> int | None:
        """Nodes of the shortest formula of `table`; None where it has more than the limit."""
        place = int(np.searchsorted(self._sorted, np.uint64(table)))
        if place < len(self._sorted) and int(self._sorted[place]) == table:
            return int(self._sorted_sizes[place])
        return None

    def needing_all(self, size: int) -> Tables:
        """The functions of exactly `size` nodes that depend on every input, in numeric order."""
        tables = self.by_size[size]
        kept = np.ones(len(tables), np.bool_)
        for index, mask in enumerate(self._variables):
            flipped = (tables & np.uint64(mask)) >> np.uint64(1 << index)
            kept &= ((flipped ^ tables) & (self._full ^ np.uint64(mask))) != 0
        return tables[kept]

    def completion(self, care: int, value: int) -> int | None:
        """The function with the shortest formula that agrees with `value` wherever `care` has a bit.

        Of several, the one with the smallest table. None where every one is longer than the limit.
        """
        wanted = np.uint64(value & care)
        for tables in self.by_size:
            fitting = tables[(tables & np.uint64(care)) == wanted]
            if len(fitting):
                return int(fitting[0])
        return None

    def formula(self, table: int, names: tuple[str, ...]) -> Formula:
        """A shortest formula of `table` over `names` (one a bit of the assignment). Raises KeyError beyond the limit.

        Of several shortest ones, always the same.
        """
        program: list[Step] = []
        self._write(table, names, program)
        mentioned = dict.fromkeys(step for step in program if isinstance(step, str))
        return Formula(tuple(program), tuple(mentioned))

    def _write(self, table: int, names: tuple[str, ...], program: list[Step]) -> None:
        size = self.size(table)
        if size is None:
            raise KeyError(table)
        if size == 1:
            program.append(names[self._variables.index(table)])
            return
        operator, operands = self._take_apart(table, size)
        for operand in sorted(operands, key=lambda operand: (self.size(operand) or 0, operand)):
            self._write(operand, names, program)
        program.append((operator, len(operands)))

    def _take_apart(self, table: int, size: int) -> tuple[str, list[int]]:
        operands = size - 1
        for operator, fold in _FOLD.items():
            found = self._split(fold, self._lists[operator], np.uint64(table), operands)
            if found is not None:
                return operator, found
        for last in range(1, operands):
            pairs, tables = self._pairs[operands - last], self.by_size[last]
            joined = _pairwise(pairs, tables)
            fits = np.argwhere(((joined >> _HALF) | ((joined & _LOW) ^ self._full)) == np.uint64(table))
            if len(fits):
                row, column = (int(place) for place in fits[0])
                return "iff", [*self._split_pair(pairs[row], operands - last), int(tables[column])]
        return "not", [table ^ int(self._full)]

    def _split(self, fold: Any, lists: list[Tables], table: np.uint64, operands: int) -> list[int] | None:
        """At least two operands with `operands` nodes in all that `fold` to `table`."""
        for last in range(1, operands):
            rest, tables = lists[operands - last], self.by_size[last]
            fits = np.argwhere(fold(rest[:, None], tables[None, :]) == table)
            if len(fits):
                row, column = (int(place) for place in fits[0])
                first = self._split_list(fold, lists, rest[row], operands - last)
                return [*first, int(tables[column])]
        return None

    def _split_list(self, fold: Any, lists: list[Tables], table: np.uint64, operands: int) -> list[int]:
        if self.size(int(table)) == operands:
            return [int(table)]
        found = self._split(fold, lists, table, operands)
        if found is None:
            raise KeyError(int(table))
        return found

    def _split_pair(self, pair: np.uint64, operands: int) -> list[int]:
        every, some = int(pair >> _HALF), int(pair & _LOW)
        if every == some and self.size(every) == operands:
            return [every]
        for last in range(1, operands):
            pairs, tables = self._pairs[operands - last], self.by_size[last]
            fits = np.argwhere(_pairwise(pairs, tables) == pair)
            if len(fits):
                row, column = (int(place) for place in fits[0])
                return [*self._split_pair(pairs[row], operands - last), int(tables[column])]
        raise KeyError(int(pair))


def _pair(tables: Tables) -> Tables:
    return (tables << _HALF) | tables


def _pairwise(pairs: Tables, tables: Tables) -> Tables:
    every = (pairs >> _HALF)[:, None] & tables[None, :]
    some = (pairs & _LOW)[:, None] | tables[None, :]
    return (every << _HALF) | some


def _outer(fold: Any, one: Tables, other: Tables) -> Tables:
    return np.unique(fold(one[:, None], other[None, :]))


def _outer_pairs(pairs: Tables, tables: Tables) -> Tables:
    return np.unique(_pairwise(pairs, tables))


def _union(parts: Any) -> Tables:
    return np.unique(np.concatenate(list(parts)))
