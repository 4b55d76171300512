"""A response cache: the answer to a request that was put to the same model in the same words before.

The key is the whole request as it is sent: provider, address, model, configuration, what its provider says of its
weights, system text, turns and labels. Only answers are kept, never failures. An entry that is damaged counts as none.
"""

import asyncio
import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchpress.errors import UserError

from benchpress_evaluator.grid.identity import sha256_of
from benchpress_evaluator.json_text import parse_json
from benchpress_evaluator.providers.base import Provider
from benchpress_evaluator.providers.batches import Batches
from benchpress_evaluator.providers.errors import ConfigurationError
from benchpress_evaluator.records import Completion, Request

FLAG = "response cache"
"""The flag of an answer that was taken from the cache."""


class ResponseCache:
    """Answers of one model in one folder, one small file each, so that several processes may share it."""

    def __init__(self, folder: Path, model: Mapping[str, Any]) -> None:
        self.folder = folder
        self._model = sha256_of(model)

    def key(self, request: Request) -> str:
        """SHA-256 over everything in the request."""
        turns = [[turn.role, turn.content] for turn in request.messages]
        # Text is taken as it stands: two forms of one letter are two requests.
        return hashlib.sha256(
            json.dumps([self._model, request.system, turns, list(request.option_labels)]).encode()
        ).hexdigest()

    def get(self, request: Request) -> Completion | None:
        """The kept answer, marked and free of charge; None where there is none, or it is damaged."""
        key = self.key(request)
        try:
            value = parse_json(self._path(key).read_bytes())
            if value["key"] != key or value["sum"] != _sum(value["completion"]):
                return None
            found = Completion.from_json(value["completion"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return replace(
            found, flags=(*found.flags, FLAG), billed_input_tokens=0, billed_output_tokens=0, latency_s=0.0, batch=False
        )

    def put(self, request: Request, completion: Completion) -> None:
        """Keep an answer. A cache that cannot be written is none; nothing else depends on it."""
        if completion.error is not None:
            return
        key = self.key(request)
        path, value = self._path(key), completion.to_json()
        partial = path.with_name(f".{path.name}.{id(completion):x}.partial")
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(json.dumps({"key": key, "sum": _sum(value), "completion": value}), encoding="utf-8")
            partial.replace(path)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key[2:]}.json"


def _sum(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


class CachedProvider(Provider):
    """A provider that asks only what the cache does not have."""

    def __init__(self, inner: Provider, cache: ResponseCache) -> None:
        self._inner = inner
        self._cache = cache
        self._starting = asyncio.Lock()
        self._started = False
        self.settings = inner.settings
        # Class attributes of the provider in question, seen through this one.
        self.capabilities = inner.capabilities  # type: ignore[misc]
        self.concurrency = inner.concurrency  # type: ignore[misc]
        self.paid = inner.paid  # type: ignore[misc]
        self.stops = inner.stops  # type: ignore[misc]

    @property
    def max_tokens(self) -> int | None:
        return self._inner.max_tokens

    def fingerprint(self) -> Mapping[str, Any]:
        return self._inner.fingerprint()

    async def complete(self, request: Request) -> Completion:
        known = self._cache.get(request)
        if known is not None:
            return known
        async with self._starting:
            # A model that has nothing left to answer is never loaded.
            if not self._started:
                try:
                    await self._inner.start()
                except UserError as problem:
                    raise ConfigurationError(str(problem)) from None
                self._started = True
        began = time.perf_counter()
        found = await self._inner.complete(request)
        if found.latency_s is None:
            found = replace(found, latency_s=time.perf_counter() - began)
        self._cache.put(request, found)
        return found

    def batches(self) -> Batches:
        return self._inner.batches()

    async def aclose(self) -> None:
        await self._inner.aclose()
