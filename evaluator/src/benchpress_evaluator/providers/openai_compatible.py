"""Chat completions: OpenAI's own, and every server that speaks the same (Groq, Together, vLLM, llama.cpp, ...)."""

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

from benchpress.errors import UserError

from benchpress_evaluator.providers.base import THINKING, Provider, Settings, Stop, Usage, check_known, refuse, require
from benchpress_evaluator.providers.errors import RetryableError
from benchpress_evaluator.providers.pools import http_client
from benchpress_evaluator.providers.stainless import attempt, error_in_body
from benchpress_evaluator.records import Completion, Json, Request

OURS = frozenset({"messages", "model", "stream", "stream_options", "n", "timeout", "extra_headers"})
"""Arguments of the call that an entrant must not set."""


def openai_client(settings: Settings, base_url: str, extra: str) -> Any:
    """An asynchronous client that never retries by itself and reads neither address nor key from elsewhere."""
    sdk = require("openai", extra, settings.entrant)
    return sdk.AsyncOpenAI(
        api_key=settings.api_key or "none",
        base_url=base_url,
        max_retries=0,
        timeout=settings.timeout_s,
        http_client=http_client(require("httpx2", extra, settings.entrant), settings.timeout_s, settings.concurrency),
        organization=settings.environment.get("OPENAI_ORG_ID"),
        project=settings.environment.get("OPENAI_PROJECT_ID"),
    )


class ChatProvider(Provider):
    """One call of `chat.completions.create`."""

    capabilities: ClassVar[frozenset[str]] = frozenset({THINKING})
    default_url: ClassVar[str | None] = None
    extra: ClassVar[str] = "openai"
    open_ended: ClassVar[bool] = True
    """Settings that the SDK does not know go into the body as they are."""
    stops: ClassVar[Mapping[str, Stop]] = {
        "stop": Stop.DONE,
        "length": Stop.CUT,
        "tool_calls": Stop.ODD,
        "function_call": Stop.ODD,
        "content_filter": Stop.DECLINED,
    }

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        refuse(settings, OURS)
        self._client: Any = None
        self._connect(settings.base_url or self.default_url)

    def _connect(self, base_url: str | None) -> None:
        if base_url is None:
            raise UserError(f"entrant {self.settings.entrant!r} needs a base_url, such as http://127.0.0.1:8000/v1")
        self._client = openai_client(self.settings, base_url, self.extra)
        self._arguments, self.native_config = self._split(self.settings.params)

    def _split(self, params: Mapping[str, Json]) -> tuple[dict[str, Any], dict[str, Json]]:
        """Arguments for the SDK, and the same as they stand in the body."""
        known = set(inspect.signature(self._client.chat.completions.create).parameters)
        if not self.open_ended:
            check_known(self.settings, known - OURS)
        arguments = {name: value for name, value in params.items() if name in known}
        body = {name: value for name, value in params.items() if name not in known}
        if body:
            arguments["extra_body"] = {**body, **arguments.get("extra_body", {})}
        sent = {**{name: value for name, value in arguments.items() if name != "extra_body"}, **body}
        return arguments, {"model": self.settings.model, **sent, **arguments.get("extra_body", {})}

    @property
    def max_tokens(self) -> int | None:
        """The output cap that is sent, where one is."""
        cap = self.native_config.get("max_completion_tokens", self.native_config.get("max_tokens"))
        return cap if isinstance(cap, int) else None

    async def complete(self, request: Request) -> Completion:
        found = await self._send(request, self._arguments)
        return found if isinstance(found, Completion) else self._read(found)

    async def _send(self, request: Request, arguments: Mapping[str, Any]) -> Any:
        """The SDK's object, or a completion where the vendor declined the prompt."""
        import openai
        from openai.types.chat import ChatCompletion

        messages: list[Any] = [{"role": turn.role, "content": turn.content} for turn in request.messages]
        if request.system is not None:
            messages.insert(0, {"role": "system", "content": request.system})
        found = await attempt(
            openai,
            lambda: self._client.chat.completions.create(model=self.settings.model, messages=messages, **arguments),
            ChatCompletion,
            request,
            self.settings.api_key,
        )
        error = getattr(found, "error", None)
        if error is not None and not isinstance(found, Completion):
            raise error_in_body({"error": error}, request, self.settings.api_key)
        return found

    def _read(self, found: Any) -> Completion:
        if not found.choices:
            raise RetryableError("unreadable body: no choices")
        choice = found.choices[0]
        message = choice.message
        if message is None:
            raise RetryableError("unreadable body: no message")
        stop = choice.finish_reason
        if self.stops.get(stop) is Stop.FAILED:
            raise RetryableError(f"the server ended the answer with {stop!r}")
        text = _text(message.content)
        refusal = getattr(message, "refusal", None)
        if refusal and not text:
            # The model's refusal has a field of its own; the stop value beside it is an ordinary "stop".
            text, stop = refusal, "refusal"
        return Completion(
            text=text,
            stop_reason=stop,
            stop_details=refusal,
            **usage_of_chat(found.usage),
            max_tokens=self.max_tokens,
            request_id=found._request_id or found.id or None,
            model_served=found.model or None,
            service_tier=found.service_tier,
            native_config=self.native_config,
            flags=() if stop == "refusal" else self.flags(stop),
        )

    async def aclose(self) -> None:
        await self._client.close()


def _text(content: Any) -> str | None:
    """Text of a message; some servers answer with a list of parts."""
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if isinstance(part, Mapping)) or None
    return content if isinstance(content, str) else None


def usage_of_chat(usage: Any) -> Usage:
    """Token counts as ours.

    OpenAI counts cached tokens inside the input and thinking inside the output. Some compatible servers count
    thinking beside the output, which shows in their total.
    """
    if usage is None:
        return {}
    prompt, completion = usage.prompt_tokens, usage.completion_tokens
    inside, outside = usage.prompt_tokens_details, usage.completion_tokens_details
    thinking = getattr(outside, "reasoning_tokens", None)
    if thinking and completion is not None and prompt is not None:
        beside = usage.total_tokens == prompt + completion + thinking
        completion = completion + thinking if beside else completion
    return {
        "input_tokens": prompt,
        "output_tokens": completion,
        "thinking_tokens": thinking,
        "cached_tokens": getattr(inside, "cached_tokens", None),
        "cache_write_tokens": getattr(inside, "cache_write_tokens", None),
    }


class OpenAIChat(ChatProvider):
    """OpenAI's Chat Completions."""

    key_env = "OPENAI_API_KEY"
    default_url = "https://api.openai.com/v1"
    open_ended = False


class OpenAICompatible(ChatProvider):
    """Any server with this API; `base_url` says where, a key is optional."""

    stops: ClassVar[Mapping[str, Stop]] = {
        **ChatProvider.stops,
        "eos": Stop.DONE,
        "end_turn": Stop.DONE,
        "stop_sequence": Stop.DONE,
        "max_tokens": Stop.CUT,
        "model_length": Stop.CUT,
        "refusal": Stop.DECLINED,
        "abort": Stop.FAILED,
        "error": Stop.FAILED,
        "insufficient_system_resource": Stop.FAILED,
    }


class Groq(OpenAICompatible):
    key_env = "GROQ_API_KEY"
    default_url = "https://api.groq.com/openai/v1"


class Together(OpenAICompatible):
    key_env = "TOGETHER_API_KEY"
    default_url = "https://api.together.xyz/v1"


class VLLM(OpenAICompatible):
    """vLLM's server, by default on this machine."""

    default_url = "http://127.0.0.1:8000/v1"
