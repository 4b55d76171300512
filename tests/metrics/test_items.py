"""Item analysis: item-rest correlations, undefined where nothing varies, and keys that deserve a second look."""

import numpy as np
import pytest
from benchpress_evaluator.stats.item_analysis import (
    common_wrong,
    common_wrong_metric,
    item_rest,
    item_statistics,
    items_metric,
    reliability,
    suspicions,
)
from benchpress_evaluator.stats.matrix import item_scores
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.tables import to_json
from results_by_hand import ability_matrix, answer, entrant, matrix, results


def test_discrimination_is_item_rest_as_numpy_computes_it():
    rights = ability_matrix(np.linspace(0.2, 0.9, 25), 40, seed=1)
    found = item_rest(rights)
    for place in range(40):
        rest = rights.sum(axis=1) - rights[:, place]
        if 0 < rights[:, place].sum() < 25:
            assert found[place] == pytest.approx(np.corrcoef(rights[:, place], rest)[0, 1])


def test_an_item_does_not_correlate_with_itself():
    """Two independent items: item-total would say about .7 for each, item-rest says about 0."""
    rights = (np.random.RandomState(3).random_sample((4000, 2)) < 0.5).astype(np.int64)
    assert abs(item_rest(rights)[0]) < 0.05
    assert np.corrcoef(rights[:, 0], rights.sum(axis=1))[0, 1] > 0.65


def test_zero_variance_is_undefined_and_null_in_json():
    frame = matrix([[1, 0, 1], [1, 0, 0], [1, 0, 1]])
    found = item_statistics(item_scores(frame))
    assert found.dead.tolist() == [True, False, False]
    assert found.broken.tolist() == [False, True, False]
    assert np.isnan(found.discrimination[:2]).all()
    table = items_metric(frame, Settings())
    assert table.secret
    assert [row["item_rest"] for row in to_json(table)["rows"]] == [None, None, None]
    assert [row["kind"][:6] for row in to_json(table)["rows"]] == ["broken", "", "dead: "]


def test_kr20_of_a_textbook_matrix():
    """By hand: p = (.75, .5, .25), sum pq = .625, totals 3, 2, 1, 0 with variance 1.25: 3/2 (1 - .5) = .75."""
    rights = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]])
    assert reliability(rights) == pytest.approx(0.75)
    assert reliability(np.ones((4, 3), dtype=np.int64)) is None
    assert reliability(rights[:1]) is None


def broken_key():
    """Nine entrants; on item `bad` the five strongest agree on 3/8 while the key says 5/8."""
    rows = []
    for e in range(9):
        rows += [answer(f"m{e}", f"i{i:02d}", i < 28 - 3 * e, given=[f"x{e}"]) for i in range(30)]
        text = ["3/8", "0.375", "3/8", "0.375", "3/8", "5/8", "1/9", "1/7", "1/5"][e]
        rows.append(answer(f"m{e}", "bad", text == "5/8", given=[text], key="5/8", part_type="number"))
    return results(rows)


def test_a_broken_key_shows_as_strong_entrants_agreeing_on_another_answer():
    (found,) = suspicions(broken_key(), Settings())
    assert (found.item_id, found.part, found.answer) == ("bad", "P", "3/8")
    assert (found.agreeing, found.strong, found.with_key) == (3, 3, 0)
    table = items_metric(broken_key(), Settings()).frame
    assert table[table["suspected_key"] != ""]["item_id"].tolist() == ["bad"]


def test_weak_entrants_that_agree_do_not_make_a_key_suspect():
    rows = []
    for e in range(9):
        rows += [answer(f"m{e}", f"i{i:02d}", i < 28 - 3 * e, given=[f"x{e}"]) for i in range(30)]
        rows.append(answer(f"m{e}", "trap", e < 4, given=["right" if e < 4 else "lure"]))
    frame = results(rows)
    assert suspicions(frame, Settings()) == []
    assert [(c.item_id, c.answer, c.given_by, c.wrong) for c in common_wrong(frame, Settings())] == [
        ("trap", "lure", 5, 5)
    ]
    assert common_wrong_metric(frame, Settings()).secret


def test_reference_solvers_are_no_part_of_the_field():
    frame = matrix([[1, 0], [1, 1], [0, 0]], ["m1", "m2", "ref"])
    who = {"ref": entrant("ref", kind="reference")}
    table = items_metric(frame, Settings(entrants=who))
    assert table.frame.set_index("item_id")["p_value"].to_dict() == {"i0000": 1.0, "i0001": 0.5}
