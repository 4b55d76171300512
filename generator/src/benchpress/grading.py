"""The one scorer: items and responses in, item results and a summary out.

The evaluator scores with :func:`grade_item` too, so an answer has the same mark wherever it is judged.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from json.encoder import encode_basestring
from pathlib import Path

from benchpress.errors import UserError
from benchpress.items import Item, ItemResult, Json, Part, PartResult, PartType, Reading, Response, Status
from benchpress.jsonl import atomic_write, read_items, read_responses
from benchpress.parts.cut import may_be_shortened
from benchpress.parts.document import document
from benchpress.parts.labelled import labels_of
from benchpress.parts.params import check_item
from benchpress.parts.tagged import fields_of
from benchpress.registry import PART_TYPES
from benchpress.status import Stop, classify, stop_of


def grade_item(item: Item, response: Response) -> ItemResult:
    """Read and score every part of `item` in `response`, and say what became of the response.

    Correct only where every part is. The parts must have the form of their types, as `load_items` makes sure.
    """
    return _grade(item, response)[0]


def _grade(item: Item, response: Response) -> tuple[ItemResult, list[Reading]]:
    text = response.text or ""
    results: list[PartResult] = []
    readings: list[Reading] = []
    cut = response.stop_reason is not None or response.max_tokens is not None
    cut = cut and stop_of(response) is Stop.CUT
    for part in item.parts:
        kind: PartType = PART_TYPES.get(part.type)
        reading = kind.read(text, part, item)
        if (
            cut
            and reading.value is not None
            and may_be_shortened(part, reading.value, fields_of(text, labels_of(item)))
        ):
            reading = replace(reading, value=None, note="the answer was cut where this value stands")
        results.append(kind.score(reading, part, item))
        readings.append(reading)
    answered = sum(result.parsed is not None for result in results)
    if results and answered == len(results):
        status = Status.OK
    else:
        seen = document(text)
        status = classify(response, answered, len(results), seen.text, seen.open_end)
    correct = bool(results) and all(result.correct for result in results)
    return ItemResult(item.id, status, correct, tuple(results)), readings


@dataclass(slots=True)
class PartCount:
    """How often a part was right, wrong, or not to be read."""

    right: int = 0
    wrong: int = 0
    unread: int = 0

    def to_json(self) -> dict[str, int]:
        return {"right": self.right, "wrong": self.wrong, "unread": self.unread}


@dataclass(slots=True)
class Summary:
    """What a graded file amounts to."""

    items: int = 0
    graded: int = 0
    correct: int = 0
    statuses: dict[str, int] = field(default_factory=lambda: {str(status): 0 for status in Status})
    parts: dict[str, PartCount] = field(default_factory=dict)
    """Per part id, in the order in which the items name them."""
    types: dict[str, PartCount] = field(default_factory=dict)

    @property
    def pending(self) -> int:
        """Items without a response."""
        return self.items - self.graded

    def add(self, result: ItemResult) -> None:
        self.graded += 1
        self.correct += result.correct
        self.statuses[result.status] += 1
        for part in result.parts:
            for counts, key in ((self.parts, part.id), (self.types, part.type)):
                count = counts.get(key)
                if count is None:
                    count = counts[key] = PartCount()
                if part.correct:
                    count.right += 1
                elif part.parsed is None:
                    count.unread += 1
                else:
                    count.wrong += 1

    def to_json(self) -> dict[str, Json]:
        return {
            "items": self.items,
            "graded": self.graded,
            "pending": self.pending,
            "correct": self.correct,
            "statuses": dict(self.statuses),
            "parts": {name: count.to_json() for name, count in self.parts.items()},
            "types": {name: count.to_json() for name, count in self.types.items()},
        }


def score_line(result: ItemResult) -> str:
    """An item result as one JSON line without the line end: the JSON of its ``to_json``, put together faster."""
    parts = ",".join([_part_json(part) for part in result.parts])
    correct = "true" if result.correct else "false"
    name = encode_basestring(result.item_id)
    line = f'{{"item_id":{name},"status":"{result.status}","correct":{correct},"parts":[{parts}]}}'
    if not line.isascii():
        try:
            line.encode()
        except UnicodeEncodeError:  # half of a surrogate pair in somebody's item file
            return json.dumps(result.to_json(), separators=(",", ":"), allow_nan=False)
    return line


def _part_json(part: PartResult) -> str:
    correct = "true" if part.correct else "false"
    line = (
        f'{{"id":{encode_basestring(part.id)},"type":{encode_basestring(part.type)},"parsed":{_value_json(part.parsed)},'
        f'"expected":{_value_json(part.expected)},"correct":{correct},"note":{encode_basestring(part.note)}'
    )
    return line + ("}" if part.metrics is None else f',"metrics":{_ENCODER.encode(dict(part.metrics))}}}')


def _value_json(value: Json) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None:
        return "null"
    if isinstance(value, list) and all(isinstance(member, str) for member in value):
        return f"[{','.join(map(encode_basestring, value))}]"
    return _ENCODER.encode(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def load_items(path: Path) -> dict[str, Item]:
    """The items of a file by id. Raises UserError for an item that cannot be graded, naming it."""
    items: dict[str, Item] = {}
    for item in read_items(path):
        try:
            check_item(item)
            for part in item.parts:
                PART_TYPES.get(part.type)
        except UserError as problem:
            raise UserError(f"{path}: {problem}") from None
        items[item.id] = item
    return items


def grade_stream(items: Mapping[str, Item], responses: Iterator[Response], source: str) -> Iterator[ItemResult]:
    """The results of `responses` in their order. A response to an unknown item is a UserError naming `source`."""
    for response in responses:
        item = items.get(response.item_id)
        if item is None:
            raise UserError(
                f"{source}: a response to the unknown item {response.item_id!r}; grade it with the item file it "
                f"belongs to"
            )
        yield grade_item(item, response)


def grade_file(
    items_path: Path, responses_path: Path, out_path: Path, each: Callable[[], None] = lambda: None
) -> Summary:
    """Grade a file of responses: one score line for every response goes to `out_path`, in the order of the responses.

    `each` is called after every response, for progress. On any error no score file is left behind.
    """
    items = load_items(items_path)
    summary = Summary(items=len(items))
    with atomic_write(out_path) as file:
        for result in grade_stream(items, read_responses(responses_path), str(responses_path)):
            summary.add(result)
            file.write(score_line(result))
            file.write("\n")
            each()
    return summary


@dataclass(frozen=True, slots=True)
class PartExplanation:
    """How one part was read: the result, the stretch it was read from, and every place where its label stands."""

    result: PartResult
    source: str
    line: int | None
    """The line of the visible text that the value was read from, counted from one."""
    places: tuple[Mapping[str, Json], ...]

    def to_json(self) -> dict[str, Json]:
        return {
            **self.result.to_json(),
            "source": self.source,
            "line": self.line,
            "places": [dict(p) for p in self.places],
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one answer was read."""

    result: ItemResult
    visible: str
    """The text that counts: without think blocks, characters folded, HTML taken off."""
    hidden_characters: int
    """How much of the text was a think block or otherwise taken off."""
    open_thinking: bool
    parts: tuple[PartExplanation, ...]

    def to_json(self) -> dict[str, Json]:
        return {
            "item_id": self.result.item_id,
            "status": str(self.result.status),
            "correct": self.result.correct,
            "visible": self.visible,
            "hidden_characters": self.hidden_characters,
            "open_thinking": self.open_thinking,
            "parts": [part.to_json() for part in self.parts],
        }


def explain(item: Item, response: Response) -> Explanation:
    """What was read from where in one response, and what was passed over."""
    result, readings = _grade(item, response)
    text = response.text or ""
    seen = document(text)
    parts = tuple(
        _explain_part(part, outcome, reading, text, item)
        for part, outcome, reading in zip(item.parts, result.parts, readings, strict=True)
    )
    return Explanation(result, seen.text, max(0, len(text) - len(seen.text)), seen.open_end, parts)


def _explain_part(part: Part, result: PartResult, reading: Reading, text: str, item: Item) -> PartExplanation:
    kind = PART_TYPES.get(part.type)
    trace = getattr(kind, "trace", None)
    places = tuple(trace(text, part, item)) if trace is not None else ()
    line = next((place["line"] for place in places if place["counts"]), None)
    return PartExplanation(result, reading.source, line, places)
