"""The leaderboard in a real browser: sort, search, filter, columns, address, keyboard, phone, no scripts."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from building import build
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.xdist_group("site")

BOARD = "#board-causal-v3"


def column(page: Page, key: str, table: str = BOARD) -> list[str]:
    """Texts of a column's cells, as shown."""
    cells = page.locator(f'{table} tbody tr:not([hidden]) [data-col="{key}"]')
    return [text.strip() for text in cells.all_inner_texts()]


def values(page: Page, key: str) -> list[float | None]:
    """Sort keys of a column's cells; None where the value is missing."""
    script = f"""[...document.querySelectorAll('{BOARD} tbody tr:not([hidden]) [data-col="{key}"]')]
        .map(cell => cell.dataset.v === undefined ? null : Number(cell.dataset.v))"""
    found: list[float | None] = page.evaluate(script)
    return found


def open_board(page: Page, address: str) -> None:
    """Open a page and wait until its table answers."""
    page.goto(address)
    page.wait_for_selector(f"{BOARD}.bp-ready")


def sort_by(page: Page, key: str) -> None:
    page.click(f'{BOARD} th[data-col="{key}"] button')


def test_the_first_page_shows_the_leaderboard_with_every_entrant_that_has_a_full_run(page: Page, address: str) -> None:
    open_board(page, address)
    expect(page.locator(f"{BOARD} tbody tr")).to_have_count(59)
    expect(page.locator(".bp-count")).to_have_text("59 entrants")


def test_figures_sort_as_numbers_and_missing_ones_stay_last_in_both_directions(page: Page, address: str) -> None:
    open_board(page, f"{address}causal-v3/")
    for direction, reverse in (("descending", True), ("ascending", False)):
        sort_by(page, "cost")
        expect(page.locator(f'{BOARD} th[data-col="cost"]')).to_have_attribute("aria-sort", direction)
        shown = values(page, "cost")
        known = [value for value in shown if value is not None]
        assert None in shown, "the invented data have unknown costs"
        assert shown == sorted(known, reverse=reverse) + [None] * (len(shown) - len(known))
    sort_by(page, "cost")
    expect(page.locator(f"{BOARD} th[aria-sort]")).to_have_count(0)


def test_ties_keep_the_published_order(page: Page, address: str) -> None:
    open_board(page, f"{address}causal-v3/")
    before = column(page, "model")
    sort_by(page, "planned")
    assert column(page, "model") == before


def test_search_and_filters_show_what_matches_and_the_address_reproduces_it(page: Page, address: str) -> None:
    open_board(page, f"{address}causal-v3/")
    page.fill("#bp-find", "heron")
    page.select_option("#bp-open", "closed")
    sort_by(page, "latency")
    shown = column(page, "model")
    assert shown
    assert all("Heron" in name for name in shown)
    status = page.inner_text(".bp-count")
    assert status.endswith("of 60 entrants shown")
    open_board(page, page.url)
    assert column(page, "model") == shown
    assert page.inner_text(".bp-count") == status
    expect(page.locator("#bp-find")).to_have_value("heron")
    expect(page.locator(f'{BOARD} th[data-col="latency"]')).to_have_attribute("aria-sort", "descending")
    page.click(".bp-filters button[type=reset]")
    expect(page.locator(f"{BOARD} tbody tr:not([hidden])")).to_have_count(59)
    assert "?" not in page.url


def test_dates_filter_without_a_shift_by_time_zone(browser: Browser, address: str, data: Path) -> None:
    rows = json.loads((data / "causal-v3" / "leaderboard.json").read_text())["rows"]
    dates = [row["entrant"]["launch_date"] for row in rows if row["ranked"]]
    day = next(date for date in dates if date)
    for zone in ("Pacific/Kiritimati", "America/Los_Angeles"):
        context = browser.new_context(timezone_id=zone)
        page = context.new_page()
        open_board(page, f"{address}causal-v3/?from={day}&to={day}")
        assert set(column(page, "launched")) == {day}
        assert len(column(page, "launched")) == dates.count(day)
        context.close()


def test_an_unknown_filter_value_in_the_address_hides_nothing(page: Page, address: str) -> None:
    open_board(page, f"{address}causal-v3/?org=Nobody&sort=nothing&dir=up")
    expect(page.locator(f"{BOARD} tbody tr:not([hidden])")).to_have_count(59)


def test_columns_can_be_chosen_and_the_choice_is_in_the_address(page: Page, address: str) -> None:
    open_board(page, f"{address}causal-v3/")
    expect(page.locator(f'{BOARD} th[data-col="output"]')).to_be_hidden()
    page.click(".bp-columns summary")
    page.check("input[name=col][value=output]")
    page.uncheck("input[name=col][value=cost]")
    page.keyboard.press("Escape")
    open_board(page, page.url)
    expect(page.locator(f'{BOARD} th[data-col="output"]')).to_be_visible()
    expect(page.locator(f'{BOARD} th[data-col="cost"]')).to_be_hidden()


def test_columns_are_chosen_by_keyboard_alone(page: Page, address: str) -> None:
    open_board(page, f"{address}causal-v3/")
    page.focus(".bp-columns summary")
    page.keyboard.press("Enter")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.value") == "run":
            break
    page.keyboard.press("Space")
    expect(page.locator(f'{BOARD} th[data-col="run"]')).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".bp-columns fieldset")).to_be_hidden()
    assert page.evaluate("document.activeElement.matches('.bp-columns summary')")
    assert "cols=" in page.url
    # The date of a run stands in a column of its own, and as the day that it was.
    assert all(re.fullmatch(r"2026-10-\d\d", day) for day in column(page, "run"))


def test_everything_on_the_table_works_by_keyboard_alone(page: Page, address: str) -> None:
    open_board(page, f"{address}causal-v3/")
    page.focus("#bp-find")
    page.keyboard.type("ibis")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('th')?.dataset.col") == "accuracy":
            break
    page.keyboard.press("Enter")
    expect(page.locator(f'{BOARD} th[data-col="accuracy"]')).to_have_attribute("aria-sort", "descending")
    page.keyboard.press("Enter")
    expect(page.locator(f'{BOARD} th[data-col="accuracy"]')).to_have_attribute("aria-sort", "ascending")
    assert all("Ibis" in name for name in column(page, "model"))
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('tbody') !== null"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/models/ibis-*/")


def test_partial_runs_are_apart_and_have_no_rank(page: Page, address: str) -> None:
    open_board(page, f"{address}causal-v3/")
    partial = column(page, "model", "#unranked-causal-v3")
    assert len(partial) == 1
    assert partial[0] not in column(page, "model")
    assert column(page, "rank", "#unranked-causal-v3") == ["–"]
    expect(page.locator(".bp-reasons")).to_contain_text("partial run: 15 of 440 items")
    # Items that were not asked are not wrong, so no accuracy stands there.
    [accuracy] = column(page, "accuracy", "#unranked-causal-v3")
    assert re.match(r"\d+ of 15 right", accuracy)
    assert "%" not in accuracy


def test_statistical_ties_are_visible(page: Page, address: str) -> None:
    open_board(page, f"{address}causal-v3/")
    letters = column(page, "tie")
    assert letters[0] == "A"
    assert letters == sorted(letters, key=lambda letter: (len(letter), letter))
    assert any("–" in ranks for ranks in column(page, "rank"))


def test_without_scripts_the_whole_table_can_be_read(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{address}causal-v3/")
    expect(page.locator(f"{BOARD} tbody tr")).to_have_count(59)
    for key in ("accuracy", "refusal", "truncated", "pending", "run", "output"):
        expect(page.locator(f'{BOARD} th[data-col="{key}"]')).to_be_visible()
    expect(page.locator(".bp-filters")).to_be_hidden()
    page.goto(f"{address}causal-v3/pareto/")
    expect(page.locator("table").first).to_be_visible()
    context.close()


@pytest.mark.parametrize("where", ["", "causal-v3/", "causal-v3/pareto/", "causal-v3/skills/", "examples/"])
def test_a_phone_shows_pages_without_scrolling_sideways(browser: Browser, address: str, where: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{address}{where}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_a_notice_on_top_says_when_the_set_no_longer_tells_the_best_apart(page: Page, address: str) -> None:
    page.goto(f"{address}causal-v1/")
    notice = page.locator(".bp-saturated")
    expect(notice).to_contain_text("no longer tells the best entrants apart")
    notice.locator("summary").click()
    expect(notice).to_contain_text("91% of resamples")
    open_board(page, f"{address}causal-v3/")
    expect(page.locator(".bp-saturated")).to_have_count(0)


def test_every_page_of_invented_data_says_so(site: Path) -> None:
    pages = [path for path in site.rglob("*.html") if path.name != "404.html"]
    assert len(pages) > 180
    assert all("Synthetic data." in path.read_text(encoding="utf-8") for path in pages)


def test_real_data_carry_no_such_notice(
    tmp_path: Path, examples: Path, serve: Callable[[Path], str], page: Page
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "versions.json").write_text('{"format": "benchpress.versions/1", "versions": []}')
    page.goto(serve(build(tmp_path / "data", examples, tmp_path / "out")))
    expect(page.locator("body")).not_to_contain_text("Synthetic data")
    expect(page.locator("body")).to_contain_text("Nothing has been published yet")
