"""Alternatives to a model: other models that fit the training worlds, and experiments that tell the two apart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchpress.models.boolean import Formula, signature
from benchpress.models.boolean_replay import Model, do_over_all_roots
from benchpress.modules.replay.ambiguity import Rows, fitting_functions
from benchpress.modules.replay.completion import tabulate
from benchpress.modules.replay.minimal import minimal_formulas

CANDIDATES = 24


@dataclass(frozen=True, slots=True)
class Separation:
    """A single-variable experiment under which two models differ, and a row that shows it."""

    variable: str
    value: int
    roots: Mapping[str, int]
    differences: tuple[tuple[str, int, int], ...]
    """Variable, its value in the first model, in the second."""


def separation(one: Model, other: Model) -> Separation | None:
    """The experiment do(variable = value) under which most root assignments tell two models apart; None if none does.

    Of several, the first in the order of variables, then value 0.
    """
    best: tuple[int, Separation] | None = None
    for variable in (*one.roots, *one.formulas):
        for value in (0, 1):
            first, mask = do_over_all_roots(one, variable, value)
            second, _ = do_over_all_roots(other, variable, value)
            differ = {name: (first[name] ^ second[name]) & mask for name in one.formulas if name != variable}
            rows = 0
            for column in differ.values():
                rows |= column
            if rows and (best is None or rows.bit_count() > best[0]):
                row = (rows & -rows).bit_length() - 1
                shown = tuple(
                    (name, first[name] >> row & 1, second[name] >> row & 1)
                    for name, column in differ.items()
                    if column >> row & 1
                )
                assignment = {root: row >> place & 1 for place, root in enumerate(one.roots)}
                if variable in assignment:
                    assignment[variable] = value
                best = (rows.bit_count(), Separation(variable, value, assignment, shown))
    return None if best is None else best[1]


def alternatives(
    model: Model, order: Sequence[str], rows: Rows, places: Mapping[str, int], most: int
) -> Iterator[tuple[Model, Separation]]:
    """Legal models that fit the training rows and differ from `model` in one mechanism, told apart by some
    single-variable experiment. They keep to `order`, an order of the model, so they are legal whatever is disclosed.

    `places` gives the column of each variable in `rows`; mechanisms have two to `most` parents. Shortest mechanisms
    first, then by variable; at most `CANDIDATES` are looked at.
    """
    found: list[tuple[int, int, str, Formula]] = []
    names_at = {place: name for name, place in places.items()}
    for position, target in enumerate(order):
        if target not in model.formulas:
            continue
        before = sorted(places[name] for name in order[:position])
        own = signature(model.formulas[target])
        for support in fitting_functions(rows, places[target], before, most):
            members = tuple(index for index in before if support >> index & 1)
            if len(members) < 2:
                continue
            names = tuple(names_at[index] for index in members)
            for table in _completions(rows, places[target], members):
                formula = minimal_formulas(len(names)).formula(table, names)
                if signature(formula) != own:
                    found.append((formula.size, position, str(formula), formula))
    found.sort(key=lambda entry: entry[:3])
    for _, position, _, formula in list(_distinct(found))[:CANDIDATES]:
        other = replace_mechanism(model, order[position], formula)
        told = separation(model, other)
        if told is not None:
            yield other, told


def _distinct(found: Sequence[tuple[int, int, str, Formula]]) -> Iterator[tuple[int, int, str, Formula]]:
    seen = set()
    for entry in found:
        key = entry[1], signature(entry[3])
        if key not in seen:
            seen.add(key)
            yield entry


def _completions(rows: Rows, target: int, members: Sequence[int]) -> Iterator[int]:
    """A few functions of `members` that fit: the one with the shortest formula, and it with one unseen entry turned."""
    columns = [rows.columns[member] for member in members]
    care, value, _ = tabulate(columns, rows.columns[target], rows.free[target])
    table = minimal_formulas(len(members)).completion(care, value)
    if table is None:
        return
    yield table
    for entry in range(1 << len(members)):
        if not care >> entry & 1 and minimal_formulas(len(members)).size(table ^ (1 << entry)) is not None:
            yield table ^ (1 << entry)


def replace_mechanism(model: Model, variable: str, formula: Formula) -> Model:
    """`model` with another formula for one variable; the order of evaluation stays."""
    return Model(model.roots, {name: formula if name == variable else own for name, own in model.formulas.items()})


def answer(alternative: Model, told: Separation, reference_first: bool) -> dict[str, Any]:
    """The complete answer that presents `alternative` against the reference, in the form the prompt asks for.

    `told` compares two models, the reference first or second.
    """
    return {
        "alternative": {"mechanisms": {name: str(formula) for name, formula in sorted(alternative.formulas.items())}},
        "experiment": {"type": "hard_do", "assignments": {told.variable: told.value}},
        "witness": {
            "rootAssignment": dict(told.roots),
            "differences": [
                {
                    "variable": name,
                    "reference": first if reference_first else second,
                    "alternative": second if reference_first else first,
                }
                for name, first, second in told.differences
            ],
        },
    }
