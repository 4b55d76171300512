"""What a run may cost: calls and dollars, never exceeded, and an estimate before the first call."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchpress_evaluator.clock import today
from benchpress_evaluator.costs import list_price
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.records import Call, Request

CHARACTERS_PER_TOKEN = 3.5
"""English prose and formulas need about four; fewer, so that estimates err on the high side."""

USUAL_OUTPUT = {True: 6000, False: 700, None: 2000}
"""Output tokens expected from an entrant that reasons, or does not, while nothing is known about it."""

WORST_OUTPUT = 64_000
"""Output tokens that a call may take where no cap is set."""


class Spent(Exception):  # noqa: N818 - a state of the run, not an error
    """The budget allows no further call."""


class Budget:
    """Reserves the worst case before a request is sent, and settles the true cost after it."""

    def __init__(self, max_calls: int | None = None, max_cost: float | None = None) -> None:
        self.max_calls = max_calls
        self.max_cost = max_cost
        self.calls = 0
        """Requests sent, repeated attempts included."""
        self.cost = 0.0
        """Dollars spent, as far as they are known."""
        self._reserved = 0.0
        self._in_flight = 0
        self._settled = asyncio.Event()

    async def reserve(self, worst: float) -> None:
        """Take room for one request that may cost `worst`, waiting for room that calls in flight may give back.

        Raises Spent where there is none any more.
        """
        while self.max_cost is not None and self.cost + worst <= self.max_cost < self.cost + self._reserved + worst:
            self._settled.clear()
            await self._settled.wait()
        self.take(worst)

    def take(self, worst: float) -> None:
        """As `reserve`, without waiting for others."""
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise Spent(f"the limit of {self.max_calls} calls is reached")
        if self.max_cost is not None and self.cost + self._reserved + worst > self.max_cost:
            raise Spent(f"the next call could exceed the limit of ${self.max_cost:g} (${self.cost:.4f} spent)")
        self.calls += 1
        self._in_flight += 1
        self._reserved += worst

    def settle(self, reserved: float, cost: float | None) -> None:
        """Give back what was reserved and count what it cost. Where that is unknown, the worst case counts."""
        self._in_flight -= 1
        self._reserved = self._reserved - reserved if self._in_flight else 0.0
        self.cost += reserved if cost is None else cost
        self._settled.set()


def worst_case(price: Mapping[str, float], request: Request, cap: int | None) -> float:
    """What one request can cost at most, at `price` dollars per token."""
    return price["input"] * prompt_tokens(request) * 1.5 + price["output"] * (cap or WORST_OUTPUT)


def prompt_tokens(request: Request) -> int:
    """Roughly how many tokens a request has."""
    characters = len(request.system or "") + sum(len(turn.content) for turn in request.messages)
    return int(characters / CHARACTERS_PER_TOKEN) + 8


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is still to be asked of one entrant, before the first call."""

    entrant: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    basis: str
    """Where the output length comes from: calls of this entrant in the journal, or an assumption."""


def estimate(entrant: Entrant, prompts: Sequence[int], seen: Iterable[Call]) -> Estimate:
    """The estimate for calls with `prompts` characters each, from what the entrant's earlier calls needed."""
    sizes = [int(size / CHARACTERS_PER_TOKEN) + 8 for size in prompts]
    known = [call.completion.output_tokens for call in seen if call.completion.output_tokens is not None]
    usual = round(sum(known) / len(known)) if known else USUAL_OUTPUT[entrant.reasoning]
    price = list_price(entrant, today())
    cost = price["input"] * sum(sizes) + price["output"] * usual * len(sizes) if price else None
    basis = f"{len(known)} earlier calls" if known else "assumed length"
    return Estimate(entrant.id, len(sizes), sum(sizes), usual * len(sizes), cost, basis)
