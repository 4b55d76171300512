"""What a run is to do: conditions and items, what is answered already, what is left, and what it may cost."""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchpress.errors import UserError
from benchpress.items import Item

from benchpress_evaluator.budget import Estimate, estimate
from benchpress_evaluator.clock import today
from benchpress_evaluator.costs import list_price
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.methods import METHODS, MethodChoice
from benchpress_evaluator.providers import PROVIDERS
from benchpress_evaluator.providers.base import BATCH, Keyless, Provider, open_provider
from benchpress_evaluator.records import CallKey
from benchpress_evaluator.replay import Condition, Recorded, Replay
from benchpress_evaluator.schedule import RetryPolicy


@dataclass(frozen=True, slots=True)
class Shard:
    """Every `count`-th item, from the `index`-th on; 1/1 is all of them."""

    index: int = 1
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """From `i/n`. Raises UserError."""
        match = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", text)
        if not match or int(match[1]) > int(match[2]):
            raise UserError(f"--shard {text}: write i/n with i from 1 to n, such as 2/8")
        return cls(int(match[1]), int(match[2]))

    def of(self, items: Sequence[Item]) -> Sequence[Item]:
        """This shard's items."""
        return items[self.index - 1 :: self.count]

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole of what `run` was asked to do."""

    version: str
    items: Sequence[Item]
    entrants: Sequence[Entrant]
    methods: Sequence[MethodChoice] = (MethodChoice("direct"),)
    shard: Shard = Shard()
    limit: int | None = None
    """Put only the first so many items to the models; the others stay pending, so the run is partial."""
    rerun: bool = False
    """Start a new run beside those in the journal."""
    run: int | None = None
    """The run number, where several shards must agree on it; else the latest, or the next with `rerun`."""
    max_calls: int | None = None
    max_cost: float | None = None
    isolate: bool = False
    """A fault in a method is the item's or the condition's, and not the end of the entrant's run."""
    keyless: bool = False
    """An entrant whose key is missing stops alone, unless all are like that; else it is an error of the whole plan."""
    retry: RetryPolicy = field(default_factory=RetryPolicy)


@dataclass(slots=True)
class Job:
    """One condition and the items of it that still need calls."""

    condition: Condition
    items: Sequence[Item]
    """All items of the shard."""
    todo: list[Item]
    calls: int
    """How many calls the items of `todo` need at most."""
    whole: Sequence[Item] = ()
    """All items of the condition, whatever the shard: what spans items is prepared over these."""
    faults: dict[str, str] = field(default_factory=dict)
    """Item id -> what went wrong in the method, where faults are kept apart."""
    fault: str | None = None
    """Why the whole condition was given up, likewise."""


@dataclass(slots=True)
class Work:
    """One entrant with its provider and jobs."""

    entrant: Entrant
    provider: Provider
    price: Mapping[str, float] | None
    jobs: list[Job] = field(default_factory=list)

    @property
    def concurrency(self) -> int:
        return self.provider.settings.concurrency

    @property
    def left(self) -> int:
        """Items that still need calls."""
        return sum(len(job.todo) for job in self.jobs)

    @property
    def account(self) -> tuple[str, str, str]:
        """What shares a vendor's rate limits."""
        return (self.entrant.provider, self.entrant.base_url or "", self.entrant.api_key_env or "")


@dataclass(slots=True)
class Session:
    """A plan that has been checked against registry, keys and journal. Nothing was sent yet."""

    plan: Plan
    recorded: Recorded
    works: list[Work]
    estimates: list[Estimate]


def open_session(plan: Plan, records: Iterable[Mapping[str, Any]], keys: Mapping[str, str]) -> Session:
    """Check everything that can be checked before the first call and see what is left to do.

    Raises UserError: no items, no entrants, unknown method or provider, a capability that is missing, a missing key or
    package, wrong settings, a limit on dollars without prices, a journal of another version.
    """
    if not plan.items:
        raise UserError("there are no items to run")
    if not plan.entrants:
        raise UserError("there are no entrants to run")
    kinds = [PROVIDERS.get(entrant.provider) for entrant in plan.entrants]
    for choice in plan.methods:
        _check_method(choice, plan.entrants, kinds)
    for entrant, kind in zip(plan.entrants, kinds, strict=True):
        if entrant.batch and BATCH not in kind.capabilities:
            raise UserError(f"entrant {entrant.id!r}: provider {entrant.provider!r} has no batch mode; leave batch out")
    works = [
        Work(entrant, open_provider(kind, entrant, keys, keyless=plan.keyless), list_price(entrant, today()))
        for entrant, kind in zip(plan.entrants, kinds, strict=True)
    ]
    keyless = [work.provider for work in works if isinstance(work.provider, Keyless)]
    if len(keyless) == len(works):
        raise UserError(keyless[0].problem)
    if plan.max_cost is not None:
        missing = [work.entrant.id for work in works if work.price is None and work.provider.paid]
        if missing:
            raise UserError(
                f"--max-cost needs a price for every entrant and {', '.join(missing)} has none: add `price` to its "
                "entry, or use --max-calls"
            )
    ids = {entrant.id for entrant in plan.entrants}
    methods = {choice.key for choice in plan.methods}

    def wanted(key: CallKey) -> bool:
        return key.entrant in ids and key.method in methods

    recorded = Recorded.of(records, plan.version, {item.id for item in plan.items}, wanted)
    session = Session(plan, recorded, works, [])
    with asyncio.Runner() as runner:
        for work in works:
            for choice in plan.methods:
                run = run_number(plan, recorded, work.entrant.id, choice.key)
                condition = Condition(plan.version, work.entrant, choice, run)
                work.jobs.append(runner.run(_job(condition, plan, recorded)))
            session.estimates.append(_estimate(work, recorded))
    return session


def estimate_lines(session: Session) -> list[str]:
    """What is about to happen, a line for every entrant that will be asked something."""
    lines = []
    for work, one in zip(session.works, session.estimates, strict=True):
        if one.calls and not isinstance(work.provider, Keyless):
            paid = "cost unknown" if one.cost_usd is None else f"about ${one.cost_usd:.2f}"
            tokens = f"about {one.input_tokens:,} tokens in and {one.output_tokens:,} out ({one.basis})"
            cost = paid if work.provider.paid else "no cost"
            lines.append(f"{one.entrant}: up to {one.calls} calls, {tokens}, {cost}")
    return lines


def _check_method(choice: MethodChoice, entrants: Sequence[Entrant], kinds: Sequence[type[Provider]]) -> None:
    method = METHODS.get(choice.name)
    try:
        method.check(choice.params)
    except UserError as problem:
        raise UserError(f"method {choice.name!r}: {problem}") from None
    for entrant, kind in zip(entrants, kinds, strict=True):
        missing = sorted(method.requires - kind.capabilities)
        if missing:
            raise UserError(
                f"method {choice.name!r} needs {', '.join(missing)}, which provider {entrant.provider!r} of entrant "
                f"{entrant.id!r} does not offer"
            )


def run_number(plan: Plan, recorded: Recorded, entrant: str, method: str) -> int:
    """The number of the run that a plan makes or goes on with."""
    if plan.run is not None:
        return plan.run
    known = recorded.runs(entrant, method)
    return (known[-1] if known else 0) + 1 if plan.rerun else (known[-1] if known else 1)


async def _job(condition: Condition, plan: Plan, recorded: Recorded) -> Job:
    """What is left of one condition: items that are pending, and those with a call that failed."""
    replay = Replay(condition, recorded)
    items = plan.shard.of(plan.items[: plan.limit])
    await replay.prepare(plan.items)
    method = METHODS.get(condition.method.name)
    todo, calls = [], 0
    for item in items:
        outcome = await replay.outcome(item)
        if outcome.pending or outcome.failed:
            todo.append(item)
            answered = sum(call.completion.error is None for call in outcome.calls)
            calls += max(1, method.calls(item, condition.method.params) - answered)
    return Job(condition, items, todo, calls, plan.items)


def _estimate(work: Work, recorded: Recorded) -> Estimate:
    sizes = [
        len(item.prompt)
        for job in work.jobs
        for item in job.todo
        for _ in range(METHODS.get(job.condition.method.name).calls(item, job.condition.method.params))
    ]
    return estimate(work.entrant, sizes, (call for call in recorded.calls() if call.key.entrant == work.entrant.id))
