"""What may stand in front of a label: list marks, markup, a few words; and what makes it a mere mention."""

import re
from enum import Enum

TAIL = 80


class Lead(Enum):
    NONE = 0
    """Another word's label, or no label at all."""
    WEAK = 1
    """In a sentence."""
    STRONG = 2
    """At the start of its line, or behind the value of the label before."""


_DRESS = " *_`\"'{[(<>#•‣▪◦●○■□▶►➤➜→⇒✅✔✓☑📊🔹🔸👉⭐·–—-+|&$~=:\\"
_ORDINAL = re.compile(r"(?:^|(?<=[ \[(*_#>|]))\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,5})[.)\]:]\*{0,2}$")
_NUMBERED = re.compile(
    r"(?:^|(?<=[ \[(*_#>|]))(?:part|question|step|item|task|stage|phase|q)[ #]{0,2}(?:\d{1,3}|[ivx]{1,4}|[a-z])[.)]?$",
    re.IGNORECASE,
)
_COUNT = re.compile(r"[ *_#>|]*\d{1,2}[*_]{0,3}[ ]?[-–—][ *_`\"']*")
_COMMAND = re.compile(r"\\[A-Za-z]{1,20}$")
_ESCAPED_LINE_END = re.compile(r"\\n[ *_`\"'#>-]{0,12}$")
_TAG = re.compile(r"<[A-Za-z_]{1,20}>?$")
_WORD = re.compile(r"[^\W\d_]+$")
_JSON_STRING = re.compile(r"[\"'](?P<key>[^\"'\n]{1,60})[\"']\s?:\s?\"(?:[^\"\n\\]|\\.)*$")
_ANSWER_FOR = re.compile(
    r"(?:^|(?<=[ *_`#>-]))(?:answer|value|result|verdict|solution)s? (?:for|to|of)(?: the)?$", re.IGNORECASE
)
_OPENING_WORDS = frozenset(
    [
        "final", "my", "our", "answer", "answers", "corrected", "correction", "updated", "update", "revised",
        "revision", "new", "correct", "result", "results", "part", "thus", "hence", "therefore", "so", "and", "json",
        "yaml", "output", "solution", "response", "summary", "conclusion", "finally", "overall", "actual",
        "actually", "assistant", "label", "computed", "calculated", "obtained", "resulting", "requested",
        "lastly", "endgültige", "finale", "antwort", "réponse", "respuesta",
    ]
)  # fmt: skip
_TURNING_WORDS = _OPENING_WORDS | frozenset(
    ["wait", "no", "oops", "sorry", "therefore", "consequently", "overall", "instead", "rather"]
)
_SENTENCE_WORDS = frozenset(
    ["the", "this", "an", "that", "its", "your", "so", "up", "are", "is", "now", "with", "as", "adjusted"]
)


def lead_of(prefix: str, chained: bool) -> tuple[Lead, int]:
    """How a label stands behind `prefix`, the text from the line's start or from the value of the label before
    (`chained`), and where in `prefix` the label's own dress begins."""
    tail = prefix[-TAIL:]
    bare = prefix.rstrip(" *_`\"'")
    if not chained and bare.endswith("|") and prefix.lstrip().startswith("|"):
        return Lead.STRONG, len(bare)
    if not chained and counts(prefix):
        return Lead.STRONG, 0
    in_a_string = chained and '"' in tail and _in_a_string(tail)
    line_end = _ESCAPED_LINE_END.search(tail) if "\\n" in tail and not in_a_string else None
    if line_end is not None:
        return Lead.STRONG, len(prefix) - len(tail) + line_end.start()
    left = tail
    sentence = False
    while True:
        shorter = left.rstrip(_DRESS)
        if not shorter:
            left = shorter
            break
        shorter = _NUMBERED.sub("", _ORDINAL.sub("", _NUMBERED.sub("", shorter)))
        shorter = _TAG.sub("", _COMMAND.sub("", shorter))
        if shorter.endswith(("for", "to", "of", "the")):
            shorter = _ANSWER_FOR.sub("", shorter)
        if shorter.endswith(","):
            turn = _WORD.search(shorter[:-1])
            if turn is not None and turn[0].lower() in _TURNING_WORDS:
                shorter = shorter[: turn.start()]
        word = _WORD.search(shorter)
        if word is not None:
            if word[0].lower() in _SENTENCE_WORDS and not chained:
                sentence = True
                shorter = shorter[: word.start()]
            elif (
                word[0].lower() in _OPENING_WORDS
                or shorter.strip(_DRESS).lower() == "then"
                or (word[0].lower() in _SENTENCE_WORDS and shorter[: word.start()].rstrip(" *_").endswith((".", ";")))
            ):
                shorter = shorter[: word.start()]
        if len(shorter) == len(left) or (shorter and len(shorter.rstrip(_DRESS)) == len(left.rstrip(_DRESS))):
            left = shorter.rstrip(_DRESS)
            break
        left = shorter
    begin = len(prefix) - len(tail) + len(left)
    if not left:
        if len(tail) == len(prefix):
            return (Lead.WEAK if sentence else Lead.STRONG), begin
        return Lead.WEAK, begin
    last = left[-1]
    if in_a_string:
        return Lead.NONE, begin
    if chained:
        if last in ";,.}])>" or last.isdigit() or not last.isalnum() or len(left.split()) <= 2:
            return Lead.STRONG, begin
        return Lead.NONE, begin
    if sentence:
        return Lead.WEAK, begin
    if last.isalnum():
        return (Lead.WEAK if bare[-1:] == ":" else Lead.NONE), begin
    return (Lead.STRONG if not any(character.isalnum() for character in left) else Lead.WEAK), begin


def counts(prefix: str) -> bool:
    """Whether a line begins with a figure and a dash in front of the label, as the third line of a list does:
    "3 - ESTIMATE: 0.42". Only a colon behind the label tells it from an expression."""
    return _COUNT.fullmatch(prefix) is not None


def _in_a_string(tail: str) -> bool:
    """Whether `tail` ends inside the string of a JSON key that does not announce an answer."""
    string = _JSON_STRING.search(tail)
    return string is not None and not all(
        word in _OPENING_WORDS for word in re.findall(r"[a-z]+", string["key"].lower())
    )
