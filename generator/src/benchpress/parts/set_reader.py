"""A set of names out of one stretch of text: in brackets, as a bare list, or as words for the empty set."""

from itertools import pairwise

from benchpress.parts.empty_set import SEVERAL, in_words
from benchpress.parts.lists import (
    Piece,
    balanced,
    close_of,
    is_article_or_pronoun,
    is_ellipsis,
    list_items,
    past_announcement,
    unquoted,
)
from benchpress.parts.markup import CROSSES
from benchpress.parts.names import Names
from benchpress.parts.order_items import without_places
from benchpress.parts.outcome import Outcome, absent, found, unclear
from benchpress.parts.set_groups import (
    HOLDING,
    JOINING,
    LEADING,
    LISTING,
    STOPPING,
    in_brackets,
    is_faulted,
    offers_empty,
    only_names,
)

_ANNOUNCING = LEADING | {"as", "follows", "here"}
_ONE = frozenset(
    [
        "is", "was", "has", "isn't", "must", "cannot", "stays", "opens", "lies", "blocks", "being", "as", "itself",
        "does", "would", "should", "can", "will", "may", "remains", "causes",
    ]
)  # fmt: skip
_MANY = frozenset(
    ["are", "block", "together", "suffice", "were", "both", "jointly", "only", "suffices", "form", "close"]
)


def read_set(text: str, names: Names | None) -> Outcome:
    """The set that `text` gives, or why it gives none."""
    words = unquoted(text)
    if names is None or names.of(words) is None:
        said = in_words(words, names)
        if said is not None:
            return said
    pieces = list_items(text.strip(), names)
    pieces = _spoken(balanced(pieces if names is None else without_places(pieces, ",")))
    start = past_announcement(pieces, _ANNOUNCING) or _after_equals(pieces)
    if 0 < start < len(pieces) and pieces[start].text == ",":
        start += 1  # the items of a list below an announcement
    while start < len(pieces) and (
        (
            pieces[start].kind in ("word", "other")
            and (pieces[start].text.lower() in LEADING or pieces[start].text in ":=~≈_-|.")
        )
        or (is_article_or_pronoun(pieces, start) and pieces[start + 1].text.lower() in _SETS)
    ):
        start += 1
    skipped, pieces = pieces[:start], pieces[start:]
    told = {piece.text.lower() for piece in skipped}
    if (
        not pieces
        or ("sets" in told and not HOLDING.isdisjoint(told))
        or any(piece.text.lower() in _EITHER and behind.text.lower() == "of" for piece, behind in pairwise(skipped))
    ):
        return unclear("no names stand behind the label")
    first = pieces[0]
    if first.kind == "open":
        return in_brackets(pieces, names)
    if is_article_or_pronoun(pieces, 0):
        first = Piece("word", first.text)
    if first.kind == "name" or (names is None and first.kind in ("word", "number")):
        return _bare(pieces, names, prose=start > 0)
    if first.kind in ("word", "number") and first.text.lower() not in _NEGATING:
        index = next((i for i, piece in enumerate(pieces) if piece.text == "{"), None)
        if index is not None:
            return in_brackets(pieces[index:], names)
    return unclear("no set could be read")


_SETS = ("set", "valid", "minimal", "sufficient", "pair", "triple", "smallest", "adjustment", "conditioning")
"""What may follow the article in front of a set."""
_PHRASES = {
    ("as", "well", "as"): "and", ("together", "with"): "and", ("along", "with"): "and", ("in", "addition", "to"): "and",
    ("that", "contains"): "containing", ("that", "consists"): "containing", ("that", "includes"): "containing",
    ("made", "up"): "containing",
}  # fmt: skip


def _spoken(pieces: list[Piece]) -> list[Piece]:
    """`pieces` with the phrases of a list as the one word that they stand for."""
    kept: list[Piece] = []
    index = 0
    while index < len(pieces):
        words = tuple(piece.text.lower() if piece.kind == "word" else "" for piece in pieces[index : index + 3])
        length = 3 if words in _PHRASES else 2
        word = _PHRASES.get(words[:length])
        kept.append(pieces[index] if word is None else Piece("word", word))
        index += 1 if word is None else length
    return kept


_NEGATING = ("no", "not", "never", "none", "neither")
_EITHER = ("one", "any", "either", "some")


def _after_equals(pieces: list[Piece]) -> int:
    """Where a set begins that is given a name first: ``Z = {A, B}``."""
    if pieces and pieces[0].text == "{":
        return 0
    for index, piece in enumerate(pieces[:12]):
        if piece.kind == "open" and index and not (pieces[index - 1].kind in ("word", "name") and piece.tight):
            return 0
        if piece.text == "=" and index and index + 1 < len(pieces):
            return index + 1
    return 0


def _bare(pieces: list[Piece], names: Names | None, prose: bool) -> Outcome:
    """Names without brackets, up to a remark."""
    described = _described(pieces)
    if described is not None:
        return described
    members: list[str] = []
    joint = ""
    marks: set[str] = set()
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        follower = pieces[index + 1] if index + 1 < len(pieces) else None
        word = piece.text.lower() if piece.kind != "name" else ""
        if word in JOINING or (word == "with" and members and only_names(pieces[index + 1 :])):
            joint = "and"
        elif word in ("or", "vs", "versus"):
            behind = pieces[index + 1 : index + 6]
            if any(other.kind == "name" and other.text not in members for other in behind) or offers_empty(behind):
                return SEVERAL
            break
        elif piece.kind == "name" or (names is None and piece.kind in ("word", "number")):
            if len(piece.text) == 1 and not piece.exact and (prose or _goes_on(follower)):
                return unclear("no set could be read")
            if names is None:
                text, index = _phrase(pieces, index)
                members.append(text)
            else:
                belongs = _belongs(joint, follower)
                if belongs is None:
                    return unclear("the list runs into a sentence")
                if not belongs:
                    break
                members.append(piece.text)
            joint = ""
        elif piece.kind in ("word", "number") and joint and members:
            # A single word in the place of a name is one that does not exist; more words are a remark.
            ends = follower is None or follower.text in LISTING or follower.text == "."
            if not ends or word in STOPPING or word in _NO_MEMBERS or len(word) > 20:
                break
            members.append(piece.text)
            joint = ""
        elif piece.text in LISTING or piece.kind == "line":
            joint = joint or piece.text
            marks.add(piece.text)
        elif piece.kind == "open":
            stop = close_of(pieces, index)
            inner = pieces[index + 1 : stop]
            if members and joint == ";" and is_faulted(pieces, index):
                break
            adds = bool(inner) and inner[0].text.lower() in ("or", "and", "plus", "with")
            remark = piece.text == "(" or (piece.text == "[" and not only_names(inner))
            if not remark or (adds and any(other.kind == "name" for other in inner)):
                return SEVERAL if adds else unclear("no set could be read")
            index = stop
            if joint:
                break
        elif is_ellipsis(pieces, index) and (joint or any(other.kind == "name" for other in pieces[index:])):
            return unclear("members are left out")
        elif (
            piece.text in (".", ":")
            and piece.tight
            and follower is not None
            and follower.kind == "name"
            and follower.tight
        ):
            return unclear("no set could be read")
        elif piece.text in CROSSES:
            return unclear("a member is crossed out")
        elif word in _VERBS and _is_left_out(pieces[index + 1 :]):
            return absent("the field says what does not belong to the set")
        else:
            break
        index += 1
    if not members or {",", "|"} <= marks:
        return unclear("no set could be read")
    if _adds_more(pieces[index:], members):
        return unclear("the sentence goes on with further members")
    return found(sorted(set(members)))


def _described(pieces: list[Piece]) -> Outcome | None:
    """A list in which every name has its word: "A: confounder, B: parent of Y". None for what is no such list."""
    entries: list[list[Piece]] = [[]]
    for piece in pieces:
        if piece.text in (",", ";"):
            entries.append([])
        else:
            entries[-1].append(piece)
    for entry in entries:
        if len(entry) < 3 or entry[0].kind != "name" or entry[1].text not in (":", "-", "–") or entry[2].kind != "word":
            return None
        if any(piece.kind not in ("word", "name") for piece in entry[2:]):
            return None
    if len(entries) == 1:
        return None
    if any(piece.text.lower() in _LEFT_OUT for entry in entries for piece in entry):
        return unclear("what is said of a name speaks against it")
    return found(sorted({entry[0].text for entry in entries}))


def _adds_more(behind: list[Piece], members: list[str]) -> bool:
    """Whether a sentence about a member goes on with others: "A is needed, and so is B", "A and also B"."""
    words = ["" if piece.kind == "name" else piece.text.lower() for piece in behind]
    for index, piece in enumerate(behind):
        if piece.text == "." or piece.kind == "line":
            return False
        if piece.kind != "name" or piece.text in members:
            continue
        before, after = words[max(0, index - 2) : index], words[index + 1 : index + 4]
        if before[-1:] == ["also"] or (before[:1] == ["so"] and before[-1] in _AUXILIARIES):
            return True
        if len(after) > 1 and after[0] in _AUXILIARIES and after[1] in _NEEDED and after[2:] != ["only"]:
            return True
    return False


_AUXILIARIES = frozenset(["is", "are", "does", "do", "must", "has"])
_NEEDED = frozenset(["needed", "required", "necessary", "included", "also"])
_VERBS = (_ONE - {"cannot"}) | {"are", "were", "aren't", "do", "don't", "doesn't", "need", "needs"}
_LEFT_OUT = frozenset(
    [
        "not", "never", "left", "excluded", "omitted", "dropped", "collider", "colliders", "mediator", "mediators",
        "descendant", "descendants", "unobserved", "unmeasured", "unnecessary", "redundant", "superfluous",
    ]
)  # fmt: skip


def _is_left_out(behind: list[Piece]) -> bool:
    """Whether a sentence about nodes says why they are no answer: "C is left out", "C is a collider"."""
    for piece in behind:
        word = piece.text.lower()
        if piece.text in (",", ";", ".") or word in ("but", "because", "since", "as"):
            return False
        if word in _LEFT_OUT:
            return True
    return False


_NO_MEMBERS = ("etc", "so", "i", "no", "none", "nothing", "anything", "everything", "both", "all", "only")


def _belongs(joint: str, follower: Piece | None) -> bool | None:
    """Whether a name behind `joint` is a member, by the word that follows: not where a clause about it begins, as in
    "A, B is a collider"; None where that cannot be told."""
    if follower is None or follower.kind != "word" or joint not in (",", ";"):
        return True
    word = follower.text.lower()
    if word in _ONE:
        return False
    known = word in _MANY or word in STOPPING or word in JOINING or word in ("because", "since", "due", "or", "only")
    return True if known else None


def _phrase(pieces: list[Piece], index: int) -> tuple[str, int]:
    """Without a universe, the words up to the next separator are one name: the name, and the index of its last word."""
    words = [pieces[index].text]
    while index + 1 < len(pieces) and pieces[index + 1].kind in ("word", "number"):
        if pieces[index + 1].text.lower() in ("and", "or"):
            break
        index += 1
        words.append(pieces[index].text)
    return " ".join(words), index


def _goes_on(follower: Piece | None) -> bool:
    """Whether a small letter before `follower` is rather the article or pronoun of a sentence."""
    return (
        follower is not None and follower.kind == "word" and follower.text.lower() not in ("and", "or", "only", "alone")
    )
