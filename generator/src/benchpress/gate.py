"""The gate: an item is admitted only when two methods that share no code agree on every part of its key.

A disagreement is an error to be investigated. It is never answered by drawing again, so no library's numbers can
decide which items exist; only reasons found in exact arithmetic (:class:`Redraw`) make the drawing start anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from benchpress.items import Json


class Redraw(Exception):  # noqa: N818 - a decision of the drawing, not an error
    """The drawn problem does not meet the bundle's own rules; `reason` is counted in the metadata."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class GateError(Exception):
    """Two methods disagree on a key, or the printed problem is not the problem that was keyed.

    Names the address and the part, never a key: items may be private.
    """


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a part by the first method; `accept` holds further values that are as right."""

    gold: Json
    accept: tuple[Json, ...] = ()


def admit(where: str, keys: Mapping[str, Key], confirmed: Mapping[str, bool]) -> None:
    """Raise GateError unless every key was confirmed by the second method."""
    for part in keys:
        if part not in confirmed:
            raise GateError(f"{where}: part {part} was not checked by a second method")
        if not confirmed[part]:
            raise GateError(f"{where}: the two methods disagree on part {part}")
