"""The health of the item set: saturation, item statistics and the test for contamination."""

from collections.abc import Iterator

from benchpress.publication import Contamination, ItemCounts, Saturation

from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page
from benchpress_site.views.board import href


def pages(_publication: Publication, version: Version) -> Iterator[Page]:
    counts = version.get("items", ItemCounts)
    saturation = version.get("saturation", Saturation)
    contamination = version.get("contamination", Contamination)
    if not (counts or saturation or contamination):
        return
    yield Page(
        f"{version.name}/items.md",
        "items.html",
        f"Item health, {version.entry.title}",
        f"Whether {version.entry.title} still tells models apart: saturation, item statistics, contamination.",
        {
            "version": version,
            "here": "items",
            "counts": counts,
            "largest": max((one.items for one in counts.histogram), default=0) if counts else 0,
            "saturation": saturation,
            "top": [(version.label(side.slug, side.method), href(version, side.slug)) for side in saturation.top]
            if saturation
            else [],
            "contamination": contamination,
            "rows": [(row, version.label(row.slug, row.method), href(version, row.slug)) for row in contamination.rows]
            if contamination
            else [],
        },
        wide=True,
    )
