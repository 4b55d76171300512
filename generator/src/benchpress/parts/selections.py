"""Where a text selects an option behind words that announce it, and what a selection is."""

import re
from typing import NamedTuple

from benchpress.parts.cues import Cue, cues
from benchpress.parts.options import Options


class Selection(NamedTuple):
    """A letter selected at a position, or null where what is said there settles on no single option in range."""

    position: int
    letter: str | None
    note: str
    remark: bool = False
    """Said of an option in passing ("D would be right elsewhere"): counts where nothing else selects a letter."""


_FILLERS = re.compile(
    r"(?:[\s:=,*_`$]{1,20}|->|→|—|\b(?:clearly|definitely|probably|most likely|likely|indeed|therefore|thus|simply|"
    r"actually|just|still|now|certainly|"
    r"surely|obviously|in fact|hence|so|the|letter|option|choice|statement|number|answer|correct|final|is|it|that|be|"
    r"with|for|to|best|"
    r"perhaps|maybe|possibly|either|both|between|given by|represented by|labell?ed|"
    r"donc|daher|also|somit|quindi|por tanto|portanto|entonces|a (?:letra|alternativa|opção)|(?<=\bé )a(?=\s[A-Z]\b)|"
    r"la|el|le|der|die|lettre|letra|lettera|"
    r"item|alternative|only|i think|i believe|i guess|i'd say|i would say|opci[óo]n|"
    r"opzione|variante|und)\b|"
    r"选项|選項|選択肢|вариант|项|选|選|择|擇){0,16}",
    re.IGNORECASE,
)
_LETTER = re.compile(
    r"[(\[{\"'<]{0,3}\s?(?P<letter>[A-Za-z])\s?(?P<close>[)\]}\"'>]{0,3})(?![^\W一-鿿぀-ヿ가-힯]|'[^\W\d_])"
)
_NOT_AHEAD = re.compile(
    r"\s*(?:not|never|neither|unlikely|unclear|unknown|definitely not|certainly not|probably not|none of (?:these|"
    r"them|the options)|nicht|pas|isn't|wasn't|n'est pas|no es|non è|não é|не)\b|\s*(?:不是|并非|並非|不)",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"[^.\n]{0,60}?(?:\b(?:but|sondern|mais|sino|(?<=, )а)\b|而是)(?:\s+(?:rather|instead|it is|it's))?", re.IGNORECASE
)
_DRESS = re.compile(r"[\s*_`$({\[\"'<]*")
_COMPOUND = re.compile(
    r"[*_`\s]*(?:\(\s?(?i:or)\b|[和或与與及跟かとや]|또는|와|과|,|/|&|\+|;|\||\b(?i:and/or|and|or|und|oder|et|ou|y|o)\b|,\s*(?i:and|or)\b|\s)\s*"
    r"(?i:(?:also|possibly|maybe|perhaps|even)\s+)?(?i:(?:option|choice)\s+)?"
    r"[(\[\"'*_]{0,3}(?P<other>[A-Z])[)\]\"'*_]{0,3}(?![\w'])"
)
_GOES_ON = re.compile(
    r"\s*(?:$|[一-鿿぀-ヿ가-힯.,;:!?)\]}\"'\n—–|/&<(\[]|-\s|(?:because|since|as|which|for|due|based|given|with|from|by|where|so|and|"
    r"or|but|"
    r"i\.e|not|in|on|is|here|though|although|according|after|if|when)\b)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s*(?:$|[.,;:!?\n—–|(]|-\s|(?:because|since|as|and|or|then)\b)", re.IGNORECASE)
_ENDS_HARD = re.compile(r"\s*(?:$|[.,;:!?\n—–(]|then\s?[.!])")
_SMALL_LETTER_ENDS = re.compile(r"\s*(?:$|[.)\n])")
_PRONOUN_GOES_ON = re.compile(r"\s+(?!because\b|since\b|based\b|due\b)[a-z']")
_GLUED = re.compile(r"[-+#]\S")
_CLAUSE = re.compile(
    r"\s+(?:is|was|isn't|wasn't|would|does|doesn't|can|cannot|refers|describes|has|only|looks|seems|being)\b"
)
_TO_TEXT = re.compile(r"[\s).:\]\"'(*_—–,-]{0,8}")
_TEXT_ENDS = re.compile(r"\s*(?:$|[.,;!?)\]\"'\n*_—–(])")
_OTHER_TEXT = re.compile(r"\s*(?:,|/|&|\band\b|\bor\b)\s*(?:the\s+)?", re.IGNORECASE)
_INFERENCE_FILLERS = re.compile(
    r"[\s,:]*(?:(?:clearly|definitely|probably|option|choice|answer|the|letter|likely|just|only|us with)\s+){0,3}",
    re.IGNORECASE,
)
_PREDICATED = re.compile(r"\s*(?:is|are|was)\b")
_RETRACTED = re.compile(
    r"[)\s]*(?:ではな|ではあり|じゃな|でない|[가이]\s?아[니닙]|不(?:对|對|正确|正確)|是?[错錯])|"
    r"[)\s,*_]{0,4}(?:but|which|and|although|though)\s+(?:that|this|it)?\s?(?:is|was|isn't)\s+(?:\w+\s+)?"
    r"(?:wrong|incorrect|false|not (?:correct|right|true)|a trap)\b|[^.\n;]{1,80}\b(?:otherwise|or else)\b",
    re.IGNORECASE,
)
_CALCULATES = re.compile(r"\s*(?:[-+*/×÷·^=<>]\s*[\d(]|(?:times|plus|minus|divided|multiplied)\b)")
_SEVERAL_JUDGED = re.compile(
    r"[(\[]?[A-Z][)\]]?(?:(?:,\s*(?:and|or)?|\s+and|\s+or|\s*&)\s*[(\[]?[A-Z][)\]]?){1,25}\s+"
    r"(?:are|is|can|were|do|does|have|fail|get|all|both)\b"
)
_FIGURE_OF_SPEECH = re.compile(r"if (?:i (?:had|have|were) to|forced|i must|pressed)\b", re.IGNORECASE)
_SUPPOSING = re.compile(r"\b(?:if|had|were|unless|suppose|supposing|assuming|would have)\b", re.IGNORECASE)
_HEARSAY = re.compile(
    r"\b(?:one|you|some|many|most|others|people|(?:naive|careless|hasty) \w+|readers?|students?|someone)\s"
    r"(?:\w+\s){0,2}?(?:might|may|could|would|often|usually|will|tend to)\s(?:\w+\s){0,2}?"
    r"(?:say|think|argue|expect|believe|assume|guess|answer|choose|pick|select)|"
    r"\b(?:it|this|that)\s(?:may|might|could|would)\s(?:\w+\s)?(?:seem|appear|look)\b|\bat first (?:glance|sight)\b",
    re.IGNORECASE,
)
_TENTATIVE = re.compile(r"\banswer (?:would|might|could|may) be\s*$", re.IGNORECASE)
_TALKED_OF = re.compile(
    r"(?:choosing|picking|selecting|going (?:with|for)|settling on|opting for)\b[^.\n]{0,80}?\b"
    r"(?:would|is an?|was|might|could|may|means|ignores|leads|requires|gives)\b|"
    r"\w+ (?:\w+ ){0,3}\(?[A-Z]\b[^.\n]{0,60}?\bonly (?:if|when)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\bnot\b(?!.*\b(?:but|so|hence|thus|therefore)\b)", re.IGNORECASE)
_TURN = re.compile(r"\b(?:but|however|yet|actually|in fact|still)\b", re.IGNORECASE)


def after_cues(text: str, label: str, options: Options) -> list[Selection]:
    """What the announcements of `text` select."""
    found = []
    for cue in cues(text, label):
        selection = _inferred(text, cue, options) if cue.inferred else _announced(text, cue.end, options, cue.explicit)
        if selection is not None and not is_supposed(text, cue.begin, cue.end) and not _in_passing(text, cue):
            found.append(selection._replace(remark=_TENTATIVE.search(text, cue.begin, cue.end) is not None))
    return found


def _in_passing(text: str, cue: Cue) -> bool:
    """Whether a choice is only talked about: "choosing D would ignore the units", "I would choose D only if ..."."""
    if cue.explicit:
        return False
    clause = max(text.rfind(sign, 0, cue.begin) for sign in ".,;:\n") + 1
    denied = cue.inferred and _DENIED.search(text, clause, cue.begin) is not None
    return denied or _TALKED_OF.match(text, cue.begin) is not None


def is_supposed(text: str, position: int, end: int | None = None) -> bool:
    """Whether the sentence only supposes something: "if it were a trap, the answer would be A",
    or tells what others would say. What stands before a "but" does not count.
    """
    start = max(text.rfind(sign, 0, position) for sign in (".", "\n", ";")) + 1
    start = max(start, position - 200)
    for turn in _TURN.finditer(text, start, position):
        start = turn.end()
    if _HEARSAY.search(text, start, position if end is None else end):
        return True
    supposed = _SUPPOSING.search(text, start, position)
    return supposed is not None and _FIGURE_OF_SPEECH.match(text, supposed.start()) is None


def in_range(position: int, letter: str, options: Options, note: str) -> Selection:
    """The selection of a letter, null where no option has it or where it spells another option's text."""
    upper = letter.upper()
    if upper not in options.letters:
        return Selection(position, None, "the letter is none of the options")
    if options.is_text(upper):
        return Selection(position, None, "the letter is also the text of another option")
    return Selection(position, upper, note)


def compound(text: str, end: int, letter: str, options: Options) -> bool:
    """Whether a second letter of equal standing follows the one that ends at `end`."""
    other = _COMPOUND.match(text, end)
    if other is None or other["other"] not in options.letters or other["other"] == letter.upper():
        return False
    joint = text[other.start() : other.start("other")]
    if other["other"] in "IA" and _PRONOUN_GOES_ON.match(text, other.end()):
        return False
    if _CLAUSE.match(text, other.end()):
        return False
    return not ("\n" in joint and not joint.strip(" \n*_(["))


def _announced(text: str, position: int, options: Options, explicit: bool) -> Selection | None:
    """What stands behind a cue that ends at `position`."""
    if _NOT_AHEAD.match(text, position):
        but = _BUT.match(text, position)
        if but is None:
            return None
        position = but.end()
    dress = _DRESS.match(text, position)
    exact = options.pattern.match(text, dress.end() if dress is not None else position)
    if explicit and exact is not None and " " in exact.group() and _TEXT_ENDS.match(text, exact.end()):
        return _text_selection(text, exact, options)
    fill = _FILLERS.match(text, position)
    position = fill.end() if fill is not None else position
    if _NOT_AHEAD.match(text, position):
        return None
    dress = _DRESS.match(text, position)
    by_text = options.pattern.match(text, position)
    if by_text is None and dress is not None:
        by_text = options.pattern.match(text, dress.end())
    letter = _LETTER.match(text, position)
    if by_text is not None and (letter is None or by_text.end() > letter.end("letter")):
        return _text_selection(text, by_text, options)
    return _letter_selection(text, letter, options, explicit) if letter is not None else None


def _letter_selection(text: str, letter: re.Match[str], options: Options, explicit: bool) -> Selection | None:
    sign, end = letter["letter"], letter.end()
    enclosed = bool(letter["close"]) and letter.start("letter") > letter.start()
    if not enclosed:
        if sign.islower() and not ((explicit or sign not in "ai") and _SMALL_LETTER_ENDS.match(text, end)):
            return None
        if sign in "AI" and not letter["close"] and not _GOES_ON.match(text, end):
            return None
        if sign == "I" and _PRONOUN_GOES_ON.match(text, end):
            return None
    if _GLUED.match(text, end) or (text[end : end + 1] == "?" and text[end + 1 :].strip()):
        return None
    if compound(text, end, sign, options):
        return Selection(letter.start(), None, "several options are named")
    if _RETRACTED.match(text, end):
        return Selection(letter.start(), None, "the letter is taken back")
    named = named_text(text, end, options)
    if named is not None and named != sign.upper():
        return Selection(letter.start(), None, "the letter and the text of the option differ")
    return in_range(letter.start(), sign, options, "the letter follows a cue")


def named_text(text: str, position: int, options: Options) -> str | None:
    """The option whose text follows a letter directly."""
    gap = _TO_TEXT.match(text, position)
    start = gap.end() if gap is not None else position
    if start == position or "\n" in text[position:start]:
        return None
    match = options.pattern.match(text, start)
    return options.of_match(match) if match is not None and _TEXT_ENDS.match(text, match.end()) else None


def _text_selection(text: str, match: re.Match[str], options: Options) -> Selection | None:
    if _CALCULATES.match(text, match.end()):
        return None
    letter = options.of_match(match)
    other = _OTHER_TEXT.match(text, match.end())
    if other is not None:
        second = options.pattern.match(text, other.end())
        if second is not None and options.of_match(second) != letter:
            return Selection(match.start(), None, "several options are named")
    if letter is None:
        return Selection(match.start(), None, "two options have this text")
    return Selection(match.start(), letter, "the text of the option follows a cue")


def _inferred(text: str, cue: Cue, options: Options) -> Selection | None:
    """A conclusion without the word answer: "so it must be C." Only a letter that ends its clause counts."""
    if _NOT_AHEAD.match(text, cue.end):
        return None
    gap = _INFERENCE_FILLERS.match(text, cue.end)
    letter = _LETTER.match(text, gap.end() if gap is not None else cue.end)
    if letter is None or not letter["letter"].isupper() or not (_ENDS.match(text, letter.end()) or letter["close"]):
        return None
    if letter["letter"] in "AI" and not letter["close"] and not _ENDS_HARD.match(text, letter.end()):
        return None
    if letter["letter"] not in options.letters or _PREDICATED.match(text, letter.end()):
        return None
    if _SEVERAL_JUDGED.match(text, letter.start()):
        return None
    return _letter_selection(text, letter, options, explicit=False)
