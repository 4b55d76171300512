"""A list that corrects itself on its line: ``{A, C}. Wait, C is a collider, so {A, B}.``

What is said behind the correction counts, never what it took back; where it names nodes without giving a list, nothing
is read.
"""

import re
from collections.abc import Callable

from benchpress.parts.blanks import split_correction
from benchpress.parts.lists import balanced, close_of, is_article_or_pronoun, list_items
from benchpress.parts.names import Names
from benchpress.parts.outcome import Kind, Outcome, unclear

_BEFORE = re.compile(
    r"\A\s*(?:no\s*[,:;.!–—-]+\s*)?(?:(?:since|because|as|given)\b[^,;:.(){}\[\]]{1,200},)?", re.IGNORECASE
)
_TURNED_DOWN = re.compile(r"(?:[^.;?]{1,400}\?|.*[^\s\w?])\s{1,3}no\s?[,:](?=\s)", re.IGNORECASE | re.DOTALL)
"""A "no" behind a list; behind a question only where the list itself was in question."""
_FROM = re.compile(r"\s*from\b", re.IGNORECASE)
_OTHERS = re.compile(r"\b(?:else|others?|further|more|additional|remaining|missing)\b", re.IGNORECASE)
_CONCLUSION = re.compile(r"[(\[{]|[)\]}]|:(?!=)|\b(?:so|thus|hence|therefore)\b(?! that\b)", re.IGNORECASE)
_AFFIRMING = frozenset(["right", "correct", "valid", "enough", "sufficient", "needed", "required", "better", "it"])
_REASONS = frozenset(["because", "since", "as", "which", "given", "where", "not", "but", "with", "for"])


def read_corrected(
    text: str, names: Names | None, read: Callable[[str], Outcome], links: frozenset[str], least: int = 0
) -> Outcome:
    """What `read` makes of `text`, or of the list that its last correction gives, of at least so many elements.

    Words for the empty set that only rule out others, "nothing else", correct nothing.

    `links` are the words that may stand between or behind the names of a list.
    """
    split = last_correction(text)
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
    if split is not None and names is not None and (_names_nodes(behind, names) or last_correction(before) is not None):
        return unclear("the correction gives no answer of its own")
    return read(text)


def last_correction(text: str) -> tuple[str, str] | None:
    """What was said before and after the last correction, None where there is none.

    "Corrected from 0.5" only tells what has been corrected already."""
    split = split_correction(text)
    return None if split is None or _FROM.match(split[1]) else split


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
    for index, piece in enumerate(pieces):
        spelt = piece.kind == "name" and (piece.exact or len(piece.text) > 1)
        if piece.text == "{" or (spelt and not is_article_or_pronoun(pieces, index)):
            return True
    return False


def _is_clause(text: str, names: Names, links: frozenset[str]) -> bool:
    """Whether names or a list in brackets are the subject of a sentence rather than an answer: "C is a collider"."""
    pieces = balanced(list_items(text, names))
    begun = listed = False
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        word = piece.text.lower() if piece.kind == "word" else ""
        if piece.kind == "open":
            begun = True
            index = close_of(pieces, index)
        elif piece.kind == "name":
            begun = True
        elif begun and (piece.text in (".", ";") or word in _REASONS):
            return False
        elif begun and word and word not in links:
            following = [other.text.lower() for other in pieces[index + 1 : index + 3]]
            affirmed = word in ("is", "are") and not listed and not _AFFIRMING.isdisjoint(following)
            return not affirmed or following[0] in ("not", "also")
        listed = listed or piece.text == ","
        index += 1
    return False
