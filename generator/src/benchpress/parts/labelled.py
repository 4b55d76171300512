"""Part types whose value stands behind a label: the walk over its fields, from the last to the first."""

from abc import ABC, abstractmethod

from benchpress.items import Item, Json, Part, PartResult, Reading
from benchpress.parts.outcome import Kind, Outcome
from benchpress.parts.tagged import MAX_FIELD, Field, fields_of

PLACES_SHOWN = 20
PATIENCE_FIELDS = 2_000
PATIENCE_CHARACTERS = 2 * MAX_FIELD
"""How much of an answer is looked through for one part. Beyond it the part counts as unread."""


def labels_of(item: Item) -> tuple[str, ...]:
    """The labels that an answer to `item` gives values to."""
    return tuple([part.id for part in item.parts])


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
        note = "the label does not occur"
        seen: dict[tuple[str, bool], str] = {}
        budget = PATIENCE_CHARACTERS
        for count, field in enumerate(fields_of(text, labels_of(item)).of(part.id)):
            head = field.head
            if count:
                if count >= PATIENCE_FIELDS or budget < 0:
                    return Reading(None, "the label occurs too often to be an answer", head[:200])
                if (head, field.strong) in seen and not head.isspace() and head:
                    continue
            outcome = self.parse(field, part)
            if _decides(outcome, field):
                return Reading(outcome.value, outcome.note or "read behind the label", head.strip())
            budget -= min(len(head), MAX_FIELD)
            note = seen[head, field.strong] = outcome.note
        return Reading(None, note)

    def trace(self, text: str, part: Part, item: Item) -> list[dict[str, Json]]:
        """Every place where the part's label stands, in the order in which they are considered: its line, what stands
        there, what it was taken for, and whether it decided the reading."""
        places: list[dict[str, Json]] = []
        decided = False
        for field in fields_of(text, labels_of(item)).of(part.id):
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
        return PartResult(part.id, part.type, reading.value, part.gold, correct, reading.note)


def _decides(outcome: Outcome, field: Field) -> bool:
    """Whether no earlier field counts any more."""
    kind = outcome.kind
    if kind is Kind.VALUE or kind is Kind.WITHDRAWN:
        return True
    return kind is Kind.UNCLEAR and field.strong and not field.exact and not field.verb
