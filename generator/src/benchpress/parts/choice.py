"""The part type `choice`: one of the options printed as A, B, C, ..., read from free text.

The reader is layered and abstains rather than guesses. Every place where the text selects something is found, by letter
or by the text of an option; the last one decides, and where it names several options or none there is no answer.
"""

import re
from collections.abc import Sequence

from benchpress.items import Item, Part, PartResult, Reading
from benchpress.parts.blanks import says_nothing
from benchpress.parts.document import document
from benchpress.parts.judged import judged
from benchpress.parts.labelled import labels_of
from benchpress.parts.layout import (
    BOX_CLOSES,
    BOX_OPENS,
    in_boxes,
    in_tags,
    lone_lines,
    mark_boxes,
    opening,
    under_keys,
    whole,
    with_own_text,
)
from benchpress.parts.markup import strip_markup
from benchpress.parts.options import Options, options_of
from benchpress.parts.predicates import by_predicate
from benchpress.parts.revisions import revisions
from benchpress.parts.selections import Selection, after_cues
from benchpress.parts.tagged import Fields, fields_of
from benchpress.parts.unannounced import closing_letter, closing_text, opening_text, short_answer
from benchpress.status import is_refusal

HEAD, TAIL = 3_000, 9_000
"""How much of a long answer is read, in characters from its beginning and from its end."""

_LAST_LINE = re.compile(
    r"[ *_(\[\"']{0,6}(?:(?:the |my )?(?:final |correct )?answer(?: is)?[ *_]{0,4}[:=]?[ *_]{1,6})?[(\[\"'*_ "
    r"]{0,4}(?P<letter>[A-Z])[)\]\"'*_. ]{0,6}",
    re.IGNORECASE,
)


class Choice:
    """A letter: right when it is the gold."""

    def read(self, text: str, part: Part, item: Item) -> Reading:
        """The letter that the answer settles on; null where it settles on none, on several, or on one out of range."""
        options = options_of(tuple(map(str, part.params.get("options") or ())))
        if len(item.parts) > 1:
            return _read_labelled(fields_of(text, labels_of(item)), part.id, options)
        return read_choice(_plain_letters(document(text).text), part.id, options)

    def score(self, reading: Reading, part: Part, item: Item) -> PartResult:  # noqa: ARG002 - the seam hands it over
        correct = reading.value is not None and reading.value == part.gold
        return PartResult(part.id, part.type, reading.value, part.gold, correct, reading.note)


CHOICE = Choice()

_ALIKE = re.compile(r"(?<!\w)[АСΑΒΕ](?!\w)")
_PLAIN = str.maketrans("АСΑΒΕ", "ACABE")


def _plain_letters(text: str) -> str:
    """`text` with Cyrillic and Greek letters that stand alone as the Latin ones they look like.

    Only those that are meant whichever alphabet the options were counted in: the Cyrillic letter that looks like B is
    the third there, so it stays.
    """
    return text if text.isascii() else _ALIKE.sub(lambda match: match.group().translate(_PLAIN), text)


def _read_labelled(seen: Fields, label: str, options: Options) -> Reading:
    """Among other parts, only what stands behind the part's own label is its answer."""
    note = "the label does not occur"
    for count, field in enumerate(seen.of(label)):
        if count >= 50:
            break
        head = field.head if field.head.strip(" *_`") else next(iter(field.below()), "")
        if says_nothing(head) is not None:
            continue
        reading = read_choice(f"Answer: {_plain_letters(head).strip()}", label, options)
        if reading.value is not None or (head.strip() and field.strong):
            return reading
        note = reading.note
    return Reading(None, note)


def read_choice(text: str, label: str, options: Options) -> Reading:
    """The letter in a whole answer to one question."""
    quick = at_the_end(text, options) or in_the_last_line(text, label, options)
    return quick if quick is not None else read_carefully(text, label, options)


def at_the_end(text: str, options: Options) -> Reading | None:
    """The letter of a last line that holds nothing else: no later word can take it back."""
    line = text[text.rstrip().rfind("\n") + 1 :].strip()
    match = _LAST_LINE.fullmatch(line) if len(line) < 60 else None
    if match is None or not match["letter"].isupper() or options.is_text(match["letter"]):
        return None
    if match["letter"] not in options.letters or _has_short_neighbour(text):
        return None
    return Reading(match["letter"], "the last line is the letter", line)


def in_the_last_line(text: str, label: str, options: Options) -> Reading | None:
    """The letter that an announcement in the last line of a longer text names: nothing stands later."""
    end = len(text.rstrip())
    start = text.rfind("\n", 0, end) + 1
    line = text[start:end]
    if start == 0 or len(line) > 500 or "\\" in line or "<" in line:
        return None
    plain = strip_markup(line)
    found = [*after_cues(plain, label, options), *by_predicate(plain, options), *revisions(plain, options)]
    found = [selection for selection in found if not selection.remark]
    reading = _settle(found, plain) if found else None
    return reading if reading is not None and reading.value is not None else None


def _has_short_neighbour(text: str) -> bool:
    """Whether the line above the last could be a single letter too, so that neither is a selection."""
    above = text.rstrip().rsplit("\n", 2)[-2:-1]
    return bool(above) and 0 < len(above[0].strip()) < 40


def read_carefully(text: str, label: str, options: Options) -> Reading:
    """The careful path: all selections of the text, of which the last decides."""
    if len(text) > HEAD + TAIL:
        text = text[:HEAD] + "\n\n" + text[-TAIL:]
    plain = strip_markup(mark_boxes(text))
    boxed = in_boxes(plain, options)
    plain = plain.translate(_NO_MARKS)
    alone = whole(plain, options)
    if alone is not None:
        return _settle([alone], plain)
    found = [
        *boxed,
        *in_tags(plain, options),
        *under_keys(text, options),
        *after_cues(plain, label, options),
        *by_predicate(plain, options),
        *revisions(plain, options),
        *judged(plain, options),
        *lone_lines(plain, options),
        *with_own_text(plain, options),
    ]
    opened = opening(plain, options)
    if not found or not opened or opened[0].letter is not None:
        found += opened
    if not found and not is_refusal(plain):
        fallbacks = (short_answer, closing_text, closing_letter, opening_text)
        found = next((read for fallback in fallbacks if (read := fallback(plain, options))), [])
    return _settle(found, plain)


_NO_MARKS = {ord(BOX_OPENS): " ", ord(BOX_CLOSES): " "}


def _settle(found: Sequence[Selection], text: str) -> Reading:
    if not found:
        return Reading(None, "no option is selected")
    if any(selection.letter is not None and not selection.remark for selection in found):
        found = [selection for selection in found if not selection.remark]
    last = max(found, key=lambda selection: (selection.position, selection.letter is not None))
    source = text[max(0, last.position - 40) : last.position + 60].strip()
    return Reading(last.letter, last.note, source)
