"""The second method of the selection bundle: a generic population, random models, pairs of models, cells."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from benchpress.gate import Key
from benchpress.modules.causal import checks, checks_latent, checks_linear, checks_selection_pair
from benchpress.modules.causal.checks_discrete import CLOSE, Joint, close
from benchpress.modules.causal.checks_latent import Array, Mixed
from benchpress.modules.causal.checks_models import Model


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
        columns = sorted([self.x, self.y, *self.recorded])
        cells, nothing = self._sample(columns), np.ones(())
        contrast = adjusted(cells, columns, (self.x, self.y), (), (), nothing)
        if "chances" in self.params:
            entry = self.params["chances"][0]
            chance = checks_latent.array_of({"columns": entry["given"], "rows": entry["rows"]})
            cells = cells / chance.reshape([2 if name in entry["given"] else 1 for name in columns])
            sets = checks_linear.minimal_adjustment(self.population, self.x, self.y, self.recorded)
            adjust = sets[0] if sets else []
            strata = cells.sum(axis=tuple(at for at, name in enumerate(columns) if name not in adjust))
            known: Array = strata / strata.sum()
            effect = adjusted(cells, columns, (self.x, self.y), adjust, adjust, known)
            return (effect if sets else float("nan")), contrast
        counted = self.params["outside"]["columns"]
        for external in (one for size in range(len(counted) + 1) for one in combinations(counted, size)):
            for covariates in self.covering(external):
                if not self.reproduced(covariates, external):
                    return float("nan"), contrast
                gone = tuple(at for at, name in enumerate(counted) if name not in external)
                known = checks_latent.margin(checks_latent.array_of(self.params["outside"]), gone)
                return adjusted(cells, columns, (self.x, self.y), covariates, external, known), contrast
        return float("nan"), contrast

    def _sample(self, columns: Sequence[str]) -> Array:
        """The selected cases by all recorded variables: the table times the shares, an axis for every column."""
        table = self.params["sample"]
        even = [{"of": name, "given": [], "rows": [["", "0.5"]]} for name in table["columns"]]
        shape = [2 if name in table["columns"] else 1 for name in columns]
        whole: Array = Joint([*self.params.get("shares", ()), *even]).cells()
        return whole * checks_latent.array_of(table).reshape(shape)

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
        columns, selected, cells, effect = self._random
        gone = tuple(at for at, name in enumerate(self.graph.nodes) if name not in external)
        found = adjusted(selected, columns, (self.x, self.y), covariates, external, checks_latent.margin(cells, gone))
        return abs(found - effect) < CLOSE

    @cached_property
    def _random(self) -> tuple[list[str], Array, Array, float]:
        """Columns and cells of the selected in a random model, the cells of everybody, and the effect."""
        model = Model(self.graph, self.seed)
        cells = model.observed()
        columns = [name for name in self.graph.nodes if name != self.s]
        selected = cells.take([1], axis=self.graph.axis[self.s]).reshape((2,) * len(columns))
        high, low = (model.observed({self.x: value}).take(1, axis=self.graph.axis[self.y]).sum() for value in (1, 0))
        return columns, selected, cells, float(high - low)

    def recoverable(self) -> bool:
        """Whether the selected cases alone determine the effect.

        They do where an adjustment without outside data is right. They do not where two models agree on all selected
        cases and differ in the effect. Raises ValueError where neither is shown.
        """
        if [] in self.needed([]):
            return True
        if checks_selection_pair.differ(self.graph, self.x, self.y, self.s):
            return False
        raise ValueError("neither an adjustment nor a pair of models settles whether the sample gives the effect")


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
