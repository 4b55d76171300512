"""Charts in a real browser: drawn when seen, hover, click, axis, dark switch, instant navigation, one library."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.xdist_group("site")

CHART = "#chart-pareto"


def open_chart(page: Page, address: str, chart: str = CHART) -> None:
    page.goto(address)
    page.locator(chart).scroll_into_view_if_needed()
    page.wait_for_selector(f"{chart} .main-svg")


def place_of(page: Page, slug: str) -> tuple[float, float]:
    """Where the point of an entrant is drawn, in the window."""
    x, y = page.evaluate(
        """slug => {
            const box = document.querySelector('#chart-pareto');
            box.scrollIntoView({block: 'center'});
            const frame = box.getBoundingClientRect();
            const { xaxis, yaxis } = box._fullLayout;
            for (const trace of box._fullData) {
                const index = (trace.customdata ?? []).findIndex(href => href?.includes(slug));
                if (index < 0) continue;
                return [frame.x + xaxis._offset + xaxis.d2p(trace.x[index]),
                        frame.y + yaxis._offset + yaxis.d2p(trace.y[index])];
            }
        }""",
        f"/{slug}/",
    )
    return x, y


@pytest.fixture
def cheapest(data: Path) -> dict[str, str]:
    """The entrant with the lowest known cost: its point is at the left edge, with few others near it."""
    rows = json.loads((data / "causal-v3" / "leaderboard.json").read_text())["rows"]
    row = min((row for row in rows if row["ranked"] and row["cost_usd"]), key=lambda row: row["cost_usd"])
    found: dict[str, str] = row["entrant"]
    return found


def test_the_library_is_loaded_only_when_a_chart_comes_into_view(page: Page, address: str) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url) if "plotly" in request.url else None)
    page.goto(address)
    page.wait_for_selector(".bp-ready")
    assert loaded == []
    open_chart(page, f"{address}causal-v3/pareto/")
    assert len(loaded) == 1


def test_hovering_a_point_names_the_entrant_and_a_click_opens_its_page(
    page: Page, address: str, cheapest: dict[str, str]
) -> None:
    open_chart(page, f"{address}causal-v3/pareto/")
    page.mouse.move(*place_of(page, cheapest["slug"]))
    expect(page.locator(f"{CHART} .hoverlayer")).to_contain_text(cheapest["name"])
    expect(page.locator(f"{CHART} .hoverlayer")).to_contain_text("accuracy")
    page.mouse.click(*place_of(page, cheapest["slug"]))
    page.wait_for_url(f"**/causal-v3/models/{cheapest['slug']}/")
    expect(page.locator("h1")).to_contain_text(cheapest["name"])


def test_another_axis_has_its_own_points_and_its_own_frontier(page: Page, address: str, data: Path) -> None:
    open_chart(page, f"{address}causal-v3/pareto/")
    axes = {axis["axis"]: axis for axis in json.loads((data / "causal-v3" / "pareto.json").read_text())["axes"]}
    for key in ("cost_usd", "thinking_tokens", "latency_s"):
        page.select_option("#axis-pareto", key)
        page.wait_for_selector(f'{CHART}[data-bp-drawn="{key}"]')
        drawn = page.evaluate("document.querySelector('#chart-pareto').data")
        points = axes[key]["points"]
        frontier = next(trace for trace in drawn if trace["name"] == "frontier")
        assert sorted(frontier["x"]) == sorted(point["x"] for point in points if point["on_frontier"])
        shown = [x for trace in drawn if trace is not frontier for x in trace["x"]]
        assert sorted(shown) == sorted(point["x"] for point in points if point["x"] is not None)


def test_tiers_differ_by_shape_and_not_by_colour_alone(page: Page, address: str) -> None:
    open_chart(page, f"{address}causal-v3/pareto/")
    looks = page.evaluate(
        "document.querySelector('#chart-pareto').data.filter(t => t.mode === 'markers').map(t => t.marker.symbol)"
    )
    assert len(looks) > 3
    assert len(set(looks)) == len(looks)


def test_the_dark_switch_recolours_a_drawn_chart(page: Page, address: str) -> None:
    open_chart(page, f"{address}causal-v3/pareto/")
    ink = "document.querySelector('#chart-pareto').layout.font.color"
    before = page.evaluate(ink)
    page.evaluate("scrollTo(0, 0)")
    page.click("label[title='Switch to dark mode']")
    page.wait_for_function(f"{ink} !== {json.dumps(before)}")
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    expect(page.locator(f"{CHART} .main-svg").first).to_be_visible()


def test_charts_survive_instant_navigation_there_and_back_with_one_copy_of_the_library(
    page: Page, address: str
) -> None:
    loads: list[str] = []
    page.on(
        "request", lambda request: loads.append(request.url) if request.url.endswith("plotly-basic.min.js") else None
    )
    open_chart(page, f"{address}causal-v3/pareto/")
    page.evaluate("window.stayed = true")
    for label, chart in (("Timeline", "#chart-timeline"), ("Skills", "#chart-skills"), ("Pareto", CHART)):
        page.click(f".bp-strip a:text-is('{label}')")
        page.wait_for_selector(f"{chart} .main-svg")
    page.go_back()
    page.wait_for_selector("#chart-skills .main-svg")
    assert page.evaluate("window.stayed") is True, "a whole page load is no instant navigation"
    assert len(loads) == 1


def test_the_leaderboard_answers_after_instant_navigation(page: Page, address: str) -> None:
    page.goto(f"{address}causal-v3/pareto/")
    page.wait_for_selector(".bp-strip")
    page.evaluate("window.stayed = true")
    page.click(".bp-strip a:text-is('Leaderboard')")
    page.wait_for_selector("#board-causal-v3.bp-ready")
    page.fill("#bp-find", "linnet")
    expect(page.locator(".bp-count")).to_contain_text("shown")
    assert page.evaluate("window.stayed") is True


def test_every_figure_of_a_chart_is_in_the_table_beside_it(page: Page, address: str, data: Path) -> None:
    page.goto(f"{address}causal-v3/timeline/")
    points = json.loads((data / "causal-v3" / "timeline.json").read_text())["points"]
    expect(page.locator("h2#table + section tbody tr")).to_have_count(len(points))
    expect(page.locator(".bp-chart")).to_have_attribute("role", "img")


def test_reported_figures_of_the_paper_stand_apart_and_name_their_source(page: Page, address: str) -> None:
    page.goto(f"{address}replay-v1/replay/")
    reported = page.locator(".bp-reported")
    expect(reported).to_contain_text("These figures are not ours.")
    expect(reported).to_contain_text("arXiv 2605.08197")
    # Table 2 of the paper's release: Hid-Full, GPT-5.4, HeldoutExact .292.
    row = reported.locator("tr", has_text="Hid-Full").filter(has_text="GPT-5.4")
    expect(row).to_contain_text("29.2%")
    expect(page.locator("h2#own + section").first).not_to_contain_text("GPT-5.4")
