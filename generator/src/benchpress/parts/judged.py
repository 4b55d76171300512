"""Options judged one after the other: "A) Paris - incorrect", "[x] B", "C: right"; which one is called correct."""

import re
from collections.abc import Iterator

from benchpress.parts.options import Options
from benchpress.parts.selections import Selection

_LINE = re.compile(
    r"[\s>#*\-•|]*(?:\d{1,2}[.)]\s+)?(?P<box>\[[ xX✓✔]?\]\s*)?(?:option\s+|choice\s+|statement\s+)?"
    r"[(\[]?(?P<letter>[A-Z])[)\].:*]{0,4}(?:(?:\s+|\s*[-–—:=|(]\s*)(?P<rest>\S.*))?",
    re.IGNORECASE,
)
_SAID_RIGHT = r"(?:correct|true|right|yes|valid|holds)"
_SAID_FALSE = (
    r"(?:incorrect|false|wrong|no|invalid|not\s+(?:correct|true|right)|untrue|fails|eliminated|ruled out|isn't "
    r"(?:correct|right|true))"
)
_AHEAD = r"(?:[-–—:|]\s*|^)(?:\W{0,4})(?:(?:this is |that is |that's |it's )(?:the )?)?"
_ENDS = r"[\s.!*),;|]*$"
_RIGHT = re.compile(
    rf"(?:\b{_SAID_RIGHT}|[✓✔✅☑]){_ENDS}|{_AHEAD}(?:(?:correct|true|right|yes)\b|[✓✔✅☑])|"
    r"\b(?:is|are)\s+(?:correct|right|the (?:correct |right )?(?:answer|one))\b|^\W*T\W*$",
    re.IGNORECASE,
)
_FALSE = re.compile(
    rf"(?:\b{_SAID_FALSE}|[✗✘❌✕✖]){_ENDS}|{_AHEAD}(?:(?:incorrect|false|wrong|no|not\s+(?:correct|true|right))\b|[✗✘❌✕✖])|"
    r"\b(?:is|are)\s+(?:incorrect|wrong|false|not\s+(?:correct|right))\b|"
    r"\bnot the (?:correct |right )?answer\b|^\W*F\W*$",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"[✓✔✅☑]|\((?:this is )?(?:the )?(?:correct|right|chosen|my)(?: answer| option| choice)?\)|"
    r"(?:<-+|←|<=+)\s*(?:the |this |my )*(?:is )?(?:correct|right|answer)",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"[.;,]\s+(?=(?:option\s|choice\s|statement\s)?[(\[]?[A-Z][)\]]?\s?[-–—:=)( ])|\s(?=[A-Z]\)\s)", re.IGNORECASE
)

_SENTENCE_END = re.compile(r"[.;!?]\s")


def judged(text: str, options: Options) -> list[Selection]:
    """The only option judged or marked as correct among several, one a line or one a clause."""
    by_line = _settled([(position, line) for position, line in _lines(text)], options)
    if by_line or len(text) > 2_000 or text.count("\n") > 2:
        return by_line
    return _settled(list(_clauses(text)), options)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    position = 0
    for line in text.split("\n"):
        yield position, line[:400]
        position += len(line) + 1


def _clauses(text: str) -> Iterator[tuple[int, str]]:
    position = 0
    for gap in _NEXT.finditer(text):
        yield position, text[position : gap.start()]
        position = gap.end()
    yield position, _SENTENCE_END.split(text[position:], maxsplit=1)[0]


def _settled(pieces: list[tuple[int, str]], options: Options) -> list[Selection]:
    right: dict[str, int] = {}
    wrong: set[str] = set()
    marked: dict[str, int] = {}
    others = 0
    for position, piece in pieces:
        match = _LINE.fullmatch(piece)
        if match is None or match["letter"].upper() not in options.letters:
            continue
        letter, rest, box = match["letter"].upper(), match["rest"] or "", (match["box"] or "").strip()
        if _FALSE.search(rest):
            wrong.add(letter)
        elif _RIGHT.search(rest):
            right[letter] = position
        if _MARKED.search(rest) or (box and box != "[]" and box != "[ ]"):
            marked[letter] = position
        else:
            others += 1
    if len(marked) == 1 and others and not wrong:
        return [Selection(position, letter, "the only option marked") for letter, position in marked.items()]
    if len(right) + len(wrong) < 2:
        return []
    if len(right) > 1:
        return [Selection(max(right.values()), None, "several options are judged correct")]
    return [
        Selection(position, letter, "the only option judged correct")
        for letter, position in right.items()
        if letter not in wrong
    ]
