"""The audit of pinned requirements, at the wire: a loopback service in the format of OSV, and its faults."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from installed import ROOT

PINNED = """\
# as uv writes it
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:00
numpy==2.5.5 ; python_full_version >= '3.12' \\
    --hash=sha256:00
Some.Package[extra]==1.0 \\
    --hash=sha256:00
tzdata==2026.6 ; sys_platform == 'win32' \\
    --hash=sha256:00
"""

Answer = Callable[[str, str], tuple[int, str]]


def entry(package: str, name: str, **more: Any) -> dict[str, Any]:
    """A vulnerability as https://ossf.github.io/osv-schema/ has it."""
    ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99"}]}]
    affected = [{"package": {"name": package, "ecosystem": "PyPI"}, "ranges": ranges}]
    return {
        "schema_version": "1.6.0", "id": name, "aliases": [], "summary": "found", "published": "2020-01-01T00:00:00Z",
        "modified": "2020-01-01T00:00:00Z", "affected": affected,
    } | more  # fmt: skip


DJANGO = entry("django", "GHSA-6r97-cj55-9hrq", aliases=["CVE-2019-14234"])


def known(**vulnerable: Any) -> Answer:
    """What a service says that knows Django's vulnerability and these."""

    def answer(name: str, version: str) -> tuple[int, str]:
        found = [DJANGO] if name == "django" else [vulnerable[name]] if name in vulnerable else []
        return 200, json.dumps({"vulns": found} if found else {})

    return answer


def faulty(name: str, code: int, text: str) -> Answer:
    """A service that fails for one package alone."""
    return lambda asked, version: (code, text) if asked == name else known()(asked, version)


@contextmanager
def service(answer: Answer) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    asked: list[tuple[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            assert query["package"]["ecosystem"] == "PyPI"
            asked.append((query["package"]["name"], query["version"]))
            code, text = answer(*asked[-1])
            if code == 0:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self.send_response(code)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *words: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/query", asked
    finally:
        server.shutdown()
        server.server_close()


def audit(tmp_path: Path, url: str, text: str = PINNED, accepted: str = "") -> subprocess.CompletedProcess[str]:
    (tmp_path / "pinned.txt").write_text(text)
    (tmp_path / "accepted.toml").write_text(accepted)
    words = ["--osv-url", url, "--accepted", tmp_path / "accepted.toml", tmp_path / "pinned.txt"]
    return subprocess.run(
        [sys.executable, ROOT / "tools" / "audit.py", *words],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_every_pin_is_asked_for_whatever_platform_it_is_for(tmp_path: Path) -> None:
    with service(known()) as (url, asked):
        done = audit(tmp_path, url)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "4 pinned versions were looked up, none with a known vulnerability\n"
    wanted = {("numpy", "2.4.6"), ("numpy", "2.5.5"), ("some-package", "1.0"), ("tzdata", "2026.6")}
    assert set(asked) == wanted | {("django", "1.11")}


def test_a_known_vulnerability_is_named(tmp_path: Path) -> None:
    with service(known(tzdata=entry("tzdata", "GHSA-1", aliases=["CVE-2026-1"]))) as (url, _):
        done = audit(tmp_path, url)
    assert done.returncode == 1, done.stderr
    assert done.stdout.splitlines() == [
        "tzdata==2026.6: CVE-2026-1 GHSA-1",
        "4 pinned versions were looked up, 1 with a known vulnerability",
    ]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lambda name, version: (200, "{}"), id="knows nothing of anything"),
        pytest.param(lambda name, version: (200, "<html>log in</html>"), id="a page to log in"),
        pytest.param(lambda name, version: (404, "{}"), id="not found"),
        pytest.param(faulty("tzdata", 503, ""), id="unavailable for one"),
        pytest.param(faulty("tzdata", 429, "{}"), id="too many requests for one"),
        pytest.param(faulty("tzdata", 200, '{"vulns": [{"id":'), id="half an answer for one"),
        pytest.param(faulty("tzdata", 200, ""), id="an empty answer for one"),
        pytest.param(faulty("tzdata", 0, ""), id="hangs up on one"),
        pytest.param(known(tzdata=entry("tzdata", "GHSA-1", schema_version="2.0.0")), id="an entry of another schema"),
        pytest.param(known(tzdata=entry("tzdata", "GHSA-1", affected=None)), id="an entry without versions"),
    ],
)
def test_an_answer_that_is_missing_fails_the_audit(answer: Answer, tmp_path: Path) -> None:
    with service(answer) as (url, _):
        done = audit(tmp_path, url)
    assert done.returncode == 2, done.stdout
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: known vulnerabilities could not be looked up: ")


def test_nobody_there_fails_the_audit(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: refused
        done = audit(tmp_path, f"http://127.0.0.1:{taken.getsockname()[1]}/v1/query")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing to ask for"),
        ("numpy>=2\n", "not pinned to one version"),
        ("numpy==2.*\n", "not pinned to one version"),
        ("numpy\n", "not pinned to one version"),
        ("-r other.txt\n", "cannot read '-r other.txt'"),
        ("Django==5.2\n", "cannot be the control"),
    ],
)
def test_what_cannot_be_asked_for_fails_the_audit(text: str, says: str, tmp_path: Path) -> None:
    done = audit(tmp_path, "http://127.0.0.1:9/", text)
    assert done.returncode == 2
    assert says in done.stderr


def accepts(name: str, until: date) -> str:
    return f'[[accepted]]\nid = "{name}"\nuntil = {until.isoformat()}\nwhy = "never called"\n'


@pytest.mark.parametrize("name", ["CVE-2026-1", "GHSA-1"])
def test_what_is_accepted_is_told_and_passed_over_until_its_day(name: str, tmp_path: Path) -> None:
    found = entry("tzdata", "GHSA-1", aliases=["CVE-2026-1"])
    today = datetime.now(UTC).date()
    with service(known(tzdata=found)) as (url, _):
        good = audit(tmp_path, url, accepted=accepts(name, today + timedelta(days=1)))
        late = audit(tmp_path, url, accepted=accepts(name, today - timedelta(days=1)))
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.splitlines() == [
        f"tzdata==2026.6: CVE-2026-1 GHSA-1 (accepted until {today + timedelta(days=1)}: never called)",
        "4 pinned versions were looked up, none with a known vulnerability that is not accepted",
    ]
    assert late.returncode == 1
    assert late.stdout.splitlines()[0] == "tzdata==2026.6: CVE-2026-1 GHSA-1"
    assert late.stderr == f"error: accepted.toml: {name} was accepted until {today - timedelta(days=1)}; decide anew\n"


def test_what_is_accepted_hides_nothing_else_and_has_to_go_when_it_is_known_no_more(tmp_path: Path) -> None:
    until = datetime.now(UTC).date() + timedelta(days=9)
    with service(known(tzdata=entry("tzdata", "GHSA-1"))) as (url, _):
        done = audit(tmp_path, url, accepted=accepts("GHSA-10", until))
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "tzdata==2026.6: GHSA-1"
    assert done.stderr == "error: accepted.toml: GHSA-10 is known of no pin any more; take it out\n"
    with service(known()) as (url, _):
        done = audit(tmp_path, url, accepted=accepts("GHSA-1", until))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "[[accepted]\n",
        'accepted = "all"\n',
        'accept = "GHSA-1"\n',
        'accepted = ["GHSA-1"]\n',
        '[[accepted]]\nid = "GHSA-1"\nuntil = 2099-01-01\n',
        '[[accepted]]\nid = "GHSA-1"\nuntil = 2099-01-01\nwhy = " "\n',
        '[[accepted]]\nid = "GHSA-1"\nuntil = "never"\nwhy = "so"\n',
        '[[accepted]]\nid = "GHSA-1"\nuntil = 2099-01-01T00:00:00\nwhy = "so"\n',
    ],
)
def test_an_allow_list_that_cannot_be_read_fails_the_audit(text: str, tmp_path: Path) -> None:
    done = audit(tmp_path, "http://127.0.0.1:9/", accepted=text)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "accepted.toml: " in done.stderr


def test_the_allow_list_of_this_repository_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("")
    words = [sys.executable, ROOT / "tools" / "audit.py", tmp_path / "none.txt"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    # It is read before the pins, of which there are none here.
    assert "nothing to ask for" in done.stderr
    assert (ROOT / "requirements" / "accepted_vulnerabilities.toml").is_file()


def test_all_that_this_repository_pins_is_asked_for() -> None:
    with service(known()) as (url, asked):
        done = subprocess.run(
            [sys.executable, ROOT / "tools" / "audit.py", "--osv-url", url, "--accepted", os.devnull],
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    locks = [path.read_text() for path in (ROOT / "requirements").glob("*.txt")]
    wanted = {pin for text in locks for pin in re.findall(r"(?m)^([\w.-]+)(?:\[[^]]*\])?==([^ ]+)", text)}
    assert len(wanted) > 150
    assert set(asked) - {("django", "1.11")} == {
        (re.sub(r"[-_.]+", "-", name.lower()), version) for name, version in wanted
    }
