"""Second methods for effects with hidden common causes: fixing on the observed distribution, and what may prevent it.

Nothing here imports the graph algorithms or the exact tables. An effect is computed from the observed distribution by
fixing one variable after another, the hidden causes play no part in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.modules.causal.checks_discrete import Joint
from benchpress.modules.causal.checks_numbers import printed

Array = NDArray[np.floating[Any]]


class Mixed:
    """A directed graph with hidden common causes, on plain sets."""

    def __init__(self, graph: Mapping[str, Any]) -> None:
        self.nodes: list[str] = list(graph["nodes"])
        self.axis = {name: at for at, name in enumerate(self.nodes)}
        self.causes: dict[str, set[str]] = {name: set() for name in self.nodes}
        self.effects: dict[str, set[str]] = {name: set() for name in self.nodes}
        self.ties: dict[str, set[str]] = {name: set() for name in self.nodes}
        for tail, head in graph["directed"]:
            self.causes[head].add(tail)
            self.effects[tail].add(head)
        self.pairs = [(one, other) for one, other in graph.get("bidirected", ())]
        for one, other in self.pairs:
            self.ties[one].add(other)
            self.ties[other].add(one)
        self._below = [self._mask(self.effects[name]) for name in self.nodes]
        self._beside = [self._mask(self.ties[name]) for name in self.nodes]

    def _mask(self, names: Iterable[str]) -> int:
        return sum(1 << self.axis[name] for name in names)

    def fixable(self, free: set[str], target: set[str]) -> tuple[str, set[str]] | None:
        """A variable outside `target` none of whose effects is in its district, and those effects; or None."""
        within = self._mask(free)
        for name in sorted(free - target):
            below = self._reached(self.axis[name], self._below, within)
            if not below & self._reached(self.axis[name], self._beside, within) & ~(1 << self.axis[name]):
                return name, {one for one in free if below >> self.axis[one] & 1 and one != name}
        return None

    def _reached(self, start: int, step: Sequence[int], within: int) -> int:
        """`spread` on masks, from one variable."""
        found = left = 1 << start
        while left:
            low = left & -left
            new = step[low.bit_length() - 1] & within & ~found
            found |= new
            left = left ^ low | new
        return found

    def spread(self, start: Iterable[str], step: Mapping[str, set[str]], within: set[str]) -> set[str]:
        """Everything that `step` reaches from `start` inside `within`, the start included."""
        todo = [name for name in start if name in within]
        seen = set(todo)
        while todo:
            new = (step[todo.pop()] & within) - seen
            seen |= new
            todo += new
        return seen

    def part(self, kept: set[str]) -> "Mixed":
        """The graph on some of the nodes."""
        return Mixed(
            {
                "nodes": [name for name in self.nodes if name in kept],
                "directed": [
                    [tail, head] for head in self.nodes if head in kept for tail in sorted(self.causes[head] & kept)
                ],
                "bidirected": [pair for pair in self.pairs if set(pair) <= kept],
            }
        )

    def districts(self, within: set[str]) -> list[set[str]]:
        """The parts of `within` that ties join."""
        left, parts = set(within), []
        for name in self.nodes:
            if name in left:
                part = self.spread([name], self.ties, within)
                parts.append(part)
                left -= part
        return parts

    def order(self, within: set[str]) -> list[str]:
        """Causes before effects."""
        done: list[str] = []
        while len(done) < len(within):
            done += [
                name for name in self.nodes if name in within - set(done) and self.causes[name] & within <= set(done)
            ]
        return done


def kernel(graph: Mixed, cells: Array, target: set[str]) -> Array | None:
    """The distribution of a district when all else is set from outside, from observed `cells` by fixing.

    `cells` has an axis for every node, of length one where the node was left out or set. Dividing by the chance of a
    fixable variable given everything that it does not affect takes its mechanism out. None where no order of fixing
    leads to the target. For a variable that no tie joins to another all steps together leave its shares given its
    direct causes.

    Reference: Richardson, Evans, Robins, Shpitser 2023 (Annals of Statistics), nested Markov models.
    """
    free = {name for name in graph.nodes if cells.shape[graph.axis[name]] > 1}
    if len(target) == 1 and graph.ties[name := min(target)].isdisjoint(free):
        gone = tuple(graph.axis[one] for one in sorted(free - target - graph.causes[name]))
        family = cells.sum(axis=gone, keepdims=True)
        shares: Array = family / family.sum(axis=graph.axis[name], keepdims=True)
        return shares
    while free != target:
        found = graph.fixable(free, target)
        if found is None:
            return None
        name, below = found
        before = cells.sum(axis=tuple(graph.axis[one] for one in sorted(below)), keepdims=True)
        cells = cells / (before / before.sum(axis=graph.axis[name], keepdims=True))
        free.discard(name)
    return cells


def hedge(graph: Mixed, treatments: Sequence[str], y: str) -> list[tuple[set[str], set[str]]]:
    """For every district of the causes of y that fixing does not reach, a pair of sets that is in the way.

    The inner set is the district, the outer one holds more, is held together by ties as well, and acts on the inner
    one throughout.
    """
    kept = graph.spread([y], graph.causes, set(graph.nodes))
    found = []
    for target in graph.districts(graph.spread([y], graph.causes, kept - set(treatments))):
        free = set(kept)
        while (step := graph.fixable(free, target)) is not None:
            free.discard(step[0])
        if free != target:
            found.append((free, target))
    return found


def smallest(
    graph: Mixed, outer: set[str], inner: set[str], among: set[str] | None = None
) -> tuple[set[str], set[str]]:
    """A hedge inside a hedge of which no single variable can be left out: other ties may as well do nothing.

    The inner set keeps one of `among`, if given.
    """
    again = True
    while again:
        again = False
        for name in sorted(outer):
            left = inner - {name}
            if (left if among is None else left & among) and graph.spread(sorted(left)[:1], graph.ties, left) == left:
                around = _around(graph, left, outer - {name})
                if around != left:
                    outer, inner, again = around, left, True
                    break
    return outer, inner


def _around(graph: Mixed, target: set[str], within: set[str]) -> set[str]:
    """The largest set in `within` that ties hold together and all of whose members act on `target` inside it."""
    while True:
        smaller = graph.spread(sorted(target)[:1], graph.ties, graph.spread(sorted(target), graph.causes, within))
        if smaller == within or not target <= smaller:
            return smaller if target <= smaller else target
        within = smaller


def witness(graph: Mixed, treatments: Sequence[str], y: str, outer: set[str], inner: set[str]) -> Mixed:
    """The least of the graph that a hedge needs: one way for every member to the inner set and on to y, a tree of ties.

    A model of it is a model of the graph in which the other arrows and hidden causes do nothing.
    """
    around = outer - inner
    towards = {name: next_step(graph, name, inner, outer) for name in sorted(around)}
    frontier, onward = sorted(inner), {}
    clear = set(graph.nodes) - set(treatments) - around
    while frontier:
        name = frontier.pop()
        if name != y and name not in onward:
            onward[name] = next_step(graph, name, {y}, clear) or next_step(
                graph, name, {y}, set(graph.nodes) - set(treatments)
            )
            frontier.append(onward[name])
    kept = outer | set(onward) | {y}
    tree: list[list[str]] = []
    grown = set(sorted(inner)[:1])
    for within in (inner, outer):
        while not within <= grown:
            pair = next(pair for pair in graph.pairs if set(pair) <= within and len(grown & set(pair)) == 1)
            tree.append(list(pair))
            grown |= set(pair)
    arrows = sorted({(name, step) for name, step in {**onward, **towards}.items() if step})
    return Mixed({"nodes": [one for one in graph.nodes if one in kept], "directed": arrows, "bidirected": tree})


def next_step(graph: Mixed, start: str, goals: set[str], within: set[str]) -> str:
    """The first step of a shortest directed path from `start` to `goals`; empty where there is none."""
    reached = {goal for goal in goals if goal != start}
    layer = sorted(reached)
    while layer:
        for name in layer:
            if name in graph.effects[start]:
                return name
        layer = sorted({one for name in layer for one in graph.causes[name] & within} - reached)
        reached |= set(layer)
    return ""


def effects(graph: Mixed, cells: Array, treatments: Sequence[str], y: str) -> Array | None:
    """P(y = 1 | do) from the observed distribution, one axis a treatment; None where fixing does not lead there.

    `cells` has an axis of length two for every node.
    """
    every = set(graph.nodes)
    kept = graph.spread([y], graph.causes, every)
    cells = cells.sum(axis=tuple(graph.axis[name] for name in sorted(every - kept)), keepdims=True)
    causes = graph.spread([y], graph.causes, kept - set(treatments))
    whole: Array = np.ones((1,) * len(graph.nodes))
    for target in graph.districts(causes):
        part = kernel(graph, cells, target)
        if part is None:
            return None
        around = target.union(*(graph.causes[name] for name in target))
        # Constant along what is neither in the district nor a cause of it; any state will do.
        for name in sorted(kept - around):
            if part.shape[graph.axis[name]] > 1:
                part = part.take([0], axis=graph.axis[name])
        whole = whole * part
    whole = whole.take([1], axis=graph.axis[y])
    axes = [graph.axis[name] for name in treatments]
    shares: Array = whole.sum(axis=tuple(at for at in range(whole.ndim) if at not in axes))
    shares = np.broadcast_to(shares, (2,) * len(axes))
    return shares.transpose(np.argsort(np.argsort(axes)))


def observed(params: Mapping[str, Any]) -> Array:
    """The printed distribution as an array with an axis for every node, in their order."""
    if "shares" in params:
        return Joint(params["shares"]).cells()
    return array_of(params["joint"])


def array_of(table: Mapping[str, Any]) -> Array:
    """A printed table of states as an array with an axis for every column."""
    cells = np.zeros((2,) * len(table["columns"]))
    for state, value in table["rows"]:
        cells[tuple(map(int, state))] = printed(value)
    return cells


def margin(cells: Array, gone: tuple[int, ...]) -> Array:
    """The cells summed over some axes, which are left out."""
    left: Array = np.asarray(cells.sum(axis=gone))
    return left


def share(graph: Mixed, cells: Array, y: str, given: Mapping[str, int]) -> float:
    """P(y = 1 | given), by adding cells."""
    both = {**given, y: 1}
    top, bottom = (cells[tuple(fixed.get(name, slice(None)) for name in graph.nodes)].sum() for fixed in (both, given))
    return float(top / bottom)
