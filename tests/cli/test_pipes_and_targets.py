"""Files that are none: pipes that can be read once, devices and links to write to, outputs that nobody reads."""

import json
import os
import pty
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest
from benchpress import generation
from benchpress.commands.items import verify
from benchpress.errors import UserError
from benchpress.jsonl import atomic_write
from installed import BENCHPRESS, Program, one_line_error

GRAPH = '{"nodes": ["X", "Y"], "directed": []}'
CASE = f'{{"id": "a", "kind": "d_separation", "graph": {GRAPH}, "query": {{"x": "X", "y": "Y"}}}}\n'
RESPONSE = '{"item_id": "%s", "text": "?"}\n'


@pytest.fixture
def items(program: Program, tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    words = ("--module", "causal", "--bundle", "confounding", "--n", "1", "--seed", "1")
    assert program("generate", *words, "--out", path).returncode == 0
    return path


def shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """What bash makes of `line`, in which `benchpress` is the installed program."""
    return subprocess.run(
        ["bash", "-c", f"benchpress() {{ '{BENCHPRESS}' \"$@\"; }}; {line}"],
        capture_output=True, text=True, cwd=folder, timeout=120, check=False,
    )  # fmt: skip


def test_verify_reads_a_pipe_as_it_reads_a_file(items: Path) -> None:
    value = json.loads(items.read_text().splitlines()[0])
    value["parts"][0]["gold"] = "12345"
    items.write_text(json.dumps(value) + "\n")
    done = shell(items.parent, "cat items.jsonl | benchpress verify /dev/stdin")
    assert done.returncode == 1, done
    assert "1 items" in done.stdout
    assert "1 disagreements" in done.stdout


def test_solve_reads_a_pipe_as_it_reads_a_file(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(CASE)
    done = shell(tmp_path, "benchpress solve <(cat cases.jsonl) --out answers.jsonl")
    assert "1 cases answered, 0 errors" in done.stdout, done
    assert json.loads((tmp_path / "answers.jsonl").read_text())["answer"] is True


def test_verify_does_not_pass_where_an_item_was_lost(items: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = generation.ordered
    monkeypatch.setattr(generation, "ordered", lambda *words: list(whole(*words))[1:])
    with pytest.raises(UserError, match="5 items and 4 came back"):
        verify(items)


def test_a_pipe_is_written_and_stays(items: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    item = json.loads(items.read_text().splitlines()[0])["id"]
    (tmp_path / "responses.jsonl").write_text(RESPONSE % item)
    line = "cat pipe > got & benchpress grade items.jsonl responses.jsonl --out pipe && wait"
    done = shell(tmp_path, line)
    assert done.returncode == 0, done
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert json.loads((tmp_path / "got").read_text())["item_id"] == item


def test_a_device_is_written_and_stays(tmp_path: Path) -> None:
    """A terminal of this test stands for every device."""
    (tmp_path / "cases.jsonl").write_text(CASE)
    leader, follower = pty.openpty()
    device = Path(os.ttyname(follower))
    done = shell(tmp_path, f"benchpress solve cases.jsonl --out {device}")
    assert done.returncode == 0, done
    assert stat.S_ISCHR(device.stat().st_mode)
    assert json.loads(os.read(leader, 4096))["id"] == "a"
    assert shell(tmp_path, "benchpress solve cases.jsonl --out /dev/null").returncode == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_link_stays_and_its_file_is_written(program: Program, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(CASE)
    (tmp_path / "there").mkdir()
    for name in ("old", "new"):
        (tmp_path / name).symlink_to(Path("there", name))
    (tmp_path / "there" / "old").write_text("before")
    for name in ("old", "new"):
        assert program("solve", "cases.jsonl", "--out", name).returncode == 0
        assert (tmp_path / name).is_symlink()
        assert json.loads((tmp_path / "there" / name).read_text())["id"] == "a"
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == ["new", "old"]


def test_standard_output_holds_the_lines_and_then_what_is_told(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(CASE)
    shell(tmp_path, "echo before > got; benchpress solve cases.jsonl --out /dev/stdout >> got")
    before, line, told = (tmp_path / "got").read_text().splitlines()
    assert before == "before"
    assert json.loads(line)["id"] == "a"
    assert told.startswith("1 cases answered")


def test_a_dash_is_no_file(program: Program, items: Path, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(CASE)
    words = ("generate", "--module", "causal", "--n", "1", "--seed", "1", "--out")
    for call in (("solve", "cases.jsonl", "--out", "-"), (*words, "-"), (*words, "x.jsonl", "--prompts", "-")):
        assert "name a file" in one_line_error(program(*call))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cases.jsonl", items.name]


def test_prompts_stand_beside_the_items(program: Program, tmp_path: Path) -> None:
    words = ("generate", "--module", "causal", "--bundle", "simpson", "--n", "1", "--seed", "1", "--out", "x.jsonl")
    assert program(*words, "--prompts", "p.jsonl").returncode == 0
    items, prompts = ((tmp_path / name).read_text().splitlines() for name in ("x.jsonl", "p.jsonl"))
    said = [{"item_id": item["id"], "prompt": item["prompt"]} for item in map(json.loads, items)]
    assert list(map(json.loads, prompts)) == said
    assert "the same file" in one_line_error(program(*words, "--prompts", "./x.jsonl"))


@pytest.mark.parametrize(
    "line",
    [
        "benchpress examples --out cases.jsonl",
        "benchpress solve cases.jsonl --out cases.jsonl/x",
        "benchpress grid template --out cases.jsonl/x",
        "benchpress solve cases.jsonl --out .",
        "benchpress modules > /dev/full",
        "benchpress modules --json > /dev/full",
        "benchpress schema > /dev/full",
        "benchpress --help > /dev/full",
        "benchpress solve cases.jsonl --out /dev/full",
    ],
)
def test_what_cannot_be_written_is_one_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "cases.jsonl").write_text(CASE)
    error = one_line_error(shell(tmp_path, line))
    assert error.endswith(("File exists", "Not a directory", "Is a directory", "No space left on device"))
    assert [path.name for path in tmp_path.iterdir()] == ["cases.jsonl"]


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    def half() -> None:
        with atomic_write(tmp_path / "x") as file:
            file.write("half")
            raise KeyError

    with pytest.raises(KeyError):
        half()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "call", ["modules", "modules --json", "--help", "schema", "generate --help", "show items.jsonl 8119 --json"]
)
def test_a_closed_pipe_ends_it_silently(items: Path, call: str) -> None:
    done = shell(items.parent, f"(sleep 0.3; benchpress {call}; echo $? >&2) | exec 0<&-")
    assert done.stderr == "141\n", done


def test_an_error_that_nobody_reads_ends_silently_too(tmp_path: Path) -> None:
    shell(tmp_path, "(sleep 0.3; benchpress nosuch 2>&1; echo $? > code) | exec 0<&-")
    assert (tmp_path / "code").read_text() == "141\n"


def interrupted(folder: Path, *words: str) -> tuple[int, str]:
    """Exit code and errors of a program that gets Ctrl-C, as all processes of its terminal do, once it has begun."""
    process = subprocess.Popen(
        [BENCHPRESS, *words], cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # in the background, a shell has it ignored
    )  # fmt: skip
    for _ in range(600):
        if list(folder.glob(".*.partial-*")):
            break
        time.sleep(0.05)
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=100)
    return process.returncode, errors


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupted_command_promises_nothing(tmp_path: Path, workers: str) -> None:
    words = ("--module", "causal", "--n", "500", "--seed", "1", "--out", "x.jsonl", "--workers", workers)
    code, errors = interrupted(tmp_path, "generate", *words)
    assert code == 130
    assert [line for line in errors.splitlines() if not line.startswith("note:")] == ["interrupted"]
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_run_says_that_it_goes_on(program: Program, items: Path, tmp_path: Path) -> None:
    (tmp_path / "stopping.py").write_text(
        "import os, signal\n"
        "from benchpress_evaluator.providers.reference import Reference\n\n"
        "class Stopping(Reference):\n"
        "    async def complete(self, request):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        return await super().complete(request)\n"
    )
    roster = tmp_path / "models.yaml"
    roster.write_text('entrants:\n  - {id: slow, provider: "stopping:Stopping", model: exact}\n')
    done = program("run", "--items", items, "--models", roster, PYTHONPATH=str(tmp_path))
    assert done.returncode == 130, done
    assert done.stderr.endswith("interrupted; what is done is kept, the same command goes on from here\n")
