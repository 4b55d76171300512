"""One call of one entrant: attempts, pauses and limits, until there is a completion to record."""

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from benchpress_evaluator.budget import Budget, Spent, worst_case
from benchpress_evaluator.costs import cost_of
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.providers.base import Provider
from benchpress_evaluator.providers.errors import ConfigurationError, ProviderError, QuotaError, RetryableError
from benchpress_evaluator.providers.fitting import fitting
from benchpress_evaluator.providers.http_errors import broken
from benchpress_evaluator.records import Completion, Request
from benchpress_evaluator.redaction import redact
from benchpress_evaluator.schedule import Gate, RetryPolicy

ATTEMPTS_TO_REACH = 3
"""So often a server that never answered is tried before its entrant is given up."""

FAILURES_IN_A_ROW = 8
"""So many calls in a row, and at least twice the concurrency, have to fail for good before an entrant is given up."""


class Stopped(Exception):  # noqa: N818 - a state of the run, not an error
    """No further call is made for this entrant; what is left stays pending."""


@dataclass(slots=True)
class Tally:
    """What a run did for one entrant."""

    entrant: str
    planned: int
    """Items of all its conditions in this shard."""
    left: int
    """Items that needed calls when the run began."""
    done: int = 0
    """Of these, items that were put to the model to the end."""
    calls: int = 0
    """Calls that were recorded."""
    api_errors: int = 0

    attempts: int = 0
    """Requests sent, repeated ones included."""
    cost_usd: float = 0.0
    """Known cost of the calls recorded."""
    unknown_costs: int = 0
    """Answers whose cost is unknown."""
    stopped: str | None = None
    """Why this entrant ended early."""
    spent: bool = False
    """It ended because the budget did, and not for a fault."""

    @property
    def answers(self) -> int:
        """Calls that were recorded with an answer, whatever it is."""
        return self.calls - self.api_errors


async def attempt(provider: Provider, request: Request, timeout_s: float) -> Completion | ProviderError:
    """One request. Whatever goes wrong with it is returned, never raised."""
    try:
        async with asyncio.timeout(timeout_s):
            return fitting(await provider.complete(request))
    except TimeoutError:
        return RetryableError(f"no complete answer in {timeout_s:g} s", billed=True)
    except ProviderError as problem:
        return problem
    except Exception as problem:  # noqa: BLE001 - whatever a vendor's package throws ends as one failed call
        return broken(problem)


@dataclass(slots=True)
class Caller:
    """Makes the calls of one entrant, under the limits it shares with others."""

    entrant: Entrant
    provider: Provider
    gate: Gate
    budget: Budget
    retry: RetryPolicy
    price: Mapping[str, float] | None
    stopping: asyncio.Event
    """Set when the whole run is to end."""
    tally: Tally
    stopped: Callable[[], None]
    """Told once, when this entrant stops."""
    _failures: int = 0
    _answered: bool = False
    draw: random.Random = field(default_factory=random.Random)

    def stop(self, why: str) -> None:
        """End this entrant; the others go on."""
        if self.tally.stopped is None:
            self.tally.stopped = self._shown(why)
            self.stopped()

    def _shown(self, text: str) -> str:
        """What may be kept of an error, whoever wrote the provider or the method it comes from."""
        return redact(text, (self.provider.settings.api_key,))

    async def call(self, request: Request) -> Completion:
        """The completion to record. Raises Stopped where none is to be had any more."""
        asked = time.monotonic()
        attempt = 0
        while True:
            async with self.gate as started:
                attempt += 1
                outcome, latency = await self._attempt(request)
                if isinstance(outcome, Completion):
                    self.gate.succeeded()
                elif isinstance(outcome, RetryableError) and outcome.overloaded:
                    self.gate.overloaded(started, outcome.retry_after)
            if isinstance(outcome, Completion):
                self._failures = 0
                self._answered = True
                latency = latency if outcome.latency_s is None else outcome.latency_s
                waited = max(0.0, time.monotonic() - asked - latency)
                return replace(outcome, latency_s=latency, waited_s=waited, attempts=attempt)
            if self._final(outcome, attempt):
                waited = time.monotonic() - asked
                return Completion(None, error=self._shown(str(outcome)), waited_s=waited, attempts=attempt)
            await self.rest(self.retry.pause(attempt, getattr(outcome, "retry_after", None), self.draw))

    async def _attempt(self, request: Request) -> tuple[Completion | ProviderError, float]:
        """One request and how long it took."""
        if self.tally.stopped is not None or self.stopping.is_set():
            raise Stopped
        worst = 0.0
        if self.budget.max_cost is not None and self.price is not None:
            worst = worst_case(self.price, request, self.provider.max_tokens)
        try:
            await self.budget.reserve(worst)
        except Spent as spent:
            self.tally.spent = True
            self.stop(str(spent))
            raise Stopped from None
        self.tally.attempts += 1
        began = time.perf_counter()
        cost: float | None = None
        try:
            outcome = await attempt(self.provider, request, self.entrant.timeout_s)
            latency = time.perf_counter() - began
            if isinstance(outcome, Completion):
                cost = cost_of(self.entrant, outcome, None)
                self.tally.cost_usd += cost or 0.0
                self.tally.unknown_costs += cost is None
            elif not getattr(outcome, "billed", False):
                cost = 0.0
        finally:
            self.budget.settle(worst, cost)
        return outcome, latency

    def _final(self, problem: ProviderError, attempt: int) -> bool:
        """Whether this failure is the call's outcome; some also stop the entrant."""
        if isinstance(problem, ConfigurationError | QuotaError):
            self.stop(str(problem))
            return True
        if isinstance(problem, RetryableError):
            if problem.unreachable and not self._answered and attempt >= ATTEMPTS_TO_REACH:
                where = self.entrant.base_url or f"the servers of {self.entrant.provider}"
                self.stop(f"cannot reach {where} ({problem}): check network and base_url")
                return True
            limit = self.retry.overloaded_attempts if problem.overloaded else self.retry.attempts
            if attempt < limit:
                return False
            self._failures += 1
            if self._failures >= max(FAILURES_IN_A_ROW, 2 * self.gate.ceiling):
                self.stop(f"{self._failures} calls in a row failed: {problem}")
        return True

    async def rest(self, seconds: float) -> None:
        """Wait, but not beyond the end of the run."""
        try:
            async with asyncio.timeout(seconds):
                await self.stopping.wait()
        except TimeoutError:
            return
        raise Stopped
