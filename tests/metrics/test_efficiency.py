"""Cost, tokens and latency: unknown is null, never zero."""

import pytest
from benchpress_evaluator.stats.budget import budget_metric, curves
from benchpress_evaluator.stats.efficiency import usage, usage_metric
from benchpress_evaluator.stats.matrix import Condition
from benchpress_evaluator.stats.metric import Settings
from results_by_hand import answer, results

A = Condition("a", "direct")


def of(rows):
    return usage(results(rows), Settings())[A]


def test_one_answer_of_unknown_cost_makes_the_total_unknown():
    used = of([answer("a", f"i{k}", cost_usd=0.5 if k else None) for k in range(3)])
    assert used.total["cost_usd"] is None
    assert of([answer("a", f"i{k}", cost_usd=0.5) for k in range(3)]).total["cost_usd"] == 1.5


def test_a_median_needs_nearly_all_answers_and_failed_calls_are_none():
    used = of([answer("a", f"i{k:02d}", latency_s=2.0 if k < 19 else None) for k in range(20)])
    assert used.median["latency_s"] == 2.0
    assert of([answer("a", f"i{k}", latency_s=2.0 if k < 9 else None) for k in range(10)]).median["latency_s"] is None
    used = of([answer("a", "i0", latency_s=2.0), answer("a", "i1", False, status="api_error")])
    assert used.median["latency_s"] == 2.0


def test_latency_is_working_time_and_its_median_ignores_one_slow_answer():
    used = of([answer("a", f"i{k}", latency_s=60.0 if k == 4 else 1.0 + k / 10) for k in range(5)])
    assert used.median["latency_s"] == 1.2
    assert used.p90["latency_s"] > 30


def test_efficiency_is_pooled_correct_parts_per_1000_generated_tokens():
    used = of([answer("a", "i0", [True, True], output_tokens=100), answer("a", "i1", [True, False], output_tokens=900)])
    assert used.correct_parts_per_1000_tokens == pytest.approx(3.0)
    assert of([answer("a", "i0", [True], output_tokens=None)]).correct_parts_per_1000_tokens is None


def test_resilience_is_the_share_that_no_cap_cut():
    used = of([answer("a", f"i{k}", False, status="truncated" if k == 0 else "ok") for k in range(4)])
    assert used.not_truncated == 0.75


def test_unknown_tokens_are_null_in_the_table():
    table = usage_metric(results([answer("a", "i0")]), Settings()).frame
    assert table["thinking_tokens_median"].isna().all()


def test_the_budget_view_interpolates_between_a_models_own_runs_and_never_beyond():
    rows = [answer("m-low", f"i{k}", k < 40, output_tokens=100) for k in range(100)]
    rows += [answer("m-high", f"i{k}", k < 60, output_tokens=10_000) for k in range(100)]
    rows += [answer("other", f"i{k}", k < 50, output_tokens=1_000) for k in range(100)]
    families = {"m-low": "m", "m-high": "m", "other": "o"}
    settings = Settings(families=families)
    (curve,) = curves(results(rows), settings)
    assert curve.family == "m"
    assert curve.at(1_000) == pytest.approx(0.5)
    assert (curve.at(99), curve.at(10_001)) == (None, None)
    table = budget_metric(results(rows), settings)
    assert "secondary" in table.title
    assert set(table.frame["model"]) == {"m"}
