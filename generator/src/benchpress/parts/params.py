"""Whether the parts of somebody's item file have the gold and the parameters of their type."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from benchpress.errors import UserError
from benchpress.items import Item, Part
from benchpress.parts.options import LETTERS


def check_item(item: Item) -> None:
    """Raise UserError for the first part of `item` that cannot be graded: what is wrong with it, and where."""
    if not item.parts:
        raise UserError(f"item {item.id!r} has no parts, so there is nothing to grade")
    seen: set[str] = set()
    for part in item.parts:
        if part.id in seen:
            raise UserError(f"item {item.id!r} has two parts {part.id!r}; give each its own label")
        seen.add(part.id)
        check = _CHECKS.get(part.type)
        wrong = check(part) if check is not None else None
        if wrong is not None:
            raise UserError(
                f"item {item.id!r}, part {part.id!r} ({part.type}): {wrong}; `benchpress schema item` prints the format"
            )


def _is_names(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)


def _is_pairs(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(_is_names(pair) and len(pair) == 2 for pair in value)


def _is_number(value: Any) -> bool:
    if not isinstance(value, str | int) or isinstance(value, bool) or len(str(value)) > 1000:
        return False
    try:
        Fraction(value)
    except (ValueError, ZeroDivisionError):
        return False
    return True


def _number(part: Part) -> str | None:
    if not _is_number(part.gold):
        return "gold must be a decimal or a fraction as a string"
    tolerance = part.params.get("tolerance")
    if tolerance is not None and (not _is_number(tolerance) or Fraction(tolerance) < 0):
        return "tolerance must be a decimal that is not negative, as a string"
    return None


def _names(part: Part) -> str | None:
    if not _is_names(part.gold):
        return "gold must be a list of names"
    return _universe(part) or _accept(part, _is_names, "lists of names")


def _edges(part: Part) -> str | None:
    if not _is_pairs(part.gold):
        return "gold must be a list of pairs of names"
    if not isinstance(part.params.get("directed", True), bool):
        return "directed must be true or false"
    return _universe(part) or _accept(part, _is_pairs, "lists of pairs of names")


def _universe(part: Part) -> str | None:
    universe = part.params.get("universe")
    return None if universe is None or _is_names(universe) else "universe must be a list of names"


def _accept(part: Part, fits: Callable[[Any], bool], what: str) -> str | None:
    accept = part.params.get("accept")
    if accept is None or (isinstance(accept, list | tuple) and all(fits(value) for value in accept)):
        return None
    return f"accept must be a list of {what}"


def _verdict(part: Part) -> str | None:
    vocabulary = part.params.get("vocabulary", ["yes", "no"])
    if not _is_names(vocabulary) or not vocabulary:
        return "vocabulary must be a list of words"
    if part.gold not in vocabulary:
        return f"gold must be one of {', '.join(vocabulary)}"
    classes = part.params.get("classes")
    if classes is not None and not (
        isinstance(classes, Mapping) and all(_is_names(words) for words in classes.values())
    ):
        return "classes must give a list of synonyms for each word"
    return None


def _choice(part: Part) -> str | None:
    options = part.params.get("options")
    if not _is_names(options) or options is None or not 2 <= len(options) <= len(LETTERS):
        return "options must be a list of 2 to 26 texts"
    if part.gold not in tuple(LETTERS[: len(options)]):
        return f"gold must be a letter from A to {LETTERS[len(options) - 1]}"
    return None


_CHECKS: Mapping[str, Callable[[Part], str | None]] = {
    "number": _number,
    "node_set": _names,
    "sequence": _names,
    "edges": _edges,
    "verdict": _verdict,
    "choice": _choice,
}
