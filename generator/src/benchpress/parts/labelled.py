"""Part types whose value stands behind a label: the walk over its fields, from the last to the first."""

from abc import ABC, abstractmethod

from benchpress.items import Item, Json, Part, PartResult, Reading
from benchpress.parts.outcome import Kind, Outcome
from benchpress.parts.tagged import MAX_FIELD, Field, document

PATIENCE_FIELDS = 500
PLACES_SHOWN = 20
PATIENCE_CHARACTERS = 16_384
"""How much of an answer is looked through for one part. Beyond it the part counts as unread."""


class LabelledPart(ABC):
    """A part type that reads one field at a time. Subclasses say what a field holds and whether a value is right."""

    @abstractmethod
    def parse(self, field: Field, part: Part) -> Outcome:
        """What `field` holds. Never raises, whatever the text."""

    @abstractmethod
    def accepts(self, value: Json, part: Part) -> bool:
        """Whether the value read is the part's gold or as good."""

    def read(self, text: str, part: Part, item: Item) -> Reading:
        """The last value given behind the part's label; null where there is none, where it was taken back, or where
        what is said there could be read in two ways."""
        labels = tuple(other.id for other in item.parts)
        note = "the label does not occur"
        seen: dict[tuple[str, bool], str] = {}
        budget = PATIENCE_CHARACTERS
        for count, field in enumerate(document(text, labels).fields(part.id)):
            head = field.head
            if head.strip() and (head, field.strong) in seen:
                note = seen[head, field.strong]
                continue
            budget -= min(len(head), MAX_FIELD)
            if budget < 0 or count >= PATIENCE_FIELDS:
                return Reading(None, "the label occurs too often to be an answer", head[:200])
            outcome = self.parse(field, part)
            if _decides(outcome, field):
                return Reading(outcome.value, outcome.note or "read behind the label", head)
            note = seen[head, field.strong] = outcome.note
        return Reading(None, note)

    def trace(self, text: str, part: Part, item: Item) -> list[dict[str, Json]]:
        """Every place where the part's label stands, in the order in which they are considered: line, what stands there,
        what it was taken for, and whether it decided the reading."""
        labels = tuple(other.id for other in item.parts)
        places: list[dict[str, Json]] = []
        decided = False
        for field in document(text, labels).fields(part.id):
            if len(places) == PLACES_SHOWN:
                break
            outcome = self.parse(field, part)
            counts = not decided and _decides(outcome, field)
            decided = decided or counts
            places.append(
                {
                    "line": field.line,
                    "text": field.head.strip()[:200],
                    "kind": outcome.kind.value,
                    "value": outcome.value,
                    "note": outcome.note,
                    "counts": counts,
                }
            )
        return places

    def score(self, reading: Reading, part: Part, item: Item) -> PartResult:  # noqa: ARG002 - the seam hands it over
        correct = reading.value is not None and self.accepts(reading.value, part)
        return PartResult(part.id, part.type, reading.value, part.gold, correct, reading.note, reading.metrics)


def _decides(outcome: Outcome, field: Field) -> bool:
    """Whether no earlier field counts any more."""
    return outcome.kind in (Kind.VALUE, Kind.WITHDRAWN) or (
        outcome.kind is Kind.UNCLEAR and field.strong and not field.exact
    )
