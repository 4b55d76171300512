"""The saturation detector: a set that cannot rank says so, and says why."""

import numpy as np
import pytest
import scipy.stats
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.saturation import detect, items_needed, saturation_metric
from results_by_hand import ability_matrix, entrant, matrix


def test_best_at_one_and_the_top_ten_within_37_hundredths_of_a_point_is_saturated():
    n = 1092
    rights = np.ones((10, n), dtype=int)
    for place in range(10):
        rights[place, : min(place, 4)] = 0
    verdict = detect(matrix(rights), Settings(resamples=1000))
    assert verdict.saturated is True
    assert verdict.headroom == 0
    assert verdict.spread == pytest.approx(0.0037, abs=1e-4)
    assert "saturated" in verdict.sentence
    assert "100.0 %" in verdict.sentence
    assert "Re-harden" in verdict.advice
    assert len(verdict.tied) == 10


def test_a_crowd_at_76_percent_is_a_ceiling_of_another_kind():
    rights = ability_matrix(np.linspace(0.75, 0.78, 8), 440, seed=3)
    verdict = detect(matrix(rights), Settings(resamples=1000))
    assert verdict.saturated is True
    assert "none can be told from the best" in verdict.sentence


def test_a_set_that_separates_is_not_saturated():
    rights = ability_matrix([0.6, 0.45, 0.3, 0.15], 440, seed=5)
    verdict = detect(matrix(rights), Settings(resamples=1000))
    assert verdict.saturated is False
    assert verdict.advice == ""
    assert len(verdict.tied) == 1


def test_reference_solvers_do_not_saturate_a_set():
    rights = np.vstack([np.ones((1, 440), dtype=int), ability_matrix([0.6, 0.45, 0.3], 440, seed=5)])
    frame = matrix(rights, ["exact", "a", "b", "c"])
    verdict = detect(frame, Settings(resamples=1000, entrants={"exact": entrant("exact", kind="reference")}))
    assert verdict.saturated is False
    assert verdict.headroom == pytest.approx(0.4, abs=0.05)


def test_two_models_are_too_few_to_say():
    verdict = detect(matrix([[1, 0], [0, 1]]), Settings())
    assert verdict.saturated is None
    assert "Too few" in verdict.sentence
    assert saturation_metric(matrix([[1, 0], [0, 1]]), Settings()).title == "Saturation: unknown"


def test_the_items_needed_give_80_percent_power():
    """Simulated: at the stated number of items, McNemar's test finds the difference in about 80 % of experiments."""
    discordant, difference = 0.30, 0.10
    n = items_needed(discordant, difference)
    state = np.random.RandomState(2)
    only_a = state.binomial(n, (discordant + difference) / 2, 4000)
    only_b = state.binomial(n - only_a, (discordant - difference) / 2 / (1 - (discordant + difference) / 2))
    z = (only_a - only_b) / np.sqrt(np.maximum(only_a + only_b, 1))
    power = float((2 * scipy.stats.norm.sf(np.abs(z)) < 0.05).mean())
    assert power == pytest.approx(0.8, abs=0.03)
    assert items_needed(0.3, 0.0) is None


def test_exactly_equal_leaders_have_no_number_of_items():
    rights = np.vstack([[1, 0] * 100, [1, 0] * 100, [0, 1] * 100])
    verdict = detect(matrix(rights), Settings(resamples=500))
    assert verdict.items_to_separate is None
    assert "exactly equal" in verdict.evidence[3].text


def test_power_can_be_left_out():
    rights = ability_matrix([0.6, 0.55, 0.5], 100, seed=5)
    verdict = detect(matrix(rights), Settings(resamples=500), power=False)
    assert verdict.items_to_separate is None
    assert [figure.name for figure in verdict.evidence] == ["top overlap", "headroom", "spread"]
    assert "would separate" not in verdict.sentence
