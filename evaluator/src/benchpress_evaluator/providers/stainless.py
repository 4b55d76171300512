"""What OpenAI's and Anthropic's clients share: both have the same exceptions and the same lenient parsing."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from benchpress_evaluator.providers.errors import ConfigurationError, ProviderError, RetryableError
from benchpress_evaluator.providers.http_errors import answer_of_refusal, broken, safe, status_error
from benchpress_evaluator.records import Completion, Request

T = TypeVar("T")

CONFIGURATION_CODES = frozenset(
    {"invalid_api_key", "model_not_found", "invalid_request_error", "authentication_error", "permission_error"}
    | {"not_found_error", "data_residency_mismatch", "400", "401", "403", "404", "422"}
)
OVERLOAD_CODES = frozenset({"rate_limit_exceeded", "rate_limit_error", "overloaded_error", "429", "503", "529"})
QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_error"})


async def attempt(
    sdk: Any, send: Callable[[], Awaitable[Any]], kind: type[T], request: Request, key: str | None
) -> T | Completion:
    """One attempt: the SDK's object, or the vendor's refusal of this prompt. Raises ProviderError for the rest.

    The SDKs return text for a body that is no JSON, and an object without its fields for JSON of another shape.
    """
    try:
        found = await send()
    except sdk.APIStatusError as problem:
        message = message_of(problem.body) or str(problem.message)
        if problem.status_code < 400:
            # An error event in the middle of a stream that began well.
            raise error_in_body(problem.body, request, key) from None
        answer = answer_of_refusal(problem.status_code, message)
        if answer is not None:
            return answer
        raise status_error(problem.status_code, message, problem.response.headers, request, key) from None
    except sdk.APIConnectionError as problem:
        raise broken(problem.__cause__ or problem) from None
    except sdk.APIResponseValidationError as problem:
        raise broken(problem) from None
    except TypeError as problem:
        # An argument that the SDK's call does not take.
        raise ConfigurationError(safe(str(problem), request, key)) from None
    if not isinstance(found, kind):
        raise RetryableError("unreadable body: not the JSON of an answer")
    return found


def error_in_body(body: Any, request: Request, key: str | None) -> ProviderError:
    """The failure that a body with a status of success tells of."""
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    value = inner if isinstance(inner, Mapping) else getattr(inner, "__dict__", {"message": str(inner)})
    codes = {str(value[name]) for name in ("code", "type") if value.get(name)}
    message = message_of(body if isinstance(body, Mapping) else {"error": dict(value)})
    if codes & QUOTA_CODES:
        return status_error(429, f"insufficient_quota {message}", {}, request, key)
    shown = f"error inside a 200: {safe(message, request, key)}"
    if codes & CONFIGURATION_CODES:
        return ConfigurationError(shown)
    return RetryableError(shown, overloaded=bool(codes & OVERLOAD_CODES))


def message_of(body: Any) -> str:
    """Code, type and message out of an error body of whatever shape."""
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    if isinstance(inner, Mapping):
        return ": ".join(str(inner[name]) for name in ("code", "type", "message") if inner.get(name))
    return str(inner or "")
