"""What a completion may hold, whatever a server wrote: vendors' packages pass on fields of any type unlooked at."""

from dataclasses import replace
from typing import Any

from benchpress_evaluator.providers.errors import RetryableError
from benchpress_evaluator.records import COUNTS, WORDS, Completion


def fitting(found: Completion) -> Completion:
    """`found` with fields of another type taken for unknown, and flagged. Raises RetryableError where that is the
    answer itself or how it ended: such a body cannot be read."""
    for name in ("text", "stop_reason"):
        if not isinstance(getattr(found, name), str | None):
            raise RetryableError(f"unreadable body: {name} is no text", billed=True)
    odd = found.misfits()
    if not odd:
        return found
    unknown: dict[str, Any] = {name: None for name in odd if name in COUNTS or name in WORDS}
    return replace(found, **unknown, flags=(*found.flags, *(f"unreadable {name}" for name in unknown)))
