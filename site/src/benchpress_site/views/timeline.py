"""The frontier over launch dates, and how versions compare."""

from collections.abc import Iterator

from benchpress.publication import Timeline, TimelinePoint

from benchpress_site import charts, formats
from benchpress_site.charts import Chart, Point, Series, View
from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page
from benchpress_site.views.board import href
from benchpress_site.views.columns import group


def view(version: Version, published: Timeline) -> View:
    groups = sorted({group(row) for row in version.rows})
    placed: dict[str, list[Point]] = {}
    for point in published.points:
        placed.setdefault(group(version.row(point.slug, point.method)), []).append(_point(version, point))
    series = [
        Series(name, tuple(placed[name]), look=groups.index(name) if name in groups else len(groups))
        for name in sorted(placed)
    ]
    best = sorted((point for point in published.points if point.on_frontier), key=lambda point: point.launch_date)
    if best:
        frontier = tuple(Point(point.launch_date, point.accuracy.value, "") for point in best)
        series.insert(0, Series("frontier", frontier, look=-1, lines=True, markers=False, steps=True))
    return View("launch", "Launch date", "Launch date", "date", "Accuracy", tuple(series))


def _point(version: Version, point: TimelinePoint) -> Point:
    accuracy = point.accuracy
    interval = f"{formats.share(accuracy.low)} to {formats.share(accuracy.high)}"
    figures = f"launched {point.launch_date}\naccuracy {formats.share(accuracy.value)} ({interval})"
    label = f"{formats.clean(point.name)}\n{figures}"
    target = f"../models/{point.slug}/" if point.slug in version.models else None
    return Point(point.launch_date, accuracy.value, label, accuracy.low, accuracy.high, target)


def pages(_publication: Publication, version: Version) -> Iterator[Page]:
    published = version.get("timeline", Timeline)
    if published is None:
        return
    chart = Chart("timeline", "Accuracy over launch dates", (view(version, published),))
    points = sorted(published.points, key=lambda point: (point.launch_date, point.slug))
    yield Page(
        f"{version.name}/timeline.md",
        "timeline.html",
        f"Timeline, {version.entry.title}",
        f"How accuracy on {version.entry.title} grew with the launch dates of models.",
        {
            "version": version,
            "here": "timeline",
            "chart": None if chart.empty else chart,
            "points": [(point, href(version, point.slug)) for point in points],
            "undated": [version.label(slug, "") for slug in published.undated],
            "bridges": published.bridges,
        },
        wide=True,
        beside={} if chart.empty else {"charts.json": charts.file(chart)},
    )
