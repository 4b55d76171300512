"""What is offered beside the right answer: results of known bad habits, answers to other questions, slips.

Every candidate says where it comes from, so that the answers of a model tell which mistake it makes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from benchpress.gate import Key
from benchpress.items import Json, Part
from benchpress.modules.causal.bundle import Bundle
from benchpress.modules.causal.reference import HABITS
from benchpress.modules.choice.causal.focal import range_of
from benchpress.protocol import IMPOSSIBLE
from benchpress.wording.numbers import show

HABIT, OTHER, DERIVED, SLIP = 4, 3, 2, 1
"""How telling a candidate is; the more telling ones are preferred."""


@dataclass(frozen=True, slots=True)
class Candidate:
    value: Json
    origin: str
    """A key of `SAID` in the room of sayings, which puts it into words."""
    weight: int


def candidates(bundle: Bundle, params: Mapping[str, Any], keys: Mapping[str, Key], part: Part) -> list[Candidate]:
    """Possible wrong answers to `part`, the telling ones first, no value twice; some may be right after all."""
    habits = {habit: bundle.mistaken(params, habit).get(part.id) for habit in HABITS}
    wrong = {habit: value for habit, value in habits.items() if value is not None and value != part.gold}
    asked = {one.id: one for one in bundle.asked(params)}
    others = [
        keys[name].gold
        for name, one in asked.items()
        if name != part.id and one.type == part.type and one.params.get("tolerance") == part.params.get("tolerance")
    ]
    if part.type == "number":
        found = _numbers(part, wrong, others)
    elif part.type == "node_set":
        found = _sets(part, wrong, others)
    else:
        found = _orders(part, wrong)
    unique: dict[str, Candidate] = {}
    for one in found:
        unique.setdefault(repr(one.value), one)
    return [one for one in unique.values() if one.value != part.gold]


def _numbers(part: Part, wrong: Mapping[str, Json], others: Sequence[Json]) -> Iterator[Candidate]:
    gold, tolerance = Fraction(part.gold), Fraction(str(part.params["tolerance"]))
    low, high = range_of(part.id, tolerance)
    mistaken = [Fraction(value) for value in wrong.values()]
    drafts = [
        *((Fraction(value), habit, HABIT) for habit, value in wrong.items()),
        *((Fraction(value), "another", OTHER) for value in others),
        *((2 * gold - value, "overcorrected", DERIVED) for value in mistaken),
        *((value - gold, "difference", DERIVED) for value in mistaken),
    ]
    if low is None or low < 0:
        drafts.append((-gold, "sign", DERIVED))
    if low == 0:
        drafts.append((1 - gold, "complement", DERIVED))
    drafts += [(value, "slip", SLIP) for value in _slips(gold, tolerance)]
    for start in dict.fromkeys([*mistaken, *map(Fraction, others)]):
        drafts += [(value, "slip_mistake", SLIP) for value in _slips(start, tolerance)]
    for value, origin, weight in drafts:
        if value != 0 and (low is None or value >= low) and (high is None or value <= high):
            yield Candidate(show(value), origin, weight)


FACTORS = (Fraction(1, 2), Fraction(2), Fraction(3, 2), Fraction(3, 4))
"""The factors that are forgotten or counted twice."""


def steps(tolerance: Fraction) -> tuple[Fraction, ...]:
    """How far a slip of arithmetic leads: whole numbers for counts, small steps for chances, round ones else."""
    if tolerance == 0:
        return tuple(map(Fraction, (1, 2, 3)))
    if tolerance < Fraction(1, 100):
        return (Fraction(1, 50), Fraction(1, 20), Fraction(1, 10), Fraction(3, 20))
    return (Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2))


def _slips(value: Fraction, tolerance: Fraction) -> list[Fraction]:
    """Values a step or a factor away; of a count, whole numbers only."""
    away = [value + sign * step for step in steps(tolerance) for sign in (1, -1)]
    made = [*away, *(value * factor for factor in FACTORS)]
    return [one for one in made if tolerance > 0 or one.denominator == 1]


def _sets(part: Part, wrong: Mapping[str, Json], others: Sequence[Json]) -> Iterator[Candidate]:
    universe = [name for name in part.params["universe"] if name != IMPOSSIBLE]
    for habit, value in wrong.items():
        if value not in ([], [IMPOSSIBLE]):
            yield Candidate(sorted(value), habit, HABIT)
    for value in others:
        if value and set(value) <= set(universe):
            yield Candidate(sorted(value), "another", OTHER)
    yield Candidate(sorted(universe), "everything", DERIVED)
    if part.gold != [IMPOSSIBLE]:
        yield from (Candidate(value, "near", SLIP) for value in _one_off(part.gold, universe))
    for value in wrong.values():
        if value != [IMPOSSIBLE]:
            yield from (Candidate(near, "near_mistake", SLIP) for near in _one_off(value, universe))


def _one_off(names: Sequence[str], universe: Sequence[str]) -> list[list[str]]:
    """The non-empty sets with one member more or less, or with one member exchanged."""
    have, rest = set(names), [name for name in universe if name not in names]
    less = [have - {name} for name in names]
    more = [have | {name} for name in rest]
    changed = [(have - {old}) | {new} for old in names for new in rest]
    return [sorted(one) for one in (*less, *more, *changed) if one]


def _orders(part: Part, wrong: Mapping[str, Json]) -> Iterator[Candidate]:
    for habit, value in wrong.items():
        yield Candidate(list(value), habit, HABIT)
    yield Candidate(list(reversed(part.gold)), "reversed", DERIVED)
    yield from (Candidate(value, "near", SLIP) for value in _swapped(part.gold))
    for value in wrong.values():
        yield from (Candidate(near, "near_mistake", SLIP) for near in _swapped(value))
    yield from (Candidate(near, "near_mistake", SLIP) for near in _swapped(list(reversed(part.gold))))


def _swapped(order: Sequence[str]) -> list[list[str]]:
    """The orders with two members exchanged."""
    made = []
    for first in range(len(order)):
        for second in range(first + 1, len(order)):
            changed = list(order)
            changed[first], changed[second] = changed[second], changed[first]
            made.append(changed)
    return made
