"""A change of mind: "Wait, it is in Germany, so Berlin", "Sorry, I meant D". What it ends in is selected."""

import re
from collections.abc import Iterator

from benchpress.parts.options import Options
from benchpress.parts.selections import Selection, compound, in_range

_MARKS = (
    "actually", "wait", "hmm", "oops", "sorry", "apologies", "oh,", "oh.", "no,", "no.", "no:", "no;", "no!",
    "no —", "no –", "no -", "no wait", "my mistake", "my bad", "scratch that", "strike that", "correction", "edit",
    "on second thought", "on reflection", "on further reflection", "on closer inspection", "on closer look",
    "upon reflection", "upon closer inspection", "i mean", "i misread", "i was wrong", "i made a mistake",
    "i made an error", "let me correct", "let me fix", "let me revise", "let me change", "let me redo",
    "let me reconsider", "let me recheck", "let me re-check", "that's not right", "that is not right",
    "that's wrong", "that is wrong", "that was wrong", "that's incorrect", "that is incorrect",
)  # fmt: skip
_MILD = "actually"
"""A mark that also opens an explanation: only "actually, it is ..." is read to its end."""
_CLAUSE_ENDS = ".!?,;:—–-\n"
_WORDS = re.compile(
    r"(?:[\s,.:;!*_`\"'—–-]{1,10}|m+\b|s\b|\b(?:actually|wait|hmm+|oops|sorry|apologies|no|not quite|i mean|i meant|"
    r"i misread|it|is|it's|that|this|that's|should|must|has to|be|to|make|rather|instead|the|correct|right|best|answer|"
    r"option|choice|letter|after|checking|re-?reading|re-?checking|reconsidering|my|so|then|i'd|go|say|with|scratch)\b"
    r"){1,24}",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]{0,300}")
_LETTER = re.compile(
    r"[(\[]?(?P<letter>[A-Z])[)\]]?(?=\s*(?:$|[.!;\n—–]|then\b|,\s+(?:because|since|as|not)\b|\b(?:because|since)\b))"
)
_LAST_LETTER = re.compile(
    r"(?:[:=→]|\b(?i:is|it's|be|was|makes? it|with|for|means|option|choice|answer))\s*[(\[]?(?P<letter>[A-Z])[)\]]?\s*$"
)
_COPULA = re.compile(
    r"(?:\b(?:is|it's|be|was|so|to|yields|gives|equals|means)|[:=→])\s*(?:the\s+|an?\s+)?$", re.IGNORECASE
)
_IT = re.compile(
    r"\b(?:it|that|this|answer)(?:'s| is| must be| should be| has to be)\s*(?:the\s+|an?\s+)?$", re.IGNORECASE
)
_NEGATION = re.compile(
    r"\b(?:not|never|neither|nor|cannot|rather than|instead of|except|whether|if)\b|n't\b", re.IGNORECASE
)
_ENDS = re.compile(r"[\s*_`\"')]*(?:$|[.!;\n])")


def revisions(text: str, options: Options) -> Iterator[Selection]:
    """What each change of mind in `text` ends in: a letter or the text of an option, in or after its sentence."""
    lower = text.lower()
    if len(lower) != len(text):
        return
    for mark in [mark for mark in _MARKS if mark in lower]:
        position = lower.find(mark)
        while position >= 0:
            end = position + len(mark)
            before = text[max(0, position - 6) : position].rstrip(" *_(")
            if not before or before[-1] in _CLAUSE_ENDS:
                found = _directly(text, end, options) or _in_sentence(text, end, mark == _MILD, options)
                if found is not None:
                    yield found
            position = lower.find(mark, end)


def _directly(text: str, position: int, options: Options) -> Selection | None:
    """An option right behind the words that announce the change."""
    words = _WORDS.match(text, position)
    if words is None or _NEGATION.search(words.group()):
        return None
    letter = _LETTER.match(text, words.end())
    if letter is not None and not compound(text, letter.end(), letter["letter"], options):
        return in_range(letter.start(), letter["letter"], options, "the letter of a change of mind")
    named = options.pattern.match(text, words.end())
    if named is not None and _ENDS.match(text, named.end()):
        return Selection(named.start(), options.of_match(named), "the text of a change of mind")
    return None


def _in_sentence(text: str, start: int, mild: bool, options: Options) -> Selection | None:
    """The option that the sentence of the change closes with."""
    sentence = _SENTENCE.match(text, start)
    said = sentence.group() if sentence is not None else ""
    if text.startswith("?", start + len(said)) or _NEGATION.search(said):
        return None
    letter = _LAST_LETTER.search(said)
    if letter is not None:
        return in_range(start + letter.start("letter"), letter["letter"], options, "the letter of a change of mind")
    named = [match for match in options.pattern.finditer(said) if not said[match.end() :].strip(" *_`\"')")]
    copula = _IT if mild else _COPULA
    if named and copula.search(said[: named[-1].start()]):
        return Selection(start + named[-1].start(), options.of_match(named[-1]), "the text of a change of mind")
    return None
