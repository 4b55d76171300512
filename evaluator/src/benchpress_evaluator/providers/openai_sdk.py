"""What the Chat and the Responses provider share: the OpenAI client, and its exceptions as ours."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from benchpress_evaluator.providers.base import ConfigurationError, ProviderError, RetryableError, Settings, require
from benchpress_evaluator.providers.http_errors import answer_of_refusal, safe, status_error
from benchpress_evaluator.records import Completion, Request

T = TypeVar("T")


def client(settings: Settings, base_url: str, extra: str) -> Any:
    """An asynchronous client that never retries by itself and reads neither address nor key from elsewhere."""
    sdk = require("openai", extra, settings.entrant)
    return sdk.AsyncOpenAI(
        api_key=settings.api_key or "none",
        base_url=base_url,
        max_retries=0,
        timeout=settings.timeout_s,
        organization=settings.environment.get("OPENAI_ORG_ID"),
        project=settings.environment.get("OPENAI_PROJECT_ID"),
    )


async def attempt(send: Callable[[], Awaitable[T]], kind: type[T], request: Request, key: str | None) -> T | Completion:
    """One attempt: the SDK's object, or the vendor's refusal of this prompt. Raises ProviderError for the rest."""
    import openai

    try:
        found = await send()
    except openai.APIStatusError as problem:
        message = _message(problem)
        answer = answer_of_refusal(problem.status_code, message)
        if answer is not None:
            return answer
        raise status_error(problem.status_code, message, problem.response.headers, request, key) from None
    except openai.APITimeoutError:
        raise RetryableError("timed out") from None
    except openai.APIConnectionError as problem:
        raise RetryableError(f"connection failed: {type(problem.__cause__ or problem).__name__}") from None
    except (openai.APIResponseValidationError, json.JSONDecodeError, UnicodeDecodeError) as problem:
        raise RetryableError(f"unreadable body: {type(problem).__name__}") from None
    except (TypeError, ValueError, openai.OpenAIError) as problem:
        raise ConfigurationError(safe(str(problem), request, key)) from None
    if not isinstance(found, kind):
        raise RetryableError("unreadable body: not the JSON of an answer")
    raise_error_body(found, request, key)
    return found


def raise_error_body(found: Any, request: Request, key: str | None) -> None:
    """Raise for a 200 whose body tells of an error."""
    error = getattr(found, "error", None)
    if error is None:
        return
    value = error if isinstance(error, Mapping) else getattr(error, "__dict__", {"message": str(error)})
    code = value.get("code") or value.get("type") or "error"
    raise error_in_body(str(code), str(value.get("message", "")), request, key)


def error_in_body(code: str, message: str, request: Request, key: str | None) -> ProviderError:
    """The failure that a body with status 200 tells of."""
    shown = safe(f"{code}: {message}", request, key)
    if code in ("insufficient_quota", "billing_hard_limit_reached"):
        return status_error(429, f"{code} {message}", {}, request, key)
    if code in ("invalid_api_key", "model_not_found", "invalid_request_error", "400", "401", "403", "404", "422"):
        return ConfigurationError(f"error inside a 200: {shown}")
    return RetryableError(f"error inside a 200: {shown}", overloaded=code in ("rate_limit_exceeded", "429"))


def _message(problem: Any) -> str:
    """Code and message out of an error body of whatever shape."""
    body = problem.body
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        if isinstance(inner, Mapping):
            parts = [str(inner[name]) for name in ("code", "type", "message") if inner.get(name)]
            return ": ".join(parts)
        return str(inner)
    return str(body or problem.message)
