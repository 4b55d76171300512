"""An order out of one stretch of text: separators, arrows, ordinals."""

from benchpress.parts.lists import Piece, balanced, close_of, is_article_or_pronoun, list_items
from benchpress.parts.names import Names
from benchpress.parts.outcome import Outcome, found, unclear

_ORDINAL_WORDS = {
    word: place
    for place, words in enumerate(
        ("first firstly 1st", "second secondly 2nd", "third thirdly 3rd", "fourth 4th", "fifth 5th", "sixth 6th",
         "seventh 7th", "eighth 8th", "ninth 9th", "tenth 10th"), 1)
    for word in words.split()
}  # fmt: skip
_CIRCLED = {chr(0x2460 + place): place + 1 for place in range(20)} | {
    chr(0x2776 + place): place + 1 for place in range(10)
}
SEPARATORS = frozenset(
    (",", ";", "/", "|", "-", "–", "—", "<", ">", "≺", "≻", "≤", "·", "•", "&", "⟶", "→", ":", "⪯", "≼", "+")
)
LINKS = frozenset(
    [
        "and", "then", "before", "precedes", "next", "finally", "lastly", "last", "followed", "by", "comes", "come",
        "goes", "go", "to", "subsequently", "afterwards", "later",
    ]
)  # fmt: skip
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
    pieces = balanced(_ordinals(_joined(list_items(text, names), names)))
    start = 0
    for index, piece in enumerate(pieces[:12]):
        if (
            piece.text in ("=", ":")
            and index + 1 < len(pieces)
            and (index == 0 or pieces[index - 1].kind in ("word", "close"))
        ):
            start = index + 1
    while start < len(pieces) and (
        (pieces[start].kind == "word" and pieces[start].text.lower() in _LEADING)
        or pieces[start].text in ":=~._"
        or _is_article(pieces, start)
        or is_article_or_pronoun(pieces, start)
    ):
        start += 1
    pieces = pieces[start:]
    if pieces and pieces[0].kind == "open":
        stop = close_of(pieces, 0)
        pieces = pieces[1:stop] if _one_list(pieces[1:stop]) or stop >= len(pieces) - 2 else pieces
    if pieces and pieces[0].kind == "open" and close_of(pieces, 0) == len(pieces) - 1:
        pieces = pieces[1:-1]
    return _order(pieces)


def _ordinals(pieces: list[Piece]) -> list[Piece]:
    """`pieces` with the numbers that count elements as a kind of their own: ``1)``, ``2.``, ``(3)``, ``#4``."""
    kept: list[Piece] = []
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        behind = pieces[index + 1] if index + 1 < len(pieces) else None
        after = pieces[index + 2] if index + 2 < len(pieces) else None
        digits = piece.text.isdigit() and len(piece.text) < 6 and piece.kind in ("name", "number")
        if digits and behind is not None and behind.text in (")", ".", ":") and behind.tight:
            opened = bool(kept) and kept[-1].text == "(" and behind.text == ")"
            if (
                after is not None
                and after.kind in ("name", "open", "number")
                and (opened or behind.text != ")" or not _is_open(kept))
            ):
                if opened:
                    kept.pop()
                kept.append(Piece("ordinal", piece.text))
                index += 2
                continue
        if (
            piece.text == "#"
            and behind is not None
            and behind.text.isdigit()
            and after is not None
            and len(behind.text) < 6
        ):
            kept.append(Piece("ordinal", behind.text))
            index += 2 + (after.text in (":", ".", ")"))
            continue
        if piece.text in _CIRCLED:
            piece = Piece("ordinal", str(_CIRCLED[piece.text]))
        kept.append(piece)
        index += 1
    return kept


def _is_open(pieces: list[Piece]) -> bool:
    return sum((piece.kind == "open") - (piece.kind == "close") for piece in pieces) > 0


def _is_article(pieces: list[Piece], index: int) -> bool:
    """Whether a small letter in front of a word is rather the article than a name."""
    piece, behind = pieces[index], pieces[index + 1 : index + 2]
    if piece.kind != "name" or piece.exact or len(piece.text) > 1 or not behind or behind[0].kind != "word":
        return False
    word = behind[0].text.lower()
    return word not in LINKS and word not in _ORDINAL_WORDS


def _one_list(inner: list[Piece]) -> bool:
    return sum(piece.kind == "name" for piece in inner) > 1


def _joined(pieces: list[Piece], names: Names | None) -> list[Piece]:
    """Without a universe, the words between two separators are one name."""
    if names is not None:
        return pieces
    kept: list[Piece] = []
    for piece in pieces:
        if (
            piece.kind in ("word", "number")
            and piece.text.lower() not in LINKS
            and piece.text.lower() not in _ORDINAL_WORDS
        ):
            if kept and kept[-1].kind == "name":
                kept[-1] = Piece("name", f"{kept[-1].text} {piece.text}")
            else:
                kept.append(Piece("name", piece.text, True, piece.tight))
        else:
            kept.append(piece)
    return kept


def _order(pieces: list[Piece]) -> Outcome:
    names: list[str] = []
    places: list[int | None] = []
    arrows: set[str] = set()
    pending: int | None = None
    words_since = 0
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        follower = pieces[index + 1] if index + 1 < len(pieces) else None
        word = piece.text.lower() if piece.kind != "name" else ""
        if piece.kind == "ordinal":
            pending = int(piece.text)
        elif piece.kind == "name":
            if names and words_since and not pending:
                break
            if (
                follower is not None
                and follower.kind == "word"
                and names
                and words_since == 0
                and _clause(follower.text)
                and pending is None
                and pieces[index - 1].text in (".", ";", ",", "-", "–", "—")
            ):
                break
            names.append(piece.text)
            places.append(pending)
            pending = None
            words_since = 0
        elif piece.kind == "arrow":
            arrows.add(piece.text)
        elif word in _ORDINAL_WORDS:
            place = _ORDINAL_WORDS[word]
            behind = follower is None or follower.text in (",", ";", ".") or follower.text.lower() in ("and", "then")
            if (
                names
                and places[-1] is None
                and behind
                and (pieces[index - 1].kind == "name" or pieces[index - 1].text.lower() in ("comes", "goes"))
            ):
                places[-1] = place
            else:
                pending = place
        elif word == "or" and any(other.kind == "name" for other in pieces[index + 1 :]):
            return unclear("several orders are given")
        elif piece.kind == "open":
            stop = close_of(pieces, index)
            inner = pieces[index + 1 : stop]
            if len(inner) == 1 and inner[0].text.isdigit() and names:
                places[-1] = int(inner[0].text) if len(inner[0].text) < 6 else None
            elif piece.text != "(" or not names or pieces[index - 1].kind not in ("name", "close"):
                if sum(other.kind == "name" for other in inner) != 1:
                    return unclear("several elements share one place")
                names.append(next(other.text for other in inner if other.kind == "name"))
                places.append(pending)
            index = stop
        elif piece.text in ("=", "~", "≈"):
            return unclear("several elements share one place")
        elif word == "after":
            return unclear("the order is told backwards")
        elif piece.kind == "line" or piece.text in SEPARATORS or word in LINKS or piece.kind == "close":
            pass
        elif piece.text == "." and not (follower is not None and follower.kind == "name" and not names):
            break
        elif piece.kind in ("word", "number"):
            if not names:
                if word not in _LEADING:
                    return unclear("no order could be read")
            else:
                if word in ("because", "since", "as", "where", "given", "not", "but", "so", "with"):
                    break
                words_since += 1
        index += 1
    if not names:
        return unclear("no order could be read")
    return _placed(names, places, arrows)


def _clause(word: str) -> bool:
    lower = word.lower()
    return lower not in LINKS and lower not in _ORDINAL_WORDS and lower not in ("and", "then", "or", "because", "since")


def _placed(names: list[str], places: list[int | None], arrows: set[str]) -> Outcome:
    given = [place for place in places if place is not None]
    if len(given) == len(names) and len(names) > 1:
        return by_ordinals(names, given)
    if any(place is not None and place != position for position, place in enumerate(places, 1)):
        return unclear("the places given do not fit the order")
    if "<-" in arrows:
        return found(names[::-1]) if arrows == {"<-"} else unclear("the arrows point both ways")
    return found(names)
