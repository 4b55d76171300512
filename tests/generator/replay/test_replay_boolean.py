"""The formula language: bit operations against cell-by-cell evaluation, which shares no code with them."""

from itertools import product

from benchpress.models import boolean, boolean_cells
from hypothesis import given, settings
from replay_samples import formulas

NAMES = ["A", "B", "C", "D", "E"]


@given(formulas(NAMES))
def test_truth_tables_agree_with_evaluation_cell_by_cell(text: str) -> None:
    table = boolean.truth_table(boolean.parse(text, NAMES), NAMES)
    tree = boolean_cells.tree(text)
    for assignment in range(1 << len(NAMES)):
        known = {name: assignment >> place & 1 for place, name in enumerate(NAMES)}
        assert table >> assignment & 1 == boolean_cells.value_of(tree, known)


@given(formulas(NAMES))
def test_functional_parents_are_found_by_flipping(text: str) -> None:
    formula = boolean.parse(text, NAMES)
    assert set(boolean.functional_parents(formula)) == boolean_cells.parents_by_flipping(boolean_cells.tree(text))


@given(formulas(NAMES), formulas(NAMES))
@settings(max_examples=200)
def test_equivalence_is_equality_under_every_assignment(one: str, other: str) -> None:
    trees = boolean_cells.tree(one), boolean_cells.tree(other)
    same = all(
        boolean_cells.value_of(trees[0], known) == boolean_cells.value_of(trees[1], known)
        for values in product((0, 1), repeat=len(NAMES))
        for known in [dict(zip(NAMES, values, strict=True))]
    )
    assert boolean.equivalent(boolean.parse(one, NAMES), boolean.parse(other, NAMES)) is same


@given(formulas(NAMES))
def test_a_formula_is_written_as_it_was_read(text: str) -> None:
    formula = boolean.parse(text, NAMES)
    assert str(formula) == text
    assert formula.size == len(text.replace("(", " ").replace(")", " ").split())


def test_iff_is_equality_of_all_and_xor_parity() -> None:
    names = ["A", "B", "C"]
    all_equal = boolean.truth_table(boolean.parse("(iff A B C)", names), names)
    parity = boolean.truth_table(boolean.parse("(xor A B C)", names), names)
    assert all_equal == 0b10000001
    assert parity == 0b10010110
