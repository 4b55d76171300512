"""Answers to multiple-choice items without reasoning: by place, length, size, roundness and likeness of the options.

Every rule names one option; among equals it takes the first that is printed.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from string import ascii_uppercase
from typing import Any

from benchpress.items import Item, Json, Part
from benchpress.protocol import IMPOSSIBLE

Rule = Callable[[Item, Part], Json]
Rank = Callable[[Sequence[str], Item], Sequence[Any]]

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\d)")


def places() -> dict[str, Rule]:
    """Always the same letter, or always the last one."""
    fixed: dict[str, Rule] = {f"always {letter}": _always(letter) for letter in ascii_uppercase[:6]}
    return {**fixed, "last listed": lambda _, part: ascii_uppercase[len(part.params["options"]) - 1]}


def surfaces() -> dict[str, Rule]:
    """Rules that look at the options, and at most at the numbers of the problem."""
    return {name: _lowest(rank) for name, rank in RANKS.items()}


def _always(letter: str) -> Rule:
    return lambda *_: letter


def _lowest(rank: Rank) -> Rule:
    """The option of lowest rank; the first option where the rule says nothing about such options."""

    def rule(item: Item, part: Part) -> Json:
        texts = [str(text) for text in part.params["options"]]
        ranks = rank(texts, item)
        return ascii_uppercase[min(range(len(texts)), key=ranks.__getitem__)] if ranks else "A"

    return rule


def _amounts(texts: Sequence[str]) -> list[Fraction]:
    """The options as numbers; none where one is not a number."""
    return [Fraction(text) for text in texts] if all(_NUMBER.fullmatch(text) for text in texts) else []


def _decimals(texts: Sequence[str]) -> list[str]:
    """The decimals of options that are numbers."""
    return [text.partition(".")[2] for text in texts] if _amounts(texts) else []


def _members(texts: Sequence[str]) -> list[frozenset[str]]:
    """The options as sets; none where no option is a set."""
    if not any(text.startswith("{") for text in texts):
        return []
    return [frozenset(name for name in text.strip("{}").split(", ") if name) for text in texts]


def _words(texts: Sequence[str]) -> list[frozenset[str]]:
    return [frozenset(re.findall(r"\w+", text)) for text in texts]


def _orders(texts: Sequence[str]) -> list[list[str]]:
    """The options as orders of the same names; none where they are not."""
    orders = [text.split(", ") for text in texts]
    return orders if len({tuple(sorted(order)) for order in orders}) == 1 else []


def _inversions(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(other.index(a) > other.index(b) for a, b in combinations(one, 2))


def _sums(values: Sequence[Any], distance: Callable[[Any, Any], Any]) -> list[Any]:
    return [sum(distance(one, other) for other in values) for one in values]


def _nearest(values: Sequence[Fraction]) -> list[Fraction]:
    return [min((abs(one - other) for other in values if other != one), default=Fraction(0)) for one in values]


def _rarity(marks: Sequence[str]) -> list[int]:
    counts = Counter(marks)
    return [-counts[mark] for mark in marks]


def _near_the_problem(texts: Sequence[str], item: Item) -> list[Fraction]:
    stated = [Fraction(text) for text in _NUMBER.findall(str(item.params.get("question", "")))]
    return [min(abs(value - other) for other in stated) for value in _amounts(texts)] if stated else []


RANKS: Mapping[str, Rank] = {
    "longest": lambda texts, _: [-len(text) for text in texts],
    "shortest": lambda texts, _: [len(text) for text in texts],
    "largest": lambda texts, _: [-value for value in _amounts(texts)],
    "smallest": lambda texts, _: _amounts(texts),
    "smallest in size": lambda texts, _: [abs(value) for value in _amounts(texts)],
    "median": lambda texts, _: _sums(_amounts(texts), lambda one, other: abs(one - other)),
    "roundest": lambda texts, _: [len(fixed.rstrip("0")) for fixed in _decimals(texts)],
    "nearest to another": lambda texts, _: _nearest(_amounts(texts)),
    "last digit of most": lambda texts, _: _rarity([text[-1] for text in texts]) if _amounts(texts) else [],
    "nearest to a number of the problem": lambda texts, item: _near_the_problem(texts, item),
    "most members": lambda texts, _: [-len(members) for members in _members(texts)],
    "fewest members": lambda texts, _: [len(members) or 99 for members in _members(texts)],
    "most alike": lambda texts, _: _sums(_members(texts), lambda one, other: len(one ^ other)),
    "most alike in words": lambda texts, _: _sums(_words(texts), lambda one, other: -len(one & other)),
    "most alike in order": lambda texts, _: _sums(_orders(texts), _inversions),
    "special answer": lambda texts, _: [text != IMPOSSIBLE for text in texts] if IMPOSSIBLE in texts else [],
    "empty set": lambda texts, _: [text != "{}" for text in texts] if "{}" in texts else [],
}
"""Rule -> a rank for every option, of which the lowest is answered; no rank where it says nothing of such options."""


def ceilings(items: Sequence[Item]) -> Mapping[str, float]:
    """What shallow rules may reach with four options and more, by luck and what is left of a pattern."""
    fewest = min(len(part.params["options"]) for item in items for part in item.parts)
    return {"fixed": 1.4 / fewest, "shallow": 1.8 / fewest}
