"""Treatments in several periods: the example of What If, plans by hand, and feedback on and off."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from benchpress.gate import Key
from benchpress.modules.causal.time_varying import BUNDLE
from solved import items, modal_share, solved


def share(of: str, given: str, *values: str) -> dict[str, Any]:
    names = given.split()
    bits = ["".join(state) for state in product("01", repeat=len(names))]
    return {"of": of, "given": names, "rows": [[state, value] for state, value in zip(bits, values, strict=True)]}


ROLES = {"first treatment": "A0", "second treatment": "A1", "outcome": "Y"}
PLANS = [["plan 1", ["1", "0"]], ["plan 2", ["0", "0"]]]

# Hernan and Robins, What If, table 20.1 (means in percent): no effect; L follows A0 and shares a hidden cause with Y.
NULL = {
    "graph": {"nodes": ["A0", "A1", "L", "Y"], "directed": [["A0", "L"], ["L", "A1"]], "bidirected": [["L", "Y"]]},
    "roles": ROLES,
    "plans": [["plan 1", ["1", "1"]], ["plan 2", ["0", "0"]]],
    "shares": [
        share("A0", "", "0.5"),
        share("A1", "L", "0.4", "0.8"),
        share("L", "A0", "0.75", "0.5"),
        share("Y", "A0 L", "0.84", "0.52", "0.76", "0.44"),
    ],
}
# L steers A1 and bears on Y and is itself left alone: one step is right. Y = .1 + .2 A0 + .3 A1 + .2 L.
PLAIN = {
    "graph": {
        "nodes": ["A0", "A1", "L", "Y"],
        "directed": [["A0", "Y"], ["A1", "Y"], ["L", "A0"], ["L", "A1"], ["L", "Y"]],
        "bidirected": [],
    },
    "roles": ROLES,
    "plans": PLANS,
    "shares": [
        share("A0", "L", "0.2", "0.8"),
        share("A1", "L", "0.2", "0.8"),
        share("L", "", "0.5"),
        share("Y", "A0 A1 L", "0.1", "0.3", "0.4", "0.6", "0.3", "0.5", "0.6", "0.8"),
    ],
}


@pytest.mark.parametrize(
    ("params", "effect", "naive", "one_step", "sets"),
    [
        # Seen: (3200 * 76 + 6400 * 44) / 9600 against (2400 * 84 + 2400 * 52) / 4800.
        (NULL, "0", Fraction(3200 * 76 + 6400 * 44, 960000) - Fraction(68, 100), "no", [["IMPOSSIBLE"]]),
        # Among those with both treatments L is 1 with chance .64 / .68, among those with none .04 / .68.
        (PLAIN, "0.5", Fraction(1, 2) + Fraction(1, 5) * Fraction(60, 68), "yes", [["L"]]),
    ],
)
def test_hand_made_problems(
    params: dict[str, Any], effect: str, naive: Fraction, one_step: str, sets: list[list[str]]
) -> None:
    keys = BUNDLE.first(params)
    assert keys["EFFECT"].gold == effect
    assert Fraction(keys["NAIVE_EFFECT"].gold) == naive
    assert keys["ADJUST_NAIVELY"].gold == one_step
    assert [keys["ONE_STEP_SET"].gold, *keys["ONE_STEP_SET"].accept] == sets
    confirmed = BUNDLE.second(params, keys)
    assert all(right for part, right in confirmed.items() if part != "ORDER" or params is PLAIN)


def test_a_covariate_that_only_follows_a_treatment_is_left_out() -> None:
    """R follows A0 and bears on Y but steers nothing: adjusting for it takes a part of the effect away."""
    graph = PLAIN["graph"]
    nodes, directed = [*graph["nodes"][:3], "R", "Y"], [*graph["directed"], ["A0", "R"], ["R", "Y"]]
    params = {
        **PLAIN,
        "graph": {"nodes": nodes, "directed": sorted(directed), "bidirected": []},
        "shares": [
            *PLAIN["shares"][:3],
            share("R", "A0", "0.2", "0.7"),
            share("Y", "A0 A1 L R", *(f"0.{1 + a + 2 * b + c + 3 * r}" for a, b, c, r in product((0, 1), repeat=4))),
        ],
    }
    keys = BUNDLE.first(params)
    assert keys["EFFECT"].gold == "0.45"
    assert (keys["ADJUST_NAIVELY"].gold, keys["ONE_STEP_SET"].gold) == ("no", ["L"])
    assert all(BUNDLE.second(params, keys).values())


def test_plans_are_ordered_by_their_outcomes() -> None:
    assert BUNDLE.first(PLAIN)["ORDER"].gold == ["plan 2", "plan 1"]


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("EFFECT", "0.51"),
        ("NAIVE_EFFECT", "0.5"),
        ("ADJUST_NAIVELY", "no"),
        ("ONE_STEP_SET", []),
        ("ONE_STEP_SET", ["IMPOSSIBLE"]),
        ("ORDER", ["plan 1", "plan 2"]),
    ],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    keys = {**BUNDLE.first(PLAIN), part: Key(value)}
    assert [one for one, right in BUNDLE.second(PLAIN, keys).items() if not right] == [part]


@pytest.mark.parametrize("variant", ["base", "transfer"])
def test_plans_by_enumerating_histories(variant: str) -> None:
    """Every history of covariates by its chance when the treatments are set: the g-formula spelt out."""
    for item in items("time_varying", variant, 3, 6):
        shares = {entry["of"]: entry for entry in item.params["shares"]}
        y = item.params["roles"]["outcome"]
        treatments = [item.params["roles"][role] for role in ("first treatment", "second treatment")]
        covariates = [name for name in item.params["graph"]["nodes"] if name not in (*treatments, y)]

        def chance(name: str, state: dict[str, str], shares: dict[str, Any] = shares) -> Fraction:
            return Fraction(dict(shares[name]["rows"])["".join(state[one] for one in shares[name]["given"])])

        found = {}
        for plan, values in item.params["plans"]:
            total = Fraction(0)
            for bits in product("01", repeat=len(covariates)):
                state = dict(zip(covariates, bits, strict=True)) | dict(zip(treatments, values, strict=True))
                weight = chance(y, state)
                for name in covariates:
                    one = chance(name, state)
                    weight *= one if state[name] == "1" else 1 - one
                total += weight
            found[plan] = total
        gold = next(part.gold for part in item.parts if part.id == "ORDER")
        assert gold == sorted(found, key=found.__getitem__)


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("time_varying", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("time_varying", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.1
    assert solved(made, "adjust_all") <= 0.2


@pytest.mark.parametrize("variant", BUNDLE.variants)
def test_no_wrong_way_comes_near_the_effect(variant: str) -> None:
    """Within ten times the tolerance lie neither the plain difference nor one step over the wrong covariates."""
    for item in items("time_varying", variant, 5, 20):
        gold = {part.id: part.gold for part in item.parts}
        effect = Fraction(gold["EFFECT"])
        assert abs(effect - Fraction(gold["NAIVE_EFFECT"])) >= Fraction(1, 100)
        answer = Fraction(str(BUNDLE.mistaken(item.params, "adjust_all")["EFFECT"]))
        if "ADJUST_NAIVELY" in gold:
            assert (answer == effect) == (gold["ADJUST_NAIVELY"] == "yes")
        assert answer == effect or abs(answer - effect) >= Fraction(1, 100)
