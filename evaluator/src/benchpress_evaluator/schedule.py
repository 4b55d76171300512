"""When the next call may start: how many at a time, and how long to wait after a failure."""

import asyncio
import random
from collections import deque
from dataclasses import dataclass
from types import TracebackType


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a failed call is tried, and the pauses between in seconds."""

    attempts: int = 6
    overloaded_attempts: int = 12
    """Attempts where the vendor only asks for patience."""
    first_pause_s: float = 1.0
    longest_pause_s: float = 60.0
    poll_s: float = 30.0
    """Between two questions whether a batch has ended."""

    def pause(self, attempt: int, asked: float | None, draw: random.Random) -> float:
        """Seconds to wait after the failed `attempt` (1 for the first).

        What the vendor asked for is kept, with a little spread on top; otherwise the pause doubles, half of it
        random, so that calls which failed together do not return together.
        """
        if asked is not None:
            return asked + draw.uniform(0, min(1.0, 0.1 * asked + 0.05))
        pause = min(self.longest_pause_s, self.first_pause_s * 2.0 ** min(attempt - 1, 30))
        return pause * draw.uniform(0.5, 1.0)


class Gate:
    """Lets a limited number of calls through; narrows when the vendor is overloaded and widens again with success.

    Additive increase, multiplicative decrease, and at most one decrease for calls that were in flight together.
    While a vendor's Retry-After runs, nothing starts. One gate a vendor account, in one event loop.
    """

    def __init__(self, ceiling: int) -> None:
        self.ceiling = ceiling
        self.limit = float(ceiling)
        self.active = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._paused_until = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._narrowed_at = float("-inf")

    async def __aenter__(self) -> float:
        """Wait for a place; returns the loop's time at which the call starts."""
        loop = asyncio.get_running_loop()
        if self._waiting or not self._free(loop.time()):
            place: asyncio.Future[None] = loop.create_future()
            self._waiting.append(place)
            self._wake()
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self.active -= 1
                self._wake()
                raise
        else:
            self.active += 1
        return loop.time()

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.active -= 1
        self._wake()

    def open(self) -> None:
        """Let everybody through who waits: the run is stopping, and they will see it."""
        self.limit = float("inf")
        self._paused_until = 0.0
        self._wake()

    def succeeded(self) -> None:
        """One call came through: widen by one place per full round."""
        if self.limit < self.ceiling:
            self.limit = min(float(self.ceiling), self.limit + 1 / self.limit)

    def overloaded(self, started: float, pause: float | None) -> None:
        """A call that started at `started` was told to slow down, for `pause` seconds where the vendor said so."""
        loop = asyncio.get_running_loop()
        if started >= self._narrowed_at:
            self.limit = max(1.0, self.limit / 2)
            self._narrowed_at = loop.time()
        if pause:
            self._paused_until = max(self._paused_until, loop.time() + pause)

    def _free(self, now: float) -> bool:
        return self.active + 1 <= self.limit and now >= self._paused_until

    def _wake(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        while self._waiting and self._free(now):
            place = self._waiting.popleft()
            if not place.done():
                self.active += 1
                place.set_result(None)
        if self._waiting and now < self._paused_until:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = loop.call_at(self._paused_until + 0.001, self._wake)
