"""Short ways to read one field or one answer, as the tests of this folder do."""

from typing import Any

from benchpress.grading import grade_item
from benchpress.items import Item, ItemResult, Part, Response

YES_NO = {
    "vocabulary": ["yes", "no"],
    "classes": {
        "yes": ["yes", "true", "identifiable", "identified", "can be identified"],
        "no": ["no", "false", "not identifiable", "non-identifiable", "unidentifiable", "cannot be identified"],
    },
}


def item_of(*parts: Part) -> Item:
    """An item that consists of these parts."""
    return Item("case", "cases", "cases", "base", 1, {}, "a question", parts)


def result_of(text: str | None, *parts: Part, **response: Any) -> ItemResult:
    """What the scorer makes of one answer."""
    return grade_item(item_of(*parts), Response("case", text, **response))


def read(kind: str, text: str, label: str = "LABEL", **params: Any) -> Any:
    """The value read behind `label` in the line ``LABEL: text``."""
    dummy = {"number": "0", "node_set": [], "edges": [], "sequence": ["A"], "verdict": "yes"}
    return result_of(f"{label}: {text}", Part(label, kind, dummy[kind], params)).parts[0].parsed
