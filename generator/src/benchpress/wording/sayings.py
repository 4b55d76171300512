"""Sentences that can be said in several ways and read back: the reason why a printed problem equals its params."""

import re
from dataclasses import dataclass

from benchpress.streams import Stream

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Wording:
    """How a problem is told: bare notation where `formal`, else phrasings drawn from `stream`."""

    stream: Stream
    formal: bool


class Saying:
    """One kind of fact. The first template is the bare notation, the others are prose; slots stand in braces."""

    __slots__ = ("_patterns", "templates")

    def __init__(self, *templates: str) -> None:
        self.templates = templates
        # The longest literal of a template tells most lines apart from it sooner than its pattern does.
        self._patterns = tuple(
            (max(_SLOT.sub("\n", template).split("\n"), key=len), re.compile(_pattern(template)))
            for template in templates
        )

    def say(self, wording: Wording, **slots: str) -> str:
        """The fact in words; all prose phrasings are equally likely."""
        if wording.formal or len(self.templates) == 1:
            return self.templates[0].format(**slots)
        return wording.stream.choice(self.templates[1:]).format(**slots)

    def read(self, line: str) -> dict[str, str] | None:
        """The slots of a line that says this fact in any phrasing, or None."""
        for literal, pattern in self._patterns:
            if literal in line and (match := pattern.fullmatch(line)):
                return match.groupdict()
        return None


def _pattern(template: str) -> str:
    pieces: list[str] = []
    at = 0
    for slot in _SLOT.finditer(template):
        pieces.append(re.escape(template[at : slot.start()]))
        pieces.append(f"(?P<{slot.group(1)}>.+?)")
        at = slot.end()
    pieces.append(re.escape(template[at:]))
    return "".join(pieces)


def listed(names: list[str] | tuple[str, ...]) -> str:
    """Names as a printed list; `none` where there are none."""
    return ", ".join(names) if names else "none"


def unlisted(text: str) -> list[str]:
    """The inverse of :func:`listed`."""
    return [] if text == "none" else text.split(", ")
