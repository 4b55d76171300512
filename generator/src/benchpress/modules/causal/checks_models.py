"""Random models with hidden causes: what fixing finds must be true of them, what it does not find they must leave open.

An effect that does not follow from the data is left open by two models that agree on the data and differ in it, or by
one model in which its derivative by the parameters lies outside the span of the derivatives of the data: then a small
step changes the effect and nothing that is observed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchpress.modules.causal.checks_discrete import CLOSE
from benchpress.modules.causal.checks_latent import Array, Mixed, effects, hedge, smallest, witness

SPAN = 1e-6
"""A derivative counts as outside the span of others when this share of it is left."""


RANK = 1e-10
"""A pivot below this counts as zero; rows are scaled to a largest entry of one."""


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
            parity: Array = (np.indices((2,) * len(heard))[heard].sum(axis=0) % 2).astype(float)
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
