"""The second method of the selection bundle: a generic population, random models, derivatives, cells."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from benchpress.gate import Key
from benchpress.modules.causal import checks, checks_latent
from benchpress.modules.causal.checks_discrete import CLOSE, Joint, close
from benchpress.modules.causal.checks_latent import Array, Mixed, Model


def confirm(params: Mapping[str, Any], keys: Mapping[str, Key], impossible: str) -> dict[str, bool]:
    """Whether each key agrees."""
    search = Search(params)
    effect, contrast = search.figures()
    confirmed = {
        "EFFECT": close(effect, keys["EFFECT"].gold),
        "SAMPLE_CONTRAST": close(contrast, keys["SAMPLE_CONTRAST"].gold),
    }
    if "claims" not in params:
        key = keys["NEEDED_EXTERNAL"]
        given = [] if key.gold == [impossible] else [list(key.gold), *map(list, key.accept)]
        confirmed["NEEDED_EXTERNAL"] = sorted(given) == sorted(search.needed())
        confirmed["RECOVERABLE"] = keys["RECOVERABLE"].gold == ("yes" if search.recoverable() else "no")
    for claim in params.get("claims", ()):
        if claim["kind"] == "recoverable":
            holds = search.recoverable()
        elif claim["kind"] == "enough":
            holds = bool(search.needed(claim["tset"]))
        elif claim["kind"] == "independent":
            holds = search.population.independent(claim["a"], claim["b"], [search.s])
        else:
            holds = contrast > effect + CLOSE if claim["kind"] == "overstates" else contrast < effect - CLOSE
        confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
    return confirmed


class Search:
    """Everything about one problem; the criterion is tested in a generic linear population.

    There, x and y (or y and the selection) have no partial covariance once the first arrows of all causal paths are
    gone exactly where the criterion asks for separation.
    """

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.params = params
        self.x, self.y, self.s = (params["roles"][role] for role in ("treatment", "outcome", "selection"))
        self.graph = Mixed(params["graph"])
        self.seed = checks.seed_of(params["graph"], "selection")
        every = set(self.graph.nodes)
        towards = self.graph.spread([self.y], self.graph.causes, every)
        causal = (self.graph.spread([self.x], self.graph.effects, every) & towards) - {self.x}
        forbidden = self.graph.spread(sorted(causal), self.graph.effects, every)
        ends = {self.x, self.y, self.s, *params["unmeasured"]}
        self.free = sorted(every - forbidden - ends)
        self.recorded = sorted(every - ends)
        directed = [edge for edge in params["graph"]["directed"] if not (edge[0] == self.x and edge[1] in causal)]
        self.cut = checks.Population({"nodes": self.graph.nodes, "directed": directed}, self.seed)
        self.population = checks.Population(params["graph"], self.seed)
        self._valid: list[tuple[str, ...]] | None = None

    def figures(self) -> tuple[float, float]:
        """The effect in everybody and the contrast among the selected."""
        if "shares" in self.params:
            joint = Joint(self.params["shares"])
            high, low = (joint.chance({self.y: 1}, do={self.x: value}) for value in (1, 0))
            more, less = (joint.chance({self.y: 1}, {self.x: value, self.s: 1}) for value in (1, 0))
            return high - low, more - less
        columns = self.params["sample"]["columns"]
        sample = checks_latent.array_of(self.params["sample"])
        counted = self.params["outside"]["columns"]
        for external in (one for size in range(len(counted) + 1) for one in combinations(counted, size)):
            for covariates in self.covering(external):
                known = checks_latent.array_of(self.params["outside"])
                known = checks_latent.margin(
                    known, tuple(at for at, name in enumerate(counted) if name not in external)
                )
                effect = adjusted(sample, columns, (self.x, self.y), covariates, external, known)
                contrast = adjusted(sample, columns, (self.x, self.y), (), (), np.ones(1).reshape(()))
                return (effect, contrast) if self.reproduced(covariates, external) else (float("nan"), contrast)
        return float("nan"), float("nan")

    def valid(self) -> list[tuple[str, ...]]:
        """Every set of recorded variables that, with the selection, closes all but the causal paths."""
        if self._valid is None:
            self._valid = []
            for size in range(len(self.free) + 1):
                sets = list(combinations(self.free, size))
                left = self.cut.coefficients(self.x, self.y, [[self.s, *one] for one in sets])
                self._valid += [one for one, rest in zip(sets, left.tolist(), strict=True) if abs(rest) < checks.EXACT]
        return self._valid

    def covering(self, external: Sequence[str]) -> list[tuple[str, ...]]:
        """The valid sets that hold `external`, where it separates the outcome from the selection; else none."""
        if abs(float(self.cut.coefficients(self.s, self.y, [list(external)])[0])) >= checks.EXACT:
            return []
        return [one for one in self.valid() if set(external) <= set(one)]

    def needed(self, among: Sequence[str] | None = None) -> list[list[str]]:
        """All minimal sets that must be known for everybody; they must also work in a random model."""
        names = [name for name in self.free if among is None or name in among]
        found: list[set[str]] = []
        for size in range(len(names) + 1):
            for external in combinations(names, size):
                if any(small <= set(external) for small in found):
                    continue
                covering = self.covering(external)
                if covering and self.reproduced(covering[0], external):
                    found.append(set(external))
        return [sorted(one) for one in found]

    def reproduced(self, covariates: Sequence[str], external: Sequence[str]) -> bool:
        """Whether the adjusted contrast is the effect in a random model."""
        model = Model(self.graph, self.seed)
        cells = model.observed()
        columns = [name for name in self.graph.nodes if name != self.s]
        selected = cells.take([1], axis=self.graph.axis[self.s]).reshape((2,) * len(columns))
        gone = tuple(at for at, name in enumerate(self.graph.nodes) if name not in external)
        known = checks_latent.margin(cells, gone)
        found = adjusted(selected, columns, (self.x, self.y), covariates, external, known)
        at = self.graph.axis[self.y]
        high, low = (model.observed({self.x: value}).take(1, axis=at).sum() for value in (1, 0))
        return bool(abs(found - float(high - low)) < CLOSE)

    def recoverable(self) -> bool:
        """Whether the selected cases alone determine the effect.

        They do where an adjustment without outside data is right. They do not where a part of the graph has random
        models in which the derivative of the effect lies outside the span of those of the selected distribution.
        """
        if [] in self.needed([]):
            return True
        every = set(self.graph.nodes)
        above = self.graph.spread([self.s], self.graph.causes, every)
        bearing = self.graph.spread([self.y], self.graph.causes, every - {self.x})
        for name in sorted(above & bearing):
            if not self._determined(self._part(name)):
                return False
        return self._determined(self.graph.part(above | bearing | {self.x}))

    def _part(self, name: str) -> Mixed:
        """A directed path from x to y, through `name` if it can be, and ways from `name` to y and to the selection."""
        every = set(self.graph.nodes)
        ways = [(name, self.s), (name, self.y)]
        below = self.graph.spread([self.x], self.graph.effects, every)
        ways.append((self.x, name) if name in below else (self.x, self.y))
        arrows: set[tuple[str, str]] = set()
        for start, goal in ways:
            here = start
            while here != goal:
                step = checks_latent.next_step(self.graph, here, {goal}, every - {self.x})
                if not step:
                    break
                arrows.add((here, step))
                here = step
        kept = {self.x, self.y, self.s, name}.union(*arrows)
        nodes = [one for one in self.graph.nodes if one in kept]
        return Mixed({"nodes": nodes, "directed": sorted(arrows)})

    def _determined(self, graph: Mixed) -> bool:
        """Whether the effect follows from the selected distribution, to first order around a random model."""
        model = Model(graph, self.seed)
        nodes = graph.nodes
        cells = model.cells()
        data = np.concatenate(list(model.derivatives(cells).values()), axis=1)
        index = np.arange(1 << len(nodes))
        selected = (index >> (len(nodes) - 1 - graph.axis[self.s]) & 1).astype(bool)
        shares, rows = cells.reshape(-1)[selected], data[selected]
        # The selected distribution is the share of each state among the selected: whole numbers of cases are unknown.
        rows = rows / shares.sum() - np.outer(shares, rows.sum(axis=0)) / shares.sum() ** 2
        hidden = [at for at, name in enumerate(nodes) if name in self.params["unmeasured"]]
        if hidden:
            kept = index[selected]
            for at in hidden:
                kept = kept & ~(1 << (len(nodes) - 1 - at))
            _, group = np.unique(kept, return_inverse=True)
            summed = np.zeros((int(group.max()) + 1, rows.shape[1]))
            np.add.at(summed, group, rows)
            rows = summed
        do = {self.x: 1}
        done = model.derivatives(model.cells(do), do)
        outcome = index >> (len(nodes) - 1 - graph.axis[self.y]) & 1
        wanted = [
            outcome @ done[name] if name in done else np.zeros(block.shape[1])
            for name, block in model.derivatives(cells).items()
        ]
        return checks_latent.spanned(rows, np.concatenate(wanted), model.rng)


def adjusted(
    sample: Array,
    columns: Sequence[str],
    ends: tuple[str, str],
    covariates: Sequence[str],
    external: Sequence[str],
    known: Array,
) -> float:
    """The contrast of y between x = 1 and x = 0 within strata of covariates, weighted by sample and outside shares.

    `known` has an axis for every external variable in code-point order; `ends` are x and y.
    """
    outer = sorted(external)
    inner = [name for name in covariates if name not in external]
    order = [columns.index(name) for name in (*outer, *inner, *ends)]
    gone = [at for at in range(len(columns)) if at not in order]
    cells = sample.transpose([*order, *gone]).reshape((2,) * len(order) + (-1,)).sum(axis=-1)
    difference = (cells[..., 1, 1] / cells[..., 1, :].sum(axis=-1)) - (cells[..., 0, 1] / cells[..., 0, :].sum(axis=-1))
    strata = cells.sum(axis=(-1, -2))
    rest = tuple(range(len(outer), len(outer) + len(inner)))
    within = strata / strata.sum(axis=rest, keepdims=True) if rest else np.ones_like(strata)
    weights = known.reshape(known.shape + (1,) * len(inner)) * within
    return float((difference * weights).sum())
