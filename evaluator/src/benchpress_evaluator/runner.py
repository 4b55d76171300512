"""Conditions x items become calls, and every call is in the journal before its answer is used."""

import asyncio
import contextlib
import gc
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from benchpress.errors import UserError
from benchpress.items import Item

from benchpress_evaluator.batching import Batcher, Open, open_batches
from benchpress_evaluator.budget import Budget
from benchpress_evaluator.calling import Caller, Stopped, Tally
from benchpress_evaluator.clock import now
from benchpress_evaluator.journal import Journal, SegmentHead, Writer
from benchpress_evaluator.methods import Gated, method_of
from benchpress_evaluator.plan import Job, Plan, Session, Work, open_session
from benchpress_evaluator.providers.base import BATCH
from benchpress_evaluator.providers.errors import ProviderError
from benchpress_evaluator.records import Call, CallKey, Completion, Request
from benchpress_evaluator.redaction import fault, redact
from benchpress_evaluator.replay import Condition
from benchpress_evaluator.schedule import Gate

FAULTS = 8
"""So many items in a row, from the first on, have to meet a fault in the method before its condition is given up."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did. `segment` binds what it wrote; None where it wrote nothing."""

    tallies: tuple[Tally, ...]
    interrupted: bool
    seconds: float
    segment: SegmentHead | None

    @property
    def complete(self) -> bool:
        """Every item was put to every model, and no call failed."""
        return not self.interrupted and all(
            tally.done == tally.left and not tally.api_errors and tally.stopped is None for tally in self.tallies
        )

    @property
    def fruitless(self) -> str | None:
        """Why nothing at all came of the run, where every entrant that had work stopped without one answer."""
        busy = [tally for tally in self.tallies if tally.left]
        if not busy or self.interrupted or any(tally.stopped is None or tally.answers for tally in busy):
            return None
        return "; ".join(f"{tally.entrant}: {tally.stopped}" for tally in busy)


class Progress(Protocol):
    """Somebody who watches a run."""

    def begin(self, tallies: list[Tally]) -> None: ...

    def update(self, tally: Tally) -> None:
        """A call was recorded, an item was done, or the entrant stopped."""
        ...

    def note(self, text: str) -> None:
        """One line that a person should see now."""
        ...

    def end(self) -> None: ...


class Quiet:
    """Nobody watches."""

    def begin(self, tallies: list[Tally]) -> None: ...

    def update(self, tally: Tally) -> None: ...

    def note(self, text: str) -> None: ...

    def end(self) -> None: ...


def run(plan: Plan, journal: Journal, keys: Mapping[str, str], progress: Progress | None = None) -> RunReport:
    """Ask every model what is still unanswered. Raises UserError before the first call, or where the journal fails."""
    return execute(open_session(plan, journal.records(), keys), journal, progress)


def execute(session: Session, journal: Journal, progress: Progress | None = None) -> RunReport:
    """Make the calls of a session. Ctrl-C once lets the calls in flight finish, twice abandons them."""
    # Items and recorded calls outlive the run: the collector need not look through them again and again.
    gc.freeze()
    try:
        with asyncio.Runner() as runner:
            return runner.run(_Run(session, journal, progress or Quiet()).execute())
    finally:
        gc.unfreeze()


class _Run:
    def __init__(self, session: Session, journal: Journal, progress: Progress) -> None:
        self._session = session
        self._plan = session.plan
        self._writer: Writer = journal.writer()
        self._progress = progress
        self._stopping = asyncio.Event()
        self._interrupted = False
        self._journal_failed = False
        self._callers = self._make_callers(session)

    def _make_callers(self, session: Session) -> list[tuple[Work, Caller]]:
        gates: dict[tuple[str, str, str], Gate] = {}
        budget = Budget(self._plan.max_calls, self._plan.max_cost)
        callers = []
        for work in session.works:
            gate = gates.setdefault(work.account, Gate(0))
            gate.ceiling += work.concurrency
            gate.limit = float(gate.ceiling)
            tally = Tally(work.entrant.id, sum(len(job.items) for job in work.jobs), work.left)
            callers.append(
                (
                    work,
                    Caller(
                        entrant=work.entrant,
                        provider=work.provider,
                        gate=gate,
                        budget=budget,
                        retry=self._plan.retry,
                        price=work.price,
                        stopping=self._stopping,
                        tally=tally,
                        stopped=lambda tally=tally: self._told_stopped(tally),  # type: ignore[misc]
                    ),
                )
            )
        return callers

    def _told_stopped(self, tally: Tally) -> None:
        self._progress.note(f"{tally.entrant} stopped: {tally.stopped}")
        self._progress.update(tally)

    async def execute(self) -> RunReport:
        began = time.monotonic()
        tallies = [caller.tally for _, caller in self._callers]
        self._progress.begin(tallies)
        try:
            with self._interruptible():
                async with asyncio.TaskGroup() as group:
                    for work, caller in self._callers:
                        group.create_task(self._entrant(work, caller))
        except* UserError as problems:
            # The journal failed: without it no answer may be used.
            raise _first(problems) from None
        except* asyncio.CancelledError:
            if not self._interrupted:
                raise
        finally:
            for work, _ in self._callers:
                with contextlib.suppress(Exception):
                    await work.provider.aclose()
            self._progress.end()
            head = self._writer.close()
        return RunReport(tuple(tallies), self._interrupted, time.monotonic() - began, head)

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        """SIGINT and SIGTERM: first finish what is in flight, then give up."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def interrupt() -> None:
            if not self._interrupted:
                self._interrupted = True
                self._progress.note("stopping: waiting for the calls in flight; once more to abandon them")
                self._stopping.set()
                for _, caller in self._callers:
                    caller.gate.open()
            elif task is not None:
                task.cancel()

        caught = (signal.SIGINT, signal.SIGTERM) if threading.current_thread() is threading.main_thread() else ()
        for number in caught:
            loop.add_signal_handler(number, interrupt)
        try:
            yield
        finally:
            for number in caught:
                loop.remove_signal_handler(number)

    async def _entrant(self, work: Work, caller: Caller) -> None:
        batches: list[Open] = []
        if BATCH in work.provider.capabilities:
            batches = open_batches(self._session.recorded.batches, work.entrant.id, str(self._plan.shard))
        if not caller.tally.left and not batches:
            return
        try:
            await work.provider.start()
        except (UserError, ProviderError) as problem:
            caller.stop(str(problem))
            return
        batcher: Batcher | None = None
        if work.entrant.batch or batches:
            batcher = Batcher(caller, str(self._plan.shard), partial(self._record, caller), self._writer.append_durable)
            try:
                await batcher.recover(batches)
            except ProviderError as problem:
                caller.stop(str(problem))
            except Stopped:
                return
        for job in work.jobs:
            if job.todo:
                await self._job(work, caller, job, batcher if work.entrant.batch else None)
        if batcher is not None:
            await batcher.drain()

    async def _job(self, work: Work, caller: Caller, job: Job, batcher: Batcher | None) -> None:
        method, params = method_of(job.condition.method), job.condition.method.params

        async def ask_about(item: Item, step: str, request: Request) -> Completion:
            return await self._ask(caller, batcher, job.condition, item, step, request)

        async def ask_once(item: Item, step: str, request: Request) -> Completion:
            completion = await ask_about(item, step, request)
            # What is asked for all items together may be asked again for one of them.
            key = job.condition.key(item.id, step, request)
            self._session.recorded.add(Call(key, completion, "", str(self._plan.shard)))
            return completion

        try:
            prepared = await method.prepare(job.whole, ask_once, params)
        except Gated as gate:
            self._progress.note(f"{caller.tally.entrant}, {job.condition.method.key}: left out, {gate.reason}")
            return
        except Stopped:
            return
        except Exception as problem:
            if not self._plan.isolate or self._journal_failed:
                raise
            self._give_up(caller, job, problem)
            return
        waiting, begun = iter(job.todo), caller.tally.done

        async def worker() -> None:
            for item in waiting:
                if job.fault is not None:
                    return
                try:
                    async with batcher.item() if batcher else contextlib.nullcontext():
                        await method.answer(item, partial(ask_about, item), params, prepared)
                except Stopped:
                    return
                except Gated:
                    pass
                except Exception as problem:
                    if self._journal_failed or (isinstance(problem, UserError) and not self._plan.isolate):
                        raise
                    if not self._plan.isolate:
                        # A fault in a method ends this entrant, not the others. What it says may be private.
                        caller.stop(f"method {job.condition.method.key} failed: {fault(problem)}")
                        return
                    job.faults[item.id] = redact(repr(problem), (), [item.prompt])
                    if len(job.faults) >= FAULTS and len(job.faults) == caller.tally.done - begun + 1:
                        self._give_up(caller, job, problem)
                        return
                caller.tally.done += 1
                self._progress.update(caller.tally)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(len(job.todo), self._workers(work, batcher))):
                group.create_task(worker())

    def _workers(self, work: Work, batcher: Batcher | None) -> int:
        """Items that are worked on at once; how many calls of theirs are in flight is the gate's business.

        In a batch every item waits at once. Otherwise some more than there are places, so that a place is not empty
        while an answer waits for the disk; none more where that answer would be lost if the process were killed just
        then, and be paid for again.
        """
        if batcher is not None:
            return sys.maxsize
        return work.concurrency + (work.concurrency // 2 if self._writer.keeps else 0)

    def _give_up(self, caller: Caller, job: Job, problem: Exception) -> None:
        """End one condition, and nothing else, for a fault in its method."""
        text = str(problem) if isinstance(problem, UserError) else repr(problem)
        job.fault = redact(text, (), [item.prompt for item in job.todo[:FAULTS]])
        self._progress.note(f"{caller.tally.entrant}, {job.condition.method.key}: given up, {job.fault}")

    async def _ask(
        self, caller: Caller, batcher: Batcher | None, condition: Condition, item: Item, step: str, request: Request
    ) -> Completion:
        """The recorded answer, or a call whose record is durable before anybody sees the answer."""
        key = condition.key(item.id, step, request)
        known = self._session.recorded.get(key)
        if known is not None and known.completion.error is None:
            return known.completion
        if batcher is not None:
            return await batcher.call(key, request)
        completion = await caller.call(request)
        await self._record(caller, key, completion)
        return completion

    async def _record(self, caller: Caller, key: CallKey, completion: Completion) -> None:
        """Put a call into the journal, durably."""
        at = now()
        call = Call(key, completion, at, str(self._plan.shard))
        try:
            await self._writer.append_durable(call.to_json())
        except UserError:
            self._journal_failed = True
            raise
        if completion.batch:
            # What an earlier run handed in is looked up by its key later in this one.
            self._session.recorded.add(call)
        caller.tally.calls += 1
        caller.tally.api_errors += completion.error is not None
        self._progress.update(caller.tally)


def _first(problems: BaseExceptionGroup[Any]) -> BaseException:
    """One exception out of a group of them."""
    found: BaseException = problems
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found
