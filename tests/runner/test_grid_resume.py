"""What a run of a grid is the same experiment as: resuming, and what is refused."""

import fcntl
import json
from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress_evaluator.grid import environment
from benchpress_evaluator.methods import METHODS
from grids import METHOD_FILE, TOY, Counting, Workspace, refused, statuses, write_module


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

    put(METHOD_FILE)
    first = space.run(MINE)
    put('"""Tidied."""\n' + METHOD_FILE.replace("class Mine", "# A comment.\nclass Mine").replace("    ", "  "))
    assert space.run(MINE)["experiment_id"] == first["experiment_id"]
    put(METHOD_FILE.replace('"answer"', '"other"'))
    assert "methods (mine:METHOD)" in refused(space, MINE)
