"""What changed on a track, and why numbers are or are not comparable."""

from collections.abc import Iterator

from benchpress.publication import Changelog

from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page


def pages(publication: Publication, version: Version) -> Iterator[Page]:
    published = version.get("changelog", Changelog)
    siblings = [other for other in publication.versions if other.entry.track == version.entry.track]
    yield Page(
        f"{version.name}/history.md",
        "history.html",
        f"History, {version.entry.title}",
        f"Versions of the {version.entry.track} track, what changed, and which numbers are comparable.",
        {
            "version": version,
            "here": "history",
            "changes": published.changes if published else (),
            "rules": published.rules if published else (),
            "siblings": siblings,
        },
        wide=True,
    )
