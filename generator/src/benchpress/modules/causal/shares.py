"""Observed shares of a graph with hidden common causes: drawn from a model with the hidden causes, printed without.

`shares` in params lists {"of": name, "given": [names], "rows": [[bits, value], ...]}. `given` holds the direct causes
of a variable and, where a hidden cause ties it to an earlier one, that one and its direct causes: what the shares of
the variable depend on given everything earlier. Their product is the observed distribution.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Any

from benchpress.graphs.dag import Graph, bits
from benchpress.models.table import Table
from benchpress.modules.causal.chances import states, table
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sections import Params

SENDING = tuple(
    (Fraction(mean), Fraction(on))
    for mean, on in (("1/5", "9/25"), ("1/2", "7/10"), ("1/2", "4/5"), ("1/2", "9/10"), ("4/5", "24/25"))
)
"""Share of ones of a variable, and its chance where its hidden cause, a fair coin, is on.

Given either value of the variable the hidden cause is on with a chance in tenths, so what is printed stays short.
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


def draw_shares(stream: Stream, graph: Graph, *, steady: bool = True, tenths: bool = False) -> list[Params]:
    """The shares of every variable of `graph`, whose hidden causes meet the conditions of :func:`senders`.

    `steady`: every cause moves a chance the same way throughout; otherwise causes modify each other's effects.
    `tenths`: chances in tenths instead of twentieths, for products that are to be printed.
    """
    order = time_order(graph)
    sent = senders(graph, order)
    causes = {name: graph.names(graph.parents[graph.index[name]]) for name in order}
    posterior: dict[str, list[int]] = {}
    unit = 10 if tenths else 20
    draw = steady_chances if steady else mixed_chances
    entries = []
    for name in order:
        if name in sent:
            values, posterior[name] = _sending(stream, len(causes[name]))
            entries.append(table(name, causes[name], values))
            continue
        ties = [first for first, last in sent.items() if last == name]
        chances = draw(stream, len(causes[name]) + len(ties), unit)
        given = list(dict.fromkeys([*causes[name], *(one for first in ties for one in (*causes[first], first))]))
        if ties:
            chances = _averaged(chances, causes, name, ties, given, posterior)
        whole = unit * 10 ** len(ties)
        entries.append(table(name, given, [Fraction(chance, whole) for chance in chances]))
    return sorted(entries, key=lambda entry: str(entry["of"]))


def _sending(stream: Stream, count: int) -> tuple[list[Fraction], list[int]]:
    """Shares of a sender, and in how many tenths of the cases its hidden cause is on, given its causes and itself."""
    while True:
        drawn = [stream.choice(SENDING) for _ in range(1 << count)]
        if all(any(drawn[at][0] != drawn[at ^ 1 << bit][0] for at in range(1 << count)) for bit in range(count)):
            break
    tenths = [int(10 * share) for mean, on in drawn for share in ((1 - on) / (2 * (1 - mean)), on / (2 * mean))]
    return [mean for mean, _ in drawn], tenths


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
    own = [place[cause] for cause in causes[name]]
    keys = [[place[one] for one in (*causes[first], first)] for first in ties]
    found = []
    for state in range(1 << len(given)):
        weights = [1]
        for first, key in zip(ties, keys, strict=True):
            on = posterior[first][_row(state, key)]
            weights = [weight * tenths for weight in weights for tenths in (10 - on, on)]
        start = _row(state, own) << len(ties)
        found.append(sum(weight * chances[start + at] for at, weight in enumerate(weights)))
    return found


def _row(state: int, shifts: Sequence[int]) -> int:
    """The bits of `state` at `shifts`, the first one highest."""
    row = 0
    for shift in shifts:
        row = 2 * row + (state >> shift & 1)
    return row


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
    while True:
        values = steady_chances(stream, causes, unit)
        for _ in range(causes if causes > 1 else 0):
            one, other = stream.sample(range(causes), 2)
            both = stream.between(unit // 5, 3 * unit // 10) * stream.choice((-1, 1))
            values = [value + both * (at >> one & at >> other & 1) for at, value in enumerate(values)]
        if unit // 20 < min(values) and max(values) < unit - unit // 20:
            return values


def changed_entry(stream: Stream, entry: Mapping[str, Any], unit: int) -> Params:
    """Shares of a variable without hidden causes in another population; far from these where it has no causes."""
    (first, value), *rest = entry["rows"]
    if rest:
        return table(entry["of"], entry["given"], [Fraction(chance, unit) for chance in
                                                   mixed_chances(stream, len(entry["given"]), unit)])  # fmt: skip
    far = [step for step in range(1, unit) if 10 * abs(step - unit * Fraction(value)) >= 3 * unit]
    return {**entry, "rows": [[first, show(Fraction(stream.choice(far), unit))]]}


class Observed:
    """The exact observed distribution that shares describe, in whole numbers."""

    def __init__(self, shares: Sequence[Mapping[str, Any]] = ()) -> None:
        self.given: dict[str, Sequence[str]] = {}
        self.unit: dict[str, int] = {}
        self.ones: dict[str, Sequence[int]] = {}
        for entry in shares:
            chances = [Fraction(value) for _, value in entry["rows"]]
            unit = lcm(*(chance.denominator for chance in chances))
            ones = [chance.numerator * (unit // chance.denominator) for chance in chances]
            self.take(entry["of"], entry["given"], ones, unit)

    def take(self, name: str, given: Sequence[str], ones: Sequence[int], unit: int) -> None:
        """One variable: in how many parts of `unit` it is 1, for every state of `given`, the last varying fastest."""
        self.given[name], self.ones[name], self.unit[name] = given, ones, unit

    def order(self, names: Iterable[str], without: Iterable[str] = ()) -> list[str]:
        """`names` and all that their shares are conditioned on, in an order in which that comes first."""
        done = dict.fromkeys(without)
        placed: list[str] = []

        def place(name: str) -> None:
            if name not in done:
                done[name] = None
                for cause in self.given[name]:
                    place(cause)
                placed.append(name)

        for name in names:
            place(name)
        return placed

    def table(self, names: Iterable[str]) -> Table:
        """The distribution of `names` and of what their shares are conditioned on."""
        order = self.order(names)
        weights = [1]
        for count, name in enumerate(order):
            # A state is a whole number whose lowest bit is the variable taken in last.
            shifts = [count - 1 - order.index(cause) for cause in self.given[name]]
            ones, unit = self.ones[name], self.unit[name]
            grown = []
            for state, weight in enumerate(weights):
                row = 0
                for shift in shifts:
                    row = 2 * row + (state >> shift & 1)
                one = weight * ones[row]
                grown += [weight * unit - one, one]
            weights = grown
        return Table(tuple(order), (2,) * len(order), tuple(weights))

    def planned(self, y: str, do: Mapping[str, int]) -> Fraction:
        """P(y = 1) under an intervention by the longitudinal g-formula: see :meth:`after`."""
        sums, whole = self._after([y], do)
        return Fraction(sums[(1,)], whole)

    def after(self, names: Sequence[str], do: Mapping[str, int]) -> Table:
        """The distribution of `names` under an intervention: the product of all shares but those of `do`, summed.

        Right where no hidden cause acts on a variable in `do`, so that its shares given everything earlier are its
        mechanism. Reference: Robins 1986; Hernan and Robins, What If, section 21.1.
        """
        sums, _ = self._after(names, do)
        return Table(
            tuple(names), (2,) * len(names), tuple(sums[state] for state in product((0, 1), repeat=len(names)))
        )

    def _after(self, names: Sequence[str], do: Mapping[str, int]) -> tuple[dict[tuple[int, ...], int], int]:
        """Whole-number weights of the states of `names`, and their sum."""
        order = self.order(names, without=do)
        # What no later share is conditioned on is dropped as soon as it has been summed over.
        sums: dict[tuple[int, ...], int] = {(): 1}
        kept: list[str] = []
        for at, name in enumerate(order):
            ones, unit, given = self.ones[name], self.unit[name], self.given[name]
            needed = {cause for later in order[at + 1 :] for cause in self.given[later]} | set(names)
            last = at == len(order) - 1
            kept_next = list(names) if last else [one for one in (*kept, name) if one in needed]
            grown: dict[tuple[int, ...], int] = {}
            for state, weight in sums.items():
                values = {**do, **dict(zip(kept, state, strict=True))}
                row = 0
                for cause in given:
                    row = 2 * row + values[cause]
                for value, chance in ((0, unit - ones[row]), (1, ones[row])):
                    values[name] = value
                    key = tuple([values[one] for one in kept_next])
                    grown[key] = grown.get(key, 0) + weight * chance
            sums, kept = grown, kept_next
        return sums, prod(self.unit[name] for name in order)


def observed_table(shares: Sequence[Mapping[str, Any]], names: Iterable[str]) -> Table:
    """The exact observed distribution of `names` and of what their shares are conditioned on."""
    return Observed(shares).table(names)


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
