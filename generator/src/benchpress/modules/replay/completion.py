"""A formula for a partly known truth table: the shortest one that fits, where a table of shortest formulas reaches."""

from collections.abc import Sequence

from benchpress.modules.replay.minimal import LIMITS, minimal_formulas


def complete(names: Sequence[str], care: int, value: int) -> tuple[int, str]:
    """Nodes and text of a formula over `names` with value `value` wherever `care` has a bit (assignments as bits).

    Shortest where the table reaches, else by splitting on the last variable until it does. Raises ValueError without
    any name: the language has no constants.
    """
    if not names:
        raise ValueError("a formula needs a variable")
    if len(names) <= max(LIMITS):
        shortest = minimal_formulas(len(names))
        table = shortest.completion(care, value)
        if table is not None:
            formula = shortest.formula(table, tuple(names))
            return formula.size, str(formula)
    *rest, last = names
    half = 1 << len(rest)
    low = (1 << half) - 1
    off_size, off = complete(rest, care & low, value & low)
    on_size, on = complete(rest, care >> half, value >> half)
    return off_size + on_size + 6, f"(or (and {last} {on}) (and (not {last}) {off}))"


def tabulate(columns: Sequence[int], target: int, free: int) -> tuple[int, int, int]:
    """What rows say about a target as a function of some inputs: which assignments were seen, its value there by
    majority (1 on a tie), and in how many rows the majority is wrong. Columns and rows are bit masks."""
    care = value = wrong = 0
    for entry in range(1 << len(columns)):
        rows = free
        for place, column in enumerate(columns):
            rows &= column if entry >> place & 1 else ~column
        if rows:
            ones, count = (rows & target).bit_count(), rows.bit_count()
            care |= 1 << entry
            if 2 * ones >= count:
                value |= 1 << entry
            wrong += min(ones, count - ones)
    return care, value, wrong


def constant(name: str, value: int) -> str:
    """A formula with a constant value, written over any variable."""
    return f"(or {name} (not {name}))" if value else f"(and {name} (not {name}))"
