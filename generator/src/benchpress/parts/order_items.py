"""What counts the elements of a list, and the items of an order: names, separators, places, and no figures behind the
names."""

from benchpress.parts.lists import Piece, list_items
from benchpress.parts.names import Names

ORDINAL_WORDS = {
    word: place
    for place, words in enumerate(
        ("first firstly 1st", "second secondly 2nd", "third thirdly 3rd", "fourth 4th", "fifth 5th", "sixth 6th",
         "seventh 7th", "eighth 8th", "ninth 9th", "tenth 10th"), 1)
    for word in words.split()
}  # fmt: skip
_CIRCLED = {chr(0x2460 + place): place + 1 for place in range(20)}
_CIRCLED |= {chr(start + place): place + 1 for start in (0x2776, 0x2780, 0x278A) for place in range(10)}
_CIRCLED |= {"🥇": 1, "🥈": 2, "🥉": 3, "🔟": 10}
LINKS = frozenset(
    [
        "which", "end", "ends", "ending", "and", "then", "before", "precedes", "next", "finally", "lastly", "last",
        "followed", "by", "comes", "come",
        "goes", "go", "to", "subsequently", "afterwards", "later",
    ]
)  # fmt: skip


def order_items(text: str, names: Names | None) -> list[Piece]:
    """The items of an order: what counts its elements as ordinals, and no figures behind the names."""
    return _ordinals(_without_figures(_numbered(_joined(list_items(text, names), names))))


def without_places(pieces: list[Piece], separator: str) -> list[Piece]:
    """`pieces` of a list whose order means nothing, with a `separator` for what counts its elements: ``1. A 2. B``."""
    if any(piece.kind == "name" and piece.text.isdigit() for piece in pieces):
        return pieces  # a number may be a name
    counted = _ordinals(_numbered(pieces))
    if counted[:1] and counted[0].kind == "ordinal":
        counted = counted[1:]
    return [Piece("other", separator) if piece.kind == "ordinal" else piece for piece in counted]


def _joined(pieces: list[Piece], names: Names | None) -> list[Piece]:
    """Without a universe, the words between two separators are one name."""
    if names is not None:
        return pieces
    kept: list[Piece] = []
    for piece in pieces:
        if (
            piece.kind in ("word", "number")
            and piece.text.lower() not in LINKS
            and piece.text.lower() not in ORDINAL_WORDS
        ):
            if kept and kept[-1].kind == "name":
                kept[-1] = Piece("name", f"{kept[-1].text} {piece.text}")
            else:
                kept.append(Piece("name", piece.text, True, piece.tight))
        else:
            kept.append(piece)
    return kept


def _numbered(pieces: list[Piece]) -> list[Piece]:
    """`pieces` with the places in front of the elements as ordinals: ``1 - C, 2 - A, 3 - B``, ``[1] C [2] A [3] B``.

    They stay as they are where the elements are not numbered through from 1, or from 0, each in front of its name.
    """
    first = next((index for index, piece in enumerate(pieces) if piece.kind in ("name", "number")), len(pieces))
    start = index = first - (first > 0 and pieces[first - 1].text == "[")
    kept = pieces[:start]
    places: list[int] = []
    while (name := past_place(pieces, index)) is not None:
        place = pieces[index + (pieces[index].text == "[")]
        kept += [Piece("ordinal", place.text), pieces[name]]
        places.append(int(place.text))
        index = name + 1
        while index < len(pieces) and pieces[index].text in _BETWEEN:
            kept.append(pieces[index])
            index += 1
    through = len(places) > 1 and sorted(places) in (list(range(len(places))), list(range(1, len(places) + 1)))
    ended = index == len(pieces) or pieces[index].kind not in ("name", "number")
    return [*kept, *pieces[index:]] if through and ended else pieces


_BETWEEN = (",", ";", "/", "|", "&", "->", "and", "then", "\n")


def past_place(pieces: list[Piece], index: int) -> int | None:
    """Where the name stands whose place is told at `index`, None where no place is."""
    texts = [piece.text for piece in pieces[index : index + 4]]
    boxed = texts[:1] == ["["]
    index += boxed
    if index >= len(pieces) or not is_place(pieces[index]):
        return None
    index += 1
    if boxed:
        if texts[2:3] != ["]"]:
            return None
        index += 1
    elif index < len(pieces) and pieces[index].text in ("-", "–", "—", "=", "\u20e3"):
        index += 1
    return index if index < len(pieces) and pieces[index].kind == "name" else None


def _without_figures(pieces: list[Piece]) -> list[Piece]:
    """`pieces` without the figure that stands behind each name: ``A: 0.62, B: 0.41``. They stay as they are where a
    name has none, and where all figures are whole numbers, which rather are places."""
    kept: list[Piece] = []
    exact = False
    index = 0
    while index < len(pieces):
        kept.append(pieces[index])
        index += 1
        if pieces[index - 1].kind != "name":
            continue
        stop = _past_figure(pieces, index)
        if stop == index:
            return pieces
        exact = exact or any(piece.text in (".", "/", "%") for piece in pieces[index:stop])
        index = stop
    return kept if exact else pieces


def _past_figure(pieces: list[Piece], start: int) -> int:
    """Where the figure ends that begins at `start`, its sign included; `start` where there is none."""
    texts = [piece.text for piece in pieces[start : start + 8]] + [""]
    index = 0
    while texts[index] in _BEFORE_FIGURE and index < 2:
        index += 1
    digits = index
    if texts[index].isdigit():
        index += 1
    if texts[index] in (".", "/") and texts[index + 1].isdigit() and pieces[start + index + 1].tight:
        index += 2
    if index == digits:
        return start
    if texts[index] == "%":
        index += 1
    return start if texts[index] in (".", ")", ":") and pieces[start + index].tight else start + index


_BEFORE_FIGURE = (":", "=", "-", "–", "—", "≈", "+", "~")


def _ordinals(pieces: list[Piece]) -> list[Piece]:
    """`pieces` with what counts the elements as a kind of its own: ``1)``, ``2.``, ``(3)``, ``#4``, ``b)``, ``ii)``."""
    kept: list[Piece] = []
    depth = 0
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        behind = pieces[index + 1] if index + 1 < len(pieces) else None
        after = pieces[index + 2] if index + 2 < len(pieces) else None
        opened = bool(kept) and kept[-1].text == "("
        place = _place_of(piece, behind, after, opened, depth)
        if place is not None:
            if opened and behind is not None and behind.text == ")":
                kept.pop()
                depth -= 1
            elif kept and kept[-1].text.lower() in _POSITIONS:
                kept.pop()
            kept.append(Piece("ordinal", str(place)))
            index += 2
            continue
        if piece.text == "#" and is_place(behind) and behind is not None and after is not None:
            kept.append(Piece("ordinal", behind.text))
            index += 2 + (after.text in (":", ".", ")"))
            continue
        if piece.text in _CIRCLED:
            piece = Piece("ordinal", str(_CIRCLED[piece.text]))
        depth += (piece.kind == "open") - (piece.kind == "close" and depth > 0)
        kept.append(piece)
        index += 1
    return kept


_POSITIONS = ("step", "position", "place", "rank", "pos", "no", "number")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")


def _place_of(piece: Piece, behind: Piece | None, after: Piece | None, opened: bool, depth: int) -> int | None:
    """The place that a number or letter in front of an element gives it, None where it gives none."""
    if behind is None or not behind.tight or behind.text not in (")", ".", ":", "\u20e3"):
        return None
    if after is None or after.kind not in ("name", "open", "number") or (behind.text == ")" and depth and not opened):
        return None
    if piece.kind in ("name", "number") and piece.text.isdigit() and len(piece.text) < 6:
        return int(piece.text)
    small = piece.text.lower()
    if behind.text != ")" or after.kind != "name" or piece.kind not in ("name", "word"):
        return None
    if piece.kind == "word" and piece.text in _ROMAN:
        return _ROMAN.index(piece.text) + 1
    if len(small) == 1 and "a" <= small <= "z" and (piece.text == small if piece.kind == "word" else not piece.exact):
        return ord(small) - ord("a") + 1
    return None


def is_place(piece: Piece | None) -> bool:
    return piece is not None and piece.kind == "number" and piece.text.isdigit() and len(piece.text) < 6
