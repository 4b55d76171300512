"""A whole run with canaries in prompt, parameters, key, answer, error and secret: none leaves, each is found."""

import base64
import gzip
import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import planted
import pytest
from benchpress.commitment import canary
from installed import BENCHPRESS, ROOT

sys.path.insert(0, str(ROOT / "tests" / "providers"))

from fake_http import Reply, Seen, serve

pytestmark = pytest.mark.xdist_group("canaries")

PASS = {"BENCHPRESS_PASSPHRASE": "correct horse"}
RECIPE = """\
version: trial
status: demo
module: planted:MODULE
per_variant: 20
levels: [4]
margins: [variant, level]
methods: [direct]
"""
ROSTER = """\
entrants:
  - {{id: echo, provider: openai_compatible, model: echo, base_url: '{url}/v1', concurrency: 4}}
  - {{id: refuses, provider: openai_compatible, model: refuses, base_url: '{url}/v1', concurrency: 4}}
  - {{id: solver, provider: openai_compatible, model: solver, base_url: '{url}/v1', concurrency: 4}}
"""


def vendor(seen: Seen) -> Reply:
    """Echoes what it is asked: in answers, in stop reasons, in errors, in headers."""
    prompt = seen.body["messages"][-1]["content"]
    weights = sorted(((int(n), w) for w, n in re.findall(r"([a-z]+) (\d{3})", prompt)), reverse=True)
    number = weights[0][0]
    if seen.body["model"] == "refuses" or (seen.body["model"] == "echo" and number % 8 == 0):
        # A failure of the server is asked again, and then recorded; a refused request stops the entrant.
        status = 400 if seen.body["model"] == "refuses" else 500
        error = {"error": {"message": f"{planted.VENDOR}: cannot read {json.dumps(prompt)}"}}
        return Reply.of(error, status, **{"retry-after-ms": "1"})
    text = f"{planted.RESPONSE} {prompt}\nORDER: [{weights[0][1]}, {weights[1][1]}, {planted.KEY}]\nCOUNT: 9"
    stop = prompt[:60] if seen.body["model"] == "echo" and number % 4 == 1 else "stop"
    choice = {"index": 0, "finish_reason": stop, "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 90, "completion_tokens": 40, "total_tokens": 130}
    return Reply.of({"id": "r", "object": "chat.completion", "choices": [choice], "model": "m", "usage": usage})


def call(home: Path, *words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    path = f"{ROOT / 'tests' / 'cli'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    given = {**os.environ, **PASS, "BENCHPRESS_HOME": str(home), "PYTHONPATH": path, **environment}
    return subprocess.run(
        [BENCHPRESS, *map(str, words)], cwd=home, env=given, capture_output=True, text=True, timeout=240, check=False
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace after everything was done; what the commands printed is in `logs`, as a workflow would keep it."""
    home = tmp_path_factory.mktemp("canaries")
    logs = home / "logs"
    logs.mkdir()
    (home / "recipe.yaml").write_text(RECIPE)
    (home / "faulty.yaml").write_text(RECIPE.replace("trial", "faulty").replace("direct", '"planted:FAILS"'))
    (home / "canaries.txt").write_text("\n".join(planted.ALL) + "\n")
    with serve(vendor) as server:
        (home / "models.yaml").write_text(ROSTER.format(url=server.url))
        for number, words in enumerate(
            (
                ("seal", "--recipe", "recipe.yaml", "--passphrase"),
                ("seal", "--recipe", "faulty.yaml", "--passphrase"),
                ("run", "faulty"),
                ("score", "faulty"),
                ("run", "trial", "--max-calls", "30"),
                ("run", "trial", "--json"),
                ("score", "trial", "--json"),
                ("stats", "trial", "--metric", "all"),
                ("stats", "trial", "--metric", "items", "--json"),
                ("stats", "trial", "--metric", "all", "--json", "--report", "logs/report.html", "--csv", "logs/csv"),
                ("compare", "echo", "solver", "trial", "--json"),
                ("export", "trial", "--out", "data"),
                ("doctor", "trial", "--json"),
                ("score", "trial", "--out", "clear.jsonl"),
            )
        ):
            done = call(home, *words, BENCHPRESS_DEBUG="1")
            (logs / f"{number:02}-{words[0]}.out").write_text(done.stdout)
            (logs / f"{number:02}-{words[0]}.err").write_text(done.stderr)
    return home


def failed(home: Path) -> dict[str, str]:
    return {path.stem: path.read_text() for path in sorted((home / "logs").glob("*.err")) if path.read_text()}


def test_the_run_did_what_it_should(run: Path) -> None:
    """Or else nothing would be shown by the rest: answers, errors and stop reasons of every kind were stored."""
    board = json.loads((run / "data" / "trial" / "leaderboard.json").read_text())
    rows = {row["entrant"]["slug"]: row for row in board["rows"]}
    assert rows["solver"]["correct"] == 40, failed(run)
    assert rows["echo"]["statuses"]["api_error"] > 0
    stops = {row["stop_reason"] for row in json.loads((run / "data/trial/models/echo.json").read_text())["stop_table"]}
    assert "(other)" in stops
    said = "\n".join(path.read_text() for path in (run / "logs").glob("*-run.*"))
    assert "planted:FAILS failed: ValueError at planted.py:" in said
    assert "HTTP 400: the message quotes the prompt and is not shown" in said
    assert "internal error: ValueError" in (run / "logs" / "03-score.err").read_text()
    assert (run / "logs" / "report.html").stat().st_size > 10_000
    refused = "\n".join(path.read_text() for path in (run / "logs").glob("*-stats.err"))
    assert "which is sealed: it is shown on a terminal only" in refused


def test_no_canary_stands_in_clear_anywhere(run: Path) -> None:
    for path in sorted(run.rglob("*")):
        if path.is_file() and path.name != "canaries.txt":
            data = path.read_bytes()
            for mark in planted.ALL:
                assert mark.encode() not in data, path


def test_the_scanner_finds_nothing_in_all_that_is_left(run: Path) -> None:
    """Published files, logs, `--json` outputs, reports, commitment, register, journal and sealed file."""
    done = call(run, "leak-check", "data", "logs", "private", "models.yaml", "--canaries", "canaries.txt", "--json")
    found = json.loads(done.stdout)
    assert found["findings"] == []
    assert done.returncode == 0
    assert found["files"] > 30
    assert found["windows"] > 40
    plain = call(run, "leak-check", "data", "logs", "private", "--canaries", "canaries.txt")
    assert plain.returncode == 0
    assert len(plain.stdout.splitlines()) == 1


def test_the_built_site_holds_none(run: Path) -> None:
    pytest.importorskip("benchpress_site")
    done = subprocess.run(
        [BENCHPRESS, "site", "build", "--data", run / "data", "--out", run / "site"],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    done = call(run, "leak-check", "site", "--canaries", "canaries.txt", "--json")
    assert json.loads(done.stdout)["findings"] == []


def items(home: Path) -> list[str]:
    """The sealed item lines, opened as the program opens them."""
    code = (
        "import json; from benchpress_evaluator.workspace import open_file, read_commitment, store_of\n"
        "s = open_file('trial', store_of(None), read_commitment(store_of(None), 'trial'))[0]\n"
        "print(json.dumps([s.secret.hex(), *(line.decode() for line in s.lines)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, **PASS, "BENCHPRESS_HOME": str(home), "PYTHONPATH": str(ROOT / "tests" / "cli")},
    )  # fmt: skip
    found: list[str] = json.loads(done.stdout)
    return found


WRAPPED = {
    "clear": lambda text: text.encode(),
    "json": lambda text: json.dumps({"log": text}).encode(),
    "html": lambda text: f"<pre>{html.escape(text)}</pre>".encode(),
    "base64+0": lambda text: base64.b64encode(text.encode()),
    "base64+1": lambda text: base64.b64encode(b"-" + text.encode()),
    "base64+2": lambda text: base64.b64encode(b"--" + text.encode()),
    "gzip": lambda text: gzip.compress(text.encode()),
}


def test_each_is_found_where_it_is_put(run: Path, tmp_path: Path) -> None:
    secret, *lines = items(run)
    item = json.loads(lines[7])
    kinds = {
        **dict.fromkeys(planted.ALL, "canary"),
        canary(bytes.fromhex(secret)): "canary",
        secret: "secret",
        str(int(secret, 16)): "secret",
        item["prompt"]: "prompt",
        json.dumps(item["params"]): "parameters",
        item["id"]: "item id",
    }
    assert {item["id"] for item in map(json.loads, lines)} > {item["id"]}
    expected = set()
    for place, (text, kind) in enumerate(kinds.items()):
        for name, wrap in WRAPPED.items():
            file = tmp_path / "tree" / f"{place}-{name}"
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(b"before\n" + wrap(f"<a> {text} \n") + b"\nafter")
            expected.add((file.name, kind))
    done = call(run, "leak-check", tmp_path / "tree", "--canaries", "canaries.txt", "--json")
    assert done.returncode == 1
    found = {(Path(one["file"]).name, one["kind"]) for one in json.loads(done.stdout)["findings"]}
    assert expected <= found
    table = call(run, "leak-check", tmp_path / "tree", "--canaries", "canaries.txt")
    assert table.returncode == 1
    for private in (*planted.ALL, secret, item["id"], item["prompt"].split("?")[0]):
        assert private not in table.stdout + table.stderr


def test_wrong_inputs_are_one_line(run: Path, tmp_path: Path) -> None:
    from installed import one_line_error

    assert "nosuch" in one_line_error(call(run, "leak-check", "nosuch"))
    assert "nosuch" in one_line_error(call(run, "leak-check", "data", "--version", "nosuch"))
    assert "no sealed version" in one_line_error(call(run, "leak-check", "data", "--store", tmp_path))
    assert "passphrase" in one_line_error(call(run, "leak-check", "data", BENCHPRESS_PASSPHRASE="wrong"))
    (tmp_path / "short").write_text("abc\n")
    assert "line 1" in one_line_error(call(run, "leak-check", "data", "--canaries", tmp_path / "short"))
    shutil.rmtree(tmp_path)
