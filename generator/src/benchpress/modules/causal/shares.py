"""Observed shares of a graph with hidden common causes: drawn from a model with the hidden causes, printed without.

`shares` in params lists {"of": name, "given": [names], "rows": [[bits, value], ...]}. `given` holds the direct causes
of a variable and, where a hidden cause ties it to an earlier one, that one and its direct causes: what the shares of
the variable depend on given everything earlier. Their product is the observed distribution.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

from benchpress.graphs.dag import Graph, bits
from benchpress.models.table import Table
from benchpress.modules.causal.chances import states, table
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sections import Params

FIFTH, HALF = Fraction(1, 5), Fraction(1, 2)
SENDING: tuple[tuple[Fraction, tuple[Fraction, ...]], ...] = (
    (FIFTH, (Fraction(7, 25), Fraction(8, 25), Fraction(9, 25))),
    (HALF, (Fraction(7, 10), Fraction(4, 5), Fraction(9, 10))),
    (1 - FIFTH, (Fraction(22, 25), Fraction(23, 25), Fraction(24, 25))),
)
"""Share of ones of a variable, and its chance where its hidden cause is on (a fair coin): both keep decimals short."""

ROOM = {1: (5, 9), 2: (4, 6), 3: (3, 4), 4: (2, 4), 5: (2, 3)}
"""By how many twentieths each of so many causes moves a chance."""


def senders(graph: Graph) -> dict[str, str]:
    """For each hidden common cause the earlier of its two variables, the sender, and the later one.

    Raises ValueError where a sender has two hidden causes: then the printed shares would not be short decimals.
    """
    place = {name: at for at, name in enumerate(graph.topological_order())}
    found: dict[str, str] = {}
    for pair in graph.bidirected:
        first, last = sorted(pair, key=place.__getitem__)
        if first in found:
            raise ValueError(f"{first} has two hidden causes with later variables")
        found[first] = last
    if set(found) & set(found.values()):
        raise ValueError("a variable has hidden causes with an earlier and with a later one")
    return found


def draw_shares(stream: Stream, graph: Graph, *, steady: bool = True) -> list[Params]:
    """The shares of every variable of `graph`, whose hidden causes meet the conditions of :func:`senders`.

    `steady`: every cause moves a chance the same way throughout; otherwise causes modify each other's effects.
    """
    sent = senders(graph)
    posterior: dict[str, dict[tuple[int, ...], Fraction]] = {}
    entries = []
    for name in graph.topological_order():
        causes = list(graph.names(graph.parents[graph.index[name]]))
        if name in sent:
            values = _sending(stream, len(causes), posterior.setdefault(name, {}))
            entries.append(table(name, causes, values))
            continue
        ties = [first for first, last in sent.items() if last == name]
        draw = steady_chances if steady else mixed_chances
        chances = draw(stream, len(causes) + len(ties))
        given = list(causes)
        for first in ties:
            given += [one for one in (first, *graph.names(graph.parents[graph.index[first]])) if one not in given]
        entries.append(table(name, given, [_observed(graph, chances, causes, ties, given, posterior, at)
                                           for at in product((0, 1), repeat=len(given))]))  # fmt: skip
    return sorted(entries, key=lambda entry: str(entry["of"]))


def _sending(stream: Stream, count: int, posterior: dict[tuple[int, ...], Fraction]) -> list[Fraction]:
    """Shares of a sender, noting how probable its hidden cause is given the sender and its own causes."""
    while True:
        means = [stream.choice(SENDING) for _ in range(1 << count)]
        if all(any(means[at][0] != means[at ^ 1 << bit][0] for at in range(1 << count)) for bit in range(count)):
            break
    for state, (mean, ones) in zip(product((0, 1), repeat=count), means, strict=True):
        on = stream.choice(ones)
        posterior[(*state, 1)] = on / (2 * mean)
        posterior[(*state, 0)] = (1 - on) / (2 * (1 - mean))
    return [mean for mean, _ in means]


def _observed(
    graph: Graph,
    chances: Sequence[Fraction],
    causes: Sequence[str],
    ties: Sequence[str],
    given: Sequence[str],
    posterior: Mapping[str, Mapping[tuple[int, ...], Fraction]],
    at: tuple[int, ...],
) -> Fraction:
    """The share of a variable under one state of what it is conditioned on, its hidden causes averaged out."""
    state = dict(zip(given, at, strict=True))
    start = 0
    for cause in causes:
        start = 2 * start + state[cause]
    result = Fraction(0)
    for hidden in product((0, 1), repeat=len(ties)):
        weight, row = Fraction(1), start
        for first, on in zip(ties, hidden, strict=True):
            above = graph.names(graph.parents[graph.index[first]])
            chance = posterior[first][(*(state[one] for one in above), state[first])]
            weight *= chance if on else 1 - chance
            row = 2 * row + on
        result += weight * chances[row]
    return result


def steady_chances(stream: Stream, causes: int) -> list[Fraction]:
    """A chance for every state of at most five causes; each moves it one way throughout, by twentieths."""
    if causes == 0:
        return [Fraction(stream.between(6, 14), 20)]
    moves = [stream.between(*ROOM[causes]) for _ in range(causes)]
    while sum(moves) > 16:
        moves[stream.below(causes)] = ROOM[causes][0]
    flips = stream.bits(causes)
    base = 1 + stream.below(18 - sum(moves))
    return [
        Fraction(base + sum(move for bit, move in enumerate(moves) if (at ^ flips) >> bit & 1) + stream.below(2), 20)
        for at in range(1 << causes)
    ]


def mixed_chances(stream: Stream, causes: int) -> list[Fraction]:
    """A chance in twentieths for every state of the causes; each cause matters, and more so in some states."""
    while True:
        values = [stream.between(2, 18) for _ in range(1 << causes)]
        gaps = [
            [values[at | 1 << bit] - values[at] for at in range(1 << causes) if not at >> bit & 1]
            for bit in range(causes)
        ]
        if all(abs(sum(gap)) >= 3 * len(gap) and (len(gap) < 2 or max(gap) - min(gap) >= 2) for gap in gaps):
            return [Fraction(value, 20) for value in values]


def closure(shares: Sequence[Mapping[str, Any]], names: Iterable[str]) -> list[Mapping[str, Any]]:
    """The entries of `names` and of everything that their shares are conditioned on."""
    of = {entry["of"]: entry for entry in shares}
    todo, seen = list(names), set(names)
    while todo:
        fresh = [name for name in of[todo.pop()]["given"] if name not in seen]
        seen |= set(fresh)
        todo += fresh
    return [entry for entry in shares if entry["of"] in seen]


def observed_table(shares: Sequence[Mapping[str, Any]], names: Iterable[str]) -> Table:
    """The exact observed distribution of `names` and of what their shares are conditioned on."""
    left = {entry["of"]: entry for entry in closure(shares, names)}
    order: list[str] = []
    weights = [1]
    while left:
        name = next(one for one, entry in left.items() if all(cause in order for cause in entry["given"]))
        entry = left.pop(name)
        chances = [Fraction(value) for _, value in entry["rows"]]
        unit = lcm(*(chance.denominator for chance in chances))
        ones = [chance.numerator * (unit // chance.denominator) for chance in chances]
        # A state is a whole number whose lowest bit is the variable taken in last.
        shifts = [len(order) - 1 - order.index(cause) for cause in entry["given"]]
        grown = []
        for state, weight in enumerate(weights):
            row = 0
            for shift in shifts:
                row = 2 * row + (state >> shift & 1)
            one = weight * ones[row]
            grown += [weight * unit - one, one]
        weights = grown
        order.append(name)
    return Table(tuple(order), (2,) * len(order), tuple(weights))


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
    """The exact table of printed states; states that are not listed weigh nothing."""
    return Table.from_rows([*joint["columns"], "n"], [[*state, value] for state, value in joint["rows"]])


def ancestors_of(graph: Graph, *names: str) -> list[str]:
    """Ancestors of `names`, themselves included."""
    return [graph.nodes[place] for place in bits(graph.ancestors_of(graph.mask(names)))]
