"""Names of nodes: matched as written, then folded; the longest first.

Folding ignores case, blanks, underscores, hyphens, subscripts and width, so ``skill_level`` is ``SkillLevel`` and
``X₁`` is ``X1``. Where two names fold alike, only the exact spelling counts.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from benchpress.parts.characters import fold_characters
from benchpress.parts.markup import has_pictures

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SEPARATING = re.compile(r"[\s_\-–]+")
_JOINTS = frozenset(("", " ", "  ", "_", "-", "–"))


def fold(name: str) -> str:
    """The folded spelling of a name."""
    return _SEPARATING.sub("", fold_characters(name)).casefold()


class Names:
    """The names that exist in one item."""

    def __init__(self, universe: Iterable[str]) -> None:
        self.exact: dict[str, str] = {}
        self.folded: dict[str, str] = {}
        clashing: set[str] = set()
        special: dict[str, str] = {}
        self.most_words = 1
        for name in universe:
            shown = fold_characters(name)
            self.exact[shown] = name
            key = fold(name)
            if self.folded.setdefault(key, name) != name:
                clashing.add(key)
            words = _WORD.findall(shown)
            self.most_words = max(self.most_words, len(words), _humps(shown))
            if not words or _SEPARATING.sub("", _WORD.sub("", shown)):
                special[shown] = name
        for key in clashing:
            del self.folded[key]
        self._special = sorted(special.items(), key=lambda pair: -len(pair[0]))
        self.dressed = any(sign in name for name in self.exact for sign in "*`~$\\")
        """Some name holds a sign that markup uses, so markup must stay."""
        self.pictured = any(has_pictures(name) for name in self.exact)
        """Some name holds an emoji, so they must stay."""

    def of(self, text: str) -> str | None:
        """The name that `text` as a whole spells, None where it spells none."""
        return self.exact.get(text) or self.folded.get(fold(text))

    def find(self, text: str) -> list[tuple[int, int, str, bool]]:
        """Begin, end, name and exactness of the names in `text`, from left to right, not overlapping."""
        words = [match.span() for match in _WORD.finditer(text)]
        found: list[tuple[int, int, str, bool]] = []
        if self._special:
            spots = self._find_special(text)
            spots += [match[:4] for index in range(len(words)) if (match := self._at(text, words, index)) is not None]
            end = 0
            for spot in sorted(spots, key=lambda spot: (spot[0], -spot[1], not spot[3])):
                if spot[0] >= end:
                    found.append(spot)
                    end = spot[1]
            return found
        index = 0
        while index < len(words):
            match = self._at(text, words, index)
            if match is None:
                index += 1
            else:
                found.append(match[:4])
                index = match[4]
        return found

    def _at(self, text: str, words: list[tuple[int, int]], index: int) -> tuple[int, int, str, bool, int] | None:
        """The longest name that begins with the word at `index`."""
        start = words[index][0]
        last = index
        while last + 1 < len(words) and last + 1 - index < self.most_words:
            if text[words[last][1] : words[last + 1][0]] not in _JOINTS:
                break
            last += 1
        while last >= index:
            stop = words[last][1]
            spelling = text[start:stop]
            exact = self.exact.get(spelling)
            name = exact or self.folded.get(fold(spelling))
            if (
                name is not None
                and _stands_alone(text, start, stop)
                and not (exact is None and last > index and _ordinal_inside(text, words[last]))
            ):
                return start, stop, name, exact is not None, last + 1
            last -= 1
        return None

    def _find_special(self, text: str) -> list[tuple[int, int, str, bool]]:
        """Where the names with signs in them stand, each in its exact or folded case."""
        lower = text.lower()
        folding = len(lower) == len(text)
        spots = []
        for shown, name in self._special:
            haystack, wanted = (lower, shown.lower()) if folding else (text, shown)
            position = haystack.find(wanted)
            while position >= 0:
                stop = position + len(shown)
                exact = text[position:stop] == shown
                if (exact or self.folded.get(fold(shown)) == name) and _stands_alone(text, position, stop):
                    spots.append((position, stop, name, exact))
                position = haystack.find(wanted, stop)
        return spots


def _humps(name: str) -> int:
    """How many words a name has when written apart: at every capital and every change between letters and digits."""
    return len(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+", name))


def _stands_alone(text: str, start: int, stop: int) -> bool:
    before, behind = text[start - 1 : start], text[stop : stop + 1]
    if text[start].isalnum() and before.isalnum():
        return False
    if text[stop - 1].isalnum() and behind.isalnum():
        return False
    if text[stop - 1].isdigit() and behind in (".", ",") and text[stop + 1 : stop + 2].isdigit() and behind == ".":
        return False
    return not (text[start].isdigit() and before == "." and text[start - 2 : start - 1].isdigit())


def _ordinal_inside(text: str, word: tuple[int, int]) -> bool:
    """Whether the last word is a number that rather counts what follows: ``X 2. Y``."""
    begin, stop = word
    return (
        text[begin:stop].isdigit()
        and text[begin - 1] == " "
        and text[stop : stop + 1] in (".", ")", ":")
        and text[stop : stop + 2] not in (".", ")")
    )


@lru_cache(maxsize=512)
def names_of(universe: tuple[str, ...]) -> Names:
    """The names of a universe; kept, since the parts of one item share theirs."""
    return Names(universe)
