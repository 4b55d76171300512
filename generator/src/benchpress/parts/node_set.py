"""The part type `node_set`: a set of names."""

from benchpress.items import Item, Part, PartResult, Reading
from benchpress.parts.tagged import last_field


class NodeSet:
    def read(self, text: str, part: Part, item: Item) -> Reading:
        field = last_field(text, part.id)
        if not field:
            return Reading(None, "no answer behind the label", field)
        names = {name.strip() for name in field.strip("{}[]").split(",")} - {""}
        return Reading(sorted(names), "read behind the label", field)

    def score(self, reading: Reading, part: Part, item: Item) -> PartResult:
        accepted = [sorted(part.gold), *(sorted(other) for other in part.params.get("accept", ()))]
        correct = reading.value is not None and reading.value in accepted
        return PartResult(part.id, part.type, reading.value, part.gold, correct, reading.note)


NODE_SET = NodeSet()
