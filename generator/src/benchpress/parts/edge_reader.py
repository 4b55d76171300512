"""Edges out of the pieces of a list: chains, forks, groups, pairs, adjacency lists and objects."""

from benchpress.parts.lists import Piece, close_of, is_ellipsis
from benchpress.parts.markup import CROSSES
from benchpress.parts.outcome import Kind, Outcome, found, unclear

Pair = tuple[str, str]

NOISE = frozenset(
    [
        "from", "edge", "edges", "the", "an", "arrow", "arrows", "directed", "undirected", "link", "links", "is",
        "are", "graph", "and", "also", "then", "list", "of", "set", "as", "follows", "e", "answer", "final", "there",
        "our", "my", "in", "an", "adjacency", "node", "finally", "lastly", "with", "only", "orient", "oriented",
        "we", "one", "two", "three", "four", "five", "all", "just",
    ]
)  # fmt: skip
_ENDING = frozenset(["not", "without", "except", "excluding", "because", "since", "where", "as", "so", "but"])
_FAULTS = frozenset(
    [
        "not", "isn't", "cannot", "can't", "would", "could", "reversible", "reversed", "undirected", "unoriented",
        "absent", "removed", "spurious", "ruled", "impossible",
    ]
)  # fmt: skip
_SPLITTERS = frozenset((",", ";", "•", "·", "&", "+"))
_UNDIRECTED = frozenset(("-", "–", "—", "~", "|"))
_UNORIENTED = _UNDIRECTED | {"--"}
_KEYS = {
    "from": 0, "source": 0, "src": 0, "parent": 0, "tail": 0, "u": 0, "start": 0, "a": 0, "node1": 0,
    "cause": 0,
    "to": 1, "target": 1, "dst": 1, "dest": 1, "child": 1, "effect": 1, "head": 1, "v": 1, "end": 1, "b": 1, "node2": 1,
}  # fmt: skip


class _Stop(Exception):  # noqa: N818 - not an error of the program
    """What is written gives no edges; the text says why."""


class EdgeReader:
    """One pass over the pieces: chains of endpoints and arrows, pairs, adjacency lists, objects with two keys."""

    def __init__(self, pieces: list[Piece], directed: bool) -> None:
        self.pieces = pieces
        self.directed = directed
        self.pairs: set[Pair] = set()
        self.index = 0
        self.waiting: list[str] = []
        """Names listed before an arrow that will claim them."""
        self.source: list[str] = []
        """The endpoint last read."""
        self.sources: list[str] = []
        """Where the last arrow came from, for ``A -> B, C``."""
        self.arrow = ""
        self.state = ""
        """list: names no arrow has claimed; edge: an edge was completed; joint: a comma behind it; colon: ``A:``."""

    def read(self) -> Outcome:
        try:
            while self.index < len(self.pieces):
                if not self._step(self.pieces[self.index]):
                    self._skip_line()
                self.index += 1
        except _Stop as reason:
            return unclear(str(reason))
        if self.arrow:
            return unclear("an arrow leads nowhere")
        if self.state == "list" and (self.waiting or self.source):
            return unclear("a node stands alone")
        if not self.pairs:
            return unclear("no edges could be read")
        return found([list(pair) for pair in sorted(self.pairs)])

    def _skip_line(self) -> None:
        """Pass over a remark: the next line of the list, if there is one, goes on with the edges."""
        while self.index < len(self.pieces) and self.pieces[self.index].kind != "line":
            self.index += 1
        self.state, self.sources, self.source = "", [], []

    def _step(self, piece: Piece) -> bool:
        """Take in one piece; False where the edges end and a remark begins."""
        word = piece.text.lower() if piece.kind == "word" else ""
        if piece.kind == "arrow":
            self._take_arrow(piece.text)
        elif piece.text in _UNDIRECTED and piece.text != "|" and self.source and self._endpoint_follows():
            if self.directed and self.state == "edge":
                self.index += 1
                remark = self._clause_follows()
                self.index -= 1
                if remark:
                    return False
            self._take_arrow("--")
        elif piece.kind == "name":
            if self._remark_on_a_fault():
                return False
            if (
                not self.arrow
                and not self._arrow_follows()
                and (self.pairs or self.state == "list")
                and self._clause_follows()
            ):
                if self.state == "list":
                    raise _Stop("no edges could be read")
                return False
            self._take_endpoint([piece.text])
        elif piece.kind == "open":
            if self._remark_on_a_fault():
                return False
            self._take_group(piece)
        elif piece.text in _SPLITTERS or word == "and":
            self._split(piece.text)
        elif piece.kind == "line":
            self._end_line()
        elif piece.text == "|":
            self._take_row()
        elif piece.text == ":" and self.state == "edge":
            return False
        elif piece.text == ":" and self.source and self.state == "list" and not self.waiting:
            self.state = "colon"
            if self._empty_follows():
                self.source, self.state = [], ""
                self.index += self.index + 1 < len(self.pieces) and self.pieces[self.index + 1].kind != "line"
        elif piece.text in CROSSES:
            raise _Stop("an edge is crossed out")
        elif is_ellipsis(self.pieces, self.index) or word == "etc":
            if self._goes_on_behind_gap(word):
                raise _Stop("edges are left out")
            return False
        elif word in _ENDING or (piece.text == "." and self.pairs):
            return False
        elif word and word not in NOISE:
            if (self._arrow_follows() or self.arrow) and word not in ("none", "nothing"):
                self._take_endpoint([piece.text])
            elif self.pairs:
                return False
            else:
                raise _Stop("no edges could be read")
        return True

    def _take_arrow(self, arrow: str) -> None:
        if self.arrow or not self.source:
            raise _Stop("an arrow leads nowhere")
        self.arrow = arrow

    def _take_endpoint(self, ends: list[str]) -> None:
        if self.arrow:
            starts = self.waiting + self.source
            self._add_all(starts, ends, self.arrow)
            self.sources = starts if self.arrow == "->" else []
            self.waiting, self.arrow, self.source, self.state = [], "", ends, "edge"
        elif self.state == "colon":
            self._add_all(self.source, ends, "->")
            self.sources, self.state = self.source, "edge"
        elif self.state == "joint" and self.sources and not self._arrow_follows() and not self._colon_follows():
            self._add_all(self.sources, ends, "->")
            self.source, self.state = ends, "edge"
        else:
            if self.state == "list":
                self.waiting += self.source
            self.source, self.sources, self.state = ends, [], "list"

    def _split(self, mark: str) -> None:
        if self.arrow:
            raise _Stop("an arrow leads nowhere")
        if self.state == "edge" and mark in (",", "and"):
            self.state = "joint"
        elif self.state not in ("list", "joint"):
            self.state = ""
        elif mark == ";" and self.state == "list":
            raise _Stop("a node stands alone")

    def _end_line(self) -> None:
        if self.arrow:
            raise _Stop("an arrow leads nowhere")
        if self.state == "list" and self.source:
            raise _Stop("a node stands alone")
        self.state, self.sources, self.source = "", [], []

    def _add_all(self, starts: list[str], ends: list[str], arrow: str) -> None:
        for one in starts:
            for other in ends:
                self._add(one, other, arrow)

    def _add(self, one: str, other: str, arrow: str) -> None:
        if not self.directed:
            self.pairs.add((one, other) if one <= other else (other, one))
        elif arrow == "->":
            self.pairs.add((one, other))
        elif arrow == "<-":
            self.pairs.add((other, one))
        else:
            raise _Stop("the direction is not given")

    def _arrow_follows(self) -> bool:
        index = self.index + 1
        if self.pieces[self.index].kind == "open":
            index = close_of(self.pieces, self.index) + 1
        if index >= len(self.pieces):
            return False
        follower = self.pieces[index]
        return follower.kind == "arrow" or (not self.directed and follower.text in _UNDIRECTED and follower.text != "|")

    def _endpoint_follows(self) -> bool:
        following = self.pieces[self.index + 1 : self.index + 2]
        return bool(following) and following[0].kind in ("name", "open")

    def _colon_follows(self) -> bool:
        following = self.pieces[self.index + 1 : self.index + 2]
        return bool(following) and following[0].text == ":"

    def _clause_follows(self) -> bool:
        """Whether the names at this place are rather the subject of a sentence: "C and D are isolated"."""
        for piece in self.pieces[self.index : self.index + 12]:
            if piece.kind == "name" or piece.text in (",", "and") or (self.pairs and piece.text in _UNORIENTED):
                continue
            return piece.kind == "word" and (piece.text.lower() not in NOISE or piece.text.lower() in ("is", "are"))
        return False

    def _remark_on_a_fault(self) -> bool:
        """Whether what follows says of another edge that it is none; within a list, where it may be an element."""
        if self.state not in ("", "joint") or not self.pairs or not self._fault_follows():
            return False
        if self.state == "joint" and (self.pieces[self.index].kind == "open" or self._arrow_follows()):
            raise _Stop("an edge of the list is said to be none")
        return not self.state

    def _fault_follows(self) -> bool:
        """Whether a sentence about another edge begins here, which says why it is none: "C -> D is reversible"."""
        opened = self.pieces[self.index].kind == "open"
        index = close_of(self.pieces, self.index) + 1 if opened else self.index
        arrow = ""
        for place, piece in enumerate(self.pieces[index : index + 16], index + 1):
            if piece.kind == "word" and piece.text != "and":
                another = piece.text.lower() == "not" and self.pieces[place : place + 1]
                if piece.text.lower() in _ENDING - {"not"} or (another and another[0].kind in ("name", "open")):
                    return False
                if piece.text.lower() in _FAULTS:
                    return True
            elif piece.kind == "arrow" or piece.text in _UNDIRECTED:
                if arrow not in ("", piece.text):
                    return False
                arrow = piece.text
            elif piece.kind != "name":
                return False
        return False

    def _goes_on_behind_gap(self, word: str) -> bool:
        """Whether edges are left out at this place: an ellipsis in the place of one, or edges behind it."""
        before = self.pieces[self.index - 1] if self.index else None
        in_place = not word and (before is None or before.text in _SPLITTERS or before.text == "and")
        return in_place or any(piece.kind == "arrow" for piece in self.pieces[self.index :])

    def _empty_follows(self) -> bool:
        following = self.pieces[self.index + 1 : self.index + 2]
        if not following or following[0].kind == "line":
            return True
        return following[0].text.lower() in ("none", "-", "–", "—", "∅", "empty")

    def _take_row(self) -> None:
        """The two cells of a table row."""
        cells: list[str] = []
        while self.index < len(self.pieces) and self.pieces[self.index].kind != "line":
            piece = self.pieces[self.index]
            if piece.kind == "name":
                cells.append(piece.text)
            elif piece.kind != "arrow" and piece.text not in _UNDIRECTED:
                raise _Stop("no edges could be read")
            self.index += 1
        self.index -= 1
        if len(cells) != 2:
            raise _Stop("no edges could be read")
        self._add(cells[0], cells[1], "->")

    def _take_group(self, piece: Piece) -> None:
        """A group in brackets: an endpoint of several nodes, an edge, further edges, or a remark."""
        stop = close_of(self.pieces, self.index)
        inner = self.pieces[self.index + 1 : stop]
        names = [other.text for other in inner if other.kind == "name"]
        listed = bool(names) and all(other.kind == "name" or other.text in (",", ";", "and") for other in inner)
        before = self.pieces[self.index - 1] if self.index else None
        endpoint = bool(self.arrow) or self.state == "colon" or self._arrow_follows()
        if endpoint and listed:
            self._take_endpoint(names)
        elif endpoint and self.state == "colon" and not inner:
            self.source, self.state = [], ""
        elif endpoint:
            raise _Stop("no edges could be read")
        elif piece.text == "(" and before is not None and before.kind in ("name", "word") and before.text != "and":
            pass  # a remark
        elif listed and len(names) == 2:
            if piece.text == "{" and self.directed:
                raise _Stop("the direction is not given")
            self._add(names[0], names[1], "->")
            self.source, self.state = [], "pair"
        elif ends := keyed(inner):
            self._add(*ends, "->")
        elif piece.text != "{" and self.pairs and _is_prose(inner):
            pass  # a remark
        elif any(other.kind in ("arrow", "open") or other.text in _UNDIRECTED for other in inner):
            inside = EdgeReader(inner, self.directed)
            outcome = inside.read()
            if outcome.kind is not Kind.VALUE:
                raise _Stop(outcome.note)
            self.pairs |= inside.pairs
        elif piece.text != "(" or not self.pairs:
            raise _Stop("no edges could be read")
        self.index = stop


def keyed(inner: list[Piece]) -> Pair | None:
    """The ends of an edge written as an object: ``{"from": "A", "to": "B"}``."""
    ends: dict[int, str] = {}
    if any(piece.kind == "open" for piece in inner):
        return None
    for index in range(len(inner) - 2):
        key = inner[index].text.lower()
        if inner[index + 1].text == ":" and inner[index + 2].kind == "name" and key in _KEYS:
            ends.setdefault(_KEYS[key], inner[index + 2].text)
    return (ends[0], ends[1]) if len(ends) == 2 else None


def _is_prose(inner: list[Piece]) -> bool:
    """Whether brackets hold words rather than edges: they open with one, or have one and no arrow."""
    if inner and inner[0].text.lower() == "or":
        return False
    words = [piece.kind == "word" and piece.text.lower() not in NOISE for piece in inner]
    return words[:1] == [True] or (any(words) and all(piece.kind != "arrow" for piece in inner))
