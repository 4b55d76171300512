"""Why a key is right: what the program itself says about an item of a module that it knows."""

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from benchpress.gate import Key
from benchpress.items import Item
from markdown import markdown
from markupsafe import Markup

from benchpress_site import program

HELD_OUT = "## The held-out worlds"
KEY = "## The key"


def why(item: Item) -> Mapping[str, str]:
    """A sentence or two for each part; empty where the program has none, or the item is not quite one of its own."""
    rooms: Mapping[str, Any] = getattr(program.module(item.module), "rooms", {})
    if item.bundle not in rooms:
        return {}
    keys = {part.id: Key(part.gold, tuple(part.params.get("accept", ()))) for part in item.parts}
    try:
        found: Mapping[str, str] = rooms[item.bundle].why(item.params, keys)
    except Exception:  # noqa: BLE001 - anybody's items can be shown, and only a full problem can be explained
        return {}
    return found


def worked(item: Item) -> Markup | None:
    """A replay item's key, followed by hand through one world, as HTML; None for every other kind of item."""
    if [part.type for part in item.parts] != ["mechanisms"] or program.module(item.module) is None:
        return None
    from benchpress.modules.replay.page import page

    try:
        lines = page(item).split("\n")
    except Exception:  # noqa: BLE001 - as above
        return None
    if KEY not in lines:
        return None
    told = takewhile(lambda line: line != HELD_OUT, lines[lines.index(KEY) + 1 :])
    text = "\n".join(f"#{line}" if line.startswith("## ") else line for line in told)
    # The names of a replay item are letters and digits, which its reader has checked; markup in them is escaped anyway.
    return Markup(markdown(text.replace("<", "&lt;"), extensions=["tables"]))  # noqa: S704
