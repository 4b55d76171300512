"""Words that announce a choice: "the answer is", "I choose", "so it must be"; where they stand and end."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple


class Cue(NamedTuple):
    """An announcement: where it begins, where what it announces begins, and how firm it is."""

    begin: int
    end: int
    inferred: bool
    """Only a conclusion ("so", "it must be"), behind which just a letter that ends its clause counts."""
    explicit: bool
    """A label with its colon, behind which a small letter counts too."""


_NOUNS = (
    "answer", "response", "solution", "correction", "antwort", "lösung", "loesung", "réponse", "reponse", "respuesta",
    "resposta", "risposta",
    "antwoord", "svar", "odpowied", "ответ", "відповідь", "απάντηση", "cevap", "cevab", "jawaban", "vastaus", "răspuns",
    "đáp án", "उत्तर", "คำตอบ", "الإجابة", "الاجابة", "الجواب", "答案", "答え", "解答", "正解", "正答", "回答", "答",
    "正确选项", "正確選項", "正确的选项", "正確的選項", "정답", "답",
)  # fmt: skip
_OPTION_NOUNS = ("option", "choice", "selection", "statement", "alternative", "pick", "one", "letter", "fit", "match",
    "result", "verdict", "conclusion", "ans", "label", "opción", "opcion", "opção", "opzione", "alternativa", "вариант",
    "proposition", "lettre", "letra", "lettera",
)  # fmt: skip
_VERBS = (
    "choose", "chose", "choosing", "pick", "select", "go with", "going with", "went with", "go for", "going for",
    "opt for", "vote for",
    "settle on", "settling on", "lean toward", "leaning toward", "say", "bet on", "conclude", "guess", "wähle",
    "choisis", "elijo", "escolho", "scelgo", "richtig ist", "korrekt ist", "选", "選",
)  # fmt: skip
_INFERENCES = (
    "must be", "has to be", "should be", "it is", "it's", "that is", "that's", "this is", "which is",
    "that would be", "it would be", "makes it", "make it", "that means", "i.e.", "leaves", "leaving", "left with",
    "by elimination", "so", "thus", "therefore", "hence", "consequently", "matches",
    "no,", "wait,", "actually", "rather,", "=>", "->",
    "corresponds to", "→", "⇒", "∴", "而是", "应该是", "應該是",
)  # fmt: skip
_NOT = r"isn't|wasn't|n'est pas|no es|non è|não é|не"
_LINK = (
    rf"\b(?:{_NOT}|"
    r"is|are|was|(?:would|should|must|has to|will|might|could|may)(?:\s\w+)? be|seems to be|appears to be|"
    r"remains|becomes|"
    r"ist|lautet|est|es|é|è|är|er|adalah|là|هو|هي)\b|[:=]|->|→|=>|⇒|—|–|(?<!\n)-(?=\s)|是|は|为|為|은|는"
)
_CORRECT = (
    r"correct[aeo]?|corrett[ao]|corret[ao]|juste|exact[aeo]|giusta|certa|finale?|doğru|yang benar|đúng|सही|الصحيحة?"
)
"""Adjectives that stand behind their noun."""
_NOUN = re.compile(
    r"(?:(?![不非])\w)*?(?:s\b)?(?:,\s?\w+\s?,)?(?:\s*\([^()\n]{0,60}\))?[*_`\"']{0,3}"
    rf"(?:\s+(?:{_CORRECT})\b)?"
    r"(?:\s+(?:to|for|of|in|on|here|that|among|from|given|which|would)\b[^.:=\n]{0,80}?)?[\s*_`\"']{0,4}"
    rf"(?P<link>{_LINK}|(?=\s?[(\[]?[A-Z][)\]]?[*_.]{{0,3}}\s*(?:$|\n|है|です)))",
    re.IGNORECASE,
)
# "The option is B" and a line "Option: B" are firm too, by what follows.
_PLAIN_NOUNS = ("option", "choice", "letter", "selection", "result", "verdict", "conclusion", "ans", "label")
_PLAIN_OPTION = re.compile(r"(?:^|[\n.;!?])[\s*_#>-]{0,6}$|\b(?:the|a)\s$", re.IGNORECASE)
_PLAIN_LINKS = (":", "=", "is")
_FIRM_OPTION = re.compile(
    r"(?:correct|right|best|final|my|suitable|appropriate|closest|accurate|chosen|selected|правильный|верный|bonne)\s$",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(_NOT, re.IGNORECASE)
_FIRM_BEHIND = re.compile(rf"\s+(?:{_CORRECT})\b", re.IGNORECASE)
_VERDICT_HEAD = re.compile(r"(?:^|[\n.;])[\s*_-]{0,6}(?P<word>correct|right|final)[*_]{0,2}\s?:", re.IGNORECASE)
_VERB_END = re.compile(r"(?:s|ed|ing|d|n)?\b|(?<=[选選])")
_WORD_END = re.compile(r"\b|(?<=[→⇒∴是.])")
_WRONG = re.compile(
    r"\b(?:wrong|incorrect|mistaken|tempting|other|initial|first|previous|earlier|original|naive|common|popular|"
    r"distractor|false|worst|"
    r"alternative|second|possible|plausible|candidate|obvious|trap|intuitive|eliminated|remaining|no|any|each|every|"
    r"either)\s+(?:\w+\s)?$",
    re.IGNORECASE,
)
NEGATED = re.compile(
    r"(?:\b(?:not|never|isn't|wasn't|cannot be|can't be|neither|nor|rather than|instead of|except|wouldn't|won't)|"
    r"n't|nicht|nunca|jamais)\b[\s\w]{0,12}$|[不别別勿]$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:to|could|might|may|would you|people|students?|many|some|others|who|they|should you)\s+$", re.IGNORECASE
)


def cues(text: str, label: str) -> Iterator[Cue]:
    """The announcements in `text`, those of the part's own label included."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = text
    for noun in _NOUNS:
        if noun in lower:
            yield from _noun_cues(text, lower, noun, option=False)
    for noun in _OPTION_NOUNS:
        if noun in lower:
            yield from _noun_cues(text, lower, noun, option=True)
    for verb in _VERBS:
        for position in _places(lower, verb) if verb in lower else ():
            end = _VERB_END.match(text, position + len(verb))
            before = text[max(0, position - 25) : position]
            if end is not None and not NEGATED.search(before) and not _ASIDE.search(before):
                yield Cue(position, end.end(), False, False)
    for inference in _INFERENCES:
        for position in _places(lower, inference) if inference in lower else ():
            if (inference[-1] == "," or _WORD_END.match(text, position + len(inference))) and not NEGATED.search(
                text[max(0, position - 12) : position]
            ):
                yield Cue(position, position + len(inference), True, False)
    for head in _VERDICT_HEAD.finditer(text) if any(word in lower for word in ("correct", "right", "final")) else ():
        yield Cue(head.start("word"), head.end(), False, False)
    own = _own_label(label)
    if own is not None:
        for mark in own.finditer(text):
            yield Cue(mark.start(), mark.end(), False, True)


def _places(lower: str, stem: str) -> Iterator[int]:
    """Where a word begins with `stem`."""
    position = lower.find(stem)
    while position >= 0:
        before = lower[position - 1 : position]
        if not (before.isalnum() and stem[0].isalpha() and before.isascii()):
            yield position
        position = lower.find(stem, position + len(stem))


def _noun_cues(text: str, lower: str, noun: str, option: bool) -> Iterator[Cue]:
    for position in _places(lower, noun):
        before = text[max(0, position - 40) : position]
        if _WRONG.search(before):
            continue
        if noun == "答" and text.startswith(("案", "え"), position + 1):
            continue
        if noun == "ans" and lower[position + 3 : position + 4].isalpha():
            continue
        firm = not option or _FIRM_OPTION.search(before) or _FIRM_BEHIND.match(text, position + len(noun))
        end = position + len(noun) + (noun == "ans" and text.startswith(".", position + 3))
        match = _NOUN.match(text, end)
        if match is not None and (
            firm or (noun in _PLAIN_NOUNS and match["link"].lower() in _PLAIN_LINKS and _PLAIN_OPTION.search(before))
        ):
            # A negation is left for what follows, which may go on with "but".
            negative = _NEGATIVE.fullmatch(match["link"]) is not None
            yield Cue(
                position, match.start("link") if negative else match.end(), False, match["link"] in (":", "=", "")
            )


@lru_cache(maxsize=256)
def _own_label(label: str) -> re.Pattern[str] | None:
    """The part's own label as a cue, where it is not one of the usual words."""
    words = [re.escape(word) for word in re.findall(r"[^\W_]+", label)]
    if not words or label.lower() in _NOUNS:
        return None
    return re.compile(r"(?<![^\W_])" + r"[\s_\-]{0,3}".join(words) + r"[\s*_`\"'\])]{0,6}[:=]", re.IGNORECASE)
