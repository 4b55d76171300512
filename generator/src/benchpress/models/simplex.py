"""An exact linear programme for small problems: the simplex method on whole numbers."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

Row = Sequence[Fraction | int]


def minimum(objective: Row, rows: Sequence[Row], totals: Row) -> Fraction | None:
    """The least value of objective . q over q >= 0 with rows . q = totals; None when no q satisfies the rows.

    Two phases, Bland's rule (so it ends), fraction-free pivots (so it is exact and fast for tens of variables).
    The feasible set must be bounded in the direction of the objective, as it is for probabilities.
    Raises ValueError where it is not.

    Reference: Bland 1977; Edmonds and Maurras 1997 for the whole-number pivots.

    >>> print(minimum([1, 2, 0], [[1, 1, 1], [0, 1, 1]], [1, Fraction(1, 3)]))
    2/3
    """
    width = len(objective)
    tableau = []
    for row, total in zip(rows, totals, strict=True):
        numbers = [Fraction(value) for value in (*row, total)]
        unit = lcm(*(number.denominator for number in numbers))
        whole = [int(number * unit) for number in numbers]
        tableau.append([-value for value in whole] if whole[-1] < 0 else whole)
    count = len(tableau)
    # Phase one: artificial variables in the basis, their sum to be driven to zero.
    for place, line in enumerate(tableau):
        line[width:width] = [1 if other == place else 0 for other in range(count)]
    basis = list(range(width, width + count))
    cost = [0] * (width + count + 1)
    for line in tableau:
        for column, value in enumerate(line):
            if column < width or column == width + count:
                cost[column] -= value
    scale = _solve(tableau, cost, basis, 1, width)
    if cost[-1]:
        return None
    # Artificial variables that stayed in the basis at zero leave it, or their row says nothing new.
    for place in range(count - 1, -1, -1):
        if basis[place] >= width:
            entering = next((column for column in range(width) if tableau[place][column]), None)
            if entering is None:
                del tableau[place], basis[place]
            else:
                scale = _pivot(tableau, cost, basis, scale, place, entering)
    for line in tableau:
        del line[width:-1]
    # Phase two: reduced costs of the objective in the basis reached.
    numbers = [Fraction(value) for value in objective]
    unit = lcm(*(number.denominator for number in numbers))
    whole = [int(number * unit) for number in numbers]
    cost = [value * scale for value in (*whole, 0)]
    for line, column in zip(tableau, basis, strict=True):
        if whole[column]:
            for other, value in enumerate(line):
                cost[other] -= whole[column] * value
    scale = _solve(tableau, cost, basis, scale, width)
    return Fraction(-cost[-1], scale * unit)


def _solve(tableau: list[list[int]], cost: list[int], basis: list[int], scale: int, width: int) -> int:
    """Pivot until no column of the first `width` lowers the cost; all entries stand over the common `scale`."""
    while True:
        column = next((column for column in range(width) if cost[column] < 0), None)
        if column is None:
            return scale
        best: tuple[Fraction, int, int] | None = None
        for place, line in enumerate(tableau):
            if line[column] > 0:
                ratio = (Fraction(line[-1], line[column]), basis[place], place)
                if best is None or ratio < best:
                    best = ratio
        if best is None:
            raise ValueError("the linear programme has no finite optimum")
        scale = _pivot(tableau, cost, basis, scale, best[2], column)


def _pivot(tableau: list[list[int]], cost: list[int], basis: list[int], scale: int, place: int, column: int) -> int:
    """Bring `column` into the basis at row `place`; returns the new common scale, kept positive."""
    top = tableau[place]
    pivot = top[column]
    if pivot < 0:
        top[:] = [-value for value in top]
        pivot = -pivot
    for line in (*tableau, cost):
        if line is not top:
            factor = line[column]
            line[:] = [(value * pivot - factor * head) // scale for value, head in zip(line, top, strict=True)]
    basis[place] = column
    return pivot
