"""Confounding on problems whose answers are known from textbooks, worked out by hand."""

from typing import Any

import pytest
from benchpress.gate import Key
from benchpress.modules.causal.confounding import BUNDLE


def problem(arrows: str, noise: str = "1", unmeasured: tuple[str, ...] = ()) -> dict[str, Any]:
    """A linear model from `Z>X:0.5 ...`; every noise has the same variance."""
    edges = sorted([*pair.split(":")[0].split(">"), pair.split(":")[1]] for pair in arrows.split())
    nodes = sorted({name for a, b, _ in edges for name in (a, b)})
    return {
        "graph": {"nodes": nodes, "directed": [[a, b] for a, b, _ in edges], "bidirected": []},
        "unmeasured": sorted(unmeasured),
        "roles": {"treatment": "X", "outcome": "Y"},
        "linear": {"coefficients": edges, "noise": [[name, noise] for name in nodes]},
    }


CONFOUNDER = problem("Z>X:1 Z>Y:1 X>Y:1")  # var X = 2 and cov(X, Y) = 2 * 1 + 1
MEDIATOR = problem("X>M:2 M>Y:3")
M_BIAS = problem("A>X:1 A>C:1 B>C:1 B>Y:1 X>Y:1")  # Pearl 1995: the collider C must be left alone
UNRECORDED = problem("Z>X:1 Z>Y:-1 X>Y:1", unmeasured=("Z",))


@pytest.mark.parametrize(
    ("params", "adjust_for", "effect", "naive", "direction"),
    [
        (CONFOUNDER, ["Z"], "1", "1.5", "upward"),
        (MEDIATOR, [], "6", "6", "none"),
        (M_BIAS, [], "1", "1", "none"),
        (UNRECORDED, ["IMPOSSIBLE"], "1", "0.5", "downward"),
    ],
)
def test_textbook_graphs(
    params: dict[str, Any], adjust_for: list[str], effect: str, naive: str, direction: str
) -> None:
    keys = BUNDLE.first(params)
    found = [keys[part].gold for part in ("ADJUSTMENT_SET", "EFFECT", "NAIVE_EFFECT", "BIAS_DIRECTION")]
    assert found == [adjust_for, effect, naive, direction]
    assert all(BUNDLE.second(params, keys).values())


def test_the_book_of_why_game_five_has_two_minimal_sets_of_different_size() -> None:
    params = problem("A>X:1 A>B:1 C>B:1 C>Y:1 B>X:1 X>Y:1")
    key = BUNDLE.first(params)["ADJUSTMENT_SET"]
    assert sorted([key.gold, *key.accept]) == [["A", "B"], ["C"]]
    assert BUNDLE.second(params, {**BUNDLE.first(params)})["ADJUSTMENT_SET"]
    one_missing = {**BUNDLE.first(params), "ADJUSTMENT_SET": Key(["C"])}
    assert not BUNDLE.second(params, one_missing)["ADJUSTMENT_SET"]
