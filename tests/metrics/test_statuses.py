"""Denominators: nothing that was planned ever leaves them, and every status has its own column."""

from collections import Counter

import pytest
from benchpress.grading import grade_item
from benchpress.items import Item, Part, Response
from benchpress_evaluator.records import ScoredItem
from benchpress_evaluator.stats.accuracy import accuracy_metric, headline, on_answered
from benchpress_evaluator.stats.frame import STATUSES
from benchpress_evaluator.stats.matrix import Condition
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.statuses import (
    status_counts,
    statuses_metric,
    stop_reasons_metric,
    stop_table,
    unranked_reason,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from results_by_hand import answer, matrix, results

A = Condition("a", "direct")


def test_five_prompts_one_refused_four_right_are_four_of_five():
    frame = results([answer("a", f"i{k}", True) for k in range(4)] + [answer("a", "i4", False, status="refusal")])
    estimate = headline(frame, Settings())[A]
    assert (estimate.value, estimate.n) == (0.8, 5)
    assert on_answered(frame, Settings())[A] == (4, 4)


def test_blank_answers_stay_in_the_denominator():
    frame = results([answer("a", "i0", True), answer("a", "i1", False, status="invalid_answer", given=[None])])
    assert headline(frame, Settings())[A].value == 0.5


def test_failed_calls_do_not_shrink_the_denominator():
    frame = results([answer("a", "i0", True), answer("a", "i1", False, status="api_error")])
    estimate = headline(frame, Settings())[A]
    assert (estimate.value, estimate.n) == (0.5, 2)


def test_refusals_can_flip_a_ranking_so_both_shares_stand_beside_each_other():
    careful = [answer("careful", f"i{k}", k < 50, status="ok" if k < 60 else "refusal") for k in range(100)]
    bold = [answer("bold", f"i{k}", k < 60) for k in range(100)]
    table = accuracy_metric(results(careful + bold), Settings()).frame.set_index("entrant")
    assert table.loc["bold", "accuracy"] > table.loc["careful", "accuracy"]
    assert table.loc["bold", "accuracy_on_answered"] < table.loc["careful", "accuracy_on_answered"]


def test_every_status_has_a_column_and_they_sum_to_planned():
    rows = [answer("a", f"i{k}", status == "ok", status=status) for k, status in enumerate(STATUSES)]
    counts = status_counts(results(rows), Settings())[A]
    assert {name: counts[name] for name in STATUSES} == dict.fromkeys(STATUSES, 1)
    assert counts["planned"] == len(STATUSES)
    assert counts["correct"] == 1


def test_an_answer_cut_at_the_cap_with_some_parts_given_is_truncated_and_its_parts_count():
    frame = results([answer("a", "i0", [True, False], status="truncated", stop_reason="length")])
    assert status_counts(frame, Settings())[A]["truncated"] == 1
    assert frame["part_correct"].tolist() == [1, 0]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["ok"] * 60, None),
        (["ok"] * 58 + ["pending"] * 72, "partial: 58 of 130 items were run"),
        (["ok"] * 98 + ["api_error"] * 2, None),
        (["ok"] * 97 + ["api_error"] * 3, "3 of 100 calls failed (more than 2%)"),
        (["gated"] * 3, "nothing was answered"),
        (["ok"] * 40 + ["refusal"] * 60, None),
    ],
)
def test_partial_and_failing_runs_are_not_ranked(rows, reason):
    frame = results(answer("a", f"i{k:03d}", True, status=status) for k, status in enumerate(rows))
    assert unranked_reason(status_counts(frame, Settings())[A]) == reason


def test_nothing_answered_yet_has_no_accuracy():
    frame = results([answer("a", f"i{k}", False, status="pending") for k in range(5)])
    assert headline(frame, Settings())[A] is None
    assert statuses_metric(frame, Settings()).frame["ranked"].tolist() == [False]


def test_the_cross_table_with_raw_stop_reasons_sums_to_the_answers_given():
    frame = results(
        [
            answer("a", "i0", True, stop_reason="end_turn"),
            answer("a", "i1", True, stop_reason="max_tokens"),
            answer("a", "i2", False, status="truncated", stop_reason="max_tokens"),
            answer("a", "i3", False, status="refusal"),
            answer("a", "i4", False, status="pending"),
        ]
    )
    table = stop_table(frame, Settings())
    assert table["n"].sum() == 4
    cells = {(r, s): n for r, s, n in zip(table["stop_reason"], table["status"], table["n"], strict=True)}
    assert cells == {
        ("end_turn", "ok"): 1,
        ("max_tokens", "ok"): 1,
        ("max_tokens", "truncated"): 1,
        (None, "refusal"): 1,
    }
    assert "(none given)" in stop_reasons_metric(frame, Settings()).frame["stop_reason"].tolist()


def test_the_run_policy_says_which_run_counts():
    frame = results(
        [answer("a", f"i{k}", k < 3, run=1) for k in range(4)] + [answer("a", f"i{k}", k < 1, run=2) for k in range(4)]
    )
    shares = {runs: headline(frame, Settings(runs=runs))[A].value for runs in ("first", "latest", "mean")}
    assert shares == {"first": 0.75, "latest": 0.25, "mean": 0.5}


VOCABULARY = {"vocabulary": ["YES", "NO"]}
TEXTS = {
    "right": "ANSWER: YES",
    "wrong": "ANSWER: NO",
    "empty": "",
    "prose": "I think the variables are related in some way.",
    "refused": "I'm sorry, but I can't help with that request.",
    "none": None,
}
STOPS = ["stop", "end_turn", "length", "max_tokens", "content_filter", "refusal", None]


def by_the_rules(text, stop, failed):
    """The status by hand: a full answer stands; then a cut, the vendor's refusal, a failed call; then the text."""
    if text in ("right", "wrong"):
        return "ok"
    if stop in ("length", "max_tokens"):
        return "truncated"
    if stop in ("content_filter", "refusal"):
        return "refusal"
    if failed:
        return "api_error"
    return "refusal" if text == "refused" else "invalid_answer"


@given(st.lists(st.tuples(st.sampled_from(sorted(TEXTS)), st.sampled_from(STOPS), st.booleans()), min_size=1))
@settings(max_examples=40)
def test_counts_equal_a_recomputation_from_texts_and_stop_reasons(said):
    item = Item("i", "causal", "confounding", "base", 5, {}, "", (Part("ANSWER", "verdict", "YES", VOCABULARY),))
    rows = []
    for place, (text, stop, failed) in enumerate(said):
        result = grade_item(item, Response("i", TEXTS[text], stop, "timeout" if failed else None))
        rows.append(
            ScoredItem("v1", "a", "direct", 1, f"i{place}", "causal", "confounding", "base", 5, {}, result, stop)
        )
    expected = Counter((stop, by_the_rules(text, stop, failed)) for text, stop, failed in said)
    counts = status_counts(results(rows), Settings())[A]
    for status in STATUSES:
        assert counts[status] == sum(n for (_, other), n in expected.items() if other == status)
    assert counts["planned"] == len(said)
    assert counts["correct"] == sum(text == "right" for text, _, _ in said)
    table = stop_table(results(rows), Settings())
    cells = {(r, s): n for r, s, n in zip(table["stop_reason"], table["status"], table["n"], strict=True)}
    assert cells == expected


def test_results_of_one_entrant_on_all_right_items():
    counts = status_counts(matrix([[1] * 40], ["a"]), Settings())[A]
    assert (counts["correct"], counts["ok"], counts["planned"]) == (40, 40, 40)
