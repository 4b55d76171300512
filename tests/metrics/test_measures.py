"""Measures of part types, and the view of one model's results."""

import json

import pytest
from benchpress_evaluator.publishing.describe import Description, Release
from benchpress_evaluator.publishing.export import export
from benchpress_evaluator.publishing.model_json import model_views
from benchpress_evaluator.records import Call, CallKey, Completion
from benchpress_evaluator.stats.measures import measures, measures_metric
from benchpress_evaluator.stats.metric import Settings
from results_by_hand import answer, entrant, results


def replay(name, item, figures, bundle="ordered", variant="original", **more):
    right = bool(figures and figures.get("heldout_exact"))
    return answer(name, item, right, bundle=bundle, variant=variant, metrics=figures, part_type="mechanisms", **more)


def some():
    whole = {"legal": True, "train_exact": True, "heldout_exact": True, "heldout_world_exact": 1.0, "parent_shd": 0}
    half = {"legal": True, "train_exact": True, "heldout_exact": False, "heldout_world_exact": 0.5, "parent_shd": 3}
    illegal = {"legal": False, "train_exact": None, "heldout_exact": None, "parent_shd": None}
    return [
        replay("a", "i1", whole),
        replay("a", "i2", half),
        replay("a", "i3", illegal),
        replay("a", "i4", None, status="refusal"),
    ]


def test_invalid_counts_as_zero_and_a_distance_is_over_those_that_have_one():
    found = {measure.name: (measure.value, measure.n) for measure in measures(results(some()), Settings())}
    assert found["valid"] == (0.5, 4)
    assert found["train_exact"] == (0.5, 4)
    assert found["heldout_exact"] == (0.25, 4)
    assert found["heldout_world_exact"] == (0.375, 4)
    assert found["parent_shd"] == (1.5, 2)
    assert found["heldout_exact_given_train_exact"] == (0.5, 2)


def test_a_measure_that_nobody_can_have_in_a_setting_is_not_there():
    rows = [*some(), replay("a", "h1", {"legal": True, "root_exact": False}, bundle="hidden_roots")]
    table = measures_metric(results(rows), Settings()).frame
    assert set(table[table["measure"] == "root_exact"]["setting"]) == {"hidden_roots/original"}


def test_the_replay_page_has_the_ladder_in_order(tmp_path):
    rows = [*some(), replay("a", "h1", {"legal": True, "root_exact": False}, bundle="hidden_roots")]
    rows.append(replay("a", "e1", {"legal": True}, variant="extra_worlds"))
    release = Release("v1", "replay", "", "demo", "2026-01-01", sealed=False)
    export(
        results(rows), release, {"a": Description(entrant("a"))}, None, None, tmp_path, settings=Settings(resamples=100)
    )
    page = json.loads((tmp_path / "v1" / "replay.json").read_text())
    assert page["settings"] == ["ordered/original", "ordered/extra_worlds", "hidden_roots/original"]
    assert {table["source"] for table in page["tables"]} == {"own"}


@pytest.mark.parametrize("sealed", [True, False])
def test_the_view_of_a_model_has_every_run_of_an_item_and_no_key_of_a_sealed_one(sealed):
    rows = [
        answer("m", "i1", True, run=1, key="yes", output_tokens=7, cost_usd=0.1),
        answer("m", "i1", False, run=2, key="yes"),
        answer("m", "i2", False, status="pending"),
    ]
    calls = [
        Call(CallKey("v1", "i1", "m", "direct", 1, "answer", "d"), Completion(None, error="timeout"), "t0"),
        Call(
            CallKey("v1", "i1", "m", "direct", 1, "answer", "d"),
            Completion("P: yes", native_config={"effort": "high"}),
            "t1",
        ),
    ]
    view = model_views(rows, calls, sealed=sealed)["m"]
    assert list(view["runs"]) == ["i1"]
    first, second = view["runs"]["i1"]
    assert (first["content"], first["native_config"], first["output_tokens"]) == ("P: yes", {"effort": "high"}, 7)
    assert (first["status"], first["item_correct"], second["item_correct"]) == ("ok", True, False)
    assert second["content"] is None
    assert ("expected" in first["parts"][0]) is not sealed
    json.dumps(view, allow_nan=False)
