"""Isolation: what goes wrong in one condition of a grid costs that condition alone; gates among it."""

import json
import sys
from pathlib import Path

import pytest
from benchpress_evaluator.methods import METHODS
from grids import METHOD_FILE, TOY, Counting, Workspace, refused, statuses, write_module


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
    write_module(tmp_path, "later", METHOD_FILE, monkeypatch)
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
    write_module(tmp_path, "gone", METHOD_FILE, monkeypatch)
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
