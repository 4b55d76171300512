"""The part type `edges`: pairs of nodes, with or without direction."""

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
from benchpress.parts.edge_reader import NOISE, EdgeReader, keyed
from benchpress.parts.labelled import LabelledPart
from benchpress.parts.lists import (
    Piece,
    balanced,
    close_of,
    field_lines,
    is_article_or_pronoun,
    is_ellipsis,
    list_items,
    past_announcement,
    unquoted,
    without_bullet,
)
from benchpress.parts.names import Names, names_of
from benchpress.parts.order_items import without_places
from benchpress.parts.outcome import Kind, Outcome, absent, found, unclear
from benchpress.parts.tagged import MAX_FIELD, Field

_PLAIN = re.compile(r"[ ]*([^{}()\[\]\\*`<\"'|/]*?)[ .]*")
_EMPTY = re.compile(
    r"(?:none|nothing|empty|∅|Ø|ø|(?:the )?(?:empty|null) (?:set|list|graph|edge set)|(?:the )?(?:\w+ ){0,2}set is "
    r"empty"
    r"|(?:there (?:are|is) )?(?:no|zero) (?:(?:such|directed|undirected|further|other|compelled|reversible|remaining)"
    r" )?"
    r"(?:edges?|arrows?|links?|pairs?|connections?|adjacenc\w+)"
    r"(?: (?:remain|exist|are|is|in|at|left|can|could|needed|required|present|found|to|were|have)\b.{0,60})?"
    r"|(?:(?:the|this|my) )?(?:graph|dag|skeleton|network|structure|cpdag|model|it) (?:has|have|contains?|with|is)"
    r" (?:no|without|zero) (?:\w+ ){0,2}(?:edges?|arrows?|links?)(?: .{0,60})?|edgeless"
    r"|[\{\[\(]\s*(?:∅|none|empty)?\s*[\}\]\)]|set\(\s*(?:\[\s*\])?\s*\)|E ?= ?(?:∅|\{\s*\}))"
    r"\s*(?:$|[.,;:!(\[#—–]|\s-\s|\b(?:because|since|as(?! follows)|due|given|here)\b)",
    re.IGNORECASE,
)
_GRAPH_LANGUAGE = re.compile(r"(?:strict )?(?:digraph|graph|dag|flowchart)\b[^{\n;=>-]{0,20}(?:\{|\n|;)", re.IGNORECASE)
_RULE = re.compile(r"[\s|:+-]*")
_RIGHT = frozenset(
    [
        "to", "causes", "cause", "affects", "affect", "influences", "influence", "into", "drives", "determines",
        "precedes", "towards", "toward",
    ]
)  # fmt: skip
_PHRASES = {
    ("points", "to"): "->", ("leads", "to"): "->", ("goes", "to"): "->", ("directed", "to"): "->",
    ("is", "a", "cause", "of"): "->",
    ("a", "cause", "of"): "->", ("cause", "of"): "->", ("is", "a", "parent", "of"): "->", ("parent", "of"): "->",
    ("is", "a", "direct", "cause", "of"): "->", ("is", "parent", "of"): "->", ("is", "caused", "by"): "<-",
    ("caused", "by"): "<-",
    ("is", "a", "child", "of"): "<-", ("child", "of"): "<-", ("depends", "on"): "<-", ("is", "affected", "by"): "<-",
    ("directly", "causes"): "->", ("directly", "affects"): "->", ("directly", "influences"): "->",
    ("is", "connected", "to"): "--", ("is", "adjacent", "to"): "--", ("connected", "to"): "--",
    ("adjacent", "to"): "--",
}  # fmt: skip
_LINKS = _RIGHT | {"and", "or", "then", "points", "leads", "goes", "directed", "directly", "only"}


class Edges(LabelledPart):
    """A set of edges: right when equal to the gold or to one of the further `accept` sets."""

    def parse(self, field: Field, part: Part) -> Outcome:
        universe = part.params.get("universe")
        names = names_of(tuple(universe)) if universe else None
        directed = part.params.get("directed", True) is not False
        if names is not None and directed and field.alone(past_gaps=True):
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
    lines = field_lines(field, names, lambda line: _only_edges(line, names))
    lines = [line for line in lines if _RULE.fullmatch(line) is None]
    if len(lines) > 1 and "|" in lines[0] and not any(piece.kind == "name" for piece in list_items(lines[0], names)):
        lines = lines[1:]  # the head of a table
    if not lines:
        return absent("nothing stands behind the label")
    nothing = says_nothing(lines[0]) or not_applicable(lines[0])
    if nothing is not None:
        return nothing
    outcome = _read_lines(lines, names, directed)
    if outcome.kind is Kind.VALUE:
        return outcome
    if field.exact:
        return absent("nothing separates the label from what follows")
    if any(piece.kind in ("name", "arrow") for piece in list_items(lines[0], names)):
        return outcome
    return points_elsewhere(lines[0]) or takes_back(lines[0]) or mere_prose(lines[0], outcome)


def _read_lines(lines: list[str], names: Names | None, directed: bool) -> Outcome:
    text = "\n".join([without_bullet(lines[0])[0], *(without_bullet(line)[0] for line in _belonging(lines, names))])
    return read_corrected(text, names, lambda part: _read_text(part, names, directed), _LINKS)


def _belonging(lines: list[str], names: Names | None) -> list[str]:
    """The further lines that go on with the list."""
    depth = 0
    for index, line in enumerate(lines):
        if index and depth <= 0 and not _pure(without_bullet(line)[0], names):
            return lines[1:index]
        depth += sum(line.count(sign) for sign in "{[(") - sum(line.count(sign) for sign in "}])")
    return lines[1:]


def _pure(line: str, names: Names | None) -> bool:
    """Whether a further line holds edges, or the sign that some are left out."""
    pieces = list_items(line, names)
    if pieces and is_ellipsis(pieces, 0):
        return True
    marks = sum(
        piece.kind == "arrow" or piece.text in ("-", "–", "—", "|", ":", "(", "[", "{") or piece.text.lower() in _RIGHT
        for piece in pieces
    )
    return bool(marks) and (names is None or any(piece.kind == "name" for piece in pieces))


def _only_edges(line: str, names: Names | None) -> bool:
    """Whether a line behind a gap is nothing but edges, so that it goes on with the list."""
    pieces = list_items(without_bullet(line)[0], names)
    return any(piece.kind == "arrow" for piece in pieces) and all(
        piece.kind in ("name", "arrow") or piece.text in (",", ";", ".") for piece in pieces
    )


def _read_text(text: str, names: Names | None, directed: bool) -> Outcome:
    if "\n" not in text and _EMPTY.match(unquoted(text)):
        return found([], "no edges, in words or signs")
    pieces = list_items(_GRAPH_LANGUAGE.sub("", text, count=1), names)
    pieces = balanced(_prepared(pieces if names is None else without_places(pieces, ";"), names))
    pieces = pieces[past_announcement(pieces, NOISE) :]
    while (
        pieces
        and pieces[0].kind == "open"
        and close_of(pieces, 0) >= len(pieces) - 1 - (pieces[-1].text == ".")
        and not _is_edge(pieces[1 : close_of(pieces, 0)])
    ):
        pieces = pieces[1 : close_of(pieces, 0)]
    if not any(piece.kind == "name" for piece in pieces) or is_article_or_pronoun(pieces, 0):
        return unclear("no edges could be read")
    if any(piece.text.lower() == "or" for piece in _outside(pieces)):
        return unclear("several answers of equal standing")
    reader = EdgeReader(pieces, directed)
    return reader.read()


def _outside(pieces: list[Piece]) -> list[Piece]:
    kept: list[Piece] = []
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
        words = tuple(
            piece.text.lower() if piece.kind in ("word", "name") else "" for piece in pieces[index : index + 5]
        )
        for length in (5, 4, 3, 2):
            arrow = _PHRASES.get(words[:length])
            if arrow is not None and len(words) >= length:
                kept.append(Piece("arrow", arrow))
                index += length
                break
        else:
            piece = pieces[index]
            key = pieces[index + 1 : index + 2] and pieces[index + 1].text == ":"
            if piece.kind == "word" and piece.text.lower() in _RIGHT and not key:
                piece = Piece("arrow", "->")
            elif names is None and piece.kind in ("word", "number") and piece.text.lower() not in NOISE:
                if kept and kept[-1].kind == "name":
                    kept[-1] = Piece("name", f"{kept[-1].text} {piece.text}")
                    index += 1
                    continue
                piece = Piece("name", piece.text)
            kept.append(piece)
            index += 1
    for index, piece in enumerate(kept[:8]):
        if piece.kind == "arrow":
            break
        if piece.text == "=" and index:
            return kept[index + 1 :]
    return kept


def _is_edge(inner: list[Piece]) -> bool:
    """Whether brackets hold the two ends of one edge, as a pair or under two keys."""
    return keyed(inner) is not None or [piece.kind for piece in inner if piece.text not in (",", ";")] == [
        "name",
        "name",
    ]
