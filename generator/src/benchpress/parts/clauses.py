"""What the clauses of a verdict say: which class, whether it is denied, and what led to it."""

import re
from dataclasses import dataclass, replace

from benchpress.parts.lexicon import YES_NO, Lexicon, phrase_at, settle, tokens_of
from benchpress.parts.statements import begins_statement, end_of_quoted_statement
from benchpress.parts.undecided import left_open

# "Classified as identifiable" gives no reason.
_NAMING = (
    "determined classified regarded treated seen considered described recognized recognised viewed judged labelled "
    "labeled marked counted established accepted"
)
_NO_NAMING = "".join(rf"(?<!\b{word} )" for word in _NAMING.split())
_NO_WHICH = "".join(rf"(?<!\b{word} )" for word in ("for", "with", "under", "by", "on"))
_BREAK = re.compile(
    r"\?|[→⇒]|[-=]>|[.;:!](?=\s|$|[\"')])|[\n—–#|]|\s-{1,2}\s|,|\b(?:(?<!\banything )but|however|yet|so|therefore|thus|"
    r"hence|because|since|" + _NO_NAMING + r"as|although|though|whereas|while|given|"
    r"assuming|provided|unless|if|when|due to|" + _NO_WHICH + r"which|where)\b",
    re.IGNORECASE,
)
_ASKING = (
    "know", "knows", "known", "tell", "say", "see", "sure", "clear", "unclear", "unsure", "wonder", "decide",
    "determine", "determined", "check",
)  # fmt: skip
_ASKING_IF = re.compile("(?:" + "|".join(rf"(?<=\b{word} )" for word in _ASKING) + r")if\b", re.IGNORECASE)
"""An "if" that means "whether"."""
_NEGATORS = frozenset(
    [
        "not", "no", "never", "neither", "nor", "without", "hardly", "barely", "scarcely", "rarely", "seldom", "non",
        "un", "nobody", "none", "nothing", "nowhere", "fails", "fail", "failed", "lacks", "lack", "refuse", "refuses",
        "ceases", "stops", "deny", "denies", "disagree", "wrong", "impossible",
    ]
)  # fmt: skip
DOUBTING = frozenset(
    [
        "maybe", "perhaps", "possibly", "wonder", "might", "could", "may", "depends", "unclear", "unsure", "undecided",
        "partially", "partly",
    ]
)  # fmt: skip
REASONS = frozenset(
    [
        "because", "since", "as", "although", "though", "whereas", "while", "given", "assuming", "provided",
        "unless", "if", "when", "which", "where", "due",
    ]
)  # fmt: skip
TURNS = frozenset(["but", "however", "yet"])
CONCLUSIONS = frozenset(["so", "therefore", "thus", "hence"])
_CONDITIONS = frozenset(["if", "unless", "assuming", "provided"])
_WOULD = re.compile(r"\bwould\b(?! (?:say|think|answer|argue|call|go|guess|conclude|pick|choose)\b)", re.IGNORECASE)
_QUANTIFIERS = frozenset(["both", "neither"])
_UNDOUBTED = frozenset(["doubt", "question"])
_AFTER_NO = frozenset(["it", "this", "that", "they", "the", "we", "there", "these", "those", "i", "he", "she"])
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
class Claim:
    """What one clause says: a class, whether it is denied, and whether the clause says nothing else."""

    verdict: str
    denied: bool
    bare: bool
    opener: str
    """The word or sign that led to the clause."""


def claims_of(text: str, lexicon: Lexicon) -> list[Claim] | None:
    """What the clauses say, in order; None where one clause offers several classes to choose from.

    Behind a bare verdict, a clause that only supposes something or names several classes is a reason."""
    claims: list[Claim] = []
    text = _ASKING_IF.sub("whether", text)
    opener = ""
    position = 0
    given = False  # a bare verdict, and more than a comma behind it
    for stop in [*_BREAK.finditer(text), None]:
        clause = text[position : stop.start() if stop is not None else len(text)]
        mark = stop.group().strip().lower() if stop is not None else ""
        given = given or (bool(claims) and claims[0].bare and opener != ",")
        if mark != "?" and not (given and opener not in CONCLUSIONS and _supposes(clause, mark)):
            undecided = left_open(tokens_of(clause), lexicon) if not claims else None
            inside = _clause(clause, lexicon, opener)
            if undecided is not None:
                inside = [Claim(undecided, False, True, opener)]
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


def _clause(clause: str, lexicon: Lexicon, opener: str) -> list[Claim] | None:
    tokens = tokens_of(clause)
    if any(word in DOUBTING for word in tokens) or tokens[:2] == ["i", "doubt"]:
        return []
    asked = tokens.index("whether") if "whether" in tokens else len(tokens)  # behind it nothing is claimed
    hits: list[tuple[str, bool]] = []
    quantified: set[str] = set()  # classes called "both" and "neither", whose members may be named with them
    others = len(tokens) - asked  # words that are neither verdicts nor about them
    tokens = tokens[:asked]
    judged, quoted = end_of_quoted_statement(tokens), 0
    negations, fresh = 0, False
    last = 0  # where the last verdict stands
    denied_at = 0  # how many other words there were at the last negation
    index = 0
    while index < len(tokens):
        word = tokens[index]
        if index == judged or (negations and others > denied_at and begins_statement(tokens, index)):
            negations, quoted = 0, len(hits) if index == judged else quoted
        match = phrase_at(tokens, index, lexicon)
        if match is not None and match[0] == 1 and word == "no" and _of_a_noun(tokens, index):
            match = None
        if match is not None:
            length, verdict, denied = match
            hits.append((verdict, denied ^ (negations % 2 == 1)))
            last = index
            if length == 1 and word in _QUANTIFIERS:
                quantified.add(verdict)
            fresh = True
            index += length
            continue
        if word in ("without", "beyond", "no") and _UNDOUBTED.intersection(tokens[index + 1 : index + 3]):
            index += 1
            continue
        if word in _NEGATORS and tokens[index : index + 2] != ["not", "only"]:
            # A new negation behind a verdict is about what follows; "nor" goes on with the one before.
            negations = 1 if fresh or word == "nor" else negations + 1
            fresh, denied_at = False, others
        elif word not in _FILLERS:
            others += 1
        index += 1
    if not hits or (quoted and (len(hits) > quoted or not fresh)):
        return []
    if len(quantified) == 1 and len({verdict for verdict, _ in hits} - quantified) > 1 and not _denies(tokens):
        return [Claim(quantified.pop(), False, True, opener)]
    if not fresh and tokens[-1] in ("not", "be") and tokens[last] not in YES_NO:
        hits[-1] = hits[-1][0], not hits[-1][1]
    settled = {settle(verdict, denied, lexicon) for verdict, denied in hits}
    if len(settled) == 1:
        return [Claim(*hits[0], others == 0, opener)]
    positive = {verdict for verdict, denied in hits if not denied}
    if len(positive) == 1 and len(lexicon.classes) > 2:
        return [Claim(positive.pop(), False, others == 0, opener)]
    if not positive and len(lexicon.classes) > 2:
        left = [word for word in lexicon.classes if (word, True) not in hits]
        if len(left) == 1:
            return [Claim(left[0], False, others == 0, opener)]
        return [Claim(verdict, True, False, opener) for verdict, _ in hits]
    return [] if opener in REASONS else None


def _denies(tokens: list[str]) -> bool:
    return any(word in _NEGATORS and word not in ("neither", "nor") for word in tokens)


def _of_a_noun(tokens: list[str], index: int) -> bool:
    """Whether a "no" belongs to the word behind it: "no open path", "no longer"."""
    follower = tokens[index + 1] if index + 1 < len(tokens) else ""
    return follower[:1].isalnum() and follower not in _AFTER_NO and follower not in _NEGATORS
