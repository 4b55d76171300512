"""The rank check: all figures that a version publishes of an entrant, taken together, tell of no few items.

Every published figure is a weighted sum over unknowns: whether an item is right, whether a part of it is. All that
linear algebra can make of the figures is their row space, so it is enough to show that **every** non-zero vector of
that space touches at least MIN_CELL items: then no smaller cell, however it is defined, can be recovered. This is the
minimum distance of a linear code, counted in items.

The proof is exact. It is done modulo a prime: a vector over the rationals, scaled to whole numbers without a common
factor, stays non-zero modulo the prime and can only lose items, so a bound there is a bound here. Unknowns with equal
columns form a class. A class with as many items as are needed settles itself: only combinations that vanish on it
are left. On the others, take k bases of columns, no two columns of one item. A vector is non-zero on every basis, so
one that touches fewer than 2k items is non-zero in a single place of some basis: it is a row of the matrix reduced for
that basis, and those rows are looked at one by one (Brouwer and Zimmermann's method, with supports instead of
values). Where there are too few bases, the largest class divides the cases: vectors that vanish on it, and vectors
that touch all of its items.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchpress_evaluator.publishing.unknowns import Figure, Unknown

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

PRIME = 2**31 - 1
TURNS = 5
"""Further orders of the columns in which a basis is looked for."""
CASES = 5_000
"""So many cases are divided before the search gives up."""


@dataclass(frozen=True, slots=True)
class Narrow:
    """A combination of figures that tells of too few items: the places of the figures in it, and those items.

    `proven` is false where the method could neither show such a combination nor exclude it; that counts as one.
    """

    figures: tuple[int, ...]
    items: tuple[str, ...]
    proven: bool = True


def narrowest(figures: Sequence[Figure], at_least: int) -> Narrow | None:
    """A combination of `figures` about fewer than `at_least` items; None where it is proved that there is none."""
    for places in _components(figures):
        found = _narrowest([figures[place] for place in places], at_least)
        if found is not None:
            return Narrow(tuple(places[place] for place in found.figures), found.items, found.proven)
    return None


def _components(figures: Sequence[Figure]) -> list[list[int]]:
    """Figures that share no unknown, directly or through others, are apart: their combinations add up."""
    root = list(range(len(figures)))

    def find(place: int) -> int:
        while root[place] != place:
            root[place] = root[root[place]]
            place = root[place]
        return place

    owner: dict[Unknown, int] = {}
    for place, figure in enumerate(figures):
        for unknown in figure.terms:
            root[find(place)] = find(owner.setdefault(unknown, place))
    parts: dict[int, list[int]] = {}
    for place in range(len(figures)):
        parts.setdefault(find(place), []).append(place)
    return [parts[key] for key in sorted(parts)]


@dataclass(frozen=True, slots=True)
class _Classes:
    """Unknowns with equal columns: `columns[figure, class]`, and which items each class touches."""

    columns: Integers
    touches: Booleans
    items: tuple[str, ...]


def _classes(figures: Sequence[Figure]) -> _Classes:
    columns: dict[Unknown, list[tuple[int, int]]] = {}
    for place, figure in enumerate(figures):
        for unknown, weight in figure.terms.items():
            columns.setdefault(unknown, []).append((place, weight))
    items = tuple(sorted({unknown.item for unknown in columns}))
    place_of = {item: place for place, item in enumerate(items)}
    members: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for unknown, column in columns.items():
        members.setdefault(tuple(column), []).append(place_of[unknown.item])
    kinds = sorted(members)
    matrix = np.zeros((len(figures), len(kinds)), dtype=np.int64)
    touches = np.zeros((len(kinds), len(items)), dtype=np.bool_)
    for kind, weights in enumerate(kinds):
        for place, weight in weights:
            matrix[place, kind] = weight % PRIME
        touches[kind, members[weights]] = True
    return _Classes(matrix, touches, items)


def _narrowest(figures: Sequence[Figure], at_least: int) -> Narrow | None:
    classes = _classes(figures)
    kept = _independent(classes.columns)
    rows = classes.columns[kept]
    search = _Search(classes.touches, rows.shape[1], at_least)
    found = search.run(np.concatenate([rows, np.eye(len(kept), dtype=np.int64)], axis=1))
    if found is None:
        return None
    vector, proven = found
    touched = np.flatnonzero(search.touched(vector[None, :])[0])
    names = tuple(kept[place] for place in np.flatnonzero(vector[search.width :]).tolist())
    return Narrow(names, tuple(classes.items[place] for place in touched.tolist()), proven)


class _Search:
    """Looks for a vector that touches too few items. A space is a matrix of full row rank: its first `width` columns
    are the classes, the others say how each row comes from the figures."""

    def __init__(self, touches: Booleans, width: int, at_least: int) -> None:
        self.touches = touches
        self.width = width
        self.at_least = at_least
        self.cases = 0

    def run(self, space: Integers) -> tuple[Integers, bool] | None:
        """A vector that touches too few items, or one that could not be excluded; None where there is neither."""
        return self._prove(space, np.zeros(self.touches.shape[1], dtype=np.bool_))

    def _prove(self, space: Integers, counted: Booleans) -> tuple[Integers, bool] | None:
        """The same among the vectors of `space` that touch all items in `counted`."""
        while True:
            need = self.at_least - int(counted.sum())
            sizes = (self.touches & ~counted).sum(axis=1)
            if need <= 0:
                return None
            space = _restricted(space, np.flatnonzero(sizes >= need))
            if not len(space):
                return None
            self.cases += 1
            if self.cases > CASES:
                return space[0], False
            free = self.touches & ~counted
            alive = (space[:, : self.width] != 0).any(axis=0)
            free[~alive] = False
            if 2 * (int(free.any(axis=0).sum()) // len(space)) >= need:
                found, bases = self._by_bases(space, free, need)
                if found is not None:
                    return found, True
                if 2 * bases >= need:
                    return None
            largest = int(np.argmax(np.where(alive, sizes, -1)))
            if sizes[largest] <= 0:
                return space[0], bool(self.touched(space[:1]).sum() < self.at_least)
            found_there = self._prove(space, counted | self.touches[largest])
            if found_there is not None:
                return found_there
            space = _restricted(space, np.array([largest]))
            if not len(space):
                return None

    def _by_bases(self, space: Integers, free: Booleans, need: int) -> tuple[Integers | None, int]:
        """A row that touches too few items, of any matrix reduced for a basis; and how many bases there are."""
        bases = 0
        for turn in range(need // 2 + TURNS):
            reduced = self._basis(space, free, turn)
            if reduced is None:
                continue
            bases += 1
            sizes = self.touched(reduced).sum(axis=1)
            place = int(np.argmin(sizes))
            if sizes[place] < self.at_least:
                return reduced[place], bases
            if 2 * bases >= need:
                break
        return None, bases

    def _basis(self, space: Integers, free: Booleans, turn: int) -> Integers | None:
        """The space reduced for one more basis, whose items are struck out of `free`; None where none is found."""
        before = free.copy()
        state, rank = space.copy(), 0
        left = free.sum(axis=1)
        order = sorted(np.flatnonzero(left).tolist(), key=lambda kind: (-left[kind], _scatter(kind, turn)))
        for kind in order:
            open_items = np.flatnonzero(free[kind])
            if not len(open_items):
                continue
            pivots = np.flatnonzero(state[rank:, kind])
            if not len(pivots):
                continue
            _pivot(state, rank, rank + int(pivots[0]), kind)
            # The item with the fewest other unknowns that are still of use is given away.
            free[:, open_items[np.argmin(free[:, open_items].sum(axis=0))]] = False
            rank += 1
            if rank == len(state):
                return state
        free[:] = before
        return None

    def touched(self, rows: Integers) -> Booleans:
        """Which items each row touches."""
        found: Booleans = ((rows[:, : self.width] != 0).astype(np.int64) @ self.touches.astype(np.int64)) > 0
        return found


def _scatter(kind: int, turn: int) -> int:
    """A place in an order that mixes what lies side by side, another one every turn (Knuth's multiplicative hash)."""
    return (kind + 1) * (turn * 2 + 1) * 2654435761 % 2**32


def _pivot(state: Integers, rank: int, row: int, column: int) -> None:
    """Make `column` a unit column with its one in row `rank`."""
    if row != rank:
        state[[rank, row]] = state[[row, rank]]
    state[rank] = state[rank] * pow(int(state[rank, column]), -1, PRIME) % PRIME
    factors = state[:, column].copy()
    factors[rank] = 0
    changed = np.flatnonzero(factors)
    state[changed] = (state[changed] - factors[changed, None] * state[rank]) % PRIME


def _reduce(matrix: Integers, columns: Iterable[int]) -> tuple[Integers, int]:
    """Row echelon form over `columns`, reduced, and the rank."""
    state, rank = matrix.copy(), 0
    for column in columns:
        if rank == len(state):
            break
        pivots = np.flatnonzero(state[rank:, column])
        if len(pivots):
            _pivot(state, rank, rank + int(pivots[0]), column)
            rank += 1
    return state, rank


def _independent(rows: Integers) -> list[int]:
    """The places of the rows that no earlier rows give: dependent figures tell nothing new."""
    echelon, _ = _reduce(rows.T, range(rows.shape[0]))
    return [int(np.argmax(row != 0)) for row in echelon if row.any()]


def _restricted(space: Integers, columns: Integers) -> Integers:
    """The vectors of `space` that are zero on `columns`."""
    state, rank = _reduce(space, columns.tolist())
    return state[rank:]


def allowed(
    figures: Sequence[Figure], at_least: int, required: frozenset[str] = frozenset()
) -> tuple[frozenset[tuple[str, str]], Narrow | None]:
    """The figures that may be published together, as (margin, name), and what hinders a required one.

    Figures are in order of precedence: of a combination that tells of too few items the last one is left out.
    """
    held = list(figures)
    while True:
        found = narrowest(held, at_least)
        if found is None:
            return frozenset((figure.margin, figure.name) for figure in held), None
        last = max(found.figures)
        if held[last].margin in required:
            return frozenset(), Narrow(
                tuple(figures.index(held[place]) for place in found.figures), found.items, found.proven
            )
        del held[last]
