"""M-bias on hand-made problems, and against networkx and brute force on generated ones."""

from itertools import combinations
from typing import Any

import networkx as nx
import pytest
from benchpress.gate import Key
from benchpress.modules.causal.m_bias import BUNDLE
from solved import items, linear, modal_share, solved


def problem(arrows: str, baseline: list[str], unmeasured: tuple[str, ...] = ()) -> dict[str, Any]:
    roles = {"treatment": "X", "outcome": "Y", "candidate covariate": "C"}
    return {**linear(arrows, unmeasured=unmeasured), "roles": roles, "sets": {"baseline": baseline}}


M = "A>X:1 A>C:1 B>C:1 B>Y:1 X>Y:1"
# Pearl's M: given C the slope is (2 - 1 * 2 / 3) / (2 - 1 / 3) = 4/5.
PURE = problem(M, [])
ARM_HELD = problem(M, ["A"])
# With C -> X the way X <- C <- B -> Y is open; given A, X varies by 3 and shares 1 with B.
CONFOUNDING_COLLIDER = problem(M + " C>X:1", ["A"])
# The same with both arms unrecorded and nothing held: neither regression is right.
BUTTERFLY = problem(M + " C>X:1", [], unmeasured=("A", "B"))


@pytest.mark.parametrize(
    ("params", "sets", "before", "after", "verdict"),
    [
        (PURE, [[]], "0", "-0.2", "without"),
        (ARM_HELD, [[]], "0", "0", "same"),
        (CONFOUNDING_COLLIDER, [["B"], ["A", "C"]], "1/3", "0", "with"),
        # var X = 4 + 1 + 1 + 1 = 7 (A counts twice), cov(X, B) = 1; given C: var 5/3, cov(X, B | C) = 1 - 4/3.
        (BUTTERFLY, [["IMPOSSIBLE"]], "1/7", "-0.2", "without"),
    ],
)
def test_hand_made_problems(
    params: dict[str, Any], sets: list[list[str]], before: str, after: str, verdict: str
) -> None:
    keys = BUNDLE.first(params)
    assert [keys["ADJUSTMENT_SET"].gold, *keys["ADJUSTMENT_SET"].accept] == sets
    found = [keys[part].gold for part in ("EFFECT", "BIAS_BASELINE", "BIAS_IF_ADJUSTED", "VERDICT")]
    assert found == ["1", before, after, verdict]
    assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("ADJUSTMENT_SET", ["C"]),
        ("EFFECT", "0.9"),
        ("BIAS_BASELINE", "0.05"),
        ("BIAS_IF_ADJUSTED", "0.2"),
        ("VERDICT", "with"),
    ],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    keys = {**BUNDLE.first(PURE), part: Key(value)}
    confirmed = BUNDLE.second(PURE, keys)
    assert [one for one, right in confirmed.items() if not right] == [part]


@pytest.mark.parametrize("level", [2, 6])
def test_adjustment_sets_agree_with_blocked_paths_in_networkx(level: int) -> None:
    """The adjustment criterion by its definition: no descendant of a causal node, all other paths blocked."""
    for item in items("m_bias", "base", level, 8):
        params = item.params
        graph = nx.DiGraph([tuple(edge) for edge in params["graph"]["directed"]])
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        causal = (nx.descendants(graph, x) & (nx.ancestors(graph, y) | {y})) - {x}
        forbidden = causal.union(*(nx.descendants(graph, node) for node in causal))
        cut = graph.copy()
        cut.remove_edges_from([(x, node) for node in causal if graph.has_edge(x, node)])
        free = sorted(set(graph) - set(params["unmeasured"]) - {x, y} - forbidden)
        valid = [
            set(one)
            for size in range(len(free) + 1)
            for one in combinations(free, size)
            if nx.is_d_separator(cut, {x}, {y}, set(one))
        ]
        minimal = [sorted(one) for one in valid if not any(other < one for other in valid)]
        part = next(part for part in item.parts if part.id == "ADJUSTMENT_SET")
        assert sorted([part.gold, *part.params.get("accept", ())]) == (sorted(minimal) or [["IMPOSSIBLE"]])


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("m_bias", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("m_bias", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.1


def test_the_recorded_causes_of_the_treatment_are_seldom_the_answer() -> None:
    made = [item for variant in BUNDLE.variants if variant != "analyst" for item in items("m_bias", variant, 5, 40)]
    hits = 0
    for item in made:
        params, part = item.params, next(part for part in item.parts if part.id == "ADJUSTMENT_SET")
        x = params["roles"]["treatment"]
        causes = sorted(a for a, b in params["graph"]["directed"] if b == x and a not in params["unmeasured"])
        hits += causes in [part.gold, *part.params.get("accept", ())]
    assert hits <= 0.15 * len(made)
    assert solved(made, "adjust_parents") <= 0.1
