"""The part type `verdict`: one word of a vocabulary, its synonyms and their negations."""

import re
from dataclasses import dataclass, replace

from benchpress.items import Json, Part
from benchpress.parts.blanks import (
    before_other_label,
    not_applicable,
    points_elsewhere,
    says_nothing,
    takes_back,
)
from benchpress.parts.corrections import last_correction
from benchpress.parts.labelled import LabelledPart
from benchpress.parts.lexicon import YES_NO, Lexicon, lexicon_of, phrase_at, settle, tokens_of
from benchpress.parts.markup import strip_markup
from benchpress.parts.outcome import Kind, Outcome, absent, found, unclear
from benchpress.parts.tagged import Field
from benchpress.parts.undecided import left_open

MAX_LENGTH = 4_000

_PREFIX = re.compile(r"\b(non|un)\s?[-–]\s?(?=\w)", re.IGNORECASE)
_JOINED = re.compile(r"(?<=\w)–(?=\w)")
# "Classified as identifiable" gives no reason.
_NAMING = (
    "determined classified regarded treated seen considered described recognized recognised viewed judged labelled "
    "labeled marked counted established accepted"
)
_NO_NAMING = "".join(rf"(?<!\b{word} )" for word in _NAMING.split())
_BREAK = re.compile(
    r"\?|[→⇒]|[-=]>|[.;:!](?=\s|$|[\"')])|[\n—–#|]|\s-{1,2}\s|,|\b(?:but|however|yet|so|therefore|thus|hence|because|"
    r"since|" + _NO_NAMING + r"as|although|though|whereas|while|given|"
    r"assuming|provided|unless|if|when|due to|which|where)\b",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\([^()]{0,2000}\)")
_NEGATORS = frozenset(
    [
        "not", "no", "never", "neither", "nor", "without", "hardly", "non", "un", "nothing", "nowhere", "fails", "fail",
        "failed", "lacks", "lack",
    ]
)  # fmt: skip
NO_WORD = "no word of the vocabulary was given"
_DOUBTING = frozenset(
    [
        "maybe", "perhaps", "possibly", "might", "could", "may", "depends", "unclear", "unsure", "undecided",
        "partially", "partly",
    ]
)  # fmt: skip
_REASONS = frozenset(
    [
        "because", "since", "as", "although", "though", "whereas", "while", "given", "assuming", "provided",
        "unless", "if", "when", "which", "where", "due",
    ]
)  # fmt: skip
_TURNS = frozenset(["but", "however", "yet"])
_CONCLUSIONS = frozenset(["so", "therefore", "thus", "hence"])
_CONDITIONS = frozenset(["if", "unless", "assuming", "provided"])
_WOULD = re.compile(r"\bwould\b(?! (?:say|think|answer|argue|call|go|guess|conclude|pick|choose)\b)", re.IGNORECASE)
_QUANTIFIERS = frozenset(["both", "neither"])
_CHECKED = re.compile(r"(?:\[ ?\]|☐|⬜|◻|○)\s*[^\[\]☐☑☒⬜◻○●✓✔✅]{1,60}|(?:\[[xX✓✔]\]|☑|☒|●)\s*")
_UNDOUBTED = frozenset(["doubt", "question"])
_AFTER_NO = frozenset(["it", "this", "that", "they", "the", "we", "there", "these", "those", "i", "he", "she", "one"])
_FILLERS = frozenset(
    [
        "the", "a", "an", "it", "is", "are", "that", "this", "answer", "verdict", "final", "effect", "claim",
        "statement", "i", "think", "believe", "would", "say", "probably", "likely", "surely", "certainly",
        "definitely", "clearly", "indeed", "in", "fact", "be", "my", "our", "conclusion", "result", "causal", "of",
        "its", "was", "to", "here", "yes", "no", "not", "can", "will", "does", "do", "very", "quite", "almost",
        "then", "first", "later", "afterwards", "initially", "finally", "eventually", "doubt", "question", "or",
        "also", "and",
    ]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Claim:
    """What one clause says: a class, whether it is denied, and whether the clause says nothing else."""

    verdict: str
    denied: bool
    bare: bool
    opener: str
    """The word or sign that led to the clause."""


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
    if outcome.note == NO_WORD and len(text.split()) > 1 and not any(word in _DOUBTING for word in tokens_of(text)):
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
    claims = _claims(outside, lexicon)
    if not claims and outside != text:
        claims = _claims(text.translate(_NO_BRACKETS), lexicon)
    if claims is None:
        return unclear("two verdicts of equal standing")
    if exact:
        claims = claims[:1] if claims and claims[0].bare else []
    return _weigh(claims, lexicon)


_NO_BRACKETS = {ord(sign): " " for sign in "()[]{}"}


def _claims(text: str, lexicon: Lexicon) -> list[_Claim] | None:
    """What the clauses say, in order; None where one clause offers several classes to choose from.

    Behind a bare verdict, a clause that only supposes something or names several classes is a reason."""
    claims: list[_Claim] = []
    opener = ""
    position = 0
    given = False  # a bare verdict, and more than a comma behind it
    for stop in [*_BREAK.finditer(text), None]:
        clause = text[position : stop.start() if stop is not None else len(text)]
        mark = stop.group().strip().lower() if stop is not None else ""
        given = given or (bool(claims) and claims[0].bare and opener != ",")
        if mark != "?" and not (given and opener not in _CONCLUSIONS and _supposes(clause, mark)):
            undecided = left_open(tokens_of(clause), lexicon) if not claims else None
            inside = _clause(clause, lexicon, opener)
            if undecided is not None:
                inside = [_Claim(undecided, False, True, opener)]
            if inside is None:
                if not given or "or" in tokens_of(clause):
                    return None
                inside = []
            if not inside and claims and _only_denies(clause):
                inside = [replace(claims[-1], denied=not claims[-1].denied, opener=opener)]
            claims.extend(inside)
        if mark and not (mark == "," and not clause.strip()):
            opener = mark
        position = stop.end() if stop is not None else position
    return claims


def _supposes(clause: str, mark: str) -> bool:
    """Whether a clause tells what would be the case, or what is on the condition that follows it."""
    return _WOULD.search(clause) is not None or (mark in _CONDITIONS and len(clause.split()) > 1)


def _only_denies(clause: str) -> bool:
    """Whether a clause takes back what was said without naming it: "but it is not"."""
    tokens = tokens_of(clause)
    verb = any(token in ("is", "does", "do", "can") for token in tokens)
    return verb and "not" in tokens and all(token in _ELLIPTIC for token in tokens)


_ELLIPTIC = frozenset(
    ["it", "is", "not", "this", "that", "does", "do", "can", "actually", "in", "fact", "be", "really"]
)


def _clause(clause: str, lexicon: Lexicon, opener: str) -> list[_Claim] | None:
    tokens = tokens_of(clause)
    if any(word in _DOUBTING for word in tokens):
        return []
    hits: list[tuple[str, bool]] = []
    quantified: set[str] = set()  # classes called "both" and "neither", whose members may be named with them
    others = 0  # words that are neither verdicts nor about them
    negations, fresh = 0, False
    index = 0
    while index < len(tokens):
        word = tokens[index]
        match = phrase_at(tokens, index, lexicon)
        if match is not None and match[0] == 1 and word == "no" and _of_a_noun(tokens, index):
            match = None
        if match is not None:
            length, verdict, denied = match
            hits.append((verdict, denied ^ (negations % 2 == 1)))
            if length == 1 and word in _QUANTIFIERS:
                quantified.add(verdict)
            fresh = True
            index += length
            continue
        if word in ("without", "beyond") and _UNDOUBTED.intersection(tokens[index + 1 : index + 3]):
            index += 1
            continue
        if word in _NEGATORS and tokens[index : index + 2] != ["not", "only"]:
            # A new negation behind a verdict is about what follows; "nor" goes on with the one before.
            negations = 1 if fresh or word == "nor" else negations + 1
            fresh = False
        elif word not in _FILLERS:
            others += 1
        index += 1
    if not hits:
        return []
    if len(quantified) == 1 and len({verdict for verdict, _ in hits} - quantified) > 1 and not _denies(tokens):
        return [_Claim(quantified.pop(), False, True, opener)]
    if not fresh and tokens[-1] in ("not", "be") and hits[-1][0].lower() not in YES_NO:
        hits[-1] = hits[-1][0], not hits[-1][1]
    settled = {settle(verdict, denied, lexicon) for verdict, denied in hits}
    if len(settled) == 1:
        return [_Claim(*hits[0], others == 0, opener)]
    positive = {verdict for verdict, denied in hits if not denied}
    if len(positive) == 1 and len(lexicon.classes) > 2:
        return [_Claim(positive.pop(), False, others == 0, opener)]
    if not positive and len(lexicon.classes) > 2:
        left = [word for word in lexicon.classes if (word, True) not in hits]
        if len(left) == 1:
            return [_Claim(left[0], False, others == 0, opener)]
        return [_Claim(verdict, True, False, opener) for verdict, _ in hits]
    return [] if opener in _REASONS else None


def _denies(tokens: list[str]) -> bool:
    return any(word in _NEGATORS and word not in ("neither", "nor") for word in tokens)


def _of_a_noun(tokens: list[str], index: int) -> bool:
    """Whether a "no" belongs to the word behind it: "no open path", "no longer"."""
    follower = tokens[index + 1] if index + 1 < len(tokens) else ""
    return follower[:1].isalnum() and follower not in _AFTER_NO and follower not in _NEGATORS


def _weigh(claims: list[_Claim] | None, lexicon: Lexicon) -> Outcome:
    """One class from what the clauses say: a bare verdict before its reasons, a conclusion before its premises."""
    if not claims:
        return unclear(NO_WORD)
    counted = [claim for claim in claims if claim.opener not in _REASONS] or claims
    for turn in (_TURNS, _CONCLUSIONS):
        last = next((index for index in range(len(counted) - 1, -1, -1) if counted[index].opener in turn), None)
        if last and not _only_excludes_others(counted[:last], counted[last:], lexicon):
            second_thought = turn is _CONCLUSIONS or counted[last].bare or not counted[0].bare
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


def _only_excludes_others(before: list[_Claim], behind: list[_Claim], lexicon: Lexicon) -> bool:
    """Whether a turn leaves what was said as it is: "the ratio, but not the difference"."""
    said = {claim.verdict for claim in before if not claim.denied} - {lexicon.phrases.get(("both",))}
    return len(lexicon.classes) > 2 and bool(said) and all(c.denied and c.verdict not in said for c in behind)
