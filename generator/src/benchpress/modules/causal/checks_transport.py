"""The second method of the transport bundle: a population indicator in a generic population, derivatives, arrays."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from benchpress.gate import Key
from benchpress.modules.causal import checks, checks_latent, checks_models
from benchpress.modules.causal.checks_discrete import CLOSE, Joint, close

INDICATOR = "#population"


def confirm(params: Mapping[str, Any], keys: Mapping[str, Key], impossible: str) -> dict[str, bool]:
    """Whether each key agrees."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    effect, plain = _effects(params, x, y)
    confirmed = {
        "EFFECT": close(effect, keys["EFFECT"].gold),
        "SOURCE_EFFECT": close(plain, keys["SOURCE_EFFECT"].gold),
    }
    diagram = Diagram(params, x, y)
    if "claims" not in params:
        key = keys["ADMISSIBLE_SET"]
        given = [] if key.gold == [impossible] else [list(key.gold), *map(list, key.accept)]
        confirmed["ADMISSIBLE_SET"] = sorted(given) == sorted(diagram.minimal())
        confirmed["TRANSPORTABLE"] = keys["TRANSPORTABLE"].gold == ("yes" if transportable(params, x, y) else "no")
    for claim in params.get("claims", ()):
        if claim["kind"] == "admissible":
            holds = diagram.separates([claim["zset"]])[0]
        elif claim["kind"] == "transportable":
            holds = transportable(params, x, y)
        elif claim["kind"] == "alike":
            holds = diagram.alike(claim["name"])
        else:
            holds = effect > plain + 1e-9 if claim["kind"] == "raises" else effect < plain - 1e-9
        confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
    return confirmed


def _effects(params: Mapping[str, Any], x: str, y: str) -> tuple[float, float]:
    """The effect within strata of the target's variables, weighted by their shares there, and the plain effect."""
    nodes = params["graph"]["nodes"]
    if "joint" in params:
        cells = checks_latent.array_of(params["joint"])
    else:
        cells = Joint([*params["shares"], {"of": x, "given": [], "rows": [["", "0.5"]]}]).cells()
    kept = {name: at for at, name in enumerate(nodes)}
    strata = [kept[name] for name in params["target"]["columns"]]
    gone = tuple(at for at in range(len(nodes)) if at not in (*strata, kept[x], kept[y]))
    # Axes that remain: strata in the order of columns, treatment, outcome.
    left = cells.sum(axis=gone, keepdims=True).transpose([*strata, kept[x], kept[y], *gone])
    small = left.reshape((2,) * (len(strata) + 2))
    within = small[..., 1] / small.sum(axis=-1)
    difference = within[..., 1] - within[..., 0]
    whole = small.reshape(-1, 2, 2).sum(axis=0)
    shares = whole[:, 1] / whole.sum(axis=1)
    return float((difference * checks_latent.array_of(params["target"])).sum()), float(shares[1] - shares[0])


class Diagram:
    """The graph with one more root that acts on every variable whose mechanism may differ, and none into x.

    In a generic linear population of it a set is S-admissible where the root has no coefficient in the regression of y
    on the root, x and the set.
    """

    def __init__(self, params: Mapping[str, Any], x: str, y: str) -> None:
        graph = params["graph"]
        self.x, self.y = x, y
        self.graph, self.differing = graph, params["sets"]["differing"]
        directed = [edge for edge in graph["directed"] if edge[1] != x]
        directed += [[INDICATOR, name] for name in params["sets"]["differing"] if name != x]
        bidirected = [pair for pair in graph["bidirected"] if x not in pair]
        nodes = [*graph["nodes"], INDICATOR]
        self.seed = checks.seed_of({"graph": graph, "sets": params["sets"]}, "diagram")
        self.population = checks.Population({"nodes": nodes, "directed": directed, "bidirected": bidirected}, self.seed)
        self.others = [name for name in graph["nodes"] if name not in (x, y)]

    def alike(self, name: str) -> bool:
        """Whether the indicator has no covariance with a variable when nothing is set."""
        graph, nodes = self.graph, [*self.graph["nodes"], INDICATOR]
        directed = graph["directed"] + [[INDICATOR, one] for one in self.differing]
        whole = checks.Population({"nodes": nodes, "directed": directed, "bidirected": graph["bidirected"]}, self.seed)
        return whole.independent(INDICATOR, name)

    def separates(self, sets: list[list[str]]) -> list[bool]:
        """Whether each of `sets`, all of one size, is S-admissible."""
        left = self.population.coefficients(INDICATOR, self.y, [[self.x, *one] for one in sets])
        return [bool(one) for one in np.abs(left) < checks.EXACT]

    def minimal(self) -> list[list[str]]:
        """All S-admissible sets that hold no smaller one."""
        found: list[set[str]] = []
        for size in range(len(self.others) + 1):
            sets = [
                list(one) for one in combinations(self.others, size) if not any(small <= set(one) for small in found)
            ]
            if not sets:
                break
            found += [set(one) for one, right in zip(sets, self.separates(sets), strict=True) if right]
        return [sorted(one) for one in found]


def transportable(params: Mapping[str, Any], x: str, y: str) -> bool:
    """Whether the target's effect follows from the data.

    If so, factors taken from the source's experiment and, where mechanisms differ, from the target's records must give
    the effect in a random model. If not, there must be a part of the graph in whose random models the derivative of
    the effect lies outside the span of the derivatives of all data. Raises ValueError where neither is shown.
    """
    whole = checks_latent.Mixed(params["graph"])
    graph = whole.part(whole.spread([y], whole.causes, set(whole.nodes)))
    if x not in graph.axis:
        return True
    differing = {name for name in params["sets"]["differing"] if name in graph.axis}
    seed = checks.seed_of({"graph": params["graph"], "sets": params["sets"]}, "populations")
    model = checks_models.Model(graph, seed)
    barred = [pair for pair in checks_latent.hedge(graph, [x], y) if pair[1] & differing]
    if not barred:
        if not _moved(model, differing, x, y):
            raise ValueError("the factors of both populations do not give the effect")
        return True
    for outer, inner in barred:
        part = checks_latent.witness(graph, [x], y, *checks_latent.smallest(graph, outer, inner, differing))
        for size in (2, 3, 4):
            own = sorted(differing & set(part.nodes))
            if not _determined(checks_models.Model(part, seed, size), own, x, y):
                return False
    raise ValueError("no model shows that the effect is left open")


def _moved(model: checks_models.Model, differing: set[str], x: str, y: str) -> bool:
    """Whether factors from the source's experiment and the target's records multiply to the target's effect."""
    graph = model.graph
    changed = {name: model.draw(name) for name in sorted(differing)}
    at = graph.axis[x]
    experiment = model.observed({x: 1}).take([1], axis=at)
    records = model.observed(None, changed)
    whole: checks_latent.Array = np.ones((1,) * model.count)
    for target in graph.districts(graph.spread([y], graph.causes, set(graph.nodes) - {x})):
        part = checks_latent.kernel(graph, records if target & differing else experiment, target)
        if part is None:
            return False
        for name in graph.nodes:
            if name not in target.union(*(graph.causes[one] for one in target)):
                part = part.take([0], axis=graph.axis[name])
        whole = whole * (part.take([1], axis=at) if part.shape[at] > 1 else part)
    found = whole.take(1, axis=graph.axis[y]).sum()
    true = model.observed({x: 1}, changed).take(1, axis=graph.axis[y]).sum()
    return bool(abs(found - true) < CLOSE)


def _determined(model: checks_models.Model, differing: list[str], x: str, y: str) -> bool:
    """Whether the derivative of the target's P(y = 1 | do(x = 1)) lies in the span of those of all data."""
    changed = {name: model.draw(name) for name in differing}
    data = []
    for do, tables in ((None, None), ({x: 0}, None), ({x: 1}, None), (None, changed)):
        cells = model.cells(do, tables)
        data.append((model.derivatives(cells, do, tables), tables is not None))
    cells = model.cells({x: 1}, changed)
    outcome = np.arange(1 << model.count) >> (model.count - 1 - model.graph.axis[y]) & 1
    wanted = {name: outcome @ block for name, block in model.derivatives(cells, {x: 1}, changed).items()}
    # Mechanisms that differ have parameters of their own in the target.
    width = {name: block.shape[1] for name, block in data[0][0].items()}
    columns = [(name, there) for name in width for there in ((False, True) if name in differing else (False,))]

    def row(block: Mapping[str, checks_latent.Array], target: bool, height: int) -> checks_latent.Array:
        parts = [
            block[name]
            if name in block and (name not in differing or there == target)
            else np.zeros((height, width[name]))
            for name, there in columns
        ]
        return np.concatenate(parts, axis=1)

    height = 1 << model.count
    rows = np.concatenate([row(block, target, height) for block, target in data])
    aim = row({name: values[None] for name, values in wanted.items()}, True, 1)[0]
    return checks_models.spanned(rows, aim, model.rng)
