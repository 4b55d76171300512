"""The whole vocabulary on one page: item, part, response, results, status."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from benchpress.canonical import digest

ITEM_SCHEMA = "benchpress.item/1"

Json = Any
"""A JSON value without floating-point numbers."""


class Status(StrEnum):
    """What became of a response; exclusive and exhaustive."""

    OK = "ok"
    REFUSAL = "refusal"
    INVALID_ANSWER = "invalid_answer"
    TRUNCATED = "truncated"
    API_ERROR = "api_error"


@dataclass(frozen=True, slots=True)
class Part:
    """One machine-checkable answer inside an item. Its id is also the label in the answer text."""

    id: str
    type: str
    gold: Json
    params: Mapping[str, Json] = field(default_factory=dict)
    skills: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {
            "id": self.id,
            "type": self.type,
            "gold": self.gold,
            "params": dict(self.params),
            "skills": list(self.skills),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> "Part":
        return cls(
            value["id"], value["type"], value.get("gold"), value.get("params") or {}, tuple(value.get("skills") or ())
        )


@dataclass(frozen=True, slots=True)
class Verification:
    """Which independent methods agreed on the key of a part."""

    part: str
    methods: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        return {"part": self.part, "methods": list(self.methods)}


@dataclass(frozen=True, slots=True)
class Item:
    """A question with its parts. `params` holds the whole formal problem, enough to recompute every key."""

    id: str
    module: str
    bundle: str
    variant: str
    level: int
    params: Mapping[str, Json]
    prompt: str
    parts: tuple[Part, ...]
    verification: tuple[Verification, ...] = ()
    schema: str = ITEM_SCHEMA

    def to_json(self) -> dict[str, Json]:
        return {
            "schema": self.schema,
            "id": self.id,
            "module": self.module,
            "bundle": self.bundle,
            "variant": self.variant,
            "level": self.level,
            "params": dict(self.params),
            "prompt": self.prompt,
            "parts": [part.to_json() for part in self.parts],
            "verification": [entry.to_json() for entry in self.verification],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> "Item":
        return cls(
            id=value["id"],
            module=value["module"],
            bundle=value["bundle"],
            variant=value["variant"],
            level=value["level"],
            params=value["params"],
            prompt=value["prompt"],
            parts=tuple(Part.from_json(part) for part in value["parts"]),
            verification=tuple(
                Verification(entry["part"], tuple(entry["methods"])) for entry in value.get("verification") or ()
            ),
            schema=value.get("schema", ITEM_SCHEMA),
        )


def item_id(item: Item) -> str:
    """The id of an item of ours: where it belongs, and twelve hex digits of its content.

    Two items with the same id have the same content, so an answer can never be scored against another key.
    """
    content = item.to_json()
    del content["id"]
    return f"{item.module}-{item.bundle}-{item.variant}-l{item.level}-{digest(content)[:12]}"


@dataclass(frozen=True, slots=True)
class Response:
    """What an entrant said to one item. `text` is null where nothing came back."""

    item_id: str
    text: str | None
    stop_reason: str | None = None
    error: str | None = None
    output_tokens: int | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read for one part: a value (null where no answer could be read), from where, and why."""

    value: Json
    note: str = ""
    source: str = ""
    """The stretch of the answer that the value was read from, for `explain`."""
    metrics: Mapping[str, float | bool | int | None] | None = None


@dataclass(frozen=True, slots=True)
class PartResult:
    """What became of one part of an answer: the value that was read, the key, and whether they agree."""

    id: str
    type: str
    parsed: Json
    expected: Json
    correct: bool
    note: str = ""
    metrics: Mapping[str, float | bool | int | None] | None = None

    def to_json(self) -> dict[str, Json]:
        value = {
            "id": self.id,
            "type": self.type,
            "parsed": self.parsed,
            "expected": self.expected,
            "correct": self.correct,
            "note": self.note,
        }
        if self.metrics is not None:
            value["metrics"] = dict(self.metrics)
        return value


@dataclass(frozen=True, slots=True)
class ItemResult:
    """Correct when every part is: conjunctive scoring."""

    item_id: str
    status: Status
    correct: bool
    parts: tuple[PartResult, ...]

    def to_json(self) -> dict[str, Json]:
        return {
            "item_id": self.item_id,
            "status": str(self.status),
            "correct": self.correct,
            "parts": [part.to_json() for part in self.parts],
        }


class PartType(Protocol):
    """How one kind of answer is read from text and judged. Reading never raises and never sees the gold."""

    def read(self, text: str, part: Part, item: Item) -> Reading:
        """Read the part's value out of the whole answer `text`."""
        ...

    def score(self, reading: Reading, part: Part, item: Item) -> PartResult:
        """Judge what was read against the part's gold."""
        ...
