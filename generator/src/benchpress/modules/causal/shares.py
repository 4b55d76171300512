"""Observed shares of a graph with hidden common causes: drawn from a model with the hidden causes, printed without."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from benchpress.graphs.dag import Graph
from benchpress.modules.causal.observed import Observed
from benchpress.streams import Stream

SENDING: tuple[tuple[int, int, int], ...] = ((2, 4, 9), (5, 3, 7), (5, 2, 8), (5, 1, 9), (8, 1, 6))
"""Share of ones of a variable, and how often its hidden cause, a fair coin, is on where it is 0 and where it is 1.

All in tenths, so what is printed stays short: 0.2 and 0.36 where the cause is on give 0.4 and 0.9, and so forth.
"""

ROOM = {1: (5, 9), 2: (4, 6), 3: (3, 4), 4: (2, 4), 5: (2, 3)}
"""By how many twentieths each of so many causes moves a chance."""


def time_order(graph: Graph) -> list[str]:
    """Causes before effects; variables without effects last, those with the most hidden causes at the very end."""

    def late(name: str) -> int:
        place = graph.index[name]
        return 0 if graph.children[place] else 1 + graph.spouses[place].bit_count()

    return sorted(graph.topological_order(), key=late)


def senders(graph: Graph, order: Sequence[str]) -> dict[str, str]:
    """For each hidden common cause the earlier of its two variables, the sender, and the later one.

    Raises ValueError where a sender has two hidden causes: then the printed shares would not be short decimals.
    """
    place = {name: at for at, name in enumerate(order)}
    found: dict[str, str] = {}
    for pair in graph.bidirected:
        first, last = sorted(pair, key=place.__getitem__)
        if first in found:
            raise ValueError(f"{first} has two hidden causes with later variables")
        found[first] = last
    if set(found) & set(found.values()):
        raise ValueError("a variable has hidden causes with an earlier and with a later one")
    return found


def draw_shares(
    stream: Stream, graph: Graph, *, steady: bool | Collection[str] = True, tenths: bool = False
) -> Observed:
    """Drawn shares of every variable of `graph`, whose hidden causes meet the conditions of :func:`senders`.

    `steady`: every cause moves a chance the same way throughout, for all variables or those named; otherwise causes
    modify each other's effects.
    `tenths`: chances in tenths instead of twentieths, for products that are to be printed.
    """
    order = time_order(graph)
    sent = senders(graph, order)
    causes = {name: graph.names(graph.parents[graph.index[name]]) for name in order}
    posterior: dict[str, list[int]] = {}
    unit = 10 if tenths else 20
    even = set(order if steady is True else steady or ())
    found = Observed()
    for name in order:
        if name in sent:
            means, posterior[name] = _sending(stream, len(causes[name]))
            found.take(name, causes[name], means, 10)
            continue
        ties = [first for first, last in sent.items() if last == name]
        draw = steady_chances if name in even else mixed_chances
        chances = draw(stream, len(causes[name]) + len(ties), unit)
        given = list(dict.fromkeys([*causes[name], *(one for first in ties for one in (*causes[first], first))]))
        if ties:
            chances = _averaged(chances, causes, name, ties, given, posterior)
        found.take(name, given, chances, unit * 10 ** len(ties))
    return found


def _sending(stream: Stream, count: int) -> tuple[list[int], list[int]]:
    """Shares of a sender in tenths, and in how many tenths its hidden cause is on, given its causes and itself."""
    while True:
        drawn = [stream.choice(SENDING) for _ in range(1 << count)]
        if all(any(drawn[at][0] != drawn[at ^ 1 << bit][0] for at in range(1 << count)) for bit in range(count)):
            break
    return [mean for mean, _, _ in drawn], [tenths for _, off, on in drawn for tenths in (off, on)]


def _averaged(
    chances: Sequence[int],
    causes: Mapping[str, Sequence[str]],
    name: str,
    ties: Sequence[str],
    given: Sequence[str],
    posterior: Mapping[str, Sequence[int]],
) -> list[int]:
    """Chances by causes and hidden causes, turned into chances by `given`: hidden causes are averaged out in tenths."""
    place = {one: len(given) - 1 - at for at, one in enumerate(given)}
    own = _rows(len(given), [place[cause] for cause in causes[name]])
    found = [[chances[start << len(ties) | at] for at in range(1 << len(ties))] for start in own]
    for first in reversed(ties):
        key = _rows(len(given), [place[one] for one in (*causes[first], first)])
        on = posterior[first]
        found = [
            [left * (10 - on[row]) + right * on[row] for left, right in zip(values[::2], values[1::2], strict=True)]
            for row, values in zip(key, found, strict=True)
        ]
    return [value for (value,) in found]


def _rows(count: int, shifts: Sequence[int]) -> list[int]:
    """For every state of `count` variables its bits at `shifts`, the first one highest."""
    rows = [0] * (1 << count)
    for shift in shifts:
        rows = [2 * row + (state >> shift & 1) for state, row in enumerate(rows)]
    return rows


def steady_chances(stream: Stream, causes: int, unit: int) -> list[int]:
    """A chance, in parts of `unit`, for every state of at most five causes; each moves it one way throughout."""
    if causes == 0:
        return [stream.between(3 * unit // 10, 7 * unit // 10)]
    low, high = (max(1, bound * unit // 20) for bound in ROOM[causes])
    moves = [stream.between(low, high) for _ in range(causes)]
    wiggle = unit // 20
    room = unit - 1 - wiggle
    while sum(moves) > room - 1:
        moves[stream.below(causes)] = low
    flips = stream.bits(causes)
    base = 1 + stream.below(room - sum(moves))
    return [
        base + sum(move for bit, move in enumerate(moves) if (at ^ flips) >> bit & 1) + stream.below(1 + wiggle)
        for at in range(1 << causes)
    ]


def mixed_chances(stream: Stream, causes: int, unit: int) -> list[int]:
    """Chances in parts of `unit`, one for every state of the causes, which modify each other's effects."""
    if causes < 2:
        return steady_chances(stream, causes, unit)
    scores = [0]
    for _ in range(causes):
        move = stream.between(4, 9) * stream.choice((-1, 1))
        scores = [score + step for score in scores for step in (0, move)]
    for _ in range(causes):
        one, other = stream.sample(range(causes), 2)
        both = stream.between(5, 10) * stream.choice((-1, 1))
        scores = [score + both * (at >> one & at >> other & 1) for at, score in enumerate(scores)]
    # Any scores fit: they are drawn out over most of the room that a chance has.
    lowest, span = min(scores), max(scores) - min(scores)
    least = unit // 10
    width = stream.between(6 * unit // 10, unit - 2 * least)
    base = stream.between(least, unit - least - width)
    return [base + (score - lowest) * width // span for score in scores]


def draw_other(stream: Stream, shares: Observed, name: str, unit: int) -> tuple[list[int], int]:
    """Shares of a variable without hidden causes in another population; far from these where it has no causes."""
    if shares.given[name]:
        return mixed_chances(stream, len(shares.given[name]), unit), unit
    old = Fraction(shares.ones[name][0], shares.unit[name])
    return [stream.choice([step for step in range(1, unit) if 10 * abs(step - unit * old) >= 3 * unit])], unit
