"""A grid from its file to its results: identity, resuming, isolation, caching, and what is refused."""

import fcntl
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress_evaluator.grid import environment
from benchpress_evaluator.grid.rows import from_csv
from benchpress_evaluator.methods import METHODS
from grids import TOY, Counting, Workspace, write_module
from installed import Program, one_line_error


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Workspace:
    monkeypatch.setenv("BENCHPRESS_HOME", str(tmp_path))
    monkeypatch.setattr(Counting, "down", False)
    # What a plug-in was loaded from may change between tests.
    monkeypatch.setattr(METHODS, "_loaded", {})
    return Workspace(tmp_path, capsys)


def refused(space: Workspace, text: str = TOY, **options: Any) -> str:
    with pytest.raises(UserError) as problem:
        space.run(text, **options)
    assert "\n" not in str(problem.value)
    return str(problem.value)


def statuses(told: dict[str, Any]) -> dict[str, str]:
    return {f"{one['benchmark']}/{one['model']}/{one['method']}": one["status"] for one in told["conditions"]}


# The whole way


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


# Identity and resuming


def test_the_same_grid_resumes_and_asks_nothing_twice(space: Workspace) -> None:
    first = space.run(TOY + "run: {max_calls: 7}", code=1)
    assert len(Counting.seen) == 7
    assert set(statuses(first).values()) == {"pending"}
    with pytest.raises(UserError, match=r"2 of 2 conditions .* pending"):
        space.score()
    asked = [request.messages for request in Counting.seen]
    space.run()
    again = [request.messages for request in Counting.seen]
    assert not any(one in asked for one in again)
    files = {name: data for name, data in space.files().items() if not name.startswith(("journal", "usage"))}
    space.run()
    assert Counting.seen == []
    assert {name: data for name, data in space.files().items() if name in files} == files


@pytest.mark.parametrize(
    ("before", "after", "section"),
    [
        ("{name: toy}", "{name: toy, n_samples: 9}", "benchmarks (toy)"),
        ("{name: toy}", "{name: toy, subject_filter: [music]}", "benchmarks (toy)"),
        ("model: m,", "model: n,", "models (counting)"),
        ("model: m,", "model: m, params: {temperature: 0.5},", "models (counting)"),
        ("[{name: direct}, ", "[{name: shuffled}, ", "methods (direct, shuffled)"),
        ("benchmarks", "run: {seed: 43}\nbenchmarks", "seed"),
    ],
)
def test_another_experiment_is_refused_and_the_sections_named(
    space: Workspace, before: str, after: str, section: str
) -> None:
    space.run()
    files = space.files()
    message = refused(space, TOY.replace(before, after))
    assert section in message
    assert "--reset-run" in message
    assert space.files() == files


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("concurrency: 1", "concurrency: 3"),
        ("benchmarks", "experiment: {name: other}\nbenchmarks"),
        ("benchmarks", "metrics: [mad]\nbenchmarks"),
        ("benchmarks", "run: {cache_scope: shared, max_calls: 100}\nbenchmarks"),
        ("[{name: direct}, {name: cyclic_permutation}]", "[{name: cyclic_permutation}, {name: direct}]"),
    ],
)
def test_what_is_no_part_of_the_identity_may_change(space: Workspace, before: str, after: str) -> None:
    first = space.run()
    second = space.run(TOY.replace(before, after))
    assert first["experiment_id"] == second["experiment_id"]
    assert Counting.seen == []


def test_a_run_that_must_not_resume_is_left_as_it_is(space: Workspace) -> None:
    space.run()
    files = space.files()
    assert "resume is false" in refused(space, TOY + "run: {resume: false}")
    assert space.files() == files


def test_a_folder_without_a_manifest_is_not_trusted(space: Workspace) -> None:
    space.place().mkdir(parents=True)
    (space.place() / "results.csv").write_text("x")
    assert "no manifest" in refused(space)


def test_a_changed_manifest_or_archive_is_refused(space: Workspace) -> None:
    space.run()
    (archived,) = (space.place() / "datasets").glob("sel_*.jsonl")
    archived.write_bytes(archived.read_bytes().replace(b"Kenya", b"Chad"))
    assert "was changed" in refused(space)
    manifest = space.place() / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"seed": 42', '"seed": 41'))
    assert "was changed" in refused(space)


def test_resetting_starts_anew(space: Workspace) -> None:
    space.run()
    (space.place() / "mine.txt").write_text("x")
    space.run(TOY.replace("model: m,", "model: n,"), reset=True)
    assert len(Counting.seen) == 50 - 10
    assert not (space.place() / "mine.txt").exists()


def test_a_link_is_no_run(space: Workspace, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "kept.txt").write_text("x")
    (tmp_path / "runs").mkdir()
    space.place().symlink_to(tmp_path / "elsewhere")
    assert "symbolic link" in refused(space, reset=True)
    assert (tmp_path / "elsewhere" / "kept.txt").exists()


def test_one_writer_a_run(space: Workspace) -> None:
    space.run()
    files = space.files()
    with (space.folder / "runs" / ".locks" / "r.run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "another process" in refused(space, reset=True)
    assert space.files() == files
    space.run()


def test_the_environment_warns_and_never_blocks(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    # The tree that the tests run from may be committed to meanwhile.
    monkeypatch.setattr(environment, "source", lambda: {"commit": "a" * 40, "changed": False})
    told = space.run()
    path = space.place() / "environment.json"
    sessions = json.loads(path.read_text())
    sessions[-1]["python"] = "3.1"
    sessions[-1]["libraries"]["pandas"] = "0.1"
    path.write_text(json.dumps(sessions))
    again = space.run()
    assert again["experiment_id"] == told["experiment_id"]
    assert "python 3.1 is now" in again["warnings"]
    assert "pandas 0.1 is now" in again["warnings"]
    assert len(json.loads(path.read_text())) == 2
    assert "warning" not in space.run()["warnings"]


METHOD = """
from benchpress_evaluator.methods import Answer, Method
from benchpress_evaluator.records import Request


class Mine(Method):
    async def answer(self, item, ask, params, prepared):
        completion = await ask("answer", Request.of(item.prompt))
        return Answer(completion.text, completion)


METHOD = Mine()
"""
MINE = TOY.replace("[{name: direct}, ", '[{name: "mine:METHOD"}, ')


def test_the_code_of_a_method_is_identity_and_its_comments_are_not(
    space: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchpress_evaluator.grid import implementation

    def put(text: str) -> None:
        write_module(tmp_path, "mine", text, monkeypatch)
        METHODS._loaded.pop("mine:METHOD", None)
        for one in (implementation.code_of, implementation.imports_of, implementation._tree):
            one.cache_clear()

    put(METHOD)
    first = space.run(MINE)
    put('"""Tidied."""\n' + METHOD.replace("class Mine", "# A comment.\nclass Mine").replace("    ", "  "))
    assert space.run(MINE)["experiment_id"] == first["experiment_id"]
    put(METHOD.replace('"answer"', '"other"'))
    assert "methods (mine:METHOD)" in refused(space, MINE)


# Isolation


def test_what_cannot_be_had_fails_its_own_conditions_only(space: Workspace, tmp_path: Path) -> None:
    text = TOY.replace("[{name: toy}]", "[{name: toy}, {name: mmlu}]").replace(
        "{name: direct}, ", '{name: direct}, {name: "nowhere.at.all:METHOD"}, '
    )
    told = space.run(text, code=1)
    found = statuses(told)
    assert {name for name, status in found.items() if status == "completed"} == {
        "toy/counting/direct",
        "toy/counting/cyclic_permutation",
    }
    assert set(found.values()) == {"completed", "failed"}
    report = space.score()
    assert report["run_status"] == "partial"
    failed = [one for one in report["conditions"] if one["status"] == "failed"]
    assert len(failed) == 4
    assert all(one["error"] and one["right"] is None for one in failed)


def test_what_was_missing_may_come_later(space: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TOY.replace("[{name: direct}, ", '[{name: "later:METHOD"}, ')
    first = space.run(text, code=1)
    assert statuses(first)["toy/counting/later:METHOD"] == "failed"
    write_module(tmp_path, "later", METHOD, monkeypatch)
    METHODS._loaded.pop("later:METHOD", None)
    second = space.run(text)
    assert set(statuses(second).values()) == {"completed"}
    # What was answered in the first session is not asked again; equal requests come out of the cache.
    assert Counting.seen == []
    assert (space.place() / "manifests" / f"{first['experiment_id']}.json").is_file()
    assert "seed" in refused(space, text + "run: {seed: 1}")


def test_what_is_lacking_now_is_no_other_experiment(
    space: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_module(tmp_path, "gone", METHOD, monkeypatch)
    text = TOY.replace("[{name: direct}, ", '[{name: "gone:METHOD"}, ')
    space.run(text)
    METHODS._loaded.pop("gone:METHOD", None)
    sys.modules.pop("gone", None)
    (tmp_path / "gone.py").unlink()
    message = refused(space, text)
    assert "cannot go on" in message
    assert "gone" in message
    assert "--reset-run" not in message


def test_a_question_that_a_method_cannot_cope_with_costs_that_question(space: Workspace) -> None:
    told = space.run(TOY.replace("{name: direct}", '{name: "grids:STUMBLING"}, {name: direct}'))
    assert set(statuses(told).values()) == {"completed"}
    rows = [row for row in space.rows() if row["method"] == "grids:STUMBLING"]
    (bad,) = [row for row in rows if row["answer_status"] == "method_error"]
    assert (bad["parsed_choice"], bad["correct"], bad["outcome"]) == (None, False, "abstained")
    assert "ZeroDivisionError" in bad["error"]
    assert "sk-abc" not in bad["error"]
    assert len(rows) == 10


def test_a_method_that_copes_with_nothing_fails_alone(space: Workspace) -> None:
    told = space.run(TOY.replace("{name: direct}", '{name: "grids:BROKEN"}, {name: direct}'), code=1)
    found = statuses(told)
    assert found["toy/counting/grids:BROKEN"] == "failed"
    assert found["toy/counting/direct"] == found["toy/counting/cyclic_permutation"] == "completed"


def test_a_model_that_is_down_fails_alone_and_its_error_is_redacted(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Counting, "down", True)
    text = TOY.replace("models: [", "models: [{id: dummy, provider: dummy, model: always-a}, ")
    told = space.run(text, code=1)
    assert {name: status for name, status in statuses(told).items() if "dummy" in name} == {
        "toy/dummy/direct": "completed",
        "toy/dummy/cyclic_permutation": "completed",
    }
    kept = b"".join(space.files().values())
    assert b"sk-verysecret" not in kept
    assert b"me:pw@" not in kept
    # Once it is up again the same command asks what is missing.
    monkeypatch.setattr(Counting, "down", False)
    assert set(statuses(space.run(text)).values()) == {"completed"}


def test_a_missing_key_fails_its_model_and_is_named(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    told = space.run(TOY.replace("models: [", "models: [{id: oa, provider: openai, model: gpt}, "), code=1)
    failed = [one for one in told["conditions"] if one["status"] == "failed"]
    assert {one["model"] for one in failed} == {"oa"}
    assert all("OPENAI_API_KEY; set it in the environment" in one["error"] for one in failed)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("{name: direct}", "{name: dirct}", "unknown method 'dirct'"),
        ("{name: toy}", "{name: tyo}", "unknown benchmark 'tyo'"),
        ('"grids:Counting"', "nobody", "unknown provider 'nobody'"),
        ("{name: direct}", "{name: direct, params: {x: 1}}", "method 'direct'"),
        ("{name: direct}", "{name: direct, preflight: {split: dev}}", "takes no preflight"),
        ("{name: direct}", "{name: direct, modal_k_threshold: 0.5}", "has no gate"),
        ("{name: direct}", "{name: cyclic_permutation}", "twice"),
        ("{name: direct}", "{name: pride, requires_logprobs: false}", "needs log-probabilities"),
    ],
)
def test_a_mistake_in_the_file_stops_everything(space: Workspace, before: str, after: str, said: str) -> None:
    assert said in refused(space, TOY.replace(before, after))
    assert Counting.seen == []
    assert not space.place().exists()


def test_option_scores_are_asked_only_of_providers_that_have_them(space: Workspace) -> None:
    text = TOY.replace("models: [", "models: [{id: r, provider: reference, model: exact}, ")
    assert "option_scores" in refused(space, text.replace("{name: direct}", "{name: cyclic_logprob}"))
    assert "option_scores" in refused(space, text.replace("{name: direct}", "{name: direct, requires_logprobs: true}"))


# The gate


def mixed(folder: Path) -> str:
    """Ten questions, seven of them with ten options."""
    lines = []
    for number in range(10):
        count = 10 if number < 7 else 4
        options = [f"option {number} {place}" for place in range(count)]
        lines.append(
            json.dumps({"question": f"Question {number}?", "choices": options, "answer_index": number % count})
        )
    (folder / "mixed.jsonl").write_text("\n".join(lines) + "\n")
    return TOY.replace("{name: toy}", "{name: mixed, path: mixed.jsonl}").replace("{name: cyclic_permutation}", "{}")


def test_a_gated_condition_is_not_a_failed_one(space: Workspace, tmp_path: Path) -> None:
    text = mixed(tmp_path).replace("{}", "{name: pride}")
    told = space.run(text)
    assert statuses(told) == {"mixed/counting/direct": "completed", "mixed/counting/pride": "gated"}
    (report,) = [json.loads(path.read_text()) for path in (space.place() / "artifacts").rglob("modal_k_gate.json")]
    # The published example: 7 of 10 questions share ten options, which is below .95.
    assert (report["modal_k"], report["n_total"], report["n_evaluated"], report["proportion"]) == (10, 10, 0, 0.7)
    assert space.score()["run_status"] == "complete"


def test_a_share_equal_to_the_threshold_passes_and_scores_the_modal_rows(space: Workspace, tmp_path: Path) -> None:
    text = mixed(tmp_path).replace("{}", "{name: pride, modal_k_threshold: 0.7}")
    assert set(statuses(space.run(text)).values()) == {"completed"}
    rows = [row for row in space.rows() if row["method"] == "pride"]
    asked = [row for row in rows if row["outcome"] != "gated"]
    assert (len(rows), len(asked)) == (10, 7)
    assert {(row["gate_modal_k"], row["gate_n_total"], row["gate_n_evaluated"]) for row in asked} == {(10, 10, 7)}
    assert {row["mode"] for row in asked} == {"uncalibrated"}
    (pride,) = [one for one in space.score()["conditions"] if one["method"] == "pride"]
    assert (pride["gated"], pride["right"] + pride["wrong"] + pride["abstained"]) == (3, 7)


def test_calibration_questions_come_from_elsewhere(space: Workspace, tmp_path: Path) -> None:
    lines = [
        json.dumps({"question": f"Other {number}?", "choices": ["a", "b", "c", "d"], "answer_index": 0})
        for number in range(6)
    ]
    (tmp_path / "other.jsonl").write_text("\n".join(lines) + "\n")
    method = "{name: pride, preflight: {source: other.jsonl, n: 5}}"
    text = TOY.replace("{name: cyclic_permutation}", method)
    told = space.run(text)
    assert set(statuses(told).values()) == {"completed"}
    rows = [row for row in space.rows() if row["method"] == "pride"]
    assert {row["mode"] for row in rows} == {"pride"}
    assert {row["extra"]["calibrated_on"] for row in rows} == {5}
    too_many = text.replace("n: 5", "n: 7")
    assert statuses(space.run(too_many, run_id="more", code=1))["toy/counting/pride"] == "failed"
    # Its calibration questions are part of what the experiment is.
    (tmp_path / "other.jsonl").write_text("\n".join([*lines[:5], lines[5].replace("Other", "Another")]) + "\n")
    assert "calibrations" in refused(space, text)


# Prompts and the cache


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


# Reports


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
