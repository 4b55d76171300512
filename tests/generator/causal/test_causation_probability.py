"""Probabilities of causation: published bounds, and generated items against a linear programme over response types."""

from fractions import Fraction
from typing import Any

import pytest
from benchpress.gate import Key
from benchpress.models.response_types import Outcome, type_bounds
from benchpress.modules.causal.causation_probability import BUNDLE
from solved import items, modal_share, solved


def problem(observed: list[str], trial: list[str] | None, lottery: bool = False, monotone: bool = False) -> Any:
    return {
        "roles": {"treatment": "X", "outcome": "Y"},
        "shares": [["G", "1"]],
        "observed": [["G", *observed]],
        "trials": [["G", *trial]] if trial else [],
        "sets": {"lottery": ["G"] if lottery else [], "monotone": ["G"] if monotone else []},
    }


# Mueller and Pearl 2023: everybody's risk is known from an experiment, seven in ten chose the treatment.
FEMALE = problem(["0.189", "0.511", "0.21", "0.09"], ["0.489", "0.21"])
MALE = problem(["0.49", "0.21", "0.21", "0.09"], ["0.49", "0.21"])
# Tian and Pearl 2000, the example of legal responsibility: benefit stands for the outcome brought about.
LEGAL = problem(["0.001", "0.499", "0.014", "0.486"], ["0.016", "0.014"])
# An experiment alone: max(0, 0.7 - 0.4) and min(0.7, 0.6) (Tian and Pearl 2000, equation 26).
LOTTERY = problem(["0.35", "0.15", "0.2", "0.3"], None, lottery=True)
WATCHED = problem(["0.35", "0.15", "0.2", "0.3"], None)
MONOTONE = problem(["0.35", "0.15", "0.2", "0.3"], None, lottery=True, monotone=True)


@pytest.mark.parametrize(
    ("params", "low", "high", "point"),
    [
        (FEMALE, "0.279", "0.279", "yes"),
        (MALE, "0.49", "0.49", "yes"),
        (LEGAL, "0.002", "0.016", "no"),
        (LOTTERY, "0.3", "0.6", "no"),
        (WATCHED, "0", "0.65", "no"),
        (MONOTONE, "0.3", "0.3", "yes"),
    ],
)
def test_published_bounds(params: Any, low: str, high: str, point: str) -> None:
    keys = BUNDLE.first(params)
    assert [keys[part].gold for part in ("LOWER", "UPPER", "POINT_IDENTIFIED")] == [low, high, point]
    assert all(BUNDLE.second(params, keys).values())


def test_the_published_probability_of_necessity() -> None:
    keys = BUNDLE.first(LEGAL)
    assert (keys["PN_LOWER"].gold, keys["PN_UPPER"].gold) == ("1", "1")


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("LOWER", "0.002"),
        ("UPPER", "0.49"),
        ("PN_LOWER", "0.5"),
        ("PN_UPPER", "0.5"),
        ("POINT_IDENTIFIED", "no"),
    ],
)
def test_a_miskey_is_refused(part: str, value: str) -> None:
    keys = {**BUNDLE.first(FEMALE), part: Key(value)}
    assert [one for one, right in BUNDLE.second(FEMALE, keys).items() if not right] == [part]


def bounds_by_programme(params: Any, query: str) -> tuple[Fraction, Fraction]:
    """The bounds of one group, by a linear programme over all joint response types of treatment and outcome."""
    cells = [Fraction(value) for value in params["observed"][0][1:]]
    parents: dict[str, tuple[str, ...]] = {"X": (), "Y": ("X",)}
    known = [
        ([Outcome("X", x), Outcome("Y", y)], share)
        for (x, y), share in zip(((1, 1), (1, 0), (0, 1), (0, 0)), cells, strict=True)
    ]
    for _, one, none in params["trials"]:
        known += [([Outcome("Y", 1, {"X": 1})], Fraction(one)), ([Outcome("Y", 1, {"X": 0})], Fraction(none))]
    if params["sets"]["monotone"]:
        known.append(([Outcome("Y", 0, {"X": 1}), Outcome("Y", 1, {"X": 0})], Fraction(0)))
    benefit = [Outcome("Y", 1, {"X": 1}), Outcome("Y", 0, {"X": 0})]
    if query == "PNS":
        return type_bounds(parents, known, [(1, benefit)])
    low, high = type_bounds(parents, known, [(1, [Outcome("X", 1), *benefit])])
    return low / cells[0], high / cells[0]


@pytest.mark.parametrize("variant", ["base", "trap", "transfer"])
def test_bounds_by_a_linear_programme(variant: str) -> None:
    compared = 0
    for item in items("causation_probability", variant, 1, 12):
        params, gold = item.params, {part.id: part.gold for part in item.parts}
        if params["sets"]["lottery"]:
            continue
        compared += 1
        for query, low, high in (("PNS", "LOWER", "UPPER"), ("PN", "PN_LOWER", "PN_UPPER")):
            assert (Fraction(gold[low]), Fraction(gold[high])) == bounds_by_programme(params, query)
    assert compared > 3


def test_groups_are_averaged_by_their_shares() -> None:
    params = {
        **MALE,
        "shares": [["G", "0.25"], ["H", "0.75"]],
        "observed": [["G", "0.49", "0.21", "0.21", "0.09"], ["H", "0.35", "0.15", "0.2", "0.3"]],
        "sets": {"lottery": ["H"], "monotone": []},
    }
    keys = BUNDLE.first(params)
    assert Fraction(keys["LOWER"].gold) == Fraction("0.25") * Fraction("0.49") + Fraction("0.75") * Fraction("0.3")
    assert Fraction(keys["UPPER"].gold) == Fraction("0.25") * Fraction("0.49") + Fraction("0.75") * Fraction("0.6")
    assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("causation_probability", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("causation_probability", variant, 5, 40)]
    assert modal_share(made) <= 0.65
