"""The front-door bundle: Pearl's example, hand-made doors, and hidden causes spelt out."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from benchpress.gate import Key
from benchpress.graphs.dag import Graph
from benchpress.modules.causal.front_door import BUNDLE
from benchpress.modules.causal.shares import draw_shares
from benchpress.streams import Stream
from solved import items, modal_share, solved


def share(of: str, given: str, *values: str) -> dict[str, Any]:
    bits = ["".join(state) for state in product("01", repeat=len(given))]
    return {"of": of, "given": list(given), "rows": [[state, value] for state, value in zip(bits, values, strict=True)]}


def problem(arrows: str, pairs: str, *shares: dict[str, Any]) -> dict[str, Any]:
    directed = sorted([arrow[0], arrow[1]] for arrow in arrows.split())
    bidirected = sorted(sorted(pair) for pair in pairs.split())
    nodes = sorted({name for edge in directed for name in edge})
    graph = {"nodes": nodes, "directed": directed, "bidirected": bidirected}
    return {"graph": graph, "roles": {"treatment": "X", "outcome": "Y"}, "shares": list(shares)}


# Pearl, Causality (2009), table 3.1: do(x = 1) gives .45, do(x = 0) gives .4975.
TAR = problem(
    "XM MY",
    "XY",
    share("M", "X", "0.05", "0.95"),
    share("X", "", "0.5"),
    share("Y", "MX", "0.1", "0.9", "0.05", "0.85"),
)
# A recorded cause of both M and Y opens a back-door path of M, on which the larger set has the other member.
TOGETHER = problem(
    "XM MY ZM ZY",
    "XY",
    share("M", "XZ", "0.2", "0.4", "0.6", "0.9"),
    share("X", "", "0.5"),
    share("Y", "MXZ", "0.1", "0.3", "0.3", "0.5", "0.5", "0.7", "0.7", "0.9"),
    share("Z", "", "0.5"),
)
# A recorded cause of X and M leaves no front-door set, as a back-door path joins X to M; the effect follows anyway.
# Averaged over X, the shares of Y must not depend on Z: .22 + .2 * .2 = .1 + .2 * .8.
NEITHER = problem(
    "XM MY ZM ZX",
    "XY",
    share("M", "XZ", "0.2", "0.4", "0.6", "0.9"),
    share("X", "Z", "0.2", "0.8"),
    share("Y", "MXZ", "0.22", "0.1", "0.42", "0.3", "0.62", "0.5", "0.82", "0.7"),
    share("Z", "", "0.5"),
)
# Z is recorded and the arrow X -> Y leaves no front door: .5 * (.3 + .5).
CONFOUNDED = problem(
    "ZX ZY XY",
    "",
    share("X", "Z", "0.2", "0.6"),
    share("Y", "XZ", "0.1", "0.2", "0.4", "0.7"),
    share("Z", "", "0.5"),
)


@pytest.mark.parametrize(
    ("params", "front", "effect", "naive", "back"),
    [
        # P(y | x = 1) = .05 * .9 + .95 * .85, P(y | x = 0) = .95 * .1 + .05 * .05.
        (TAR, [["M"]], "-0.045", "0.755", "no"),
        # M raises Y by .4 throughout, X raises M by (.4 + .5) / 2; seeing adds X's own share of .2.
        (TOGETHER, [["M", "Z"]], "0.18", "0.38", "no"),
        # Given X = 1, Z = 1 and M = 1 have the shares .8 and .84, given X = 0 they have .2 and .24.
        (NEITHER, [["IMPOSSIBLE"]], "0.18", "0.368", "no"),
        # P(z | x = 1) = 3/4, P(z | x = 0) = 1/3.
        (CONFOUNDED, [["IMPOSSIBLE"]], "0.4", "59/120", "yes"),
    ],
)
def test_hand_made_problems(params: dict[str, Any], front: list[list[str]], effect: str, naive: str, back: str) -> None:
    keys = BUNDLE.first(params)
    assert [keys["FRONT_DOOR_SET"].gold, *keys["FRONT_DOOR_SET"].accept] == front
    assert Fraction(keys["EFFECT"].gold) == Fraction(effect)
    assert Fraction(keys["NAIVE_EFFECT"].gold) == Fraction(naive)
    assert keys["BACK_DOOR_POSSIBLE"].gold == back
    assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("FRONT_DOOR_SET", ["IMPOSSIBLE"]),
        ("FRONT_DOOR_SET", []),
        ("EFFECT", "0.755"),
        ("NAIVE_EFFECT", "-0.045"),
        ("BACK_DOOR_POSSIBLE", "yes"),
    ],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    keys = {**BUNDLE.first(TAR), part: Key(value)}
    assert [one for one, right in BUNDLE.second(TAR, keys).items() if not right] == [part]


def test_printed_shares_are_those_of_a_model_with_its_hidden_cause() -> None:
    """Solve the printed shares for a hidden fair coin, and compute its interventions by hand.

    X sends: given X = 0 and 1 the coin is on with chances q0 and q1 that the table of X fixes by its mean. Y is a
    mixture over the coin, so shares at X = 0 and X = 1 give Y's chances with the coin off and on.
    """
    rows = {"2": (4, 9), "8": (1, 6)}
    for key in range(40):
        shares = {
            one["of"]: one for one in draw_shares(Stream(bytes([key]) * 32), Graph.of("X->M M->Y", "X<->Y")).entries()
        }
        mean = Fraction(shares["X"]["rows"][0][1])
        if str(mean * 10) not in rows:
            continue
        off, on = (Fraction(one, 10) for one in rows[str(mean * 10)])
        y = {bits: Fraction(value) for bits, value in shares["Y"]["rows"]}
        do = {x: Fraction(0) for x in (0, 1)}
        for m, x in product((0, 1), (0, 1)):
            lit = Fraction(dict(shares["M"]["rows"])[str(x)])
            seen0, seen1 = y[f"{m}0"], y[f"{m}1"]
            slope = (seen1 - seen0) / (on - off)
            with_coin = [seen0 + slope * (coin - off) for coin in (0, 1)]
            assert all(0 < chance < 1 for chance in with_coin)
            do[x] += (lit if m else 1 - lit) * sum(with_coin) / 2
        params = problem("XM MY", "XY", *shares.values())
        assert Fraction(BUNDLE.first(params)["EFFECT"].gold) == do[1] - do[0]


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("front_door", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("front_door", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.1
    assert solved(made, "ignore_colliders") <= 0.3
    assert solved(made, "adjust_all") <= 0.35


@pytest.mark.parametrize("habit", ["adjust_parents", "adjust_all", "naive"])
def test_a_wrong_set_gives_a_clearly_wrong_effect(habit: str) -> None:
    """Adjusting for what the graph does not allow misses the effect by ten times the tolerance, in every variant."""
    for variant in BUNDLE.variants:
        for item in items("front_door", variant, 5, 15):
            effect = Fraction(next(part.gold for part in item.parts if part.id == "EFFECT"))
            got = Fraction(str(BUNDLE.mistaken(item.params, habit)["EFFECT"]))
            assert got == effect or abs(got - effect) >= Fraction(1, 100)


def test_claims_are_judged_by_the_graph_and_by_the_figures() -> None:
    """Pearl's example: do(x = 0) gives .4975, and .095 + .0025 of the cases with x = 0 have y = 1."""
    claims: list[dict[str, Any]] = [
        {"id": "CLAIM_1", "kind": "front", "mset": ["M"]},
        {"id": "CLAIM_2", "kind": "adjust", "zset": ["M"]},
        {"id": "CLAIM_3", "kind": "share", "x": "X", "v": "0", "y": "Y", "value": "0.498"},
        {"id": "CLAIM_4", "kind": "seen", "x": "X", "v": "0", "y": "Y", "value": "0.498"},
        {"id": "CLAIM_5", "kind": "seen", "x": "X", "v": "0", "y": "Y", "value": "0.098"},
        {"id": "CLAIM_6", "kind": "overstates"},
    ]
    params = {**TAR, "claims": claims}
    keys = BUNDLE.first(params)
    assert [keys[claim["id"]].gold for claim in claims] == ["true", "false", "true", "false", "true", "true"]
    assert all(BUNDLE.second(params, keys).values())
    for claim in claims:
        turned = {**keys, claim["id"]: Key("false" if keys[claim["id"]].gold == "true" else "true")}
        assert [part for part, right in BUNDLE.second(params, turned).items() if not right] == [claim["id"]]
