"""Calls in batches: at half the price, hours later, and never handed in twice.

The journal tells a batch's life: `intended` with a random tag and the keys of its calls, `submitted` with the
vendor's id, `fetched` when every answer is in the journal, and `done` when the vendor's copy is deleted. A run that
finds a batch which is not done looks for it at the vendor by its tag before anything is handed in again.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from benchpress.errors import UserError

from benchpress_evaluator.budget import Spent, worst_case
from benchpress_evaluator.calling import Caller, Stopped
from benchpress_evaluator.clock import now
from benchpress_evaluator.costs import cost_of
from benchpress_evaluator.providers.batches import Batches, WaitForIt
from benchpress_evaluator.providers.errors import ConfigurationError, ProviderError, QuotaError, RetryableError
from benchpress_evaluator.providers.fitting import fitting
from benchpress_evaluator.providers.http_errors import broken
from benchpress_evaluator.records import CallKey, Completion, Request

T = TypeVar("T")

LARGEST = 10_000
"""Requests in one batch at most; every vendor takes more."""

Record = Callable[[CallKey, Completion], Awaitable[None]]
Note = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Open:
    """A batch that is not done."""

    tag: str
    calls: Mapping[str, CallKey]
    id: str | None
    fetched: bool = False
    """Every answer is in the journal; only the vendor's copy is left."""


def open_batches(records: list[Mapping[str, Any]], entrant: str, shard: str) -> list[Open]:
    """The batches of an entrant that were begun and are not done.

    Those of another shard belong to its own process, unless this run is the whole. Raises UserError for a record of
    another form.
    """
    found: dict[str, Open] = {}
    try:
        for record in records:
            _take(record, found, entrant, shard)
    except (KeyError, TypeError, AttributeError):
        raise UserError(
            "the journal holds a record that tells of no batch: it was written by another program; restore it from a "
            "backup"
        ) from None
    return list(found.values())


def _take(record: Mapping[str, Any], found: dict[str, Open], entrant: str, shard: str) -> None:
    tag, state = record["batch"], record["state"]
    if state == "intended":
        if record["entrant"] == entrant and (record["shard"] == shard or shard == "1/1"):
            calls = {custom: CallKey.from_json(key) for custom, key in record["calls"].items()}
            found[tag] = Open(tag, calls, None)
    elif state == "submitted" and tag in found:
        found[tag] = replace(found[tag], id=record["id"])
    elif state == "fetched" and tag in found:
        found[tag] = replace(found[tag], fetched=True)
    elif state == "done":
        found.pop(tag, None)


class Batcher:
    """Collects calls until nobody can go on without an answer, then hands them in together."""

    def __init__(self, caller: Caller, shard: str, record: Record, note: Note) -> None:
        self._caller = caller
        self._batches: Batches = caller.provider.batches()
        self._shard = shard
        self._record = record
        self._note = note
        self._active = 0
        self._queue: list[tuple[CallKey, Request, asyncio.Future[Completion]]] = []
        self._flying: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def item(self) -> AsyncIterator[None]:
        """Around everything that one item does."""
        self._active += 1
        try:
            yield
        finally:
            self._active -= 1
            self._look_soon()

    async def call(self, key: CallKey, request: Request) -> Completion:
        """The completion, which is in the journal when it comes. Raises Stopped."""
        future: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._queue.append((key, request, future))
        self._active -= 1
        self._look_soon()
        try:
            return await future
        finally:
            self._active += 1

    async def drain(self) -> None:
        """Wait until the vendor's copy of the last batch is deleted too."""
        while self._flying is not None:
            await self._flying

    def _look_soon(self) -> None:
        """Look after everybody who is able to run has run."""
        asyncio.get_running_loop().call_soon(self._hand_in_when_all_wait)

    def _hand_in_when_all_wait(self) -> None:
        if not self._queue or self._flying or (self._active > 0 and len(self._queue) < LARGEST):
            return
        batch, self._queue = self._queue[:LARGEST], self._queue[LARGEST:]
        self._flying = asyncio.create_task(self._fly(batch))

    async def _fly(self, batch: list[tuple[CallKey, Request, asyncio.Future[Completion]]]) -> None:
        futures = {key: future for key, _, future in batch}
        try:
            await self._hand_in(batch, futures)
        except BaseException as problem:  # noqa: BLE001 - those who wait must hear of it, whatever it is
            for future in futures.values():
                if not future.done():
                    future.set_exception(Stopped() if isinstance(problem, ProviderError) else problem)
            if isinstance(problem, ProviderError):
                self._caller.stop(str(problem))
        finally:
            self._flying = None
            self._look_soon()

    async def _hand_in(
        self,
        batch: list[tuple[CallKey, Request, asyncio.Future[Completion]]],
        futures: Mapping[CallKey, asyncio.Future[Completion]],
    ) -> None:
        tag = secrets.token_hex(8)
        worst: dict[CallKey, float] = {}
        requests: dict[str, Request] = {}
        calls: dict[str, CallKey] = {}
        for key, request, future in batch:
            reserved = self._reserve(request)
            if reserved is None:
                future.set_exception(Stopped())
                continue
            custom = f"{tag}-{len(calls)}"
            worst[key], requests[custom], calls[custom] = reserved, request, key
        try:
            if not calls:
                return
            keys = {custom: key.to_json() for custom, key in calls.items()}
            intent = {"batch": tag, "state": "intended", "entrant": self._caller.entrant.id, "shard": self._shard}
            await self._note({**intent, "calls": keys, "at": now()})
            found = await self._persist(lambda: self._batches.submit(tag, requests))
            await self._note({"batch": tag, "state": "submitted", "id": found, "at": now()})
            await self._collect(Open(tag, calls, found), futures)
        finally:
            # What came back was counted when it came.
            for reserved in worst.values():
                self._caller.budget.settle(reserved, 0.0)

    def _reserve(self, request: Request) -> float | None:
        """What is set aside for one request, or None where the run has to end here."""
        caller, worst = self._caller, 0.0
        if caller.tally.stopped is not None or caller.stopping.is_set():
            return None
        if caller.budget.max_cost is not None and caller.price is not None:
            worst = worst_case(caller.price, request, caller.provider.max_tokens)
        try:
            caller.budget.take(worst)
        except Spent as spent:
            caller.tally.spent = True
            caller.stop(str(spent))
            return None
        caller.tally.attempts += 1
        return worst

    async def recover(self, batches: list[Open]) -> None:
        """Fetch what earlier runs handed in. Raises Stopped where the run ends meanwhile."""
        for batch in batches:
            found = batch.id or await self._look_for(batch)
            if found is None:
                await self._note({"batch": batch.tag, "state": "done", "at": now()})
                continue
            await self._collect(replace(batch, id=found), {})

    async def _look_for(self, batch: Open) -> str | None:
        while True:
            try:
                return await self._persist(lambda: self._batches.find(batch.tag, len(batch.calls)))
            except WaitForIt as maybe:
                await self._until_ended(str(maybe))

    async def _until_ended(self, batch: str) -> None:
        while not await self._persist(lambda: self._batches.ended(batch)):
            await self._caller.rest(self._caller.retry.poll_s)

    async def _collect(self, batch: Open, futures: Mapping[CallKey, asyncio.Future[Completion]]) -> None:
        """Wait for a batch, put every answer into the journal, and only then give it to who waits for it."""
        identity = str(batch.id)
        if not batch.fetched:
            await self._fetch(batch, identity, futures)
            await self._note({"batch": batch.tag, "state": "fetched", "at": now()})
        await self._persist(lambda: self._batches.discard(identity))
        await self._note({"batch": batch.tag, "state": "done", "at": now()})

    async def _fetch(self, batch: Open, identity: str, futures: Mapping[CallKey, asyncio.Future[Completion]]) -> None:
        await self._until_ended(identity)
        missing = dict(batch.calls)

        async def fetch() -> None:
            async for custom, completion in self._batches.results(identity):
                key = missing.pop(custom, None)
                if key is not None:
                    await self._deliver(key, completion, futures)

        await self._persist(fetch)
        for key in missing.values():
            await self._deliver(key, Completion(None, error="the batch ended without this request"), futures)

    async def _deliver(
        self, key: CallKey, completion: Completion, futures: Mapping[CallKey, asyncio.Future[Completion]]
    ) -> None:
        try:
            completion = fitting(completion)
        except RetryableError as problem:
            completion = Completion(None, error=str(problem))
        completion = replace(completion, batch=True, latency_s=None, waited_s=None)
        cost = cost_of(self._caller.entrant, completion, None)
        if cost is None and completion.error is None and self._caller.price is not None:
            self._caller.budget.cost += worst_case(self._caller.price, Request(()), self._caller.provider.max_tokens)
        self._caller.budget.cost += cost or 0.0
        self._caller.tally.cost_usd += cost or 0.0
        self._caller.tally.unknown_costs += cost is None and completion.error is None
        await self._record(key, completion)
        future = futures.get(key)
        if future is not None and not future.done():
            future.set_result(completion)

    async def _persist(self, ask: Callable[[], Awaitable[T]]) -> T:
        """The answer of the vendor, for as long as it is worth asking. Raises ProviderError or Stopped."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return await ask()
            except (ConfigurationError, QuotaError, WaitForIt):
                raise
            except ProviderError as problem:
                fault = problem
            except (UserError, Stopped):
                raise
            except Exception as problem:  # noqa: BLE001 - whatever a vendor's package throws is a fault of the call
                fault = broken(problem)
            if attempt >= self._caller.retry.attempts:
                raise fault
            asked = fault.retry_after if isinstance(fault, RetryableError) else None
            await self._caller.rest(self._caller.retry.pause(attempt, asked, self._caller.draw))
