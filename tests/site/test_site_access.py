"""Accessibility by axe on every page type in both colour schemes, and what a page weighs and shifts."""

import gzip
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from building import build
from playwright.sync_api import Browser, Page
from synthetic import write_publication

pytestmark = pytest.mark.xdist_group("site")

PAGES = [
    "",
    "causal-v1/",
    "causal-v3/",
    "causal-v3/pareto/",
    "causal-v3/compare/",
    "causal-v3/skills/",
    "causal-v3/timeline/",
    "causal-v3/items/",
    "causal-v3/register/",
    "causal-v3/history/",
    "causal-v3/data/",
    "causal-v3/models/avocet-1-00/",
    "choice-v1/order-bias/",
    "replay-v1/replay/",
    "reported/replay/",
    "versions/",
    "examples/",
    "examples/causal/confounding/",
    "examples/replay/alt_hidden/",
    "reference/commands/",
    "reference/schemas/",
    "reference/bundles/",
    "reference/api/",
    "reference/seams/",
    "methodology/",
    "plugins/",
    "clusters/",
]


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory, examples: Path, serve: Callable[[Path], str]) -> str:
    """A site of eight entrants, served: every kind of page and element, and not sixty rows of each."""
    folder = tmp_path_factory.mktemp("few")
    address = f"{serve(folder)}bench/"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BENCHPRESS_SITE_URL", address)
        build(write_publication(folder / "data", entrants=8), examples, folder / "bench")
    return address


@pytest.mark.parametrize("where", PAGES)
def test_axe_finds_nothing_in_light_and_in_dark(browser: Browser, few: str, where: str) -> None:
    context = browser.new_context(
        color_scheme="light", viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{few}{where}")
    for chart in page.locator("[data-bp-chart]").all():
        chart.scroll_into_view_if_needed()
        chart.locator(".main-svg").first.wait_for()
    for summary in page.locator("article summary").all():
        summary.click()
    for scheme in ("default", "slate"):
        # The header fades in when a page is left scrolled; axe must see the colours at rest.
        page.evaluate("scrollTo(0, 0)")
        if scheme == "slate":
            page.click("label[title='Switch to dark mode']")
            page.wait_for_selector(f"body[data-md-color-scheme={scheme}]")
        page.wait_for_timeout(400)
        found = Axe().run(page).response["violations"]
        assert [(one["id"], [node["html"][:160] for node in one["nodes"][:3]]) for one in found] == [], scheme
    context.close()


def weigh(page: Page, address: str, site: Path) -> tuple[int, int]:
    """Compressed bytes of everything that opening a page loads, and the number of requests."""
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(address)
    for chart in page.locator("[data-bp-chart]").all():
        chart.scroll_into_view_if_needed()
        chart.locator(".main-svg").first.wait_for()
    page.wait_for_load_state("networkidle")
    total = 0
    for url in requested:
        path = site.parent / urlsplit(url).path.lstrip("/")
        file = path / "index.html" if path.is_dir() else path
        text = file.read_bytes()
        total += len(text) if file.suffix == ".png" else len(gzip.compress(text, 6))
    return total, len(requested)


@pytest.mark.parametrize("where", ["", "causal-v3/", "causal-v3/models/avocet-2-12/"])
def test_a_page_without_charts_stays_below_250_kilobytes(page: Page, address: str, site: Path, where: str) -> None:
    weight, requests = weigh(page, f"{address}{where}", site)
    assert weight < 250_000
    assert requests < 20


@pytest.mark.parametrize(
    "where", ["causal-v3/pareto/", "causal-v3/skills/", "causal-v3/timeline/", "replay-v1/replay/"]
)
def test_a_page_with_charts_stays_below_600_kilobytes(page: Page, address: str, site: Path, where: str) -> None:
    weight, _ = weigh(page, f"{address}{where}", site)
    assert weight < 600_000


SHIFTS = """window.shifts = [];
new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
        if (entry.hadRecentInput) continue;
        const moved = entry.sources.map(({ node }) => node?.className || node?.nodeName || "gone");
        window.shifts.push([entry.value, moved.join(" ")]);
    }
}).observe({ type: "layout-shift", buffered: true });"""


def shifts(browser: Browser, address: str, width: int) -> list[tuple[float, str]]:
    """What moved while a reader without any cache opened the page, and how much."""
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.add_init_script(SHIFTS)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    found: list[tuple[float, str]] = page.evaluate("window.shifts")
    context.close()
    return found


@pytest.mark.parametrize(
    "where",
    [
        "",
        "causal-v3/",
        "causal-v3/pareto/",
        "causal-v3/compare/",
        "causal-v3/compare/?a=heron-3-31&b=knot-1-10",
        "causal-v3/models/avocet-2-12/",
    ],
)
@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_moves_while_a_page_loads(browser: Browser, address: str, where: str, width: int) -> None:
    # A page's own shift comes at every visit. A busy browser paints a page in pieces while it reads it, and then the
    # columns of a table grow once with their rows; that stays far below what Web Vitals calls good, .1.
    visits = []
    for _ in range(3):
        visits.append(shifts(browser, f"{address}{where}", width))
        assert sum(value for value, _ in visits[-1]) < 0.05, visits
        if sum(value for value, _ in visits[-1]) < 0.01:
            return
    pytest.fail(f"the page moves at every visit: {visits}")
