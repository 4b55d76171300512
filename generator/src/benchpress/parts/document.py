"""An answer made ready for reading: characters folded, think blocks and HTML taken off, rows of LaTeX as lines."""

import re
from copy import copy

from benchpress.parts.characters import fold_characters
from benchpress.parts.markup import strip_html
from benchpress.parts.thinking import strip_thinking

# In JSON two backslashes in front of a letter or brace are one, escaped.
_ROW_BREAK = re.compile(r"\\\\(?:\[[^\]\n]{1,10}\])?(?:[ ]{0,9}\n|(?=\s|\\[A-Za-z]|$))")


class Document:
    """The visible text of an answer, and its lines.

    `text` is what counts, `lower` the same in small letters at the same positions, `open_end` says that a think block
    was never closed.
    """

    __slots__ = ("lower", "open_end", "text")

    def __init__(self, raw: str) -> None:
        text, self.open_end = strip_thinking(fold_characters(raw))
        self.text = strip_html(_ROW_BREAK.sub("\n", text) if "\\" in text else text)
        lower = self.text.lower()
        self.lower = lower if len(lower) == len(self.text) else self.text

    def until(self, end: int) -> "Document":
        """The part of the text in front of `end`."""
        part = copy(self)
        part.text, part.lower = self.text[:end], self.lower[:end]
        return part

    def line_end(self, start: int) -> int:
        """Where the line that `start` lies in ends."""
        end = self.text.find("\n", start)
        return len(self.text) if end < 0 else end

    def line_number(self, position: int) -> int:
        """The number of the line of a position, counted from one."""
        return self.text.count("\n", 0, position) + 1


_last: tuple[str, Document] = ("", Document(""))


def document(raw: str) -> Document:
    """The prepared `raw`; the last one is kept, so that the parts of one item prepare their text once."""
    global _last
    kept, prepared = _last
    if kept is not raw:
        prepared = Document(raw)
        _last = raw, prepared
    return prepared
