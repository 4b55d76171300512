"""Effects that differ between cases: exact averages over populations and within values of one variable, and tables.

A table of the outcome is additive (each cause shifts the chance of the outcome, or the treatment's effect on it) or
multiplicative (the treatment multiplies every chance by one number), so that the scale on which a cause modifies the
effect is known when the table is drawn.
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from typing import Any

from benchpress.models.exact import exact
from benchpress.models.table import Table
from benchpress.modules.causal.worlds import Model
from benchpress.streams import Stream


class Effects:
    """Exact effects of a printed problem in which the treatment acts on the outcome directly and in no other way.

    The outcome's other causes then block every back-door path, also among cases with a value of a variable that the
    treatment does not affect, so all effects are standardised over them.
    """

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.t, self.y = params["roles"]["treatment"], params["roles"]["outcome"]
        after = {self.t}
        for _ in params["graph"]["nodes"]:
            after |= {effect for cause, effect in params["graph"]["directed"] if cause in after}
        self.before = [name for name in params["graph"]["nodes"] if name not in after]
        self.recorded = [name for name in self.before if name not in params["unmeasured"]]
        self.causes = [cause for cause, effect in params["graph"]["directed"] if effect == self.y and cause != self.t]
        self.source: Table | Model
        if "joint" in params:
            rows = [[*map(int, bits), value] for bits, value in params["joint"]["rows"]]
            whole = Table.from_rows([*params["joint"]["columns"], "share"], rows)
            self.source = whole.marginal([*self.before, self.t, self.y])
            states = self.source.states(self.causes)
            mean = {
                (t, *state.values()): self.source.mean(self.y, {self.t: t, **state}) for t in (0, 1) for state in states
            }
        else:
            self.source = Model(params["probabilities"])
            mean = _rows(params["probabilities"], self.y, [self.t, *self.causes])
        self.unit = lcm(*(value.denominator for value in mean.values()))
        self.mean = {state: int(value * self.unit) for state, value in mean.items()}
        self.known: dict[str, tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]] = {}

    def means(self, name: str) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """The mean outcome untreated and treated, among cases with `name` = 0 and among those with 1."""
        if name not in self.known:
            weights = self._weights([name, *self.causes])
            found = []
            for bit in (0, 1):
                part = [(state[1:], weight) for state, weight in weights.items() if state[0] == bit]
                whole = self.unit * sum(weight for _, weight in part)
                none, one = (
                    Fraction(sum(weight * self.mean[t, *state] for state, weight in part), whole) for t in (0, 1)
                )
                found.append((none, one))
            self.known[name] = (found[0], found[1])
        return self.known[name]

    @cached_property
    def overall(self) -> tuple[Fraction, Fraction, Fraction]:
        """The average effect in everybody, among the treated, and among the untreated."""
        (none, one), (low, high) = self.means(self.t)
        weights = self._weights([self.t])
        share = Fraction(weights[1,], sum(weights.values()))
        return share * (high - low) + (1 - share) * (one - none), high - low, one - none

    def _weights(self, names: Sequence[str]) -> dict[tuple[int, ...], int]:
        """The joint distribution of `names` as whole-number weights."""
        if isinstance(self.source, Model):
            return self.source.weights([(0, name) for name in names])[0]
        table = self.source.marginal(dict.fromkeys(names))
        return {tuple([state[name] for name in names]): table.weight(state) for state in table.states(table.names)}


def _rows(probabilities: Sequence[Mapping[str, Any]], of: str, order: Sequence[str]) -> dict[tuple[int, ...], Fraction]:
    """The printed chances of one variable, by the values of its causes in the order given."""
    entry = next(entry for entry in probabilities if entry["of"] == of)
    places = [entry["given"].index(name) for name in order]
    return {tuple([int(bits[place]) for place in places]): exact(value) for bits, value in entry["rows"]}


def outcome_table(
    stream: Stream, covariates: int, modifying: Collection[int], *, multiplicative: bool
) -> list[Fraction]:
    """Chances of the outcome for every state of the treatment (first) and its other causes, in twentieths.

    `modifying` tells by place which of them change the treatment's effect in an additive table.
    """
    states = list(product((0, 1), repeat=covariates))
    if multiplicative:
        return _multiplied(stream, states)
    room = 13 // max(1, covariates) - 1
    sizes = [min(room, stream.between(3, 5)) * stream.choice((-1, 1)) for _ in range(covariates)]
    # What a modifier does without the treatment is small beside what it does to the effect.
    mains = [stream.between(-1, 1) if at in modifying else 0 for at in range(covariates)]
    direct = stream.between(1, 4) * stream.choice((-1, 1))

    def moved(state: Sequence[int], t: int) -> int:
        shifts = sum(mains[at] + sizes[at] * (t or at not in modifying) for at, on in enumerate(state) if on)
        return direct * t + shifts

    moves = {(t, *state): moved(state, t) for t in (0, 1) for state in states}
    low, high = min(moves.values()), max(moves.values())
    base = 1 - low + stream.below(max(1, 19 - (high - low)))
    return [Fraction(base + move, 20) for _, move in sorted(moves.items())]


def _multiplied(stream: Stream, states: Sequence[Sequence[int]]) -> list[Fraction]:
    """The treatment multiplies every chance by the same number."""
    low, high, step, factor = stream.choice(
        (
            (1, 9, 1, Fraction(2)),
            (1, 6, 1, Fraction(3)),
            (2, 12, 2, Fraction(3, 2)),
            (2, 18, 2, Fraction(1, 2)),
            (3, 18, 3, Fraction(1, 3)),
        )
    )
    count = len(states[0])
    levels = (high - low) // step
    pushes = [stream.between(1, max(1, levels // max(1, count))) * stream.choice((-1, 1)) for _ in range(count)]
    sums = [sum(push for push, on in zip(pushes, state, strict=True) if on) for state in states]
    start = stream.below(max(1, levels - (max(sums) - min(sums)) + 1))
    without = [Fraction(low + step * (start + value - min(sums)), 20) for value in sums]
    return [*without, *(factor * value for value in without)]
