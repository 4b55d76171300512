"""Mediation: Pearl's worked example, structural models enumerated noise by noise, and sufficient sets by open paths."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
import pytest
from benchpress.gate import Key
from benchpress.models.discrete import Network
from benchpress.models.structural import Potential, monotone_model
from benchpress.modules.causal.mediation import BUNDLE
from binary import entry, network
from solved import items, modal_share, solved


def problem(*tables: dict[str, Any], unmeasured: str = "", held: str = "0") -> dict[str, Any]:
    return {
        **network(*tables),
        "roles": {"treatment": "T", "mediator": "M", "outcome": "Y"},
        "unmeasured": sorted(unmeasured),
        "held": [held],
    }


# Pearl, Glymour, Jewell, Causal Inference in Statistics: A Primer, section 4.5.2.
PRIMER = problem(entry("T", "", "0.5"), entry("M", "T", "0.40", "0.75"), entry("Y", "MT", "0.2", "0.4", "0.3", "0.8"))
# A common cause of mediator and outcome that nobody records.
HIDDEN = problem(
    entry("U", "", "0.5"),
    entry("T", "", "0.5"),
    entry("M", "TU", "0.2", "0.6", "0.4", "0.9"),
    entry("Y", "MTU", "0.1", "0.5", "0.3", "0.4", "0.2", "0.7", "0.6", "0.9"),
    unmeasured="U",
)
# L is affected by the treatment and acts on mediator and outcome.
WITNESS = problem(
    entry("T", "", "0.5"),
    entry("L", "T", "0.3", "0.8"),
    entry("M", "LT", "0.2", "0.5", "0.6", "0.9"),
    entry("Y", "LMT", "0.1", "0.5", "0.3", "0.4", "0.2", "0.7", "0.6", "0.9"),
)


def test_the_worked_example_of_the_primer() -> None:
    keys = BUNDLE.first(PRIMER)
    assert [keys[part].gold for part in ("NDE", "NIE", "CDE", "TOTAL")] == ["0.32", "0.035", "0.2", "0.46"]
    assert keys["IDENTIFIED"].gold == "yes"
    assert all(BUNDLE.second(PRIMER, keys).values())


@pytest.mark.parametrize(("params", "identified"), [(PRIMER, "yes"), (HIDDEN, "no"), (WITNESS, "no")])
def test_effects_by_enumerating_every_noise(params: dict[str, Any], identified: str) -> None:
    exact = Network.of(
        {one["of"]: one["given"] for one in params["probabilities"]},
        {one["of"]: [value for _, value in one["rows"]] for one in params["probabilities"]},
    )
    model = monotone_model(exact)

    def mean(t: int, m: Any = None) -> Fraction:
        return model.expectation(Potential("Y", {"T": t} if m is None else {"T": t, "M": m}))

    nested = [Potential("M", {"T": s}) for s in (0, 1)]
    expected = {
        "NDE": mean(1, nested[0]) - mean(0),
        "NIE": mean(0, nested[1]) - mean(0),
        "CDE": mean(1, 0) - mean(0, 0),
        "TOTAL": mean(1) - mean(0),
    }
    keys = BUNDLE.first(params)
    assert {part: Fraction(keys[part].gold) for part in expected} == expected
    assert keys["IDENTIFIED"].gold == identified
    assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize(
    ("part", "value"),
    [("NDE", "0.321"), ("NIE", "0.14"), ("CDE", "0.5"), ("TOTAL", "0.355"), ("IDENTIFIED", "no")],
)
def test_a_miskey_is_refused(part: str, value: str) -> None:
    keys = {**BUNDLE.first(PRIMER), part: Key(value)}
    assert [one for one, right in BUNDLE.second(PRIMER, keys).items() if not right] == [part]


@pytest.mark.parametrize("level", [3, 8])
def test_sufficient_sets_agree_with_d_separation_in_networkx(level: int) -> None:
    for item in items("mediation", "base", level, 10):
        params = item.params
        graph = nx.DiGraph([tuple(edge) for edge in params["graph"]["directed"]])
        t, m, y = (params["roles"][role] for role in ("treatment", "mediator", "outcome"))
        free = sorted(set(graph) - set(params["unmeasured"]) - {t} - nx.descendants(graph, t))

        def cut(name: str, graph: Any = graph) -> Any:
            rest = graph.copy()
            rest.remove_edges_from(list(graph.out_edges(name)))
            return rest

        found = any(
            nx.is_d_separator(cut(t), {t}, {m, y}, set(one)) and nx.is_d_separator(cut(m), {m}, {y}, {t, *one})
            for size in range(len(free) + 1)
            for one in combinations(free, size)
        )
        assert next(part.gold for part in item.parts if part.id == "IDENTIFIED") == ("yes" if found else "no")


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("mediation", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("mediation", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.1
