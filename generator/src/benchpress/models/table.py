"""Joint distributions and counts of discrete variables, as one row of whole-number weights."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm, prod

from benchpress.errors import UserError
from benchpress.models.discrete import Network

Assignment = Mapping[str, int]


@dataclass(frozen=True)
class Table:
    """Weights over all states of `names`; variable i has `sizes[i]` values, the last variable varies fastest.

    Weights are whole numbers (counts, or probabilities over a common denominator) and need not sum to one.

    >>> table = Table.from_rows(["L", "A", "n"], [[0, 0, 3], [0, 1, 1], [1, 1, 4]])
    >>> print(table.probability({"L": 1}, {"A": 1}))
    4/5
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != prod(self.sizes) or len(self.names) != len(self.sizes):
            raise UserError("table: the number of weights is not the product of the sizes")
        if any(weight < 0 for weight in self.weights) or not any(self.weights):
            raise UserError("table: weights must not be negative, and one of them must be positive")

    @classmethod
    def from_rows(cls, columns: Sequence[str], rows: Iterable[Sequence[int | str | Fraction]]) -> "Table":
        """From rows of values, the last column holding the count or probability; absent combinations weigh nothing."""
        names = tuple(columns[:-1])
        cells = [(tuple(int(value) for value in row[:-1]), Fraction(row[-1])) for row in rows]
        if not cells:
            raise UserError("table: no rows")
        sizes = tuple(1 + max(cell[0][place] for cell in cells) for place in range(len(names)))
        unit = lcm(*(weight.denominator for _, weight in cells))
        found: dict[tuple[int, ...], int] = {}
        for state, weight in cells:
            if state in found:
                raise UserError(f"table: the row {list(state)} occurs twice")
            found[state] = int(weight * unit)
        return cls(names, sizes, tuple(found.get(state, 0) for state in product(*map(range, sizes))))

    @classmethod
    def of_network(cls, network: Network, names: Iterable[str] | None = None) -> "Table":
        """The observational distribution of a network over `names` (default: all), its latent variables summed out."""
        order = network.graph.topological_order()
        sizes = network.sizes
        weights = [1]
        place: dict[str, int] = {}
        for count, name in enumerate(order):
            rows = network.tables[name]
            unit = lcm(*(chance.denominator for row in rows.values() for chance in row))
            whole = {state: [int(chance * unit) for chance in row] for state, row in rows.items()}
            above = [place[parent] for parent in network.parents[name]]
            states = product(*(range(sizes[earlier]) for earlier in order[:count]))
            weights = [
                weight * chance
                for weight, state in zip(weights, states, strict=True)
                for chance in whole[tuple([state[parent] for parent in above])]
            ]
            place[name] = count
        table = cls(order, tuple(sizes[name] for name in order), tuple(weights))
        return table if names is None else table.marginal(names)

    @cached_property
    def total(self) -> int:
        """The sum of all weights."""
        return sum(self.weights)

    def probability(self, event: Assignment, given: Assignment | None = None) -> Fraction:
        """P(event | given). Raises UserError where the condition has probability zero."""
        condition = given or {}
        whole = self.weight(condition)
        if not whole:
            raise UserError(f"table: the condition {dict(condition)} has probability zero")
        if any(condition.get(name, value) != value for name, value in event.items()):
            return Fraction(0)
        return Fraction(self.weight({**condition, **event}), whole)

    def mean(self, variable: str, given: Assignment | None = None) -> Fraction:
        """The mean of `variable` (its values taken as the numbers 0, 1, ...) given a condition."""
        return Fraction(*self.ratio(variable, given or {}))

    def ratio(self, variable: str, given: Assignment) -> tuple[int, int]:
        """The mean of `variable` given a condition, as a quotient of whole numbers."""
        whole = self.weight(given)
        if not whole:
            raise UserError(f"table: the condition {dict(given)} has probability zero")
        size = self.sizes[self._place(variable)]
        if variable in given:
            return given[variable] * whole, whole
        return sum(value * self.weight({**given, variable: value}) for value in range(1, size)), whole

    def weight(self, event: Assignment) -> int:
        """The summed weight of all states with the values of `event`."""
        names = tuple(sorted(event))
        place = 0
        for name in names:
            size, value = self.sizes[self._place(name)], event[name]
            if not 0 <= value < size:
                return 0
            place = place * size + value
        return self._marginals(names)[place]

    def marginal(self, names: Iterable[str]) -> "Table":
        """The table of `names`, in their order, all else summed out."""
        kept = tuple(names)
        places = [self._place(name) for name in kept]
        return Table(kept, tuple(self.sizes[place] for place in places), tuple(self._summed(places)))

    def given(self, condition: Assignment) -> "Table":
        """The table of the other variables among the states with the values of `condition`."""
        fixed = {self._place(name): value for name, value in condition.items()}
        kept = [place for place, name in enumerate(self.names) if name not in condition]
        at = [0]
        for place, size in enumerate(self.sizes):
            values = range(size) if place not in fixed else [fixed[place]] if fixed[place] in range(size) else []
            at = [one * size + value for one in at for value in values]
        return Table(
            tuple(self.names[place] for place in kept),
            tuple(self.sizes[place] for place in kept),
            tuple(self.weights[one] for one in at),
        )

    def states(self, names: Iterable[str]) -> list[dict[str, int]]:
        """All combinations of values of `names`, the last varying fastest."""
        kept = tuple(names)
        sizes = [self.sizes[self._place(name)] for name in kept]
        return [dict(zip(kept, state, strict=True)) for state in product(*map(range, sizes))]

    @cached_property
    def _known(self) -> dict[tuple[str, ...], list[int]]:
        return {}

    def summed(self, names: Iterable[str]) -> list[int]:
        """The weights of the states of some variables, the last of them varying fastest."""
        return self._marginals(tuple(names))

    def _marginals(self, names: tuple[str, ...]) -> list[int]:
        known = self._known.get(names)
        if known is None:
            known = self._known[names] = self._summed([self._place(name) for name in names])
        return known

    def _summed(self, places: Sequence[int]) -> list[int]:
        """The weights of the states of some variables, the last of them varying fastest."""
        step, width = [0] * len(self.sizes), 1
        for place in reversed(places):
            step[place], width = width, width * self.sizes[place]
        at = [0]
        for size, stride in zip(self.sizes, step, strict=True):
            at = [one + value * stride for one in at for value in range(size)]
        sums = [0] * width
        for one, weight in zip(at, self.weights, strict=True):
            sums[one] += weight
        return sums

    def _place(self, name: str) -> int:
        try:
            return self.names.index(name)
        except ValueError:
            raise UserError(f"table: unknown variable {name!r}; known are {', '.join(self.names)}") from None
