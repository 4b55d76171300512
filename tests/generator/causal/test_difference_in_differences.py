"""Difference in differences: a published comparison, hand-made violations, and units counted one by one."""

from fractions import Fraction
from typing import Any

import pytest
from benchpress.gate import Key
from benchpress.modules.causal.difference_in_differences import BUNDLE
from solved import items, modal_share, solved

PARTS = ("PLACEBO", "DID", "EFFECT", "BIAS", "ASSUMPTION")


def panel(**changes: Any) -> dict[str, Any]:
    """T takes up a scheme in period 3 that adds 2, then 3; C does not. Period 2 is compared with period 4."""
    return {
        "roles": {"outcome": "Y"},
        "groups": [["C", "10", "50"], ["T", "30", "20"]],
        "shifts": ["0", "1", "-1", "4"],
        "slopes": [["K", ["1", "1", "1", "1"]]],
        "means": [["K", "C", ["3", "3", "4", "5"]], ["K", "T", ["5", "5", "6", "7"]]],
        "drifts": [],
        "starts": [["T", "3"]],
        "effects": ["2", "3", "9", "9"],
        "anticipation": [],
        "spillover": [],
        "sets": {"treated": ["T"], "untreated": ["C"], "before": ["2"], "after": ["4"], "placebo": ["1", "2"]},
    } | changes


DRIFT = panel(drifts=[["T", "0.5"]])


@pytest.mark.parametrize(
    ("params", "keys"),
    [
        (panel(), ["0", "3", "3", "0", "none"]),
        (panel(drifts=[["C", "0.5"], ["T", "0.5"]]), ["0", "3", "3", "0", "none"]),
        (DRIFT, ["0.5", "4", "3", "1", "trends"]),
        # Constant covariates whose slope doubles after period 2: 5 on one side, 3 on the other.
        (
            panel(slopes=[["K", ["1", "1", "2", "2"]]], means=[["K", "C", ["3"] * 4], ["K", "T", ["5"] * 4]]),
            ["0", "5", "3", "2", "trends"],
        ),
        (panel(anticipation=[["T", "1"]]), ["1", "2", "3", "-1", "anticipation"]),
        (panel(spillover=[["C", "2"]]), ["0", "1", "3", "-2", "spillover"]),
        (panel(starts=[["C", "4"], ["T", "3"]]), ["0", "1", "3", "-2", "contamination"]),
    ],
)
def test_each_violation_by_hand(params: dict[str, Any], keys: list[str]) -> None:
    found = BUNDLE.first(params)
    assert [found[part].gold for part in PARTS] == keys
    assert all(BUNDLE.second(params, found).values())


def test_minimum_wages_and_employment() -> None:
    """Card and Krueger 1994, table 3: 20.44 to 21.03 in New Jersey, 23.33 to 21.17 in Pennsylvania; 2.76 in print."""
    params = panel(
        groups=[["C", "77", "23.33"], ["T", "331", "20.44"]],
        shifts=["0", "0", "-2.16"],
        slopes=[],
        means=[],
        effects=["2.75", "0", "0"],
        sets={"treated": ["T"], "untreated": ["C"], "before": ["2"], "after": ["3"], "placebo": ["1", "2"]},
    )
    assert abs(Fraction(BUNDLE.first(params)["DID"].gold) - Fraction("2.76")) <= Fraction("0.01")


def test_groups_are_weighted_by_size() -> None:
    params = panel(groups=[["C", "10", "50"], ["D", "30", "0"], ["T", "30", "20"]], spillover=[["D", "2"]])
    params["means"] = [*params["means"], ["K", "D", ["0", "0", "1", "2"]]]
    params["sets"] = {**params["sets"], "untreated": ["C", "D"]}
    assert BUNDLE.first(params)["DID"].gold == "1.5"  # 3 less three quarters of 2


# Two strata, two periods before the scheme and one after. The gap is 1 in each stratum before; shares differ between
# the groups and change afterwards, and the strata move by 2 and by 4.
TABLE = {
    "roles": {"outcome": "Y"},
    "cells": [
        ["C", "s", [["10", "10"], ["10", "12"], ["30", "13"]]],
        ["C", "t", [["10", "20"], ["10", "24"], ["10", "25"]]],
        ["T", "s", [["10", "11"], ["10", "13"], ["10", "17"]]],
        ["T", "t", [["30", "21"], ["30", "25"], ["30", "28"]]],
    ],
    "sets": {"treated": ["T"], "untreated": ["C"], "before": ["1", "2"], "after": ["3"]},
}


def test_a_table_by_hand() -> None:
    # Pooled: C 15, 18, 16; T 18.5, 22, 25.25. Effects 3 on the 10 and 2 on the 30 treated units.
    keys = BUNDLE.first(TABLE)
    assert [keys[part].gold for part in PARTS] == ["0.5", "5.25", "2.25", "3", "within"]
    assert all(BUNDLE.second(TABLE, keys).values())


def test_pooled_means_count_every_unit() -> None:
    for item in items("difference_in_differences", "numeric", 7, 6):
        sets = item.params["sets"]

        def mean(group: str, periods: list[str], item: Any = item) -> Fraction:
            units = [
                Fraction(value)
                for name, _, row in item.params["cells"]
                if name == group
                for period in periods
                for value in [row[int(period) - 1][1]] * int(row[int(period) - 1][0])
            ]
            return sum(units, Fraction(0)) / len(units)

        last = [max(sets["before"])]
        (treated,), (untreated,) = sets["treated"], sets["untreated"]
        change = {group: mean(group, sets["after"]) - mean(group, last) for group in (treated, untreated)}
        gold = next(part.gold for part in item.parts if part.id == "DID")
        assert Fraction(gold) == change[treated] - change[untreated]


@pytest.mark.parametrize("params", [DRIFT, TABLE])
@pytest.mark.parametrize("part", PARTS)
def test_a_miskey_is_refused(params: dict[str, Any], part: str) -> None:
    keys = BUNDLE.first(params)
    wrong = {"ASSUMPTION": "both" if "cells" in params else "none"}
    keys[part] = Key(wrong.get(part, "0.75"))
    confirmed = BUNDLE.second(params, keys)
    assert [one for one, right in confirmed.items() if not right] == [part]


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("difference_in_differences", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("difference_in_differences", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.25
