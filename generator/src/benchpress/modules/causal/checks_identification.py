"""The second method of the identification bundle: fixing, random models with hidden causes, derivatives."""

from collections.abc import Mapping
from typing import Any

from benchpress.gate import Key
from benchpress.modules.causal import checks, checks_latent, checks_models
from benchpress.modules.causal.checks_discrete import close


def confirm(params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
    """Whether each key agrees."""
    x, y = params["roles"]["treatment"], params["roles"]["outcome"]
    whole = checks_latent.Mixed(params["graph"])
    graph = whole.part(whole.spread([y], whole.causes, set(whole.nodes)))
    cells = checks_latent.array_of(params["joint"])
    seed = checks.seed_of(params["graph"], "hidden causes")
    done = checks_latent.effects(graph, cells, [x], y)
    effect = float("nan") if done is None else float(done[1] - done[0])
    naive = checks_latent.share(graph, cells, y, {x: 1}) - checks_latent.share(graph, cells, y, {x: 0})
    known = checks_models.identifiable(whole, [x], y, seed)
    confirmed = {
        "EFFECT": known and close(effect, keys["EFFECT"].gold),
        "NAIVE_EFFECT": close(naive, keys["NAIVE_EFFECT"].gold),
    }
    if "claims" not in params:
        for at, query in enumerate(params["queries"], 1):
            follows = checks_models.identifiable(whole, query["x"], query["y"], seed)
            confirmed[f"IDENTIFIABLE_{at}"] = keys[f"IDENTIFIABLE_{at}"].gold == ("yes" if follows else "no")
        left = set(whole.nodes) - {x}
        part = whole.spread([y], whole.ties, whole.spread([y], whole.causes, left))
        confirmed["C_COMPONENT"] = keys["C_COMPONENT"].gold == sorted(part)
    population = checks.Population(params["graph"], seed)
    for claim in params.get("claims", ()):
        if claim["kind"] == "identifiable":
            holds = checks_models.identifiable(whole, claim["xset"], claim["y"], seed)
        elif claim["kind"] == "adjust":
            found = float(population.coefficients(x, y, [claim["zset"]])[0])
            holds = abs(found - population.effect(x, y)) < checks.EXACT
        elif claim["kind"] == "together":
            holds = claim["b"] in whole.spread([claim["a"]], whole.ties, set(whole.nodes))
        else:
            holds = naive > effect if claim["kind"] == "overstates" else naive < effect
        confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
    return confirmed
