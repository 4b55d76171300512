"""An observed distribution as a product of shares, in whole numbers, and the tables that are printed of it.

`shares` in params lists {"of": name, "given": [names], "rows": [[bits, value], ...]}. `given` holds the direct causes
of a variable and, where a hidden cause ties it to an earlier one, that one and its direct causes: what the shares of
the variable depend on given everything earlier. Their product is the observed distribution.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any

from benchpress.models.exact import exact
from benchpress.models.table import Table
from benchpress.modules.causal.chances import states, table
from benchpress.wording.numbers import show
from benchpress.wording.sections import Params


class Observed:
    """The exact distribution that shares describe, or shares together with a table of the variables without shares."""

    def __init__(self, shares: Sequence[Mapping[str, Any]] = (), block: Table | None = None) -> None:
        self.block = block
        self.given: dict[str, Sequence[str]] = {}
        self.unit: dict[str, int] = {}
        self.ones: dict[str, Sequence[int]] = {}
        for entry in shares:
            chances = [exact(value) for _, value in entry["rows"]]
            unit = lcm(*(chance.denominator for chance in chances))
            ones = [chance.numerator * (unit // chance.denominator) for chance in chances]
            self.take(entry["of"], entry["given"], ones, unit)

    def take(self, name: str, given: Sequence[str], ones: Sequence[int], unit: int) -> None:
        """One variable: in how many parts of `unit` it is 1, for every state of `given`, the last varying fastest."""
        self.given[name], self.ones[name], self.unit[name] = given, ones, unit

    def entries(self, without: Collection[str] = ()) -> list[Params]:
        """The shares as params have them."""
        return [
            table(name, self.given[name], [Fraction(one, self.unit[name]) for one in self.ones[name]])
            for name in sorted(self.given)
            if name not in without
        ]

    def table(self, names: Sequence[str]) -> Table:
        """The distribution of `names`."""
        return self.after(names, {})

    def planned(self, y: str, do: Mapping[str, int], confounded: Collection[str] = ()) -> Fraction:
        """P(y = 1) under an intervention: see :meth:`after`."""
        weights, whole = self._summed([y], do, confounded)
        return Fraction(weights[1], whole)

    def after(self, names: Sequence[str], do: Mapping[str, int], confounded: Collection[str] = ()) -> Table:
        """The distribution of `names` under an intervention: the product of the shares, summed over all else.

        Variables in `do` have the values given there and no shares. That is right where no hidden cause acts on them,
        so that the shares of all else given everything earlier are mechanisms (the longitudinal g-formula). Otherwise
        `confounded` holds the variables that hidden causes tie to the one variable in `do`, none of which it acts on
        directly: their shares meet its natural value, and that value keeps its own share (Tian and Pearl 2002, theorem
        2: the c-component of x summed over x, times the mechanisms of all else under x).

        Reference: Robins 1986; Hernan and Robins, What If, section 21.1.
        """
        weights, _ = self._summed(names, do, confounded)
        return Table(tuple(names), (2,) * len(names), tuple(weights))

    def tried(self, x: str, names: Sequence[str]) -> list[int]:
        """Weights of the states of x and `names` where an experiment sets x to either value as often."""
        return self._summed([x, *names], {}, free=(x,))[0]

    def responses(self, y: str, treatments: Sequence[str]) -> dict[str, Fraction]:
        """P(y = 1) for every way to set the treatments, by bits in their order, from the g-formula."""
        weights, whole = self._summed([*treatments, y], {}, free=treatments)
        return {bits: Fraction(weights[2 * at + 1], whole) for at, bits in enumerate(states(len(treatments)))}

    def _order(
        self, names: Iterable[str], do: Collection[str], confounded: Collection[str], free: Collection[str]
    ) -> list[str]:
        """`names` and all that their shares meet, in an order in which that comes first."""
        done: set[str] = set(self.block.names) if self.block else set()
        placed: list[str] = []

        def place(name: str) -> None:
            if name not in done:
                done.add(name)
                for cause in () if name in free else self.given[name]:
                    if cause not in do or name in confounded:
                        place(cause)
                placed.append(name)

        for name in names:
            place(name)
        return placed

    def _summed(
        self,
        names: Sequence[str],
        do: Mapping[str, int],
        confounded: Collection[str] = (),
        free: Collection[str] = (),
    ) -> tuple[list[int], int]:
        """Whole-number weights of the states of `names`, and their sum; `free` variables weigh 1 in either state."""
        order = self._order(names, do, confounded, free)
        last = {name: len(order) for name in names}
        for at, name in enumerate(order):
            for cause in () if name in free else self.given[name]:
                if cause not in do or name in confounded:
                    last[cause] = max(last.get(cause, 0), at)
        weights, kept = [1], list[str]()
        if self.block:
            kept = [name for name in self.block.names if name in last]
            weights = added(self.block.weights, self.block.names, kept)
        for at, name in enumerate(order):
            left = [one for one in kept if last[one] > at]
            ones: Sequence[int]
            if name in free:
                rows, ones, unit = [0] * len(weights), (1,), 2
            else:
                given, ones, unit = self.given[name], self.ones[name], self.unit[name]
                rows = places(kept, [do[one] if one in do and name not in confounded else one for one in given])
            moves = range(len(weights)) if len(left) == len(kept) else places(kept, left)
            stays = name in last and last[name] > at
            grown = [0] * ((2 if stays else 1) << len(left))
            for weight, row, place in zip(weights, rows, moves, strict=True):
                one = weight * ones[row]
                if stays:
                    grown[2 * place] += weight * unit - one
                    grown[2 * place + 1] += one
                else:
                    grown[place] += weight * unit
            weights, kept = grown, [*left, name] if stays else left
        if kept != list(names):
            weights = [weights[place] for place in places(list(names), kept)]
        whole = prod(self.unit[name] for name in order if name not in free)
        return weights, whole * self.block.total if self.block else whole


def reweighted(weights: Sequence[int], shares: Sequence[int | Fraction] = (1,)) -> Fraction:
    """The difference that x makes to P(y = 1) within strata, weighted by `shares` of the strata.

    `weights` are those of the states of x, y and whatever makes the strata, in this order; more strata than shares are
    added up first.

    Shares of y are 2/3 and 2/5 without x, 1/4 and 1/2 with it:

    >>> print(reweighted([1, 3, 2, 2, 3, 1, 1, 1], [3, 1]))
    -23/80
    """
    strata = len(weights) // 4
    if len(shares) < strata:
        width = strata // len(shares)
        return reweighted([sum(weights[at : at + width]) for at in range(0, len(weights), width)], shares)
    total = Fraction(0)
    for at, share in enumerate(shares):
        low, lower, high, higher = weights[at::strata]
        total += share * Fraction(higher * (low + lower) - lower * (high + higher), (low + lower) * (high + higher))
    return total / sum(shares)


def places(kept: Sequence[str], wanted: Sequence[str | int]) -> list[int]:
    """For every state of `kept` the number of the state of `wanted` in it; fixed values stand as numbers."""
    found = [0] * (1 << len(kept))
    for one in wanted:
        if isinstance(one, int):
            found = [2 * place + one for place in found]
        else:
            shift = len(kept) - 1 - kept.index(one)
            found = [2 * place + (state >> shift & 1) for state, place in enumerate(found)]
    return found


def added(weights: Sequence[int], names: Sequence[str], kept: Sequence[str]) -> list[int]:
    """Weights of the states of `names`, added up over all but `kept`."""
    found = [0] * (1 << len(kept))
    for weight, place in zip(weights, places(names, kept), strict=True):
        found[place] += weight
    return found


def about(value: Fraction) -> str:
    """A number for an explanation: exact where that is short, else rounded."""
    exact = show(value)
    return exact if len(exact) <= 8 else f"about {show(Fraction(round(value * 10000), 10000))}"


def braced(names: Sequence[str]) -> str:
    """A set as it is written: ``{A, B}``."""
    return "{" + ", ".join(names) + "}"


def any_of(sets: Sequence[Sequence[str]], most: int = 3) -> str:
    """Sets of which each will do, the first few written out."""
    told = " or ".join(braced(one) for one in sets[:most]) or "none"
    return told if len(sets) <= most else f"{told}, and {len(sets) - most} more"


def joint_rows(whole: Table) -> Params:
    """A table of weights as params have it: probabilities with columns in code-point order."""
    ordered = whole.marginal(sorted(whole.names))
    total = ordered.total
    rows = [
        [state, show(Fraction(weight, total))]
        for state, weight in zip(states(len(ordered.names)), ordered.weights, strict=True)
    ]
    return {"columns": list(ordered.names), "rows": rows}


def table_of(joint: Mapping[str, Any]) -> Table:
    """The exact table of printed states."""
    values = [exact(value) for _, value in joint["rows"]]
    unit = lcm(*(value.denominator for value in values))
    weights = tuple(value.numerator * (unit // value.denominator) for value in values)
    return Table(tuple(joint["columns"]), (2,) * len(joint["columns"]), weights)
