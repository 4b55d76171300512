"""What clues say about an event, exactly: Bayes' theorem on a network or on a printed joint distribution."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from benchpress.models.table import Table
from benchpress.modules.causal.worlds import Model

ROLES = ("event", "first clue", "second clue")


class Beliefs:
    """P(event) of a printed problem, exactly, given the values of any clues."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.event, self.first, self.second = (params["roles"][role] for role in ROLES)
        self.seen = dict(zip((self.first, self.second), map(int, params.get("seen", "00")), strict=True))
        self.source = _table(params["joint"]) if "joint" in params else Model(params["probabilities"])
        self.known: dict[tuple[str, ...], Mapping[tuple[int, ...], int]] = {}

    def given(self, seen: Mapping[str, int]) -> Fraction:
        """P(event = 1) given the values in `seen`."""
        if isinstance(self.source, Table):
            return self.source.probability({self.event: 1}, seen)
        names = tuple(seen)
        if names not in self.known:
            self.known[names] = self.source.weights([(0, name) for name in (self.event, *names)])[0]
        weights = self.known[names]
        without, with_event = (weights.get((value, *seen.values()), 0) for value in (0, 1))
        return Fraction(with_event, without + with_event)

    def alone(self, names: Sequence[str]) -> dict[str, Fraction]:
        """P(event = 1) given each of the names = 1, taken alone."""
        return {name: self.given({name: 1}) for name in names}

    @property
    def prior(self) -> Fraction:
        return self.given({})

    @property
    def one(self) -> Fraction:
        """P(event = 1) given the first clue as seen."""
        return self.given({self.first: self.seen[self.first]})

    @property
    def two(self) -> Fraction:
        """P(event = 1) given both clues as seen."""
        return self.given(self.seen)

    @property
    def as_if_independent(self) -> Fraction:
        """P(event = 1) given both clues if they were independent given the event and given its absence."""
        return shifted(self.one, self.prior, self.given({self.second: self.seen[self.second]}))


def _table(joint: Mapping[str, Any]) -> Table:
    rows = [[*map(int, bits), value] for bits, value in joint["rows"]]
    return Table.from_rows([*joint["columns"], "share"], rows)


def shifted(posterior: Fraction, prior: Fraction, rate: Fraction) -> Fraction:
    """The posterior with the prior replaced: odds multiply."""
    odds = posterior / (1 - posterior) * (1 - prior) / prior * rate / (1 - rate)
    return odds / (1 + odds)
