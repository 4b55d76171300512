"""What looks like a value and is none: templates, pointers, withdrawals; and where a correction begins."""

import re

from benchpress.parts.outcome import Outcome, absent, withdrawn

_PLACEHOLDERS = (
    r"answers?|values?|numbers?|numeric|numerical|decimals?|fractions?|estimates?|results?|variables?|"
    r"variable_?names?|nodes?|node_?names?|"
    r"names?|lists?|sets?|comma|separated|comma-separated|edges?|sequence|order|verdict|word|letter|first|second|"
    r"third|fourth|last|next|insert|fill|"
    r"placeholder|integer|float|real|node_?\d|name_?\d|var_?\d|variable_?\d|braces|brackets|string|text|choice|"
    r"option|item_?\d|element_?\d|"
    r"elements|todo|tbd"
)
_FILLERS = r"your|the|an?|here|of|in|by|or|and|from|to|one|between|x|etc|this|that|with"
_STRONG = re.compile(rf"\b(?:{_PLACEHOLDERS})\b", re.IGNORECASE)
_WORDS = re.compile(rf"(?:(?:{_PLACEHOLDERS}|{_FILLERS})(?:[\s,;/|._\->]+|$))+", re.IGNORECASE)
_ANGLES = re.compile(r"<\s*[A-Za-z][^<>]{0,200}>")
_FILLED = re.compile(rf"<[ ]?(?!(?:{_PLACEHOLDERS}|here|your|x)[ ]?>)[A-Za-z]+[ ]?>", re.IGNORECASE)
"""One word that asks for nothing in the angle brackets of the form."""
_NOTHING = re.compile(r"[\s.…_,;:|*`'\"~]*")
_DASHES = re.compile(r"[\s\-–—―?.]*[\-–—―?][\s\-–—―?.]*")
_POINTER = re.compile(
    r"\b(?:see|as (?:above|below|before|stated|given|noted|computed|calculated|derived)|above|below|earlier|previously|"
    r"same as|unchanged from|given (?:above|below)|follows below|to be (?:computed|determined|filled|added|given|"
    r"done))\b",
    re.IGNORECASE,
)
_POINTER_ONLY = re.compile(
    r"(?:ibid\.?|ditto|idem|unchanged|confirmed|no change|as is|same|tbd|tba|todo|pending)[.!]?", re.IGNORECASE
)
_NOT_APPLICABLE = re.compile(r"[\s\[({\"'*]*(?:n ?/ ?a|n\. ?a\.?)(?![^\W_])", re.IGNORECASE)
_WITHDRAWN = re.compile(
    r"(?:n\s?/\s?a|n\.\s?a\.?|na|not (?:applicable|available|given|provided|known|determined|computable|defined|"
    r"possible|"
    r"identifiable|identified|estimable|answered|sure)|unknown|undefined|null|nil|nothing|withdrawn|retracted|no "
    r"(?:answer|value|estimate)|"
    r"unanswered|inapplicable|does not (?:exist|apply)|(?:i )?(?:do not|don't|can ?not|can't) (?:know|say|tell|"
    r"answer|compute|determine|estimate)|"
    r"can ?not be (?:computed|determined|estimated|identified|given|calculated)|can't be (?:computed|determined|"
    r"estimated|identified)|"
    r"impossible to (?:say|tell|compute|determine|estimate)|skip(?:ped)?|undecided|unsure|indeterminate|undetermined|"
    r"none|unclear)\b",
    re.IGNORECASE,
)
_OTHER_LABEL = re.compile(r"[,;|.]\s?[*_\"'`]{0,3}[A-Z][A-Z0-9]+(?:[_ ][A-Z0-9]+){0,4}[*_\"'`]{0,3}\s?[:=]")
_CORRECTION = re.compile(
    r"(?:[,;.:(\s\-–—]|^)(?:no,? wait|wait|hold on|oops|scratch that|correction|i mean|make that|rather(?! than)|"
    r"actually|"
    r"sorry|my mistake|on second thought|on reflection|corrected(?: to)?|revised(?: to)?|updated(?: to)?|changed to|"
    r"should (?:actually )?(?:be|read)|should have been|but (?:actually|really)|no, (?:it(?:'s| is)|that(?:'s| is)|"
    r"(?=\d)))"
    r"\b[\s,:;.!\-–—…]*(?:(?:that|it|this)(?: should be|'s| is)\s+|actually\s+|i mean\s+|to\s+|it's\s+|make that\s+|"
    r"rather\s+)*",
    re.IGNORECASE,
)


def before_other_label(text: str) -> str:
    """`text` up to another label in capitals: ``0.42, CONFIDENCE: 0.9``."""
    other = _OTHER_LABEL.search(text)
    return text[: other.start()] if other is not None else text


def is_template(text: str) -> bool:
    """Whether `text` is the unfilled form of an answer rather than an answer."""
    stripped = text.strip().rstrip(".,;")
    if "<" in stripped and _ANGLES.search(stripped) and not _FILLED.fullmatch(stripped):
        rest = _ANGLES.sub(" ", stripped)
        if not any(character.isalnum() for character in rest):
            return True
    inner = stripped.strip("[]{}()<>\"' ")
    if not inner or len(inner) > 300 or inner.lower() in ("yes", "no", "true", "false"):
        return False
    if "..." in inner or "…" in inner:
        inner = inner.replace("...", " ").replace("…", " ").strip(" ,;")
        if not inner:
            return True
    return stripped[0] in "[{<(" and _WORDS.fullmatch(inner) is not None and _STRONG.search(inner) is not None


def says_nothing(text: str) -> Outcome | None:
    """The outcome of a field that is empty, or an unfilled template; None where it may hold a value."""
    if _NOTHING.fullmatch(text):
        return absent("nothing stands behind the label")
    if is_template(text):
        return absent("the template was left unfilled")
    return None


def points_elsewhere(text: str) -> Outcome | None:
    """The outcome of a field without a value of its own that refers to another place; None otherwise."""
    if _POINTER_ONLY.fullmatch(text.strip()) or _POINTER.search(text[:300]):
        return absent("the field only points elsewhere")
    return None


def not_applicable(text: str) -> Outcome | None:
    """The outcome of a field that says N/A, whose letters could be names; None for any other."""
    return withdrawn("the field says that nothing applies") if _NOT_APPLICABLE.match(text) else None


def takes_back(text: str) -> Outcome | None:
    """The outcome of a field that declines to give a value; None where it may hold one."""
    stripped = text.strip(" \t.,;:!()[]{}'\"*_`")
    if _DASHES.fullmatch(text) or (stripped and _WITHDRAWN.match(stripped)):
        return withdrawn("the field declines to give a value")
    return None


def split_correction(text: str) -> tuple[str, str] | None:
    """What was said before and after the last correction inside a field, or None where nothing is corrected."""
    corrections = list(_CORRECTION.finditer(text))
    if not corrections:
        return None
    last = corrections[-1]
    return text[: last.start()], text[last.end() :]


def mere_prose(text: str, outcome: Outcome) -> Outcome:
    """`outcome`, or that nothing was said, where a field without any name is a sentence about the part."""
    prose = outcome.note.endswith("could be read") and len(text.split()) > 2
    return absent("the field is a sentence without a value") if prose else outcome
