"""Anthropic's Messages API."""

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

from benchpress.errors import UserError

from benchpress_evaluator.providers.anthropic_batches import AnthropicBatches
from benchpress_evaluator.providers.base import (
    BATCH,
    THINKING,
    Provider,
    Settings,
    Stop,
    Usage,
    check_known,
    refuse,
    require,
)
from benchpress_evaluator.providers.batches import Batches
from benchpress_evaluator.providers.errors import RetryableError
from benchpress_evaluator.providers.pools import http_client
from benchpress_evaluator.providers.stainless import attempt, error_in_body
from benchpress_evaluator.records import Completion, Request

OURS = frozenset({"messages", "model", "system", "stream", "timeout", "extra_headers", "extra_query"})
SAMPLING = frozenset({"temperature", "top_p", "top_k"})
"""Older models take these; the SDK no longer names them, so they go into the body as they are."""

LONGEST_WITHOUT_STREAM = 21_333
"""Above this cap the vendor wants the answer streamed, since idle connections of many minutes get lost."""


class Anthropic(Provider):
    """One message. `params.max_tokens` has to be set: the API knows no default."""

    capabilities: ClassVar[frozenset[str]] = frozenset({THINKING, BATCH})
    key_env: ClassVar[str | None] = "ANTHROPIC_API_KEY"
    stops: ClassVar[Mapping[str, Stop]] = {
        "end_turn": Stop.DONE,
        "stop_sequence": Stop.DONE,
        "max_tokens": Stop.CUT,
        "model_context_window_exceeded": Stop.CUT,
        "refusal": Stop.DECLINED,
        "tool_use": Stop.ODD,
        "pause_turn": Stop.ODD,
    }

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        refuse(settings, OURS)
        sdk = require("anthropic", "anthropic", settings.entrant)
        self._client = sdk.AsyncAnthropic(
            api_key=settings.api_key,
            base_url=settings.base_url or "https://api.anthropic.com",
            max_retries=0,
            timeout=settings.timeout_s,
            http_client=http_client(
                require("httpx2", "anthropic", settings.entrant), settings.timeout_s, settings.concurrency
            ),
            # Spans could carry prompts to whatever collector is configured on the machine.
            open_telemetry=False,
        )
        known = set(inspect.signature(self._client.messages.create).parameters) - OURS
        check_known(settings, known | SAMPLING)
        cap = settings.params.get("max_tokens")
        if not isinstance(cap, int) or isinstance(cap, bool) or cap < 1:
            raise UserError(f"entrant {settings.entrant!r}: params.max_tokens has to be set, a whole number above 0")
        self._cap = cap
        self._arguments = {name: value for name, value in settings.params.items() if name not in SAMPLING}
        sampling = {name: value for name, value in settings.params.items() if name in SAMPLING}
        if sampling:
            self._arguments["extra_body"] = {**sampling, **self._arguments.get("extra_body", {})}
        self.native_config = {"model": settings.model, **settings.params}

    @property
    def max_tokens(self) -> int | None:
        return self._cap

    def body(self, request: Request) -> dict[str, Any]:
        """The arguments of one message."""
        body: dict[str, Any] = {
            "model": self.settings.model,
            "messages": [{"role": turn.role, "content": turn.content} for turn in request.messages],
            **self._arguments,
        }
        return body if request.system is None else {**body, "system": request.system}

    def plain_body(self, request: Request) -> dict[str, Any]:
        """The JSON of one message, with what the SDK does not name in its place."""
        body = self.body(request)
        return {**body.pop("extra_body", {}), **body}

    def batches(self) -> Batches:
        return AnthropicBatches(self, self._client)

    async def complete(self, request: Request) -> Completion:
        import anthropic

        body = self.body(request)

        async def send() -> Any:
            if self._cap <= LONGEST_WITHOUT_STREAM:
                return await self._client.messages.create(**body, timeout=self.settings.timeout_s)
            async with self._client.messages.stream(**body, timeout=self.settings.timeout_s) as stream:
                message = await stream.get_final_message()
                message._request_id = stream.request_id
                return message

        found = await attempt(anthropic, send, anthropic.types.Message, request, self.settings.api_key)
        return found if isinstance(found, Completion) else self.read(found, request, found._request_id)

    def read(self, found: Any, request: Request, request_id: str | None) -> Completion:
        """A message as a completion. Raises ProviderError where it holds no answer."""
        error = getattr(found, "error", None)
        if error is not None:
            raise error_in_body({"error": error}, request, self.settings.api_key)
        if not isinstance(found.content, list) or found.stop_reason is None:
            raise RetryableError("unreadable body: no content or no stop reason")
        texts = [block.text for block in found.content if block.type == "text"]
        details = found.stop_details
        words = [getattr(details, name, None) for name in ("category", "explanation")]
        usage = found.usage
        fast = getattr(usage, "speed", None) == "fast"
        return Completion(
            text="".join(texts) if texts else None,
            stop_reason=found.stop_reason,
            stop_details=": ".join(word for word in words if word) or None,
            **usage_of_message(usage),
            max_tokens=self._cap,
            request_id=request_id or found.id or None,
            model_served=found.model or None,
            service_tier="fast" if fast else getattr(usage, "service_tier", None),
            native_config=self.native_config,
            flags=self.flags(found.stop_reason),
        )

    async def aclose(self) -> None:
        await self._client.close()


def usage_of_message(usage: Any) -> Usage:
    """Token counts as ours: the vendor counts cached tokens beside the input, and thinking inside the output."""
    if usage is None:
        return {}
    read, written = usage.cache_read_input_tokens, usage.cache_creation_input_tokens
    fresh = usage.input_tokens
    details = getattr(usage, "output_tokens_details", None)
    return {
        "input_tokens": None if fresh is None else fresh + (read or 0) + (written or 0),
        "output_tokens": usage.output_tokens,
        "thinking_tokens": getattr(details, "thinking_tokens", None),
        "cached_tokens": read,
        "cache_write_tokens": written,
    }
