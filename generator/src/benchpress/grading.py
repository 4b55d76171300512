"""The one scorer: an item and a response in, an item result out."""

from benchpress.items import Item, ItemResult, Response
from benchpress.registry import PART_TYPES
from benchpress.status import classify


def grade_item(item: Item, response: Response) -> ItemResult:
    """Read and score every part of `item` in `response`, and say what became of the response."""
    text = response.text or ""
    results = []
    for part in item.parts:
        kind = PART_TYPES.get(part.type)
        results.append(kind.score(kind.read(text, part, item), part, item))
    answered = sum(result.parsed is not None for result in results)
    status = classify(response, answered, len(results))
    return ItemResult(item.id, status, bool(results) and all(result.correct for result in results), tuple(results))
