"""Items as flat rows that any table reader takes: what differs from item to item travels as canonical JSON text."""

from benchpress.canonical import canonical_text
from benchpress.errors import UserError
from benchpress.items import Item

COLUMNS = ("id", "module", "bundle", "variant", "level", "prompt", "parts", "gold", "item")


def row_of(item: Item) -> dict[str, str | int | list[str]]:
    """One row: `parts` are the part ids, `gold` their keys in that order as JSON, `item` the whole item as JSON.

    Raises UserError for an item that has no canonical form.
    """
    try:
        whole = canonical_text(item.to_json())
    except ValueError as problem:
        raise UserError(f"item {item.id!r} has no canonical form: {problem}") from None
    return {
        "id": item.id,
        "module": item.module,
        "bundle": item.bundle,
        "variant": item.variant,
        "level": item.level,
        "prompt": item.prompt,
        "parts": [part.id for part in item.parts],
        "gold": [canonical_text(part.gold) for part in item.parts],
        "item": whole,
    }
