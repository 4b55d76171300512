"""Charts as data: what is drawn, in words that the page's script turns into a figure. No colours, no sizes.

A chart is a list of views (the reader picks one); a view has two axes and named series of points. Series carry a
number for colour and one for shape, so that no distinction rests on colour alone.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

WIDE_RANGE = 30
"""From this ratio of largest to smallest on, an axis is logarithmic."""


@dataclass(frozen=True)
class Point:
    x: float | str
    y: float
    label: str
    """What the reader sees on hovering, one line per entry."""
    low: float | None = None
    high: float | None = None
    href: str | None = None
    """Where a click leads, relative to the chart's page."""


@dataclass(frozen=True)
class Series:
    name: str
    points: tuple[Point, ...]
    look: int = 0
    """Colour and shape go together: one number for both."""
    lines: bool = False
    markers: bool = True
    steps: bool = False


@dataclass(frozen=True)
class View:
    key: str
    label: str
    x_title: str
    x_type: str
    """linear, log, date or category; never guessed from the values."""
    y_title: str
    series: tuple[Series, ...]
    percent: bool = True
    categories: tuple[str, ...] = ()
    flipped: bool = False
    """Draws x upwards and y to the right: for many categories with long names."""


@dataclass(frozen=True)
class Chart:
    id: str
    title: str
    views: tuple[View, ...] = field(default_factory=tuple)

    @property
    def height(self) -> float | None:
        """In rem, where a flipped chart needs room for its categories; None for the usual height."""
        lines = max((len(view.categories) for view in self.views if view.flipped), default=0)
        return 6 + 1.3 * lines if lines else None

    @property
    def empty(self) -> bool:
        return not any(series.points for view in self.views for series in view.series)

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            "views": [
                {
                    "key": view.key,
                    "label": view.label,
                    "flipped": view.flipped,
                    "x": {"title": view.x_title, "type": view.x_type, "categories": list(view.categories)},
                    "y": {"title": view.y_title, "percent": view.percent},
                    "series": [_series(series) for series in view.series if series.points],
                }
                for view in self.views
            ],
        }


def _series(series: Series) -> dict[str, Any]:
    points = series.points
    value: dict[str, Any] = {
        "name": series.name,
        "look": series.look,
        "lines": series.lines,
        "markers": series.markers,
        "steps": series.steps,
        "x": [point.x for point in points],
        "y": [point.y for point in points],
        "label": [point.label for point in points],
        "href": [point.href for point in points],
    }
    if any(point.low is not None for point in points):
        value["low"] = [point.low for point in points]
        value["high"] = [point.high for point in points]
    return value


def scale(values: Iterable[float]) -> str:
    """linear, or log where positive values span orders of magnitude."""
    found = list(values)
    if not found or min(found) <= 0:
        return "linear"
    return "log" if max(found) / min(found) >= WIDE_RANGE else "linear"


def file(*drawn: Chart) -> str:
    """`charts.json`, which lies beside a page."""
    return json.dumps({chart.id: chart.to_json() for chart in drawn}, ensure_ascii=False, allow_nan=False)
