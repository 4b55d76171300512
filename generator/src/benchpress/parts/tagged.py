"""Finds the labelled lines of an answer: ``LABEL: value`` in every dress a model gives it.

Fields are found from the end backwards, because the last one that carries a value is the answer.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from benchpress.parts.document import Document, document
from benchpress.parts.labels import keys_besides, label_key
from benchpress.parts.lead import Lead
from benchpress.parts.marks import REACH, Mark, marks_of
from benchpress.parts.turns import end_of_answer
from benchpress.parts.wrapping import unwrapped

MAX_BELOW = 400
MAX_BLANK = 8
MAX_TAIL_LINES = 200
MAX_MENTIONS = 2_000
"""Statements about a label, and labels in sentences, that are looked at."""
MAX_FIELD = REACH
"""Longest list that is read, in characters."""

_SUPPOSITION = re.compile(
    r"[ ]{0,3}(?:\{[^{}\n]{0,200}\}|[^\s{}]{1,40})[ ](?:alone )?(?:would|could|might)\b", re.IGNORECASE
)
_RULE = re.compile(r"[\s|:+=-]*")
_CORRECTING = re.compile(
    r"\b(?:wait|correction|corrected|actually|sorry|instead|should (?:now )?be|is now|becomes|update|revised|i mean|"
    r"my mistake|on reflection)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|wrong|incorrect|mistaken|ignores?|earlier|gave|above|previous|not right|(?<!rather )than)\b",
    re.IGNORECASE,
)
_KEY = re.compile(r"\"[ ]?:[ ]{0,6}$")
_QUOTE = re.compile(r"[ ]{0,8}(?:>[ ]?){1,8}")
_FENCE = re.compile(r"[ >]{0,8}(?:```|~~~)")
_CAPITAL_LABEL = re.compile(r"[\s*_#>\-\"'`|\[({]{0,12}([A-Z][A-Z0-9]*(?:[_ -][A-Z0-9]+){0,5})[*_`\"'\])]{0,4}\s?[:=|]")


class Field(NamedTuple):
    """What stands behind one occurrence of a label."""

    head: str
    """The rest of the label's line, up to the next label."""
    strong: bool
    """The label opens its line or follows another part; otherwise it stands in a sentence."""
    exact: bool
    """Nothing separates label and value, or the value stands in the angle brackets of the form, so the head counts only
    as a whole."""
    verb: bool
    fields: "Fields"
    start: int
    next_line: int

    @property
    def line(self) -> int:
        """The number of the label's line in the visible text, counted from one."""
        return self.fields.document.line_number(self.start)

    def below(self, is_name: Callable[[str], bool] = lambda _: False) -> list[str]:
        """The lines under the label's line that no other label claims, without fences. A line that opens with a word in
        capitals and a colon belongs to another label, unless the word is a name."""
        return self.fields.lines_from(self.next_line, is_name)

    def alone(self, past_gaps: bool = False) -> bool:
        """Whether the next line is empty, missing, or opened by a label, so that the head is all there is. With
        `past_gaps` empty lines are passed over first."""
        position = self.next_line
        if past_gaps:
            text = self.fields.document.text
            while text.startswith("\n", position):
                position += 1
        return self.fields.ends_before(position)


class Fields:
    """The labelled fields of one answer. `whole` is the text as it came, `document` the same without turns that the
    model invented behind its answer."""

    __slots__ = ("_lines", "document", "labels", "whole")

    def __init__(self, prepared: Document, labels: tuple[str, ...]) -> None:
        self.whole = self.document = prepared
        self.labels = labels
        self._lines: dict[int, list[Mark]] = {}
        end = end_of_answer(prepared, labels, self._opened_by)
        if end is not None:
            self.document = prepared.until(end)

    def of(self, label: str, quick: bool = True) -> Iterator[Field]:
        """The fields of `label` from the last to the first: those that open a line or correct an earlier one; then the
        statements about it ("ESTIMATE is ...", "ESTIMATE = 0.9 would be ..."); then those in a sentence.

        `quick` allows a shorter way to the last one where it is written in the plain form; what it holds is the same.
        """
        text, lower = self.document.text, self.document.lower
        key = label_key(label)
        limit = len(lower)
        if quick:
            plain = self._plain_field(label, key)
            if plain is not None:
                yield plain
                limit = plain.start
        stated: list[Field] = []
        weak: list[Field] = []
        while (position := lower.rfind(key, 0, limit)) >= 0 and len(stated) + len(weak) <= MAX_MENTIONS:
            start = text.rfind("\n", 0, position) + 1
            limit = start
            marks = self._marks(start)
            for index in range(len(marks) - 1, -1, -1):
                mark = marks[index]
                if mark.label != label:
                    continue
                found = self._field(start, marks, index)
                states = mark.verb or _supposes(found.head)
                if (found.strong and not states) or self._corrects(start, mark, found):
                    yield found
                else:
                    (stated if found.strong else weak).append(found)
        yield from stated
        yield from weak

    def _corrects(self, start: int, mark: Mark, field: Field) -> bool:
        """Whether a field in a sentence corrects an earlier one: "Wait, the ESTIMATE should be 0.43"."""
        text = self.document.text
        ahead = 12 if field.strong else 0  # "ESTIMATE is actually ..."
        said = text[max(start, start + mark.begin - 60) : start + mark.value + ahead]
        return _CORRECTING.search(said) is not None and _PAST.search(field.head[:200]) is None

    def _plain_field(self, label: str, key: str) -> Field | None:
        """The last field, where it is a line of its own of the form ``LABEL: value`` and in no doubt."""
        text, lower = self.document.text, self.document.lower
        start = lower.rfind(key)
        if start < 0 or not text.startswith(label, start) or (start and text[start - 1] != "\n"):
            return None
        colon = start + len(label)
        if text[colon : colon + 1] != ":":
            return None
        end = self.document.line_end(colon)
        first = text[colon + 1 : colon + 4].lstrip(" ")[:2]
        if not (first[:1].isalnum() or first[:1] in ("{", "+", ".") or (first[:1] == "-" and first[1:].isdigit())):
            return None
        for other in keys_besides(self.labels, label):
            if lower.find(other, colon, end) >= 0:
                return None
        head = text[colon + 1 : min(end, colon + 2 + MAX_FIELD)]
        if (first[0] == "{" and ":" in head) or "\\" in head or _supposes(head):
            return None
        return Field(head, True, False, False, self, start, end + 1)

    def tail_of(self, label: str) -> tuple[str, bool] | None:
        """What stands behind the last label of the text up to its end, and whether the label is a key in quotes. None
        where that label is another one, or only stands in a statement about a value given before."""
        text, lower = self.document.text, self.document.lower
        start = len(lower)
        for _ in range(MAX_TAIL_LINES):
            position = max(lower.rfind(label_key(other), 0, start) for other in self.labels)
            if position < 0:
                return None
            start = text.rfind("\n", 0, position) + 1
            marks = [mark for mark in self._marks(start) if mark.lead is Lead.STRONG]
            if marks:
                last = marks[-1]
                if last.label != label or (last.verb and next(self.of(label)).start < start):
                    return None
                value = start + last.value
                return text[value:], _KEY.search(text, max(start, value - 20), value) is not None
        return None

    def _field(self, start: int, marks: list[Mark], index: int) -> Field:
        mark = marks[index]
        text = self.document.text
        end = self.document.line_end(start)
        following = next((other for other in marks[index + 1 :] if other.lead is Lead.STRONG), None)
        value = start + mark.value
        # One character more than is read, so that a longer field is known as such.
        stop = min(start + following.begin if following else end, value + MAX_FIELD + 1)
        line_head = text[value:stop]
        if "* (" in line_head and text[value - 1] == "*":
            line_head = "*" + line_head  # where emphasis begins, to know it from a product where it ends
        head, angled = unwrapped(line_head, quoted='"' in text[start + mark.begin : value])
        if mark.bar or text.find("|", max(start, start + mark.begin - MAX_FIELD), start + mark.begin) >= 0:
            cell = self._cell_below(start, end, mark)
            if cell is not None:
                head = cell
            elif _opens_a_row(text, start):
                head = _first_cell(line_head)
        next_line = end + 1 if following is None else len(text) + 1
        return Field(head, mark.lead is Lead.STRONG, mark.exact or angled, mark.verb, self, start, next_line)

    def _cell_below(self, start: int, end: int, mark: Mark) -> str | None:
        """The cell under the label where its line is the head of a table."""
        rule_end = self.document.line_end(end + 1) if end < len(self.document.text) else end
        rule = self.document.text[end + 1 : rule_end]
        if "-" not in rule or len(rule) > 2000 or _RULE.fullmatch(rule) is None:
            return None
        row = self.document.text[rule_end + 1 : self.document.line_end(rule_end + 1)]
        column = self.document.text.count("|", start, start + mark.begin + 1)
        if not _opens_a_row(self.document.text, start):
            column += 1
        cells = row.strip().strip("|").split("|")
        return cells[column - 1] if 0 < column <= len(cells) else ""

    def ends_before(self, position: int) -> bool:
        """Whether no line that could go on with a value begins at `position`."""
        text = self.document.text
        if position >= len(text) or text[position] == "\n":
            return True
        return any(mark.lead is Lead.STRONG for mark in self._marks(position))

    def lines_from(self, position: int, is_name: Callable[[str], bool]) -> list[str]:
        """Up to MAX_BELOW lines from `position`, ended by a line that another label opens."""
        lines: list[str] = []
        text = self.document.text
        size = blank = 0
        while position <= len(text) and len(lines) < MAX_BELOW and size < MAX_FIELD:
            end = self.document.line_end(position)
            line = text[position : min(end, position + MAX_FIELD)]
            if line and self._opened_by_label(position, line, is_name):
                break
            if _FENCE.match(line):
                if any(kept.strip() for kept in lines):
                    break
            else:
                lines.append(_unquoted(line))
            blank = 0 if line.strip() else blank + 1
            if blank > MAX_BLANK:
                break
            size += len(line)
            position = end + 1
        return lines

    def _opened_by_label(self, start: int, line: str, is_name: Callable[[str], bool]) -> bool:
        capitals = _CAPITAL_LABEL.match(line)
        if capitals is not None and not is_name(capitals[1]):
            return True
        return any(mark.lead is Lead.STRONG for mark in self._marks(start))

    def _opened_by(self, start: int, label: str) -> bool:
        return any(mark.label == label and mark.lead is Lead.STRONG for mark in self._marks(start))

    def _marks(self, start: int) -> list[Mark]:
        marks = self._lines.get(start)
        if marks is None:
            marks = self._lines[start] = marks_of(self.document, self.labels, start)
        return marks


def _supposes(head: str) -> bool:
    """Whether a value is only supposed: "0.9 would be the answer without adjustment"."""
    return ("ould " in head or "might " in head) and _SUPPOSITION.match(head) is not None


def _unquoted(line: str) -> str:
    quote = _QUOTE.match(line)
    return line[quote.end() :] if quote is not None else line


def _opens_a_row(text: str, start: int) -> bool:
    return text[start : start + 20].lstrip().startswith("|")


def _first_cell(text: str) -> str:
    """`text` up to the next bar that ends a table cell; a bar inside brackets or behind a backslash is content."""
    depth = 0
    for index, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "|" and depth <= 0 and text[index - 1 : index] != "\\":
            return text[:index]
    return text


_last: Fields = Fields(document(""), ())


def fields_of(raw: str, labels: tuple[str, ...]) -> Fields:
    """The fields of an answer; the last ones are kept for the parts that follow."""
    global _last
    kept = _last
    prepared = document(raw)
    if kept.whole is not prepared or kept.labels != labels:
        kept = _last = Fields(prepared, labels)
    return kept
