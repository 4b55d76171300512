"""The public examples: an overview, and a page per bundle with prompts, drawings, keys and grading in the page."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchpress.drawing import draw
from benchpress.items import Item, Part
from markupsafe import Markup

from benchpress_site import formats, program, reasons
from benchpress_site.examples import Bundle, edges_of
from benchpress_site.pages import Page


@dataclass(frozen=True)
class Key:
    """A part with its key as text."""

    id: str
    type: str
    gold: str
    accepted: str
    why: str
    methods: str


@dataclass(frozen=True)
class Entry:
    item: Item
    anchor: str
    keys: tuple[Key, ...]
    methods: str | None
    """What confirmed every part alike; None where the parts differ."""
    drawing: Markup | None
    worked: Markup | None
    """The key followed by hand, for items whose key is no table of parts."""

    @property
    def explained(self) -> bool:
        return any(key.why for key in self.keys)

    @property
    def accepted(self) -> bool:
        return any(key.accepted for key in self.keys)


ABOUT = {
    "causal": "causal-bundles/#{}",
    "replay": "replay/#settings-evidence-levels",
    "choice": "choice/#causal-problems-with-options",
}
"""Where the prose explains the bundles of a module."""


def about(bundle: Bundle) -> str | None:
    """The address of what is written about a bundle; None for one that the program does not know."""
    known = bundle.module in ABOUT and bundle.name in program.summaries(bundle.module)
    return ABOUT[bundle.module].format(bundle.name) if known else None


def written(value: Any) -> str:
    """A key as a reader would write it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "{" + ", ".join(value) + "}" if value else "{} (the empty set)"
    if isinstance(value, list) and all(isinstance(one, list) and len(one) == 2 for one in value):
        return ", ".join(f"{one} \u2192 {other}" for one, other in value)
    return json.dumps(value, ensure_ascii=False)


def rules(part: Part) -> str:
    """What else is accepted, from the part's parameters."""
    params = part.params
    found = []
    if params.get("tolerance", "0") != "0":
        found.append(f"within {params['tolerance']}")
    if params.get("accept"):
        found.append("; ".join(written(one) for one in params["accept"]))
    return ", ".join(found)


def entry(item: Item) -> Entry:
    methods = {check.part: ", ".join(formats.words(name) for name in check.methods) for check in item.verification}
    why, worked = reasons.why(item), reasons.worked(item)
    keys = tuple(
        Key(
            part.id,
            part.type,
            written(part.gold),
            rules(part),
            formats.initial(why.get(part.id, "")),
            methods.get(part.id, ""),
        )
        for part in item.parts
        if worked is None
    )
    graph = edges_of(item.params)
    unmeasured = item.params.get("unmeasured")
    hidden = [name for name in unmeasured if isinstance(name, str)] if isinstance(unmeasured, list) else []
    # Every name in it was escaped.
    drawing = Markup(draw(graph, item.id, hidden)) if graph else None  # noqa: S704
    ways = set(methods.values())
    return Entry(item, formats.anchor(item.id), keys, ways.pop() if len(ways) == 1 else None, drawing, worked)


def pages(bundles: tuple[Bundle, ...]) -> Iterator[Page]:
    modules: dict[str, list[dict[str, Any]]] = {}
    for bundle in bundles:
        summary = program.summaries(bundle.module).get(bundle.name, "")
        modules.setdefault(bundle.module, []).append({"bundle": bundle, "summary": summary})
    yield Page(
        "examples/index.md",
        "examples.html",
        "Public examples",
        "Public example items with their keys: read them, try them, have an answer graded in the page.",
        {"modules": modules},
    )
    for bundle in bundles:
        title = formats.words(bundle.name)
        yield Page(
            f"{bundle.path.rstrip('/')}.md",
            "bundle.html",
            f"Examples: {title}",
            f"Public example items on {title}, with keys and grading in the page.",
            {
                "bundle": bundle,
                "summary": program.summaries(bundle.module).get(bundle.name, ""),
                "about": about(bundle),
                "entries": [entry(item) for item in bundle.items],
            },
            beside={"items.json": json.dumps({item.id: item.to_json() for item in bundle.items}, ensure_ascii=False)},
        )
