"""Which wrong answers are offered: so that size, length, roundness or likeness to the others gives nothing away.

Wrong answers made from the right one would lie around it, and the right one could be picked as the middle of all. So
the place that the right answer takes among the options, by size and by likeness, is drawn first, and wrong answers are
chosen to put it there; among those that do, the most telling ones.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, zip_longest

from benchpress.items import Json, Part
from benchpress.modules.choice.causal.mistakes import FACTORS, OTHER, Candidate, steps
from benchpress.modules.choice.causal.written import decimals, fixed
from benchpress.protocol import IMPOSSIBLE
from benchpress.streams import Stream

POOL = {3: 20, 4: 16, 5: 14}
"""How many candidates are weighed for so many wrong answers; all choices among them are looked at."""

TELLING = 2
"""How many wrong answers come from typical mistakes at least, as far as there are so many."""

OFFERED_IMPOSSIBLE, OFFERED_NOTHING = (3, 4), (1, 2)
"""How often the two special answers are offered when they are wrong, so that being offered makes neither likelier."""

IMPOSSIBLE_SET, EMPTY_SET = [IMPOSSIBLE], list[str]()

Miss = Callable[[Sequence[int]], int]
"""How far a choice, given by its places among the candidates from 1, puts the key (place 0) from where it is drawn."""


def select(part: Part, pool: Sequence[Candidate], count: int, stream: Stream) -> list[Candidate] | None:
    """`count` of the candidates, to stand beside the key of `part`; None where there are not enough."""
    always = _special(part, stream, count) if part.type == "node_set" else []
    kept = [one for one in pool if all(one.value != other.value for other in always)]
    if part.type == "number":
        kept = _apart(part, kept)
    kept = [*always, *_trimmed(part, kept, POOL[count] - len(always), stream)]
    miss, fair = _rules(part, kept, count + 1, stream)
    ties = [0, *(stream.bits(32) for _ in kept)]
    weights = [0, *(one.weight for one in kept)]
    wanted = min(TELLING, sum(weight >= OTHER for weight in weights))
    first = tuple(range(1, len(always) + 1))

    def cost(chosen: tuple[int, ...]) -> tuple[int, int, int, int]:
        lacking = max(0, wanted - sum(weights[at] >= OTHER for at in chosen))
        return lacking, miss(chosen), -sum(weights[at] for at in chosen), sum(ties[at] for at in chosen)

    others = range(len(always) + 1, len(kept) + 1)
    choices = [first + rest for rest in combinations(others, count - len(always)) if fair(rest)]
    return [kept[at - 1] for at in min(choices, key=cost)] if choices else None


def gap(part: Part, one: Fraction, other: Fraction) -> Fraction:
    """How far two numbers must lie apart: ten tolerances, and a twentieth of the larger; counts must differ."""
    tolerance = Fraction(str(part.params["tolerance"]))
    if tolerance == 0:
        return Fraction(1)
    return max(10 * tolerance, max(abs(one), abs(other)) / 20)


def _special(part: Part, stream: Stream, count: int) -> list[Candidate]:
    """The special answers that are offered beside the key: that no set will do, and that none is needed."""
    impossible, nothing = stream.chance(*OFFERED_IMPOSSIBLE), stream.chance(*OFFERED_NOTHING)
    chosen = []
    if impossible and IMPOSSIBLE in part.params["universe"] and part.gold != IMPOSSIBLE_SET:
        chosen.append(Candidate(IMPOSSIBLE_SET, "impossible", OTHER))
    if nothing and EMPTY_SET not in (part.gold, *part.params.get("accept", ())):
        chosen.append(Candidate(EMPTY_SET, "nothing", OTHER))
    return chosen[: count - 1]


def _apart(part: Part, pool: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that are clearly apart from the key."""
    gold = Fraction(part.gold)
    return [one for one in pool if abs(Fraction(one.value) - gold) >= gap(part, Fraction(one.value), gold)]


def _trimmed(part: Part, pool: Sequence[Candidate], most: int, stream: Stream) -> list[Candidate]:
    """The telling candidates first, then others in drawn order; of numbers, as many below the key as above."""
    telling = [one for one in pool if one.weight >= OTHER]
    others = stream.shuffled([one for one in pool if one.weight < OTHER])
    if part.type == "number":
        gold = Fraction(part.gold)
        below = [one for one in others if Fraction(one.value) < gold]
        above = [one for one in others if Fraction(one.value) > gold]
        others = [one for pair in zip_longest(below, above) for one in pair if one is not None]
    return [*telling, *others][:most]


Rules = tuple[Miss, Callable[[Sequence[int]], bool]]


def _rules(part: Part, pool: Sequence[Candidate], options: int, stream: Stream) -> Rules:
    """How far a choice misses the drawn places, and whether it may be offered at all."""
    if part.type == "number":
        return _number_rules(part, [Fraction(one.value) for one in pool], options, stream)
    values = [part.gold, *(one.value for one in pool)]
    distance = _set_distance if part.type == "node_set" else _order_distance
    apart = [[distance(one, other) for other in values] for one in values]
    size, likeness = stream.below(2 * options - 1), stream.below(2 * options - 1)
    wide = 2 * options - 2

    def miss(chosen: Sequence[int]) -> int:
        if part.gold == IMPOSSIBLE_SET:
            return 0
        shown = [0, *(at for at in chosen if values[at] != IMPOSSIBLE_SET)]
        off = abs(_place([sum(apart[at][other] for other in shown) for at in shown]) * wide - likeness * _top(shown))
        if part.type == "node_set" and part.gold:
            # The empty set is a special answer, so the smallest of the others is what has to be hidden.
            full = [at for at in shown if values[at]]
            off += abs(_place([len(values[at]) for at in full]) * wide - size * _top(full))
        return off

    return miss, lambda _: True


def _number_rules(part: Part, wrong: Sequence[Fraction], options: int, stream: Stream) -> Rules:
    """Of numbers, the key's place in order of size, and among those that could have been made from one another.

    Where the key is a round number, a drawn number of the others is as round. Numbers that are not clearly apart, or
    have the key half-way between them, are not offered together.
    """
    place, likeness = stream.below(options), stream.below(2 * options - 1)
    round_ones = 1 + stream.below(options - 1)
    places, tolerance = decimals(part), Fraction(str(part.params["tolerance"]))
    values = [Fraction(part.gold), *wrong]
    sizes = [_roundness(value, places) for value in values]
    as_round = [size <= sizes[0] < places for size in sizes]
    related = [[one != other and _related(one, other, tolerance) for other in values] for one in values]
    slack = Fraction(3, 10**places)
    together = [[abs(a - b) >= gap(part, a, b) and abs(a + b - 2 * values[0]) > slack for b in values] for a in values]

    def miss(chosen: Sequence[int]) -> int:
        shown = (0, *chosen)
        off = abs(sum(values[at] < values[0] for at in chosen) - place)
        likes = [sum(related[at][other] for other in shown) for at in shown]
        plain = max(0, round_ones - sum(as_round[at] for at in chosen)) if as_round[0] else 0
        return 2 * off + abs(_place(likes) - likeness) + 2 * plain

    return miss, lambda chosen: all(together[a][b] for a, b in combinations(chosen, 2))


def _related(one: Fraction, other: Fraction, tolerance: Fraction) -> bool:
    """Whether one could have been made from the other: a step or a factor away, negated, or its complement."""
    chances = 0 < tolerance < Fraction(1, 100)
    if abs(one - other) in steps(tolerance) or one == -other or (chances and one + other == 1):
        return True
    return any(one == other * factor or other == one * factor for factor in FACTORS)


def _roundness(value: Fraction, places: int) -> int:
    """How many decimals the printed value really needs."""
    return len(fixed(value, places).partition(".")[2].rstrip("0"))


def _place(values: Sequence[int]) -> int:
    """Twice the rank of the first value among all, ties counting half."""
    first = values[0]
    return 2 * sum(value < first for value in values[1:]) + sum(value == first for value in values[1:])


def _top(shown: Sequence[int]) -> int:
    """The highest place that :func:`_place` can give."""
    return 2 * len(shown) - 2


def _set_distance(one: Json, other: Json) -> int:
    return len(set(one) ^ set(other))


def _order_distance(one: Json, other: Json) -> int:
    """In how many pairs two orders of the same names differ (Kendall)."""
    place = {name: at for at, name in enumerate(other)}
    return sum(place[a] > place[b] for a, b in combinations(one, 2))
