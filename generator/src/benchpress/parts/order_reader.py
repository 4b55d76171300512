"""An order out of the items of one stretch of text: separators, arrows, places."""

from benchpress.parts.lists import Piece, balanced, close_of, is_article_or_pronoun
from benchpress.parts.names import Names
from benchpress.parts.order_items import LINKS, ORDINAL_WORDS, is_place, order_items
from benchpress.parts.outcome import Outcome, found, unclear

SEPARATORS = frozenset(
    (",", ";", "/", "|", "-", "–", "—", "<", ">", "≺", "≻", "≤", "·", "•", "&", "⟶", "→", ":", "⪯", "≼", "+")
)
_LEADING = frozenset(
    [
        "the", "a", "an", "order", "ordering", "sequence", "is", "are", "be", "topological", "causal", "cycle",
        "cyclic", "one", "valid", "answer", "final", "so", "thus", "hence", "therefore", "list", "possible",
        "follows", "as", "nodes", "variables", "from", "to", "path", "route", "my", "our", "would", "correct",
        "sorted", "sort", "unique", "temporal", "goes", "in", "start", "starts", "starting", "with", "visit",
        "visits", "begin", "begins", "following",
    ]
)  # fmt: skip


def by_ordinals(names: list[str], numbers: list[int]) -> Outcome:
    """The names in the order of the numbers that stand with them."""
    if len(set(numbers)) != len(numbers):
        return unclear("two elements have the same place")
    order = sorted(range(len(names)), key=numbers.__getitem__)
    return found([names[index] for index in order])


def read_order(text: str, names: Names | None) -> Outcome:
    """The order that `text` gives, or why it gives none."""
    pieces = balanced(order_items(text, names))
    pieces = pieces[_lead_in(pieces) :]
    if pieces and pieces[0].kind == "open":
        stop = close_of(pieces, 0)
        inner = pieces[1:stop]
        if _another_order(pieces[stop + 1 :], [piece.text for piece in inner if piece.kind == "name"]):
            return unclear("several orders are given")
        if sum(piece.kind == "name" for piece in inner) > 1 or stop >= len(pieces) - 2:
            pieces = inner
    while pieces and pieces[0].kind == "open" and close_of(pieces, 0) == len(pieces) - 1:
        pieces = pieces[1:-1]
    everything = frozenset(names.exact.values()) if names is not None else frozenset()
    return _OrderReader(pieces, everything).read()


_PREMISES = frozenset(("because", "since", "as", "given", "where", "while", "whereas", "not", "than", "instead"))


def _another_order(rest: list[Piece], order: list[str]) -> bool:
    """Whether what follows an order in brackets gives another one, of as many names or behind an "or"."""
    index = 0
    while len(order) > 1 and index < len(rest) and rest[index].text.lower() not in _PREMISES:
        if rest[index].kind == "open":
            stop = close_of(rest, index)
            inner = [piece for piece in rest[index + 1 : stop] if piece.kind not in ("open", "close")]
            named = [piece.text for piece in inner if piece.kind == "name"]
            if len(named) == len(order) and named != order and _only_listed(inner):
                return True
            index = stop
        elif rest[index].text.lower() == "or":
            behind = [piece.text for piece in rest[index + 1 :] if piece.kind == "name"][: len(order)]
            return len(behind) > 1 and behind != order
        index += 1
    return False


def _only_listed(inner: list[Piece]) -> bool:
    return all(
        piece.kind in ("name", "arrow") or piece.text in SEPARATORS or piece.text.lower() in ("and", "or")
        for piece in inner
    )


def _lead_in(pieces: list[Piece]) -> int:
    """How many pieces only announce the order: "The order is", "Topological order:", "S ="."""
    start = 0
    for index, piece in enumerate(pieces[:12]):
        if piece.kind in ("arrow", "ordinal") or (piece.kind == "open" and not piece.tight):
            break
        named = pieces[index + 1 : index + 3]
        if piece.kind == "name" and [other.text if other.kind != "open" else "(" for other in named] != ["=", "("]:
            break
        if piece.text in ("=", ":") and (index == 0 or pieces[index - 1].text.lower() not in ORDINAL_WORDS):
            start = index + 1
    while start < len(pieces) and (
        (pieces[start].kind == "word" and pieces[start].text.lower() in _LEADING)
        or pieces[start].text in ":=~_"
        or _is_article(pieces, start)
        or is_article_or_pronoun(pieces, start)
    ):
        start += 1
    return start


def _is_article(pieces: list[Piece], index: int) -> bool:
    """Whether a small letter in front of a word is rather the article than a name."""
    piece, behind = pieces[index], pieces[index + 1 : index + 2]
    if piece.kind != "name" or piece.exact or len(piece.text) > 1 or not behind or behind[0].kind != "word":
        return False
    word = behind[0].text.lower()
    return word not in LINKS and word not in ORDINAL_WORDS


class _Stop(Exception):  # noqa: N818 - not an error of the program
    """What is written gives no order; the text says why."""


class _OrderReader:
    """One pass over the pieces: names, what separates them, and the places that some are given."""

    def __init__(self, pieces: list[Piece], everything: frozenset[str]) -> None:
        self.pieces = pieces
        self.everything = everything
        """All names there are, empty where that is not known."""
        self.names: list[str] = []
        self.places: list[int | None] = []
        self.pending: int | None = None
        self.joints: list[str] = []
        """What stood between each name and the one before: comma, arrow, bar, line, word, or nothing."""
        self.joint = ""
        self.directions: set[str] = set()
        self.index = 0

    def read(self) -> Outcome:
        try:
            while self.index < len(self.pieces) and self._step(self.pieces[self.index]):
                self.index += 1
            self._merge_pairs()
        except _Stop as reason:
            return unclear(str(reason))
        if not self.names:
            return unclear("no order could be read")
        return _placed(self.names, self.places, self.directions)

    def _peek(self, ahead: int = 1) -> Piece | None:
        index = self.index + ahead
        return self.pieces[index] if index < len(self.pieces) else None

    def _before(self) -> Piece | None:
        return self.pieces[self.index - 1] if self.index else None

    def _step(self, piece: Piece) -> bool:
        """Take in one piece; False where the order ends and a remark begins."""
        word = piece.text.lower() if piece.kind != "name" else ""
        follower, before = self._peek(), self._before()
        if piece.kind == "ordinal":
            self.pending = int(piece.text)
        elif piece.kind == "name":
            return self._take_name(piece, follower)
        elif piece.kind == "arrow" or piece.text in _PRECEDING or word in ("before", "precedes"):
            self.directions.add(piece.text if piece.kind == "arrow" else "->")
            self.joint = "arrow"
        elif word in ORDINAL_WORDS:
            self._take_ordinal_word(ORDINAL_WORDS[word], follower, before)
        elif word in _BACKWARDS:
            raise _Stop("the order is told backwards")
        elif word in ("or", "also") and any(other.kind == "name" for other in self.pieces[self.index + 1 :]):
            raise _Stop("several orders are given")
        elif piece.kind == "open":
            self._take_group(piece, before)
        elif piece.text in (":", "=") and before is not None and before.kind == "name" and is_place(follower):
            self.places[-1] = int(follower.text) if follower is not None else None
            self.index += 1
        elif piece.text in ("=", "~", "≈"):
            raise _Stop("several elements share one place")
        elif piece.text in ("...", "…", "?") or (piece.text == "." and follower is not None and follower.text == "."):
            if not self.names or self.joint:
                raise _Stop("an element is left out")
            return False
        elif piece.text == ".":
            return self._goes_on_behind_a_stop(piece, follower)
        elif piece.kind == "line":
            self.joint = self.joint or "line"
        elif piece.text in SEPARATORS:
            self.joint = "bar" if piece.text in ("/", "|") and self.joint != "arrow" else self.joint or "comma"
        elif word in LINKS or piece.kind == "close":
            self.joint = self.joint or ("word" if word else "")
        elif word in ("is", "which", "who") and (
            word != "is" or (follower is not None and follower.text.lower() in ORDINAL_WORDS)
        ):
            pass
        elif not self.names:
            if word not in _LEADING:
                raise _Stop("no order could be read")
        elif word == "with" and before is not None and before.text.lower() in ("end", "ends", "ending"):
            pass
        elif word in _REASONS:
            return False
        elif any(other.kind == "name" for other in self.pieces[self.index + 1 :]) and not self._is_complete():
            raise _Stop("the order runs into a sentence")
        else:
            return False
        return True

    def _is_complete(self) -> bool:
        return bool(self.everything) and self.everything <= set(self.names)

    def _take_name(self, piece: Piece, follower: Piece | None) -> bool:
        clause = follower is not None and follower.kind == "word" and _clause(follower.text)
        if clause and self.names and self.pending is None and self.joint:
            if self._is_complete():
                return False
            last_of_all = bool(self.everything) and self.everything - set(self.names) == {piece.text}
            if not last_of_all and not self._place_is_told():
                raise _Stop("the order runs into a sentence")
        self.joints.append(self.joint)
        self.joint = ""
        self.names.append(piece.text)
        self.places.append(self.pending)
        self.pending = None
        return True

    def _place_is_told(self) -> bool:
        """Whether the clause about this name gives its place: "B is third"."""
        verb, place = self._peek(), self._peek(2)
        return (
            verb is not None and verb.text.lower() == "is" and place is not None and place.text.lower() in ORDINAL_WORDS
        )

    def _take_ordinal_word(self, place: int, follower: Piece | None, before: Piece | None) -> None:
        ends = follower is None or follower.text in (",", ";", ".") or follower.text.lower() in ("and", "then")
        told = before is not None and (before.kind == "name" or before.text.lower() in ("comes", "goes", "is"))
        if self.names and self.places[-1] is None and ends and told:
            self.places[-1] = place
        else:
            self.pending = place

    def _take_group(self, piece: Piece, before: Piece | None) -> None:
        stop = close_of(self.pieces, self.index)
        inner = self.pieces[self.index + 1 : stop]
        members = [other.text for other in inner if other.kind == "name"]
        behind_name = before is not None and before.kind == "name"
        if len(inner) == 1 and is_place(inner[0]) and behind_name:
            self.places[-1] = int(inner[0].text)
        elif len(inner) == 1 and inner[0].text.lower() in ORDINAL_WORDS and behind_name:
            self.places[-1] = ORDINAL_WORDS[inner[0].text.lower()]
        elif piece.text == "{" or not self.names or not behind_name or (piece.text == "[" and _only_listed(inner)):
            if len(members) != 1:
                raise _Stop("several elements share one place")
            self.joints.append(self.joint)
            self.joint = ""
            self.names.append(members[0])
            self.places.append(self.pending)
            self.pending = None
        self.index = stop

    def _goes_on_behind_a_stop(self, piece: Piece, follower: Piece | None) -> bool:
        if follower is None:
            return True
        if follower.kind == "ordinal" or follower.text.lower() in ORDINAL_WORDS:
            return True
        if piece.tight and follower.tight and follower.kind == "name":
            raise _Stop("no order could be read")
        return not self.names

    def _merge_pairs(self) -> None:
        """``C -> A, A -> B`` as the order C, A, B; commas and arrows mixed in any other way order nothing."""
        between = self.joints[1:]
        if "bar" in between and len(set(between)) > 1:
            raise _Stop("several orders are given")
        if "line" in between and ("comma" in between or "arrow" in between) and "arrow" not in between:
            raise _Stop("several orders are given")
        if "arrow" not in between or not {"comma", "line", "word"} & set(between):
            return
        names, places = self.names[:1], self.places[:1]
        for joint, name, place in zip(between, self.names[1:], self.places[1:], strict=True):
            if joint == "arrow":
                names.append(name)
                places.append(place)
            elif joint != "word" and name != names[-1]:
                raise _Stop("the pairs given are no order")
            elif name != names[-1]:
                names.append(name)
                places.append(place)
        self.names, self.places = names, places


_PRECEDING = frozenset(("<", ">", "≺", "≻", "≤", "⪯", "≼", "→", "⟶"))
_BACKWARDS = frozenset(("after", "preceded", "reverse", "reversed"))
_REASONS = frozenset(("because", "since", "as", "where", "given", "not", "but", "so", "with", "for"))


def _clause(word: str) -> bool:
    lower = word.lower()
    return lower not in LINKS and lower not in ORDINAL_WORDS and lower not in ("and", "then", "or", "because", "since")


def _placed(names: list[str], places: list[int | None], arrows: set[str]) -> Outcome:
    given = [place for place in places if place is not None]
    if len(given) == len(names) and len(names) > 1:
        return by_ordinals(names, given)
    if any(place is not None and place != position for position, place in enumerate(places, 1)):
        return unclear("the places given do not fit the order")
    if "<-" in arrows:
        return found(names[::-1]) if arrows == {"<-"} else unclear("the arrows point both ways")
    return found(names)
