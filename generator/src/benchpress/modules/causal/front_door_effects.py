"""What a treatment does whatever door is open, and what the usual wrong ways make of it, exactly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from benchpress.graphs.adjustment import minimal_adjustment_sets
from benchpress.graphs.dag import Graph
from benchpress.graphs.frontdoor import frontdoor_sets
from benchpress.graphs.identification import c_components, identify
from benchpress.models.formulas import average_effect, front_door, standardised
from benchpress.models.table import Table
from benchpress.modules.causal.observed import Observed, table_of

MARGIN = Fraction(1, 100)
"""The effect, and its distance from the result of any usual wrong way, are at least this large."""

NEAR = Fraction(1, 200)
"""The least distance from the front-door formula without its inner weighting, which comes close by nature."""

ROUNDED = Fraction(1, 2000)
"""A value to three decimals lies within this of the share."""

Sets = tuple[tuple[str, ...], ...]


def data_of(params: Mapping[str, Any]) -> Observed | Table:
    """The observed distribution in either form."""
    return table_of(params["joint"]) if "joint" in params else Observed(params["shares"])


def doors_of(graph: Graph, x: str, y: str) -> tuple[Sets, Sets]:
    """The minimal front-door sets and the minimal adjustment sets."""
    return frontdoor_sets(graph, x, y), minimal_adjustment_sets(graph, [x], [y])


@dataclass(frozen=True, slots=True)
class Figures:
    """P(y = 1) with x set to 0 and to 1, and among cases seen with these values."""

    done: tuple[Fraction, Fraction]
    seen: tuple[Fraction, Fraction]

    @property
    def effect(self) -> Fraction:
        return self.done[1] - self.done[0]

    @property
    def naive(self) -> Fraction:
        return self.seen[1] - self.seen[0]


def figures_of(data: Observed | Table, graph: Graph, x: str, y: str, doors: tuple[Sets, Sets]) -> Figures:
    """The outcome's shares, by whatever door is open."""
    front, back = doors
    table = holding(data, [x, *(front or back or ((),))[0], y])

    def done(value: int) -> Fraction:
        if front:
            return front_door(table, x, y, front[0], value)
        if back:
            return standardised(table, y, {x: value}, back[0])
        if isinstance(data, Observed):
            # No hidden cause joins x to what it acts on directly: Tian and Pearl's formula.
            component = next(part for part in c_components(graph) if x in part)
            return data.planned(y, {x: value}, component)
        return identify(graph, [x], [y]).on_table(data, {x: value, y: 1})

    return Figures((done(0), done(1)), (table.mean(y, {x: 0}), table.mean(y, {x: 1})))


def holding(data: Observed | Table, names: Sequence[str]) -> Table:
    """A table that holds at least `names`."""
    return data.table(names) if isinstance(data, Observed) else data


def apart(found: Figures, data: Observed, x: str, y: str, front: Sets, wrong: Sequence[Sequence[str]]) -> bool:
    """Whether the effect is clearly none of what the usual wrong ways give.

    They are adjusting for nothing, or for one of the `wrong` sets, and taking the mediators' own shares of the outcome
    for their effects.
    """
    effect = found.effect
    return (
        abs(found.naive - effect) >= MARGIN
        and all(abs(_chained(data, x, y, mediators) - effect) >= NEAR for mediators in front[:1])
        and all(abs(average_effect(data.table([x, *one, y]), x, y, one) - effect) >= MARGIN for one in wrong)
    )


def _chained(data: Observed, x: str, y: str, mediators: Sequence[str]) -> Fraction:
    """sum over m of (P(m | x = 1) - P(m | x = 0)) P(y = 1 | m): the front-door formula without its inner weighting."""
    table = data.table([x, *mediators, y])
    raised, lowered = table.weight({x: 1}), table.weight({x: 0})
    found = Fraction(0)
    for state in table.states(mediators):
        gap = table.weight({**state, x: 1}) * lowered - table.weight({**state, x: 0}) * raised
        above, below = table.ratio(y, state)
        found += Fraction(gap * above, raised * lowered * below)
    return found


def habitual(habit: str, graph: Graph, x: str, y: str) -> list[str]:
    """What a bad habit adjusts for."""
    if habit == "adjust_parents":
        return [tail for tail, head in graph.directed if head == x]
    if habit == "adjust_all":
        later = set(graph.descendants([x]))
        return [name for name in graph.nodes if name not in later and name != y]
    return []
