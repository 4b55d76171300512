"""Fraction-free elimination: exact linear algebra on whole numbers, far faster than on fractions."""

from collections.abc import Sequence

from benchpress.errors import UserError

Rows = list[list[int]]


def eliminate(matrix: Sequence[Sequence[int]], pivots: int) -> tuple[Rows, int]:
    """Eliminate the first `pivots` rows and columns of an integer `matrix`; returns what is left and the determinant.

    With the matrix in blocks [[A, B], [C, D]], A square of size `pivots`, the result is det(A) (D - C A^-1 B) and
    det(A), whole numbers both. No rows are exchanged: meant for covariance matrices, whose leading minors are positive.
    Raises UserError where A has a singular leading block. O(pivots n^2) multiplications.

    Reference: Bareiss 1968 (Mathematics of Computation 22).

    >>> eliminate([[2, 1, 3], [1, 2, 3], [3, 3, 0]], 2)
    ([[-18]], 3)
    """
    rows = [list(row) for row in matrix]
    previous = 1
    for step in range(pivots):
        top = rows[step]
        pivot = top[step]
        if pivot == 0:
            raise UserError("elimination: the variables conditioned on are linearly dependent; leave one out")
        width = range(step + 1, len(top))
        for low in range(step + 1, len(rows)):
            row = rows[low]
            factor = row[step]
            if factor:
                for column in width:
                    row[column] = (row[column] * pivot - factor * top[column]) // previous
            else:
                for column in width:
                    row[column] = row[column] * pivot // previous
        previous = pivot
    return [row[pivots:] for row in rows[pivots:]], previous
