"""Instruments: their keys from graph and covariances, and the margins of a drawn model."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from benchpress.graphs.dag import Graph
from benchpress.graphs.instruments import conditioning_sets
from benchpress.graphs.separation import minimal_separators, reachable, separated
from benchpress.modules.causal.draft import model_of
from benchpress.modules.causal.moments import Moments
from benchpress.streams import Stream

MARGIN = Fraction(1, 20)
"""The ratio of a broken instrument misses the effect by at least this much."""

SMALLEST_EFFECT = Fraction(1, 10)
WEAKEST = Fraction(1, 50)
"""The least squared correlation of the candidate with the treatment."""

CANDIDATE = "candidate instrument"
VERDICTS = ("none", "exclusion", "exogeneity", "both")
"""Which requirement the candidate violates when nothing is conditioned on."""


def ends_of(params: Mapping[str, Any]) -> tuple[str, str, str]:
    return params["roles"]["treatment"], params["roles"]["outcome"], params["roles"][CANDIDATE]


def instruments_of(params: Mapping[str, Any], graph: Graph) -> list[str]:
    """Recorded quantities that are instruments without conditioning: tied to the treatment and through it alone."""
    x, y, _ = ends_of(params)
    start, end = graph.mask([x]), graph.mask([y])
    tied = reachable(graph, start, 0) & ~reachable(graph.without_outgoing([x]), end, 0)
    good = tied & ~graph.descendants_of(start) & ~graph.mask(params["unmeasured"])
    return list(graph.names(good))


def conditioning_of(params: Mapping[str, Any], graph: Graph) -> list[list[str]]:
    """The minimal sets given which the candidate is an instrument, smallest first."""
    x, y, z = ends_of(params)
    # Separators are found fast; where each leaves the candidate relevant, they are the minimal sets.
    barred = {*params["unmeasured"], *graph.descendants([x])} - {y}
    found = minimal_separators(graph.without_outgoing([x]), [z], [y], exclude=barred)
    start, end = graph.mask([z]), graph.mask([x])
    if not all(reachable(graph, start, graph.mask(one)) & end for one in found):
        found = conditioning_sets(graph, z, x, y, excluded=params["unmeasured"])
    return sorted((sorted(one) for one in found), key=lambda one: (len(one), one))


def violated_by(params: Mapping[str, Any], graph: Graph) -> str:
    x, y, z = ends_of(params)
    cut = graph.without_outgoing([x])
    onward = y in cut.descendants([z])
    backward = bool(reachable(cut.without_outgoing([z]), graph.mask([z]), 0) & graph.mask([y]))
    return "both" if onward and backward else "exclusion" if onward else "exogeneity" if backward else "none"


def draw_controls(
    stream: Stream, params: Mapping[str, Any], graph: Graph, size: int, sets: list[list[str]]
) -> list[str]:
    """Controls to compute with: now and then a set that serves, else drawn among what the treatment does not affect.

    Empty where the candidate says nothing about the treatment given the drawn ones.
    """
    x, y, z = ends_of(params)
    if sets and 0 < len(sets[0]) <= size and stream.chance(1, 3):
        return sets[0]
    later = (*graph.descendants([x]), *params["unmeasured"], y, z)
    pool = [name for name in graph.nodes if name not in later]
    chosen = sorted(stream.sample(pool, min(len(pool), size)))
    return chosen if chosen and not separated(graph, [z], [x], chosen) else []


def covariance_ratio(params: Mapping[str, Any], moments: Moments, given: Sequence[str] = ()) -> Fraction:
    x, y, z = ends_of(params)
    return moments.partial_covariance(z, y, given) / moments.partial_covariance(z, x, given)


def total_effect_of(params: Mapping[str, Any], graph: Graph, moments: Moments, sets: list[list[str]]) -> Fraction:
    """The total effect: over the paths of the model, or by an instrument from printed covariances."""
    x, y, z = ends_of(params)
    if "linear" in params:
        return model_of(graph, params["linear"]).total_effect(x, y)
    name, given = (z, sets[0]) if sets else (instruments_of(params, graph)[0], [])
    return moments.partial_covariance(name, y, given) / moments.partial_covariance(name, x, given)


def margins_kept(params: Mapping[str, Any], graph: Graph, verdict: str, sets: list[list[str]]) -> bool:
    """Whether effect, relevance and the bias of a broken candidate keep their margins."""
    x, y, z = ends_of(params)
    model = model_of(graph, params["linear"])
    effect = model.total_effect(x, y)
    controls = params["sets"]["controls"]
    used = [(z, []), (z, controls), *((z, one) for one in sets), *((one, []) for one in instruments_of(params, graph))]
    if any(model.squared_partial_correlation(name, x, given) < WEAKEST for name, given in used):
        return False
    if abs(effect) < SMALLEST_EFFECT or 0 < abs(covariance_ratio(params, model, controls) - effect) < MARGIN:
        return False
    gap = covariance_ratio(params, model) - effect
    return gap == 0 if verdict == "none" else abs(gap) >= MARGIN
