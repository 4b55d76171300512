"""Which questions a prior is calibrated on: never those under test, nor equal ones under another id."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from benchpress.canonical import digest
from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.modules.choice.question import Question
from benchpress.streams import derive, secret_from_seed

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Calibration:
    """The questions that were drawn, and why others were not in the draw."""

    questions: tuple[Question, ...]
    candidates: int
    under_test: int
    """Candidates that are under test, by id or by content."""
    repeated: int
    """Candidates with the content of another candidate."""
    other_k: int
    """Candidates with another number of options."""


def content_key(question: Question) -> tuple[str, ...]:
    """What makes two questions equal: stem and sorted option texts, in compatibility form, without case or spacing."""
    return (_plain(question.stem), *sorted(_plain(text) for text in question.texts))


def choose_calibration(
    candidates: Sequence[Item], under_test: Sequence[Item], k: int, count: int, seed: int
) -> Calibration:
    """Draw `count` questions with `k` options out of what remains of `candidates`: filters first, the draw after.

    The draw depends on the seed and on which questions remain, not on their order. Raises UserError where fewer than
    `count` remain.
    """
    tested = [Question.of(item) for item in under_test]
    ids, contents = {question.id for question in tested}, {content_key(question) for question in tested}
    remaining: dict[tuple[str, ...], Question] = {}
    met = repeated = other = 0
    for item in candidates:
        question = Question.of(item)
        key = content_key(question)
        if question.id in ids or key in contents:
            met += 1
        elif key in remaining:
            repeated += 1
        elif len(question.options) != k:
            other += 1
        else:
            remaining[key] = question
    if len(remaining) < count:
        raise UserError(
            f"{count} calibration questions with {k} options were asked for, and {len(remaining)} of "
            f"{len(candidates)} remain ({met} are under test, {repeated} repeat another, {other} have another number "
            "of options): give more, or ask for fewer"
        )
    drawn = sample([remaining[key] for key in sorted(remaining)], count, seed)
    return Calibration(tuple(drawn), len(candidates), met, repeated, other)


def sample(ordered: Sequence[T], count: int, seed: int) -> list[T]:
    """`count` of what stands in order, drawn by a key of the seed."""
    return derive(secret_from_seed(seed), "choice", "calibration").sample(ordered, count)


def calibration_digest(candidates: Sequence[Item]) -> str:
    """Twelve hex digits of the candidates, for the parameters of a method that is given them."""
    return digest(sorted(digest(item.to_json()) for item in candidates))[:12]


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()
