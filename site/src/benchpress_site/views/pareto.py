"""Accuracy against cost, tokens and time."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchpress.publication import Interval, Pareto, ParetoAxis, ParetoPoint, Row

from benchpress_site import charts, formats
from benchpress_site.charts import Chart, Point, Series, View
from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page
from benchpress_site.views.board import href
from benchpress_site.views.columns import group


@dataclass(frozen=True)
class Entry:
    """One line of the table beside the chart."""

    name: str
    href: str | None
    amount: object
    accuracy: float
    interval: Interval | None
    on_frontier: bool
    probability: float | None


def amount(axis: str, value: float | None) -> object:
    """A value on one of the published axes, with its unit where the unit is short."""
    return {"cost_usd": formats.money, "latency_s": formats.seconds}.get(axis, formats.count)(value)


def view(version: Version, axis: ParetoAxis) -> View:
    """A series per tier, and the frontier as a stepped line."""
    groups = sorted({group(row) for row in version.rows})
    placed: dict[str, list[Point]] = {}
    frontier: list[Point] = []
    for point in axis.points:
        if point.x is None:
            continue
        row = version.row(point.slug, point.method)
        drawn = _point(version, axis, point, point.x, row)
        placed.setdefault(group(row), []).append(drawn)
        if point.on_frontier:
            frontier.append(Point(drawn.x, drawn.y, ""))
    series = [
        Series(name, tuple(placed[name]), look=groups.index(name) if name in groups else len(groups))
        for name in sorted(placed)
    ]
    if frontier:
        frontier.sort(key=lambda point: (point.x, point.y))
        series.insert(0, Series("frontier", tuple(frontier), look=-1, lines=True, markers=False, steps=True))
    kind = charts.scale(point.x for point in axis.points if point.x is not None)
    return View(axis.axis, axis.label, f"{axis.label} ({axis.unit})", kind, "Accuracy", tuple(series))


def _point(version: Version, axis: ParetoAxis, point: ParetoPoint, x: float, row: Row | None) -> Point:
    interval = row.accuracy if row else None
    lines = [formats.clean(row.entrant.name) if row else point.slug, f"accuracy {formats.share(point.accuracy)}"]
    if interval:
        lines[-1] += f" ({formats.share(interval.low)} to {formats.share(interval.high)})"
    lines.append(f"{axis.label.lower()}: {amount(axis.axis, x)}")
    if point.on_frontier:
        lines.append("on the frontier")
    return Point(
        x,
        point.accuracy,
        "\n".join(lines),
        interval.low if interval else None,
        interval.high if interval else None,
        f"../models/{point.slug}/" if point.slug in version.models else None,
    )


def entries(version: Version, axis: ParetoAxis) -> list[Entry]:
    """Cheapest first; what is not known comes last."""
    found = []
    for point in sorted(axis.points, key=lambda point: (point.x is None, point.x or 0.0, -point.accuracy, point.slug)):
        row = version.row(point.slug, point.method)
        found.append(
            Entry(
                row.entrant.name if row else point.slug,
                href(version, point.slug),
                amount(axis.axis, point.x),
                point.accuracy,
                row.accuracy if row else None,
                point.on_frontier,
                point.frontier_probability,
            )
        )
    return found


def pages(_publication: Publication, version: Version) -> Iterator[Page]:
    published = version.get("pareto", Pareto)
    if published is None:
        return
    views = (view(version, axis) for axis in published.axes)
    chart = Chart("pareto", "Accuracy against what it takes", tuple(one for one in views if one.series))
    yield Page(
        f"{version.name}/pareto.md",
        "pareto.html",
        f"Pareto frontiers, {version.entry.title}",
        f"Accuracy against cost, tokens and latency on {version.entry.title}, with frontiers and intervals.",
        {
            "version": version,
            "here": "pareto",
            "chart": None if chart.empty else chart,
            "axes": [{"axis": axis, "entries": entries(version, axis)} for axis in published.axes],
        },
        wide=True,
        beside={} if chart.empty else {"charts.json": charts.file(chart)},
    )
