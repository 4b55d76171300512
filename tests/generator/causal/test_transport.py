"""Transport: published selection diagrams, reweighting by hand, and miskeys."""

from fractions import Fraction
from typing import Any

import pytest
from benchpress.gate import Key
from benchpress.modules.causal.transport import BUNDLE
from solved import items, modal_share, solved


def share(of: str, given: str, *values: str) -> dict[str, Any]:
    count = len(given)
    bits = [format(at, f"0{count}b") if count else "" for at in range(1 << count)]
    return {"of": of, "given": list(given), "rows": [[state, value] for state, value in zip(bits, values, strict=True)]}


def problem(arrows: str, pairs: str, differing: str, *shares: dict[str, Any]) -> dict[str, Any]:
    directed = sorted([arrow[0], arrow[1]] for arrow in arrows.split())
    bidirected = sorted(sorted(pair) for pair in pairs.split())
    nodes = sorted({name for edge in directed for name in edge})
    return {
        "graph": {"nodes": nodes, "directed": directed, "bidirected": bidirected},
        "roles": {"treatment": "X", "outcome": "Y"},
        "sets": {"differing": sorted(differing)},
        "shares": list(shares),
        "target": {"columns": ["Z"], "rows": [["0", "0.1"], ["1", "0.9"]]},
    }


Z = share("Z", "", "0.5")
Y = share("Y", "XZ", "0.2", "0.3", "0.4", "0.8")
# Pearl and Bareinboim 2014, figure 1: age differs between two cities and bears on the outcome.
CITIES = problem("ZX ZY XY", "XY", "Z", Y, Z)
# Their figure 4: what differs acts on the outcome itself, which shares a hidden cause with the treatment.
OUTCOME = problem("ZY XY", "XY", "YZ", Y, Z)
# Without that hidden cause the target's own records give the effect.
RECORDED = problem("ZY XY", "", "YZ", Y, Z)
# Their formula (18): the mediator differs, P*(y | do(x)) = sum_m P(y | do(x), m) P*(m | x).
MEDIATOR = problem(
    "XM MY ZY", "XY", "MZ", share("M", "X", "0.3", "0.7"), share("Y", "MZ", "0.2", "0.3", "0.4", "0.8"), Z
)
# As there, but the mediator shares a hidden cause with the treatment: its response in the target stays unknown.
STUCK = problem("XM MY ZY", "XM", "MZ", share("M", "X", "0.3", "0.7"), share("Y", "MZ", "0.2", "0.3", "0.4", "0.8"), Z)
# What differs acts on the treatment alone.
ELSEWHERE = problem("ZX XY", "XY", "Z", share("Y", "X", "0.2", "0.6"), Z)


@pytest.mark.parametrize(
    ("params", "sets", "effect", "source", "moves"),
    [
        # .1 * .2 + .9 * .5 against .5 * .2 + .5 * .5.
        (CITIES, [["Z"]], "0.47", "0.35", "yes"),
        (OUTCOME, [["IMPOSSIBLE"]], "0.47", "0.35", "no"),
        (RECORDED, [["IMPOSSIBLE"]], "0.47", "0.35", "yes"),
        # M is raised by .4, and raises Y by .2 where Z = 0, by .5 where Z = 1.
        (MEDIATOR, [["M", "Z"]], "0.188", "0.14", "yes"),
        (STUCK, [["M", "Z"]], "0.188", "0.14", "no"),
        (ELSEWHERE, [[]], "0.4", "0.4", "yes"),
    ],
)
def test_published_diagrams(
    params: dict[str, Any], sets: list[list[str]], effect: str, source: str, moves: str
) -> None:
    keys = BUNDLE.first(params)
    assert [keys["ADMISSIBLE_SET"].gold, *keys["ADMISSIBLE_SET"].accept] == sets
    assert [Fraction(keys[part].gold) for part in ("EFFECT", "SOURCE_EFFECT")] == [Fraction(effect), Fraction(source)]
    assert keys["TRANSPORTABLE"].gold == moves
    assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("ADMISSIBLE_SET", []),
        ("ADMISSIBLE_SET", ["IMPOSSIBLE"]),
        ("EFFECT", "0.35"),
        ("SOURCE_EFFECT", "0.47"),
        ("TRANSPORTABLE", "no"),
    ],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    keys = {**BUNDLE.first(CITIES), part: Key(value)}
    assert [one for one, right in BUNDLE.second(CITIES, keys).items() if not right] == [part]


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("transport", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("transport", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.1
    assert solved(made, "adjust_all") <= 0.2
