"""Comparing two, and all: tests with known p-values, paired intervals, error control."""

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from benchpress.errors import UserError
from benchpress_evaluator.stats.comparison import (
    compare_all,
    compare_metric,
    compare_two,
    holm,
    mcnemar_exact,
    pairs_metric,
)
from benchpress_evaluator.stats.matrix import Condition, item_scores
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.paired import tango
from hypothesis import given, settings
from hypothesis import strategies as st
from results_by_hand import ability_matrix, answer, matrix, results, scores_of
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests


@pytest.mark.parametrize(("b", "c", "p"), [(1, 1, 1.0), (8, 2, 0.109375), (15, 5, 0.0413895), (0, 6, 0.03125)])
def test_mcnemar_has_the_published_values(b, c, p):
    assert mcnemar_exact(np.array([b]), np.array([c]))[0] == pytest.approx(p, abs=1e-7)


@given(st.integers(0, 60), st.integers(0, 60))
@settings(max_examples=60)
def test_mcnemar_agrees_with_statsmodels_and_scipy(b, c):
    ours = mcnemar_exact(np.array([b]), np.array([c]))[0]
    assert ours == pytest.approx(min(1.0, mcnemar([[10, b], [c, 10]], exact=True).pvalue), abs=1e-10)
    assert ours == pytest.approx(scipy.stats.binomtest(min(b, c), b + c, 0.5).pvalue if b + c else 1.0, abs=1e-10)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=25)
def test_holm_agrees_with_statsmodels(values):
    assert holm(np.array(values)) == pytest.approx(multipletests(values, method="holm")[1], abs=1e-12)


def test_holm_leaves_unknown_p_values_out():
    assert holm(np.array([0.01, np.nan, 0.04])).tolist() == pytest.approx([0.02, np.nan, 0.04], nan_ok=True)


def restricted_score(b, c, n, difference):
    """The score statistic with its restricted likelihood maximised numerically instead of by Tango's formula."""

    def minus_log_likelihood(q):
        terms = ((b, q + difference), (c, q), (n - b - c, 1 - 2 * q - difference))
        return -sum(count * np.log(chance) for count, chance in terms if count)

    low, high = max(0, -difference) + 1e-12, (1 - difference) / 2 - 1e-12
    q = scipy.optimize.minimize_scalar(minus_log_likelihood, bounds=(low, high), method="bounded").x
    return (b - c - n * difference) / np.sqrt(n * (2 * q + difference - difference**2))


@pytest.mark.parametrize(("b", "c", "n"), [(12, 2, 50), (9, 3, 44), (5, 0, 40), (1, 7, 30)])
def test_the_score_interval_inverts_the_score_test(b, c, n):
    low, high = (float(side) for side in tango(b, c, n))
    assert restricted_score(b, c, n, low) == pytest.approx(1.959964, abs=1e-3)
    assert restricted_score(b, c, n, high) == pytest.approx(-1.959964, abs=1e-3)


def test_no_discordant_item_still_leaves_an_interval_with_width():
    frame = matrix(np.ones((2, 40), dtype=int), ["a", "b"])
    pair = compare_two(frame, Condition("a", "direct"), Condition("b", "direct"), Settings())
    assert pair.difference[0] == 0
    assert (pair.low[0], pair.high[0]) == pytest.approx((-0.0876, 0.0876), abs=1e-3)
    assert (pair.probability[0], pair.p_value[0]) == (0.5, 1.0)


def test_the_paired_interval_uses_the_pairing():
    """Two entrants that agree on most items are told apart although their own intervals overlap."""
    state = np.random.RandomState(8)
    a = (state.random_sample(400) < 0.5).astype(int)
    b = a.copy()
    b[np.flatnonzero(a == 1)[:20]] = 0
    pair = compare_all(item_scores(matrix([a, b])))
    assert pair.difference[0] == pytest.approx(0.05)
    spread = 1.96 * np.sqrt(20) / 400
    assert (pair.low[0], pair.high[0]) == pytest.approx((0.05 - spread, 0.05 + spread), abs=0.01)
    assert pair.probability[0] > 0.99
    assert pair.p_value[0] == pytest.approx(2 * 0.5**20)


def test_the_paired_bootstrap_agrees_with_that_of_scipy():
    a, b = ability_matrix([0.55, 0.45], 300, seed=3)
    pair = compare_all(item_scores(matrix([a, b])))
    other = scipy.stats.bootstrap((a - b,), np.mean, n_resamples=9999, method="percentile", random_state=5)
    assert (pair.low[0], pair.high[0]) == pytest.approx(other.confidence_interval, abs=0.006)


def test_only_common_items_count():
    frame = results(
        [answer("a", f"i{k}", True) for k in range(10)]
        + [answer("b", f"i{k}", k % 2 == 0, status="ok" if k < 6 else "pending") for k in range(10)]
        + [answer("c", f"j{k}", True) for k in range(5)]
    )
    rows = pairs_metric(frame, Settings()).frame
    assert rows["n"].tolist() == [6, 0, 0]
    assert rows["difference"].tolist()[0] == pytest.approx(0.5)
    assert np.isnan(rows["p_holm"].tolist()[1])
    with pytest.raises(UserError, match="no item in common"):
        compare_two(frame, Condition("a", "direct"), Condition("c", "direct"), Settings())


def test_an_unknown_entrant_is_named_with_those_that_exist():
    with pytest.raises(UserError, match=r"no results of zed.*e00"):
        compare_two(matrix([[1, 0]]), Condition("zed", "direct"), Condition("e00", "direct"), Settings())


def test_a_pair_does_not_depend_on_who_else_is_there():
    rights = ability_matrix([0.4, 0.5, 0.6, 0.7], 150, seed=6)
    pair = compare_all(item_scores(matrix(rights[:2])))
    board = compare_all(item_scores(matrix(rights)))
    assert (board.low[0], board.high[0], board.probability[0]) == (pair.low[0], pair.high[0], pair.probability[0])


def test_swapping_the_sides_turns_every_figure_round():
    a, b = ability_matrix([0.6, 0.5], 200, seed=7)
    one, two = compare_all(item_scores(matrix([a, b]))), compare_all(item_scores(matrix([b, a])))
    assert two.difference[0] == -one.difference[0]
    assert two.p_value[0] == one.p_value[0]
    assert two.probability[0] == pytest.approx(1 - one.probability[0])
    assert (two.low[0], two.high[0]) == pytest.approx((-one.high[0], -one.low[0]), abs=0.006)


def test_holm_over_a_board_of_equals_makes_a_false_claim_in_at_most_5_percent_of_boards():
    state = np.random.RandomState(11)
    first, second = np.triu_indices(8, 1)
    false = 0
    for _ in range(400):
        difficulty = state.uniform(0.2, 0.9, 120)
        rights = (state.random_sample((8, 120)) < difficulty).astype(int)
        b = ((rights[first] == 1) & (rights[second] == 0)).sum(axis=1)
        c = ((rights[first] == 0) & (rights[second] == 1)).sum(axis=1)
        false += holm(mcnemar_exact(b, c)).min() < 0.05
    assert false / 400 <= 0.05


@pytest.mark.parametrize(("n", "p", "q"), [(30, 0.9, 0.9), (100, 0.6, 0.5), (100, 0.98, 0.95), (300, 0.5, 0.5)])
def test_paired_intervals_cover_the_true_difference(n, p, q):
    state = np.random.RandomState(13)
    covered = 0
    for _ in range(200):
        rights = np.stack([state.random_sample(n) < p, state.random_sample(n) < q])
        pair = compare_all(scores_of(rights), resamples=1000)
        covered += pair.low[0] - 1e-9 <= p - q <= pair.high[0] + 1e-9
    assert covered / 200 >= 0.92


def test_two_entrants_are_compared_bundle_by_bundle():
    rows = [answer("a", f"x{k}", k < 18, bundle="m_bias") for k in range(20)]
    rows += [answer("b", f"x{k}", k < 6, bundle="m_bias") for k in range(20)]
    rows += [answer(who, f"y{k}", k < 10, bundle="front_door") for who in "ab" for k in range(20)]
    table = compare_metric(results(rows), Condition("a", "direct"), Condition("b", "direct"), Settings()).frame
    assert table["bundle"].tolist() == ["all", "front_door", "m_bias"]
    assert table["n"].tolist() == [40, 20, 20]
    assert table["difference"].tolist() == pytest.approx([0.3, 0.0, 0.6])
    assert table["p_holm"].tolist()[1:] == pytest.approx([1.0, 2 * 2 * 0.5**12])
    assert table["p_a_better"].tolist()[0] > 0.99
