"""An Atom feed of what changed, over all versions: RFC 4287, without any clock."""

from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape, quoteattr

from benchpress.publication import Change, Changelog

from benchpress_site import formats
from benchpress_site.data import Publication, Version

NAMESPACE = uuid5(NAMESPACE_URL, "urn:benchpress:feed")
KINDS = {
    "major": "new version, not comparable",
    "minor": "comparable change",
    "patch": "no visible effect",
    "run": "new results",
    "audit": "compared with fresh items",
    "retired": "retired",
}


def identifier(*parts: str) -> str:
    """An id that never changes, wherever the site is served."""
    return f"urn:uuid:{uuid5(NAMESPACE, chr(0).join(parts))}"


def changes(publication: Publication) -> list[tuple[Version, Change]]:
    """Newest first; a change that several versions of a track list is there once."""
    found: dict[tuple[str, Change], Version] = {}
    for version in publication.versions:
        published = version.get("changelog", Changelog)
        for change in published.changes if published else ():
            found.setdefault((version.entry.track, change), version)
    ordered = [(version, change) for (_, change), version in found.items()]
    return sorted(ordered, key=lambda pair: pair[1].date, reverse=True)


def atom(publication: Publication, home: str) -> str:
    """The feed's XML; `home` is the address of the site with its closing slash."""
    updated = publication.newest or "2026-01-01"
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        "<title>Benchpress: changes</title>",
        f"<id>{identifier('feed')}</id>",
        f"<updated>{updated}T00:00:00Z</updated>",
        f'<link rel="self" type="application/atom+xml" href={quoteattr(home + "feed.xml")}/>',
        f"<link href={quoteattr(home)}/>",
        "<author><name>Benchpress</name></author>",
    ]
    for version, change in changes(publication):
        comparable = "" if change.comparable else " Figures of before must not be set beside those of after."
        lines += [
            "<entry>",
            f"<title>{_text(f'{change.version}: {KINDS[change.kind]}')}</title>",
            f"<id>{identifier(version.entry.track, change.version, change.date, change.kind, change.text)}</id>",
            f"<updated>{change.date}T00:00:00Z</updated>",
            f"<link href={quoteattr(f'{home}{version.name}/history/')}/>",
            f'<content type="text">{_text(change.text + comparable)}</content>',
            "</entry>",
        ]
    return "\n".join([*lines, "</feed>", ""])


def _text(value: str) -> str:
    return escape(formats.clean(value))
