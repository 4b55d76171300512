"""Where an answer ends because the model went on to write the next question itself."""

import re
from collections.abc import Callable

from benchpress.parts.document import Document
from benchpress.parts.labels import label_key

MAX_LINES = 200
"""Lines with a label that are looked at in front of a turn."""

_USER = re.compile(
    r"^(?:[ #*_>\[]{0,8}(?:human|user)[*_\] ]{0,4}:|#{1,6} ?(?:human|user|instruction)\b[*_: ]{0,4}$|\[INST\])",
    re.IGNORECASE | re.MULTILINE,
)
# "Problem: this ignores Z" is an objection, "Problem 2:" a question.
_QUESTION = re.compile(
    r"^[ #*_>]{0,8}(?:(?:(?:next|new|another|second|follow-?up) )?(?:question|q)(?: ?#?\d{1,3})?"
    r"|(?:next|new|another|second) problem|problem ?#?\d{1,3})[*_ ]{0,4}:",
    re.IGNORECASE | re.MULTILINE,
)
_REPLY = re.compile(
    r"^[ #*_>]{0,8}(?:answer|a|assistant|response|solution)(?: ?#?\d{1,3})?[*_ ]{0,4}:", re.IGNORECASE | re.MULTILINE
)


def end_of_answer(document: Document, labels: tuple[str, ...], opens: Callable[[int, str], bool]) -> int | None:
    """Where the turn of a user begins that follows the answer and is answered in its turn; None where there is none.

    `opens` says whether a label opens the line that begins at a position. A text that begins with such a turn is the
    record of a talk, where nobody can tell which answer counts as the first; a name with a colon (a node may be called
    User) is a turn only if a label is given once more or somebody replies. A question without the name of its speaker
    is a turn only behind a complete answer, and with a reply: a person may ask themselves too.
    """
    text, lower = document.text, document.lower
    user = _USER.search(text) if any(word in lower for word in ("user", "human", "instruction", "[inst]")) else None
    if user is not None:
        given = tuple(label for label in labels if _given(label, document, user.start(), opens))
        reply = _REPLY.search(text, user.end())
        if given and _named_behind(labels if reply is not None else given, lower, user.end()):
            return user.start()
    question = _QUESTION.search(text) if "question" in lower or "problem" in lower or "\nq" in lower else None
    if question is not None:
        reply = _REPLY.search(text, question.end())
        if reply is not None and _named_behind(labels, lower, reply.end()):
            complete = all(_given(label, document, question.start(), opens) for label in labels)
            return question.start() if complete else None
    return None


def _given(label: str, document: Document, end: int, opens: Callable[[int, str], bool]) -> bool:
    """Whether `label` opens one of the lines in front of `end`."""
    key, position = label_key(label), 0
    for _ in range(MAX_LINES):
        found = document.lower.find(key, position, end)
        if found < 0:
            return False
        if opens(document.text.rfind("\n", 0, found) + 1, label):
            return True
        position = document.line_end(found)
    return False


def _named_behind(labels: tuple[str, ...], lower: str, position: int) -> bool:
    return any(lower.find(label_key(label), position) >= 0 for label in labels)
