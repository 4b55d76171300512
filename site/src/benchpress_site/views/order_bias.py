"""How the order of options moves answers to multiple-choice questions."""

from collections.abc import Iterator

from benchpress.publication import OrderBias, OrderBiasRow

from benchpress_site import charts, formats
from benchpress_site.charts import Chart, Point, Series, View
from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page
from benchpress_site.views.board import href


def view(version: Version, key: str, label: str, rows: tuple[OrderBiasRow, ...]) -> View:
    """Accuracy against one measure of bias, a series per method."""
    methods = sorted({row.method for row in rows})
    series = []
    for look, method in enumerate(methods):
        points = []
        for row in rows:
            value: float | None = getattr(row, key)
            if row.method != method or value is None:
                continue
            name = version.name_of(row.slug)
            figures = f"accuracy {formats.share(row.accuracy.value)}\n{label.lower()} {value:.3g}"
            text = f"{formats.clean(name)}, {method}\n{row.benchmark}\n{figures}"
            target = f"../models/{row.slug}/" if row.slug in version.models else None
            points.append(Point(value, row.accuracy.value, text, row.accuracy.low, row.accuracy.high, target))
        series.append(Series(method, tuple(points), look=look))
    return View(key, label, label, "linear", "Accuracy", tuple(series))


MEASURES = (
    ("mad", "Mean deviation of picked letters (points)"),
    ("recall_rstd", "Spread of recall over keyed letters (points)"),
    ("order_rstd", "Spread of accuracy over the key's place"),
    ("flip_rate", "Share of questions whose pick changes with the order"),
)


def pages(_publication: Publication, version: Version) -> Iterator[Page]:
    published = version.get("order_bias", OrderBias)
    if published is None:
        return
    views = tuple(view(version, key, label, published.rows) for key, label in MEASURES)
    chart = Chart(
        "bias", "Accuracy against order bias", tuple(one for one in views if any(s.points for s in one.series))
    )
    yield Page(
        f"{version.name}/order-bias.md",
        "order_bias.html",
        f"Order bias, {version.entry.title}",
        f"How much the order of options moves answers on {version.entry.title}.",
        {
            "version": version,
            "here": "order-bias",
            "chart": None if chart.empty else chart,
            "rows": [(row, version.name_of(row.slug), href(version, row.slug)) for row in published.rows],
            "note": published.note,
        },
        wide=True,
        beside={} if chart.empty else {"charts.json": charts.file(chart)},
    )
