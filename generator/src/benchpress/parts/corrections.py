"""A list that corrects itself on its line: ``{A, C}. Wait, C is a collider, so {A, B}.``

What is said behind the correction counts, never what it took back; where it names nodes without giving a list, nothing
is read.
"""

import re
from collections.abc import Callable

from benchpress.parts.blanks import split_correction
from benchpress.parts.lists import Piece, balanced, close_of, is_article_or_pronoun, list_items
from benchpress.parts.names import Names
from benchpress.parts.outcome import Kind, Outcome, unclear

_BEFORE = re.compile(
    r"\A\s*(?:no\s*[,:;.!–—-]+\s*)?(?:(?:since|because|as|given)\b[^,;:.(){}\[\]]{1,200},)?", re.IGNORECASE
)
_TURNED_DOWN = re.compile(r"(?:[^.;?]{1,400}\?|.*[^\s\w?])\s{1,3}no\s?[,:](?=\s)", re.IGNORECASE | re.DOTALL)
"""A "no" behind a list; behind a question only where the list itself was in question."""
_OTHERS = re.compile(r"\b(?:else|others?|further|more|additional|remaining|missing)\b", re.IGNORECASE)
_CONCLUSION = re.compile(r"[(\[{]|[)\]}]|:(?!=)|\b(?:so|thus|hence|therefore)\b(?! that\b)", re.IGNORECASE)
_REASONS = frozenset(["because", "since", "as", "which", "given", "where", "not", "but", "with", "for"])


def read_corrected(
    text: str, names: Names | None, read: Callable[[str], Outcome], links: frozenset[str], least: int = 0
) -> Outcome:
    """What `read` makes of `text`, or of the list that its last correction gives, of at least so many elements.

    Words for the empty set that only rule out others, "nothing else", correct nothing.

    `links` are the words that may stand between or behind the names of a list.
    """
    split = split_correction(text)
    if split is not None:
        before, behind = split
    elif (turned := _TURNED_DOWN.match(text)) is not None:
        before, behind = "", text[turned.end() :]
    else:
        return read(text)
    for segment in reversed(_conclusions(without_premise(behind))):
        if names is not None and _is_clause(segment, names, links):
            continue
        outcome = read(segment)
        if outcome.kind is not Kind.VALUE or (not outcome.value and _OTHERS.search(segment)):
            continue
        if len(outcome.value) < least:
            return unclear("the correction gives no answer of its own")
        return Outcome(Kind.VALUE, outcome.value, "the correction counts")
    if (
        split is not None
        and names is not None
        and (_names_nodes(behind, names) or split_correction(before) is not None)
    ):
        return unclear("the correction gives no answer of its own")
    return read(text)


def without_premise(text: str) -> str:
    """What stands behind a correction without a bare "no" and a reason in front of it: "no, since C is a collider,"."""
    return _BEFORE.sub("", text)


def _conclusions(text: str) -> list[str]:
    """`text` cut at colons and conclusions outside of brackets."""
    segments: list[str] = []
    start = 0
    depth = 0
    for mark in _CONCLUSION.finditer(text):
        sign = mark.group()
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif depth <= 0:
            segments.append(text[start : mark.start()])
            start = mark.end()
    return [*segments, text[start:]]


def _names_nodes(text: str, names: Names) -> bool:
    pieces = list_items(text, names)
    return any(
        piece.kind == "name" and (piece.exact or len(piece.text) > 1) and not is_article_or_pronoun(pieces, index)
        for index, piece in enumerate(pieces)
    )


def _is_clause(text: str, names: Names, links: frozenset[str]) -> bool:
    """Whether names or a list in brackets are the subject of a sentence rather than an answer: "C is a collider"."""
    pieces = balanced(list_items(text, names))
    begun = False
    index = 0
    while index < len(pieces):
        piece: Piece = pieces[index]
        word = piece.text.lower() if piece.kind == "word" else ""
        if piece.kind == "open":
            begun = True
            index = close_of(pieces, index)
        elif piece.kind == "name":
            begun = True
        elif begun and (piece.text in (".", ";") or word in _REASONS):
            return False
        elif begun and word and word not in links:
            return True
        index += 1
    return False
