"""Google's Gemini API through google-genai."""

from collections.abc import Mapping
from typing import Any, ClassVar

from benchpress.errors import UserError

from benchpress_evaluator.providers.base import THINKING, Provider, Settings, Stop, Usage, check_known, refuse, require
from benchpress_evaluator.providers.errors import RetryableError
from benchpress_evaluator.providers.http_errors import answer_of_refusal, pause_of, status_error
from benchpress_evaluator.providers.pools import http_client
from benchpress_evaluator.records import Completion, Request

OURS = frozenset(
    {"http_options", "should_return_http_response", "system_instruction", "candidate_count", "tools", "tool_config"}
    | {"automatic_function_calling", "automatic_continuation", "continuation_token", "cached_content"}
)
BLOCKED = "PROMPT_BLOCKED_"
"""Stands before the block reason where the prompt itself was blocked and there is no candidate."""

DECLINED = (
    *("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT"),
    *("IMAGE_RECITATION", "MODEL_ARMOR", "LANGUAGE"),
)
ODD = (
    *("FINISH_REASON_UNSPECIFIED", "OTHER", "MALFORMED_FUNCTION_CALL", "IMAGE_OTHER", "NO_IMAGE", "CONTINUATION"),
    *("UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE", "ESCALATION"),
    "PUP_LIMITED_DISABLED",
)
BLOCK_REASONS = (
    *("BLOCKED_REASON_UNSPECIFIED", "SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY"),
    *("MODEL_ARMOR", "JAILBREAK"),
)


class Google(Provider):
    """One call of `generate_content`: a single request, never continued or repeated by the SDK."""

    capabilities: ClassVar[frozenset[str]] = frozenset({THINKING})
    key_env: ClassVar[str | None] = "GEMINI_API_KEY"
    stops: ClassVar[Mapping[str, Stop]] = {
        "STOP": Stop.DONE,
        "MAX_TOKENS": Stop.CUT,
        **dict.fromkeys(DECLINED, Stop.DECLINED),
        **dict.fromkeys(ODD, Stop.ODD),
        **{BLOCKED + reason: Stop.DECLINED for reason in BLOCK_REASONS},
    }

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        refuse(settings, OURS)
        genai = require("google.genai", "google", settings.entrant)
        httpx = require("httpx2", "google", settings.entrant)
        types = genai.types
        check_known(settings, set(types.GenerateContentConfig.model_fields) - OURS)
        # A client of our own keeps the SDK off aiohttp, whose failures look different, wherever that is installed.
        self._http = http_client(httpx, settings.timeout_s, settings.concurrency) or httpx.AsyncClient(
            timeout=settings.timeout_s, follow_redirects=True
        )
        self._client = genai.Client(
            api_key=settings.api_key,
            vertexai=False,
            http_options=types.HttpOptions(
                base_url=settings.base_url or "https://generativelanguage.googleapis.com",
                timeout=int(settings.timeout_s * 1000),
                retry_options=types.HttpRetryOptions(attempts=1),
                httpx_async_client=self._http,
            ),
        )
        self._types = types
        self._config({})
        self.native_config = {"model": settings.model, **settings.params}

    def _config(self, more: Mapping[str, Any]) -> Any:
        off = {"automatic_continuation": False, "automatic_function_calling": {"disable": True}}
        try:
            return self._types.GenerateContentConfig(**{**self.settings.params, **off, **more})
        except ValueError as problem:
            first = next(iter(problem.errors())) if hasattr(problem, "errors") else {"loc": (), "msg": str(problem)}
            place = ".".join(str(step) for step in first["loc"])
            raise UserError(f"entrant {self.settings.entrant!r}: params.{place}: {first['msg']}") from None

    @property
    def max_tokens(self) -> int | None:
        cap = self.settings.params.get("max_output_tokens")
        return cap if isinstance(cap, int) else None

    async def complete(self, request: Request) -> Completion:
        from google.genai import errors

        types, key = self._types, self.settings.api_key
        roles = {"user": "user", "assistant": "model"}
        contents = [
            types.Content(role=roles[turn.role], parts=[types.Part(text=turn.content)]) for turn in request.messages
        ]
        config = self._config({} if request.system is None else {"system_instruction": request.system})
        try:
            found = await self._client.aio.models.generate_content(
                model=self.settings.model, contents=contents, config=config
            )
        except errors.APIError as problem:
            message = f"{problem.status or ''}: {problem.message or ''}"
            answer = answer_of_refusal(problem.code, message)
            if answer is not None:
                return answer
            headers = getattr(problem.response, "headers", None) or {}
            details = _details(problem.details)
            raise status_error(
                problem.code, f"{message} {_quotas(details)}".strip(), headers, request, key, _delay(details)
            ) from None
        return self._read(found)

    def _read(self, found: Any) -> Completion:
        feedback = found.prompt_feedback
        candidate = found.candidates[0] if found.candidates else None
        if candidate is None and (feedback is None or feedback.block_reason is None):
            raise RetryableError("unreadable body: no candidate")
        text: str | None = None
        stop: str | None
        if candidate is None:
            stop, details = f"{BLOCKED}{_word(feedback.block_reason)}", feedback.block_reason_message
        else:
            stop, details = _word(candidate.finish_reason), candidate.finish_message
            parts = (candidate.content.parts if candidate.content is not None else None) or []
            texts = [part.text for part in parts if part.text is not None and not part.thought]
            text = "".join(texts) if texts else None
        response = found.sdk_http_response
        return Completion(
            text=text,
            stop_reason=stop,
            stop_details=details,
            **usage_of_gemini(found.usage_metadata),
            max_tokens=self.max_tokens,
            request_id=found.response_id or ((response.headers or {}).get("x-request-id") if response else None),
            model_served=found.model_version,
            native_config=self.native_config,
            flags=self.flags(stop),
        )

    async def aclose(self) -> None:
        await self._http.aclose()


def usage_of_gemini(usage: Any) -> Usage:
    """Token counts as ours: cached tokens are inside the input, but thinking stands beside the output."""
    if usage is None:
        return {}
    prompt, tool = usage.prompt_token_count, usage.tool_use_prompt_token_count
    written, thoughts = usage.candidates_token_count, usage.thoughts_token_count
    if written is None and thoughts is not None:
        # A budget that went into thinking alone: the vendor leaves out a count of zero.
        written = 0
    return {
        "input_tokens": None if prompt is None else prompt + (tool or 0),
        "output_tokens": None if written is None else written + (thoughts or 0),
        "thinking_tokens": thoughts,
        "cached_tokens": usage.cached_content_token_count,
    }


def _word(value: Any) -> str | None:
    """An enum's value as it stands in the response; values that the SDK does not know included."""
    return None if value is None else str(getattr(value, "value", value))


def _details(body: Any) -> list[Mapping[str, Any]]:
    error = body.get("error", body) if isinstance(body, Mapping) else {}
    found = error.get("details", []) if isinstance(error, Mapping) else []
    return [entry for entry in found if isinstance(entry, Mapping)] if isinstance(found, list) else []


def _delay(details: list[Mapping[str, Any]]) -> float | None:
    """The waiting time of a RetryInfo, which the vendor puts into the body."""
    for entry in details:
        delay = str(entry.get("retryDelay", ""))
        if delay.endswith("s"):
            return pause_of(delay[:-1])
    return None


def _quotas(details: list[Mapping[str, Any]]) -> str:
    """The names of the quotas that a QuotaFailure says were exceeded."""
    listed = [entry.get("violations") for entry in details]
    violations = [one for several in listed if isinstance(several, list) for one in several]
    return " ".join(str(one.get("quotaId", "")) for one in violations if isinstance(one, Mapping))
