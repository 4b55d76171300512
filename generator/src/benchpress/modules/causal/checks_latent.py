"""Second methods for effects with hidden common causes: kernels, a random model with its hidden causes, derivatives.

Nothing here imports the graph algorithms or the exact tables. An effect is computed from the observed distribution by
fixing one variable after another, the hidden causes play no part in it; whether it can be computed at all is asked of
a random model that has them: where the effect follows from the data, its derivative by the parameters of the model
lies in the span of the derivatives of the data, and elsewhere it does not.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.modules.causal.checks_discrete import CLOSE, Joint
from benchpress.modules.causal.checks_numbers import printed

Array = NDArray[np.floating[Any]]

SPAN = 1e-6
"""A derivative counts as outside the span of others when this share of it is left."""


RANK = 1e-10
"""A pivot below this counts as zero; rows are scaled to a largest entry of one."""


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
    leads to the target.

    Reference: Richardson, Evans, Robins, Shpitser 2023 (Annals of Statistics), nested Markov models.
    """
    free = {name for name in graph.nodes if cells.shape[graph.axis[name]] > 1}
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
            part = part.take([0], axis=graph.axis[name])
        whole = whole * part
    whole = whole.take([1], axis=graph.axis[y])
    axes = [graph.axis[name] for name in treatments]
    shares: Array = whole.sum(axis=tuple(at for at in range(whole.ndim) if at not in axes))
    shares = np.broadcast_to(shares, (2,) * len(axes))
    return shares.transpose(np.argsort(np.argsort(axes)))


class Model:
    """A random model of a graph with binary variables and a hidden cause with `size` states behind every tie.

    `mechanisms` holds for every variable its chances of being 1, by the states of its causes and its hidden causes.
    """

    def __init__(self, graph: Mixed, seed: int, size: int = 2) -> None:
        self.graph, self.size = graph, size
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.count = len(graph.nodes)
        self.rank = self.count + len(graph.pairs)
        self.family: dict[str, list[int]] = {}
        self.mechanisms: dict[str, Array] = {}
        for name in graph.nodes:
            hidden = [self.count + at for at, pair in enumerate(graph.pairs) if name in pair]
            self.family[name] = sorted(graph.axis[cause] for cause in graph.causes[name]) + hidden
            self.mechanisms[name] = self.draw(name)
        self.coins = [self.rng.uniform(0.5, 1.5, size) for _ in graph.pairs]
        self.coins = [coin / coin.sum() for coin in self.coins]

    def length(self, axis: int) -> int:
        return 2 if axis < self.count else self.size

    def draw(self, name: str) -> Array:
        """A random mechanism for a variable."""
        drawn: Array = self.rng.uniform(0.1, 0.9, [self.length(axis) for axis in self.family[name]])
        return drawn

    def factor(self, name: str, chances: Array | None = None) -> Array:
        """The mechanism of a variable, shaped to multiply with the others."""
        ones = self.mechanisms[name] if chances is None else chances
        both = np.empty((*ones.shape, 2))
        np.subtract(1, ones, out=both[..., 0])
        both[..., 1] = ones
        return self._shaped(both, [*self.family[name], self.graph.axis[name]])

    def _shaped(self, array: Array, axes: Sequence[int]) -> Array:
        shape = [1] * self.rank
        for axis in axes:
            shape[axis] = self.length(axis)
        return array.transpose([at for _, at in sorted(zip(axes, range(len(axes)), strict=True))]).reshape(shape)

    def cells(self, do: Mapping[str, int] | None = None, changed: Mapping[str, Array] | None = None) -> Array:
        """The probability of every state, hidden causes included, under an intervention."""
        whole = np.ones((1,) * self.rank)
        for at, coin in enumerate(self.coins):
            whole = whole * self._shaped(coin, [self.count + at])
        for name in self.graph.nodes:
            if do and name in do:
                certain = np.zeros(2)
                certain[do[name]] = 1
                whole = whole * self._shaped(certain, [self.graph.axis[name]])
            else:
                whole = whole * self.factor(name, None if changed is None else changed.get(name))
        return whole

    def observed(self, do: Mapping[str, int] | None = None, changed: Mapping[str, Array] | None = None) -> Array:
        """The probability of every observed state under an intervention, district by district."""
        fixed = do or {}
        whole = np.ones((1,) * self.rank)
        for district in self.graph.districts(set(self.graph.nodes)):
            part = np.ones((1,) * self.rank)
            for at, pair in enumerate(self.graph.pairs):
                if pair[0] in district:
                    part = part * self._shaped(self.coins[at], [self.count + at])
            for name in sorted(district):
                if name in fixed:
                    certain = np.zeros(2)
                    certain[fixed[name]] = 1
                    part = part * self._shaped(certain, [self.graph.axis[name]])
                else:
                    part = part * self.factor(name, None if changed is None else changed.get(name))
            whole = whole * part.sum(axis=tuple(range(self.count, self.rank)), keepdims=True)
        return whole.reshape((2,) * self.count)

    def derivatives(
        self, cells: Array, do: Mapping[str, int] | None = None, changed: Mapping[str, Array] | None = None
    ) -> dict[str, Array]:
        """For every mechanism, and every hidden cause by number, how the observed cells change with its chances.

        A column a parameter, a row an observed state.
        """
        found: dict[str, Array] = {}
        for name in self.graph.nodes:
            if do and name in do:
                continue
            chances = self.mechanisms[name] if changed is None or name not in changed else changed[name]
            score = np.stack([-1 / (1 - chances), 1 / chances], axis=-1)
            found[name] = self._columns(cells * self._shaped(score, [*self.family[name], self.graph.axis[name]]),
                                        self.family[name])  # fmt: skip
        for at, coin in enumerate(self.coins):
            axis = self.count + at
            columns = self._columns(cells * self._shaped(1 / coin, [axis]), [axis])
            found[f"#{at}"] = columns[:, 1:] - columns[:, :1]
        return found

    def _columns(self, weighted: Array, axes: Sequence[int]) -> Array:
        """The cells summed over hidden causes, one column for every state of `axes`, zero in the other states."""
        kept = [axis for axis in axes if axis >= self.count]
        gone = tuple(axis for axis in range(self.count, self.rank) if axis not in kept)
        summed = weighted.sum(axis=gone)
        states = 1 << self.count
        seen = [axis for axis in axes if axis < self.count]
        flat = summed.reshape(states, -1)
        index = np.zeros(states, dtype=np.intp)
        for axis in seen:
            index = 2 * index + (np.arange(states) >> (self.count - 1 - axis) & 1)
        columns = np.zeros((states, 1 << len(seen), flat.shape[1]))
        columns[np.arange(states), index] = flat
        return columns.reshape(states, -1)


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


def reproduced(graph: Mapping[str, Any], treatments: Sequence[str], y: str, seed: int) -> bool:
    """Whether fixing finds P(y = 1 | do(all treatments = 1)) in a random model whose hidden causes are known."""
    whole = Mixed(graph)
    return _reproduced(whole.part(whole.spread([y, *treatments], whole.causes, set(whole.nodes))), treatments, y, seed)


def _reproduced(graph: Mixed, treatments: Sequence[str], y: str, seed: int) -> bool:
    model = Model(graph, seed)
    found = effects(graph, model.observed(), treatments, y)
    true = model.observed(dict.fromkeys(treatments, 1)).take(1, axis=graph.axis[y]).sum()
    return found is not None and abs(float(found[(1,) * len(treatments)]) - float(true)) < CLOSE


def identifiable(graph: Mixed, treatments: Sequence[str], y: str, seed: int) -> bool:
    """Whether P(y | do(treatments)) follows from the observed distribution.

    If fixing finds it, it must do so in a random model whose hidden causes are known. If not, there must be a part of
    the graph in whose random models the derivative of the effect lies outside the span of those of the data. Raises
    ValueError where neither is shown.
    """
    small = graph.part(graph.spread([y, *treatments], graph.causes, set(graph.nodes)))
    barred = hedge(small, treatments, y)
    if not barred:
        if not _reproduced(small, treatments, y, seed):
            raise ValueError("fixing does not find the effect")
        return True
    for pair in barred:
        outer, inner = smallest(small, *pair)
        part = witness(small, treatments, y, outer, inner)
        if told_apart(part, treatments, y, outer, inner):
            return False
        if any(not _determined(Model(part, seed, size), treatments, y) for size in (2, 3)):
            return False
    raise ValueError("no model shows that the effect is left open")


FLIP = 0.25
"""How often a noisy variable differs from its parity: keeps every observation possible."""


def told_apart(part: Mixed, treatments: Sequence[str], y: str, outer: set[str], inner: set[str]) -> bool:
    """Whether two parity models of a hedge agree on all observations, none impossible, and differ in the effect.

    In both, every variable is the parity of its causes and hidden causes, fair coins; in the second the inner set takes
    no notice of the rest of the outer one. Reference: Shpitser and Pearl 2006 (AAAI), theorem 4.
    """
    noisy = {min(inner), *(name for name in part.nodes if name not in outer)}
    both = []
    for deaf in (False, True):
        model = Model(part, 0)
        model.coins = [np.array([0.5, 0.5]) for _ in part.pairs]
        for name in part.nodes:
            heard = []
            for axis in model.family[name]:
                ends = (part.nodes[axis],) if axis < model.count else part.pairs[axis - model.count]
                heard.append(not (deaf and name in inner and set(ends) & outer - inner))
            parity = np.indices((2,) * len(heard))[heard].sum(axis=0) % 2
            model.mechanisms[name] = FLIP + (1 - 2 * FLIP) * parity if name in noisy else parity
        do = {name: 0 for name in treatments if name in part.axis}
        done = model.observed(do).take(1, axis=part.axis[y]).sum()
        both.append((model.observed(), float(done)))
    (one, raised), (other, lowered) = both
    return bool(one.min() > 0 and np.abs(one - other).max() < CLOSE and abs(raised - lowered) > SPAN)


def _determined(model: Model, treatments: Sequence[str], y: str) -> bool:
    """Whether the derivative of P(y = 1 | do(all treatments = 1)) lies in the span of those of the observed cells."""
    do = {name: 1 for name in treatments if name in model.graph.axis}
    data = model.derivatives(model.cells())
    done = model.derivatives(model.cells(do), do)
    outcome = np.arange(1 << model.count) >> (model.count - 1 - model.graph.axis[y]) & 1
    wanted = [outcome @ done[name] if name in done else np.zeros(data[name].shape[1]) for name in data]
    return spanned(np.concatenate(list(data.values()), axis=1), np.concatenate(wanted), model.rng)


def spanned(rows: Array, wanted: Array, rng: np.random.Generator) -> bool:
    """Whether the vector `wanted` is a combination of `rows`, up to rounding: by elimination with complete pivoting."""
    if len(rows) > rows.shape[1] + 10:
        # As many random mixtures span the same space.
        rows = rng.standard_normal((rows.shape[1] + 10, len(rows))) @ rows
    scale = np.abs(rows).max(axis=1, keepdims=True)
    rows = rows / np.where(scale > 0, scale, 1)
    left = wanted / max(float(np.abs(wanted).max()), 1e-300)
    for _ in range(min(rows.shape)):
        at, place = divmod(int(np.abs(rows).argmax()), rows.shape[1])
        pivot = rows[at] / rows[at, place] if abs(rows[at, place]) > RANK else None
        if pivot is None:
            break
        left = left - left[place] * pivot
        rows = rows - np.outer(rows[:, place], pivot)
    return bool(np.abs(left).max() <= SPAN)
