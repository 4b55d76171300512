"""The options of a question: their letters, and their texts as found in an answer."""

import re
from functools import lru_cache

from benchpress.parts.characters import fold_characters
from benchpress.parts.markup import strip_markup

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BLANKS = re.compile(r"\s+")


def fold_text(text: str) -> str:
    """An option text as compared: markup, case, width and outer punctuation do not matter."""
    return _BLANKS.sub(" ", strip_markup(fold_characters(text))).strip(" .,;:!?\"'()").casefold()


class Options:
    """Letters and texts of 2 to 26 options."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.letters = LETTERS[: len(texts)]
        self.by_text: dict[str, str | None] = {}
        for letter, text in zip(self.letters, texts, strict=False):
            folded = fold_text(text)
            if folded:
                # Two options of one text: the text names neither.
                self.by_text[folded] = None if folded in self.by_text else letter
        ordered = sorted(self.by_text, key=lambda text: (-len(text), text))
        joined = "|".join(re.escape(text).replace(r"\ ", r"\s+") for text in ordered)
        self.pattern = re.compile(
            rf"(?<![\w.,-])(?<!\d[.,])(?:{joined})(?![\w]|[.,]\d|-\w|'\w)" if joined else r"(?!)", re.IGNORECASE
        )

    def of_text(self, text: str) -> str | None:
        """The letter of the option that `text` as a whole spells."""
        return self.by_text.get(fold_text(text))

    def is_text(self, letter: str) -> bool:
        """Whether a letter is also the text of another option, so that it names nothing for certain."""
        other = self.by_text.get(letter.casefold(), letter)
        return other != letter

    def of_match(self, match: re.Match[str]) -> str | None:
        """The letter of a match of `pattern`."""
        return self.by_text.get(_BLANKS.sub(" ", match.group()).casefold())


@lru_cache(maxsize=512)
def options_of(texts: tuple[str, ...]) -> Options:
    """The options with these texts; kept for the questions that share them."""
    return Options(texts)
