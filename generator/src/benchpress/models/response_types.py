"""Sharp bounds on counterfactual probabilities: a linear programme over response types.

A response type says, for every variable, which value it takes for every combination of its parents' values. Whatever
the unmeasured common causes are, a population is a distribution over these types, and every observed or interventional
probability is a sum of type probabilities.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from benchpress.errors import UserError
from benchpress.models.simplex import minimum


@dataclass(frozen=True)
class Outcome:
    """`variable` takes `value` under `do`. Variables without a response type (roots set from outside) stand in `do`."""

    variable: str
    value: int
    do: Mapping[str, int] = field(default_factory=dict)


Event = Sequence[Outcome]
Type = Mapping[str, Mapping[tuple[int, ...], int]]


def response_types(parents: Mapping[str, Sequence[str]], sizes: Mapping[str, int] | None = None) -> Iterator[Type]:
    """Every response type of the variables of `parents` (causes before effects), the last variable varying fastest.

    Variables have two values unless `sizes` says otherwise. Their number is doubly exponential in the parents.
    """
    known = sizes or {}
    choices = []
    for name, above in parents.items():
        states = list(product(*(range(known.get(parent, 2)) for parent in above)))
        choices.append(
            [dict(zip(states, row, strict=True)) for row in product(range(known.get(name, 2)), repeat=len(states))]
        )
    for rows in product(*choices):
        yield dict(zip(parents, rows, strict=True))


def type_bounds(
    parents: Mapping[str, Sequence[str]],
    known: Sequence[tuple[Event, Fraction]],
    query: Sequence[tuple[Fraction | int, Event]],
    sizes: Mapping[str, int] | None = None,
) -> tuple[Fraction, Fraction]:
    """The sharp lower and upper bound of sum(weight * P(event)) over `query`, given the probabilities `known`.

    All variables of `parents` may share unmeasured causes. An assumption such as "no defiers" is an event of known
    probability 0. Exact. Raises UserError where no population has the known probabilities.

    Reference: Balke and Pearl 1997 (JASA 92); Tian and Pearl 2000; Sachs et al. 2023.

    >>> half = Fraction(1, 2)
    >>> known = [([Outcome("Y", 1, {"X": 1})], half), ([Outcome("Y", 1, {"X": 0})], half)]
    >>> both = [Outcome("Y", 1, {"X": 1}), Outcome("Y", 0, {"X": 0})]
    >>> low, high = type_bounds({"X": (), "Y": ("X",)}, known, [(1, both)])
    >>> print(low, high)
    0 1/2
    """
    types = list(response_types(parents, sizes))
    rows: list[list[int]] = [[1] * len(types)]
    totals = [Fraction(1)]
    for event, chance in known:
        rows.append([_meets(kind, parents, event) for kind in types])
        totals.append(chance)
    objective = [sum((weight * _meets(kind, parents, event) for weight, event in query), Fraction(0)) for kind in types]
    low = minimum(objective, rows, totals)
    high = minimum([-value for value in objective], rows, totals)
    if low is None or high is None:
        raise UserError("bounds: no population has all of these probabilities at once")
    return low, -high


def _meets(kind: Type, parents: Mapping[str, Sequence[str]], event: Event) -> int:
    return int(all(_value(kind, parents, outcome.variable, outcome.do) == outcome.value for outcome in event))


def _value(kind: Type, parents: Mapping[str, Sequence[str]], name: str, do: Mapping[str, int]) -> int:
    if name in do:
        return do[name]
    if name not in kind:
        raise UserError(f"bounds: {name} has no response type and no value; set it by do")
    return kind[name][tuple(_value(kind, parents, parent, do) for parent in parents[name])]
