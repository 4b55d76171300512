"""Shortest formulas against plain enumeration of every formula, by another route."""

from functools import cache, reduce
from itertools import product
from operator import and_, or_, xor

import pytest
from benchpress.models import boolean, boolean_cells
from benchpress.modules.replay.completion import complete, tabulate
from benchpress.modules.replay.minimal import LIMITS, minimal_formulas
from hypothesis import given, settings
from hypothesis import strategies as st

NAMES = ("A", "B", "C", "D", "E", "F", "G")


def compositions(total: int, parts: int) -> list[tuple[int, ...]]:
    if parts == 1:
        return [(total,)]
    return [(first, *rest) for first in range(1, total - parts + 2) for rest in compositions(total - first, parts - 1)]


@cache
def tables_of_exactly(size: int, inputs: int) -> frozenset[int]:
    """The truth table of every formula with exactly `size` nodes over `inputs` variables, none left out."""
    rows = range(1 << inputs)
    full = (1 << len(rows)) - 1
    if size == 1:
        return frozenset(sum((a >> place & 1) << a for a in rows) for place in range(inputs))
    found = {full ^ table for table in tables_of_exactly(size - 1, inputs)}
    for arity in range(2, size):
        for sizes in compositions(size - 1, arity):
            if list(sizes) != sorted(sizes):
                continue  # operands may be put in any order
            for operands in product(*(tables_of_exactly(part, inputs) for part in sizes)):
                every, some = reduce(and_, operands), reduce(or_, operands)
                found |= {every, some, reduce(xor, operands), every | (full ^ some)}
    return frozenset(found)


@pytest.mark.parametrize(("inputs", "largest"), [(1, 4), (2, 6), (3, 6)])
def test_sizes_equal_enumeration(inputs: int, largest: int) -> None:
    shortest: dict[int, int] = {}
    for size in range(1, largest + 1):
        for table in tables_of_exactly(size, inputs):
            shortest.setdefault(table, size)
    known = minimal_formulas(inputs)
    for table in range(1 << (1 << inputs)):
        size = known.size(table)
        if size is None or size > largest:
            assert table not in shortest
        else:
            assert shortest[table] == size


def test_every_function_of_three_variables_has_a_formula_of_at_most_nine_nodes() -> None:
    known = minimal_formulas(3)
    assert all(known.size(table) is not None for table in range(256))
    assert known.size(0b10010110) == 4  # parity
    assert max(known.size(table) or 0 for table in range(256)) == 9


@settings(max_examples=60)
@given(st.integers(2, 5), st.randoms(use_true_random=False))
def test_formulas_mean_what_they_were_asked_for(inputs: int, random: object) -> None:
    known = minimal_formulas(inputs)
    size = random.randint(1, LIMITS[inputs])  # type: ignore[attr-defined]
    tables = known.by_size[size].tolist()
    if not tables:
        return
    table = random.choice(tables)  # type: ignore[attr-defined]
    formula = known.formula(table, NAMES[:inputs])
    assert formula.size == size
    tree = boolean_cells.tree(str(formula))
    for assignment in range(1 << inputs):
        values = {name: assignment >> place & 1 for place, name in enumerate(NAMES[:inputs])}
        assert boolean_cells.value_of(tree, values) == table >> assignment & 1


@settings(max_examples=60)
@given(st.integers(1, 7), st.data())
def test_completions_keep_to_what_was_seen(inputs: int, data: st.DataObject) -> None:
    bits = st.integers(0, (1 << (1 << inputs)) - 1)
    care, value = data.draw(bits), data.draw(bits)
    size, text = complete(NAMES[:inputs], care, value)
    formula = boolean.parse(text, NAMES)
    assert formula.size == size
    assert (boolean.truth_table(formula, NAMES[:inputs]) ^ value) & care == 0


def test_a_table_of_rows_goes_by_majority() -> None:
    # Rows 0 to 3 have the input at 0, rows 4 and 5 at 1; the target is 1 in rows 0, 1, 2 and 5.
    assert tabulate([0b110000], 0b100111, 0b111111) == (0b11, 0b11, 2)
    assert tabulate([0b110000], 0b100111, 0b001111) == (0b01, 0b01, 1)
