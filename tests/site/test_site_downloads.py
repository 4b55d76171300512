"""What the site holds beside its pages: downloads, feed, badges, the reference; and what single pages must say."""

import csv
import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from html import unescape
from pathlib import Path

import pytest
from benchpress import generation, grading, items
from installed import ROOT

pytestmark = pytest.mark.xdist_group("site")


def test_downloads_hold_what_is_shown_with_a_schema_for_each(site: Path, data: Path) -> None:
    home = site / "data" / "causal-v3"
    ours = json.loads((data / "causal-v3" / "leaderboard.json").read_text())
    assert json.loads((home / "leaderboard.json").read_text()) == ours
    for path in home.glob("*.json"):
        assert (site / "data" / "schema" / path.name).is_file(), path.name
    rows = list(csv.DictReader(io.StringIO((home / "leaderboard.csv").read_text(), newline="")))
    assert [row["entrant.slug"] for row in rows] == [row["entrant"]["slug"] for row in ours["rows"]]
    pairs = list(csv.DictReader(io.StringIO((home / "pairs.csv").read_text(), newline="")))
    published = json.loads((home / "pairs.json").read_text())
    assert len(pairs) == len(published["pairs"])
    first = published["pairs"][0]
    assert pairs[0]["a.slug"] == published["sides"][first["a"]]["slug"]
    assert pairs[0]["b.slug"] == published["sides"][first["b"]]["slug"]
    cells = list(csv.DictReader(io.StringIO((home / "models.csv").read_text(), newline="")))
    assert {cell["margin"] for cell in cells} == {"bundles", "variants", "levels", "parts", "skills"}


def test_the_feed_is_atom_with_ids_that_stay(site: Path) -> None:
    space = {"a": "http://www.w3.org/2005/Atom"}
    feed = ET.parse(site / "feed.xml").getroot()
    entries = feed.findall("a:entry", space)
    assert len(entries) == 9
    dates = [entry.findtext("a:updated", "", space) for entry in entries]
    assert dates == sorted(dates, reverse=True)
    ids = [entry.findtext("a:id", "", space) for entry in entries]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", one) for one in ids)


def test_a_badge_names_version_accuracy_and_interval_and_of_a_partial_run_only_that_it_is_one(
    site: Path, data: Path
) -> None:
    rows = json.loads((data / "causal-v3" / "leaderboard.json").read_text())["rows"]
    for row in (rows[0], next(row for row in rows if not row["ranked"])):
        badge = ET.parse(site / "badges" / "causal-v3" / f"{row['entrant']['slug']}.svg").getroot()
        title = badge.findtext("{http://www.w3.org/2000/svg}title", "")
        assert "causal-v3" in title
        assert (f"{row['accuracy']['value'] * 100:.1f}%" in title) is row["ranked"]
        assert ("not ranked" in title) is not row["ranked"]


def test_the_reference_lists_every_command_and_format_of_the_program(site: Path) -> None:
    program = Path(sys.executable).with_name("benchpress")
    help_text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  ([a-z-]+)  +[A-Z]", help_text, re.MULTILINE)
    assert len(names) > 10
    page = (site / "reference" / "commands" / "index.html").read_text()
    assert [name for name in names if f"benchpress {name}" not in page] == []
    formats = subprocess.run([program, "schema"], capture_output=True, text=True, check=True).stdout.split()
    for name in formats:
        assert (site / "reference" / "schemas" / f"{name}.json").is_file()


def test_what_left_the_house_is_listed_by_day_with_what_is_kept_of_it(site: Path, data: Path) -> None:
    sent = json.loads((data / "causal-v3" / "runs.json").read_text())["exposures"]
    text = (site / "causal-v3" / "register" / "index.html").read_text()
    table = text[text.index('id="exposures"') : text.index('id="commitment"')]
    assert table.count("<tr><td>") == len(sent) > 0
    assert "for a stated time" in table
    assert "not known" in table
    lines = list(csv.DictReader(io.StringIO((site / "data" / "causal-v3" / "exposures.csv").read_text(), newline="")))
    assert [line["slug"] for line in lines] == [one["slug"] for one in sent]


def test_the_difference_between_public_and_sealed_items_stands_with_its_interval(site: Path, data: Path) -> None:
    pages = [json.loads(path.read_text()) for path in sorted((data / "causal-v3" / "models").glob("*.json"))]
    measured = next(page for page in pages if page["public_gap"])
    text = (site / "causal-v3" / "models" / measured["row"]["entrant"]["slug"] / "index.html").read_text()
    limits = [f"{100 * measured['public_gap'][key]:+.1f}".replace("-", "\u2212") for key in ("low", "high")]
    assert f"95% interval {limits[0]} to {limits[1]}" in text
    without = next(page for page in pages if not page["public_gap"])
    assert (
        "Public \u2212 private"
        not in (site / "causal-v3" / "models" / without["row"]["entrant"]["slug"] / "index.html").read_text()
    )


def test_the_statuses_of_multiple_choice_are_columns_of_their_own_and_add_up(site: Path, data: Path) -> None:
    rows = json.loads((data / "choice-v1" / "order_bias.json").read_text())["rows"]
    text = (site / "choice-v1" / "order-bias" / "index.html").read_text()
    for head in ("Right", "Wrong", "No letter", "Left out"):
        assert re.search(rf"<th[^>]*>{head}</th>", text), head
    for row in rows:
        figures = "".join(f'<td class="num">{row[key]}</td>' for key in ("right", "wrong", "abstained", "gated"))
        assert figures in text


def words(page: str) -> str:
    """The text of a page with single spaces, without marks."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())


def test_the_python_interface_is_described_by_the_programs_own_docstrings(site: Path) -> None:
    page = (site / "reference" / "api" / "index.html").read_text()
    for module, name in ((grading, "grade_item"), (generation, "generate"), (items, "Item")):
        described = getattr(module, name)
        assert f'id="{module.__name__}.{name}"' in page
        first = (described.__doc__ or "").split(".")[0].split("`")[0].strip()
        assert len(first) > 5
        assert first in words(page)
    assert "grade_item(item: Item, response: Response) -> ItemResult" in words(page), "signatures with their types"
    assert "TRUNCATED = 'truncated'" in words(page), "members of an enumeration"
    assert 'href="#benchpress.grading.grade_item"' in page, "names in docstrings are links"
    assert "PartResult(id: str" in words(page), "a class without words of its own is there too"


def test_whatever_a_worked_example_imports_is_in_the_reference(site: Path) -> None:
    pages = [(site / "reference" / name / "index.html").read_text() for name in ("api", "seams")]
    described = set(re.findall(r'id="(benchpress[\w.]*)"', "".join(pages)))
    read = [(ROOT / name).read_text() for name in ("CONTRIBUTING.md", "docs/plugins.md")]
    imported = re.findall(r"^from (benchpress[\w.]*) import (.+)$", "".join(read), re.MULTILINE)
    wanted = {(module, name) for module, names in imported for name in names.split(", ")}
    assert len(wanted) > 12
    for module, name in sorted(wanted):
        # Some rooms pass on what their `base` defines, and are imported from by the shorter name.
        assert {f"{module}.{name}", f"{module}.base.{name}"} & described, (module, name)


def test_no_role_of_a_docstring_is_left_as_it_was_written(site: Path) -> None:
    for name in ("api", "seams"):
        page = (site / "reference" / name / "index.html").read_text()
        assert not re.search(r":(func|class|meth|mod|data):", page)
        assert "<autoref" not in page
