"""Item response theory: recovery, agreement with direct maximisation, and a warning for small populations."""

import numpy as np
import pytest
import scipy.optimize
from benchpress_evaluator.stats.irt import fit_2pl, irt_items_metric, irt_metric, warning
from benchpress_evaluator.stats.metric import Settings
from results_by_hand import ability_matrix, matrix


def drawn(persons, slopes, difficulties, seed):
    state = np.random.RandomState(seed)
    ability = state.normal(size=persons)
    logits = np.asarray(slopes)[None, :] * (ability[:, None] - np.asarray(difficulties)[None, :])
    return (state.random_sample(logits.shape) < 1 / (1 + np.exp(-logits))).astype(np.int64), ability


def test_parameters_are_recovered_within_their_standard_errors():
    state = np.random.RandomState(5)
    slopes, difficulties = state.uniform(0.7, 2.0, 25), state.normal(0, 1, 25)
    right, ability = drawn(2000, slopes, difficulties, seed=6)
    fit = fit_2pl(right)
    assert fit.converged
    z = (fit.slope - slopes) / fit.slope_se
    assert np.abs(z).max() < 4
    assert z.std() == pytest.approx(1, abs=0.4)
    z = (fit.intercept + slopes * difficulties) / fit.intercept_se
    assert z.std() == pytest.approx(1, abs=0.4)
    assert np.corrcoef(fit.ability, ability)[0, 1] > 0.88


def test_the_fit_is_the_maximum_of_the_marginal_likelihood():
    """Written again with scipy's integration nodes and general-purpose optimiser instead of the EM algorithm."""
    right, _ = drawn(300, [1.0, 1.5, 0.8, 1.2], [-0.5, 0.2, 0.8, 0.0], seed=7)
    nodes, weights = np.polynomial.hermite_e.hermegauss(41)
    weights = weights / weights.sum()

    def minus(theta):
        logits = theta[:4][None, :] * nodes[:, None] + theta[4:][None, :]
        per_node = right @ -np.logaddexp(0, -logits).T + (1 - right) @ -np.logaddexp(0, logits).T
        return -np.log(np.exp(per_node) @ weights).sum()

    start, bounds = np.r_[np.ones(4), np.zeros(4)], [(0.1, 5)] * 4 + [(-5, 5)] * 4
    best = scipy.optimize.minimize(minus, start, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-13})
    fit = fit_2pl(right)
    assert fit.slope == pytest.approx(best.x[:4], abs=0.02)
    assert fit.intercept == pytest.approx(best.x[4:], abs=0.01)
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=0.01)


def test_a_small_population_is_not_to_be_trusted_and_says_so_first():
    frame = matrix(ability_matrix(np.linspace(0.2, 0.8, 12), 40, seed=8))
    assert irt_metric(frame, Settings()).notes[0].startswith("NOT TO BE TRUSTED: 12 entrants")
    assert warning(200) is None
    assert irt_items_metric(frame, Settings()).secret


def test_items_that_do_not_vary_are_left_out():
    right, _ = drawn(50, [1.0] * 5, [0.0] * 5, seed=9)
    right[:, 0], right[:, 1] = 1, 0
    fit = fit_2pl(right)
    assert fit.items.tolist() == [2, 3, 4]


def test_one_entrant_or_none_is_no_crash():
    table = irt_metric(matrix([[1, 0, 1]], ["a"]), Settings())
    assert table.frame["ability"].tolist() == pytest.approx([0.0], abs=1e-9)
