"""Discrete structural causal models: potential outcomes, nested ones included, by enumerating the noises.

A Bayesian network does not fix counterfactuals; here every variable is a function of its parents and of noises, and a
unit is one state of the noises.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import lcm

from benchpress.errors import UserError
from benchpress.graphs.fresh import fresh_names
from benchpress.models.discrete import Network


@dataclass(frozen=True)
class Potential:
    """The value that `variable` would have under `do`, where an entry of `do` is a value or another potential outcome.

    ``Potential("Y", {"X": 1, "M": Potential("M", {"X": 0})})`` is Y under X = 1 with M as it would be under X = 0.
    """

    variable: str
    do: Mapping[str, "int | Potential"] = field(default_factory=dict)


@dataclass(frozen=True)
class Mechanism:
    """`variable` = function(values of `inputs`), where inputs are variables and noises."""

    inputs: tuple[str, ...]
    function: Callable[..., int]


Event = Sequence[tuple[Potential, int]]


@dataclass(frozen=True)
class StructuralModel:
    """Independent noises with their distributions, and one mechanism a variable.

    Raises UserError for unknown inputs, cycles, and noise distributions that do not sum to one.
    Reference: Pearl, Causality (2009), definition 7.1.1.

    >>> model = StructuralModel({"U": (Fraction(1, 2), Fraction(1, 2))},
    ...     {"X": Mechanism(("U",), lambda u: u), "Y": Mechanism(("X", "U"), lambda x, u: x ^ u)})
    >>> print(model.probability([(Potential("Y", {"X": 1}), 1)], [(Potential("X"), 0)]))
    1
    """

    noises: Mapping[str, tuple[Fraction, ...]]
    mechanisms: Mapping[str, Mechanism]

    def __post_init__(self) -> None:
        for name, chances in self.noises.items():
            if sum(chances) != 1 or any(chance < 0 for chance in chances):
                raise UserError(f"structural model: the probabilities of {name} do not sum to one")
        placed: set[str] = set(self.noises)
        waiting = dict(self.mechanisms)
        while waiting:
            ready = [name for name, mechanism in waiting.items() if placed.issuperset(mechanism.inputs)]
            if not ready:
                raise UserError(f"structural model: {', '.join(waiting)} have unknown inputs or form a cycle")
            for name in ready:
                placed.add(name)
                del waiting[name]

    def value(self, outcome: Potential, unit: Mapping[str, int]) -> int:
        """The potential outcome of one unit, given as values of the noises that matter to it."""
        do = {
            name: self.value(forced, unit) if isinstance(forced, Potential) else forced
            for name, forced in outcome.do.items()
        }
        known = dict(unit)
        known.update(do)

        def solve(name: str) -> int:
            if name not in known:
                mechanism = self.mechanisms[name]
                known[name] = mechanism.function(*[solve(each) for each in mechanism.inputs])
            return known[name]

        return solve(outcome.variable)

    def probability(self, event: Event, given: Event = ()) -> Fraction:
        """P(event | given) for conjunctions of potential outcomes across any worlds.

        Exponential in the number of noises that matter. Raises UserError where the condition has probability zero.
        """
        whole = part = 0
        for weight, unit in self._units([outcome for outcome, _ in (*event, *given)]):
            if all(self.value(outcome, unit) == value for outcome, value in given):
                whole += weight
                if all(self.value(outcome, unit) == value for outcome, value in event):
                    part += weight
        if not whole:
            raise UserError("structural model: the condition has probability zero")
        return Fraction(part, whole)

    def expectation(self, outcome: Potential, given: Event = ()) -> Fraction:
        """The mean of a potential outcome among the units that meet a condition."""
        whole = part = 0
        for weight, unit in self._units([outcome, *(condition for condition, _ in given)]):
            if all(self.value(condition, unit) == value for condition, value in given):
                whole += weight
                part += weight * self.value(outcome, unit)
        if not whole:
            raise UserError("structural model: the condition has probability zero")
        return Fraction(part, whole)

    def _units(self, outcomes: Sequence[Potential]) -> Iterator[tuple[int, dict[str, int]]]:
        """Weight and noises of every kind of unit, over the noises above the outcomes."""
        above: set[str] = set()
        stack: list[str] = []
        waiting = list(outcomes)
        while waiting:
            outcome = waiting.pop()
            stack.append(outcome.variable)
            waiting.extend(forced for forced in outcome.do.values() if isinstance(forced, Potential))
        while stack:
            name = stack.pop()
            if name not in above:
                above.add(name)
                if name in self.mechanisms:
                    stack.extend(self.mechanisms[name].inputs)
                elif name not in self.noises:
                    raise UserError(f"structural model: unknown variable {name!r}")
        live = [name for name in self.noises if name in above]
        scaled = []
        for name in live:
            unit = lcm(*(chance.denominator for chance in self.noises[name]))
            scaled.append([(value, int(chance * unit)) for value, chance in enumerate(self.noises[name]) if chance])
        for state in product(*scaled):
            weight = 1
            for _, share in state:
                weight *= share
            yield weight, {name: value for name, (value, _) in zip(live, state, strict=True)}


def monotone_model(network: Network) -> StructuralModel:
    """The structural model of a network in which one noise a variable moves all its rows together.

    The noise of a variable has one value for every stretch between the cumulative probabilities of its rows. Any model
    with independent noises has the same natural effects; joint counterfactuals of one variable hold for this one only.
    """
    noises: dict[str, tuple[Fraction, ...]] = {}
    mechanisms: dict[str, Mechanism] = {}
    names = fresh_names((f"noise of {name}" for name in network.parents), network.parents)
    for noise, (name, above) in zip(names, network.parents.items(), strict=True):
        rows = network.tables[name]
        ends: dict[tuple[int, ...], list[Fraction]] = {}
        for state, row in rows.items():
            total = Fraction(0)
            ends[state] = []
            for chance in row:
                total += chance
                ends[state].append(total)
        cuts = sorted({end for row in ends.values() for end in row if end})
        noises[noise] = tuple(high - low for low, high in zip([Fraction(0), *cuts], cuts, strict=False))
        values = {
            (*state, level): next(value for value, end in enumerate(ends[state]) if cut <= end)
            for state in rows
            for level, cut in enumerate(cuts)
        }
        mechanisms[name] = Mechanism((*above, noise), _lookup(values))
    return StructuralModel(noises, mechanisms)


def _lookup(values: Mapping[tuple[int, ...], int]) -> Callable[..., int]:
    return lambda *state: values[state]
