"""One tiny call per entrant, to see that keys, names and settings work: what `doctor --providers` shows."""

import asyncio
import contextlib
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from benchpress.errors import UserError

from benchpress_evaluator.calling import attempt
from benchpress_evaluator.clock import now
from benchpress_evaluator.costs import cost_of
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.providers import PROVIDERS
from benchpress_evaluator.providers.base import Provider, open_provider
from benchpress_evaluator.providers.errors import ProviderError
from benchpress_evaluator.records import Completion, Request

PROMPT = "Answer with the single word yes. Is 7 larger than 4?"


@dataclass(frozen=True, slots=True)
class Probe:
    """What came back from one entrant: a completion, or the one line that says why there is none."""

    entrant: str
    provider: str
    completion: Completion | None
    problem: str | None
    cost_usd: float | None


def probe(entrants: Iterable[Entrant], keys: Mapping[str, str]) -> list[Probe]:
    """Ask every entrant one short question, all at the same time. Nothing is raised and nothing is stored."""
    with asyncio.Runner() as runner:
        return runner.run(_all(list(entrants), keys))


async def _all(entrants: list[Entrant], keys: Mapping[str, str]) -> list[Probe]:
    return list(await asyncio.gather(*(_one(entrant, keys) for entrant in entrants)))


async def _one(entrant: Entrant, keys: Mapping[str, str]) -> Probe:
    def failed(problem: Exception) -> Probe:
        return Probe(entrant.id, entrant.provider, None, str(problem), None)

    provider: Provider
    try:
        provider = open_provider(PROVIDERS.get(entrant.provider), entrant, keys)
    except UserError as problem:
        return failed(problem)
    try:
        await provider.start()
        if entrant.kind == "reference":
            # A solver reads the prompts of its own module only; that it was found is all there is to see.
            return Probe(entrant.id, entrant.provider, Completion(None, model_served=entrant.model), None, None)
        began = time.perf_counter()
        found = await attempt(provider, Request.of(PROMPT), entrant.timeout_s)
        if isinstance(found, ProviderError):
            return failed(found)
        seconds = time.perf_counter() - began
        cost = cost_of(entrant, found, now())
        latency = seconds if found.latency_s is None else found.latency_s
        return Probe(entrant.id, entrant.provider, replace(found, latency_s=latency), None, cost)
    except (UserError, ProviderError) as problem:
        return failed(problem)
    finally:
        with contextlib.suppress(Exception):
            await provider.aclose()
