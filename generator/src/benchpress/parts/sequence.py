"""The part type `sequence`: names in order, once round where the order is a cycle."""

import re

from benchpress.items import Json, Part
from benchpress.parts.blanks import (
    mere_prose,
    not_applicable,
    points_elsewhere,
    says_nothing,
    takes_back,
)
from benchpress.parts.corrections import read_corrected
from benchpress.parts.labelled import LabelledPart
from benchpress.parts.lists import bulleted, field_lines, item_names, list_items, without_bullet
from benchpress.parts.names import Names, names_of
from benchpress.parts.order_items import LINKS, ORDINAL_WORDS, order_items, past_place
from benchpress.parts.order_reader import SEPARATORS, by_ordinals, read_order
from benchpress.parts.outcome import Kind, Outcome, absent, found, unclear
from benchpress.parts.tagged import MAX_FIELD, Field

_PLAIN = re.compile(r"[ ]*([^{}()\[\]\\*`<>\"'|/]*?)[ .]*")
_LINKS = LINKS | frozenset(ORDINAL_WORDS) | {"or", "is", "start", "with"}


class Sequence(LabelledPart):
    """Names in order: right when equal to the gold, or to an `accept`ed order; a cycle may start anywhere."""

    def parse(self, field: Field, part: Part) -> Outcome:
        universe = part.params.get("universe")
        names = names_of(tuple(universe)) if universe else None
        plain = _PLAIN.fullmatch(field.head)
        known: list[str | None] = []
        if plain is not None and names is not None and "," in plain[1] and field.alone():
            known = [names.of(name.strip()) for name in plain[1].split(",")]
        outcome = found(known) if known and None not in known else parse_sequence(field, names)
        if outcome.kind is Kind.VALUE and part.params.get("cyclic"):
            return Outcome(Kind.VALUE, turned(outcome.value), outcome.note)
        return outcome

    def accepts(self, value: Json, part: Part) -> bool:
        accepted = [list(part.gold or []), *(list(other) for other in part.params.get("accept", ()))]
        if part.params.get("cyclic"):
            accepted = [turned(other) for other in accepted]
        return value in accepted


SEQUENCE = Sequence()


def turned(cycle: list[str]) -> list[str]:
    """A cycle without its closing element, turned to the rotation that comes first by code point."""
    if len(cycle) > 1 and cycle[0] == cycle[-1]:
        cycle = cycle[:-1]
    if not cycle:
        return cycle
    smallest = min(cycle)
    starts = [index for index, name in enumerate(cycle) if name == smallest]
    if len(starts) > 50:
        starts = starts[:1]
    return min(cycle[start:] + cycle[:start] for start in starts)


def parse_sequence(field: Field, names: Names | None) -> Outcome:
    """The careful reading of a field: the order it gives, or why it gives none."""
    if len(field.head) > MAX_FIELD:
        return unclear("too long to be an answer")
    lines = field_lines(field, names)
    if not lines:
        return absent("nothing stands behind the label")
    nothing = says_nothing(lines[0]) or not_applicable(lines[0])
    if nothing is not None:
        return nothing
    outcome = _read_lines(lines, names)
    if outcome.kind is Kind.VALUE:
        return outcome
    if field.exact:
        return absent("nothing separates the label from what follows")
    if names is not None and any(piece.kind == "name" for piece in list_items(lines[0], names)):
        return outcome
    return points_elsewhere(lines[0]) or takes_back(lines[0]) or mere_prose(lines[0], outcome)


def _read_lines(lines: list[str], names: Names | None) -> Outcome:
    ordinals = [without_bullet(line) for line in lines]
    if len(lines) > 1 and all(number is not None for _, number in ordinals):
        read = [read_order(text, names) for text, _ in ordinals]
        if all(outcome.kind is Kind.VALUE and len(outcome.value) == 1 for outcome in read):
            return by_ordinals([outcome.value[0] for outcome in read], [number or 0 for _, number in ordinals])
    items = bulleted(lines)
    if items is not None and names is not None:
        listed = item_names(items, names)
        if listed is not None:
            return found(listed)
        if not all(_pure(item, names) for item in items):
            return unclear("an item of the list is no name")
    kept = [ordinals[0][0] if len(lines) > 1 else lines[0]]
    for line, _ in ordinals[1:]:
        if sum(kept[-1].count(sign) for sign in "{[(") > sum(kept[-1].count(sign) for sign in "}])") or _pure(
            line, names
        ):
            kept.append(line)
        else:
            break
    text = "\n".join(kept)
    return read_corrected(text, names, lambda part: read_order(part, names), _LINKS, least=2)


def _pure(line: str, names: Names | None) -> bool:
    if names is None:
        return len(line.split()) <= 3
    pieces = order_items(line, names)
    return any(piece.kind == "name" for piece in pieces) and all(
        piece.kind in ("name", "arrow", "close", "ordinal") or piece.text in SEPARATORS or piece.text.lower() in LINKS
        for piece in pieces[past_place(pieces, 0) or 0 :]
    )
