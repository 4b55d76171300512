"""The part type `node_set`: a set of names, the empty set included."""

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
from benchpress.parts.empty_set import EMPTY
from benchpress.parts.labelled import LabelledPart
from benchpress.parts.lists import bulleted, field_lines, item_names, list_items, without_bullet
from benchpress.parts.markup import CROSSES
from benchpress.parts.names import Names, names_of
from benchpress.parts.outcome import Kind, Outcome, absent, found, unclear
from benchpress.parts.set_groups import JOINING, LISTING
from benchpress.parts.set_reader import read_set
from benchpress.parts.tagged import MAX_FIELD, Field

_LINKS = JOINING | {"or", "only", "together", "jointly", "both", "suffice", "suffices"}
_PLAIN = re.compile(r"[ ]*\{([^{}()\[\]\\*`<>\"']*)\}[ .]*")


class NodeSet(LabelledPart):
    """A set of names: right when equal to the gold or to one of the further `accept` sets."""

    def parse(self, field: Field, part: Part) -> Outcome:
        universe = _universe(part)
        plain = _PLAIN.fullmatch(field.head)
        if plain is not None and universe is not None:
            names = names_of(universe)
            known = [names.of(name.strip()) for name in plain[1].split(",")] if plain[1].strip() else []
            if None not in known:
                return found(sorted({name for name in known if name is not None}))
        return parse_set(field, universe)

    def accepts(self, value: Json, part: Part) -> bool:
        return any(value == sorted(accepted) for accepted in (part.gold or [], *part.params.get("accept", ())))


NODE_SET = NodeSet()


def _universe(part: Part) -> tuple[str, ...] | None:
    universe = part.params.get("universe")
    return tuple(universe) if universe else None


def parse_set(field: Field, universe: tuple[str, ...] | None) -> Outcome:
    """The careful reading of a field: the set it gives, or why it gives none."""
    names = names_of(universe) if universe is not None else None
    if len(field.head) > MAX_FIELD:
        return unclear("too long to be an answer")
    lines = field_lines(field, names, remark=lambda line: not _pure(without_bullet(line)[0], names))
    if not lines:
        return absent("nothing stands behind the label")
    nothing = says_nothing(lines[0]) or not_applicable(lines[0])
    if nothing is not None and not EMPTY.match(lines[0]):
        return nothing
    outcome = _read_lines(lines, names)
    if field.exact and outcome.kind is not Kind.VALUE:
        return absent("nothing separates the label from what follows")
    if outcome.kind is Kind.VALUE or (
        names is not None and any(piece.kind == "name" for piece in list_items(lines[0], names))
    ):
        return outcome
    return points_elsewhere(lines[0]) or takes_back(lines[0]) or mere_prose(lines[0], outcome)


def _read_lines(lines: list[str], names: Names | None) -> Outcome:
    items = bulleted(lines)
    if items is not None and names is not None:
        listed = item_names(items, names)
        if listed is not None:
            return found(sorted(set(listed)))
        if not all(_pure(item, names) for item in items):
            return unclear("an item of the list is no name")
    text = without_bullet(lines[0])[0] if len(lines) > 1 or names is None or names.of(lines[0]) is None else lines[0]
    joined = text
    if len(lines) > 1:
        depth = 0
        joined_lines = [text]
        for line in lines[1:]:
            depth = (
                sum(joined_lines[-1].count(sign) for sign in "{[(")
                - sum(joined_lines[-1].count(sign) for sign in "}])")
                + depth
            )
            bare = without_bullet(line)[0]
            if depth <= 0 and not _pure(bare, names):
                if _pure(bare.lstrip(CROSSES), names):
                    return unclear("a member is crossed out")
                break
            joined_lines.append(bare)
        joined = ", ".join(part.strip(" ,;") if part is not joined_lines[-1] else part for part in joined_lines)
        joined = re.sub(r"([\[{(]),", r"\1", joined)
    return read_corrected(joined, names, lambda part: read_set(part, names), _LINKS)


def _pure(line: str, names: Names | None) -> bool:
    """Whether a further line holds nothing but names and what separates them."""
    if names is None:
        return len(line.split()) <= 3
    pieces = list_items(line, names)
    return any(piece.kind == "name" for piece in pieces) and all(
        piece.kind in ("name", "close") or piece.text in LISTING or piece.text == "and" for piece in pieces
    )
