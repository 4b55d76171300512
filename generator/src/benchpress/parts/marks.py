"""Finds the labels in one line of an answer, and says how each of them stands there."""

import re
from typing import NamedTuple

from benchpress.parts.document import Document
from benchpress.parts.labels import label_key, label_pattern, without_operands
from benchpress.parts.lead import Lead, counts, lead_of

REACH = 8_192
"""How far from either end of a line labels are looked for, in characters: a patient person stops too."""

_SEPARATOR = re.compile(
    r"[ *_`\"'\]})~$]{0,12}"
    r"(?:(?:value|answer|result|verdict)\b[ *_`\"']{0,6})?"
    r"(?:\([^()\n]{0,80}\)[ *_`\"'\]}:]{0,6})?"
    r"(?P<sign>(?:(?::=|=>|->|<-(?![.\d])|[:=≈≃≅|&→←⇒⟶↦≔≡])[ *_`}]{0,6}(?!>)){1,4}|<-|[-–—]{1,2}(?=[ *_`\n]|$)[ ]?|[–—]"
    r"|(?P<verb>(?:is now|is|are|equals|becomes|(?:should|must|will|would) (?:now )?be|comes to)\b[ :=≈]{0,3}))"
)
_SENTENCE_BEGINS = re.compile(r"[.;][ *_`]{1,4}(?:(?:and |so )?the )?[*_`]{0,3}$", re.IGNORECASE)


class Mark(NamedTuple):
    """One label in one line."""

    label: str
    begin: int
    """Where the label with its dress begins, from where it ends the field before."""
    value: int
    lead: Lead
    exact: bool
    verb: bool
    bar: bool


def marks_of(document: Document, labels: tuple[str, ...], start: int) -> list[Mark]:
    """The labels in the line that begins at `start`, in order."""
    text, lower = document.text, document.lower
    end = document.line_end(start)
    spots: dict[int, tuple[int, str]] = {}
    near, far = start + REACH, end - REACH  # nobody looks for labels in the middle of such a line
    for label in labels:
        key, pattern = label_key(label), label_pattern(label)
        position = lower.find(key, start, end)
        while position >= 0:
            if near < position < far:
                position = lower.find(key, far, end)
                continue
            match = pattern.match(text, position, end)
            if match is not None and match.end() > spots.get(position, (0, ""))[0]:
                spots[position] = match.end(), label
            position = lower.find(key, position + len(key), end)
    marks: list[Mark] = []
    covered = start
    for position in without_operands(text, spots):
        label_end, label = spots[position]
        if position < covered:
            continue
        mark = _mark(text, start, end, position, label_end, label, marks)
        if mark is not None:
            marks.append(mark)
            covered = start + mark.value
    return marks


def _mark(text: str, start: int, end: int, position: int, label_end: int, label: str, marks: list[Mark]) -> Mark | None:
    before = text[position - 1] if position > start else ""
    if before == "/" and text[position - 2 : position - 1] == "<":
        return None
    tagged = before == "<"
    if tagged and text[label_end : label_end + 1] != ">":
        return None
    previous = start + marks[-1].value if marks else start
    chained = bool(marks)
    lead, begin = lead_of(text[previous:position], chained)
    if chained and lead is Lead.STRONG:
        lead = marks[-1].lead
    if lead is Lead.NONE:
        return None
    if chained and not text[previous:position].strip(" *_`\"'") and text[position:label_end] != label:
        return None  # a value that repeats the label's word: "IDENTIFIABLE: identifiable"
    if tagged:
        return Mark(label, begin + previous - start, label_end + 1 - start, lead, False, False, False)
    separator = _SEPARATOR.match(text, label_end, min(end, label_end + 200))
    sign = separator["sign"] if separator is not None else ""
    if not chained and sign.strip(" *_`}") != ":" and counts(text[start:position]):
        return None
    if separator is None:
        column = (
            chained and text[start:position].rstrip(" *_`").endswith("|") and not text[label_end:end].strip(" *_`|")
        )
        if lead is not Lead.STRONG or (chained and not column):
            return None
        rest = label_end
        while rest < end and text[rest] in " *_`\"'])}:#":
            rest += 1
        return Mark(
            label,
            begin + previous - start,
            (label_end if rest < end else rest) - start,
            lead,
            rest < end,
            False,
            False,
        )
    if chained and separator["verb"] and not _SENTENCE_BEGINS.search(text, max(previous, position - 20), position):
        return None
    bar = "|" in sign
    return Mark(label, begin + previous - start, separator.end() - start, lead, False, bool(separator["verb"]), bar)
