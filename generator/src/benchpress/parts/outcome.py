"""What one field behind a label turned out to hold."""

from enum import Enum
from typing import NamedTuple

from benchpress.items import Json


class Kind(Enum):
    VALUE = "value"
    ABSENT = "absent"
    """Nothing was said: empty, a template, a pointer elsewhere, a mention. An earlier field may hold the answer."""
    WITHDRAWN = "withdrawn"
    """The answer was taken back or declined; earlier fields no longer count."""
    UNCLEAR = "unclear"
    """Something was said that a careful reader would not turn into one value."""


class Outcome(NamedTuple):
    kind: Kind
    value: Json = None
    note: str = ""


def found(value: Json, note: str = "") -> Outcome:
    return Outcome(Kind.VALUE, value, note)


def absent(note: str) -> Outcome:
    return Outcome(Kind.ABSENT, None, note)


def withdrawn(note: str) -> Outcome:
    return Outcome(Kind.WITHDRAWN, None, note)


def unclear(note: str) -> Outcome:
    return Outcome(Kind.UNCLEAR, None, note)
