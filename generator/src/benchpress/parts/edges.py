"""The part type `edges`: pairs of nodes, with or without direction."""

import re

from benchpress.items import Json, Part
from benchpress.parts.blanks import points_elsewhere, says_nothing, split_correction, takes_back
from benchpress.parts.labelled import LabelledPart
from benchpress.parts.lists import Piece, balanced, close_of, field_lines, list_items, without_bullet
from benchpress.parts.names import Names, names_of
from benchpress.parts.outcome import Kind, Outcome, absent, found, unclear
from benchpress.parts.tagged import MAX_FIELD, Field

Pair = tuple[str, str]

_PLAIN = re.compile(r"[ ]*([^{}()\[\]\\*`<\"'|/]*?)[ .]*")
_EMPTY = re.compile(
    r"(?:none|nothing|empty|∅|Ø|ø|(?:the )?(?:empty|null) (?:set|list|graph|edge set)|(?:there are )?no (?:\w+ ){0,2}(?:edges?|arrows?|links?|pairs?|connections?|adjacenc\w+)(?: .{0,60})?"
    r"|(?:the )?(?:\w+ ){0,3}(?:has|have|contains?|with|is) (?:no|without|zero) (?:\w+ ){0,2}(?:edges?|arrows?|links?)(?: .{0,60})?|edgeless"
    r"|[\{\[\(]\s*(?:∅|none|empty)?\s*[\}\]\)]|set\(\s*(?:\[\s*\])?\s*\)|E ?= ?(?:∅|\{\s*\}))\s*(?:$|[.,;:(#—–]|\s-)",
    re.IGNORECASE,
)
_RIGHT = frozenset("to causes cause affects affect influences influence into drives determines precedes towards toward".split())
_LEFT = frozenset(("caused", "child"))
_PHRASES = {
    ("points", "to"): "->", ("leads", "to"): "->", ("goes", "to"): "->", ("directed", "to"): "->", ("is", "a", "cause", "of"): "->",
    ("a", "cause", "of"): "->", ("cause", "of"): "->", ("is", "a", "parent", "of"): "->", ("parent", "of"): "->",
    ("is", "a", "direct", "cause", "of"): "->", ("is", "parent", "of"): "->", ("is", "caused", "by"): "<-", ("caused", "by"): "<-",
    ("is", "a", "child", "of"): "<-", ("child", "of"): "<-", ("depends", "on"): "<-", ("is", "affected", "by"): "<-",
    ("directly", "causes"): "->", ("directly", "affects"): "->", ("directly", "influences"): "->",
    ("is", "connected", "to"): "--", ("is", "adjacent", "to"): "--", ("connected", "to"): "--", ("adjacent", "to"): "--",
}  # fmt: skip
_NOISE = frozenset(
    "from edge edges the an arrow arrows directed undirected link links is are graph and also then list of set as follows e answer final "
    "there our my in an adjacency node finally lastly with".split()
)
_SPLITTERS = frozenset((",", ";", "•", "·", "&", "+"))
_UNDIRECTED = frozenset(("-", "–", "—", "~", "|"))
_KEYS = {
    "from": 0, "source": 0, "src": 0, "parent": 0, "cause": 0, "tail": 0, "u": 0, "start": 0, "a": 0, "node1": 0,
    "to": 1, "target": 1, "dst": 1, "dest": 1, "child": 1, "effect": 1, "head": 1, "v": 1, "end": 1, "b": 1, "node2": 1,
}  # fmt: skip


class Edges(LabelledPart):
    """A set of edges: right when equal to the gold or to one of the further `accept` sets."""

    def parse(self, field: Field, part: Part) -> Outcome:
        universe = part.params.get("universe")
        names = names_of(tuple(map(str, universe))) if universe else None
        directed = part.params.get("directed", True) is not False
        if names is not None and directed and field.alone():
            pairs = _plain_pairs(field.head, names)
            if pairs is not None:
                return found(pairs)
        return parse_edges(field, names, directed)

    def accepts(self, value: Json, part: Part) -> bool:
        directed = part.params.get("directed", True) is not False
        return any(
            value == sorted(list(edge) if directed else sorted(edge) for edge in accepted)
            for accepted in (part.gold or [], *part.params.get("accept", ()))
        )


EDGES = Edges()


def _plain_pairs(head: str, names: Names) -> list[list[str]] | None:
    """The edges of a head of the form ``A -> B, C -> D``, None for any other."""
    plain = _PLAIN.fullmatch(head)
    if plain is None or "->" not in plain[1]:
        return None
    pairs = set()
    for chunk in plain[1].split(","):
        ends = chunk.split("->")
        if len(ends) != 2 or ends[0][-1:] in "-~=":
            return None
        tail, target = names.exact.get(ends[0].strip()), names.exact.get(ends[1].strip())
        if tail is None or target is None:
            return None
        pairs.add((tail, target))
    return [list(pair) for pair in sorted(pairs)]


def parse_edges(field: Field, names: Names | None, directed: bool) -> Outcome:
    """The careful reading of a field: the edges it gives, or why it gives none."""
    if len(field.head) > MAX_FIELD:
        return unclear("too long to be an answer")
    lines = field_lines(field, names)
    if not lines:
        return _table(field, names, directed) or absent("nothing stands behind the label")
    nothing = says_nothing(lines[0])
    if nothing is not None:
        return nothing
    if _EMPTY.match(lines[0]) and len(lines) == 1:
        return found([], "no edges, in words or signs")
    outcome = _read_lines(lines, names, directed)
    if outcome.kind is Kind.VALUE:
        return outcome
    if field.exact:
        return absent("nothing separates the label from what follows")
    if any(piece.kind in ("name", "arrow") for piece in list_items(lines[0], names)):
        return outcome
    return points_elsewhere(lines[0]) or takes_back(lines[0]) or outcome


def _table(field: Field, names: Names | None, directed: bool) -> Outcome | None:
    rows = [line for line in field.below() if "|" in line]
    return _read_lines(rows, names, directed) if rows else None


def _read_lines(lines: list[str], names: Names | None, directed: bool) -> Outcome:
    text = "\n".join([without_bullet(lines[0])[0], *(without_bullet(line)[0] for line in _belonging(lines, names))])
    corrected = split_correction(text)
    if corrected is not None:
        outcome = _read_text(corrected[1], names, directed)
        if outcome.kind is Kind.VALUE and outcome.value:
            return Outcome(Kind.VALUE, outcome.value, "the correction counts")
    return _read_text(text, names, directed)


def _belonging(lines: list[str], names: Names | None) -> list[str]:
    """The further lines that go on with the list."""
    depth = 0
    for index, line in enumerate(lines):
        if index and depth <= 0 and not _pure(without_bullet(line)[0], names):
            return lines[1:index]
        depth += sum(line.count(sign) for sign in "{[(") - sum(line.count(sign) for sign in "}])")
    return lines[1:]


def _pure(line: str, names: Names | None) -> bool:
    pieces = list_items(line, names)
    marks = sum(piece.kind == "arrow" or piece.text in ("-", "–", "—", "|", ":", "(", "[", "{") or piece.text.lower() in _RIGHT for piece in pieces)
    return bool(marks) and (names is None or any(piece.kind == "name" for piece in pieces))


def _read_text(text: str, names: Names | None, directed: bool) -> Outcome:
    pieces = balanced(_prepared(list_items(text, names), names))
    while pieces and pieces[0].kind == "open" and close_of(pieces, 0) >= len(pieces) - 1 - (pieces[-1].text == ".") and not _is_pair(pieces[1 : close_of(pieces, 0)]):
        pieces = pieces[1 : close_of(pieces, 0)]
    if not any(piece.kind == "name" for piece in pieces):
        return unclear("no edges could be read")
    if any(piece.text.lower() == "or" for piece in _outside(pieces)):
        return unclear("several answers of equal standing")
    reader = _Reader(pieces, directed)
    return reader.read()


def _outside(pieces: list[Piece]) -> list[Piece]:
    kept = []
    index = 0
    while index < len(pieces):
        if pieces[index].kind == "open":
            index = close_of(pieces, index)
        elif pieces[index].text.lower() in ("because", "since", "as", "where") or (pieces[index].text == "." and kept):
            break
        else:
            kept.append(pieces[index])
        index += 1
    return kept


def _prepared(pieces: list[Piece], names: Names | None) -> list[Piece]:
    """Words that stand for arrows as arrows; without a universe, other words as names; ``E =`` in front taken off."""
    kept: list[Piece] = []
    index = 0
    while index < len(pieces):
        words = tuple(piece.text.lower() if piece.kind in ("word", "name") else "" for piece in pieces[index : index + 5])
        for length in (5, 4, 3, 2):
            arrow = _PHRASES.get(words[:length])
            if arrow is not None and len(words) >= length:
                kept.append(Piece("arrow", arrow))
                index += length
                break
        else:
            piece = pieces[index]
            if piece.kind == "word" and piece.text.lower() in _RIGHT:
                piece = Piece("arrow", "->")
            elif names is None and piece.kind in ("word", "number") and piece.text.lower() not in _NOISE:
                if kept and kept[-1].kind == "name":
                    kept[-1] = Piece("name", f"{kept[-1].text} {piece.text}")
                    index += 1
                    continue
                piece = Piece("name", piece.text)
            kept.append(piece)
            index += 1
    for index, piece in enumerate(kept[:6]):
        if piece.text == "=" and index:
            return kept[index + 1 :]
    return kept


def _is_pair(inner: list[Piece]) -> bool:
    return [piece.kind for piece in inner if piece.text not in (",", ";")] == ["name", "name"]


class _Reader:
    """One pass over the pieces: chains of endpoints and arrows, pairs in brackets, objects with two keys."""

    def __init__(self, pieces: list[Piece], directed: bool) -> None:
        self.pieces = pieces
        self.directed = directed
        self.pairs: set[Pair] = set()
        self.index = 0
        self.failure = ""

    def read(self) -> Outcome:
        waiting: list[str] = []  # names that no arrow has claimed yet
        source: list[str] = []  # the endpoint before
        arrow = ""
        last_sources: list[str] = []
        previous = ""
        while self.index < len(self.pieces) and not self.failure:
            piece = self.pieces[self.index]
            if piece.kind == "arrow" or (piece.text in _UNDIRECTED and source and self._endpoint_follows() and not (piece.text == "|")):
                if arrow or not source:
                    return unclear("an arrow leads nowhere")
                arrow = piece.text if piece.kind == "arrow" else "--"
            elif piece.kind == "name" or piece.kind == "open":
                ends = self._endpoint(bool(arrow))
                if ends is None:
                    if self.failure:
                        break
                    self.index += 1
                    continue
                if arrow:
                    starts = waiting + source if previous == "list" else source
                    for one in starts:
                        for other in ends:
                            self._add(one, other, arrow)
                    waiting = []
                    last_sources = starts if arrow == "->" else []
                    arrow, source, previous = "", ends, "edge"
                elif previous == "joint" and last_sources and not self._arrow_follows():
                    for one in last_sources:
                        for other in ends:
                            self._add(one, other, "->")
                    source = ends
                    previous = "edge"
                elif previous in ("", "list") or (previous == "joint" and not last_sources):
                    waiting += source if previous == "list" else []
                    source, previous = ends, "list"
                elif previous == "colon":
                    for one in source:
                        for other in ends:
                            self._add(one, other, "->")
                    last_sources = source
                    previous = "edge"
                else:
                    source, previous = ends, "fresh"
                    last_sources = []
            elif piece.text in _SPLITTERS or piece.text.lower() == "and":
                if arrow:
                    return unclear("an arrow leads nowhere")
                previous = "joint" if previous == "edge" and piece.text in (",", "and") else previous if previous == "list" else ""
            elif piece.kind == "line":
                if arrow:
                    return unclear("an arrow leads nowhere")
                if previous == "list":
                    return unclear("a node stands alone")
                previous, last_sources, source = "", [], []
            elif piece.text == "|":
                row = self._row()
                if row is None:
                    return unclear("no edges could be read")
                self._add(*row, "->")
            elif piece.text == ":" and source and previous in ("list", "fresh"):
                if waiting:
                    return unclear("no edges could be read")
                previous = "colon"
                if self._empty_follows():
                    source, previous = [], ""
            elif piece.text.lower() in ("not", "without", "except", "excluding", "because", "since", "where", "as", "so"):
                break
            elif piece.text == "." and self.pairs:
                break
            elif piece.kind == "word" and piece.text.lower() not in _NOISE:
                if self._arrow_follows() or arrow:
                    piece = Piece("name", piece.text)
                    self.pieces[self.index] = piece
                    continue
                if self.pairs:
                    break
                return unclear("no edges could be read")
            elif piece.kind == "number":
                pass
            elif piece.kind == "close" or piece.text in (".", ")", "_", "\\"):
                pass
            self.index += 1
        if self.failure:
            return unclear(self.failure)
        if arrow:
            return unclear("an arrow leads nowhere")
        if not self.pairs or (previous == "list" and waiting + source):
            return unclear("a node stands alone" if self.pairs else "no edges could be read")
        return found([list(pair) for pair in sorted(self.pairs)])

    def _add(self, one: str, other: str, arrow: str) -> None:
        if not self.directed:
            self.pairs.add((one, other) if one <= other else (other, one))
        elif arrow == "->":
            self.pairs.add((one, other))
        elif arrow == "<-":
            self.pairs.add((other, one))
        else:
            self.failure = "the direction is not given"

    def _arrow_follows(self) -> bool:
        index = self.index + 1
        if self.pieces[self.index].kind == "open":
            index = close_of(self.pieces, self.index) + 1
        if index >= len(self.pieces):
            return False
        follower = self.pieces[index]
        return follower.kind == "arrow" or (follower.text in _UNDIRECTED and follower.text != "|")

    def _endpoint_follows(self) -> bool:
        following = self.pieces[self.index + 1 : self.index + 2]
        return bool(following) and following[0].kind in ("name", "open")

    def _empty_follows(self) -> bool:
        following = self.pieces[self.index + 1 : self.index + 2]
        return not following or following[0].kind == "line" or following[0].text.lower() in ("none", "-", "–", "—", "∅", "empty")

    def _row(self) -> Pair | None:
        """The two cells of a table row; the pieces up to the end of its line are passed over."""
        cells: list[str] = []
        while self.index < len(self.pieces) and self.pieces[self.index].kind != "line":
            piece = self.pieces[self.index]
            if piece.kind == "name":
                cells.append(piece.text)
            elif piece.text != "|" and piece.kind not in ("arrow",) and piece.text not in _UNDIRECTED:
                return None
            self.index += 1
        self.index -= 1
        return (cells[0], cells[1]) if len(cells) == 2 else None

    def _endpoint(self, behind_arrow: bool) -> list[str] | None:
        """The nodes of an endpoint. A pair in brackets that is no endpoint is an edge of its own; remarks give None."""
        piece = self.pieces[self.index]
        if piece.kind == "name":
            return [piece.text]
        stop = close_of(self.pieces, self.index)
        inner = self.pieces[self.index + 1 : stop]
        names = [other.text for other in inner if other.kind == "name"]
        listed = all(other.kind == "name" or other.text in (",", ";", "and") for other in inner)
        if self._arrow_follows() or behind_arrow:
            if listed and names:
                self.index = stop
                return names
            self.failure = "no edges could be read"
            return None
        if listed and len(names) == 2:
            if piece.text == "{" and self.directed:
                self.failure = "the direction is not given"
                return None
            self._add(names[0], names[1], "->")
        elif listed and len(names) == 1 and self.index and self.pieces[self.index - 1].text == ":":
            self.index = stop
            return names
        elif listed and names and self.index and self.pieces[self.index - 1].text == ":":
            self.index = stop
            return names
        elif not inner and self.index and self.pieces[self.index - 1].text == ":":
            pass
        elif piece.text == "(" and self.pairs:
            pass  # a remark
        elif keyed := _keyed(inner):
            self._add(*keyed, "->")
        elif any(other.kind == "arrow" for other in inner) or any(other.kind == "open" for other in inner):
            inside = _Reader(inner, self.directed)
            outcome = inside.read()
            if outcome.kind is not Kind.VALUE:
                self.failure = outcome.note
                return None
            self.pairs |= inside.pairs
        elif piece.text != "(":
            self.failure = "no edges could be read"
        self.index = stop
        return None


def _keyed(inner: list[Piece]) -> Pair | None:
    """The ends of an edge written as an object: ``{"from": "A", "to": "B"}``."""
    ends: dict[int, str] = {}
    for index in range(len(inner) - 2):
        key = inner[index].text.lower() if inner[index].kind != "arrow" else "to"
        if inner[index + 1].text == ":" and inner[index + 2].kind == "name" and key in _KEYS:
            ends.setdefault(_KEYS[key], inner[index + 2].text)
    return (ends[0], ends[1]) if len(ends) == 2 else None
