"""Collider bias on hand-made problems, and against networkx on generated ones."""

from itertools import combinations
from typing import Any

import networkx as nx
import pytest
from benchpress.gate import Key
from benchpress.modules.causal.collider_bias import BUNDLE
from solved import items, linear, modal_share, solved


def problem(arrows: str, selected: list[str], further: str, unmeasured: tuple[str, ...] = ()) -> dict[str, Any]:
    roles = {"first quantity": "A", "second quantity": "B", "further quantity": further}
    return {**linear(arrows, unmeasured=unmeasured), "roles": roles, "sets": {"selected": selected}}


# A -> C <- B with unit coefficients and noises: cov(A, B | C) = -1/3, var(A | C) = 2/3.
BERKSON = problem("A>C:1 B>C:1 C>D:1 E>B:1", ["C"], "E")
# The collider's own parent M carries all that A gives to C; var(B | C) is 3/4 of what it was.
THROUGH_PARENT = problem("A>M:1 M>C:1 B>C:1", ["C"], "M")
# Selection on an effect of A alone is harmless; the further quantity is the collider.
HARMLESS = problem("A>S:1 A>C:1 B>C:1", ["S"], "C")


@pytest.mark.parametrize(
    ("params", "opened", "before", "safe", "after", "verdict"),
    [
        # B has variance 2 through E: cov(A,B|C) = -1*2/4, var(A|C) = 3/4; given E as well the textbook's -1/2.
        (BERKSON, ["C", "D"], "-2/3", ["IMPOSSIBLE"], "-0.5", "changes"),
        (THROUGH_PARENT, ["C"], "-1/3", ["M"], "0", "removes"),
        (HARMLESS, ["C"], "0", [], "-0.5", "creates"),
    ],
)
def test_hand_made_problems(
    params: dict[str, Any], opened: list[str], before: str, safe: list[str], after: str, verdict: str
) -> None:
    keys = BUNDLE.first(params)
    parts = ("OPENED_BY", "ASSOCIATION_SELECTED", "SAFE_COVARIATES", "ASSOCIATION_FURTHER", "VERDICT")
    assert [keys[part].gold for part in parts] == [opened, before, safe, after, verdict]
    assert all(BUNDLE.second(params, keys).values())


def test_two_coins_and_a_bell() -> None:
    """Pearl, Glymour and Jewell 2016, section 2.3: the bell rings where either coin shows heads."""
    params = {
        "graph": {
            "nodes": ["A", "B", "Bell", "N"],
            "directed": [["A", "Bell"], ["B", "Bell"], ["Bell", "N"]],
            "bidirected": [],
        },
        "unmeasured": [],
        "roles": {"first quantity": "A", "second quantity": "B", "further quantity": "N"},
        "sets": {"kept": ["Bell"]},
        "probabilities": [
            {"of": "A", "given": [], "rows": [["", "0.5"]]},
            {"of": "B", "given": [], "rows": [["", "0.5"]]},
            {"of": "Bell", "given": ["A", "B"], "rows": [["00", "0"], ["01", "1"], ["10", "1"], ["11", "1"]]},
            {"of": "N", "given": ["Bell"], "rows": [["0", "0.2"], ["1", "0.7"]]},
        ],
    }
    keys = BUNDLE.first(params)
    parts = ("OPENED_BY", "ASSOCIATION_SELECTED", "SAFE_COVARIATES", "ASSOCIATION_FURTHER", "VERDICT")
    assert [keys[part].gold for part in parts] == [["Bell", "N"], "-0.5", ["IMPOSSIBLE"], "-0.5", "unchanged"]
    assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("OPENED_BY", ["C"]),
        ("ASSOCIATION_SELECTED", "-0.6"),
        ("SAFE_COVARIATES", ["E"]),
        ("ASSOCIATION_FURTHER", "-2/3"),
        ("VERDICT", "removes"),
    ],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    keys = {**BUNDLE.first(BERKSON), part: Key(value)}
    confirmed = BUNDLE.second(BERKSON, keys)
    assert [one for one, right in confirmed.items() if not right] == [part]


@pytest.mark.parametrize("level", [2, 7])
def test_sets_agree_with_networkx_over_all_subsets(level: int) -> None:
    for item in items("collider_bias", "base", level, 8):
        params = item.params
        graph = nx.DiGraph(params["graph"]["directed"])
        graph.add_nodes_from(params["graph"]["nodes"])
        a, b = params["roles"]["first quantity"], params["roles"]["second quantity"]
        kept = set(params["sets"]["selected"])
        recorded = set(graph) - set(params["unmeasured"]) - {a, b}
        golds = {part.id: [part.gold, *part.params.get("accept", ())] for part in item.parts}
        assert golds["OPENED_BY"] == [sorted(z for z in recorded if not nx.is_d_separator(graph, {a}, {b}, {z}))]
        free = sorted(recorded - kept)
        closing = [
            set(one)
            for size in range(len(free) + 1)
            for one in combinations(free, size)
            if nx.is_d_separator(graph, {a}, {b}, kept | set(one))
        ]
        minimal = [sorted(one) for one in closing if not any(other < one for other in closing)]
        assert sorted(golds["SAFE_COVARIATES"]) == (sorted(minimal) or [["IMPOSSIBLE"]])


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("collider_bias", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("collider_bias", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.05
