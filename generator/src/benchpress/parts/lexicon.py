"""The words of a verdict: the vocabulary of a part, its synonyms, their inflections and negations."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchpress.items import Part

_DEFAULT = ("yes", "no")
YES_NO = {
    "yes": ("yes", "true", "yep", "yeah", "yup", "aye", "affirmative", "✓", "✔", "✅", "☑"),
    "no": ("no", "false", "nope", "nah", "nay", "negative", "✗", "✘", "❌", "✕", "✖"),
}
_INITIALS = {"y": "yes", "n": "no"}
_CONTRACTIONS = (
    ("cannot", "can not"),
    ("can't", "can not"),
    ("won't", "will not"),
    ("n't", " not"),
    ("cant ", "can not "),
    ("could not ", "can not "),
    ("rather than", "not"),
    ("instead of", "not"),
    ("anything but", "not"),
    ("far from", "not"),
    ("not any ", "no "),
)
_WITHOUT_APOSTROPHE = re.compile(r"\b(is|was|are|were|do|does|did|has|have|had|could|would|should|must|wo)nt\b")
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[✓✔✅☑✗✘❌✕✖]")
_PREFIXES = ("non", "un", "in", "im", "dis", "ir")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Synonym phrases as token tuples, to the class they stand for."""

    classes: tuple[str, ...]
    phrases: Mapping[tuple[str, ...], str]
    longest: int
    plain: Mapping[str, str]


def lexicon_of(part: Part) -> Lexicon:
    """The synonyms that the part's parameters name, with the usual words for yes and no where those are the classes."""
    vocabulary = tuple(map(str, part.params.get("vocabulary") or _DEFAULT))
    classes = part.params.get("classes") or {}
    return _lexicon(vocabulary, tuple((word, tuple(map(str, classes.get(word, ())))) for word in vocabulary))


@lru_cache(maxsize=256)
def _lexicon(vocabulary: Sequence[str], synonyms: tuple[tuple[str, tuple[str, ...]], ...]) -> Lexicon:
    phrases: dict[tuple[str, ...], str] = {}
    listed = [(word, other) for word, others in synonyms for other in (word, *others)]
    usual = [(word, other) for word in vocabulary for other in YES_NO.get(word.lower(), ())]
    for word, phrase in [*listed, *usual]:
        phrases.setdefault(tuple(tokens_of(phrase)), word)
    phrases.pop((), None)
    for tokens, word in list(phrases.items()):
        if len(tokens) == 1 and len(tokens[0]) > 3 and tokens[0] not in ("true", "false"):
            for form in _forms(tokens[0]):
                phrases.setdefault((form,), word)
    plain = {" ".join(other.lower().split()): word for word, other in reversed([*listed, *usual])}
    plain = {key: word for key, word in plain.items() if phrases.get(tuple(tokens_of(key))) == word}
    for word in vocabulary:
        for initial, full in _INITIALS.items():
            if word.lower() == full:
                plain.setdefault(initial, word)
    return Lexicon(tuple(vocabulary), phrases, max(map(len, phrases), default=1), plain)


def _forms(word: str) -> list[str]:
    stem = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    forms = [stem, stem + "s", stem + "d", stem + "ed", stem + "ing"]
    return [*forms, stem[:-1] + "ing"] if stem.endswith("e") else forms


def tokens_of(text: str) -> list[str]:
    """The words of a text in small letters, contractions written out."""
    lower = text.lower()
    if "nt" in lower:
        lower = _WITHOUT_APOSTROPHE.sub(r"\1 not", lower)
    for short, long in _CONTRACTIONS:
        if short in lower:
            lower = lower.replace(short, long)
    return _TOKEN.findall(lower)


def settle(verdict: str, denied: bool, lexicon: Lexicon) -> str:
    """The class that a verdict comes to; denied, of more than two it leaves only that it is not this one."""
    if not denied:
        return verdict
    others = [word for word in lexicon.classes if word != verdict]
    return others[0] if len(others) == 1 else f"not {verdict}"


def phrase_at(tokens: list[str], index: int, lexicon: Lexicon) -> tuple[int, str, bool] | None:
    """The longest synonym that begins at `index`: its length, class, and whether a prefix denies it."""
    for length in range(min(lexicon.longest, len(tokens) - index), 0, -1):
        verdict = lexicon.phrases.get(tuple(tokens[index : index + length]))
        if verdict is not None:
            return length, verdict, False
    token = tokens[index]
    for prefix in _PREFIXES:
        if token.startswith(prefix):
            verdict = lexicon.phrases.get((token[len(prefix) :],))
            if verdict is not None and len(token) > len(prefix) + 3:
                return 1, verdict, True
    return None
