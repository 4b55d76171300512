"""Intervals: exact values from elsewhere, agreement with other libraries, honesty at the edges, coverage."""

import functools

import numpy as np
import pytest
import scipy.stats
import statsmodels.api as sm
from benchpress_evaluator.stats import intervals, resampling
from benchpress_evaluator.stats.accuracy import headline, margin
from benchpress_evaluator.stats.intervals import (
    accuracy_intervals,
    clopper_pearson,
    korn_graubard,
    macro_mean,
    standard_error,
)
from benchpress_evaluator.stats.matrix import item_scores
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.resampling import limits, resample_counts, resampled_totals
from hypothesis import given, settings
from hypothesis import strategies as st
from results_by_hand import ability_matrix, answer, matrix, results, scores_of
from statsmodels.stats.proportion import proportion_confint


def row(correct, n):
    return [1] * correct + [0] * (n - correct)


@pytest.mark.parametrize(
    ("correct", "n", "low", "high"),
    [
        (0, 10, 0, 0.3084971),
        (3, 10, 0.0667395, 0.6524529),
        (5, 10, 0.1870860, 0.8129140),
        (10, 10, 0.6915029, 1),
        (2, 5, 0.0527450, 0.8533672),
        (2, 4, 0.0675860, 0.9324140),
        (700, 1000, 0.6705383, 0.7282789),
    ],
)
def test_clopper_pearson_has_the_published_values(correct, n, low, high):
    assert clopper_pearson(correct, n) == pytest.approx((low, high), abs=1e-6)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@settings(max_examples=60)
def test_the_exact_interval_agrees_with_scipy_and_statsmodels(case):
    correct, n = case
    exact = scipy.stats.binomtest(correct, n).proportion_ci(method="exact")
    assert clopper_pearson(correct, n) == pytest.approx((exact.low, exact.high), abs=1e-8)
    other = np.nan_to_num(proportion_confint(correct, n, method="beta"), nan=correct / n)
    assert clopper_pearson(correct, n) == pytest.approx(tuple(other), abs=1e-8)


def test_forty_of_forty_gives_the_exact_interval_and_not_a_point():
    (estimate,) = accuracy_intervals(scores_of([row(40, 40)]))
    assert estimate.value == 1
    assert (estimate.low, estimate.high) == pytest.approx((0.025 ** (1 / 40), 1), abs=1e-9)
    assert estimate.method == "Clopper-Pearson"


def test_a_standard_error_of_exactly_zero_is_flagged():
    (estimate,) = accuracy_intervals(scores_of([row(40, 40)]))
    assert estimate.se == 0
    assert estimate.flags == ("zero standard error",)
    (other,) = accuracy_intervals(scores_of([row(39, 40)]))
    assert other.flags == ()


def test_the_standard_error_of_60_of_100_is_049():
    (estimate,) = accuracy_intervals(scores_of([row(60, 100)]))
    assert round(estimate.se, 3) == 0.049
    drawn = resampled_totals(np.array([row(60, 100)])) / 100
    assert round(float(drawn.std()), 3) == 0.049


def test_five_items_of_five_repeats_are_five_units():
    frame = results(answer("a", f"i{i}", (i + run) % 2 == 0, run=run) for i in range(5) for run in range(1, 6))
    estimate = headline(frame, Settings(runs="mean"))[("a", "direct")]
    assert (estimate.n, estimate.unit) == (5, "item")
    assert estimate.high - estimate.low > 0.5


def test_the_bootstrap_agrees_with_that_of_scipy():
    data = np.array(row(310, 500))
    (estimate,) = accuracy_intervals(scores_of([data]))
    other = scipy.stats.bootstrap((data,), np.mean, n_resamples=9999, method="percentile", random_state=1)
    assert (estimate.low, estimate.high) == pytest.approx(other.confidence_interval, abs=0.003)
    normal = 1.96 * np.sqrt(0.62 * 0.38 / 500)
    assert (estimate.low, estimate.high) == pytest.approx((0.62 - normal, 0.62 + normal), abs=0.003)


def test_the_bootstrap_agrees_with_the_exact_law_of_its_resamples():
    """The total of a multinomial resample of k ones among n is binomial(n, k / n)."""
    (estimate,) = accuracy_intervals(scores_of([row(130, 300)]))
    law = scipy.stats.binom(300, 130 / 300)
    assert (estimate.low * 300, estimate.high * 300) == pytest.approx((law.ppf(0.025), law.ppf(0.975)), abs=1.01)


def test_a_seed_gives_these_digits_on_every_platform():
    """Recorded once from numpy's frozen legacy generator; a change means that published intervals would move."""
    state = np.random.RandomState(7)
    draws = state.randint(0, 440, size=(2, 440), dtype=np.int64)
    by_hand = [[int((draws[k] == unit).sum()) for unit in range(440)] for k in range(2)]
    (counts,) = resample_counts(440, 2, 7)
    assert counts.astype(int).tolist() == by_hand
    assert np.random.RandomState(0).randint(0, 440, size=6, dtype=np.int64).tolist() == [172, 47, 117, 192, 323, 251]
    (estimate,) = accuracy_intervals(scores_of([row(250, 440)]))
    assert (estimate.low * 440, estimate.high * 440) == pytest.approx((230, 270), abs=1e-9)


def test_no_resample_is_dropped_and_chunks_do_not_change_the_draws(monkeypatch):
    whole = np.concatenate(list(resample_counts(37, 1500, 5)))
    monkeypatch.setattr(resampling, "CHUNK", 1000)
    pieces = list(resample_counts(37, 1500, 5))
    assert len(pieces) > 50
    joined = np.concatenate(pieces)
    assert joined.shape == (1500, 37)
    assert (joined == whole).all()
    assert (joined.sum(axis=1) == 37).all()


def test_kept_and_streamed_counts_give_the_same_totals(monkeypatch):
    points = (np.random.RandomState(2).random_sample((3, 60)) < 0.4).astype(np.int64)
    kept = resampled_totals(points, 400, 9)
    monkeypatch.setattr(resampling, "KEPT", 0)
    assert (resampled_totals(points, 400, 9) == kept).all()


def test_limits_are_order_statistics():
    values = np.arange(1000.0)[::-1, None]
    low, high = limits(values)
    assert (low[0], high[0]) == (25, 974)


def test_the_pooled_error_belongs_to_the_pooled_mean():
    """Two subsets of 100 and 400: the mean of the subsets has its own error, by hand sqrt(.0025 + .0004) / 2."""
    subsets = [accuracy_intervals(scores_of([row(50, 100)]))[0], accuracy_intervals(scores_of([row(320, 400)]))[0]]
    mean, se = macro_mean(subsets)
    assert mean == pytest.approx(0.65)
    assert se == pytest.approx(np.sqrt(0.25 / 99 + 0.16 / 399) / 2)
    pooled = standard_error(np.array(row(370, 500)), 1)
    assert pooled == pytest.approx(np.sqrt(0.74 * 0.26 / 499))


def test_the_clustered_error_agrees_with_statsmodels():
    state = np.random.RandomState(4)
    group = np.repeat(np.arange(22), 20)
    chance = np.repeat(state.uniform(0.2, 0.9, 22), 20)
    data = (state.random_sample(440) < chance).astype(int)
    (estimate,) = accuracy_intervals(scores_of([data], groups=group), cluster="bundle")
    plain_sandwich = {"groups": group, "use_correction": False, "df_correction": False}
    model = sm.OLS(data, np.ones(440)).fit(cov_type="cluster", cov_kwds=plain_sandwich)
    assert estimate.se == pytest.approx(float(model.bse[0]) * np.sqrt(22 / 21), rel=1e-9)
    (plain,) = accuracy_intervals(scores_of([data], groups=group))
    assert estimate.high - estimate.low > 1.3 * (plain.high - plain.low)
    assert estimate.unit == "bundle"


def test_korn_graubard_follows_its_definition():
    share, se, n, clusters = 0.9, 0.03, 440, 22
    effective = share * (1 - share) / se**2 * (scipy.stats.t.ppf(0.975, 439) / scipy.stats.t.ppf(0.975, 21)) ** 2
    assert effective < n
    low = scipy.stats.beta.ppf(0.025, share * effective, effective - share * effective + 1)
    high = scipy.stats.beta.ppf(0.975, share * effective + 1, effective - share * effective)
    assert korn_graubard(share, se, n, clusters) == pytest.approx((low, high), abs=1e-8)


def test_clusters_that_are_all_right_give_the_width_of_their_number():
    points = np.ones((1, 440), dtype=np.int64)
    (estimate,) = accuracy_intervals(scores_of(points, groups=np.repeat(np.arange(22), 20)), cluster="bundle")
    assert estimate.low == pytest.approx(0.025 ** (1 / 22), abs=1e-9)
    assert estimate.method == "Korn-Graubard"


def test_one_cluster_cannot_tell_its_spread_and_says_so():
    (estimate,) = accuracy_intervals(scores_of([row(30, 60)]), cluster="bundle")
    assert "fewer than two clusters" in estimate.flags
    assert (estimate.low, estimate.high) == (0.0, 1.0) or estimate.high - estimate.low > 0.9


@given(
    st.integers(1, 130).flatmap(
        lambda n: st.tuples(st.lists(st.lists(st.integers(0, 6), min_size=n, max_size=n), min_size=1, max_size=3))
    ),
    st.integers(0, 2**32 - 1),
    st.sampled_from([None, "bundle"]),
)
@settings(max_examples=60)
def test_every_interval_contains_its_estimate_and_stays_in_bounds(case, seed, cluster):
    (points,) = case
    groups = np.arange(len(points[0])) % 4
    for estimate in accuracy_intervals(scores_of(points, 6, groups), seed=seed, resamples=200, cluster=cluster):
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


@functools.cache
def all_intervals(n, method):
    """Intervals for every number of right answers out of n, by the published rule or by one method alone."""
    points = np.array([row(k, n) for k in range(n + 1)])
    if method == "exact":
        return np.array([clopper_pearson(k, n) for k in range(n + 1)])
    if method == "bootstrap":
        low, high = limits(resampled_totals(points))
        return np.stack([low, high], axis=1) / n
    return np.array([(e.low, e.high) for e in accuracy_intervals(scores_of(points))])


def coverage(n, p, method, draws=20_000):
    """Share of seeded experiments whose interval covers the truth."""
    seen = np.random.RandomState(20_240_501 + n).binomial(n, p, size=draws)
    low, high = all_intervals(n, method)[seen].T
    return float(((low <= p + 1e-12) & (p - 1e-12 <= high)).mean())


GRID = [(n, p) for n in (20, 50, 100, 300) for p in (0, 0.02, 0.1, 0.5, 0.9, 1)]


@pytest.mark.parametrize(("n", "p"), GRID)
def test_exact_intervals_cover_at_least_95_percent(n, p):
    assert coverage(n, p, "exact") >= 0.95 - 0.003


@pytest.mark.parametrize(("n", "p"), [(n, p) for n, p in GRID if n >= 50 and 0.1 <= p <= 0.9])
def test_the_bootstrap_covers_92_to_97_percent_and_so_does_what_is_published(n, p):
    assert 0.92 <= coverage(n, p, "bootstrap") <= 0.97
    assert 0.92 <= coverage(n, p, "published") <= 0.97


@pytest.mark.parametrize(("n", "p"), [(n, p) for n, p in GRID if n < 50 or not 0.1 <= p <= 0.9])
def test_where_the_bootstrap_would_cover_too_little_the_edge_rule_takes_over(n, p):
    assert coverage(n, p, "published") >= 0.95 - 0.003


def test_without_the_edge_rule_the_bootstrap_would_fail_there():
    assert coverage(50, 0.02, "bootstrap") < 0.7
    assert coverage(20, 0.02, "bootstrap") < 0.4


def test_an_interval_depends_on_its_own_scores_alone():
    rights = ability_matrix([0.3, 0.5, 0.7], 120, seed=1)
    alone = headline(matrix(rights[1:2], ["b"]), Settings())[("b", "direct")]
    together = headline(matrix(rights, ["a", "b", "c"]), Settings())[("b", "direct")]
    assert together == alone


def test_a_margin_has_the_intervals_of_its_items():
    frame = results(
        [answer("a", f"x{i}", i < 30, bundle="front_door") for i in range(60)]
        + [answer("a", f"y{i}", i < 5, bundle="m_bias") for i in range(10)]
    )
    cells = dict(margin(frame, "bundle", Settings())[("a", "direct")])
    assert cells["m_bias"].low == pytest.approx(0.1870860, abs=1e-6)
    assert cells["m_bias"].method == "Clopper-Pearson"
    assert cells["front_door"].method == "bootstrap"


def test_the_tiny_rule_is_where_it_says():
    assert intervals.TINY == 50
    (below, at) = (accuracy_intervals(scores_of([row(n // 2, n)]))[0].method for n in (49, 50))
    assert (below, at) == ("Clopper-Pearson", "bootstrap")


def test_scores_of_a_frame_keep_planned_items_that_nobody_answered():
    frame = results([answer("a", "i1", True), answer("a", "i2", False, status="pending")])
    scores = item_scores(frame)
    assert scores.planned.tolist() == [[True, True]]
    assert scores.given.tolist() == [[True, False]]
    (estimate,) = accuracy_intervals(scores)
    assert estimate.value == 0.5
