"""A grid from its file to its rows and reports."""

import json
from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress_evaluator.grid.rows import from_csv
from grids import TOY, Counting, Workspace, refused, statuses
from installed import Program, one_line_error


def test_the_toy_configuration_scores_three_of_ten(program: Program, tmp_path: Path) -> None:
    assert program("grid", "template", "toy", "--out", "toy.yaml").returncode == 0
    ran = program("run", "--config", "toy.yaml", "--run-id", "toy", "--yes")
    assert ran.returncode == 0, ran.stderr
    scored = program("score", "--run-id", "toy", "--json")
    assert scored.returncode == 0, scored.stderr
    report = json.loads(scored.stdout)
    (direct,) = [row for row in report["metrics"]["accuracy"]["rows"] if row["method"] == "direct"]
    # The published figures of the toy set: 3 of 10, exact interval [0.0667, 0.6525].
    assert direct["accuracy"] == 0.3
    assert round(direct["accuracy_low"], 4) == 0.0667
    assert round(direct["accuracy_high"], 4) == 0.6525
    assert {one["status"] for one in report["conditions"]} == {"completed"}


def test_rows_carry_identities_and_what_the_method_found(space: Workspace) -> None:
    told = space.run()
    rows = space.rows()
    assert len(rows) == 20
    assert from_csv((space.place() / "results.csv").read_bytes()) == rows
    ids = {one["condition_id"] for one in told["conditions"]}
    assert {row["condition_id"] for row in rows} == ids
    for row in rows:
        assert row["experiment_id"] == told["experiment_id"]
        assert all(row[name] for name in ("artifact_id", "selection_id", "model_id", "method_id", "prompt_id"))
        assert row["answer_status"] == "success"
        assert row["transport_status"] == "success"
    cyclic = [row for row in rows if row["method"] == "cyclic_permutation"]
    assert all((row["n_permutations_total"], row["n_permutations_failed"]) == (4, 0) for row in cyclic)
    assert all(len(row["picks"]) == 4 for row in cyclic)
    usage = (space.place() / "usage.jsonl").read_text().splitlines()
    assert [json.loads(line)["item_id"] for line in usage] == [row["item_id"] for row in rows]
    assert not {"latency_s", "at", "cost_usd"} & set(rows[0])


def test_a_dry_run_tells_and_sends_nothing(space: Workspace) -> None:
    told = space.run(TOY.replace("{name: direct}", "{name: pride, params: {alpha: 0.2}}"), dry=True)
    assert Counting.seen == []
    assert not space.place().exists()
    calls = {one["method"]: one["calls"] for one in told["conditions"]}
    # 10 questions of 4 options: 2 of them rotated and 8 asked once; 4 rotations of each.
    assert calls == {"pride": 16, "cyclic_permutation": 40}
    (gate,) = [one["gate"] for one in told["conditions"] if one["gate"]]
    assert gate.startswith("passes")
    assert told["models"][0]["calls"] == 56
    assert told["experiment_id"].startswith("exp_")


def test_a_grid_can_be_given_on_the_command_line(program: Program, tmp_path: Path) -> None:
    (tmp_path / "models.yaml").write_text("entrants: [{id: d, provider: dummy, model: always-a}]\n")
    words = ("run", "--benchmark", "toy", "--entrant", "d", "--method", 'pride{"alpha":0.4}', "--n-samples", 5)
    ran = program(*words, "--run-id", "x", "--yes")
    assert ran.returncode == 0, ran.stderr
    config = (tmp_path / "runs" / "x" / "config.yaml").read_text()
    assert "n_samples: 5" in config
    assert len((tmp_path / "runs" / "x" / "results.jsonl").read_text().splitlines()) == 5
    assert "leave it out" in one_line_error(program(*words, "--limit", 3))
    assert "no meaning" in one_line_error(program("run", "--items", "x.jsonl", "--run-id", "x"))


def test_each_benchmark_is_prepared_over_its_own_questions(space: Workspace) -> None:
    two = TOY.replace("[{name: toy}]", "[{name: toy, n_samples: 4}, {name: toy, subject_filter: [music, physics]}]")
    told = space.run(two.replace("{name: direct}, {name: cyclic_permutation}", "{name: pride, params: {alpha: 0.5}}"))
    assert set(statuses(told)) == {"toy/counting/pride", "toy#2/counting/pride"}
    rows = space.rows()
    for name in ("toy", "toy#2"):
        # Half of four questions is calibrated on, and answered by the cyclic average.
        assert sorted(row["mode"] for row in rows if row["benchmark"] == name) == ["cyclic"] * 2 + ["pride"] * 2
    figures = space.score()["metrics"]["accuracy"]["rows"]
    assert [(row["benchmark"], row["n"]) for row in figures] == [("toy", 4), ("toy#2", 4)]


def test_external_prompts_are_archived_and_identity(space: Workspace, tmp_path: Path) -> None:
    bundle = tmp_path / "prompts" / "curt"
    bundle.mkdir(parents=True)
    (bundle / "direct.txt").write_text("{question}\n{options}\nLetter:\n")
    (bundle / "free_text.txt").write_text("{question}\n")
    (bundle / "match.txt").write_text("{question}\n{answer}\n{options}\n")
    text = TOY + "run: {prompt_dir: prompts, prompt_version: curt}"
    told = space.run(text)
    assert all(request.messages[0].content.endswith("\nLetter:") for request in Counting.seen)
    assert told["experiment_id"] != space.run(TOY, run_id="plain")["experiment_id"]
    (archived,) = (space.place() / "prompts").rglob("direct.txt")
    assert archived.read_text() == "{question}\n{options}\nLetter:"
    (bundle / "match.txt").write_text("{question}\n{answer}\n{options}\nNow?\n")
    assert "prompts" in refused(space, text)


def test_equal_requests_are_asked_once_and_a_shared_cache_outlives_the_run(space: Workspace) -> None:
    # The first rotation is the question as printed, so `direct` has its answer already.
    space.run(TOY)
    assert len(Counting.seen) == 40
    rows = space.rows()
    space.run(TOY, run_id="cold")
    assert len(Counting.seen) == 40
    space.run(TOY + "run: {cache_scope: none}", run_id="none")
    assert len(Counting.seen) == 50
    space.run(TOY + "run: {cache_scope: shared}", run_id="first")
    assert len(Counting.seen) == 40
    space.run(TOY + "run: {cache_scope: shared}", run_id="second")
    assert Counting.seen == []
    space.run(TOY.replace("model: m,", "model: m, params: {t: 1},") + "run: {cache_scope: shared}", run_id="third")
    assert len(Counting.seen) == 40
    assert space.rows("second") == space.rows("none") == rows


def test_a_damaged_entry_of_the_cache_is_asked_again(space: Workspace) -> None:
    text = TOY + "run: {cache_scope: shared}"
    space.run(text)
    entries = list((space.folder / "runs" / ".cache").rglob("*.json"))
    entries[0].write_text(entries[0].read_text().replace('"text": "', '"text": "x'))
    entries[1].write_text("{")
    space.run(text, run_id="again")
    assert len(Counting.seen) == 2
    assert space.rows("again") == space.rows()


def test_reports_have_identities_and_are_never_overwritten(space: Workspace) -> None:
    space.run()
    first = space.score()
    assert space.score() == first
    other = space.score(metrics=["accuracy", "mad"])
    anew = space.score(reparse=True)
    assert len({one["evaluation_id"] for one in (first, other, anew)}) == 3
    assert [one["right"] for one in anew["conditions"]] == [one["right"] for one in first["conditions"]]
    place = space.place() / "reports"
    assert len(list(place.iterdir())) == 3
    path = place / f"{first['evaluation_id']}.json"
    path.write_text(path.read_text().replace('"right"', '"r1ght"'))
    with pytest.raises(UserError, match="never overwritten"):
        space.score()
    (place.parent / "reparsed" / anew["evaluation_id"] / "results.jsonl").read_text()
    assert Counting.seen == Counting.seen[:40]


def test_a_changed_result_file_is_refused_and_written_anew(space: Workspace) -> None:
    space.run()
    report = space.score()
    path = next((space.place() / "results").glob("*.jsonl"))
    path.write_text(path.read_text().replace('"correct":false', '"correct":true'))
    with pytest.raises(UserError, match="run again"):
        space.score()
    space.run()
    assert space.score() == report


def test_a_metric_that_is_broken_costs_its_own_figures(space: Workspace) -> None:
    space.run()
    report = space.score(metrics=["accuracy", "nowhere:metric", "grids:STUMBLING"])
    assert "rows" in report["metrics"]["accuracy"]
    assert "error" in report["metrics"]["nowhere:metric"]
    assert "error" in report["metrics"]["grids:STUMBLING"]
    with pytest.raises(UserError, match="unknown metric 'acuracy'"):
        space.score(metrics=["acuracy"])


def test_there_is_no_report_without_a_run(space: Workspace) -> None:
    with pytest.raises(UserError, match="no run nothing"):
        space.score("nothing")
