"""Selections by the shape of an answer: boxes, tags, verdicts a line, letters on their own line or at the start."""

import re

from benchpress.parts.options import Options
from benchpress.parts.selections import Selection, compound, in_range, is_supposed, named_text

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
_DASH = re.compile(r"^[-–—]\s+")
_REMARK = re.compile(r"\s*[(\[—–].*$")
_TEXT_ENDS = re.compile(r"\s*(?:$|[.,;!?(—–-])")


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
    last = _last_line(text, options)
    if last is not None:
        return [last]
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


def _last_line(text: str, options: Options) -> Selection | None:
    """A last paragraph, or the rest of the text behind a sentence, that is a letter with the text of its option, or
    that text alone: "**B. Ribosome**". Where the options are listed, the last of them is no answer.
    """
    end = len(text.rstrip())
    paragraph = text.rfind("\n\n", 0, end) + 2
    above = text[: max(0, paragraph - 2)].rstrip().rsplit("\n", 1)[-1]
    if paragraph > 1 and options.of_text(text[paragraph:end]) is not None and not _is_option(above, options):
        return Selection(paragraph, options.of_text(text[paragraph:end]), "the last line is the text of the option")
    match = _LAST.search(text, max(0, end - 500), end)
    if match is None or options.of_text(match["rest"]) != match["letter"] or _is_option(above, options):
        return None
    listed = [label for label in _LISTED.finditer(text[:6_000]) if _own_text(text, label, options)]
    if len(listed) > 1:
        return None
    return in_range(match.start("letter"), match["letter"], options, "the last line is the letter with its text")


_LAST = re.compile(r"(?:\n\n|[.!?]\s)[*_]{0,2}[(\[]?(?P<letter>[A-Z])[).:\]]\s*(?P<rest>[^\n]{1,400})$")


def _is_option(line: str, options: Options) -> bool:
    leading = _LEADING.fullmatch(line)
    own = leading is not None and options.of_text(leading["rest"]) == leading["letter"].upper()
    return own or options.of_text(line) is not None


def _own_text(text: str, label: re.Match[str], options: Options) -> bool:
    named = options.pattern.match(text, label.end())
    return named is not None and options.of_match(named) == label["letter"]


def with_own_text(text: str, options: Options) -> list[Selection]:
    """A letter and the text of its option behind a copula: "the gas is C. Carbon dioxide"."""
    return [
        in_range(match.start("letter"), match["letter"], options, "the letter with its text")._replace(remark=True)
        for match in _IS_LETTER.finditer(text)
        if named_text(text, match.end("letter"), options) == match["letter"]
        and not is_supposed(text, match.start("letter"))
    ]


_IS_LETTER = re.compile(r"\b(?:is|be)\s+[*_]{0,2}[(\[]?(?P<letter>[A-Z])[).:\]]")


def opening(text: str, options: Options) -> list[Selection]:
    """An answer that opens with its letter: "C) Berlin", "B, because ...", "Option D"; no list of the options."""
    leading = _LEADING.match(text)
    if leading is None or leading["letter"].upper() not in options.letters:
        return []
    letter, mark, rest = leading["letter"], leading["mark"], _DASH.sub("", leading["rest"].strip())
    position, end = leading.start("letter"), leading.end("letter")
    if letter.islower() and not mark.startswith(")") and _named(rest, options) != letter.upper():
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
