"""Pareto frontiers: exact ties, unknown values, and the chance of being on the frontier."""

import numpy as np
import pytest
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.pareto import frontier, pareto, pareto_metric
from hypothesis import given, settings
from hypothesis import strategies as st
from results_by_hand import answer, entrant, results


def run(name, right, n=100, **more):
    return [answer(name, f"i{k:03d}", k < right, **more) for k in range(n)]


def on(points):
    return {point.condition.entrant for point in points if point.on_frontier}


def test_the_cheapest_that_is_also_best_is_alone_on_the_frontier():
    frame = results(run("A", 80, cost_usd=1.0) + run("B", 60, cost_usd=2.0) + run("C", 40, cost_usd=3.0))
    assert on(pareto(frame, "cost_usd", Settings())) == {"A"}


def test_equal_cost_and_accuracy_are_both_on_it():
    frame = results(run("A", 80, cost_usd=1.0) + run("B", 80, cost_usd=1.0) + run("C", 70, cost_usd=1.0))
    points = pareto(frame, "cost_usd", Settings())
    assert on(points) == {"A", "B"}


@pytest.mark.parametrize("cost", [None, 0.0])
def test_unknown_cost_and_an_impossible_zero_are_off_the_frontier_and_last(cost):
    frame = results(run("paid", 50, cost_usd=1.0) + run("odd", 90, cost_usd=cost))
    points = pareto(frame, "cost_usd", Settings())
    assert on(points) == {"paid"}
    assert points[-1].condition.entrant == "odd"
    assert (points[-1].x, points[-1].frontier_probability) == (None, None)
    assert "odd (cost_usd)" in pareto_metric(frame, Settings()).notes[1]


def test_thinking_no_token_is_a_known_zero():
    frame = results(run("quick", 50, thinking_tokens=0) + run("slow", 70, thinking_tokens=900))
    points = pareto(frame, "thinking_tokens", Settings())
    assert [(p.condition.entrant, p.x) for p in points] == [("quick", 0.0), ("slow", 900.0)]
    assert on(points) == {"quick", "slow"}


def test_the_frontier_is_made_anew_for_every_axis():
    frame = results(
        run("A", 80, cost_usd=1.0, latency_s=9.0, output_tokens=500)
        + run("B", 60, cost_usd=2.0, latency_s=1.0, output_tokens=800)
    )
    table = pareto_metric(frame, Settings()).frame
    held = {axis: set(rows[rows["on_frontier"]]["entrant"]) for axis, rows in table.groupby("axis")}
    assert held == {"cost_usd": {"A"}, "latency_s": {"A", "B"}, "output_tokens": {"A"}, "thinking_tokens": set()}


def test_the_probability_follows_the_paired_difference():
    """B costs more and is right on the same items and 4 more: it falls off only when none of those 4 is drawn."""
    frame = results(run("A", 60, cost_usd=1.0) + run("B", 64, cost_usd=2.0))
    points = {p.condition.entrant: p for p in pareto(frame, "cost_usd", Settings())}
    assert points["A"].frontier_probability == 1.0
    assert points["B"].frontier_probability == pytest.approx(1 - (1 - 4 / 100) ** 100, abs=0.01)


def test_reference_solvers_are_yardsticks_and_beat_nobody():
    frame = results(run("exact", 100, latency_s=0.01) + run("model", 50, latency_s=9.0))
    who = {"exact": entrant("exact", kind="reference")}
    points = pareto(frame, "latency_s", Settings(entrants=who))
    assert [(p.condition.entrant, p.x) for p in points] == [("exact", 0.01), ("model", 9.0)]
    assert on(points) == {"model"}
    alone = pareto(results(run("exact", 100, latency_s=0.01)), "latency_s", Settings(entrants=who))
    assert on(alone) == {"exact"}


def test_partial_runs_are_in_no_plot():
    frame = results([*run("A", 60, cost_usd=1.0), answer("P", "i000"), answer("P", "i001", status="pending")])
    assert [p.condition.entrant for p in pareto(frame, "cost_usd", Settings())] == ["A"]


@given(st.lists(st.tuples(st.one_of(st.none(), st.integers(1, 6)), st.integers(0, 6)), min_size=1, max_size=12))
@settings(max_examples=200)
def test_the_frontier_equals_its_definition(points):
    x = np.array([np.nan if cost is None else cost for cost, _ in points], dtype=float)
    y = np.array([accuracy for _, accuracy in points], dtype=float)
    expected = [
        cost is not None
        and not any(
            other is not None and other <= cost and better >= accuracy and (other < cost or better > accuracy)
            for other, better in points
        )
        for cost, accuracy in points
    ]
    assert frontier(x, y).tolist() == expected
    assert frontier(x, np.stack([y, y])).tolist() == [expected, expected]
