"""Rank ranges and ties: never a bare rank, and no anchor that moves."""

import numpy as np
import pytest
from benchpress_evaluator.stats.matrix import item_scores
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.ranks import rank_sets, ranks_metric, tie_groups
from benchpress_evaluator.stats.tiers import tier_ranks, tiers_metric
from results_by_hand import ability_matrix, answer, entrant, matrix, results, scores_of


def nested(totals, n):
    """Entrants that are right on the first k items: differences as certain as they can be."""
    return [[1] * k + [0] * (n - k) for k in totals]


def test_clear_differences_give_single_ranks():
    ranks = rank_sets(item_scores(matrix(nested([400, 300, 200, 100], 440))))
    assert ranks.low.tolist() == ranks.high.tolist() == [1, 2, 3, 4]
    assert ranks.tie_group.tolist() == [1, 2, 3, 4]


def test_equal_entrants_share_every_rank():
    ranks = rank_sets(item_scores(matrix(nested([220, 220, 220], 440))))
    assert (ranks.low.tolist(), ranks.high.tolist()) == ([1, 1, 1], [3, 3, 3])


def test_a_chain_of_small_steps_does_not_put_everyone_in_one_group():
    """.90, .88, .86, ...: the anchor stays, so the group ends where the anchor is told apart."""
    n = 440
    accuracies = [0.90 - 0.02 * step for step in range(12)]
    state = np.random.RandomState(5)
    rights = np.array([state.permutation([1] * round(n * a) + [0] * (n - round(n * a))) for a in accuracies])
    ranks = rank_sets(item_scores(matrix(rights)))
    steps = np.diff(ranks.tie_group)
    assert ranks.tie_group[0] == 1
    assert set(steps.tolist()) <= {0, 1}
    assert ranks.tie_group[-1] > 1
    for place in range(1, 12):
        anchor = int(np.flatnonzero(ranks.tie_group == ranks.tie_group[place])[0])
        assert not ranks.better[anchor, place]


def test_the_anchor_of_a_group_is_its_best_and_does_not_move():
    better = np.zeros((4, 4), dtype=bool)
    better[0, 2] = better[0, 3] = better[1, 3] = True
    assert tie_groups(np.array([90, 88, 86, 84]), better).tolist() == [1, 1, 2, 2]


def test_two_hundred_items_do_not_separate_near_equals():
    """On large public boards nearly all neighbours are inseparable: the ranges must say so."""
    rights = ability_matrix(np.linspace(0.60, 0.64, 20), 200, seed=2)
    ranks = rank_sets(item_scores(matrix(rights)))
    assert (ranks.high - ranks.low).min() >= 15


def test_relabelling_moves_labels_and_nothing_else():
    rights = ability_matrix([0.3, 0.5, 0.7, 0.75], 300, seed=4)
    order = [2, 0, 3, 1]
    plain = rank_sets(item_scores(matrix(rights)))
    moved = rank_sets(item_scores(matrix(rights[order])))
    assert moved.low.tolist() == plain.low[order].tolist()
    assert moved.high.tolist() == plain.high[order].tolist()
    assert moved.tie_group.tolist() == plain.tie_group[order].tolist()


@pytest.mark.parametrize(
    ("n", "chances"),
    [
        (60, [0.5] * 8),
        (100, [0.9] * 6),
        (60, [0.97] * 5 + [0.9] * 3),
        (200, [0.3, 0.3, 0.5, 0.5, 0.7, 0.7]),
        (50, [0.02] * 6),
    ],
)
def test_rank_sets_hold_all_true_ranks_at_once_in_95_percent_of_boards(n, chances):
    """A tied entrant's true rank is one plus the number of strictly better ones; no true rank may be excluded."""
    state = np.random.RandomState(23)
    truth = np.array([1 + sum(other > mine for other in chances) for mine in chances])
    boards, held = 200, 0
    for _ in range(boards):
        rights = state.random_sample((len(chances), n)) < np.array(chances)[:, None]
        ranks = rank_sets(scores_of(rights), resamples=999)
        held += bool(((ranks.low <= truth) & (truth <= ranks.high)).all())
    assert held / boards >= 0.93


def test_partial_runs_and_runs_with_failed_calls_have_no_rank():
    frame = results(
        [answer("whole", f"i{k}", k % 2 == 0) for k in range(100)]
        + [answer("partial", f"i{k}", True, status="ok" if k < 58 else "pending") for k in range(100)]
        + [answer("failing", f"i{k}", k > 2, status="ok" if k > 2 else "api_error") for k in range(100)]
        + [answer("shaky", f"i{k}", k > 1, status="ok" if k > 1 else "api_error") for k in range(100)]
    )
    assert sorted(ranks_metric(frame, Settings()).frame["entrant"]) == ["shaky", "whole"]


def test_tiers_compare_like_with_like_and_filtering_moves_nobody():
    rights = ability_matrix([0.9, 0.6, 0.55, 0.2], 300, seed=9)
    who = {
        "a": entrant("a", reasoning=True, openness="closed", size_class="large"),
        "b": entrant("b", reasoning=False, openness="open", size_class="small"),
        "c": entrant("c", reasoning=False, openness="open", size_class="small"),
        "ref": entrant("ref", kind="reference"),
    }
    frame = matrix(rights, ["a", "b", "c", "ref"])
    settings = Settings(entrants=who)
    tiers = {(d, name): ranks for d, name, ranks in tier_ranks(frame, settings)}
    small = tiers["size_class", "small"]
    assert [c.entrant for c in small.conditions] == ["b", "c"]
    assert small.low.tolist() == [1, 1]
    assert not any("ref" in [c.entrant for c in ranks.conditions] for ranks in tiers.values())
    without_a = {(d, n): r for d, n, r in tier_ranks(matrix(rights[1:], ["b", "c", "ref"]), settings)}
    assert without_a["size_class", "small"].low.tolist() == small.low.tolist()
    assert set(tiers_metric(frame, settings).frame["tier"]) == {
        "reasoning",
        "not reasoning",
        "large",
        "small",
        "open",
        "closed",
    }
