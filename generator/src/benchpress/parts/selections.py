"""Where a text selects an option: after a cue, by a predicate, on a line of its own, among verdicts."""

import re
from dataclasses import dataclass
from functools import lru_cache

from benchpress.parts.options import Options
from benchpress.status import is_refusal


@dataclass(frozen=True, slots=True)
class Selection:
    """A letter selected at a position, or null where what is said there settles on no single option in range."""

    position: int
    letter: str | None
    note: str


_WRONG = (
    r"wrong|incorrect|mistaken|tempting|other|initial|first|previous|earlier|original|naive|common|popular|distractor|false|"
    r"worst|alternative|second|possible|plausible|candidate|obvious|trap|intuitive|eliminated|remaining"
)
_NOUN = (
    r"answers?|response|solution|antwort|l[öo]sung|r[ée]ponse|respuesta|resposta|risposta|antwoord|svar|odpowied[źz]|"
    r"ответ|答案|答え|解答|正解|回答|정답|답"
)
_LINK = (
    r"is|are|was|be|would be|should be|must be|has to be|will be|seems to be|appears to be|might be|could be|may be|remains|becomes|"
    r"[:=]|->|→|=>|⇒|—|–|-(?=\s)|是|は|为|為|選|选|ist|lautet|est|es|é|è|är|er"
)
_ADVERB = (
    r"clearly|definitely|probably|most likely|likely|indeed|therefore|thus|simply|actually|just|still|now|certainly|surely|"
    r"obviously|in fact|hence|so|the|letter|option|choice|statement|number|answer|correct|final|is|it|that|be|with|for|to|best|"
    r"perhaps|maybe|possibly|either|both|between|given by|represented by|labell?ed|item|alternative|only|opci[óo]n|opzione|variante|选项|選項|選択肢|项"
)
_FILL = rf"(?:[\s:=,]|\b(?:{_ADVERB})\b|->|→)*"
_CUE = re.compile(
    rf"(?:\b(?P<kind>(?:\w+\s){{0,2}})(?:(?:{_NOUN})\b|(?:correct|right|best|final|my|most appropriate|most suitable|accurate|chosen|selected)\s+(?:option|choice|selection|statement|alternative|pick|one)\b)"
    rf"(?P<middle>(?:\s*\([^()\n]{{0,60}}\))?(?:\s+(?:to|for|of|in|on|here|that|among|from|given|which|would)\b[^.:=\n]{{0,80}}?)?)\s*(?P<link>{_LINK})"
    rf"|(?P<cjk>答案|答え|正解|正答|정답|故选|应选|因此选|所以选|选择|選擇|故選|ответ)[\s:为是为は은는]*(?P<link3>)"
    rf"|\b(?P<verb>choose|pick|select|chose|picked|selected|choosing|picking|selecting|go with|going with|went with|go for|going for|opt for|vote for|settle on|"
    rf"settling on|lean towards?|leaning towards?|say|bet on|conclude|guess|guess is|w[äa]hle|choisis|elijo|escolho|scelgo)\b(?P<link2>)"
    rf"|\b(?P<infer>must be|has to be|it is|it's|that is|that's|this is|which is|leaves(?: us with)?|leaving|so|thus|therefore|hence|consequently|matches|corresponds to|→|⇒|∴)(?:\b|(?<=[→⇒∴])))",
    re.IGNORECASE,
)
_FILLERS = re.compile(_FILL, re.IGNORECASE)
_LETTER = re.compile(r"[(\[{\"'<]{0,3}\s?(?P<letter>[A-Za-z])\s?(?P<close>[)\]}\"'>]{0,3})(?![\w]|'[a-z])")
_NOT = re.compile(r"(?:\b(?:not|never|isn't|wasn't|cannot be|can't be|neither|nor|rather than|instead of|except)|n't)\b[\s\w]{0,12}$", re.IGNORECASE)
_NOT_AHEAD = re.compile(r"\s*(?:not|never|neither|unlikely|unclear|unknown|definitely not|certainly not|probably not)\b", re.IGNORECASE)
_COMPOUND = re.compile(
    r"\s*(?:,|/|&|\+|;|\||\band\b|\bor\b|\bund\b|\boder\b|\bet\b|\bou\b|\by\b|\bo\b|\band/or\b|,\s*(?:and|or)\b|\s)\s*(?:also\s+|possibly\s+|maybe\s+|perhaps\s+|even\s+)?(?:option\s+|choice\s+)?[(\[\"']?(?P<other>[A-Z])[)\]\"']?(?![\w'])"
)
_GOES_ON = re.compile(
    r"\s*(?:$|[.,;:!?)\]}\"'\n—–|/&<]|-\s|because\b|since\b|as\b|which\b|for\b|due\b|based\b|given\b|with\b|from\b|by\b|where\b|so\b|and\b|or\b|but\b|"
    r"i\.e|not\b|in\b|on\b|is\b|here\b|though\b|although\b|according\b|after\b|if\b|when\b|[(\[])",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s*(?:$|[.,;:!?\n—–|]|-\s|\(|because\b|since\b|as\b|and\b|or\b)", re.IGNORECASE)
_PREDICATE = re.compile(
    r"(?:(?P<both>\bboth\s+)?\b(?:option|choice|answer|statement|alternative|letter)\s+|(?<![\w'])|(?P<both2>\bboth\s+))[(\[\"']?(?P<letter>[A-Z])[)\]\"'.:]{0,2}"
    r"(?P<and>\s*(?:,|and|or|/|&)\s*(?:option\s+)?[(\[]?[A-Z][)\]]?)?(?P<text>\s*(?:\([^()\n]{0,80}\)|,[^,.\n]{0,60},)?)\s*"
    r"(?:is|are|was|would be|seems|seem|must be|appears|has to be|should be|looks)\s+(?P<adverbs>(?:\w+\s+){0,3}?)"
    r"(?:(?:the\s+)?(?:only\s+)?(?:correct|right|best|most\s+\w+|accurate|true|proper|appropriate)\b(?!\s+(?:about|that|in))|the\s+(?:final\s+)?(?:answer|solution|choice|one)\b|my\s+(?:final\s+)?(?:answer|choice)\b)"
)
_LINE = re.compile(r"^[\s>#*\-•]*(?:option\s+|choice\s+)?[(\[]?([A-Z])[)\].:]{0,2}(?:\s+|\s*[-–—:]\s*)(\S[^\n]{0,300})$", re.MULTILINE | re.IGNORECASE)
_RIGHT = re.compile(r"(?:\b(?:correct|true|right|yes|valid|holds)|[✓✔✅☑])[\s.!*)]*$", re.IGNORECASE)
_FALSE = re.compile(r"(?:\b(?:incorrect|false|wrong|no|invalid|not\s+(?:correct|true|right)|untrue|fails|eliminated|ruled out)|[✗✘❌✕])[\s.!*)]*$", re.IGNORECASE)
_RIGHT_AHEAD = re.compile(r"[-–—:]\s*(?:this is |that is |that's |it's )?(?:(?:correct|true|right|yes)\b|[✓✔✅☑])", re.IGNORECASE)
_FALSE_AHEAD = re.compile(r"[-–—:]\s*(?:this is |that is |that's |it's )?(?:(?:incorrect|false|wrong|no|not\s+(?:correct|true|right))\b|[✗✘❌✕])", re.IGNORECASE)
_BARE_LINE = re.compile(r"^[\s>#*\-•(\[\"'<]*(?:option\s+|choice\s+|letter\s+)?[(\[\"']?([A-Za-z])[)\]\"'>.,:!]*\s*$", re.MULTILINE | re.IGNORECASE)
_TAG = re.compile(r"<(answer|choice|final|final_answer|ans|option|selection|solution|result)>\s*(.{0,200}?)\s*</\1>", re.IGNORECASE | re.DOTALL)
_BOX = re.compile(r"\\boxed\s*\{")
_HYPOTHETICAL = re.compile(r"\b(?:if|had|were|unless|suppose|supposing|assuming|would have)\b", re.IGNORECASE)
_LEADING = re.compile(
    r"[\s*_(\[\"'<>#]{0,8}(?:option\s+|choice\s+|answer\s+)?[(\[\"']?(?P<letter>[A-Za-z])(?P<mark>[)\].:,\"'—–-]{0,3})\s*(?P<rest>[^\n]*)", re.IGNORECASE
)
_CONNECTIVES = ("so", "thus", "therefore", "hence", "consequently", "matches", "corresponds to", "leaving")


def selections(text: str, label: str, options: Options) -> list[Selection]:
    """Every selection in `text`, in no particular order."""
    found: list[Selection] = []
    whole = _whole(text, options)
    if whole is not None:
        return [whole]
    found.extend(_tags(text, options))
    found.extend(_cues(text, _cue_of(label), options))
    found.extend(_predicates(text, options))
    found.extend(_verdict_lines(text, options))
    found.extend(_lines(text, options, found))
    if not found and not is_refusal(text):
        found.extend(_by_text(text, options))
    return found


def _whole(text: str, options: Options) -> Selection | None:
    """The selection of a text that is nothing but a letter, or nothing but the text of an option."""
    bare = text.strip().strip(" .,;:!?*_`\"'()[]{}<>$#").strip()
    if len(bare) == 1 and bare.upper() in options.letters and not options.is_text(bare):
        return Selection(0, bare.upper(), "the answer is the letter")
    letter = options.of_text(text)
    return Selection(0, letter, "the answer is the text of the option") if letter is not None else None


def _in_range(position: int, letter: str, options: Options, note: str) -> Selection:
    upper = letter.upper()
    if upper not in options.letters:
        return Selection(position, None, "the letter is none of the options")
    if options.is_text(upper):
        return Selection(position, None, "the letter is also the text of another option")
    return Selection(position, upper, note)


def _tags(text: str, options: Options) -> list[Selection]:
    found = []
    if "<" in text:
        for tag in _TAG.finditer(text):
            inner = _whole(tag[2], options)
            leading = _LEADING.fullmatch(tag[2])
            if inner is not None:
                found.append(Selection(tag.start(), inner.letter, "inside answer tags"))
            elif leading is not None and leading["mark"] and leading["letter"].upper() in options.letters:
                found.append(Selection(tag.start(), leading["letter"].upper(), "inside answer tags"))
    return found


@lru_cache(maxsize=256)
def _cue_of(label: str) -> re.Pattern[str] | None:
    """The part's own label as a cue, where it is not one of the usual ones."""
    if re.fullmatch(r"(?i)answer", label):
        return None
    words = [re.escape(word) for word in re.findall(r"[^\W_]+", label)]
    if not words:
        return None
    return re.compile(r"(?<![^\W_])" + r"[\s_\-]*".join(words) + r"[\s*_`\"'\])]{0,6}[:=]", re.IGNORECASE)


def _cues(text: str, own: re.Pattern[str] | None, options: Options) -> list[Selection]:
    found = []
    for cue in _CUE.finditer(text):
        if cue["infer"] is not None:
            selection = _inferred(text, cue, options)
        else:
            kind = (cue["kind"] or "").lower()
            if re.search(rf"\b(?:{_WRONG})\b", kind) or (cue["verb"] and _NOT.search(text[max(0, cue.start() - 25) : cue.start()])):
                continue
            selection = _after_cue(text, cue.end(), options, explicit=(cue["link"] or "") in (":", "="))
        if selection is not None and not _hypothetical(text, cue.start()):
            found.append(selection)
    if own is not None:
        for mark in own.finditer(text):
            selection = _after_cue(text, mark.end(), options, explicit=True)
            if selection is not None:
                found.append(selection)
    return found


def _hypothetical(text: str, position: int) -> bool:
    """Whether the sentence supposes something: "if it were a trap, the answer would be A"."""
    start = max(text.rfind(".", 0, position), text.rfind("\n", 0, position), text.rfind(";", 0, position)) + 1
    return _HYPOTHETICAL.search(text[max(start, position - 200) : position]) is not None


def _after_cue(text: str, position: int, options: Options, explicit: bool) -> Selection | None:
    """What is selected behind a cue that ends at `position`."""
    for _ in range(3):
        if _NOT_AHEAD.match(text, position):
            but = re.compile(r"[^.\n]{0,60}?\bbut\b(?:\s+(?:rather|instead|it is|it's))?", re.IGNORECASE).match(text, position)
            if but is None:
                return None
            position = but.end()
        fill = _FILLERS.match(text, position)
        position = fill.end() if fill is not None else position
        box = re.compile(r"[\s*_`$({\[\"'<>]*").match(text, position)
        inner = box.end() if box is not None else position
        by_text = options.pattern.match(text, inner)
        letter = _LETTER.match(text, position)
        if by_text is not None and (letter is None or by_text.end() > letter.end("letter")):
            return _text_selection(text, by_text, options)
        if letter is None:
            return None
        return _letter_selection(text, letter, options, explicit)
    return None


def _letter_selection(text: str, letter: re.Match[str], options: Options, explicit: bool) -> Selection | None:
    sign = letter["letter"]
    end = letter.end()
    enclosed = bool(letter["close"]) and letter.start("letter") > letter.start()
    if not enclosed:
        if sign.islower() and not (explicit and re.compile(r"\s*(?:$|[.)\n])").match(text, end)):
            return None
        if sign in "AI" and not letter["close"] and not _GOES_ON.match(text, end):
            return None
        if sign == "I" and re.compile(r"\s+[a-z']").match(text, end):
            return None
    if text[end : end + 1] in ("-", "+", "#") and text[end + 1 : end + 2].strip() and not text[end + 1 : end + 2].isspace():
        return None
    other = _COMPOUND.match(text, end)
    if other is not None and other["other"] in options.letters and other["other"] != sign.upper() and not _clause_follows(text, other):
        return Selection(letter.start(), None, "several options are named")
    named = _named_text(text, end, options)
    if named is not None and named != sign.upper():
        return Selection(letter.start(), None, "the letter and the text of the option differ")
    return _in_range(letter.start(), sign, options, "the letter follows a cue")


def _clause_follows(text: str, other: re.Match[str]) -> bool:
    """Whether the second letter begins a clause of its own: "B, and C is a distractor"."""
    joint = text[other.start() : other.start("other")]
    if other["other"] == "I" or (other["other"] == "A" and re.compile(r"\s+[a-z]").match(text, other.end())):
        return re.compile(r"\s+[a-z']").match(text, other.end()) is not None
    if re.compile(r"\s+(?:is|was|isn't|wasn't|would|does|doesn't|can|cannot|refers|describes|has|only)\b").match(text, other.end()):
        return True
    return joint.strip() == "" and "\n" in joint or bool(re.compile(r"[.)]").match(text, other.end()) and "\n" in joint)


def _named_text(text: str, position: int, options: Options) -> str | None:
    """The option whose text follows a letter directly."""
    gap = re.compile(r"[\s).:\]\"'(*_—–,-]{0,8}").match(text, position)
    start = gap.end() if gap is not None else position
    match = options.pattern.match(text, start)
    if match is None or (start == position) or "\n" in text[position:start]:
        return None
    ends = re.compile(r"\s*(?:$|[.,;!?)\]\"'\n*_—–(])").match(text, match.end())
    return options.of_match(match) if ends is not None else None


def _text_selection(text: str, match: re.Match[str], options: Options) -> Selection | None:
    letter = options.of_match(match)
    other = re.compile(r"\s*(?:,|/|&|\band\b|\bor\b)\s*(?:the\s+)?", re.IGNORECASE).match(text, match.end())
    if other is not None:
        second = options.pattern.match(text, other.end())
        if second is not None and options.of_match(second) != letter:
            return Selection(match.start(), None, "several options are named")
    if letter is None:
        return Selection(match.start(), None, "two options have this text")
    return Selection(match.start(), letter, "the text of the option follows a cue")


def _inferred(text: str, cue: re.Match[str], options: Options) -> Selection | None:
    """A conclusion without the word answer: "so it must be C." Only a letter that ends its clause counts."""
    position = cue.end()
    if _NOT.search(text[max(0, cue.start() - 12) : cue.start()]) or _NOT_AHEAD.match(text, position):
        return None
    gap = re.compile(r"[\s,:]*(?:(?:clearly|definitely|probably|option|choice|answer|the|letter|likely|just|only)\s+){0,3}", re.IGNORECASE).match(text, position)
    position = gap.end() if gap is not None else position
    letter = _LETTER.match(text, position)
    if letter is not None and letter["letter"].isupper() and (_ENDS.match(text, letter.end()) or letter["close"]):
        sign = letter["letter"]
        if sign in "AI" and not letter["close"] and not re.compile(r"\s*(?:$|[.,;:!?\n—–(])").match(text, letter.end()):
            return None
        if _PREDICATED.match(text, letter.end()):
            return None
        return _letter_selection(text, letter, options, explicit=False)
    if cue["infer"].lower() in _CONNECTIVES:
        return None
    return None


_PREDICATED = re.compile(r"\s*(?:is|are|was)\b")


def _predicates(text: str, options: Options) -> list[Selection]:
    found = []
    for match in _PREDICATE.finditer(text):
        if re.search(r"\b(?:not|never|n't|hardly|in|partially|partly|almost)\b", match["adverbs"]) or _hypothetical(text, match.start()):
            continue
        if _NOT.search(text[max(0, match.start() - 12) : match.start()]):
            continue
        if match["and"] or match["both"] or match["both2"]:
            found.append(Selection(match.start(), None, "several options are named"))
        elif match["letter"] in options.letters:
            before = re.compile(r"(?:\band|\bor|,|/|&)\s*(?:option\s+)?[(\[]?$", re.IGNORECASE).search(text[max(0, match.start("letter") - 14) : match.start("letter")])
            prior = before is not None and re.search(r"\b[A-Z][)\]]?\s*(?:\band|\bor|,|/|&)\s*(?:option\s+)?[(\[]?$", text[max(0, match.start("letter") - 20) : match.start("letter")])
            if prior:
                found.append(Selection(match.start(), None, "several options are named"))
            else:
                found.append(_in_range(match.start(), match["letter"], options, "the letter is called the answer"))
    return found


def _verdict_lines(text: str, options: Options) -> list[Selection]:
    """Options judged one a line: the only one called correct."""
    right: dict[str, int] = {}
    wrong: set[str] = set()
    for line in _LINE.finditer(text):
        letter, rest = line[1].upper(), line[2]
        if letter not in options.letters:
            continue
        if _FALSE.search(rest) or _FALSE_AHEAD.search(rest):
            wrong.add(letter)
        elif _RIGHT.search(rest) or _RIGHT_AHEAD.search(rest):
            right[letter] = line.start()
    if len(right) + len(wrong) < 2:
        return []
    if len(right) == 1:
        letter, position = next(iter(right.items()))
        return [] if letter in wrong else [Selection(position, letter, "the only option judged correct")]
    if len(right) > 1:
        return [Selection(max(right.values()), None, "several options are judged correct")]
    return []


def _lines(text: str, options: Options, found: list[Selection]) -> list[Selection]:
    """Letters on a line of their own, and a letter that opens the answer."""
    lines = [line for line in _BARE_LINE.finditer(text) if line[1].upper() in options.letters]
    chosen: list[Selection] = []
    if lines and len({line[1].upper() for line in lines}) == 1:
        line = lines[-1]
        if line[1].isupper() or "(" in line.group():
            chosen.append(_in_range(line.start(1), line[1], options, "the letter stands on a line of its own"))
    elif len(lines) > 1 and not text[lines[-1].end() :].strip() and "\n\n" in text[lines[-2].end() : lines[-1].start() + 2]:
        chosen.append(_in_range(lines[-1].start(1), lines[-1][1], options, "the last line is the letter"))
    leading = _LEADING.match(text)
    if leading is not None and leading["letter"].upper() in options.letters:
        opening = _opening(text, leading, options)
        if opening is not None and not (found and opening.letter is None):
            chosen.append(opening)
    return chosen


def _opening(text: str, leading: re.Match[str], options: Options) -> Selection | None:
    """An answer that opens with its letter: "C) Berlin", "B, because ...", "Option D". A list of the options does not."""
    letter, rest = leading["letter"], leading["rest"].strip()
    position = leading.start("letter")
    end = leading.end("letter")
    if letter.islower() and not leading["mark"].startswith(")"):
        return None
    if re.compile(r"\w|'\w").match(text, end):
        return None
    other = _COMPOUND.match(text, leading.end("mark")) or _COMPOUND.match(text, end)
    if other is not None and other["other"] in options.letters and other["other"] != letter.upper() and not _clause_follows(text, other):
        return Selection(position, None, "several options are named")
    if _lists_options(text, options):
        return None
    named = options.of_text(re.sub(r"\s*[\(\[—–].*$", "", rest)) or options.of_text(rest)
    if named is None:
        match = options.pattern.match(rest)
        named = options.of_match(match) if match is not None and re.compile(r"\s*(?:$|[.,;!?(—–-])").match(rest, match.end()) else None
    if named is not None:
        if named != letter.upper():
            return Selection(position, None, "the letter and the text of the option differ")
        return _in_range(position, letter, options, "the answer opens with the letter and its text")
    reason = re.compile(r"\s*[)\].:,\"'—–-]{0,3}\s*(?:$|\n|because\b|since\b|as\b|due\b|[—–-]\s)", re.IGNORECASE).match(text, end)
    if reason is not None and letter.isupper():
        return _in_range(position, letter, options, "the answer opens with the letter")
    if leading["mark"][:1] in (")", ".", ":") and letter != "I" and letter.isupper():
        return _in_range(position, letter, options, "the answer opens with the letter")
    return None


def _lists_options(text: str, options: Options) -> bool:
    """Whether the text goes through several options by their letters."""
    marks = {match[1] for match in re.finditer(r"(?:^|[\s(])([A-Z])[).:]\s", text) if match[1] in options.letters}
    return len(marks) > 1


def _by_text(text: str, options: Options) -> list[Selection]:
    """The text of an option at the end of the last sentence, behind a copula."""
    sentences = [sentence for sentence in re.split(r"(?<=[.!?])\s+|\n+", text.strip()) if sentence.strip()]
    if not sentences:
        return []
    last = sentences[-1]
    matches = list(options.pattern.finditer(last))
    letters = {options.of_match(match) for match in matches}
    if len(letters) != 1 or None in letters or _NOT.search(last[: matches[-1].start()]) or _HYPOTHETICAL.search(last):
        return []
    match = matches[-1]
    before, behind = last[: match.start()], last[match.end() :]
    letter = letters.pop()
    copula = re.search(r"(?:\b(?:is|are|was|were|be|be called|namely|as|called|being|choose|answer|remains|gives|yields|equals)|[:=→≈—–])\s*(?:the\s+|an?\s+)?[\"'(]*$", before, re.IGNORECASE)
    if copula is not None and not behind.strip(" .!\"')*_"):
        return [Selection(match.start(), letter, "the last sentence ends in the text of the option")]
    named = re.match(r"\s*(?:is|would be|seems|must be)\s+(?:\w+\s+){0,2}?(?:correct|right|best|the (?:correct |right |best )?(?:answer|option|choice))\b", behind, re.IGNORECASE)
    if named is not None and not re.search(r"\bnot\b", named.group()):
        return [Selection(match.start(), letter, "the text of the option is called the answer")]
    return []
