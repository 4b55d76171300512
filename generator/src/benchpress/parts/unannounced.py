"""What an answer that announces nothing comes to: a few words round a letter, the option it opens or closes with."""

import re

from benchpress.parts.options import Options
from benchpress.parts.selections import Selection, in_range, is_supposed

_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
_COPULA = re.compile(
    r"(?:\b(?:is|are|was|were|be|be called|namely|as|called|being|choose|answer|remains|gives|yields|equals|leaves|"
    r"(?:leads|points?) to|suggests|indicates|implies|favou?rs)(?:\s+only)?|"
    r"[:=→≈—–])\s*(?:the\s+|an?\s+)?[\"'(]*$",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"\s*(?:is|would be|seems|must be)\s+(?:\w+\s+){0,2}?(?:correct|right|best|the (?:correct |right |best )"
    r"?(?:answer|option|choice))\b",
    re.IGNORECASE,
)
_RULED_OUT = re.compile(r"\b(?:not|rather than|instead of)\s+(?:the\s+)?$", re.IGNORECASE)
_APPOSITION = re.compile(
    r"[\"'*_]{0,3},\s*(?:the|which|because|since|as|an?|not|rather|instead)\b"
    r"(?!.*\b(?:is|are|was|the|an?|of|in|to|for|and|or|which)\W*$)",
    re.IGNORECASE,
)
_RESTATED = re.compile(r"\b(?:option|choice)\s+[(\[]?[A-Z][)\]]?\s+(?:is|was|says)\b", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:not|never|neither|nor|cannot|rather than|instead of|except)\b|n't\b", re.IGNORECASE)
_PLAIN_WORDS = frozenset(
    [
        "i", "think", "believe", "guess", "say", "would", "i'd", "i'll", "go", "with", "going", "probably", "most",
        "likely", "definitely", "certainly", "clearly", "surely", "only", "just", "by",
        "elimination", "we", "are", "left", "get", "so", "the", "answer", "is", "it", "it's", "its", "option",
        "choice", "letter", "final", "my", "therefore", "thus", "hence", "then", "must", "be", "ans",
        "but", "rather",
        "yes", "ok", "okay", "well", "of", "course", "that", "that's", "this", "correct", "in", "summary", "short",
    ]
)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def short_answer(text: str, options: Options) -> list[Selection]:
    """A few words around one letter or option text, which say nothing else: "Probably B", "It's London"."""
    if len(text) > 80:
        return []
    text = _without_ruled_out(text, options)
    if _NEGATION.search(text):
        return []
    texts = list(options.pattern.finditer(text))
    rest = options.pattern.sub(" ", text)
    words = [match.group() for match in _WORD.finditer(rest)]
    letters = [word for word in words if len(word) == 1 and word in options.letters and word != "I"]
    if any(word not in letters and word.lower() not in _PLAIN_WORDS for word in words):
        return []
    if len(letters) > 1 or any(sign in rest for sign in "?/&+<>") or any(sign.isdigit() for sign in rest):
        return []
    named = {options.of_match(match) for match in texts} | set(letters)
    letter = named.pop() if len(named) == 1 else None
    if letter is None or (letters == ["A"] and text.strip().startswith("A ")):
        return []
    return [in_range(0, letter, options, "the answer names one option")]


def _without_ruled_out(text: str, options: Options) -> str:
    """`text` without the options that it says are not meant: "Not A, but C"."""
    for match in reversed(list(_NOT_THIS.finditer(text))):
        named = options.pattern.match(text, match.end())
        letters = _LETTERS.match(text, match.end())
        if named is not None or letters is not None:
            end = named.end() if named is not None else letters.end() if letters is not None else match.end()
            text = f"{text[: match.start()]} {text[end:]}"
    return text


_NOT_THIS = re.compile(r"\b(?:not|neither)\s+(?:option\s+)?\(?", re.IGNORECASE)
_LETTERS = re.compile(r"[A-Z]\b\)?(?:(?:\s*,\s*|\s*,?\s*\b(?:or|nor|and)\s+)[A-Z]\b\)?){0,25}")


def opening_text(text: str, options: Options) -> list[Selection]:
    """An answer that opens with the text of one option: "London, because ...", "London is the ..."."""
    lines = [line for line in text[:3_000].split("\n") if line.strip()]
    alone = options.of_text(lines[0]) if len(lines) > 1 else None
    if alone is not None and options.of_text(lines[1]) is None:
        return [Selection(0, alone, "the first line is the text of the option")]
    plain = text.lstrip(" \n*_\"'(")
    match = options.pattern.match(plain)
    if match is not None and match.group().lower() in _WORDS_OF_VERDICT and _PAUSE.match(plain, match.end()):
        again = [
            other for other in options.pattern.finditer(plain) if options.of_match(other) != options.of_match(match)
        ]
        letter = options.of_match(match)
        return [] if again or letter is None else [Selection(0, letter, "the answer opens with the text of the option")]
    if match is None or _NEGATION.search(plain[:300]) or _REASONED.match(plain, match.end()) is None:
        return []
    letter = options.of_match(match)
    if letter is None or any(options.of_match(other) != letter for other in options.pattern.finditer(plain)):
        return []
    return [Selection(0, letter, "the answer opens with the text of the option")]


_WORDS_OF_VERDICT = frozenset({"yes", "no", "true", "false"})
_PAUSE = re.compile(r"[*_\"')]{0,4}\s?[.,!:;\n—–]")
_REASONED = re.compile(
    r"[*_\"')]{0,4}(?:[.!\n]|,?\s+(?:because|since|as)\b|\s+is\s+the\b|\s[—–-]\s|\s*\([^()\n]{1,60}\)[.\s]*$)",
    re.IGNORECASE,
)


def closing_letter(text: str, options: Options) -> list[Selection]:
    """The letter that the last sentence names as the one that fits: "the only statement that agrees is (F)."."""
    tail = text.strip()[-2_000:]
    last = next((sentence for sentence in reversed(_SENTENCES.split(tail)) if sentence.strip()), "")
    match = _CLOSING_LETTER.search(last)
    if match is None or (letter := match[match.lastindex or 0]) not in options.letters:
        return []
    begin = match.start(match.lastindex or 0)
    if is_supposed(last, begin) or _NEGATION.search(last[:begin]) or _DOUBTED.search(last):
        return []
    return [in_range(len(text.rstrip()) - len(last) + begin, letter, options, "the last sentence ends in the letter")]


_CLOSING_LETTER = re.compile(
    r"\b(?:only|one|best|statement|exception|single|that|which)\b[^.\n]{0,80}\bis\s+[*_]{0,2}[(\[]?(?P<letter>[A-Z])[)\]]?[*_.!\s]*$"
    r"|(?:\b(?i:is|are|be|so|thus|hence|therefore|leaves|gives)\b|:)[^.\n]{0,80}(?:[,(—–]|\bis)\s*(?:i\.e\.,?\s+)?(?:option|choice)\s+[(\[]?(?P<option>[A-Z])[)\]]{0,2}[*_.!\s]*$"
)
_DOUBTED = re.compile(
    r"\b(?:(?:wrong|incorrect)(?! statement)|trap|common|tempting|unlikely|might|may|could|perhaps|possibl[ey])\b",
    re.IGNORECASE,
)


def closing_text(text: str, options: Options) -> list[Selection]:
    """The text of one option at the end of the last sentence behind a copula, or called the answer there."""
    tail = text.strip()[-2_000:]
    sentences = [sentence for sentence in _SENTENCES.split(tail) if sentence.strip()]
    last = sentences[-1] if sentences else ""
    matches = [match for match in options.pattern.finditer(last) if not _RULED_OUT.search(last[: match.start()])]
    letters = {options.of_match(match) for match in matches}
    if len(letters) != 1 or None in letters or is_supposed(last, matches[-1].start()):
        return []
    match = matches[-1]
    before, behind = last[: match.start()], last[match.end() :]
    if _NEGATION.search(before):
        return []
    position = len(text) - len(last) + match.start()
    if _RESTATED.search(before):
        return []
    if _COPULA.search(before) and (not behind.strip(" .!\"')*_") or _APPOSITION.match(behind)):
        return [Selection(position, letters.pop(), "the last sentence ends in the text of the option")]
    called = _CALLED.match(behind)
    if called is not None and not _NEGATION.search(called.group()):
        return [Selection(position, letters.pop(), "the text of the option is called the answer")]
    return []
