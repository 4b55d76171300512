"""One built site of invented data, a server for it and Debian's Chromium, shared by every test of the site."""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from building import build, write_examples
from playwright.sync_api import Browser, Page, expect, sync_playwright
from synthetic import write_publication

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FOLDER = "bench"
"""The site is served below a folder, as project pages are, so that no link may begin at the host."""

# What is expected of a page may take a busy machine far longer than the five seconds of the library.
expect.set_options(timeout=60_000)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serves a folder on a free port of this machine and returns its address."""
    servers = []

    def start(folder: Path) -> str:
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=os.fspath(folder))
        )
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}/"

    yield start
    for server in servers:
        server.shutdown()


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_publication(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_examples(tmp_path_factory.mktemp("examples") / "items")


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory, serve: Callable[[Path], str]) -> tuple[Path, str]:
    """A served folder for the site and its address, which the build has to know: instant navigation goes by it."""
    root = tmp_path_factory.mktemp("site")
    return root / FOLDER, f"{serve(root)}{FOLDER}/"


@pytest.fixture(scope="session")
def site(data: Path, examples: Path, home: tuple[Path, str]) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BENCHPRESS_SITE_URL", home[1])
        return build(data, examples, home[0])


@pytest.fixture(scope="session")
def address(site: Path, home: tuple[Path, str]) -> str:
    """Where the built site is served; ends in a slash."""
    return home[1]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, closed after each file: while it runs, no other test could start an event loop."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: `make test` installs it")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that fails the test on any script error and on any request to another host."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    found = context.new_page()
    problems: list[str] = []
    found.on("pageerror", lambda problem: problems.append(f"script error: {problem}"))
    found.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    found.on(
        "request",
        lambda request: (
            None
            if request.url.startswith(("http://127.0.0.1:", "blob:", "data:"))
            else problems.append(f"request to another host: {request.url}")
        ),
    )
    yield found
    context.close()
    assert not problems
