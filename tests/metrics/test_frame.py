"""The results frame holds every answer once, whatever the order, and loads in an instant."""

import random
import time

import numpy as np
import pandas as pd
import pytest
from benchpress.errors import UserError
from benchpress_evaluator.stats.cache import frame_from_bytes, frame_to_bytes
from benchpress_evaluator.stats.frame import answers_of
from benchpress_evaluator.stats.matrix import item_scores, part_scores
from results_by_hand import answer, results


def some_answers():
    return [
        answer("a", "i1", [True, False], output_tokens=12, cost_usd=0.5, stop_reason="stop", at="2026-02-01T10:00:00Z"),
        answer("a", "i2", [True, True], status="truncated", metrics={"heldout_exact": True, "parent_shd": None}),
        answer("b", "i1", [False, False], status="pending"),
        answer("b", "i2", [False, False], status="gated"),
        answer("b", "i3", False, status="api_error", run=2, extra={"picks": ["A", "B"]}, flags=("odd", "cut")),
    ]


def test_one_row_per_part_and_one_answer_per_item_and_run():
    frame = results(some_answers())
    assert len(frame) == 9
    answers = answers_of(frame)
    assert answers["status"].tolist() == ["ok", "truncated", "pending", "gated", "api_error"]
    assert answers["item_correct"].tolist() == [0, 1, 0, 0, 0]
    first = frame.iloc[0]
    assert (first["part"], first["skills"], first["part_correct"], first["answer"]) == ("P", "identify", 1, '"yes"')
    assert frame["output_tokens"].tolist()[0] == 12
    assert np.isnan(frame["output_tokens"].tolist()[-1])
    assert frame["metric.heldout_exact"].tolist()[2] == 1.0
    assert np.isnan(frame["metric.parent_shd"].tolist()[2])
    assert answers["flags"].tolist()[-1] == "odd|cut"
    assert answers["extra"].tolist()[-1] == '{"picks":["A","B"]}'


def test_the_order_of_the_answers_does_not_matter():
    answers = some_answers()
    expected = results(answers)
    random.Random(3).shuffle(answers)
    pd.testing.assert_frame_equal(results(answers), expected)


def test_the_cache_gives_the_same_frame_and_the_same_bytes():
    frame = results(some_answers())
    data = frame_to_bytes(frame)
    pd.testing.assert_frame_equal(frame_from_bytes(data), frame)
    assert frame_to_bytes(frame_from_bytes(data)) == data


def test_no_answers_make_an_empty_frame_that_survives_the_cache():
    empty = results([])
    assert empty.empty
    pd.testing.assert_frame_equal(frame_from_bytes(frame_to_bytes(empty)), empty)


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04nonsense", "not npz"])
def test_a_broken_cache_is_one_clear_line(damage):
    data = damage if isinstance(damage, bytes) else frame_to_bytes(results(some_answers()))[:-40]
    with pytest.raises(UserError, match="benchpress score"):
        frame_from_bytes(data)


def test_fifty_entrants_on_500_items_of_5_parts_load_in_under_a_second():
    frame = results(
        answer(f"e{e}", f"i{i}", [(e + i + p) % 3 > 0 for p in range(5)], bundle=f"b{i % 22}", level=i % 10 + 1)
        for e in range(50)
        for i in range(500)
    )
    data = frame_to_bytes(frame)
    began = time.process_time()
    loaded = frame_from_bytes(data)
    assert time.process_time() - began < 1
    assert len(loaded) == 125_000


def test_repeats_are_averaged_inside_the_item_first():
    frame = results(
        [answer("a", "i1", right, run=run) for run, right in enumerate([True, False, False], 1)]
        + [answer("a", "i2", True, run=1)]
    )
    scores = item_scores(frame)
    assert (scores.points / scores.scale).tolist() == [[1 / 3, 1.0]]


def test_a_part_margin_counts_each_item_once():
    frame = results([answer("a", "i1", [True, False]), answer("a", "i2", True)])
    scores = part_scores(frame)
    assert (scores.points / scores.scale).tolist() == [[0.5, 1.0]]
