"""The pages about the causal module say what the code says."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from benchpress.generation import LEVELS
from benchpress.modules.causal import BUNDLES, MODULE
from benchpress.modules.causal.bundle import VARIANTS
from installed import ROOT

DOCS = ROOT / "docs"
PACKAGE = ROOT / "generator" / "src" / "benchpress"
_FILE = re.compile(r"`([\w/.]+\.(?:py|md))`")


def rows(text: str) -> list[list[str]]:
    """The cells of every table row, without heads and rules."""
    listed = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in listed if not set("".join(row)) <= set("-:| ")]


def where(name: str) -> Path:
    """A file as the pages name it: tests and benchmarks from the root, the rest from the package."""
    return (ROOT if name.startswith(("tests/", "benchmarks/")) else PACKAGE) / name


def test_every_pitfall_is_answered_in_order() -> None:
    answered = [row for row in rows((DOCS / "causal-pitfalls.md").read_text()) if row[0].isdigit()]
    assert [int(row[0]) for row in answered] == list(range(1, 54))
    for row in answered:
        assert len(row) == 4, row
        assert all(row), row
        assert _FILE.findall(row[3]), row


@pytest.mark.parametrize("page", ["causal-pitfalls.md", "causal.md"])
def test_every_file_that_a_page_names_exists(page: str) -> None:
    named = sorted(set(_FILE.findall((DOCS / page).read_text())))
    assert named
    assert [name for name in named if not where(name).is_file()] == []


def test_the_knobs_on_the_page_are_those_of_the_code() -> None:
    _, _, after = (DOCS / "causal.md").read_text().partition("<!-- knobs -->")
    block, closed, _ = after.partition("<!-- /knobs -->")
    assert closed
    stated = {
        title: {row[0]: [int(cell) for cell in row[1:]] for row in rows(body) if row[0] != "knob"}
        for title, body in re.findall(r"### (\w+)\n(.*?)(?=\n### |\Z)", block, re.DOTALL)
    }
    assert stated == {
        name: {knob: [room.knobs(level)[knob] for level in LEVELS] for knob in room.knobs(1)}
        for name, room in MODULE.rooms.items()
    }, "write them anew with: python benchmarks/difficulty.py --knobs"


@pytest.mark.parametrize("bundle", BUNDLES)
def test_no_knob_falls_with_the_level(bundle: str) -> None:
    steps = [MODULE.rooms[bundle].knobs(level) for level in LEVELS]
    assert {tuple(step) for step in steps} == {tuple(steps[0])}
    for low, high in pairwise(steps):
        assert all(low[knob] <= high[knob] for knob in low)
    assert steps[0] != steps[-1]


def test_every_bundle_and_variant_is_described() -> None:
    text = (DOCS / "causal-bundles.md").read_text()
    for name in BUNDLES:
        assert f"{{#{name}}}" in text, "the page of its examples links here"
        room = MODULE.rooms[name]
        described = re.search(rf"^\*\*`{name}`\*\*(.*?)(?=\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
        assert described, name
        missing = [part for part in room.parts if f"`{part}`" not in described[1]]
        assert not missing, (name, missing)
    assert all(f"| `{variant}` |" in (DOCS / "causal.md").read_text() for variant in VARIANTS)
