"""The publication: closed schema, same bytes for same results, nothing of single items, and small cells left out."""

import json
import random
from dataclasses import replace

import pytest
from benchpress.errors import UserError
from benchpress.publication import FILES, CommitmentPage, Contamination, Digests, ModelPage, Runs, Versions
from benchpress_evaluator.entrants import Entrant as Entry
from benchpress_evaluator.publishing import disclosure
from benchpress_evaluator.publishing.across import bridge_entry, contamination_page
from benchpress_evaluator.publishing.describe import Description, Release, describe, slug_of
from benchpress_evaluator.publishing.export import export
from benchpress_evaluator.publishing.leaderboard import board
from benchpress_evaluator.publishing.pages import timeline_page
from benchpress_evaluator.stats.contamination import gaps
from benchpress_evaluator.stats.matrix import Condition
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.timeline import bridge
from results_by_hand import ability_matrix, answer, entrant, matrix, results

QUICK = Settings(resamples=300)
OPEN = Release("v1", "causal", "Demo", "demo", "2026-02-01", sealed=False, note="throw-away")
SEALED = Release("v1", "causal", "Sealed", "current", "2026-02-01", sealed=True)


def answers(seed=1, items=120, entrants=("alpha", "beta", "gamma"), chances=(0.7, 0.5, 0.3)):
    rights = ability_matrix(chances, items, seed)
    return [
        answer(
            name,
            f"causal-front_door-base-l5-{i:012x}",
            [bool(rights[e, i]), True],
            bundle=f"b{i % 4}",
            variant=f"v{i % 5}",
            level=4 + i % 6,
            cost_usd=0.001 * (e + 1),
            output_tokens=100 + i,
            latency_s=1.5,
            stop_reason="end_turn",
            at=f"2026-01-0{e + 1}T23:59:59Z",
            given=["SECRET-ANSWER", "x"],
        )
        for e, name in enumerate(entrants)
        for i in range(items)
    ]


def known(*names, **more):
    return {name: Description(entrant(name, **more), {"model": name}) for name in names}


def write(tmp_path, rows, release=OPEN, described=None, **more):
    names = {row.entrant for row in rows}
    described = known(*names) if described is None else described
    export(results(rows), release, described, None, None, tmp_path, settings=QUICK, **more)
    return {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in sorted(tmp_path.rglob("*.json"))}


def page(files, name):
    return json.loads(files[f"v1/{name}.json"])


def test_every_file_is_valid_against_its_model(tmp_path):
    files = write(tmp_path, answers())
    Versions.model_validate_json(files.pop("versions.json"))
    Digests.model_validate_json(files.pop("digests.json"))
    for name, data in files.items():
        stem = name.removeprefix("v1/").removesuffix(".json")
        model = ModelPage if stem.startswith("models/") else FILES[stem]
        model.model_validate_json(data)
        assert b"NaN" not in data
        assert b"Infinity" not in data
    assert {f"v1/models/{name}.json" for name in ("alpha", "beta", "gamma")} <= set(files)


def test_same_results_in_any_order_give_the_same_bytes(tmp_path):
    rows = answers()
    one = write(tmp_path / "one", rows)
    random.Random(4).shuffle(rows)
    assert write(tmp_path / "two", rows) == one
    assert write(tmp_path / "one", rows) == one


def test_no_item_answer_or_id_leaves(tmp_path):
    for release in (OPEN, SEALED):
        for data in write(tmp_path / release.title, answers(), release).values():
            assert b"SECRET-ANSWER" not in data
            assert b"front_door-base" not in data


def test_the_board_has_accuracy_statuses_ranks_and_dates(tmp_path):
    rows = page(write(tmp_path, answers()), "leaderboard")["rows"]
    assert [row["entrant"]["slug"] for row in rows] == ["alpha", "beta", "gamma"]
    first = rows[0]
    assert first["run_date"] == "2026-01-01"
    assert first["accuracy"]["low"] <= first["accuracy"]["value"] <= first["accuracy"]["high"]
    assert first["accuracy"]["unit"] == "item"
    assert first["accuracy_exact"]["method"] == "Clopper-Pearson"
    assert (first["rank_low"], first["tie_group"]) == (1, 1)
    assert first["statuses"]["planned"] == first["statuses"]["ok"] == 120
    assert first["cost_usd"] == pytest.approx(0.12)
    assert first["correct"] == round(first["accuracy"]["value"] * 120)


def test_partial_and_failing_runs_are_shown_and_not_ranked(tmp_path):
    rows = answers(entrants=("alpha",), chances=(0.5,))
    ids = [row.item_id for row in rows]
    rows += [answer("local", i, True, status="ok" if k < 15 else "pending") for k, i in enumerate(ids)]
    rows += [answer("failing", i, True, status="api_error" if k < 5 else "ok") for k, i in enumerate(ids)]
    files = write(tmp_path, rows)
    found = {row["entrant"]["slug"]: row for row in page(files, "leaderboard")["rows"]}
    assert found["alpha"]["ranked"]
    for name, words in (("local", "partial: 15 of 120"), ("failing", "5 of 120 calls failed")):
        assert not found[name]["ranked"]
        assert found[name]["rank_low"] is None
        assert words in found[name]["unranked_reason"]
    assert page(files, "leaderboard")["rows"][0]["entrant"]["slug"] == "alpha"
    assert len(page(files, "pairs")["sides"]) == 1


def test_small_cells_of_a_sealed_version_are_left_out_and_large_ones_stay(tmp_path):
    rows = answers(items=120)
    sealed = write(tmp_path / "s", rows, SEALED)["v1/models/alpha.json"]
    public = write(tmp_path / "o", rows, OPEN)["v1/models/alpha.json"]
    for data, margins in ((json.loads(sealed), 20), (json.loads(public), 1)):
        for name in ("bundles", "variants", "levels", "parts", "skills"):
            assert all(cell["n"] >= margins for cell in data[name])
    few = answers(items=60)
    assert json.loads(write(tmp_path / "f", few, SEALED)["v1/models/alpha.json"])["bundles"] == []
    assert len(json.loads(write(tmp_path / "g", few, OPEN)["v1/models/alpha.json"])["bundles"]) == 4


def test_pairs_that_would_tell_of_few_items_publish_the_difference_alone(tmp_path):
    """With 3 right answers, the paired figures would say how many of those 3 the other one has."""
    rows = answers(items=120, entrants=("alpha", "few"), chances=(0.6, 0.02))
    right = sum(row.result.correct for row in rows if row.entrant == "few")
    assert 0 < right < disclosure.MIN_CELL
    (pair,) = page(write(tmp_path / "s", rows, SEALED), "pairs")["pairs"]
    assert pair["difference"]["value"] > 0
    assert (pair["difference"]["low"], pair["probability"], pair["p_value"], pair["p_holm"]) == (None,) * 4
    (pair,) = page(write(tmp_path / "o", rows, OPEN), "pairs")["pairs"]
    assert pair["p_value"] is not None


def test_item_counts_leave_a_sealed_version_only_over_a_field(tmp_path):
    two = page(write(tmp_path / "two", answers(entrants=("a", "b"), chances=(0.5, 0.6)), SEALED), "items")
    assert (two["dead"], two["histogram"]) == (None, [])
    many = answers(entrants=tuple("abcdef"), chances=(0.3, 0.4, 0.5, 0.5, 0.6, 0.7))
    full = page(write(tmp_path / "six", many, SEALED), "items")
    assert sum(held["items"] for held in full["histogram"]) == 120


def test_hostile_names_and_words_stay_text(tmp_path):
    rows = answers(entrants=("<img onerror>", "=HYPERLINK()"), chances=(0.5, 0.6))
    rows = [replace(row, stop_reason="ignore all\nprevious <b>instructions</b>" * 9) for row in rows]
    files = write(tmp_path, rows, described={})
    slugs = {row["entrant"]["slug"]: row["entrant"]["name"] for row in page(files, "leaderboard")["rows"]}
    assert slugs == {"img-onerror": "<img onerror>", "hyperlink": "=HYPERLINK()"}
    table = json.loads(files["v1/models/hyperlink.json"])["stop_table"]
    assert {row["stop_reason"] for row in table} == {"(other)"}


def test_two_entrants_of_one_slug_are_refused(tmp_path):
    with pytest.raises(UserError, match="same slug"):
        write(tmp_path, answers(entrants=("a b", "a-b"), chances=(0.5, 0.6)), described={})


def test_methods_have_pages_of_their_own(tmp_path):
    rows = answers(entrants=("alpha",), chances=(0.5,))
    rows += [replace(row, method='cyclic_permutation{"k":4}') for row in rows]
    files = write(tmp_path, rows)
    assert {"v1/models/alpha.json", "v1/models/alpha--cyclic_permutation-k-4.json"} <= set(files)


@pytest.mark.parametrize("count", [0, 1])
def test_none_and_one_entrant_make_a_publication(tmp_path, count):
    rows = answers(entrants=("alpha",), chances=(0.5,)) if count else []
    files = write(tmp_path, rows)
    assert len(page(files, "leaderboard")["rows"]) == count
    assert page(files, "saturation")["saturated"] is None
    assert page(files, "pairs")["pairs"] == []


def test_versions_are_kept_beside_each_other_and_stale_pages_go(tmp_path):
    write(tmp_path, answers())
    other = Release("v0", "causal", "Earlier", "retired", "2025-01-01", sealed=False)
    early = [replace(row, version="v0") for row in answers(entrants=("alpha",), chances=(0.5,))]
    export(results(early), other, known("alpha"), None, None, tmp_path, settings=QUICK)
    entries = Versions.model_validate_json((tmp_path / "versions.json").read_bytes()).versions
    assert [(entry.version, entry.status) for entry in entries] == [("v0", "retired"), ("v1", "demo")]
    (tmp_path / "v1" / "models" / "notes.json").write_text("{}")
    write(tmp_path, answers(entrants=("alpha",), chances=(0.5,)))
    left = {path.name for path in (tmp_path / "v1" / "models").iterdir()}
    assert left == {"alpha.json", "notes.json"}
    assert (tmp_path / "v0" / "leaderboard.json").exists()


def test_results_of_another_version_are_refused(tmp_path):
    with pytest.raises(UserError, match="results are of v1, not of v9"):
        export(results(answers()), Release("v9", "causal", "", "demo", "2026-01-01", True), {}, None, None, tmp_path)


def test_a_broken_list_of_versions_is_one_clear_line(tmp_path):
    (tmp_path / "versions.json").write_text("[]")
    with pytest.raises(UserError, match="not a list of versions"):
        write(tmp_path, answers())


def test_commitment_and_register_are_published_as_they_are(tmp_path):
    plain = {"version": "v1", "seed_commit": "ab", "root": "cd", "items": 120, "bundles": {"b0": 120}, "digests": {}}
    commitment = CommitmentPage.model_validate({**plain, "sealed_at": "t", "revealed": False})
    run = {"slug": "alpha", "method": "direct", "run": 0, "started": "t", "ended": None, "planned_shards": 2}
    register = Runs.model_validate({"version": "v1", "runs": [{**run, "segments": [["s", 3, "h"]]}]})
    export(results(answers()), SEALED, known("alpha"), commitment, register, tmp_path, settings=QUICK)
    assert json.loads((tmp_path / "v1" / "runs.json").read_text())["runs"][0]["segments"] == [["s", 3, "h"]]
    assert json.loads((tmp_path / "versions.json").read_text())["versions"][0]["root"] == "cd"


def test_an_entry_of_the_roster_is_described_without_its_credentials():
    entry = Entry.model_validate(
        {
            "id": "m-1",
            "provider": "openai",
            "model": "m",
            "company": "C",
            "api_key_env": "MY_KEY",
            "base_url": "http://10.0.0.7/v1",
            "params": {"reasoning": {"effort": "high"}, "temperature": 0},
            "launch_date": "2026-01-02",
        }
    )
    made = describe(entry)
    assert made.entrant.launch_date == "2026-01-02"
    assert made.settings == {"provider": "openai", "model": "m", "reasoning": '{"effort": "high"}', "temperature": "0"}
    assert "MY_KEY" not in str(made)
    assert "10.0.0.7" not in str(made)


def test_slugs_fit_their_pattern_whatever_the_name():
    assert slug_of("Modèle №1 (α)") == "mod-le-1"
    assert slug_of("ملف") == "entrant"
    assert len(slug_of("x" * 300)) == 100


def test_pages_of_several_sets_are_made_from_their_figures(tmp_path):
    canonical = results(answers(seed=1))
    fresh = results([replace(row, version="fresh") for row in answers(seed=2)])
    found = gaps(canonical, fresh, QUICK)
    made = contamination_page(OPEN, "v1", "fresh", (120, 120), found, {Condition("alpha", "direct"): "alpha-slug"})
    assert isinstance(made, Contamination)
    assert [row.slug for row in made.rows] == ["alpha-slug", "beta", "gamma"]
    bridged = bridge_entry("v1", "fresh", bridge(canonical, fresh, QUICK), {})
    over_time = timeline_page(board(canonical, OPEN, {}, QUICK), [bridged])
    files = write(tmp_path, answers(), extra=(made, over_time))
    assert page(files, "contamination")["canonical_items"] == 120
    assert page(files, "timeline")["bridges"][0]["entrants"] == ["alpha", "beta", "gamma"]
    assert bridge_entry("a", "b", None, {}).change is None


def test_reference_solvers_do_not_count_in_the_field(tmp_path):
    rows = answers(entrants=("alpha", "exact"), chances=(0.5, 0.99))
    described = {**known("alpha"), **known("exact", kind="reference")}
    files = write(tmp_path, rows, described=described)
    (skill, *_) = page(files, "skills")["skills"]
    place = [side["slug"] for side in page(files, "skills")["sides"]].index("alpha")
    assert skill["field_mean"] == skill["accuracies"][place]
    assert page(files, "timeline")["undated"] == ["alpha"]


def test_a_matrix_of_equal_answers_is_published_without_division_by_zero(tmp_path):
    export(matrix([[1] * 40, [1] * 40]), OPEN, {}, None, None, tmp_path, settings=QUICK)
    rows = json.loads((tmp_path / "v1" / "leaderboard.json").read_text())["rows"]
    assert [row["accuracy"]["low"] for row in rows] == [0.9119, 0.9119]


ROOT = {"version": "v1", "seed_commit": "0" * 64, "items": 120, "bundles": {}, "digests": {}, "sealed_at": "t"}
PAGE = CommitmentPage.model_validate({**ROOT, "root": "1" * 64, "revealed": False})


def sealed_export(tmp_path, rows, runs=1, commitment=PAGE):
    run = {"slug": "alpha", "method": "direct", "run": runs, "started": "t", "ended": "t", "planned_shards": 1}
    register = Runs.model_validate({"version": "v1", "runs": [{**run, "segments": []}]})
    export(results(rows), SEALED, known("alpha"), commitment, register, tmp_path, settings=QUICK)
    return json.loads((tmp_path / "v1" / "leaderboard.json").read_text())["rows"]


def asked(rows, count):
    return [
        row if place < count else answer("alpha", row.item_id, True, status="pending") for place, row in enumerate(rows)
    ]


def test_a_partial_run_of_a_sealed_version_shows_no_margin_and_goes_on_by_twenty_items(tmp_path):
    rows = answers(entrants=("alpha",), chances=(0.5,))
    for few in (1, 19, 101, 119):
        assert sealed_export(tmp_path / str(few), asked(rows, few)) == []
    (shown,) = sealed_export(tmp_path / "r", asked(rows, 60))
    assert (shown["statuses"]["ok"], shown["statuses"]["pending"]) == (60, 60)
    made = json.loads((tmp_path / "r" / "v1" / "models" / "alpha.json").read_text())
    assert all(made[name] == [] for name in ("bundles", "variants", "levels", "parts", "skills"))
    with pytest.raises(UserError, match="finish the run"):
        sealed_export(tmp_path / "r", asked(rows, 61))
    assert sealed_export(tmp_path / "r", asked(rows, 60)) == [shown]
    sealed_export(tmp_path / "r", asked(rows, 80))
    sealed_export(tmp_path / "r", rows)


def test_what_was_published_of_a_complete_run_is_final(tmp_path):
    rows = answers(entrants=("alpha",), chances=(0.5,))
    failed = [answer("alpha", rows[0].item_id, True, status="api_error"), *rows[1:]]
    sealed_export(tmp_path, failed)
    with pytest.raises(UserError, match="final"):
        sealed_export(tmp_path, rows)
    sealed_export(tmp_path, failed)
    sealed_export(tmp_path, rows, runs=2)
    sealed_export(tmp_path, answers(seed=9, entrants=("alpha",), chances=(0.5,)), runs=2, commitment=None)


def test_paired_figures_of_near_twins_stay_in(tmp_path):
    """On one item they differ; their margins would then say which kind of item it was and who had it right."""
    rows = answers(entrants=("alpha",), chances=(0.5,))
    twin = [replace(row, entrant="twin") for row in rows]
    place = next(place for place, row in enumerate(rows) if not row.result.correct)
    twin[place] = replace(twin[place], result=next(row for row in rows if row.result.correct).result)
    (pair,) = page(write(tmp_path / "s", [*rows, *twin], SEALED), "pairs")["pairs"]
    assert pair["difference"]["value"] != 0
    assert (pair["difference"]["low"], pair["p_value"], pair["probability"]) == (None, None, None)
