"""Selection: published diagrams, cells added by hand, and miskeys."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from benchpress.gate import Key
from benchpress.modules.causal.selection import BUNDLE
from solved import items, modal_share, solved


def share(of: str, given: str, *values: str) -> dict[str, Any]:
    bits = ["".join(state) for state in product("01", repeat=len(given))]
    return {"of": of, "given": list(given), "rows": [[state, value] for state, value in zip(bits, values, strict=True)]}


def problem(arrows: str, *shares: dict[str, Any], unmeasured: str = "") -> dict[str, Any]:
    directed = sorted([arrow[0], arrow[1]] for arrow in arrows.split())
    nodes = sorted({name for edge in directed for name in edge})
    return {
        "graph": {"nodes": nodes, "directed": directed, "bidirected": []},
        "unmeasured": sorted(unmeasured),
        "roles": {"treatment": "X", "outcome": "Y", "selection": "S"},
        "shares": list(shares),
    }


X, Z = share("X", "", "0.5"), share("Z", "", "0.5")
# Bareinboim, Tian, Pearl 2014, figure 1: selection by the treatment does no harm, by the outcome it does.
BY_TREATMENT = problem("XY XS", share("S", "X", "0.2", "0.8"), X, share("Y", "X", "0.3", "0.7"))
BY_OUTCOME = problem("XY YS", share("S", "Y", "0.2", "0.8"), X, share("Y", "X", "0.4", "0.8"))
# Correa and Bareinboim 2017: a confounder that drives selection must be known for everybody.
BY_CONFOUNDER = problem(
    "ZX ZY XY ZS",
    share("S", "Z", "0.2", "0.8"),
    share("X", "Z", "0.2", "0.8"),
    share("Y", "XZ", "0.1", "0.4", "0.3", "0.9"),
    Z,
)
# The same with the confounder unrecorded.
UNRECORDED = {**BY_CONFOUNDER, "unmeasured": ["Z"]}
# Selection is a common effect of the treatment and of Z, which bears on the outcome.
COLLIDER = problem(
    "XY XS ZS ZY",
    share("S", "XZ", "0.2", "0.4", "0.4", "0.8"),
    X,
    share("Y", "XZ", "0.1", "0.3", "0.4", "0.8"),
    Z,
)


@pytest.mark.parametrize(
    ("params", "recoverable", "needed", "effect", "contrast"),
    [
        (BY_TREATMENT, "yes", [[]], "2/5", "2/5"),
        # Selected with X = 1: .64 against .04; with X = 0: .32 against .12.
        (BY_OUTCOME, "no", [["IMPOSSIBLE"]], "2/5", Fraction(64, 68) - Fraction(32, 44)),
        # Everybody: .5 * .2 + .5 * .5. Selected with X = 1, Z = 0 and 1: .02, .32; with X = 0: .08, .08.
        (BY_CONFOUNDER, "no", [["Z"]], "7/20", Fraction(6 + 288, 340) - Fraction(1, 4)),
        (UNRECORDED, "no", [["IMPOSSIBLE"]], "7/20", Fraction(6 + 288, 340) - Fraction(1, 4)),
        # Everybody: .5 * .3 + .5 * .5. Among the selected Z = 1 holds of two thirds for either X.
        (COLLIDER, "no", [["Z"]], "2/5", Fraction(3, 10) / 3 + Fraction(2, 3) / 2),
    ],
)
def test_published_diagrams(
    params: dict[str, Any], recoverable: str, needed: list[list[str]], effect: str, contrast: str | Fraction
) -> None:
    keys = BUNDLE.first(params)
    assert keys["RECOVERABLE"].gold == recoverable
    assert [keys["NEEDED_EXTERNAL"].gold, *keys["NEEDED_EXTERNAL"].accept] == needed
    assert Fraction(keys["EFFECT"].gold) == Fraction(effect)
    assert Fraction(keys["SAMPLE_CONTRAST"].gold) == Fraction(contrast)
    assert all(BUNDLE.second(params, keys).values())


def test_tables_of_sample_and_population_give_the_effect_of_the_model_behind_them() -> None:
    """The sample of BY_CONFOUNDER counted out, and the share of Z in everybody."""
    count = {}
    for x, y, z in product((0, 1), repeat=3):
        high, likely = [[10, 40], [30, 90]][x][z], [20, 80][z]
        selected = [2, 8][z]
        count[f"{x}{y}{z}"] = str((likely if x else 100 - likely) * (high if y else 100 - high) * selected // 100)
    params = {
        **{key: value for key, value in BY_CONFOUNDER.items() if key != "shares"},
        "sample": {"columns": ["X", "Y", "Z"], "rows": sorted([state, value] for state, value in count.items())},
        "outside": {"columns": ["Z"], "rows": [["0", "0.5"], ["1", "0.5"]]},
    }
    keys = BUNDLE.first(params)
    assert Fraction(keys["EFFECT"].gold) == Fraction(7, 20)
    assert keys["SAMPLE_CONTRAST"].gold == BUNDLE.first(BY_CONFOUNDER)["SAMPLE_CONTRAST"].gold
    assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("RECOVERABLE", "yes"),
        ("NEEDED_EXTERNAL", []),
        ("NEEDED_EXTERNAL", ["IMPOSSIBLE"]),
        ("EFFECT", "0.3"),
        ("SAMPLE_CONTRAST", "0.35"),
    ],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    keys = {**BUNDLE.first(BY_CONFOUNDER), part: Key(value)}
    assert [one for one, right in BUNDLE.second(BY_CONFOUNDER, keys).items() if not right] == [part]


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("selection", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("selection", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.3
    assert solved(made, "adjust_all") <= 0.3
