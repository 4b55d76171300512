"""Calibration reaches its target on respondents whose truth is known, with few calls and nothing but levels."""

import dataclasses

import numpy as np
import pytest
import yaml
from benchpress.errors import UserError
from benchpress.recipe import Recipe, recipe_of
from benchpress.registry import MODULES
from benchpress_evaluator.calibrated import calibration_table, recipe_for, recipe_text
from benchpress_evaluator.calibration import BundleLevels, Plan, Seen, calibrate
from benchpress_evaluator.stats.curves import fit_curves
from respondents import BUNDLES, RESPONDENTS, Simulated, true_accuracy

PLAN = Plan(dict.fromkeys(BUNDLES, range(1, 11)))
FULL_GRID = 22 * 10 * 10


def runs(name, count, seed=0):
    for run in range(count):
        state = np.random.RandomState(seed + run)
        truths = {"respondent": RESPONDENTS[name](state)}
        simulated = Simulated(truths, state)
        yield calibrate(PLAN, simulated), truths, simulated


@pytest.mark.parametrize("name", sorted(RESPONDENTS))
def test_the_target_is_reached_within_3_points_in_95_percent_of_runs(name):
    """A short, seeded form; benchmarks/stats.py runs it longer."""
    close, covered, count = 0, 0, 40
    for found, truths, simulated in runs(name, count):
        truth = true_accuracy(found, truths)
        close += abs(truth - 0.55) <= 0.03
        covered += found.low <= truth <= found.high
        assert simulated.calls == found.calls <= 0.4 * FULL_GRID
    assert close / count >= 0.95
    assert covered / count >= 0.85


def test_two_entrants_are_calibrated_on_their_mean():
    state = np.random.RandomState(3)
    strong = RESPONDENTS["steady"](state)
    truths = {"strong": strong, "weak": strong**2}
    found = calibrate(PLAN, Simulated(truths, state))
    assert true_accuracy(found, truths) == pytest.approx(0.55, abs=0.03)
    assert found.calls <= 2 * 0.4 * FULL_GRID
    assert found.curves.shift[0] > found.curves.shift[1]


def test_bundles_that_cannot_reach_the_target_are_named_and_the_others_make_up_for_them():
    ((found, truths, _),) = runs("uneven", 1, seed=5)
    problems = {held.bundle: held.problem for held in found.bundles if held.problem}
    assert {name for name, text in problems.items() if text.startswith("too easy")} >= set(BUNDLES[:4])
    assert {name for name, text in problems.items() if text.startswith("too hard")} >= set(BUNDLES[4:6])
    assert true_accuracy(found, truths) == pytest.approx(0.55, abs=0.03)


def test_the_same_answers_give_the_same_recipe():
    (one, *_), (two, *_) = next(runs("steady", 1)), next(runs("steady", 1))
    assert one.bundles == two.bundles
    assert (one.expected, one.low, one.high) == (two.expected, two.low, two.high)


def test_bundles_with_few_levels_stay_inside_them():
    state = np.random.RandomState(1)
    truths = {"r": RESPONDENTS["steady"](state)}
    plan = Plan({name: (3, 4, 5) if place < 11 else range(1, 11) for place, name in enumerate(BUNDLES)})
    found = calibrate(plan, Simulated(truths, state))
    for held in found.bundles[:11]:
        assert set(held.levels) <= {3, 4, 5}
    assert all(len(held.levels) == plan.items_per_bundle for held in found.bundles)


def test_an_unknown_cost_is_null_and_never_zero():
    state = np.random.RandomState(2)
    truths = {"r": RESPONDENTS["steady"](state)}
    assert calibrate(PLAN, Simulated(truths, state, cost=None)).cost_usd is None
    paid = calibrate(PLAN, Simulated(truths, state, cost=0.02))
    assert paid.cost_usd == pytest.approx(0.02 * paid.calls)
    assert paid.version_cost_usd == pytest.approx(0.02 * 22 * 20)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (Plan({}, 0.5), "no bundle"),
        (dataclasses.replace(PLAN, target=1.2), "between 0 and 1"),
        (dataclasses.replace(PLAN, target=55), "between 0 and 1"),
        (dataclasses.replace(PLAN, share=0.01), "raise the share"),
        (Plan({"a": (0, 11)}), "no levels between 1 and 10"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_one_clear_line(plan, message):
    with pytest.raises(UserError, match=message):
        calibrate(plan, lambda _: [])


def test_when_every_call_fails_it_says_so():
    with pytest.raises(UserError, match="no item was answered"):
        calibrate(PLAN, lambda asks: [Seen("r", ask.bundle, ask.level, 0, 0) for ask in asks])


def test_the_fit_finds_the_curve_that_the_answers_came_from():
    levels = np.arange(1.0, 11.0)
    truth = 1 / (1 + np.exp(0.9 * (levels - 6)))
    asked = np.full((1, 3, 10), 4000.0)
    curves = fit_curves(np.round(asked * truth), asked, levels)
    assert curves.slope == pytest.approx([0.9] * 3, abs=0.02)
    assert curves.chances() == pytest.approx(np.tile(truth, (3, 1)), abs=0.005)
    value, error = curves.mean(np.full((3, 10), 0.1))
    assert value == pytest.approx(truth.mean(), abs=0.003)
    assert error == pytest.approx(np.sqrt((truth * (1 - truth)).mean() / 120_000), rel=0.5)


def test_the_recipe_seals_what_was_found_and_says_what_it_rests_on():
    module = MODULES.get("causal")
    bundles = sorted(module.bundles)[:2]
    state = np.random.RandomState(6)
    truth = RESPONDENTS["steady"](state)[:2]

    def respond(asks):
        def right(ask):
            return int(state.binomial(ask.count, truth[bundles.index(ask.bundle), ask.level - 1]))

        return [Seen("m", ask.bundle, ask.level, right(ask), ask.count) for ask in asks]

    found = calibrate(Plan(dict.fromkeys(bundles, range(1, 11)), 0.55), respond)
    recipe = recipe_for(found, "causal-v2", "causal", {name: module.bundles[name].variants for name in bundles})
    text = recipe_text(found, recipe, ("m",))
    assert recipe_of(yaml.safe_load(text), "recipe") == recipe
    chosen = {held.bundle: sorted(held.levels) for held in found.bundles}
    for name in bundles:
        assert sorted(address.level for address in recipe.addresses if address.bundle == name) == chosen[name]
    assert "95 % interval" in text
    assert "cost" in text
    assert not {"max_tokens", "cap"} & set(Recipe.model_fields)
    table = calibration_table(found)
    assert table.frame["bundle"].tolist() == bundles


def test_neighbouring_items_of_a_bundle_have_easy_and_hard_levels_mixed():
    held = next(runs("steady", 1))[0].bundles[0]
    assert isinstance(held, BundleLevels)
    halves = held.levels[:10], held.levels[10:]
    assert abs(np.mean(halves[0]) - np.mean(halves[1])) < 1
