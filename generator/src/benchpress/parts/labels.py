"""Labels as they are spelt in answers: case, width, and what separates their words do not matter."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

from benchpress.parts.characters import fold_characters

_LONGEST_LABEL = 150
_OPERATOR = re.compile(
    r"[*_`\"'$)}]{0,4}[ ]?(?:(?P<equal>=)|[+/×÷·]|\}\{|[ ](?:[-–*]|minus|plus|times|divided by|over)[ ])"
    r"[ ]?[*_`\"'$(]{0,4}(?:\\[a-z]{4,10}\{)?"
)
_FACTOR = re.compile(r"[\d)](?:[ ]?[×+][ ]?|[ ]\*[ ]|[·*])$")
_TERM = re.compile(r"[*_`\"'$)}]{0,4}[ ]?[-+/×÷·–]")


def label_words(label: str) -> list[str]:
    """The runs of letters and of digits in a label, between which a separator may stand or be left out."""
    return re.findall(r"[^\W\d_]+|\d+", fold_characters(label)) or [label]


@lru_cache(maxsize=4096)
def label_key(label: str) -> str:
    """The first word of a label in small letters: where it does not occur, the label does not."""
    return label_words(label)[0].lower()


@lru_cache(maxsize=4096)
def label_pattern(label: str) -> re.Pattern[str]:
    """The spellings of a label as a whole word. It is no piece of a longer one: SET is not in ADJUSTMENT_SET.
    The ``\\n`` of an escaped line end may stand before it."""
    body = r"[ \\_\-*{}]{0,4}".join(re.escape(word) for word in label_words(label))
    boundary = r"(?:(?<=\\n)|(?<![^\W_])(?<![^\W_][_\-])(?<![^\W_]\\_))"
    return re.compile(rf"{boundary}{body}(?!\\?_*[^\W_]|\}}?\\?_\{{?[^\W_])", re.IGNORECASE)


@lru_cache(maxsize=1024)
def keys_besides(labels: tuple[str, ...], label: str) -> tuple[str, ...]:
    """The keys of the labels other than `label`."""
    return tuple(sorted({label_key(other) for other in labels} - {label_key(label)}))


def without_operands(text: str, spots: Mapping[int, tuple[int, str]]) -> list[int]:
    """Where the labels of a line begin, in order; `spots` gives the end of each. The operands of an expression are left
    out: both of "NAIVE_EFFECT - EFFECT = 0.16", the second of "EFFECT = NAIVE_EFFECT - 0.16 = 0.42", the one of "2 ×
    EFFECT = 0.84"."""
    positions = sorted(spots)
    operands = {position for position in positions if _FACTOR.search(text[max(0, position - 6) : position])}
    for one, other in pairwise(positions):
        operator = _OPERATOR.fullmatch(text, spots[one][0], other) if other - one < _LONGEST_LABEL else None
        if operator is None or spots[one][1] == spots[other][1]:
            continue  # a value may repeat the word of its label
        if not operator["equal"]:
            operands |= {one, other}
        elif _TERM.match(text, spots[other][0]):
            operands.add(other)
    return [position for position in positions if position not in operands] if operands else positions
