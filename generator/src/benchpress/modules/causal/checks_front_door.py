"""The second method of the front-door bundle: generic linear populations for sets, kernels for effects."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from benchpress.gate import Key
from benchpress.modules.causal import checks, checks_discrete, checks_latent, checks_linear, checks_models

Sets = list[list[str]]


def confirm(params: Mapping[str, Any], keys: Mapping[str, Key], impossible: str) -> dict[str, bool]:
    """Whether each key agrees."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    graph = params["graph"]
    cells = checks_latent.observed(params)
    mixed = checks_latent.Mixed(graph)
    done = checks_latent.effects(mixed, cells, [x], y)
    effect = float("nan") if done is None else float(done[1] - done[0])
    naive = checks_latent.share(mixed, cells, y, {x: 1}) - checks_latent.share(mixed, cells, y, {x: 0})
    confirmed = {
        "EFFECT": checks_discrete.close(effect, keys["EFFECT"].gold)
        and checks_models.reproduced(graph, [x], y, checks.seed_of(graph, "hidden causes")),
        "NAIVE_EFFECT": checks_discrete.close(naive, keys["NAIVE_EFFECT"].gold),
    }
    population = checks.Population(graph, checks.seed_of(graph, "front door"))
    doors = Doors(population, x, y)
    if "claims" in params:
        for claim in params["claims"]:
            if claim["kind"] == "front":
                holds = doors.front([claim["mset"]])[0]
            elif claim["kind"] == "adjust":
                found = float(population.coefficients(x, y, [claim["zset"]])[0])
                holds = abs(found - population.effect(x, y)) < checks.EXACT
            elif claim["kind"] in ("share", "seen"):
                if claim["kind"] == "seen":
                    value = checks_latent.share(mixed, cells, y, {x: int(claim["v"])})
                else:
                    value = float("nan") if done is None else float(done[int(claim["v"])])
                holds = abs(value - float(Fraction(claim["value"]))) < 0.0005 + checks_discrete.CLOSE
            else:
                holds = naive > effect if claim["kind"] == "overstates" else naive < effect
            confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
        return confirmed
    key = keys["FRONT_DOOR_SET"]
    given = [] if key.gold == [impossible] else [list(key.gold), *map(list, key.accept)]
    confirmed["FRONT_DOOR_SET"] = sorted(given) == sorted(doors.minimal())
    others = [name for name in graph["nodes"] if name not in (x, y)]
    back = bool(checks_linear.minimal_adjustment(population, x, y, others))
    confirmed["BACK_DOOR_POSSIBLE"] = keys["BACK_DOOR_POSSIBLE"].gold == ("yes" if back else "no")
    return confirmed


class Doors:
    """The front-door criterion in a generic linear population.

    A set intercepts all directed paths where the effect of x on y vanishes once no arrow leaves the set; a back-door
    path is open where a covariance is left once the arrows out of its start are gone.
    """

    def __init__(self, population: checks.Population, x: str, y: str) -> None:
        self.nodes, self.place, self.arrows = population.nodes, population.place, population.arrows
        self.x, self.y = self.place[x], self.place[y]
        cut = self._without([[x]])
        self.usable = [
            name for name in self.nodes
            if name not in (x, y) and abs(cut[0][0, self.x, self.place[name]]) < checks.EXACT
        ]  # fmt: skip

    def _without(self, sets: Sequence[Sequence[str]]) -> tuple[checks.Matrix, checks.Matrix]:
        """Covariances and total effects without the arrows that leave each set, a matrix a set."""
        arrows = np.repeat(self.arrows[None], len(sets), axis=0)
        for at, names in enumerate(sets):
            arrows[at][:, [self.place[name] for name in names]] = 0
        total = np.linalg.inv(np.eye(self.arrows.shape[0]) - arrows)
        return total @ total.transpose(0, 2, 1), total

    def front(self, sets: Sequence[Sequence[str]]) -> list[bool]:
        """Whether each set satisfies the criterion."""
        covariance, total = self._without(sets)
        shown = []
        for at, names in enumerate(sets):
            own, c = [self.place[name] for name in names], covariance[at]
            left = c[own, self.y] - c[own, self.x] * c[self.x, self.y] / c[self.x, self.x]
            intercepts = abs(total[at, self.y, self.x]) < checks.EXACT
            shown.append(intercepts and set(names) <= set(self.usable) and bool(np.all(np.abs(left) < checks.EXACT)))
        return shown

    def minimal(self) -> Sets:
        """All sets that satisfy it and hold no smaller one that does."""
        found: list[set[str]] = []
        for size in range(len(self.usable) + 1):
            sets = [one for one in combinations(self.usable, size) if not any(small <= set(one) for small in found)]
            if not sets:
                break
            found += [set(one) for one, right in zip(sets, self.front(sets), strict=True) if right]
        return [sorted(one) for one in found]
