"""Whether the end of a cut answer may have lost a piece of the value that stands there."""

import re

from benchpress.items import Json, Part
from benchpress.parts.blanks import split_correction
from benchpress.parts.tagged import Fields

_PARAGRAPH = re.compile(r"\n[ >]*\n")
_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s")
_CLOSED = re.compile(r"[^\w{\[]{0,9}(?:\{[^{}]*\}|\[[^\[\]]*\]|IMPOSSIBLE\b|[\u2205\u00d8])[*`_$\"' ]{0,9}")
_REMARK = re.compile(
    r"\(|\.\s|[-\u2013\u2014]{1,2} (?=[A-Za-z])|,? ?(?:because|since|as|which|so|where)\b|\s*\n\s*[A-Za-z]{2}"
)
_LISTS = frozenset(("node_set", "edges", "sequence"))
_OPEN_STRING = re.compile(r"[ *_`$]{0,9}([\"'])(?:(?!\1)[^\n\\]|\\.)*\\?\Z")
_BARE_SCALAR = re.compile(r"[^\s,}\]\"']+")
_OPEN_NUMBER = re.compile(r"(?:[-+/^×=≈~,({\\]|\be|[eE][-+]?|(?<![\d.])\d+\.|\\[a-z]*frac(?:\{[^{}]*\})?\{?[^{}]*)$")


def may_be_shortened(part: Part, value: Json, fields: Fields) -> bool:
    """Whether the value of `part`, read from a text that was cut, stands at its very end and may have gone on there.

    A closed bracket, a full stop, a remark behind the brackets or further text shows that it was complete; so do the
    digits of a number, unless they end in a sign that asks for more. A string or the value of a JSON key that was not
    closed may have gone on.
    """
    found = fields.tail_of(part.id)
    if found is None:
        return False
    tail, is_key = found
    text = tail.rstrip(" ")
    if not text or text.endswith("\n"):
        return False
    plain = text.rstrip("*`_$\"' ")
    if part.type in _LISTS:
        paragraphs = _PARAGRAPH.split(plain.strip())
        if len(paragraphs) > 1 and paragraphs[0] and _ITEM.match(paragraphs[-1]) is None:
            return False
        if _stops_in_a_remark(plain):
            return False
        opened = sum(plain.count(sign) for sign in "{[(") - sum(plain.count(sign) for sign in "}])")
        return opened > 0 or plain[-1:] not in ("}", "]", ")", ".", "\u2205", "\u00d8")
    if _OPEN_STRING.match(text) or (is_key and _BARE_SCALAR.fullmatch(text)):
        return part.type in ("number", "verdict")
    if part.type == "number":
        parted = is_key and plain.endswith(",")
        return "\n" not in text and not parted and _OPEN_NUMBER.search(plain) is not None
    if part.type == "verdict":
        return _grows_into_another(plain.strip("*`_$\"' \n").lower(), str(value), part)
    return False


def _stops_in_a_remark(plain: str) -> bool:
    """Whether a list in brackets was closed before the cut, and what was cut is a remark about it."""
    closed = _CLOSED.match(plain)
    if closed is None or _REMARK.match(plain, closed.end()) is None:
        return False
    rest = plain[closed.end() :]
    return "{" not in rest and "[" not in rest and split_correction(rest) is None


def _grows_into_another(said: str, value: str, part: Part) -> bool:
    """Whether what was said so far also begins a phrase of another class."""
    vocabulary = part.params.get("vocabulary") or ("yes", "no")
    classes = part.params.get("classes") or {}
    if len(said) == 1 and said.isalpha():
        return True
    return any(
        str(phrase).lower().startswith(said) and str(phrase).lower() != said
        for word in vocabulary
        if word != value
        for phrase in (word, *classes.get(word, ()))
    )
