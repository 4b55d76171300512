"""What clues say about an event, exactly: Bayes' theorem on a network or on a printed joint distribution."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from benchpress.models.table import Table
from benchpress.modules.causal.observed import table_of
from benchpress.modules.causal.worlds import Model

ROLES = ("event", "first clue", "second clue")


class Beliefs:
    """P(event) of a printed problem, exactly, given the values of any clues."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.event, self.first, self.second = (params["roles"][role] for role in ROLES)
        self.seen = dict(zip((self.first, self.second), map(int, params.get("seen", "00")), strict=True))
        self.source = table_of(params["joint"]) if "joint" in params else Model(params["probabilities"])
        self.known: dict[tuple[str, ...], Table] = {}

    def given(self, seen: Mapping[str, int]) -> Fraction:
        """P(event = 1) given the values in `seen`."""
        both = (self.first, self.second)
        table = self._table(both if seen.keys() <= set(both) else tuple(seen))
        return Fraction(table.weight({**seen, self.event: 1}), table.weight(seen))

    def _table(self, names: tuple[str, ...]) -> Table:
        """A table of the event and `names`."""
        if isinstance(self.source, Table):
            return self.source
        if names not in self.known:
            kept = (self.event, *names)
            weights, _ = self.source.weights([(0, name) for name in kept])
            states = product((0, 1), repeat=len(kept))
            self.known[names] = Table(kept, (2,) * len(kept), tuple([weights.get(state, 0) for state in states]))
        return self.known[names]

    def alone(self, names: Sequence[str]) -> dict[str, Fraction]:
        """P(event = 1) given each of the names = 1, taken alone."""
        return {name: self.given({name: 1}) for name in names}

    @cached_property
    def prior(self) -> Fraction:
        return self.given({})

    @cached_property
    def one(self) -> Fraction:
        """P(event = 1) given the first clue as seen."""
        return self.given({self.first: self.seen[self.first]})

    @cached_property
    def two(self) -> Fraction:
        """P(event = 1) given both clues as seen."""
        return self.given(self.seen)

    @property
    def as_if_independent(self) -> Fraction:
        """P(event = 1) given both clues if they were independent given the event and given its absence."""
        return shifted(self.one, self.prior, self.given({self.second: self.seen[self.second]}))


def shifted(posterior: Fraction, prior: Fraction, rate: Fraction) -> Fraction:
    """The posterior with the prior replaced: odds multiply."""
    odds = posterior / (1 - posterior) * (1 - prior) / prior * rate / (1 - rate)
    return odds / (1 + odds)
