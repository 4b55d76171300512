"""The part type `verdict`: one word of a vocabulary, its synonyms and their negations."""

import re
from dataclasses import replace

from benchpress.items import Json, Part
from benchpress.parts.blanks import (
    before_other_label,
    not_applicable,
    points_elsewhere,
    says_nothing,
    takes_back,
)
from benchpress.parts.clauses import CONCLUSIONS, DOUBTING, REASONS, TURNS, Claim, claims_of
from benchpress.parts.corrections import last_correction
from benchpress.parts.labelled import LabelledPart
from benchpress.parts.lexicon import Lexicon, lexicon_of, settle, tokens_of
from benchpress.parts.markup import strip_markup
from benchpress.parts.outcome import Kind, Outcome, absent, found, unclear
from benchpress.parts.tagged import Field

MAX_LENGTH = 4_000

_PREFIX = re.compile(r"\b(non|un)\s?[-–]\s?(?=\w)", re.IGNORECASE)
_JOINED = re.compile(r"(?<=\w)–(?=\w)")
_REMARK = re.compile(r"\([^()]{0,2000}\)")
NO_WORD = "no word of the vocabulary was given"
_CHECKED = re.compile(r"(?:\[ ?\]|☐|⬜|◻|○)\s*[^\[\]☐☑☒⬜◻○●✓✔✅]{1,60}|(?:\[[xX✓✔]\]|☑|☒|●)\s*")


class Verdict(LabelledPart):
    """One word of `vocabulary`: right when it is the gold."""

    def parse(self, field: Field, part: Part) -> Outcome:
        lexicon = lexicon_of(part)
        plain = lexicon.plain.get(field.head.strip(" .*`").lower())
        return found(plain) if plain is not None else parse_verdict(field, lexicon)

    def accepts(self, value: Json, part: Part) -> bool:
        return bool(value == part.gold)


VERDICT = Verdict()


def parse_verdict(field: Field, lexicon: Lexicon) -> Outcome:
    """The careful reading of a field: the one class it gives, or why it gives none."""
    outcome = _read_line(field.head, lexicon, field.exact)
    if outcome is not None:
        return outcome
    for line in field.below():
        outcome = _read_line(line, lexicon, False)
        if outcome is not None:
            return outcome
    return absent("nothing stands behind the label")


def _read_line(line: str, lexicon: Lexicon, exact: bool) -> Outcome | None:
    text = _JOINED.sub("-", strip_markup(before_other_label(line[:MAX_LENGTH])).split("</", 1)[0]).strip()
    text = _PREFIX.sub(r"\1-", text)
    if "[" in text or "☐" in text or "⬜" in text or "○" in text:
        text = _CHECKED.sub(" ", text)
    nothing = says_nothing(text)
    if nothing is not None and not any(mark in text for mark in "✓✔✅☑✗✘❌✕✖"):
        return nothing if any(character.isalnum() for character in text) else None
    plain = lexicon.plain.get(text.strip(" .!()[]{}\"'").lower())
    if plain is not None:
        return found(plain)
    declined = not_applicable(text)
    if declined is not None:
        return declined
    if _lists_vocabulary(text, lexicon):
        return absent("the template was left unfilled")
    outcome = _with_correction(text, lexicon, exact)
    if outcome.kind is Kind.VALUE:
        return outcome
    if exact:
        return absent("nothing separates the label from what follows")
    if outcome.note == NO_WORD and len(text.split()) > 1 and not any(word in DOUBTING for word in tokens_of(text)):
        outcome = absent(NO_WORD)
    return points_elsewhere(text) or takes_back(text) or outcome


def _lists_vocabulary(text: str, lexicon: Lexicon) -> bool:
    """Whether the text is the list of the possible answers."""
    parts = re.split(r"\s*[/|]\s*|\s+or\s+|,\s*", text.strip(" .[](){}<>\"'").lower())
    return len(parts) > 1 and sorted(parts) == sorted(word.lower() for word in lexicon.classes)


def _with_correction(text: str, lexicon: Lexicon, exact: bool) -> Outcome:
    corrected = last_correction(text)
    if corrected is not None:
        outcome = _decide(corrected[1], lexicon, exact)
        if outcome.kind is Kind.VALUE:
            return Outcome(Kind.VALUE, outcome.value, "the correction counts")
    return _decide(text, lexicon, exact)


def _decide(text: str, lexicon: Lexicon, exact: bool) -> Outcome:
    outside = _REMARK.sub(" , ", text)
    claims = claims_of(outside, lexicon)
    if not claims and outside != text:
        claims = claims_of(text.translate(_NO_BRACKETS), lexicon)
    if claims is None:
        return unclear("two verdicts of equal standing")
    if exact:
        claims = claims[:1] if claims and claims[0].bare else []
    return _weigh(claims, lexicon)


_NO_BRACKETS = {ord(sign): " " for sign in "()[]{}"}


def _weigh(claims: list[Claim] | None, lexicon: Lexicon) -> Outcome:
    """One class from what the clauses say: a bare verdict before its reasons, a conclusion before its premises."""
    if not claims:
        return unclear(NO_WORD)
    counted = [claim for claim in claims if claim.opener not in REASONS] or claims
    for turn in (TURNS, CONCLUSIONS):
        last = next((index for index in range(len(counted) - 1, -1, -1) if counted[index].opener in turn), None)
        if last and not _only_excludes_others(counted[:last], counted[last:], lexicon):
            second_thought = turn is CONCLUSIONS or counted[last].bare or not counted[0].bare
            counted = counted[last:] if second_thought else [counted[0], replace(counted[last], bare=True)]
    if counted[0].bare:
        counted = [claim for claim in counted if claim.bare]
    positive = {settle(claim.verdict, claim.denied, lexicon) for claim in counted}
    classes = positive & set(lexicon.classes)
    if len(classes) == 1:
        return found(classes.pop())
    if not classes:
        excluded = {claim.verdict for claim in counted if claim.denied}
        left = [word for word in lexicon.classes if word not in excluded]
        if len(left) == 1:
            return found(left[0])
        return unclear("the negation leaves several verdicts")
    return unclear("two verdicts of equal standing")


def _only_excludes_others(before: list[Claim], behind: list[Claim], lexicon: Lexicon) -> bool:
    """Whether a turn leaves what was said as it is: "the ratio, but not the difference"."""
    said = {claim.verdict for claim in before if not claim.denied} - {lexicon.phrases.get(("both",))}
    return len(lexicon.classes) > 2 and bool(said) and all(c.denied and c.verdict not in said for c in behind)
