"""The part type `number`: exact rational reading, inclusive tolerance."""

import re
from fractions import Fraction

from benchpress.items import Item, Part, PartResult, Reading
from benchpress.parts.tagged import last_field


class Number:
    def read(self, text: str, part: Part, item: Item) -> Reading:
        field = last_field(text, part.id)
        match = re.fullmatch(r"[-+]?\d{1,400}(?:\.\d{1,400}|/\d{1,400})?", field)
        if match is None:
            return Reading(None, "no number could be read", field)
        return Reading(match.group().lstrip("+"), "read behind the label", field)

    def score(self, reading: Reading, part: Part, item: Item) -> PartResult:
        tolerance = Fraction(str(part.params.get("tolerance", "0")))
        correct = reading.value is not None and abs(Fraction(reading.value) - Fraction(str(part.gold))) <= tolerance
        return PartResult(part.id, part.type, reading.value, part.gold, correct, reading.note)


NUMBER = Number()
