"""Labels as they are spelt in answers: case, width, and what separates their words do not matter."""

import re
from functools import lru_cache

from benchpress.parts.characters import fold_characters


def label_words(label: str) -> list[str]:
    """The runs of letters and of digits in a label, between which a separator may stand or be left out."""
    return re.findall(r"[^\W\d_]+|\d+", fold_characters(label)) or [label]


@lru_cache(maxsize=4096)
def label_key(label: str) -> str:
    """The first word of a label in small letters: where it does not occur, the label does not."""
    return label_words(label)[0].lower()


@lru_cache(maxsize=4096)
def label_pattern(label: str) -> re.Pattern[str]:
    """The spellings of a label as a whole word. It is no piece of a longer one: SET is not in ADJUSTMENT_SET."""
    body = r"[ \\_\-*]{0,4}".join(re.escape(word) for word in label_words(label))
    boundary = r"(?<![^\W_])(?<![^\W_][_\-])(?<![^\W_]\\_)"
    return re.compile(rf"{boundary}{body}(?!\\?_*[^\W_])", re.IGNORECASE)


@lru_cache(maxsize=1024)
def keys_besides(labels: tuple[str, ...], label: str) -> tuple[str, ...]:
    """The keys of the labels other than `label`."""
    return tuple(sorted({label_key(other) for other in labels} - {label_key(label)}))
