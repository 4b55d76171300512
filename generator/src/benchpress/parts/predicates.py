"""Letters that are called the answer: "C is correct", "D fits best", "so B it is"."""

import re
from collections.abc import Iterator

from benchpress.parts.cues import NEGATED
from benchpress.parts.options import Options
from benchpress.parts.selections import Selection, in_range, is_supposed

_PREDICATE_WORDS = (
    "correct", "right", "best", "answer", "solution", "choice", "accurate", "true", "valid", "proper", "appropriate",
    "better", "the one", "richtig", "korrekt", "正确", "正確", "正し",
)  # fmt: skip
_PREDICATE_VERBS = (" it is", " works", " holds", " fits", " satisf", " matches")
"""Words that make a predicate right behind a letter alone."""
_LETTER_CALLED = (
    r"(?:(?P<both>\bboth\s+)?\b(?:option|choice|answer|statement|alternative|letter)\s+|(?<![\w'])|"
    r"(?P<both2>\b(?i:both)\s+))[(\[\"'*]{0,3}(?P<letter>[A-Z])[)\]\"'.:*]{0,3}"
    r"(?P<and>\s*(?:,|(?i:and|or)|/|&)\s*(?i:option\s+)?[(\[]?[A-Z][)\]]?)?"
    r"(?:\s*(?:\([^()\n]{0,80}\)|,[^,.\n]{0,60},)?)\s*"
)
_MOST = (
    r"most\s+(?:likely|probable|plausible|suitable|fitting|reasonable|sensible|consistent|precise|complete|convincing|"
    r"defensible|compelling|relevant|direct|specific|accurate|appropriate|correct)"
)
_NOT_THE_ANSWER = (
    r"(?!\s+(?:about|that|in|known|(?:\w+\s+){0,2}(?:wrong|incorrect|distractor|mistake|trap|misconception))\b)"
)
_PREDICATE = re.compile(
    rf"{_LETTER_CALLED}(?:(?P<verb>is|are|was|would be|seems|seem|must be|appears|has to be|should be|looks)\s+"
    r"(?P<adverbs>(?:\w+\s+){0,3}?)"
    rf"(?:(?:the\s+)?(?:only\s+)?(?P<word>correct|right|best|{_MOST}|accurate|true|valid|proper|appropriate)\b"
    rf"{_NOT_THE_ANSWER}|"
    r"the\s+(?:final\s+)?(?:answer|solution|choice)\b(?!\s+(?:most|many|some|to\s+(?:an?|another)\b))|"
    r"the one\b|better\b(?!\s+than\b)|my\s+(?:final\s+)?(?:answer|choice)\b)|"
    r"(?:fits|matches|works)\s+(?:\w+\s+){0,3}?(?:better|best)\b|it is(?=\s*(?:$|[.!\n]))|"
    r"(?<=\b(?i:only) [A-Z] )(?:works|fits|holds|matches|satisf\w+)\b|"
    r"(?:ist|est|es|è|é)\s+(?:la\s+|die\s+)?(?:richtig|korrekt|correct[ea]|corrett[ao]|corret[ao])\b)"
)
_PREDICATE_CJK = re.compile(
    r"(?<![A-Za-z不])(?P<letter>[A-Z])\s?(?:选项|選項|项|項)?\s?(?:是|才是|为|為|が|は)?\s?(?:正确|正確|正し)"
)
_PASSING_VERBS = frozenset({"would be", "seems", "seem", "appears", "looks"})
_PASSING_WORDS = frozenset({"accurate", "true", "valid", "proper", "appropriate"})
_NEGATIVE_ADVERB = re.compile(
    r"\b(?:not|never|hardly|in|partially|partly|almost|second|third|next|less|other|former)\b|n't"
)
_JOINED_ADVERB = re.compile(r"\b(?:also|equally|likewise|too)\b")
_PRIOR_LETTER = re.compile(
    r"\b[A-Z][)\]]?\s*(?:,?\s*\b(?i:and|or|as well as)\b|,|/|&)\s*(?i:option\s+)?[(\[]?$"
    r"|\b(?:correct|right|true)\s+and\s+(?i:option\s+)?[(\[]?$"
)
_CONDITION = re.compile(r"[^.\n;!?]{0,40}\b(?:if|unless|had|were)\b", re.IGNORECASE)
_BUT_NOT = re.compile(r"\s*,?\s*(?:but|yet|though)\b[^.\n]{0,20}\b(?:not|irrelevant|isn't|wrong)\b", re.IGNORECASE)


def by_predicate(text: str, options: Options) -> list[Selection]:
    """Letters that are called the answer: "C is correct"."""
    found = []
    for start, end in _around_predicates(text):
        for match in _PREDICATE.finditer(text, start, end):
            selection = _predicate_selection(text, match, options)
            if selection is not None:
                found.append(selection)
        if not text.isascii():
            found += [
                in_range(match.start(), match["letter"], options, _CALLED)
                for match in _PREDICATE_CJK.finditer(text, start, end)
                if match["letter"] in options.letters
            ]
    return found


_CALLED = "the letter is called the answer"


def _around_predicates(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of text near words such as "correct", none of which overlap."""
    begin = end = -1
    for position in sorted(_predicate_places(text)):
        if position - 170 > end:
            if end >= 0:
                yield begin, end
            begin = max(0, position - 170)
        end = position + 45
    if end >= 0:
        yield begin, end


def _predicate_places(text: str) -> Iterator[int]:
    lower = text.lower()
    if len(lower) != len(text):
        lower = text
    for word in _PREDICATE_WORDS:
        position = lower.find(word)
        while position >= 0:
            yield position
            position = lower.find(word, position + 1)
    for verb in _PREDICATE_VERBS:
        position = text.find(verb, 1)
        while position >= 0:
            if text[position - 1].isupper() or text[position - 1] in ")]*":
                yield position
            position = text.find(verb, position + 1)


def _predicate_selection(text: str, match: re.Match[str], options: Options) -> Selection | None:
    adverbs = match["adverbs"] or ""
    if _NEGATIVE_ADVERB.search(adverbs) or is_supposed(text, match.start()):
        return None
    begin = match.start("letter")
    if NEGATED.search(text[max(0, match.start() - 12) : match.start()]):
        return None
    passing = match["verb"] in _PASSING_VERBS or match["word"] in _PASSING_WORDS
    if passing and (_CONDITION.match(text, match.end()) or _BUT_NOT.match(text, match.end())):
        return None
    joined = match["and"] or match["both"] or match["both2"] or _PRIOR_LETTER.search(text[max(0, begin - 20) : begin])
    if joined or _JOINED_ADVERB.search(adverbs):
        return Selection(begin, None, "several options are named", passing and not joined)
    if match["letter"] not in options.letters:
        return None
    longer = _longer_text(text, match.end("letter"), options)
    if longer is not None:
        return Selection(begin, options.of_match(longer), "the text of the option is called the answer", passing)
    return in_range(begin, match["letter"], options, _CALLED)._replace(remark=passing)


def _longer_text(text: str, end: int, options: Options) -> re.Match[str] | None:
    """The text of an option of which the letter that ends at `end` is the last word: "Vitamin B"."""
    start = max(0, text.rfind("\n", 0, end) + 1, end - 100)
    return next((match for match in options.pattern.finditer(text[start:end]) if match.end() == end - start > 1), None)
