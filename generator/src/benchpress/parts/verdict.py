"""The part type `verdict`: one word of a vocabulary."""

from benchpress.items import Item, Part, PartResult, Reading
from benchpress.parts.tagged import last_field


class Verdict:
    def read(self, text: str, part: Part, item: Item) -> Reading:
        field = last_field(text, part.id)
        words = {word.casefold(): word for word in part.params.get("vocabulary", ("yes", "no"))}
        value = words.get(field.casefold())
        return Reading(value, "read behind the label" if value else "no verdict could be read", field)

    def score(self, reading: Reading, part: Part, item: Item) -> PartResult:
        correct = reading.value is not None and reading.value == part.gold
        return PartResult(part.id, part.type, reading.value, part.gold, correct, reading.note)


VERDICT = Verdict()
