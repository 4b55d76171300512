"""The options of a question: their letters, and their texts as found in an answer."""

import re
from collections.abc import Collection, Iterator
from functools import cached_property, lru_cache

from benchpress.parts.characters import fold_characters
from benchpress.parts.markup import strip_markup

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BLANKS = re.compile(r"\s+")


def fold_text(text: str) -> str:
    """An option text as compared: markup, case, width and outer punctuation do not matter."""
    return _BLANKS.sub(" ", strip_markup(fold_characters(text))).strip(" .,;:!?\"'()").casefold()


_SHORT = 500


@lru_cache(maxsize=1024)
def _fold_short(text: str) -> str:
    return fold_text(text)


def _fold_option(text: str) -> str:
    """As :func:`fold_text`; the same options return in every order in which a question is put."""
    return _fold_short(text) if len(text) < _SHORT else fold_text(text)


@lru_cache(maxsize=64)
def _compiled(ordered: tuple[str, ...]) -> re.Pattern[str]:
    """Any of these texts; the rotations of one question share it."""
    joined = "|".join(re.escape(text).replace(r"\ ", r"\s+") for text in ordered)
    return re.compile(
        rf"(?<![\w.,-])(?<!\d[.,])(?:{joined})(?![\w]|[.,]\d|-\w|'\w)" if joined else r"(?!)", re.IGNORECASE
    )


class Texts:
    """The texts of options as they are searched for in an answer: longest first, in any case, as whole words.

    Compiling the pattern takes longer than reading most answers, so it waits until a text may stand somewhere.
    """

    def __init__(self, folded: Collection[str]) -> None:
        self._folded = folded

    @cached_property
    def _plain(self) -> bool:
        return all(map(str.isascii, self._folded))

    @cached_property
    def _first_words(self) -> tuple[str, ...]:
        return tuple({text.split()[0] for text in self._folded})

    @cached_property
    def _longest_words(self) -> frozenset[str]:
        return frozenset(max(text.split(), key=len) for text in self._folded)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return _compiled(tuple(sorted(self._folded, key=lambda text: (-len(text), text))))

    def match(self, text: str, position: int = 0) -> re.Match[str] | None:
        """The text that begins at `position`."""
        if self._plain:
            begun = text[position : position + max(map(len, self._first_words), default=0)]
            if begun.isascii() and not begun.lower().startswith(self._first_words):
                return None
        return self._pattern.match(text, position)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every text that stands in `text`, from left to right."""
        return self._pattern.finditer(text) if self._may_occur(text) else iter(())

    def sub(self, replacement: str, text: str) -> str:
        """`text` with every text in it replaced."""
        return self._pattern.sub(replacement, text) if self._may_occur(text) else text

    def _may_occur(self, text: str) -> bool:
        if not self._plain or not text.isascii():
            return True
        lower = text.lower()
        return any(word in lower for word in self._longest_words)


class Options:
    """Letters and texts of 2 to 26 options."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.letters = LETTERS[: len(texts)]
        self.by_text: dict[str, str | None] = {}
        for letter, text in zip(self.letters, texts, strict=False):
            folded = _fold_option(text)
            if folded:
                # Two options of one text: the text names neither.
                self.by_text[folded] = None if folded in self.by_text else letter
        self.pattern = Texts(self.by_text)

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
