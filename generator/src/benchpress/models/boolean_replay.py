"""Replay of a Boolean structural causal model in every row of every world at once.

All rows of all worlds stand behind one another; a variable's column is one integer. Replay of a model takes a
few big-integer operations per node of its formulas, whatever the number of rows below some thousands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchpress.models.boolean import Formula, assignment_masks, evaluate


@dataclass(frozen=True, slots=True)
class World:
    """One regime: which rows of the panel it owns (a mask) and whether a solver sees it."""

    id: str
    rows: int
    train: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """The rows of all worlds, packed. Bit *r* of `columns[v]` is the value of v in row *r*, of `clamped[v]` whether
    v is intervened there."""

    mask: int
    train: int
    columns: Mapping[str, int]
    clamped: Mapping[str, int]
    worlds: tuple[World, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """A legal model: roots, and formulas in an order in which each needs only what stands before it."""

    roots: tuple[str, ...]
    formulas: Mapping[str, Formula]


def pack(column: Sequence[int]) -> int:
    """Bits, first one lowest, as an integer. Raises ValueError where an entry is neither 0 nor 1."""
    text = bytes(column[::-1])
    if text.translate(None, b"\x00\x01"):
        raise ValueError("a cell must be 0 or 1")
    return int(text.translate(_DIGITS), 2) if text else 0


_DIGITS = bytes([48, 49]) + bytes(254)


def wrong_cells(panel: Panel, model: Model) -> dict[str, int]:
    """Where the replay of `model` differs from what was observed, a mask per endogenous variable.

    In each row an intervened variable has its assigned value and a root its observed one; every other variable is
    computed from values computed before it, never from observed ones. Intervened cells are not scored.
    """
    mask = panel.mask
    values = dict(panel.columns)
    wrong = {}
    for variable, formula in model.formulas.items():
        observed = values[variable]
        free = mask & ~panel.clamped[variable]
        differs = (evaluate(formula.program, values, mask) ^ observed) & free
        if differs:
            values[variable] = observed ^ differs
        wrong[variable] = differs
    return wrong


@dataclass(frozen=True, slots=True)
class Replay:
    """Counts over one split: scored and right cells, worlds with a scored cell, and those replayed exactly."""

    cells: int
    right: int
    worlds: int
    exact_worlds: int

    @property
    def exact(self) -> bool:
        """At least one scored cell, and every one right."""
        return self.cells > 0 and self.right == self.cells

    @property
    def cell_accuracy(self) -> float:
        return self.right / self.cells if self.cells else 0.0

    @property
    def world_exact(self) -> float:
        return self.exact_worlds / self.worlds if self.worlds else 0.0


def replay(panel: Panel, model: Model) -> tuple[Replay, Replay]:
    """Replay `model` in every world; the counts over training and over held-out worlds."""
    wrong = wrong_cells(panel, model)
    scored_somewhere = wrong_somewhere = 0
    train_cells = train_wrong = all_cells = all_wrong = 0
    for variable, differs in wrong.items():
        free = panel.mask & ~panel.clamped[variable]
        scored_somewhere |= free
        all_cells += free.bit_count()
        train_cells += (free & panel.train).bit_count()
        if differs:
            wrong_somewhere |= differs
            all_wrong += differs.bit_count()
            train_wrong += (differs & panel.train).bit_count()
    worlds = [0, 0]
    exact = [0, 0]
    for world in panel.worlds:
        if world.rows & scored_somewhere:
            worlds[world.train] += 1
            if not world.rows & wrong_somewhere:
                exact[world.train] += 1
    return (
        Replay(train_cells, train_cells - train_wrong, worlds[1], exact[1]),
        Replay(all_cells - train_cells, all_cells - all_wrong - train_cells + train_wrong, worlds[0], exact[0]),
    )


def simulate(model: Model, columns: Mapping[str, int], mask: int, forced: Mapping[str, int]) -> dict[str, int]:
    """The values of every variable from root columns, with the variables of `forced` held at their columns."""
    values = {**columns, **forced}
    for variable, formula in model.formulas.items():
        if variable not in forced:
            values[variable] = evaluate(formula.program, values, mask)
    return values


def do_over_all_roots(model: Model, variable: str, value: int) -> tuple[dict[str, int], int]:
    """The values of every variable under do(variable = value) over all assignments of the roots, and the mask.

    Assignment *a* gives root *i* (in the order of `model.roots`) bit *i* of *a*.
    """
    mask = (1 << (1 << len(model.roots))) - 1
    columns = dict(zip(model.roots, assignment_masks(len(model.roots)), strict=True))
    return simulate(model, columns, mask, {variable: mask if value else 0}), mask
