"""What may be left out of a set before it is used: declared by name, applied in that order, part of its identity."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from benchpress.errors import UserError
from benchpress.modules.choice.question import Question

_X = r"\(?[a-z]\)?"
_ABOVE = r"(?:above|below|preceding|previous)(?: (?:answers?|options?|choices?))?"
_SAYS_PLACES = re.compile(
    rf"(?:(?:all|none|both|neither|any|either) of the {_ABOVE}"
    rf"|both {_X} and {_X}|{_X} and {_X}|{_X}(?:, {_X})+,? and {_X}|neither {_X} nor {_X})(?: only)?"
    r"(?: (?:is|are) (?:correct|true|right))?[.!]?",
    re.IGNORECASE,
)


def names_places(text: str) -> bool:
    """Whether an option as a whole speaks of other options by their place: "all of the above", "both A and B"."""
    return _SAYS_PLACES.fullmatch(" ".join(text.split())) is not None


def permutation_safe_v1(questions: Sequence[Question]) -> list[Question]:
    """Leaves out every question with an option that another order of the options would make senseless."""
    return [one for one in questions if not any(names_places(option.text) for option in one.options)]


def unique_question_ids_v1(questions: Sequence[Question]) -> list[Question]:
    """Leaves out every question whose id occurs more than once: which of them counts is not ours to say."""
    counts = Counter(question.id for question in questions)
    return [question for question in questions if counts[question.id] == 1]


TRANSFORMS: Mapping[str, Callable[[Sequence[Question]], list[Question]]] = {
    "permutation_safe_v1": permutation_safe_v1,
    "unique_question_ids_v1": unique_question_ids_v1,
}


def transformed(questions: Sequence[Question], names: Sequence[str]) -> tuple[list[Question], dict[str, int]]:
    """The questions after the named transforms, and how many each left out. Raises UserError for an unknown name."""
    left = list(questions)
    dropped: dict[str, int] = {}
    for name in names:
        if name not in TRANSFORMS:
            raise UserError(f"unknown transform {name!r}: known are {', '.join(TRANSFORMS)}")
        kept = TRANSFORMS[name](left)
        dropped[name] = len(left) - len(kept)
        left = kept
    return left, dropped


def check_unique(questions: Sequence[Question], name: str) -> None:
    """Raise UserError where two questions have one id, naming the transform that leaves them out."""
    counts = Counter(question.id for question in questions)
    repeated = [identity for identity, count in counts.items() if count > 1]
    if repeated:
        raise UserError(
            f"{name}: {len(repeated)} questions occur more than once (the first is {repeated[0]}); "
            "add --transform unique_question_ids_v1 to leave them out"
        )
