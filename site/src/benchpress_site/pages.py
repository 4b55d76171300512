"""The pages that data make: which exist, from which template, at which address.

A page is Markdown with HTML blocks, so any tool that reads MkDocs projects could build it. Addresses are relative
to the site's root; a template turns one into a link with `link(path)`.
"""

import json
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from benchpress_site import formats


@dataclass(frozen=True)
class Page:
    """One generated page; `path` ends in `.md` and decides the address (`a/b.md` is served as `a/b/`)."""

    path: str
    template: str
    title: str
    description: str
    context: Mapping[str, Any] = field(default_factory=dict)
    wide: bool = False
    """Tables and charts take the whole width; prose keeps the side bars."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Files that are served in the page's own folder."""

    @property
    def address(self) -> str:
        stem = self.path.removesuffix(".md")
        if posixpath.basename(stem) == "index":
            stem = posixpath.dirname(stem)
        return f"{stem}/" if stem else ""


@cache
def environment() -> Environment:
    templates = Environment(
        loader=PackageLoader("benchpress_site"),
        autoescape=True,
        # Markdown's `{#id}` must not begin a comment.
        comment_start_string="{##",
        comment_end_string="##}",
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    templates.filters.update(formats.FILTERS)
    return templates


def linker(address: str) -> Callable[[str], str]:
    """Links from the page at `address`: relative, so that the site works under any folder of any host."""

    def link(target: str) -> str:
        path, mark, fragment = target.partition("#")
        start = address or "."
        relative = posixpath.relpath(path or ".", start)
        if not path or path.endswith("/"):
            relative = "./" if relative == "." else f"{relative}/"
        return f"{relative}{mark}{fragment}"

    return link


def render(page: Page, shared: Mapping[str, Any]) -> str:
    """The Markdown of `page`, front matter included."""
    body = (
        environment()
        .get_template(page.template)
        .render({**shared, **page.context, "page": page, "link": linker(page.address)})
    )
    meta: dict[str, Any] = {
        "title": formats.attribute(page.title),
        "description": formats.attribute(page.description),
    }
    if page.wide:
        meta["hide"] = ["navigation", "toc"]
        meta["bp_wide"] = True
    # JSON is YAML, and json.dumps quotes whatever a name may hold.
    front = "\n".join(f"{key}: {json.dumps(value)}" for key, value in meta.items())
    return f"---\n{front}\n---\n\n{body}"
