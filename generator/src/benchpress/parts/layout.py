"""Selections by the shape of an answer: boxes, tags, verdicts a line, letters on their own line or at the start."""

import re

from benchpress.parts.options import Options
from benchpress.parts.selections import Selection, compound, in_range, is_supposed

_TAG = re.compile(
    r"<(answer|choice|final|final_answer|ans|option|selection|solution|result|response|output)>([^<]{0,400})</\1>",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"\"(?:(?:final|correct|selected|chosen|best)_?)?(?:answer|choice|option|letter|selection|response|prediction)"
    r"(?:_(?:letter|choice|key))?\"\s*:\s*\"(?P<value>[^\"\n]{1,400})\"",
    re.IGNORECASE,
)
_BARE_LINE = re.compile(
    r"[\s>#*\-•(\[\"'<]*(?:option\s+|choice\s+|letter\s+)?[(\[\"']?([A-Za-z])[)\]\"'>.,:!*_]*\s*",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"[\s*_(\[\"'<>#]{0,8}(?:option\s+|choice\s+|answer\s+)?[(\[\"']?(?P<letter>[A-Za-z])(?P<mark>[)"
    r"\].:,\"'*—–-]{0,4})\s*(?P<rest>[^\n]*)",
    re.IGNORECASE,
)
_REASON = re.compile(r"\s*[)\].:,\"'*—–-]{0,4}\s*(?:$|\n|because\b|since\b|as\b|due\b|[—–-]\s)", re.IGNORECASE)
_PRONOUN_REASON = re.compile(r"[)\].:]{0,2}\s*(?:$|\n)|,?\s+(?:because|since)\b", re.IGNORECASE)
_LISTED = re.compile(r"(?:(?:^|\n)[\s>*#•-]*\(?|[.;!?]\s+\(?|(?P<inside>[\s(]))(?P<letter>[A-Z])[).:]\s+")
_REMARK = re.compile(r"\s*[(\[—–].*$")
_TEXT_ENDS = re.compile(r"\s*(?:$|[.,;!?(—–-])")
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
_APPOSITION = re.compile(r"[\"'*_]{0,3},\s*(?:the|which|because|since|as|an?|not|rather|instead)\b", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:not|never|neither|nor|cannot|rather than|instead of|except)\b|n't\b", re.IGNORECASE)


def whole(text: str, options: Options) -> Selection | None:
    """The selection of a text that is nothing but a letter, or nothing but the text of an option."""
    bare = text.strip().strip(" .,;:!?*_`\"'()[]{}<>$#").strip()
    if len(bare) == 1 and bare.upper() in options.letters:
        return in_range(0, bare, options, "the answer is the letter")
    letter = options.of_text(text) if len(text) < 2_000 else None
    return Selection(0, letter, "the answer is the text of the option") if letter is not None else None


def in_tags(text: str, options: Options) -> list[Selection]:
    """What stands in answer tags, as far as it is a letter or the text of an option."""
    found = []
    if "</" in text:
        for tag in _TAG.finditer(text):
            inner = whole(tag[2], options)
            leading = _LEADING.fullmatch(tag[2].strip())
            if inner is not None:
                found.append(Selection(tag.start(), inner.letter, "inside answer tags"))
            elif leading is not None and leading["mark"] and leading["letter"].upper() in options.letters:
                found.append(in_range(tag.start(), leading["letter"], options, "inside answer tags"))
    return found


def under_keys(text: str, options: Options) -> list[Selection]:
    """What stands under the keys of a JSON object that are named for an answer."""
    found = []
    for key in _KEY.finditer(text) if '":' in text else ():
        inner = whole(key["value"], options)
        if inner is not None:
            found.append(inner._replace(position=key.start("value"), note="under a key for the answer"))
    return found


BOX_OPENS, BOX_CLOSES = "\ue020", "\ue021"
_BOX = re.compile(rf"{BOX_OPENS}([^{BOX_OPENS}{BOX_CLOSES}]{{0,400}}){BOX_CLOSES}")


def mark_boxes(text: str) -> str:
    r"""`text` with what every ``\boxed{...}`` holds between two marks, to know it once LaTeX is taken off."""
    pieces: list[str] = []
    position = 0
    while (start := text.find("\\boxed{", position)) >= 0:
        end = _closing_brace(text, start + 6)
        if end < 0:
            break
        pieces += [text[position:start], BOX_OPENS, text[start + 6 : end + 1], BOX_CLOSES]
        position = end + 1
    return "".join(pieces) + text[position:]


def _closing_brace(text: str, start: int) -> int:
    depth = 0
    for position in range(start, min(len(text), start + 400)):
        if text[position] == "{":
            depth += 1
        elif text[position] == "}":
            depth -= 1
            if depth == 0:
                return position
    return -1


def in_boxes(text: str, options: Options) -> list[Selection]:
    """What stands in boxes, as far as it is a letter or the text of an option; boxed mathematics selects nothing."""
    found: list[Selection] = []
    end = -1
    for box in _BOX.finditer(text) if BOX_OPENS in text else ():
        content = box[1].strip(" {}")
        inner = whole(content, options)
        leading = _LEADING.fullmatch(content)
        if inner is not None:
            found.append(inner._replace(position=box.start(), note="in a box"))
        elif leading is not None and _named(leading["rest"], options) == leading["letter"].upper():
            found.append(in_range(box.start(), leading["letter"], options, "in a box"))
        else:
            continue
        if end >= 0 and found[-1].letter != found[-2].letter and _JOINS.fullmatch(text, end, box.start()):
            found[-1] = Selection(box.start(), None, "several options are named")
        end = box.end()
    return found


_JOINS = re.compile(r"[\s$,;/&]*(?:and|or)?[\s$]*")


def lone_lines(text: str, options: Options) -> list[Selection]:
    """Letters on a line of their own: the same one wherever they stand, or one apart from the others at the end."""
    lone: list[tuple[int, str, bool]] = []
    position = 0
    after_blank = True
    for line in text.split("\n"):
        match = _BARE_LINE.fullmatch(line) if len(line) < 40 else None
        if match is not None and match[1].upper() in options.letters and (match[1].isupper() or "(" in line):
            lone.append((position + match.start(1), match[1], after_blank))
        after_blank = not line.strip()
        position += len(line) + 1
    if not lone:
        return []
    begin, letter, apart = lone[-1]
    if len({entry[1].upper() for entry in lone}) == 1:
        return [in_range(begin, letter, options, "the letter stands on a line of its own")]
    if apart and not text[begin + 1 :].strip(" )].*_\"'>\n"):
        return [in_range(begin, letter, options, "the last line is the letter")]
    return [Selection(begin, None, "several letters stand on lines of their own")]


def opening(text: str, options: Options) -> list[Selection]:
    """An answer that opens with its letter: "C) Berlin", "B, because ...", "Option D"; no list of the options."""
    leading = _LEADING.match(text)
    if leading is None or leading["letter"].upper() not in options.letters:
        return []
    letter, mark, rest = leading["letter"], leading["mark"], leading["rest"].strip()
    position, end = leading.start("letter"), leading.end("letter")
    if letter.islower() and not mark.startswith(")"):
        return []
    if text[end : end + 1].isalnum() or (text[end : end + 1] == "'" and text[end + 1 : end + 2].isalnum()):
        return []
    named = _named(rest, options)
    if letter == "A" and mark == ":" and named is None:
        # "A:" opens the answer of a transcript.
        inner = whole(rest, options)
        return [inner._replace(position=position)] if inner is not None else []
    if named is None and (compound(text, leading.end("mark"), letter, options) or compound(text, end, letter, options)):
        return [Selection(position, None, "several options are named")]
    if _lists_options(text, letter.upper(), options):
        return []
    if named is not None and named != letter.upper():
        return [Selection(position, None, "the letter and the text of the option differ")]
    marked = mark[:1] in (")", ".", ":", "*", "]") and letter != "I"
    reason = (_REASON if letter != "I" else _PRONOUN_REASON).match(text, end)
    if named is not None or (letter.isupper() and (reason or marked)):
        return [in_range(position, letter, options, "the answer opens with the letter")]
    return []


def _lists_options(text: str, first: str, options: Options) -> bool:
    """Whether what opens with the letter `first` goes on as a list of the options, `first` one of them.

    An answer may be followed by a list of the others: its letter then stands out of order and does not return.
    """
    listed = []
    for label in _LISTED.finditer(text[:6_000]):
        letter = label["letter"]
        # "(C)" within a sentence refers to an option, unless the option itself follows.
        inside = label["inside"] == "(" and text[label.end() : label.end() + 1].islower()
        if letter in options.letters and not (inside and options.pattern.match(text, label.end()) is None):
            listed.append(letter)
    if len(set(listed)) < 2:
        return False
    return listed[0] != first or listed.count(first) > 1 or listed[1] > first


def _named(rest: str, options: Options) -> str | None:
    """The option whose text `rest` is, or begins with."""
    named = options.of_text(_REMARK.sub("", rest)) or options.of_text(rest)
    if named is None:
        match = options.pattern.match(rest)
        named = options.of_match(match) if match is not None and _TEXT_ENDS.match(rest, match.end()) else None
    return named


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
_REASONED = re.compile(r"[*_\"')]{0,4}(?:[.!\n]|,?\s+(?:because|since|as)\b|\s+is\s+the\b|\s[—–-]\s)", re.IGNORECASE)


def closing_letter(text: str, options: Options) -> list[Selection]:
    """The letter that the last sentence names as the one that fits: "the only statement that agrees is (F)."."""
    tail = text.strip()[-2_000:]
    last = next((sentence for sentence in reversed(_SENTENCES.split(tail)) if sentence.strip()), "")
    match = _CLOSING_LETTER.search(last)
    if match is None or match["letter"] not in options.letters or is_supposed(last, match.start("letter")):
        return []
    if _NEGATION.search(last[: match.start("letter")]) or _DOUBTED.search(last):
        return []
    position = len(text.rstrip()) - len(last) + match.start("letter")
    return [in_range(position, match["letter"], options, "the last sentence ends in the letter")]


_CLOSING_LETTER = re.compile(
    r"\b(?:only|one|best|statement|exception|single|that|which)\b[^.\n]{0,80}\bis\s+[*_]{0,2}[(\[]?(?P<letter>[A-Z])[)\]]?[*_.!\s]*$"
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
    if _COPULA.search(before) and (not behind.strip(" .!\"')*_") or _APPOSITION.match(behind)):
        return [Selection(position, letters.pop(), "the last sentence ends in the text of the option")]
    called = _CALLED.match(behind)
    if called is not None and not _NEGATION.search(called.group()):
        return [Selection(position, letters.pop(), "the text of the option is called the answer")]
    return []
