"""Measurement error on textbook cases worked out by hand, and against random models on generated items."""

import random
from typing import Any

import numpy as np
import pytest
from benchpress.gate import Key
from benchpress.modules.causal import checks, checks_linear
from benchpress.modules.causal.measurement_error import BUNDLE
from solved import items, linear, modal_share, solved


def problem(
    arrows: str, unmeasured: tuple[str, ...], auxiliary: str, controls: tuple[str, ...] = (), **readings: str
) -> dict[str, Any]:
    roles = {"treatment": "X", "outcome": "Y", "auxiliary quantity": auxiliary}
    roles |= {f"{of} reading": name for of, name in readings.items()}
    return {**linear(arrows, unmeasured=unmeasured), "roles": roles, "sets": {"controls": sorted(controls)}}


# Signal and error variance 1: reliability one half. The second reading's scale does not matter.
CLASSICAL = problem("X>Y:2 X>R:1 X>Q:3", ("X",), "Q", treatment="R")
# An error E that both readings share: cov(Q, R) = 1 + 1, var R = 3.
SHARED = problem("X>Y:2 X>R:1 X>Q:1 E>R:1 E>Q:1", ("E", "X"), "Q", treatment="R")
# The confounder C is known by W with reliability one half: (3 * 2 - 1 * 2) / (2 * 2 - 1).
RESIDUAL = problem("X>Y:1 C>X:1 C>Y:1 C>W:1 Z>X:1", ("C",), "Z", ("W",))
# The same with a confounder that pulls down harder; Z adds 1 to the variance of X.
REVERSED = problem("X>Y:0.5 C>X:1 C>Y:-3 C>W:1 Z>X:1", ("C",), "W", ("W",))
OUTCOME_ONLY = problem("X>Y:2 Y>S:1 Z>X:1", ("Y",), "Z", outcome="S")


@pytest.mark.parametrize(
    ("params", "usable", "observed", "ratio", "corrected", "direction"),
    [
        (CLASSICAL, ["Q"], "1", "2", "2", "attenuated"),
        (SHARED, [], "2/3", "1", "2", "attenuated"),
        # var X = 3 with Z: cov(X, Y) = 3 + 1, (4 * 2 - 1 * 2) / (3 * 2 - 1).
        (RESIDUAL, ["Z"], "1.2", "1", "1", "inflated"),
        # cov(X, Y) = 1.5 - 3, cov(W, Y) = 0.5 - 3: (-1.5 * 2 + 2.5) / 5; the ratio for W is -2.5 / 1.
        (REVERSED, ["Z"], "-0.1", "-2.5", "0.5", "reversed"),
        (OUTCOME_ONLY, ["Z"], "2", "2", "2", "unchanged"),
    ],
)
def test_textbook_cases(
    params: dict[str, Any], usable: list[str], observed: str, ratio: str, corrected: str, direction: str
) -> None:
    keys = BUNDLE.first(params)
    found = [keys[part].gold for part in ("USABLE", "OBSERVED", "RATIO", "CORRECTED", "DIRECTION")]
    assert found == [usable, observed, ratio, corrected, direction]
    assert all(BUNDLE.second(params, keys).values())


def test_known_error_variances_give_the_effect_back() -> None:
    params = {key: value for key, value in RESIDUAL.items() if key != "linear"}
    params["covariance"] = [
        ["W", "W", "2"], ["W", "X", "1"], ["W", "Y", "2"], ["W", "Z", "0"], ["X", "X", "3"], ["X", "Y", "4"],
        ["X", "Z", "1"], ["Y", "Y", "7"], ["Y", "Z", "1"], ["Z", "Z", "1"],
    ]  # fmt: skip
    params["errors"] = [["W", "C", "1"]]
    keys = BUNDLE.first(params)
    assert keys == BUNDLE.first(RESIDUAL)
    assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize(
    ("part", "value"),
    [("USABLE", []), ("OBSERVED", "2"), ("RATIO", "1"), ("CORRECTED", "1"), ("DIRECTION", "inflated")],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    keys = {**BUNDLE.first(CLASSICAL), part: Key(value)}
    confirmed = BUNDLE.second(CLASSICAL, keys)
    assert [one for one, right in confirmed.items() if not right] == [part]


@pytest.mark.parametrize("variant", ["base", "trap"])
def test_usable_quantities_give_the_effect_in_random_models(variant: str) -> None:
    dice = random.Random(1)
    for item in items("measurement_error", variant, 6, 8):
        params = item.params
        nodes, roles = params["graph"]["nodes"], params["roles"]
        x, y = roles["treatment"], roles["outcome"]
        seen, response = roles.get("treatment reading", x), roles.get("outcome reading", y)
        arrows = np.zeros((len(nodes), len(nodes)))
        for tail, head in params["graph"]["directed"]:
            kept = (tail, head) in ((x, seen), (y, response))
            arrows[nodes.index(head), nodes.index(tail)] = 1 if kept else dice.uniform(0.4, 1.6) * dice.choice((-1, 1))
        total = np.linalg.inv(np.eye(len(nodes)) - arrows)
        covariance = total @ np.diag([dice.uniform(0.5, 2) for _ in nodes]) @ total.T
        effect = total[nodes.index(y), nodes.index(x)]
        recorded = [name for name in nodes if name not in (*params["unmeasured"], seen, response)]
        right = []
        for name in recorded:
            top, bottom = (covariance[nodes.index(name), nodes.index(end)] for end in (response, seen))
            if abs(bottom) > 1e-9 and abs(top / bottom - effect) < 1e-9:
                right.append(name)
        assert next(part.gold for part in item.parts if part.id == "USABLE") == right


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("measurement_error", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("measurement_error", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.15


def test_a_corrected_slope_misses_the_truth_as_far_as_its_standard_error_says() -> None:
    """Y = 3 X - 2 W + noise, and R and V read X and W with errors as large as X and W themselves."""
    # Variances: W 4, X = W + noise 4 + 1, R 5 + 5, V 4 + 4. cov(X, Y) = 3 * 5 - 2 * 4, cov(W, Y) = 3 * 4 - 2 * 4.
    covariance = [
        ["R", "R", "10"],
        ["R", "V", "4"],
        ["V", "V", "8"],
        ["R", "Y", "7"],
        ["V", "Y", "4"],
        ["Y", "Y", str(9 * 5 + 4 * 4 - 12 * 4 + 1)],
    ]
    scores = []
    for seed in range(400):
        sample = checks.sample_of(covariance, seed)
        slope, error = checks_linear.corrected_slope(sample, "Y", "R", ["V"], {"R": 5.0, "V": 4.0})
        scores.append((slope - 3) / error)
    assert abs(np.mean(scores)) < 0.2
    assert 0.88 < np.std(scores) < 1.12
