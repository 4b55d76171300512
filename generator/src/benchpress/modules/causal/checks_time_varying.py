"""The second method of the bundle of time-varying treatments: fixing on the array of the observed distribution.

Sets of covariates are tried one by one in a generic linear population, where regression on the treatments and a set
gives the effects of setting them all exactly when it does in every model of the graph.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from benchpress.gate import Key
from benchpress.modules.causal import checks, checks_latent, checks_models
from benchpress.modules.causal.checks_discrete import CLOSE, close


def confirm(
    params: Mapping[str, Any], keys: Mapping[str, Key], treatments: Sequence[str], impossible: str
) -> dict[str, bool]:
    """Whether each key agrees; `treatments` in time order."""
    y, graph = params["roles"]["outcome"], checks_latent.Mixed(params["graph"])
    cells = checks_latent.observed(params)
    planned = checks_latent.effects(graph, cells, treatments, y)
    if planned is None:
        return dict.fromkeys(keys, False)
    seed = checks.seed_of(params["graph"], "hidden causes")
    known = checks_models.reproduced(params["graph"], treatments, y, seed)
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
    joint = Joint(params["graph"], treatments, y)
    if "claims" not in params:
        same = "yes" if abs(one_step - effect) < CLOSE else "no"
        confirmed["ADJUST_NAIVELY"] = keys["ADJUST_NAIVELY"].gold == same
        key = keys["ONE_STEP_SET"]
        given = [] if key.gold == [impossible] else [list(key.gold), *map(list, key.accept)]
        confirmed["ONE_STEP_SET"] = sorted(given) == sorted(joint.minimal())
        confirmed["ORDER"] = keys["ORDER"].gold == [plan for _, plan in sorted((v, plan) for plan, v in shares.items())]
    for claim in params.get("claims", ()):
        if claim["kind"] == "one_step":
            holds = joint.right([claim["zset"]])[0]
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


class Joint:
    """Regression on several treatments and a set of covariates, in a generic linear population."""

    def __init__(self, graph: Mapping[str, Any], treatments: Sequence[str], y: str) -> None:
        population = checks.Population(graph, checks.seed_of(graph, "one step"))
        self.place, self.covariance = population.place, population.covariance
        self.treatments, self.y = [self.place[name] for name in treatments], self.place[y]
        self.covariates = [name for name in population.nodes if name not in (*treatments, y)]
        arrows = population.arrows.copy()
        arrows[self.treatments] = 0
        self.effects = np.linalg.inv(np.eye(len(arrows)) - arrows)[self.y, self.treatments]

    def right(self, sets: Sequence[Sequence[str]]) -> list[bool]:
        """For each of `sets`, all of one size, whether the treatments' coefficients are their joint effects."""
        index = np.array([[*self.treatments, *(self.place[name] for name in names)] for names in sets])
        gram = self.covariance[index[:, :, None], index[:, None, :]]
        cross = self.covariance[index, self.y][:, :, None]
        found = np.linalg.solve(gram, cross)[:, : len(self.treatments), 0]
        agree: list[bool] = (np.abs(found - self.effects).max(axis=1) < checks.EXACT).tolist()
        return agree

    def minimal(self) -> list[list[str]]:
        """All sets that are right and hold no smaller one that is."""
        found: list[set[str]] = []
        for size in range(len(self.covariates) + 1):
            sets = [one for one in combinations(self.covariates, size) if not any(less <= set(one) for less in found)]
            if not sets:
                break
            found += [set(one) for one, agrees in zip(sets, self.right(sets), strict=True) if agrees]
        return [sorted(one) for one in found]
