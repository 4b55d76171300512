"""What must hold for any results whatever."""

import re
from dataclasses import replace

import numpy as np
from benchpress_evaluator.stats import METRICS
from benchpress_evaluator.stats.accuracy import headline, margin, on_answered
from benchpress_evaluator.stats.frame import STATUSES
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.statuses import status_counts
from benchpress_evaluator.stats.tables import to_csv, to_json
from hypothesis import given, settings
from hypothesis import strategies as st
from results_by_hand import answer, results

QUICK = Settings(resamples=100)


@st.composite
def boards(draw):
    """Answers of up to four entrants to the same up to nine items, statuses, repeats and gaps as they come."""
    items = draw(st.integers(1, 9))
    rows = []
    for e in range(draw(st.integers(1, 4))):
        for i in range(items):
            for run in range(1, draw(st.integers(1, 2)) + 1):
                status = draw(st.sampled_from(STATUSES))
                flags = [draw(st.booleans()) and status in ("ok", "truncated") for _ in range(1 + i % 3)]
                usage = draw(st.sampled_from([{}, {"cost_usd": 0.01, "output_tokens": 50, "latency_s": 1.5}]))
                rows.append(
                    answer(
                        f"e{e}", f"i{i}", flags, status=status, run=run, bundle=f"b{i % 2}", level=1 + i % 4, **usage
                    )
                )
    return rows


@given(boards(), st.sampled_from(["first", "latest", "mean"]))
@settings(max_examples=50)
def test_statuses_and_pending_sum_to_planned(rows, runs):
    for counts in status_counts(results(rows), Settings(runs=runs)).values():
        assert sum(counts[status] for status in STATUSES) == counts["planned"]
        assert counts["correct"] <= counts["planned"]


@given(boards(), st.sampled_from(["first", "latest", "mean"]))
@settings(max_examples=50)
def test_no_part_margin_is_below_the_conjunctive_accuracy_of_its_items(rows, runs):
    frame, chosen = results(rows), Settings(resamples=100, runs=runs)
    parts = margin(frame, "part", chosen)
    for condition, cells in parts.items():
        for part, estimate in cells:
            items = frame[frame["part"] == part]["item_id"].unique()
            same = frame[frame["item_id"].isin(items)]
            whole = headline(same, chosen)[condition]
            if whole is not None:
                assert estimate.value >= whole.value - 1e-12


@given(boards())
@settings(max_examples=40)
def test_accuracy_on_answered_is_never_below_the_headline(rows):
    frame = results(rows)
    answered = on_answered(frame, QUICK)
    for condition, counts in status_counts(frame, QUICK).items():
        right, of = answered.get(condition, (0, 0))
        if of and counts["correct"] == right:
            assert right / of >= counts["correct"] / counts["planned"]


@given(boards(), st.randoms(use_true_random=False))
@settings(max_examples=8)
def test_reordering_rows_changes_no_metric(rows, random):
    names = [name for name in METRICS.names() if name != "irt_items"]
    before = {name: to_json(METRICS.get(name)(results(rows), QUICK)) for name in names}
    random.shuffle(rows)
    assert {name: to_json(METRICS.get(name)(results(rows), QUICK)) for name in names} == before


@given(boards())
@settings(max_examples=30)
def test_relabelling_entrants_relabels_the_table_and_changes_no_number(rows):
    renamed = {"e0": "zz", "e1": "b", "e2": "a", "e3": "m"}
    moved = [replace(row, entrant=renamed[row.entrant]) for row in rows]
    before, after = headline(results(rows), QUICK), headline(results(moved), QUICK)
    assert {(renamed[c.entrant], c.method): estimate for c, estimate in before.items()} == {
        tuple(c): estimate for c, estimate in after.items()
    }


@given(boards(), boards())
@settings(max_examples=30)
def test_adding_an_entrant_changes_no_others_accuracy(rows, more):
    alone = headline(results(rows), QUICK)
    together = headline(results([*rows, *(replace(row, entrant=f"new-{row.entrant}") for row in more)]), QUICK)
    for condition, estimate in alone.items():
        assert together[condition] == estimate


@given(boards())
@settings(max_examples=12)
def test_every_metric_takes_any_results_and_writes_null_for_unknown(rows):
    for name in METRICS:
        table = METRICS.get(name)(results(rows), QUICK)
        for row in to_json(table)["rows"]:
            for value in row.values():
                assert value is None or not (isinstance(value, float) and not np.isfinite(value))
        assert "nan" not in re.split(r"[,\r\n]", to_csv(table).lower())


def test_every_metric_takes_no_results_at_all():
    for name in METRICS:
        assert to_json(METRICS.get(name)(results([]), QUICK))["rows"] in ([], [{}])
