"""The built files: reproducible, whole links, sound HTML, hostile data, broken files."""

import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from benchpress import publication as p
from benchpress.errors import UserError
from benchpress.publication.check import check_publication
from building import build
from installed import ROOT
from invented import Field, model, ranked
from playwright.sync_api import Browser, expect
from synthetic import pareto, timeline, write, write_publication

pytestmark = pytest.mark.xdist_group("site")

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
SHAPES = {"path", "rect", "circle", "ellipse", "line", "polygon", "stop"}


class Reader(HTMLParser):
    """Collects ids, links and unclosed tags of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.problems: list[str] = []
        self.images_without_words = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.append(found["id"] or "")
        for name in ("href", "src"):
            if found.get(name):
                self.links.append(found[name] or "")
        self.images_without_words += tag == "img" and "alt" not in found
        self.problems += [f"event handler {name}" for name in found if name.startswith("on")]
        if tag not in VOID and tag not in SHAPES:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or tag in SHAPES:
            return
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> inside {self.open[-1:]}")
        else:
            self.open.pop()


def read(path: Path) -> Reader:
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_no_link_is_broken_and_no_id_is_there_twice(site: Path) -> None:
    read_pages = {path: read(path) for path in pages(site)}
    broken = []
    for path, reader in read_pages.items():
        twice = {name for name in reader.ids if reader.ids.count(name) > 1}
        assert not twice, (path, twice)
        for link in reader.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("#__") or link == "javascript:void(0)":
                continue
            # The page for missing addresses is shown at any address, so its links begin at the site's folder.
            base = site.parent if parts.path.startswith("/") else path.parent
            target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                broken.append((path.relative_to(site), link))
            known = read_pages[target].ids if target in read_pages else [parts.fragment]
            if parts.fragment and parts.fragment not in known:
                broken.append((path.relative_to(site), link))
    assert broken == []


def test_headings_are_headings_and_no_mark_of_the_templates_is_left(
    site: Path, hostile: Path, published: tuple[Path, Path]
) -> None:
    for home in (site, hostile, published[0]):
        for path in pages(home):
            text = path.read_text(encoding="utf-8")
            assert "data-search-exclude}" not in text, path
            assert "data-bp-held" not in text, path
    texts = [path.read_text(encoding="utf-8") for path in (published[0]).glob("*/models/*/index.html")]
    assert texts
    for name in ("configuration", "data"):
        assert all(re.search(f'<h2[^>]* id="{name}"', text) for text in texts), name


def test_every_page_is_closed_html_without_event_handlers_and_with_words_for_images(site: Path) -> None:
    for path in pages(site):
        reader = read(path)
        assert reader.problems == [], path
        assert reader.open == [], path
        assert reader.images_without_words == 0, path


def test_no_page_names_another_host_for_anything_that_it_loads(site: Path) -> None:
    loaded = re.compile(
        r"""<(?:script|img|iframe|source)[^>]+src="(?:https?:)?//|<link[^>]+rel="(?:stylesheet|preload|icon)"[^>]+href="(?:https?:)?//|url\(["']?https?:"""
    )
    for path in [*pages(site), *site.rglob("*.css")]:
        assert not loaded.search(path.read_text(encoding="utf-8")), path


def digest(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The site of the published figures, built by the program and by plain MkDocs, under other seeds on other days."""
    tmp_path = tmp_path_factory.mktemp("published")
    builds = {
        "ours": ("from benchpress_site.commands import app as run", ["build", "--strict", "--out"]),
        "plain": ("from mkdocs.__main__ import cli as run", ["build", "-q", "-f", "site/mkdocs.yml", "-d"]),
    }
    for seed, (name, (start, words)) in enumerate(builds.items()):
        # Another hash seed; and another day would show in the sitemap if the clock were asked.
        program = (
            "import sys, mkdocs.utils as u\n"
            f"u.get_build_date = lambda: '2027-03-{seed + 1:02d}'\n"
            f"{start}; run(sys.argv[1:], standalone_mode=False)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, *words, str(tmp_path / name)],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            cwd=ROOT,
            timeout=300,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    return tmp_path / "ours", tmp_path / "plain"


def test_the_program_and_plain_mkdocs_build_the_same_bytes_on_any_day(published: tuple[Path, Path]) -> None:
    assert digest(published[0]) == digest(published[1])


def test_published_figures_are_real_runs_and_served_as_they_were_exported(published: tuple[Path, Path]) -> None:
    data, served = ROOT / "site" / "data", published[0] / "data"
    assert check_publication(data) > 10
    listed = json.loads((served / "digests.json").read_text())["files"]
    assert listed
    for name, expected in listed.items():
        assert hashlib.sha256((served / name).read_bytes()).hexdigest() == expected, name
    states = {entry["status"] for entry in json.loads((data / "versions.json").read_text())["versions"]}
    assert "synthetic" not in states
    rows = [row for path in data.glob("*/leaderboard.json") for row in json.loads(path.read_text())["rows"]]
    for row in rows:
        assert row["ranked"] is (row["statuses"]["pending"] == 0), row["entrant"]["slug"]
        if row["entrant"]["slug"] == "exact":
            assert row["correct"] == row["statuses"]["planned"], "a key that the exact solver misses is a bug"
    front = (published[0] / "index.html").read_text()
    assert "reference solvers" in front
    assert "Synthetic data" not in front


HOSTILE_NAMES = [
    "<img src=x onerror=\"document.title='owned'\">",
    '=HYPERLINK("http://example.invalid","x")',
    "+1+1|cmd",
    "N" * 200,
    "\u05e9\u05dc\u05d5\u05dd \u202e\u0645\u0631\u062d\u0628\u0627",
    "</table></section><script>document.title='owned'</script>",
    "**bold** [link](javascript:alert(1)) {{ 7*7 }} {% raw %} <!-- x",
    "quote\" onmouseover=\"document.title='owned'",
    "\x02klzzwxh:0001\x03 \x00 & &amp; &lt;",
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, examples: Path) -> Path:
    """A site whose names attack the page, the table and the spreadsheet, with unknown figures everywhere."""
    folder = tmp_path_factory.mktemp("hostile")
    field = Field(len(HOSTILE_NAMES), 5)
    nothing = p.Spread(median=None, p90=None)
    made = []
    for place, name in enumerate(HOSTILE_NAMES):
        field.entrants[place] = field.entrants[place].model_copy(
            update={"name": name, "organisation": name, "launch_date": "2026-01-01" if place else "2025-12-31"}
        )
        page = model(field, place, "causal-v1", "causal", 0, False)
        row = page.row.model_copy(
            update={"cost_usd": None, "thinking_tokens": nothing, "latency_s": nothing, "output_tokens": nothing}
        )
        settings = (p.Setting(name=name, value=name),)
        made.append(page.model_copy(update={"row": row, "settings": settings}))
    made = ranked(made)
    home = folder / "causal-v1"
    board = p.Leaderboard(
        version="causal-v1", track="causal", planned=440, updated=None, rows=tuple(page.row for page in made)
    )
    write(home, board, "leaderboard")
    for page in made:
        write(home / "models" / f"{page.row.entrant.slug}.json", page)
    write(home, pareto("causal-v1", made), "pareto")
    write(home, timeline("causal-v1", made, None), "timeline")
    change = p.Change(date="2026-01-01", version="causal-v1", kind="run", text=HOSTILE_NAMES[5], comparable=True)
    write(home, p.Changelog(version="causal-v1", changes=(change,)), "changelog")
    entry = p.VersionEntry(
        version="causal-v1", track="causal", title=HOSTILE_NAMES[0], status="current", date="2026-01-01", items=440,
        entrants=len(made), root=None, note=HOSTILE_NAMES[5],
    )  # fmt: skip
    write(folder, p.Versions(versions=(entry,)), "versions")
    # A producer that writes NaN writes no JSON; the figure is unknown then.
    path = home / "leaderboard.json"
    text = re.sub(r'"accuracy_on_answered": ?[0-9.]+', '"accuracy_on_answered": NaN', path.read_text(), count=1)
    path.write_text(text)
    return build(folder, examples, tmp_path_factory.mktemp("hostile-site") / "bench")


def test_hostile_names_are_shown_as_text_and_run_nowhere(
    hostile: Path, browser: Browser, serve: Callable[[Path], str]
) -> None:
    address = f"{serve(hostile.parent)}bench/"
    slugs = sorted(path.name for path in (hostile / "causal-v1" / "models").iterdir())
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    for where in (
        "",
        "causal-v1/",
        "causal-v1/pareto/",
        "causal-v1/history/",
        "versions/",
        *(f"causal-v1/models/{slug}/" for slug in slugs),
    ):
        page.goto(f"{address}{where}")
        page.wait_for_timeout(150)
        assert "owned" not in page.title().replace("document.title='owned'", "")
        assert page.title() != "owned"
        expect(page.locator("img[src=x]")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, where
    page.goto(f"{address}causal-v1/")
    page.wait_for_selector(".bp-ready")
    shown = page.locator("tbody th bdi:not(.bp-sub bdi)").all_inner_texts()
    for name in (*HOSTILE_NAMES[:4], *HOSTILE_NAMES[5:8]):
        assert name in shown
    assert "\u202e" not in "".join(shown)
    page.fill("#bp-find", "<img")
    expect(page.locator("#board-causal-v1 tbody tr:not([hidden])")).to_have_count(1)
    page.keyboard.press("Escape")
    page.goto(f"{address}causal-v1/pareto/")
    expect(page.locator("#cost-usd + section tbody tr")).to_have_count(len(HOSTILE_NAMES))
    assert problems == []
    context.close()


def test_hostile_pages_stay_sound_html(hostile: Path) -> None:
    for path in pages(hostile):
        reader = read(path)
        assert reader.problems == [], path
        assert reader.open == [], path


def test_published_json_stays_json_and_csv_cells_are_never_formulas(hostile: Path) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    for path in (hostile / "data").rglob("*.json"):
        json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    text = (hostile / "data" / "causal-v1" / "leaderboard.csv").read_bytes().decode()
    assert "\r\n" in text
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    names = [row["entrant.name"] for row in rows]
    assert len(names) == len(HOSTILE_NAMES)
    assert f"'{HOSTILE_NAMES[1]}" in names
    assert HOSTILE_NAMES[0] in names
    for row in rows:
        assert row["cost_usd"] == ""
        for key, value in row.items():
            if value.startswith(("=", "+", "-", "@", "\t")):
                assert key in ("public_minus_private",), (key, value)
                float(value)


def test_a_leaderboard_of_one_entrant_and_one_of_none(tmp_path: Path, examples: Path) -> None:
    data = write_publication(tmp_path / "one", entrants=1, versions=1)
    text = (build(data, examples, tmp_path / "out-one") / "causal-v1" / "index.html").read_text()
    assert text.count("<tr data-slug=") == 1
    (tmp_path / "none").mkdir()
    entry = p.VersionEntry(version="causal-v1", track="causal", title="Causal v1", status="current", date="2026-01-01",
                           items=440, entrants=0, root=None, note="")  # fmt: skip
    write(tmp_path / "none", p.Versions(versions=(entry,)), "versions")
    board = p.Leaderboard(version="causal-v1", track="causal", planned=440, updated=None, rows=())
    write(tmp_path / "none" / "causal-v1", board, "leaderboard")
    text = (build(tmp_path / "none", examples, tmp_path / "out-none") / "causal-v1" / "index.html").read_text()
    assert "No entrant has a complete run of this version yet." in text


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("versions.json", '{"versions":', "not valid JSON"),
        ("versions.json", '{"versions": [{"version": "x"}]}', "not the published format at versions.0"),
        ("causal-v1/leaderboard.json", '{"rows": [], "secret": "x"}', "not the published format"),
    ],
)
def test_broken_files_are_one_clear_error_that_names_the_file(
    tmp_path: Path, examples: Path, file: str, text: str, says: str
) -> None:
    data = write_publication(tmp_path / "data", entrants=2, versions=1)
    (data / file).write_text(text)
    with pytest.raises(UserError, match=says) as caught:
        build(data, examples, tmp_path / "out")
    assert file in str(caught.value)
    assert "\n" not in str(caught.value)
