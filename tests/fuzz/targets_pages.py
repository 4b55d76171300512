"""Targets of the site: what it reads of a publication, and names from outside on a page."""

import html
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

import markdown
from benchpress.publication import VERSIONS
from benchpress.publication.check import model_of
from benchpress_site import formats
from benchpress_site.data import read_publication
from fuzz_seeds import SITE
from fuzzing import Target, folder, require, text_of
from targets_files import named_page, published_pages


def _publication(data: bytes) -> Any:
    """First line: which file. Laid beside the list of versions, and used as the views use it."""
    place, content = named_page(data)
    if place is None or model_of(place) is None:
        return None
    home = folder() / "site"
    for other in home.rglob("*.json"):
        other.unlink()
    pages = {VERSIONS: (SITE / VERSIONS).read_bytes(), place: content}
    for name, text in pages.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    found = read_publication(home)
    told: list[Any] = [found.synthetic, found.newest, found.tracks]
    for version in found.versions:
        for row in version.rows:
            value = row.accuracy.value if row.accuracy else None
            told += [version.label(row.entrant.slug, row.method), formats.share(value), formats.name(row.entrant.name)]
            told += [formats.money(row.cost_usd) if hasattr(row, "cost_usd") else None, formats.text(row.method)]
    return told


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag if not attrs else f"{tag} {attrs}")

    def handle_data(self, data: str) -> None:
        self.text += data


def _name(data: bytes) -> Any:
    """A name never becomes markup: in a heading of Markdown, in HTML, in an attribute, in an id."""
    name = data[:500].decode("utf-8", "replace")
    plain = " ".join(formats.clean(name).split())
    seen = _Seen()
    seen.feed(markdown.markdown(f"# {formats.heading(name)}", extensions=["tables", "attr_list", "toc"]))
    require(seen.tags in (["h1 [('id', '')]"], ["h1"], []) or seen.tags[0].startswith("h1 "), f"tags {seen.tags}")
    require(len(seen.tags) <= 1, f"tags {seen.tags}")
    require(seen.text.strip() == plain.strip() or not seen.tags, f"{name!r} became {seen.text!r}")
    inside = _Seen()
    inside.feed(str(formats.name(name)))
    require(inside.tags == ["bdi"] and "<" not in str(formats.name(name))[5:-6], f"tags {inside.tags}")
    require(not set(formats.attribute(name)) & set("<>\"'"), "an attribute could end")
    require(html.unescape(formats.attribute(name)) == plain or not plain, "an attribute says something else")
    anchor = formats.anchor(name)
    require(all(sign.isascii() and (sign.isalnum() or sign == "-") for sign in anchor), f"id {anchor!r}")
    return str(formats.heading(name)), anchor, formats.note(text_of(data)), str(formats.ticks(name))


def _names() -> Sequence[bytes]:
    return [
        text.encode()
        for text in ("Model A", "<script>", "*a* _b_ `c` [d](e)", "a {#b .c}", "\u202ea", "![x](y)", "1. a")
    ]


WORDS = (b"<", b">", b"&#60;", b"{: ", b"}", b"[[", b"](", b"\\", b"`", b"***", b"javascript:", b"\n\n", b"\n- ", b"#")

TARGETS = (
    Target("site-publication", "a published file, read by the site", _publication, published_pages, rounds=100),
    Target("site-name", "a name from outside on a page", _name, _names, words=WORDS, rounds=100),
)
