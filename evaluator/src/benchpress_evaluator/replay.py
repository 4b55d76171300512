"""Calls that were made, and a method read again over them. Runs and scoring share it; no provider is involved."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from benchpress.errors import UserError
from benchpress.items import Item

from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.methods import Answer, Gated, MethodChoice, method_of
from benchpress_evaluator.records import Call, CallKey, Completion, Request

T = TypeVar("T")


class Recorded:
    """The answer to every call that was made: per key the first record that is no api_error, else the last one."""

    def __init__(self, version: str) -> None:
        self.version = version
        self._calls: dict[CallKey, Call] = {}
        self.batches: list[Mapping[str, Any]] = []
        """What the journal says of batches at vendors, in order; see :mod:`benchpress_evaluator.batching`."""

    @classmethod
    def of(
        cls,
        records: Iterable[Mapping[str, Any]],
        version: str,
        item_ids: Collection[str],
        wanted: Callable[[CallKey], bool],
    ) -> "Recorded":
        """The calls among the journal's `records` that are `wanted`.

        Raises UserError for a call of another version or about an item that is not of this version: its answer
        could only be scored against a wrong key.
        """
        recorded = cls(version)
        for record in records:
            if "batch" in record:
                recorded.batches.append(record)
            if "call" not in record:
                continue
            key = _made(CallKey.from_json, record["call"])
            if key.version != version:
                raise UserError(
                    f"the journal holds a call of version {key.version!r}, not of {version!r}: wrong journal"
                )
            if key.item_id not in item_ids:
                raise UserError(
                    f"the journal of {version!r} holds an answer to an item that this version does not have"
                )
            if wanted(key):
                recorded.add(_made(Call.from_json, record))
        return recorded

    def add(self, call: Call) -> None:
        """Take one more call, unless its key has its answer already."""
        before = self._calls.get(call.key)
        if before is None or before.completion.error is not None:
            self._calls[call.key] = call

    def get(self, key: CallKey) -> Call | None:
        """The call under `key`, if it was made."""
        return self._calls.get(key)

    def __len__(self) -> int:
        return len(self._calls)

    def calls(self) -> Iterable[Call]:
        """Every call that counts, in the order in which the first record of its key was written."""
        return self._calls.values()

    def runs(self, entrant: str, method: str) -> list[int]:
        """The run numbers under which this entrant and method have calls, in order."""
        return sorted({key.run for key in self._calls if key.entrant == entrant and key.method == method})


def _made(read: Callable[[Any], T], value: Any) -> T:
    """What a record of a journal stands for. Every checksum may be right and the record none of ours all the same."""
    try:
        return read(value)
    except (TypeError, ValueError, KeyError):
        raise UserError(
            "the journal holds a record that is no call: it was written by another program; restore it from a backup"
        ) from None


class PendingCall(Exception):  # noqa: N818 - a state, not an error
    """A call that the method needs was not made yet."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Entrant x method x run, on one version."""

    version: str
    entrant: Entrant
    method: MethodChoice
    run: int = 1

    def key(self, item_id: str, step: str, request: Request) -> CallKey:
        """The key of one call of this condition."""
        digest = request.digest(self.entrant.configuration)
        return CallKey(self.version, item_id, self.entrant.id, self.method.key, self.run, step, digest)


@dataclass(slots=True)
class Outcome:
    """What the recorded calls give for one item: an answer, a gate, or neither while calls are pending."""

    answer: Answer | None = None
    gated: str | None = None
    calls: list[Call] = field(default_factory=list)

    @property
    def pending(self) -> bool:
        return self.answer is None and self.gated is None

    @property
    def failed(self) -> bool:
        """Some call ended as api_error, and the next run will ask it again."""
        return any(call.completion.error is not None for call in self.calls)


class Replay:
    """One condition over recorded calls."""

    def __init__(self, condition: Condition, recorded: Recorded) -> None:
        self.condition = condition
        self._recorded = recorded
        self._method = method_of(condition.method)
        self._prepared: Any = None
        self._blocked = False
        self.gated: Gated | None = None
        """Set where the method left out the whole condition."""

    async def prepare(self, items: Sequence[Item]) -> None:
        """Read what spans items. Where a call of it is missing, every item is pending."""
        seen = Outcome()
        missing = False

        async def ask(item: Item, step: str, request: Request) -> Completion:
            nonlocal missing
            call = self._recorded.get(self.condition.key(item.id, step, request))
            if call is None:
                missing = True
                raise PendingCall
            seen.calls.append(call)
            return call.completion

        try:
            self._prepared = await self._method.prepare(items, ask, self.condition.method.params)
        except PendingCall:
            missing = True
        except Gated as gate:
            # Calls that failed are asked again before they can leave anything out.
            self.gated = None if seen.failed else gate
        self._blocked = missing or seen.failed

    async def outcome(self, item: Item) -> Outcome:
        """What the recorded calls give for `item`."""
        found = Outcome()
        if self.gated is not None:
            found.gated = self.gated.reason
            return found
        missing = self._blocked

        async def ask(step: str, request: Request) -> Completion:
            nonlocal missing
            call = self._recorded.get(self.condition.key(item.id, step, request))
            if call is None:
                missing = True
                raise PendingCall
            found.calls.append(call)
            return call.completion

        if missing:
            return found
        try:
            answer = await self._method.answer(item, ask, self.condition.method.params, self._prepared)
        except PendingCall:
            return found
        except Gated as gate:
            found.gated = gate.reason
            return found
        # A method that swallows the missing call must not turn it into an answer.
        found.answer = None if missing else answer
        return found
