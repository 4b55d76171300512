"""OpenAI's Responses API."""

from collections.abc import Mapping
from typing import Any, ClassVar

from benchpress_evaluator.providers.base import BATCH, THINKING, Provider, Settings, Stop, Usage, check_known, refuse
from benchpress_evaluator.providers.batches import Batches
from benchpress_evaluator.providers.errors import RetryableError
from benchpress_evaluator.providers.http_errors import PROMPT_REFUSED
from benchpress_evaluator.providers.openai_batches import OpenAIBatches
from benchpress_evaluator.providers.openai_compatible import openai_client
from benchpress_evaluator.providers.stainless import attempt, error_in_body
from benchpress_evaluator.records import Completion, Request

OURS = frozenset(
    {"input", "instructions", "model", "stream", "stream_options", "background", "background_options", "timeout"}
    | {"conversation", "previous_response_id", "prompt", "extra_headers", "extra_query"}
)
POLICY_CODES = frozenset({"invalid_prompt", "bio_policy", "misalignment_policy_violation"})
"""Codes of a failed response that mean: this prompt is declined."""


class OpenAIResponses(Provider):
    """One call of `responses.create`. Nothing is stored at the vendor unless the entrant asks for it."""

    capabilities: ClassVar[frozenset[str]] = frozenset({THINKING, BATCH})
    key_env: ClassVar[str | None] = "OPENAI_API_KEY"
    stops: ClassVar[Mapping[str, Stop]] = {
        "completed": Stop.DONE,
        "refusal": Stop.DECLINED,
        "max_output_tokens": Stop.CUT,
        "max_messages": Stop.ODD,
        "steered": Stop.ODD,
        "incomplete": Stop.ODD,
        PROMPT_REFUSED: Stop.DECLINED,
        "failed": Stop.FAILED,
        "cancelled": Stop.FAILED,
        "in_progress": Stop.FAILED,
        "queued": Stop.FAILED,
    }

    def __init__(self, settings: Settings) -> None:
        import inspect

        super().__init__(settings)
        refuse(settings, OURS)
        self._client = openai_client(settings, settings.base_url or "https://api.openai.com/v1", "openai")
        check_known(settings, set(inspect.signature(self._client.responses.create).parameters) - OURS)
        self._arguments = {"store": False, **settings.params}
        self.native_config = {"model": settings.model, **self._arguments}

    @property
    def max_tokens(self) -> int | None:
        cap = self.settings.params.get("max_output_tokens")
        return cap if isinstance(cap, int) else None

    def body(self, request: Request) -> dict[str, Any]:
        """The arguments of one call."""
        body: dict[str, Any] = {
            "model": self.settings.model,
            "input": [{"role": turn.role, "content": turn.content} for turn in request.messages],
            **self._arguments,
        }
        return body if request.system is None else {**body, "instructions": request.system}

    def plain_body(self, request: Request) -> dict[str, Any]:
        """The JSON of one request, with what the SDK does not name in its place."""
        body = self.body(request)
        return {**body.pop("extra_body", {}), **body}

    def batches(self) -> Batches:
        return OpenAIBatches(self, self._client)

    async def complete(self, request: Request) -> Completion:
        import openai
        from openai.types.responses import Response

        body = self.body(request)
        found = await attempt(
            openai, lambda: self._client.responses.create(**body), Response, request, self.settings.api_key
        )
        return found if isinstance(found, Completion) else self.read(found, request, found._request_id)

    def read(self, found: Any, request: Request, request_id: str | None) -> Completion:
        """A response object as a completion. Raises ProviderError where it holds no answer."""
        error = found.error
        if error is not None and getattr(error, "code", None) not in POLICY_CODES:
            raise error_in_body({"error": error}, request, self.settings.api_key)
        stop = found.status
        if stop == "incomplete" and found.incomplete_details is not None:
            stop = found.incomplete_details.reason or stop
        details = None
        parts = (
            [part for item in found.output or () if item.type == "message" for part in item.content]
            if error is None
            else []
        )
        text: str | None = "".join(part.text for part in parts if part.type == "output_text") if parts else None
        refusal = "".join(part.refusal for part in parts if part.type == "refusal")
        if error is not None:
            stop, details = PROMPT_REFUSED, f"{error.code}: {error.message}"
        elif refusal:
            details = refusal
            if not text:
                text, stop = refusal, "refusal"
        if self.stops.get(stop) is Stop.FAILED or (stop is None and found.output is None):
            raise RetryableError(f"the response ended as {stop or 'nothing'}")
        return Completion(
            text=text,
            stop_reason=stop,
            stop_details=details,
            **usage_of_response(found.usage),
            max_tokens=self.max_tokens,
            request_id=request_id or found.id or None,
            model_served=found.model or None,
            service_tier=found.service_tier,
            native_config=self.native_config,
            flags=self.flags(stop),
        )

    async def aclose(self) -> None:
        await self._client.close()


def usage_of_response(usage: Any) -> Usage:
    """Token counts as ours: cached tokens are inside the input, thinking is inside the output."""
    if usage is None:
        return {}
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "thinking_tokens": getattr(usage.output_tokens_details, "reasoning_tokens", None),
        "cached_tokens": getattr(usage.input_tokens_details, "cached_tokens", None),
        "cache_write_tokens": getattr(usage.input_tokens_details, "cache_write_tokens", None),
    }
