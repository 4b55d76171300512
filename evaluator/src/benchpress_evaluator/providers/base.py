"""What every vendor's file offers: capabilities, and one call that gives a completion or fails in a known way.

A provider makes exactly one attempt per `complete`; waiting and trying again are the runner's. What came back is
told as the vendor said it: an answer cut short, refused or empty is a Completion; only a call without any answer is
an error.
"""

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import Any, ClassVar, TypedDict

from benchpress.errors import UserError

from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.providers.batches import Batches
from benchpress_evaluator.records import Completion, Json, Request

TALKATIVE = ("httpx", "httpx2", "httpcore", "httpcore2", "urllib3", "botocore", "google_genai")
"""Loggers of what the vendors' packages stand on."""

OPTION_SCORES = "option_scores"
THINKING = "thinking"
BATCH = "batch"


class Stop(StrEnum):
    """What a vendor's stop value means."""

    DONE = "done"
    """The model ended by itself."""
    CUT = "cut"
    """A token limit or the context window ended it."""
    DECLINED = "declined"
    """The model or a filter declined."""
    ODD = "odd"
    """It ended for a reason that gives no verdict on the answer: a tool call, malformed output."""
    FAILED = "failed"
    """The service failed: no answer of the model's."""


class Usage(TypedDict, total=False):
    """Token counts of a completion, in the terms of :class:`Completion`; what is missing is unknown."""

    input_tokens: int | None
    output_tokens: int | None
    thinking_tokens: int | None
    cached_tokens: int | None
    cache_write_tokens: int | None
    billed_input_tokens: int | None
    billed_output_tokens: int | None


@dataclass(frozen=True, slots=True)
class Settings:
    """An entrant as its provider sees it."""

    entrant: str
    model: str
    params: Mapping[str, Json] = field(default_factory=dict)
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_s: float = 900
    concurrency: int = 1
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The environment and the workspace's `.env`, for vendors with several secrets."""


class Provider:
    """One vendor's client for one entrant. Made by :func:`open_provider`; `start` before the first call."""

    capabilities: ClassVar[frozenset[str]] = frozenset()
    key_env: ClassVar[str | None] = None
    """The environment variable that usually holds the key; None where none is needed."""
    concurrency: ClassVar[int] = 8
    """Calls in flight at most, where the entrant does not say."""
    paid: ClassVar[bool] = True
    """False where a call costs the maintainer nothing but time on a machine of one's own."""
    stops: ClassVar[Mapping[str, Stop]] = {}
    """Every stop value of the vendor, as it is written in its responses."""

    def __init__(self, settings: Settings) -> None:
        """Check the settings and import the vendor's package. Raises UserError; nothing is sent."""
        self.settings = settings

    @property
    def max_tokens(self) -> int | None:
        """The output cap that every call of this entrant is sent with, where there is one."""
        return None

    def fingerprint(self) -> Mapping[str, Json]:
        """What decides the answers beside the configuration: digests of weights, a commit. Nothing is sent.

        Part of the identity of an experiment. Raises UserError where it cannot be told.
        """
        return {}

    async def start(self) -> None:
        """Make ready what the first call needs."""

    async def complete(self, request: Request) -> Completion:
        """One attempt. Raises ProviderError where nothing was answered."""
        raise NotImplementedError

    def batches(self) -> Batches:
        """The vendor's batch endpoint, where the capability `batch` is there."""
        raise NotImplementedError

    async def aclose(self) -> None:
        """Let go of connections and processes."""

    def flags(self, stop_reason: str | None) -> tuple[str, ...]:
        """A flag for a stop value that is not in the vendor's table."""
        return () if stop_reason is None or stop_reason in self.stops else (f"unknown stop value {stop_reason}",)


class Keyless(Provider):
    """Stands for an entrant whose key is missing: it never starts, and so stops alone."""

    def __init__(self, settings: Settings, problem: str) -> None:
        super().__init__(settings)
        self.problem = problem

    async def start(self) -> None:
        raise UserError(self.problem)


def open_provider(
    kind: type[Provider], entrant: Entrant, keys: Mapping[str, str], *, keyless: bool = False
) -> Provider:
    """The provider of `entrant`. Raises UserError for a missing package or a wrong setting, and for a missing key
    unless `keyless`: then a :class:`Keyless` is given."""
    name = entrant.api_key_env or kind.key_env
    key = keys.get(name) or None if name else None
    settings = Settings(
        entrant=entrant.id,
        model=entrant.model,
        params=entrant.params,
        base_url=entrant.base_url,
        api_key=key,
        timeout_s=entrant.timeout_s,
        concurrency=entrant.concurrency or kind.concurrency,
        environment=keys,
    )
    if key is None and name:
        problem = f"entrant {entrant.id!r} needs a key in {name}; set it in the environment or in .env"
        if not keyless:
            raise UserError(problem)
        return Keyless(settings, problem)
    return kind(settings)


def require(package: str, extra: str, entrant: str) -> Any:
    """Import a vendor's package, or say in one line how to get it."""
    try:
        found = import_module(package)
    except ImportError:
        raise UserError(
            f"entrant {entrant!r} needs the package {package}: install benchpress-evaluator[{extra}]"
        ) from None
    for name in (package.partition(".")[0], *TALKATIVE):
        # At lower levels these write whole requests, whatever a variable of the environment asks for.
        logging.getLogger(name).setLevel(logging.WARNING)
    return found


def refuse(settings: Settings, names: Collection[str]) -> None:
    """Raise UserError for native settings that are not the entrant's to choose."""
    for name in settings.params:
        if name in names:
            raise UserError(f"entrant {settings.entrant!r}: params.{name} is set by the runner; leave it out")


def check_known(settings: Settings, known: Collection[str]) -> None:
    """Raise UserError for a native setting that the vendor's call does not have."""
    for name in settings.params:
        if name not in known:
            raise UserError(
                f"entrant {settings.entrant!r}: params.{name} is unknown to this provider; known are "
                f"{', '.join(sorted(known))}"
            )
