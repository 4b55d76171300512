"""What a study of selected cases reveals: the model behind it, its printed figures, and what follows from them exactly.

`sample` counts the selected cases by the recorded variables that bear on the selection or feel an unrecorded one, and
by all that act on these; `shares` gives every other recorded variable under its direct causes, which selection leaves
alone. Their product is the whole distribution of the recorded variables among the selected. About everybody there is
either `outside`, unbiased shares of some variables, or `chances`, how likely a case was to be selected.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import gcd, lcm
from typing import Any

from benchpress.gate import Redraw
from benchpress.graphs.adjustment import minimal_adjustment_sets
from benchpress.graphs.dag import Graph, latent_projection
from benchpress.graphs.selection import is_effect_recoverable, is_selection_adjustment_set, needed_external
from benchpress.models.table import Table
from benchpress.modules.causal.chances import states
from benchpress.modules.causal.observed import Observed, added, joint_rows, places, reweighted, table_of
from benchpress.modules.causal.shares import mixed_chances, steady_chances
from benchpress.streams import Stream
from benchpress.wording.sections import Params

MARGIN = Fraction(1, 100)
"""The effect is at least this large; the selected cases are off by at least this much, or not at all."""


def tabled(graph: Graph, hidden: Sequence[str], selection: str) -> list[str]:
    """The recorded variables that stand in the table: all that act on the selection or on what feels a hidden cause."""
    touched = [head for tail, head in graph.directed if tail in hidden]
    return [name for name in graph.ancestors([selection, *touched]) if name not in hidden and name != selection]


def ends(params: Mapping[str, Any]) -> tuple[str, str, str]:
    """Treatment, outcome, selection."""
    roles = params["roles"]
    return roles["treatment"], roles["outcome"], roles["selection"]


def recorded(params: Mapping[str, Any]) -> list[str]:
    """What may be adjusted for."""
    return [name for name in params["graph"]["nodes"] if name not in (*params["unmeasured"], *params["roles"].values())]


def draw_study(stream: Stream, graph: Graph, params: Params, columns: Sequence[str], counted: Sequence[str]) -> Params:
    """The figures on a drawn model, with `columns` in the table of the sample.

    What is known of everybody are the shares of `counted`, or, without these, the chances of selection.
    Raises Redraw where the effect or the bias nearly cancels in every model tried.
    """
    x, y, s = ends(params)
    coarse = {*columns, s, *(one for one in graph.ancestors([*columns, s]) if one in params["unmeasured"])}
    for _ in range(12):
        model = _draw_model(stream, graph, coarse)
        effect = model.planned(y, {x: 1}) - model.planned(y, {x: 0})
        contrast = reweighted(model.table([x, y, s]).weights[1::2])
        if abs(effect) >= MARGIN and (effect == contrast or abs(effect - contrast) >= MARGIN):
            break
    else:
        raise Redraw("the effect nearly cancels in every table")
    entries = model.entries()
    found: Params = {"sample": _counts(columns, model.table([*columns, s]).weights[1::2])}
    if rest := [entry for entry in entries if entry["of"] in (x, y, *recorded(params)) and entry["of"] not in columns]:
        found["shares"] = rest
    if counted:
        found["outside"] = joint_rows(model.table(counted))
    else:
        found["chances"] = [entry for entry in entries if entry["of"] == s]
    return found


def _draw_model(stream: Stream, graph: Graph, coarse: set[str]) -> Observed:
    """A drawn chance for every state of the causes of every variable; steps of those in the table are larger."""
    draw = steady_chances if stream.chance(1, 3) else mixed_chances
    model = Observed()
    for name in graph.topological_order():
        causes = graph.names(graph.parents[graph.index[name]])
        if name in coarse and len(coarse) > 5:
            model.take(name, causes, _fifths(stream, len(causes)), 5)
        else:
            unit = 10 if name in coarse else 20
            model.take(name, causes, draw(stream, len(causes), unit), unit)
    return model


def _fifths(stream: Stream, causes: int) -> list[int]:
    """Chances in fifths, for tables of many variables; flipping any one cause changes some by two fifths or more."""
    while True:
        values = [stream.between(1, 4) for _ in range(1 << causes)]
        if all(any(abs(value - values[at ^ 1 << bit]) > 1 for at, value in enumerate(values)) for bit in range(causes)):
            return values


def _counts(columns: Sequence[str], weights: Sequence[int]) -> Params:
    """The selected cases as the smallest whole numbers in the right proportions."""
    unit = gcd(*weights)
    rows = [[state, str(weight // unit)] for state, weight in zip(states(len(columns)), weights, strict=True)]
    return {"columns": list(columns), "rows": rows}


class Study:
    """The printed figures, exactly."""

    def __init__(self, params: Mapping[str, Any], graph: Graph) -> None:
        self.params, self.graph = params, graph
        self.x, self.y, self.s = ends(params)
        self.sample = Observed(params.get("shares", ()), table_of(params["sample"]))

    @cached_property
    def contrast(self) -> Fraction:
        """The contrast among the selected cases."""
        return reweighted(self.sample.table([self.x, self.y]).weights)

    @cached_property
    def effect(self) -> Fraction:
        """The effect in everybody: the sample weighed against its chances of selection, or adjusted by `outside`."""
        return self._weighed() if "chances" in self.params else self._adjusted(table_of(self.params["outside"]))

    @cached_property
    def seen(self) -> Graph:
        """The graph over the recorded variables."""
        return latent_projection(self.graph, self.params["unmeasured"])

    @cached_property
    def recoverable(self) -> bool:
        """Whether the selected cases alone determine the effect."""
        return is_effect_recoverable(self.seen, [self.x], [self.y], self.s)

    @cached_property
    def needed(self) -> tuple[tuple[str, ...], ...]:
        """The minimal sets whose distribution in everybody makes an adjustment right."""
        return needed_external(self.seen, [self.x], [self.y], self.s)

    def difference(self, a: str, b: str) -> Fraction:
        """What a makes out for the share of b among the selected."""
        return reweighted(self.sample.table([a, b]).weights)

    def _weighed(self) -> Fraction:
        """Every case stands for as many as one over its chance of selection; then an ordinary adjustment."""
        entry = self.params["chances"][0]
        chance = Observed([entry])
        ones = chance.ones[self.s]
        common = lcm(*ones)
        sets = minimal_adjustment_sets(self.seen, [self.x], [self.y], (), [self.s])
        if not sets:
            raise Redraw("not even the whole population allows an adjustment")
        names = [self.x, self.y, *sets[0]]
        order = [*names, *(name for name in entry["given"] if name not in names)]
        rows = places(order, entry["given"])
        weights = self.sample.table(order).weights
        weighed = [weight * (common // ones[row]) for weight, row in zip(weights, rows, strict=True)]
        cells = added(weighed, order, names)
        return reweighted(cells, added(cells, names, sets[0]))

    def _adjusted(self, outside: Table) -> Fraction:
        """sum over z of the contrast given z among the selected times P(rest of z | external, selected) P(external)."""
        covariates, external = self._adjustment(outside)
        order = [*external, *(name for name in covariates if name not in external)]
        names = [self.x, self.y, *order]
        weights = self.sample.table(names).weights
        strata = added(weights, names, order)
        width = len(strata) >> len(external)
        known = outside.marginal(external)
        shares = [
            Fraction(share * strata[width * at + inner], sum(strata[width * at : width * (at + 1)]))
            for at, share in enumerate(known.weights)
            for inner in range(width)
        ]
        return reweighted(weights, shares)

    def _adjustment(self, outside: Table) -> tuple[list[str], list[str]]:
        """A set to adjust for and the part of it whose distribution is taken from outside, both as small as can be."""
        free = recorded(self.params)
        for size in range(len(free) + 1):
            for covariates in combinations(free, size):
                known = [one for one in covariates if one in outside.names]
                for count in range(len(known) + 1):
                    for external in combinations(known, count):
                        if is_selection_adjustment_set(self.graph, [self.x], [self.y], covariates, self.s, external):
                            return list(covariates), list(external)
        raise Redraw("the tables allow no right adjustment")
