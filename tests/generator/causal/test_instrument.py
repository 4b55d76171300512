"""Instruments on hand-made problems, and against networkx over all subsets on generated ones."""

from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from benchpress.gate import Key
from benchpress.modules.causal.instrument import BUNDLE
from solved import items, linear, modal_share, solved


def problem(arrows: str, controls: list[str], unmeasured: tuple[str, ...] = ("U",)) -> dict[str, Any]:
    roles = {"treatment": "X", "outcome": "Y", "candidate instrument": "Z"}
    return {**linear(arrows, unmeasured=unmeasured), "roles": roles, "sets": {"controls": controls}}


COMMON = "Z>X:1 U>X:1 U>Y:1 X>Y:2"
# dagitty's example of a conditional instrument: W causes Z and Y. cov(Z, Y) = 2 * 2 + 1, cov(Z, X) = var Z = 2.
CONDITIONAL = problem(COMMON + " W>Z:1 W>Y:1", ["W"])
# A second way from Z to Y that the step M carries.
SECOND_WAY = problem(COMMON + " Z>M:1 M>Y:1", ["M"])
# C is a common effect of Z and of V, which acts on Y: var(Z | C) = 2/3, cov(Z, V | C) = -1/3.
COLLIDER = problem(COMMON + " Z>C:1 V>C:1 V>Y:1", ["C"], unmeasured=("U", "V"))
DIRECT = problem(COMMON + " Z>Y:-1 P>Z:1", ["P"])


@pytest.mark.parametrize(
    ("params", "instruments", "sets", "wald", "given", "verdict"),
    [
        (CONDITIONAL, [], [["W"]], "2.5", "2", "exogeneity"),
        (SECOND_WAY, [], [["M"]], "3", "2", "exclusion"),
        (COLLIDER, ["Z"], [[]], "2", "1.5", "none"),
        (DIRECT, [], [["IMPOSSIBLE"]], "1", "1", "exclusion"),
    ],
)
def test_hand_made_problems(
    params: dict[str, Any], instruments: list[str], sets: list[list[str]], wald: str, given: str, verdict: str
) -> None:
    keys = BUNDLE.first(params)
    assert [keys["CONDITION_ON"].gold, *keys["CONDITION_ON"].accept] == sets
    found = [keys[part].gold for part in ("INSTRUMENTS", "WALD", "WALD_GIVEN", "EFFECT", "EXCLUSION")]
    assert found == [instruments, wald, given, "2", verdict]
    assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("INSTRUMENTS", ["W"]),
        ("CONDITION_ON", []),
        ("WALD", "2"),
        ("WALD_GIVEN", "2.5"),
        ("EFFECT", "2.5"),
        ("EXCLUSION", "exclusion"),
    ],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    keys = {**BUNDLE.first(CONDITIONAL), part: Key(value)}
    confirmed = BUNDLE.second(CONDITIONAL, keys)
    assert [one for one, right in confirmed.items() if not right] == [part]


@pytest.mark.parametrize("level", [2, 6])
def test_instruments_agree_with_networkx_over_all_subsets(level: int) -> None:
    for item in items("instrument", "base", level, 8):
        params = item.params
        graph = nx.DiGraph([tuple(edge) for edge in params["graph"]["directed"]])
        x, y, z = (params["roles"][role] for role in ("treatment", "outcome", "candidate instrument"))
        cut = graph.copy()
        cut.remove_edges_from(list(graph.out_edges(x)))
        early = sorted(set(graph) - set(params["unmeasured"]) - nx.descendants(graph, x) - {x, y})

        def serves(name: str, given: set[str], graph: Any = graph, cut: Any = cut, x: str = x, y: str = y) -> bool:
            return not nx.is_d_separator(graph, {name}, {x}, given) and nx.is_d_separator(cut, {name}, {y}, given)

        golds = {part.id: [part.gold, *part.params.get("accept", ())] for part in item.parts}
        assert golds["INSTRUMENTS"] == [[name for name in early if serves(name, set())]]
        free = [name for name in early if name != z]
        good = [set(one) for size in range(len(free) + 1) for one in combinations(free, size) if serves(z, set(one))]
        minimal = [sorted(one) for one in good if not any(other < one for other in good)]
        assert sorted(golds["CONDITION_ON"]) == (sorted(minimal) or [["IMPOSSIBLE"]])


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("instrument", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("instrument", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.05


def test_false_claims_about_instruments_are_false_of_the_coefficients_too() -> None:
    """Covariances by matrix inversion, written apart from the models of the generator."""
    judged = 0
    for item in items("instrument", "analyst", 5, 40):
        nodes, roles = item.params["graph"]["nodes"], item.params["roles"]
        x, y = nodes.index(roles["treatment"]), nodes.index(roles["outcome"])
        arrows = np.zeros((len(nodes), len(nodes)))
        for tail, head, value in item.params["linear"]["coefficients"]:
            arrows[nodes.index(head), nodes.index(tail)] = float(value)
        total = np.linalg.inv(np.eye(len(nodes)) - arrows)
        noise = np.diag([float(dict(item.params["linear"]["noise"])[name]) for name in nodes])
        covariance = total @ noise @ total.T
        for claim in item.params["claims"]:
            gold = next(part.gold for part in item.parts if part.id == claim["id"])
            if gold == "true" or claim["kind"] not in ("serves", "excluded"):
                continue
            z = nodes.index(claim["z"])
            if claim["kind"] == "serves":
                given = [nodes.index(name) for name in claim["wset"]]
                left = covariance[np.ix_([z], [x, y])]
                if given:
                    inner = covariance[np.ix_(given, given)]
                    left = left - covariance[[z]][:, given] @ np.linalg.solve(inner, covariance[np.ix_(given, [x, y])])
                assert abs(left[0, 0]) < 1e-9 or abs(left[0, 1] / left[0, 0] - total[y, x]) > 0.049
            else:
                cut = arrows.copy()
                cut[:, x] = 0
                assert abs(np.linalg.inv(np.eye(len(nodes)) - cut)[y, z]) > 0.049
            judged += 1
    assert judged >= 15
