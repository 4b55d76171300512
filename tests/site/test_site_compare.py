"""Comparing two entrants, and grading an answer in the page, in a real browser."""

import json
from pathlib import Path

import pytest
from benchpress.grading import grade_item
from benchpress.items import Item, Response
from benchpress.jsonl import read_items
from benchpress.protocol import render_answer
from benchpress_evaluator.stats.paired import tango
from benchpress_site.paired import widest
from playwright.sync_api import Browser, Page, expect

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


def shown_limits(text: str) -> tuple[float, float]:
    low, high = (float(part.replace("\u2212", "-").replace("\u00b1", "")) for part in text.split(" to "))
    return low, high


def compatible(first: int, second: int, n: int) -> list[tuple[int, int]]:
    """How many items only the first, and only the second, can have had right."""
    tables = ((b, b - first + second) for b in range(n + 1))
    return [(b, c) for b, c in tables if 0 <= c <= second and b <= first and b + second <= n]


def test_the_interval_of_a_bundle_covers_every_paired_interval_that_the_shares_allow() -> None:
    n = 20
    shares = [(first, second) for first in range(n + 1) for second in range(n + 1)]
    rows = [(pair, table) for pair in shares for table in compatible(*pair, n)]
    lows, highs = tango([b for _, (b, _) in rows], [c for _, (_, c) in rows], [n] * len(rows))
    outer: dict[tuple[int, int], tuple[float, float]] = {}
    for (pair, _), low, high in zip(rows, lows, highs, strict=True):
        known = outer.get(pair, (1.0, -1.0))
        outer[pair] = (min(known[0], low), max(known[1], high))
    for pair in shares:
        assert widest(*pair, n) == pytest.approx(outer[pair], abs=1e-6), pair


def test_every_bundle_has_a_difference_with_a_paired_interval(page: Page, address: str, data: Path) -> None:
    sides = json.loads((data / "causal-v3" / "pairs.json").read_text())["sides"]
    # The first two come written out, any others are written by the page; both by the same rule.
    for places, query in (((0, 1), ""), ((4, 9), f"?a={sides[4]['slug']}&b={sides[9]['slug']}")):
        page.goto(f"{address}causal-v3/compare/{query}")
        models = [
            json.loads((data / "causal-v3" / "models" / f"{sides[place]['slug']}.json").read_text()) for place in places
        ]
        expect(page.locator("[data-bp-result] thead").nth(1)).to_contain_text(models[1]["row"]["entrant"]["name"])
        lines = page.locator("[data-bp-result] table").nth(1).locator("tbody tr").all_inner_texts()
        assert len(lines) == len(models[0]["bundles"])
        for line, one, other in zip(lines, models[0]["bundles"], models[1]["bundles"], strict=True):
            figures = line.split("\t")
            assert float(figures[4].replace("\u2212", "-").replace("\u00b1", "")) == pytest.approx(
                100 * (one["accuracy"] - other["accuracy"]), abs=0.051
            )
            right = [round(cell["accuracy"] * cell["n"]) for cell in (one, other)]
            tables = compatible(right[0], right[1], one["n"])
            low, high = tango([b for b, _ in tables], [c for _, c in tables], [one["n"]] * len(tables))
            assert shown_limits(figures[5]) == pytest.approx((100 * low.min(), 100 * high.max()), abs=0.051)


def test_the_first_two_can_be_compared_without_scripts(browser: Browser, address: str, data: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}causal-v3/compare/")
    pair = json.loads((data / "causal-v3" / "pairs.json").read_text())["pairs"][0]
    expect(page.locator("[data-bp-result]")).to_contain_text(f"{pair['probability'] * 100:.1f}%")
    context.close()


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


def test_an_example_says_in_words_why_each_part_has_its_key(page: Page, address: str, item: Item) -> None:
    page.goto(f"{address}examples/causal/confounding/")
    block = page.locator(f'[data-item="{item.id}"]')
    block.locator("summary").click()
    effect = next(part.gold for part in item.parts if part.id == "EFFECT")
    reason = block.locator("tr", has_text="EFFECT").first.locator(".bp-why")
    expect(reason).to_contain_text("directed paths")
    expect(reason).to_contain_text(str(effect))


def test_a_replay_example_is_followed_by_hand_variable_by_variable(page: Page, address: str, examples: Path) -> None:
    item = next(read_items(examples / "replay.jsonl"))
    page.goto(f"{address}examples/replay/alt_hidden/")
    page.locator("summary", has_text="Show the key").click()
    worked = page.locator(".bp-worked")
    for name, mechanism in item.parts[0].gold["mechanisms"].items():
        expect(worked).to_contain_text(f"{name} = {mechanism}")
    expect(worked.locator("h3").first).to_have_text("One replay by hand")
    expect(worked.locator("table").last).to_contain_text("alternative")
