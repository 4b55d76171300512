"""Slopes on readings with error: coefficients that bend them as wanted, and their keys from graph and covariances."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import lcm
from typing import Any, TypeVar

from benchpress.graphs.adjustment import causal_mask, is_adjustment_set
from benchpress.graphs.dag import Graph
from benchpress.graphs.separation import reachable
from benchpress.models.linear import LinearModel
from benchpress.modules.causal.draft import draw_linear, model_of
from benchpress.modules.causal.measurement_graphs import Sketch
from benchpress.modules.causal.moments import CovarianceTable
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sections import Params

Number = TypeVar("Number", Fraction, int)

MARGIN = Fraction(1, 20)
"""An observed slope that differs from the effect does so by at least this much, and is no nearer to zero."""

LEAST = Fraction(1, 4)
"""The effect is at least this large."""

WEAKEST = Fraction(1, 50)
"""The least squared correlation of the auxiliary quantity with the reading."""

TREATMENT_READING, OUTCOME_READING, AUXILIARY = "treatment reading", "outcome reading", "auxiliary quantity"
DIRECTIONS = ("attenuated", "inflated", "reversed", "unchanged")
"""How the observed slope compares with the total effect."""


def controls_fit(
    params: Mapping[str, Any], graph: Graph, sketch: Sketch, names: tuple[str, ...], direction: str, variant: str
) -> bool:
    """Whether the controls, or in the numeric variant what they read, are an adjustment set where they have to be."""
    x, y, _, _ = recorded_ends(params)
    if direction == "unchanged" and not is_adjustment_set(graph, [x], [y], params["sets"]["controls"]):
        return False
    behind = [names[sketch.readings.get(number, number)] for number in sketch.controls]
    return variant != "numeric" or is_adjustment_set(graph, [x], [y], behind)


def draw_slopes(
    stream: Stream,
    params: Params,
    graph: Graph,
    sketch: Sketch,
    names: tuple[str, ...],
    direction: str,
    sizes: Sequence[str],
) -> Params | None:
    """Coefficients that give the slope its direction, or None after a number of tries."""
    x, y, seen, response = recorded_ends(params)
    ones = {(names[quantity], names[reading]): "1" for reading, quantity in sketch.readings.items()}
    lead = None if sketch.lead is None else names[sketch.lead]
    for _ in range(6):
        linear = draw_linear(stream, graph, sizes)
        chosen = {(tail, head): value for tail, head, value in linear["coefficients"]} | ones
        model = model_of(graph, _written(chosen, linear))
        if lead is not None:
            # The observed slope is linear in what the lead confounder does to the outcome, so that can be chosen.
            effect, controls = model.total_effect(x, y), params["sets"]["controls"]
            pull = model.coefficient(lead, seen, controls)
            rest = model.coefficient(response, seen, controls) - pull * Fraction(chosen[lead, y])
            fitting = list(islice(_fitting(rest, pull, effect, direction, sizes), 4))
            if not fitting:
                continue
            chosen[lead, y] = show(stream.choice(fitting))
            model = model_of(graph, _written(chosen, linear))
        if _clear(params, model, direction):
            return _written(chosen, linear)
    return None


def _fitting(
    rest: Fraction, pull: Fraction, effect: Fraction, direction: str, sizes: Sequence[str]
) -> Iterator[Fraction]:
    """Coefficients c for which the slope rest + pull * c shows the direction.

    They are tried on the grid of `sizes`, in either sign, small ones first, up to three times the largest.
    """
    step, largest = Fraction(sizes[0]), 3 * Fraction(sizes[-1])
    values = (rest, pull * step, effect, MARGIN, LEAST)
    one = lcm(*(value.denominator for value in values))
    base, move, aim, near, least = (int(value * one) for value in values)
    for count in range(1, int(largest / step) + 1):
        for times in (count, -count):
            if _shows(base + move * times, aim, direction, near, least):
                yield step * times


def _written(chosen: Mapping[tuple[str, str], str], linear: Params) -> Params:
    return {"coefficients": [[tail, head, value] for (tail, head), value in chosen.items()], "noise": linear["noise"]}


def _clear(params: Mapping[str, Any], model: LinearModel, direction: str) -> bool:
    """Whether effect, slope and ratio show what is wanted, by margins."""
    _, _, seen, _ = recorded_ends(params)
    if model.squared_partial_correlation(params["roles"][AUXILIARY], seen) < WEAKEST:
        return False
    observed, ratio, effect = _of_model(params, model)
    return not 0 < abs(ratio - effect) < MARGIN and _shows(observed, effect, direction, MARGIN, LEAST)


def _shows(observed: Number, effect: Number, direction: str, near: Number, least: Number) -> bool:
    """Whether a slope differs from the effect in the wanted direction, with every margin kept."""
    if abs(effect) < least or abs(observed) < near or 0 < abs(observed - effect) < near:
        return False
    return direction_of(observed, effect) == direction


def recorded_ends(params: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Treatment and outcome, and what is recorded in their place."""
    roles = params["roles"]
    x, y = roles["treatment"], roles["outcome"]
    return x, y, roles.get(TREATMENT_READING, x), roles.get(OUTCOME_READING, y)


def stand_in_candidates(params: Mapping[str, Any]) -> list[str]:
    """Recorded quantities other than those of the regression's two ends."""
    _, _, seen, response = recorded_ends(params)
    return [name for name in params["graph"]["nodes"] if name not in (*params["unmeasured"], seen, response)]


def usable_stand_ins(params: Mapping[str, Any], graph: Graph) -> list[str]:
    """The recorded quantities whose covariance ratio is the effect in every model of the graph.

    Such a quantity goes along with the treatment, with the outcome through the treatment alone, and with the reading
    through the treatment alone.
    """
    x, _, seen, response = recorded_ends(params)
    start, end = graph.mask([x]), graph.mask([response])
    causal = causal_mask(graph, start, end)
    deaf = graph.without_edges((a, b) for a, b in graph.directed if a == x and causal >> graph.index[b] & 1)
    tied = reachable(deaf, end, 0)
    if seen != x:
        tied |= reachable(graph.without_edges([(x, seen)]), graph.mask([seen]), 0)
    good = reachable(graph, start, 0) & ~tied
    return [name for name in stand_in_candidates(params) if good >> graph.index[name] & 1]


def slopes_of(params: Mapping[str, Any], graph: Graph) -> tuple[Fraction, Fraction, Fraction]:
    """The observed slope, the auxiliary's ratio and the total effect."""
    if "linear" in params:
        return _of_model(params, model_of(graph, params["linear"]))
    _, _, seen, response = recorded_ends(params)
    controls, z = params["sets"]["controls"], params["roles"][AUXILIARY]
    table = CovarianceTable(params["covariance"])
    errors = {reading: Fraction(variance) for reading, _, variance in params["errors"]}
    cleaned = [
        [a, b, str(Fraction(value) - errors.get(a, 0)) if a == b else value] for a, b, value in params["covariance"]
    ]
    return (
        table.coefficient(response, seen, controls),
        table.partial_covariance(z, response) / table.partial_covariance(z, seen),
        CovarianceTable(cleaned).coefficient(response, seen, controls),
    )


def _of_model(params: Mapping[str, Any], model: LinearModel) -> tuple[Fraction, Fraction, Fraction]:
    x, y, seen, response = recorded_ends(params)
    return (
        model.coefficient(response, seen, params["sets"]["controls"]),
        model.instrument_ratio(response, seen, params["roles"][AUXILIARY]),
        model.total_effect(x, y),
    )


def direction_of(observed: Number, effect: Number) -> str:
    if observed == effect:
        return "unchanged"
    if observed * effect < 0:
        return "reversed"
    return "inflated" if abs(observed) > abs(effect) else "attenuated"
