"""A list field as names, arrows, brackets, separators and words: what sets, orders and edges are read from."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from benchpress.parts.markup import strip_markup, strip_pictures
from benchpress.parts.names import Names
from benchpress.parts.tagged import MAX_FIELD, Field

MAX_DEPTH = 8

_LEXEME = re.compile(
    r"(?P<arrow>(?:<[-=~–—]{1,4}>|<[-=~–—]{1,4}(?!>)|[-=~–—─━]{1,4}>{1,2}|[o*]-+[>o*]|<-+[o*]|[-–—─━]{2,4}))"
    r"|(?P<number>\d+(?:st|nd|rd|th)?(?![^\W_]))"
    r"|(?P<word>[^\W_]+(?:'[^\W_]+)*)"
    r"|(?P<line>\n)"
    r"|(?P<open>[{\[(])|(?P<close>[}\])])"
    r"|(?P<other>[^\s\"'`])"
)
_WRITTEN_BREAK = re.compile(r"\\n(?=[A-Z\d\s\-*•(\[{]|$)")
_ANGLED = re.compile(r"<([^<>=-]{1,200})>")
_ANNOUNCING_SIGN = re.compile(r"\A[➡➤►▶➜➔\s]+")
_BULLET = re.compile(r"[ >]*(?:[-*•‣▪◦+·–—]|\(?\d{1,3}[.)\u20e3])(?= |$|[^\d\s.)\-–—>])\s*")
_HYPHEN_BULLET = re.compile(r"[ >]*[-*•‣▪◦+·–—] ")


@dataclass(frozen=True, slots=True)
class Piece:
    kind: str
    """name, word, number, arrow, open, close, line, other; or unknown, a word in the place of a name."""
    text: str
    exact: bool = True
    """Of a name: spelt as in the universe."""
    tight: bool = False
    """Nothing stands between it and what comes before."""


def list_items(text: str, names: Names | None) -> list[Piece]:
    """The items of `text`. Without a universe every word may be a name and is kept as a word."""
    spans = names.find(text) if names is not None else []
    items: list[Piece] = []
    position = 0
    for start, stop, name, exact in spans:
        _lex(text, position, start, items)
        items.append(Piece("name", name, exact, start > 0 and not text[start - 1].isspace()))
        position = stop
    _lex(text, position, len(text), items)
    return items


def _lex(text: str, start: int, stop: int, items: list[Piece]) -> None:
    end = start
    for match in _LEXEME.finditer(text, start, stop):
        kind = match.lastgroup or "other"
        sign = match.group()
        if kind == "other" and (not sign.isascii() or sign in "<>~"):
            arrow = _arrow(sign)
            if arrow:
                kind, sign = "arrow", arrow
        elif kind == "arrow":
            sign = _direction(sign)
        items.append(Piece(kind, sign, True, match.start() == end and end > 0))
        end = match.end()


def _direction(arrow: str) -> str:
    if "o" in arrow or "*" in arrow:
        return "--"  # an end mark that leaves the direction open
    left, right = arrow[0] in "<", arrow[-1] == ">"
    return "<->" if left and right else "<-" if left else "->" if right else "--"


@lru_cache(maxsize=1024)
def _arrow(sign: str) -> str:
    """The direction of an arrow character, empty where it is none."""
    if sign in "⇌⇄⇆⇋":
        return "<->"
    name = unicodedata.name(sign, "")
    if not ("ARROW" in name or "POINTING" in name or "MAPS TO" in name or "HARPOON" in name):
        return ""
    if "LEFT RIGHT" in name or "LEFT AND RIGHT" in name or "UP" in name or "DOWN" in name:
        return "<->" if "LEFT" in name else ""
    if "RIGHT" in name:
        return "->"
    return "<-" if "LEFT" in name else ""


def clean(text: str, names: Names | None) -> str:
    """A list field without markup, pictures that only adorn it, and trailing signs."""
    text = text if names is not None and names.dressed else strip_markup(text)
    text = text if names is not None and names.pictured else strip_pictures(text)
    if "<" in text and names is not None:
        text = _ANGLED.sub(lambda angled: f"({angled[1]})" if _all_names(angled[1], names) else angled.group(), text)
    if "\\n" in text:
        text = _WRITTEN_BREAK.sub("\n", text)
    return text.split("</", 1)[0].strip().rstrip(",;&").strip()


def _all_names(text: str, names: Names) -> bool:
    return all(names.of(piece.strip()) is not None for piece in text.split(","))


def unbalanced(text: str) -> int:
    """How many brackets are open at the end of `text`."""
    return sum(text.count(sign) for sign in "{[(") - sum(text.count(sign) for sign in "}])")


_QUOTES = re.compile(r"\"|(?<!\w)'|'(?!\w)")


def unquoted(text: str) -> str:
    """`text` without quotation marks, and without closing brackets at its end that nothing opened: what a JSON string
    or a phrase in quotes says."""
    text = _QUOTES.sub("", text).strip()
    surplus = -unbalanced(text)
    while surplus > 0 and text[-1:] in ("}", "]", ")"):
        text = text[:-1].rstrip()
        surplus -= 1
    return text


def field_lines(
    field: Field,
    names: Names | None,
    goes_on: Callable[[str], bool] = lambda _: False,
    remark: Callable[[str], bool] = lambda _: False,
) -> list[str]:
    """The non-empty lines that may belong to a list, bullets and ordinals in front of a line taken off.

    The first is the label's own, or the first below it. Further lines follow up to a blank line, or while brackets are
    open, or where the label's own line is empty and they are list items, or as long as each `goes_on`; the reader
    decides whether they belong. A bullet below another one that names nothing, or is a `remark`, is passed over.
    """
    head = _ANNOUNCING_SIGN.sub("", clean(field.head, names))
    lines = [head] if head.strip(" .:*_") else []
    if field.exact and lines:
        return lines
    open_brackets = max(0, unbalanced(head))
    closed = bool(head) and (head[-1] in "}]." or (head[-1] == ")" and head[0] == "("))
    if lines and not open_brackets and (closed or field.verb):
        return lines
    gap = False
    size = len(head)
    outer: int | None = None
    for raw in field.below(lambda word: names is not None and names.of(word) is not None):
        line = clean(raw, names)
        if not line.strip(" .:|*_-–—") and ".." not in line:
            gap = gap or bool(lines)
            continue
        if gap and not open_brackets and (head or _BULLET.match(raw) is None) and not goes_on(line):
            break
        gap = False
        bullet = _BULLET.match(raw)
        if bullet is not None:
            indent = len(raw) - len(raw.lstrip())
            outer = indent if outer is None else outer
            if indent > outer and names is not None and (not names.find(line) or remark(line)):
                continue
        size += len(line)
        if size > MAX_FIELD:
            break
        open_brackets = max(0, open_brackets + unbalanced(line))
        lines.append(line)
    return lines


def past_announcement(pieces: list[Piece], words: frozenset[str]) -> int:
    """Where what is announced begins: behind a colon in front of which only `words` stand, else at the start."""
    for index, piece in enumerate(pieces[:16]):
        if piece.text == ":":
            return index + 1 if index else 0
        if piece.kind != "word" or piece.text.lower() not in words:
            break
    return 0


def without_bullet(line: str) -> tuple[str, int | None]:
    """`line` without the list mark in front of it, and the number in that mark."""
    match = _BULLET.match(line)
    if match is None or match.end() == len(line):
        return line, None
    digits = re.sub(r"\D", "", match.group())
    if not digits and not _HYPHEN_BULLET.match(line) and match.group().strip() in ("-", "–", "—", "+"):
        return line, None
    return line[match.end() :], int(digits) if digits else None


_ABOUT_A_NODE = frozenset(
    [
        "and", "und", "et", "or", "only", "alone", "because", "since", "is", "are", "was", "has", "have", "blocks",
        "block",
        "causes", "cause", "affects", "affect", "opens", "open", "lies", "stays", "suffices", "suffice", "then",
        "before", "precedes", "first", "second", "third", "next", "to", "as", "from", "in", "with", "must", "cannot",
        "not", "but", "vs", "versus", "does", "rather", "instead", "plus", "together",
        "influences", "influence", "points", "leads", "comes", "goes", "starts", "ends", "depends", "drives",
        "determines", "remains", "belongs", "needs", "should", "would", "can", "will",
    ]
)  # fmt: skip
_SAID_BY_A_PERSON = ("cannot", "must", "have", "not", "should", "would", "can", "will")


def is_article_or_pronoun(pieces: list[Piece], index: int) -> bool:
    """Whether the name at `index` is rather the word A or I of a sentence: "I don't know", "A valid set is ..."."""
    piece = pieces[index]
    behind = pieces[index + 1] if index + 1 < len(pieces) else None
    if piece.kind != "name" or piece.text not in ("A", "I", "a", "i") or behind is None or behind.kind != "word":
        return False
    word = behind.text.lower()
    return word not in _ABOUT_A_NODE or (piece.text in "Ii" and word in _SAID_BY_A_PERSON)


def is_ellipsis(pieces: list[Piece], index: int) -> bool:
    """Whether an ellipsis begins at `index`, as a sign or as dots."""
    if pieces[index].text != ".":
        return pieces[index].text == "…"
    return index + 1 < len(pieces) and pieces[index + 1].text == "." and pieces[index + 1].tight


_REMARKING = frozenset((":", "(", ",", ".", ";", "—", "–", "-", "=", "--", "->", "because", "since", "as"))


_BOX = re.compile(r"(?:\[ ?\]|[☐⬜])\s*|(?P<ticked>\[[xX✓✔✅]\]|[☑☒])\s*")


def bulleted(lines: list[str]) -> list[str] | None:
    """The items of a list with a mark on every line, without the marks; None where the lines are no such list.

    Of boxes to tick, those that are ticked."""
    items: list[str] = []
    boxes = 0
    for line in lines:
        text, _ = without_bullet(line)
        if text == line:
            break
        box = _BOX.match(text)
        boxes += box is not None
        if box is None or box["ticked"]:
            items.append(text[box.end() :] if box is not None else text)
    return items if len(items) > 1 or boxes > 1 else None


def item_names(items: list[str], names: Names) -> list[str] | None:
    """The names that the items of a list begin with, a remark behind each at most; None where one is no such item."""
    found: list[str] = []
    for text in items:
        pieces = list_items(text, names)
        if not pieces or pieces[0].kind != "name" or (len(pieces) > 1 and pieces[1].text.lower() not in _REMARKING):
            return None
        if len(pieces) > 2 and pieces[1].text in (",", ";") and pieces[2].kind == "name":
            return None  # several names a line
        found.append(pieces[0].text)
    return found


def balanced(items: list[Piece]) -> list[Piece]:
    """`items` with closing brackets that nothing opened taken out and open ones closed; none at all where they are
    nested deeper than an answer ever is."""
    kept: list[Piece] = []
    depth = 0
    for item in items:
        if item.kind == "open":
            depth += 1
            if depth > MAX_DEPTH:
                return []
        elif item.kind == "close":
            if depth == 0:
                continue
            depth -= 1
        kept.append(item)
    kept.extend(Piece("close", "}") for _ in range(depth))
    return kept


def close_of(items: list[Piece], index: int) -> int:
    """Where the bracket that opens at `index` closes. The brackets of `items` must be balanced."""
    depth = 0
    for position in range(index, len(items)):
        if items[position].kind == "open":
            depth += 1
        elif items[position].kind == "close":
            depth -= 1
            if depth == 0:
                return position
    return len(items) - 1
