"""The part type `number`: a decimal or fraction behind its label, compared exactly and with an inclusive tolerance."""

import re
from decimal import Context, Decimal
from fractions import Fraction

from benchpress.items import Json, Part
from benchpress.parts.blanks import before_other_label, points_elsewhere, says_nothing, takes_back
from benchpress.parts.corrections import last_correction, without_premise
from benchpress.parts.labelled import LabelledPart
from benchpress.parts.markup import strip_markup
from benchpress.parts.numerals import spell_out
from benchpress.parts.outcome import Kind, Outcome, absent, found, unclear
from benchpress.parts.quantities import the_number
from benchpress.parts.tagged import MAX_FIELD, Field

_PLAIN = re.compile(r"[ ]*([-+]?\d{1,15}(?:\.\d{1,15})?)[ ]*\.?[ *`]*")
# Decimals so short that their difference is exact in a hundred digits; other numbers are compared as fractions.
_SHORT = re.compile(r"-?\d{1,24}(?:\.\d{1,24})?")
_EXACT = Context(prec=100)
_PRODUCT = re.compile(r"(?<=\d)\x20{1,3}\*(?=\x20{1,3}[b-hj-zB-HJ-Z](?:_?\d{1,3})?(?![\w'*]))")
"""A star between a number and a symbol, all apart: no Markdown."""
_BULLET = re.compile(r"^\s*[-*•+]\s+")
_LONG_RUN = re.compile(r"([. ])\1{3,}")
_CURRENCY = re.compile(r"[$€£¥₹]\s?(?=[-+]?\s?\.?\d)|(?<=\d)\s?[$€£¥₹](?!\d)")
_UNREADABLE = re.compile(r"\d[.\d]*\u0305|\\(?:overline|sqrt|pi|log|ln|exp|sum|prod|int|over|binom)|√|π|\d!(?=\S)")
_BLANK_DIGITS = re.compile(
    r"[\s$*`'\"(\[{]{0,9}[-+]?\s?\d{0,9}[.,](?:\\?[_#□▢▯◻☐⬜xX?](?![^\W_xX])\x20?){1,20}\\?%?(?![^\W_])"
)
"""Signs in the place of decimals, as in ``0.__``."""
_VALUE_FIRST = re.compile(r"[\s*_`\"'\])}$\\({]*[-+]?[.\d]")
_PRECISION = re.compile(
    r"(?P<value>\d[.,/]\d{1,15}[%)]?)\s?[,;(]?\s?"
    r"(?:(?:is |as )?(?:rounded|correct|accurate|exact|given|precise|up|stated|truncated),? )?"
    r"(?:(?:to|at|with|in) )?\d{1,2}[ -]?(?:decimals?(?: (?:places?|digits?|figures?|points?))?|dps?\b|"
    r"d\.\s?p\b|s\.\s?f\b|sf\b|sig(?:nificant|\.)? ?(?:figures?|digits?|figs?)|digits?\b|places?\b)\.?\)?",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"(?<=[\d%)])\s{1,9}#\s(?!\s*or\b).*", re.DOTALL)
_WORDS = {
    word: str(value)
    for value, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
}
_WORDS |= {"half": "1/2", "one half": "1/2", "one third": "1/3", "two thirds": "2/3", "one quarter": "1/4"}


class Number(LabelledPart):
    """A number: read as an exact rational, right when within `tolerance` of the gold, the edge included."""

    def parse(self, field: Field, part: Part) -> Outcome:  # noqa: ARG002 - a number needs no parameters to be read
        plain = _PLAIN.fullmatch(field.head)
        return found(plain[1].lstrip("+")) if plain is not None else parse_number(field)

    def accepts(self, value: Json, part: Part) -> bool:
        return is_within(value, str(part.gold), str(part.params.get("tolerance") or "0"))


NUMBER = Number()


def is_within(value: str, gold: str, tolerance: str) -> bool:
    """Whether `value` is at most `tolerance` away from `gold`, computed exactly."""
    if value.isascii() and _SHORT.fullmatch(value) and _SHORT.fullmatch(gold) and _SHORT.fullmatch(tolerance):
        distance = _EXACT.abs(_EXACT.subtract(Decimal(value), Decimal(gold)))
        return distance <= Decimal(tolerance)
    return abs(Fraction(value) - Fraction(gold)) <= Fraction(tolerance)


def parse_number(field: Field) -> Outcome:
    """The careful reading of a field: the one number in its first line that is not empty, or why there is none."""
    if field.exact and not _VALUE_FIRST.match(field.head):
        return absent("nothing separates the label from what follows")
    outcome = read_line(field.head)
    if outcome is not None:
        return outcome
    for line in field.below():
        outcome = read_line(_BULLET.sub("", line, count=1))
        if outcome is not None:
            return outcome
    return absent("nothing stands behind the label")


def read_line(line: str) -> Outcome | None:
    """What one line says, None where it is empty."""
    if len(line) > 200:
        line = _LONG_RUN.sub(r"\1\1\1", line)
    if len(line) > MAX_FIELD:
        return unclear("too long to be a number")
    if "*" in line:
        line = _PRODUCT.sub(" ×", line)
    line = _CURRENCY.sub("", before_other_label(line))
    if _BLANK_DIGITS.match(line):
        return absent("the template was left unfilled")
    text = spell_out(strip_markup(line)).split("</", 1)[0].strip()
    nothing = says_nothing(text)
    if nothing is not None:
        return nothing if any(character.isalnum() for character in text) else None
    if any(character.isdigit() for character in text):
        outcome = _with_correction(_without_notes(_CURRENCY.sub("", text)))
        if outcome.kind is Kind.VALUE:
            return outcome
    else:
        word = text.strip(" .!()[]{}").lower()
        if word in _WORDS:
            return found(_WORDS[word], "a number in words")
        outcome = absent("no number stands behind the label")
    return points_elsewhere(text) or takes_back(text) or outcome


def _without_notes(text: str) -> str:
    """`text` without the number of its digits, "to 3 decimal places", and without a comment behind a number sign."""
    if "#" in text:
        text = _COMMENT.sub("", text, count=1)
    return _PRECISION.sub(r"\g<value>", text)


def _with_correction(text: str) -> Outcome:
    if _UNREADABLE.search(text) and not re.search(r"[=≈]", text):
        return unclear("a formula is not evaluated")
    corrected = last_correction(text)
    if corrected is not None:
        outcome = the_number(without_premise(corrected[1]))
        if outcome.kind is Kind.VALUE:
            return Outcome(Kind.VALUE, outcome.value, "the correction counts")
        if outcome.kind is Kind.UNCLEAR and any(character.isdigit() for character in corrected[1]):
            return outcome  # rather than what it took back
    return the_number(text)
