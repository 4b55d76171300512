"""Cohere's v2 chat API."""

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

from benchpress_evaluator.providers.base import THINKING, Provider, Settings, Stop, Usage, check_known, refuse, require
from benchpress_evaluator.providers.errors import RetryableError
from benchpress_evaluator.providers.http_errors import answer_of_refusal, status_error
from benchpress_evaluator.providers.stainless import message_of
from benchpress_evaluator.records import Completion, Request

OURS = frozenset({"model", "messages", "request_options", "tools", "strict_tools", "tool_choice", "documents"})


class Cohere(Provider):
    """One call of `chat`."""

    capabilities: ClassVar[frozenset[str]] = frozenset({THINKING})
    key_env: ClassVar[str | None] = "CO_API_KEY"
    stops: ClassVar[Mapping[str, Stop]] = {
        "COMPLETE": Stop.DONE,
        "STOP_SEQUENCE": Stop.DONE,
        "MAX_TOKENS": Stop.CUT,
        "TOOL_CALL": Stop.ODD,
        "ERROR": Stop.FAILED,
        "TIMEOUT": Stop.FAILED,
    }

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        refuse(settings, OURS)
        sdk = require("cohere", "cohere", settings.entrant)
        client = require("cohere.v2.client", "cohere", settings.entrant)
        self._client = sdk.AsyncClientV2(
            api_key=settings.api_key,
            base_url=settings.base_url or "https://api.cohere.com",
            timeout=settings.timeout_s,
            max_retries=0,
            log_warning_experimental_features=False,
        )
        check_known(settings, set(inspect.signature(client.AsyncV2Client.chat).parameters) - OURS - {"self"})
        self.native_config = {"model": settings.model, **settings.params}

    @property
    def max_tokens(self) -> int | None:
        cap = self.settings.params.get("max_tokens")
        return cap if isinstance(cap, int) else None

    async def complete(self, request: Request) -> Completion:
        from cohere.core.api_error import ApiError

        messages = [{"role": turn.role, "content": turn.content} for turn in request.messages]
        if request.system is not None:
            messages.insert(0, {"role": "system", "content": request.system})
        try:
            found = await self._client.chat(model=self.settings.model, messages=messages, **self.settings.params)
        except ApiError as problem:
            status = problem.status_code
            if status is None or status < 400:
                raise RetryableError("unreadable body: not the JSON of an answer") from None
            message = message_of(problem.body)
            answer = answer_of_refusal(status, message)
            if answer is not None:
                return answer
            raise status_error(status, message, problem.headers or {}, request, self.settings.api_key) from None
        return self._read(found)

    def _read(self, found: Any) -> Completion:
        message, stop = getattr(found, "message", None), getattr(found, "finish_reason", None)
        if message is None or stop is None:
            raise RetryableError("unreadable body: no message")
        if self.stops.get(stop) is Stop.FAILED:
            raise RetryableError(f"the service ended the answer with {stop}")
        texts = [part.text for part in message.content or () if part.type == "text"]
        return Completion(
            text="".join(texts) if texts else None,
            stop_reason=stop,
            **usage_of_cohere(found.usage),
            max_tokens=self.max_tokens,
            request_id=found.id or None,
            native_config=self.native_config,
            flags=self.flags(stop),
        )

    async def aclose(self) -> None:
        await self._client._client_wrapper.httpx_client.httpx_client.aclose()


def usage_of_cohere(usage: Any) -> Usage:
    """Token counts as ours, and beside them what is billed, which leaves out the vendor's own preamble.

    Thinking is inside the output and not told apart.
    """
    if usage is None:
        return {}
    tokens, billed = usage.tokens, usage.billed_units
    return {
        "input_tokens": _whole(getattr(tokens, "input_tokens", None)),
        "output_tokens": _whole(getattr(tokens, "output_tokens", None)),
        "cached_tokens": _whole(usage.cached_tokens),
        "billed_input_tokens": _whole(getattr(billed, "input_tokens", None)),
        "billed_output_tokens": _whole(getattr(billed, "output_tokens", None)),
    }


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)
