"""One line of text as the numbers, words and signs in it, with brackets resolved."""

import re
from dataclasses import dataclass

from benchpress.parts.numerals import TOKEN, token_value

_LEXEME = re.compile(
    rf"(?P<number>{TOKEN.pattern})"
    r"|(?P<word>[^\W\d_](?:[\w']|[_^][{(]?-?\w|-(?=[^\W\d_]))*)"
    r"|(?P<compare>[<>]=|[<>≤≥≲≳≠](?!-(?![\d.])))"
    r"|(?P<equal>(?:=+>?|[≈≃≅≡→⇒⟶↦]|=>|->|-->)+)"
    r"|(?P<plusminus>±|\+/-|\+-|-\+)"
    r"|(?P<dash>--+)"
    r"|(?P<dots>\.{2,}|…)"
    r"|(?P<stop>[.!?](?=\s|$))"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<mark>[,;:])|(?P<operator>[-+*/×÷·⋅^–—~∼|\\_!#&%°.])"
    r"|(?P<other>\S)"
)


@dataclass(frozen=True, slots=True)
class Lexeme:
    kind: str
    text: str
    value: str | None = None
    """Of a number: its unsigned value, None where it has no safe reading."""
    tight: bool = False
    """Nothing stands between it and what comes before."""
    fraction: bool = False


_PAREN_BOUND = re.compile(
    r"\(\s?(at (?:the )?(?:most|least)|or (?:more|less|lower|higher|above|below|greater))\s?\)", re.IGNORECASE
)
"""A remark that makes a bound of the number in front of it."""
_PAREN_FRACTION = re.compile(r"\(\s?(-?[\d.]{1,40})\s?\)\s?/\s?\(?\s?(-?[\d.]{1,40})\s?\)?")


def lexemes(text: str) -> list[Lexeme]:
    """The lexemes of a line, numbers in brackets taken out of them, remarks and arguments in brackets dropped."""
    if "(" in text:
        text = _PAREN_BOUND.sub(r" \1 ", _PAREN_FRACTION.sub(r" \1/\2 ", text))
    return _without_brackets(_lex(text))


def _lex(text: str) -> list[Lexeme]:
    items = []
    end = 0
    for match in _LEXEME.finditer(text):
        kind = match.lastgroup or "other"
        start = match.start()
        tight = start == end and start > 0
        word = match.group()
        end = match.end()
        if kind == "number":
            fraction = match["over"] is not None or match["mixed"] is not None
            items.append(Lexeme(kind, word, token_value(match), tight, fraction))
        else:
            if kind == "dash":
                kind, word = "operator", "—"
            items.append(Lexeme(kind, word.lower() if kind == "word" else word, None, tight))
    return items


def _without_brackets(items: list[Lexeme]) -> list[Lexeme]:
    """Brackets resolved: numbers in brackets of their own come out, arguments and remarks go, the rest is opaque."""
    stack: list[tuple[list[Lexeme], Lexeme]] = []
    current: list[Lexeme] = []
    for item in items:
        if item.kind == "open":
            stack.append((current, item))
            current = []
        elif item.kind == "close":
            if stack:
                outer, opening = stack.pop()
                outer.extend(_unwrap(current, outer[-1] if outer else None, opening))
                current = outer
        else:
            current.append(item)
    while stack:  # never closed: as if the brackets were not there
        outer, _ = stack.pop()
        outer.extend(current)
        current = outer
    return current


def _unwrap(inner: list[Lexeme], before: Lexeme | None, opening: Lexeme) -> list[Lexeme]:
    numbers = sum(item.kind in ("number", "opaque") for item in inner)
    opaque = [Lexeme("opaque", "", None, opening.tight)]
    if before is not None and opening.tight and before.kind == "word":
        return []
    if before is not None and before.text == ".":
        return opaque
    if before is not None and before.kind in ("number", "opaque"):
        return opaque if opening.tight and any(item.fraction for item in inner) else []
    single = numbers == 1 and all(item.kind in ("number", "stop") or item.text in "-+%~≈" for item in inner)
    if single:
        return inner
    if numbers == 0:
        return []
    return opaque if before is None or before.kind in ("operator", "equal") else []
