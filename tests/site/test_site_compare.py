"""Comparing two entrants, and grading an answer in the page, in a real browser."""

import json
from pathlib import Path

import pytest
from benchpress.grading import grade_item
from benchpress.items import Item, Response
from benchpress.jsonl import read_items
from benchpress.protocol import render_answer
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.xdist_group("site")


def test_two_entrants_compare_by_their_published_pair_and_the_address_keeps_them(
    page: Page, address: str, data: Path
) -> None:
    published = json.loads((data / "causal-v3" / "pairs.json").read_text())
    pair = next(pair for pair in published["pairs"] if (pair["a"], pair["b"]) == (2, 7))
    first, second = (published["sides"][place]["slug"] for place in (2, 7))
    points = f"{pair['difference']['value'] * 100:+.1f} points".replace("-", "\u2212")
    page.goto(f"{address}causal-v3/compare/?a={first}&b={second}")
    expect(page.locator("[data-bp-result]")).to_contain_text(points)
    expect(page.locator("[data-bp-result]")).to_contain_text(f"{pair['probability'] * 100:.1f}%")
    page.click("[data-bp-swap]")
    turned = points.replace("+", "\u2212") if "+" in points else points.replace("\u2212", "+")
    expect(page.locator("[data-bp-result]")).to_contain_text(turned)
    assert f"a={second}&b={first}" in page.url
    expect(page.locator("[data-bp-result] h2")).to_have_text("By bundle")
    expect(page.locator("[data-bp-result] table").nth(1).locator("tbody tr")).to_have_count(22)


def test_the_same_entrant_twice_asks_for_another(page: Page, address: str) -> None:
    page.goto(f"{address}causal-v3/compare/")
    page.select_option("#bp-b", index=0)
    expect(page.locator("[data-bp-result]")).to_have_text("Choose two different entrants.")


@pytest.fixture
def item(examples: Path) -> Item:
    return next(read_items(examples / "causal.jsonl"))


def test_a_typed_answer_is_graded_by_the_projects_own_rules_and_only_then_loads_the_grader(
    page: Page, address: str, item: Item
) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url) if "pyodide" in request.url else None)
    right = render_answer(item.parts, {part.id: part.gold for part in item.parts})
    wrong = right.replace("BIAS_DIRECTION", "DIRECTION_OF_BIAS")
    page.goto(f"{address}examples/causal/confounding/")
    form = page.locator(f'[data-bp-answer="{item.id}"]')
    page.wait_for_timeout(500)
    assert loaded == []
    for answer, verdict in ((right, "Correct"), (wrong, "Not correct"), ("I do not know.", "Not correct")):
        form.locator("textarea").fill(answer)
        form.locator("button").click()
        expect(form.locator(".bp-verdict p span")).to_have_text(verdict, timeout=90_000)
        expect(form.locator(".bp-verdict")).not_to_contain_text("Grading")
        result = grade_item(item, Response(item.id, answer))
        marks = form.locator(".bp-verdict li span").all_inner_texts()
        assert marks == ["right" if part.correct else "wrong" for part in result.parts]
    assert loaded


def test_an_example_shows_prompt_graph_key_and_how_the_key_was_confirmed(page: Page, address: str, item: Item) -> None:
    page.goto(f"{address}examples/causal/confounding/")
    block = page.locator(f'[data-item="{item.id}"]')
    assert block.locator("pre").inner_text().strip() == item.prompt.strip()
    block.locator("summary").click()
    expect(block.locator("svg.bp-dag text").first).to_be_visible()
    for part in item.parts:
        expect(block.locator("table")).to_contain_text(part.id)
    expect(block.locator("details")).to_contain_text(item.verification[0].methods[0].replace("_", " "))
