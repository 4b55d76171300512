"""How many models fit the training worlds: an exact count, not a bounded search.

A model is train-exact if and only if every mechanism, put on the observed values of its row, gives the observed value
wherever its variable was not intervened. So the count decomposes. For a variable V and a set S of others let g(S) be
the number of Boolean functions of S that fit V's rows: 2 to the number of assignments of S never seen, or 0 where two
rows agree on S and not on V. The functions that need every variable of S are counted by inclusion and exclusion,
h(S) = sum over T within S of (-1)^|S - T| g(T). Models whose mechanisms have at most k functional parents are then
counted as products where an order is disclosed, and by Robinson's recursion on the sinks of the graph (weighted by h)
where it is not. Counts are exact integers; a count of one proves that the key is the only answer within the class.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

Support = int
"""A set of variables as a bit mask over their places."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Training rows, packed: the column of each variable and where it is free (not intervened), a bit per row."""

    columns: tuple[int, ...]
    free: tuple[int, ...]


def fitting_functions(rows: Rows, target: int, candidates: Sequence[int], most: int) -> dict[Support, int]:
    """g(S) for every S within `candidates` of at most `most` variables; sets that fit no function are left out.

    A set that fits makes each larger one fit, so the search descends only by splitting the rows on one more variable.
    """
    value, free = rows.columns[target], rows.free[target]
    counts: dict[Support, int] = {}

    def descend(support: Support, size: int, groups: list[int], start: int) -> None:
        if all(not group & value or group & value == group for group in groups):
            counts[support] = 1 << ((1 << size) - len(groups))
        if size == most:
            return
        for place in range(start, len(candidates)):
            column = rows.columns[candidates[place]]
            split = [part for group in groups for part in (group & column, group & ~column) if part]
            descend(support | 1 << candidates[place], size + 1, split, place + 1)

    descend(0, 0, [free] if free else [], 0)
    return counts


def functions_by_support(fitting: Mapping[Support, int]) -> dict[Support, int]:
    """h(S) from g(S): the fitting functions that depend on every variable of S and on no other. Zeros are left out."""
    exact = {}
    for support, count in fitting.items():
        members = _members(support)
        total = count
        for size in range(len(members)):
            sign = -1 if (len(members) - size) % 2 else 1
            for chosen in combinations(members, size):
                total += sign * fitting.get(sum(chosen), 0)
        if total:
            exact[support] = total
    return exact


def _members(support: Support) -> list[int]:
    """The single bits of a mask."""
    bits = []
    while support:
        low = support & -support
        bits.append(low)
        support ^= low
    return bits


@dataclass(frozen=True, slots=True)
class Tables:
    """h for every variable over all others: everything that the counts below need."""

    by_support: tuple[Mapping[Support, int], ...]

    def total(self, target: int, within: Support) -> int:
        """Fitting functions of `target` whose support lies within `within`."""
        return sum(count for support, count in self.by_support[target].items() if not support & ~within)


def tables(rows: Rows, most: int, targets: Sequence[int] | None = None) -> Tables:
    """Support tables of the variables `targets` (all where none are given; the others get none)."""
    places = range(len(rows.columns))
    wanted = places if targets is None else targets
    return Tables(
        tuple(
            functions_by_support(fitting_functions(rows, target, [place for place in places if place != target], most))
            if target in wanted
            else {}
            for target in places
        )
    )


def count_ordered(table: Tables, usable: Mapping[int, Support]) -> int:
    """Models in which each variable of `usable` depends on nothing outside its set, where the sets allow no cycle."""
    return prod(table.total(target, within) for target, within in usable.items())


def count_acyclic(table: Tables, usable: Mapping[int, Support]) -> int:
    """Models in which each variable of `usable` depends on nothing outside its set, and no functional cycle exists."""
    endogenous = sorted(usable)
    weights = [_weights(table.by_support[variable], usable[variable], endogenous) for variable in endogenous]
    return _sinks(weights)


def _weights(functions: Mapping[Support, int], within: Support, endogenous: Sequence[int]) -> list[int]:
    """For each set of endogenous variables (a mask over their places): functions that use no other endogenous ones."""
    weights = [0] * (1 << len(endogenous))
    for support, count in functions.items():
        if not support & ~within:
            weights[sum(1 << place for place, variable in enumerate(endogenous) if support >> variable & 1)] += count
    for place in range(len(endogenous)):
        bit = 1 << place
        for mask in range(len(weights)):
            if mask & bit:
                weights[mask] += weights[mask ^ bit]
    return weights


def _sinks(weights: Sequence[Sequence[int]]) -> int:
    """Robinson's recursion: weighted acyclic graphs, by inclusion and exclusion over sets of sinks.

    N(U) = sum over non-empty T within U of (-1)^(|T|+1) N(U - T) product over v in T of weights[v][U - T].
    """
    counts = [1] + [0] * ((1 << len(weights)) - 1)
    for nodes in range(1, len(counts)):
        total = 0
        sinks = nodes
        while sinks:
            rest = nodes ^ sinks
            term = counts[rest] if sinks.bit_count() % 2 else -counts[rest]
            left = sinks
            while term and left:
                low = left & -left
                term *= weights[low.bit_length() - 1][rest]
                left ^= low
            total += term
            sinks = (sinks - 1) & nodes
        counts[nodes] = total
    return counts[-1]


def count_hidden_roots(table: Tables, root_count: int) -> int:
    """Pairs of a root set of the given size and a model of the other variables; every variable may depend on any."""
    variables = len(table.by_support)
    full = (1 << variables) - 1
    total = 0
    for roots in combinations(range(variables), root_count):
        others = [place for place in range(variables) if place not in roots]
        if all(table.by_support[place] for place in others):
            total += count_acyclic(table, {place: full & ~(1 << place) for place in others})
    return total


def local_alternatives(table: Tables, usable: Mapping[int, Support], parents: Mapping[int, Support]) -> dict[int, int]:
    """For each variable: other fitting functions that leave the model legal when all other mechanisms stay.

    `parents` are the functional parents in the model that stays.
    """
    return {
        target: table.total(target, within & ~_descendants(target, parents, {target})) - 1
        for target, within in usable.items()
    }


def coordinated_pairs(table: Tables, usable: Mapping[int, Support], parents: Mapping[int, Support]) -> int:
    """Pairs of changes, one to each of two mechanisms, that are legal together while all other mechanisms stay."""
    alone = local_alternatives(table, usable, parents)
    total = 0
    for one, other in combinations(usable, 2):
        below_one = _descendants(one, parents, {one, other})
        below_other = _descendants(other, parents, {one, other})
        free_one = table.total(one, usable[one] & ~below_one)
        free_other = table.total(other, usable[other] & ~below_other)
        apart_one = table.total(one, usable[one] & ~below_one & ~below_other)
        apart_other = table.total(other, usable[other] & ~below_one & ~below_other)
        cyclic = (free_one - apart_one) * (free_other - apart_other)
        total += free_one * free_other - cyclic - alone[one] - alone[other] - 1
    return total


def _descendants(start: int, parents: Mapping[int, Support], cut: set[int]) -> Support:
    """`start` and everything below it, ignoring the parents of the variables in `cut`."""
    reached = 1 << start
    grown = True
    while grown:
        grown = False
        for child, support in parents.items():
            if child not in cut and not reached >> child & 1 and support & reached:
                reached |= 1 << child
                grown = True
    return reached
