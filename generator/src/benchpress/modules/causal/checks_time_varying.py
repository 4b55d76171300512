"""The second method of the bundle of time-varying treatments: fixing on the array of the observed distribution."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from benchpress.gate import Key
from benchpress.modules.causal import checks, checks_latent
from benchpress.modules.causal.checks_discrete import CLOSE, close


def confirm(params: Mapping[str, Any], keys: Mapping[str, Key], treatments: Sequence[str]) -> dict[str, bool]:
    """Whether each key agrees; `treatments` in time order."""
    y, graph = params["roles"]["outcome"], checks_latent.Mixed(params["graph"])
    cells = checks_latent.observed(params)
    planned = checks_latent.effects(graph, cells, treatments, y)
    if planned is None:
        return dict.fromkeys(keys, False)
    seed = checks.seed_of(params["graph"], "hidden causes")
    known = checks_latent.reproduced(params["graph"], treatments, y, seed)
    ones, zeros = (1,) * len(treatments), (0,) * len(treatments)
    effect = float(planned[ones] - planned[zeros])
    raised, lowered = (
        checks_latent.share(graph, cells, y, dict(zip(treatments, values, strict=True))) for values in (ones, zeros)
    )
    naive = raised - lowered
    one_step = _one_step(graph, cells, treatments, y)
    shares = {plan: float(planned[tuple(map(int, values))]) for plan, values in params["plans"]}
    confirmed = {
        "EFFECT": known and close(effect, keys["EFFECT"].gold),
        "NAIVE_EFFECT": close(naive, keys["NAIVE_EFFECT"].gold),
    }
    if "claims" not in params:
        same = "yes" if abs(one_step - effect) < CLOSE else "no"
        confirmed["ADJUST_NAIVELY"] = keys["ADJUST_NAIVELY"].gold == same
        confirmed["ORDER"] = keys["ORDER"].gold == [plan for _, plan in sorted((v, plan) for plan, v in shares.items())]
    for claim in params.get("claims", ()):
        if claim["kind"] == "one_step":
            holds = abs(one_step - effect) < CLOSE
        elif claim["kind"] == "higher":
            holds = shares[claim["p"]] > shares[claim["q"]]
        elif claim["kind"] == "share":
            holds = abs(shares[claim["p"]] - float(Fraction(claim["value"]))) < 0.0005 + CLOSE
        else:
            holds = naive > effect if claim["kind"] == "overstates" else naive < effect
        confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
    return confirmed


def _one_step(graph: checks_latent.Mixed, cells: checks_latent.Array, treatments: Sequence[str], y: str) -> float:
    """The contrast within strata of all covariates, weighted by how frequent the strata are."""
    axes = tuple(graph.axis[name] for name in treatments)
    at = graph.axis[y]
    strata = cells.sum(axis=(*axes, at), keepdims=True)
    shares = cells.take([1], axis=at) / cells.sum(axis=at, keepdims=True)
    weighted = shares * strata

    def under(value: int) -> float:
        picked = weighted
        for axis in axes:
            picked = picked.take([value], axis=axis)
        return float(picked.sum())

    return under(1) - under(0)
