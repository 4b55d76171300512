"""Contamination and the course of time: alarms that are rare without cause, and dates that are dates."""

import numpy as np
import pytest
from benchpress.errors import UserError
from benchpress_evaluator.stats.contamination import gaps, gaps_table, sentence
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.timeline import bridge, launches, timeline_metric
from results_by_hand import ability_matrix, answer, entrant, matrix, results

QUICK = Settings(resamples=2000)


def two_sets(canonical_chances, fresh_chances, items, seed):
    """Canonical and fresh results of the same entrants; bundles take turns."""
    state = np.random.RandomState(seed)

    def drawn(chances, prefix, version):
        return results(
            answer(
                f"m{e}",
                f"{prefix}{i:03d}",
                bool(state.random_sample() < chance),
                bundle=f"b{i % 4}",
                version=version,
            )
            for e, chance in enumerate(chances)
            for i in range(items)
        )

    return drawn(canonical_chances, "c", "canon"), drawn(fresh_chances, "f", "fresh")


def test_an_entrant_that_saw_the_items_is_found_and_the_others_are_not():
    canonical, fresh = two_sets([0.5, 0.85, 0.6], [0.5, 0.55, 0.6], 220, seed=1)
    found = {gap.condition.entrant: gap for gap in gaps(canonical, fresh, QUICK)}
    assert [name for name, gap in found.items() if gap.flagged] == ["m1"]
    assert found["m1"].low <= 0.3 <= found["m1"].high
    assert found["m1"].excess > 0.15
    assert "m1" in sentence(list(found.values()))
    assert gaps_table(list(found.values())).frame["flagged"].tolist() == [False, True, False]


def test_a_harder_fresh_sample_is_everyones_gap_and_nobodys_excess():
    canonical, fresh = two_sets([0.7, 0.6, 0.65], [0.55, 0.45, 0.5], 400, seed=2)
    for gap in gaps(canonical, fresh, QUICK):
        assert gap.gap > 0.05
        assert gap.excess_low <= 0 <= gap.excess_high


def test_false_alarms_are_rare_over_a_board():
    alarms = 0
    for seed in range(60):
        canonical, fresh = two_sets([0.5] * 6, [0.5] * 6, 60, seed=100 + seed)
        alarms += any(gap.p_holm < 0.05 for gap in gaps(canonical, fresh, Settings(resamples=400)))
    assert alarms / 60 <= 0.10


def test_sets_of_other_bundle_mixes_are_compared_bundle_by_bundle():
    """All of easy right and none of hard: with another mix the plain accuracies differ, the gap is zero."""
    canonical = results(
        [answer("a", f"c{k}", True, bundle="easy") for k in range(40)]
        + [answer("a", f"d{k}", False, bundle="hard") for k in range(10)]
    )
    fresh = results(
        [answer("a", f"e{k}", True, bundle="easy", version="v2") for k in range(10)]
        + [answer("a", f"g{k}", False, bundle="hard", version="v2") for k in range(10)]
    )
    (gap,) = gaps(canonical, fresh, QUICK)
    assert (gap.canonical, gap.fresh, gap.gap) == (0.8, 0.8, 0.0)
    assert gap.excess is None


def test_nothing_in_common_is_one_clear_line():
    with pytest.raises(UserError, match="no entrant in common"):
        gaps(matrix([[1]], ["a"]), matrix([[1]], ["b"]), QUICK)
    with pytest.raises(UserError, match="no bundle in common"):
        gaps(matrix([[1]], ["a"]), matrix([[1]], ["a"], bundle="other"), QUICK)


def test_the_frontier_over_launch_dates():
    rights = [[1] * k + [0] * (100 - k) for k in (30, 50, 40, 60, 99)]
    frame = matrix(rights, ["old", "mid", "worse", "new", "ref"])
    who = {
        "old": entrant("old", launch_date="2024-12-31"),
        "mid": entrant("mid", launch_date="2025-06-01"),
        "worse": entrant("worse", launch_date="2025-06-02"),
        "new": entrant("new", launch_date="2026-01-01"),
        "ref": entrant("ref", kind="reference"),
    }
    made, undated = launches(frame, Settings(resamples=200, entrants=who))
    assert [(one.condition.entrant, one.launch_date, one.on_frontier) for one in made] == [
        ("old", "2024-12-31", True),
        ("mid", "2025-06-01", True),
        ("worse", "2025-06-02", False),
        ("new", "2026-01-01", True),
    ]
    assert undated == []


def test_who_has_no_date_is_named_and_left_out():
    table = timeline_metric(matrix([[1, 0]], ["nodate"]), Settings(resamples=200))
    assert table.frame.empty
    assert "nodate" in table.notes[1]


def test_versions_are_bridged_by_who_ran_on_both():
    early = matrix(ability_matrix([0.7, 0.6, 0.9], 300, seed=3), ["a", "b", "only-early"], version="v1")
    late = matrix(ability_matrix([0.5, 0.4, 0.2], 300, seed=4), ["a", "b", "only-late"], version="v2")
    found = bridge(early, late, QUICK)
    assert [condition.entrant for condition in found.conditions] == ["a", "b"]
    assert found.low < -0.17 < found.high
    assert found.high < 0
    assert bridge(early, matrix([[1]], ["c"], version="v2"), QUICK) is None
