"""Facts that come in rows: one sentence a row under a header, and short series on one line."""

from bisect import insort
from collections.abc import Mapping
from typing import Any

from benchpress.wording.sayings import Saying, Wording
from benchpress.wording.sections import Params


class Entries:
    """`key`: rows of strings, a line each in drawn order; a slot named `series` holds a list of numbers in order.

    Without rows the `none` sentence is printed. In params the rows stand in code-point order.
    """

    def __init__(self, key: str, slots: tuple[str, ...], saying: Saying, header: Saying, none: Saying) -> None:
        self.key, self.slots = key, slots
        self.saying, self.header, self.none = saying, header, none

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if self.key not in params:
            return []
        if not params[self.key]:
            return [self.none.say(wording)]
        said = [self.header.say(wording)]
        for row in wording.stream.shuffled(params[self.key]):
            values = dict(zip(self.slots, row, strict=True))
            if "series" in values:
                values["series"] = ", ".join(values["series"])
            said.append(self.saying.say(wording, **values))
        return said

    def read(self, line: str, found: Params) -> bool:
        if self.header.read(line) is not None or self.none.read(line) is not None:
            found.setdefault(self.key, [])
            return True
        slots = self.saying.read(line)
        if slots is None:
            return False
        row = [slots[slot].split(", ") if slot == "series" else slots[slot] for slot in self.slots]
        insort(found.setdefault(self.key, []), row)
        return True


class Series:
    """`key`: a list of numbers in order, on one line with the slot `series`."""

    def __init__(self, key: str, saying: Saying) -> None:
        self.key, self.saying = key, saying

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        return [self.saying.say(wording, series=", ".join(params[self.key]))] if self.key in params else []

    def read(self, line: str, found: Params) -> bool:
        slots = self.saying.read(line)
        if slots is None:
            return False
        found[self.key] = slots["series"].split(", ")
        return True
