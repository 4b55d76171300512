"""Natural and controlled effects exactly, and which covariates are sufficient to identify them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from benchpress.graphs.adjustment import is_backdoor_set
from benchpress.graphs.dag import Graph
from benchpress.models.formulas import nested_mean
from benchpress.modules.causal.observed import table_of
from benchpress.modules.causal.worlds import Model

MARGIN = Fraction(1, 100)
"""The natural effects miss the total effect by at least this much when added, and differ from each other by it."""


def effects_of(params: Mapping[str, Any]) -> dict[str, Fraction]:
    """The effects by name, and the means of the outcome behind them."""
    t, m, y = (params["roles"][role] for role in ("treatment", "mediator", "outcome"))
    held = int(params["held"][0])
    if "joint" in params:
        graph = Graph.from_json(params["graph"])
        columns = params["joint"]["columns"]
        whole = table_of(params["joint"])
        kept = [name for name in columns if name not in graph.descendants([t])]
        joint = whole.marginal([*kept, t, m, y])
        mean = {(a, b): nested_mean(joint, t, y, [m], a, b, kept) for a in (0, 1) for b in (0, 1)}
        fixed = [
            sum(
                (joint.probability(state) * joint.mean(y, {**state, t: a, m: held}) for state in joint.states(kept)),
                Fraction(0),
            )
            for a in (0, 1)
        ]
    else:
        model = Model(params["probabilities"])
        mean = {(a, a): model.chance((0, y), [{t: a}]) for a in (0, 1)}
        mean |= {(a, 1 - a): model.chance((1, y), [{t: 1 - a}, {t: a, m: (0, m)}]) for a in (0, 1)}
        fixed = [model.chance((0, y), [{t: a, m: held}]) for a in (0, 1)]
    none, whole_effect = mean[0, 0], mean[1, 1] - mean[0, 0]
    return {
        "nde": mean[1, 0] - none,
        "nie": mean[0, 1] - none,
        "cde": fixed[1] - fixed[0],
        "total": whole_effect,
        "none": none,
        "all": mean[1, 1],
        "crossed direct": mean[1, 0],
        "crossed indirect": mean[0, 1],
    }


def apart(effects: Mapping[str, Fraction]) -> bool:
    nde, nie, cde, total = (effects[name] for name in ("nde", "nie", "cde", "total"))
    return all(abs(value) >= MARGIN for value in (nde + nie - total, nie, nde - cde, nde - nie, total - nde))


def candidates(params: Mapping[str, Any], graph: Graph) -> list[str]:
    """Recorded variables that the treatment does not affect."""
    barred = {*graph.descendants([params["roles"]["treatment"]]), *params["unmeasured"]}
    return [name for name in graph.nodes if name not in barred]


def is_sufficient(params: Mapping[str, Any], graph: Graph, chosen: Sequence[str]) -> bool:
    t, m, y = (params["roles"][role] for role in ("treatment", "mediator", "outcome"))
    return is_backdoor_set(graph, [t], [m, y], chosen) and is_backdoor_set(graph, [m], [y], [t, *chosen])


def sufficient_set(params: Mapping[str, Any]) -> list[str] | None:
    """A sufficient set, or None; where one exists, the candidates above treatment, mediator or outcome are one."""
    graph = Graph.from_json(params["graph"])
    above = set(graph.ancestors(list(params["roles"].values())))
    chosen = [name for name in candidates(params, graph) if name in above]
    return chosen if is_sufficient(params, graph, chosen) else None
