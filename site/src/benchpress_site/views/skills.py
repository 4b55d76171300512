"""Which concepts the field fails, and a heat map of entrants by bundle."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchpress.publication import Cell, Skill, Skills

from benchpress_site import charts, formats
from benchpress_site.charts import Chart, Point, Series, View
from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page
from benchpress_site.views.board import href


@dataclass(frozen=True)
class HeatRow:
    name: str
    href: str | None
    cells: tuple[Cell | None, ...]


def heat(version: Version) -> tuple[list[str], list[HeatRow]]:
    """Bundles, and the ranked entrants in the order of the leaderboard with their accuracy on each."""
    pages = [
        version.models[row.entrant.slug] for row in version.rows if row.ranked and row.entrant.slug in version.models
    ]
    bundles = sorted({cell.name for page in pages for cell in page.bundles})
    rows = []
    for page in pages:
        cells = {cell.name: cell for cell in page.bundles}
        entrant = page.row.entrant
        rows.append(HeatRow(entrant.name, href(version, entrant.slug), tuple(cells.get(name) for name in bundles)))
    return bundles, rows


def view(skills: tuple[Skill, ...]) -> View:
    """The field's mean and best per skill, hardest first."""
    names = tuple(formats.words(skill.name) for skill in skills)

    def series(name: str, look: int, values: list[float | None]) -> Series:
        points = [
            Point(label, value, f"{label}\n{name} {formats.share(value)}")
            for label, value in zip(names, values, strict=True)
            if value is not None
        ]
        return Series(name, tuple(points), look=look)

    return View(
        "skills",
        "Skills",
        "",
        "category",
        "Accuracy",
        (
            series("best of the field", 1, [skill.field_best for skill in skills]),
            series("mean of the field", 0, [skill.field_mean for skill in skills]),
        ),
        categories=names,
        flipped=True,
    )


def pages(_publication: Publication, version: Version) -> Iterator[Page]:
    published = version.get("skills", Skills)
    bundles, rows = heat(version)
    if not rows and (published is None or not published.skills):
        return
    skills = published.skills if published else ()
    chart = Chart("skills", "Accuracy per skill, hardest first", (view(skills),))
    yield Page(
        f"{version.name}/skills.md",
        "skills.html",
        f"Skills, {version.entry.title}",
        f"Which concepts models fail on {version.entry.title}: accuracy of the field per skill and per bundle.",
        {
            "version": version,
            "here": "skills",
            "skills": skills,
            "chart": None if chart.empty else chart,
            "bundles": bundles,
            "rows": rows,
        },
        wide=True,
        beside={} if chart.empty else {"charts.json": charts.file(chart)},
    )
