"""Discrete causal Bayesian networks in exact fractions, answered by enumerating every state.

Values of a variable are 0, 1, ..., size - 1. Weights are kept as whole numbers with one denominator a variable, so that
the enumeration never touches a fraction until the end.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from benchpress.errors import UserError
from benchpress.graphs.dag import Graph, bits

Assignment = Mapping[str, int]
Rows = Mapping[tuple[int, ...], tuple[Fraction, ...]]
Number = Fraction | int | str


@dataclass(frozen=True)
class Network:
    """A causal Bayesian network.

    `parents` maps every variable to its direct causes in the order in which `tables` is indexed; `tables` maps it to
    one row of probabilities for every combination of their values. Raises UserError where a row is missing, does not
    sum to one, or the arrows form a cycle.

    Reference: Pearl, Causality (2009), definition 1.3.1.

    >>> coins = Network.of({"A": (), "B": (), "Bell": ("A", "B")},
    ...     {"A": ["1/2"], "B": ["1/2"], "Bell": [0, 1, 1, 1]})
    >>> print(coins.probability({"A": 1}, {"Bell": 1}), coins.probability({"A": 1}, {"Bell": 1, "B": 1}))
    2/3 1/2
    """

    parents: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, Rows]

    def __post_init__(self) -> None:
        if self.tables.keys() != self.parents.keys() or not all(self.tables.values()):
            raise UserError("network: every variable needs a table of at least one row, and no other may have one")
        sizes = self.sizes
        for name, above in self.parents.items():
            unknown = [parent for parent in above if parent not in self.parents]
            if unknown:
                raise UserError(f"network: {name} has the unknown parent {unknown[0]!r}")
            rows = self.tables[name]
            if rows.keys() != set(_states([sizes[parent] for parent in above])):
                raise UserError(
                    f"network: the table of {name} needs one row for every combination of its parents' values"
                )
            for state, row in rows.items():
                if len(row) != sizes[name] or any(value < 0 for value in row) or sum(row) != 1:
                    raise UserError(f"network: the probabilities of {name} given {list(state)} do not sum to one")

    @classmethod
    def of(cls, parents: Mapping[str, Sequence[str]], ones: Mapping[str, Sequence[Number]]) -> "Network":
        """A network of binary variables from P(variable = 1), one number a row, the last parent varying fastest."""
        tables: dict[str, Rows] = {}
        for name, above in parents.items():
            chances = [Fraction(value) for value in ones[name]]
            states = list(_states([2] * len(above)))
            if len(chances) != len(states):
                raise UserError(f"network: {name} needs {len(states)} probabilities, one a row")
            tables[name] = {state: (1 - chance, chance) for state, chance in zip(states, chances, strict=True)}
        return cls({name: tuple(above) for name, above in parents.items()}, tables)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Network":
        """Read ``{variable: {"parents": [...], "cpt": [{"given": [...], "p": ["0.3", ...]}, ...]}}``."""
        try:
            parents = {name: tuple(entry["parents"]) for name, entry in value.items()}
            tables = {
                name: {tuple(row["given"]): tuple(Fraction(chance) for chance in row["p"]) for row in entry["cpt"]}
                for name, entry in value.items()
            }
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise UserError(f"network: expected variable: {{parents, cpt: [{{given, p}}]}} ({problem})") from None
        return cls(parents, tables)

    def to_json(self) -> dict[str, Any]:
        """The JSON form that :meth:`from_json` reads, probabilities as exact text."""
        return {
            name: {
                "parents": list(above),
                "cpt": [
                    {"given": list(state), "p": [str(chance) for chance in row]}
                    for state, row in self.tables[name].items()
                ],
            }
            for name, above in self.parents.items()
        }

    @cached_property
    def sizes(self) -> dict[str, int]:
        """How many values each variable has."""
        return {name: len(next(iter(rows.values()))) for name, rows in self.tables.items()}

    @cached_property
    def graph(self) -> Graph:
        """The graph of the network, edges by head in the order of `parents`."""
        edges = [(parent, name) for name, above in self.parents.items() for parent in above]
        return Graph(tuple(self.parents), tuple(edges))

    def probability(self, event: Assignment, given: Assignment | None = None, do: Assignment | None = None) -> Fraction:
        """P(event | given) under the intervention `do`, by summing over every state of the ancestors.

        Exponential in the number of ancestors. Raises UserError where the condition has probability zero.
        """
        condition = given or {}
        forced = do or {}
        whole = self._weight(condition, forced, event)
        if not whole:
            raise UserError(f"network: the condition {dict(condition)} has probability zero")
        if any(condition.get(name, value) != value for name, value in event.items()):
            return Fraction(0)
        return Fraction(self._weight({**condition, **event}, forced, event), whole)

    def expectation(self, variable: str, given: Assignment | None = None, do: Assignment | None = None) -> Fraction:
        """The mean of `variable` (its values taken as the numbers 0, 1, ...) given a condition, under `do`."""
        sizes = self.sizes
        return sum(
            (value * self.probability({variable: value}, given, do) for value in range(1, sizes[variable])), Fraction(0)
        )

    def effect(self, x: str, y: str, low: int = 0, high: int = 1, given: Assignment | None = None) -> Fraction:
        """E[y | do(x = high), given] - E[y | do(x = low), given], `given` holding no effects of x."""
        return self.expectation(y, given, {x: high}) - self.expectation(y, given, {x: low})

    @cached_property
    def _scaled(self) -> dict[str, tuple[int, dict[tuple[int, ...], tuple[int, ...]]]]:
        scaled = {}
        for name, rows in self.tables.items():
            unit = lcm(*(chance.denominator for row in rows.values() for chance in row))
            scaled[name] = (
                unit,
                {
                    state: tuple(chance.numerator * (unit // chance.denominator) for chance in row)
                    for state, row in rows.items()
                },
            )
        return scaled

    def _weight(self, fixed: Assignment, do: Assignment, also: Assignment) -> int:
        """The summed weight of all states with the values of `fixed`, over the ancestors of the names, under `do`.

        Two calls with the same names in `fixed` and `also` together have the same denominator.
        """
        graph = self.graph
        needed = graph.mask((*fixed, *also))
        if do:
            cut = graph.mask(do)
            frontier = needed
            while frontier:
                above = 0
                for place in bits(frontier & ~cut):
                    above |= graph.parents[place]
                frontier = above & ~needed
                needed |= above
        else:
            needed = graph.ancestors_of(needed)
        steps = [graph.nodes[place] for place in graph.order if needed >> place & 1]
        values: dict[str, int] = {}
        scaled, parents = self._scaled, self.parents

        def total(depth: int, weight: int) -> int:
            if depth == len(steps):
                return weight
            name = steps[depth]
            wanted = fixed.get(name)
            if name in do:
                values[name] = do[name]
                return total(depth + 1, weight) if wanted is None or wanted == do[name] else 0
            row = scaled[name][1][tuple([values[parent] for parent in parents[name]])]
            if wanted is not None:
                values[name] = wanted
                return total(depth + 1, weight * row[wanted]) if row[wanted] else 0
            result = 0
            for value, chance in enumerate(row):
                if chance:
                    values[name] = value
                    result += total(depth + 1, weight * chance)
            return result

        for name, value in (*fixed.items(), *do.items()):
            if not 0 <= value < self.sizes[name]:
                raise UserError(f"network: {name} has no value {value}; it has {self.sizes[name]} values from 0")
        return total(0, 1)


def _states(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All combinations of values, the last varying fastest."""
    if not sizes:
        yield ()
        return
    for head in range(sizes[0]):
        for tail in _states(sizes[1:]):
            yield (head, *tail)
