"""From an HTTP answer that is no answer to the kind of failure it is; the same rules for every vendor."""

import email.utils
import math
import re
import time
from collections.abc import Mapping

from benchpress_evaluator.providers.errors import ConfigurationError, ProviderError, QuotaError, RetryableError
from benchpress_evaluator.records import Completion, Request
from benchpress_evaluator.redaction import redact

CONFIGURATION = frozenset({400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 501})
OVERLOADED = frozenset({429, 503, 529})
LONG_WAIT_S = 900.0
"""Who asks for a longer pause than this has a quota, not a rate limit."""

_QUOTA = re.compile(
    r"insufficient_quota|exceeded your current quota|per[-_ ]?day|daily|\b(rpd|tpd)\b|credit balance|billing"
    r"|payment required|spend(ing)? limit|monthly",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context[-_ ]?(length|size|window)|prompt is too long|input is too long|too many (input )?tokens"
    r"|maximum (number of|context)|exceeds? the (model'?s )?(maximum|available context)|input token count",
    re.IGNORECASE,
)
_DECLINED = re.compile(
    r"content[-_ ]?(filter|policy|management)|responsible ?ai|invalid_prompt|usage polic|safety system|blocked by",
    re.IGNORECASE,
)

UNREACHABLE = frozenset({"ConnectError", "ConnectTimeout", "ConnectionError", "EndpointConnectionError"})
"""Exceptions of the SDKs' HTTP libraries for a connection that could not be made."""

CONTEXT_EXCEEDED = "context_length_exceeded"
PROMPT_REFUSED = "content_filter"


def status_error(
    status: int, message: str, headers: Mapping[str, str], request: Request, key: str | None, delay: float | None = None
) -> ProviderError:
    """The error for an HTTP status. `delay` is a waiting time that the vendor put into the body."""
    wait = retry_after(headers)
    wait = delay if wait is None else wait
    shown = f"HTTP {status}: {safe(message, request, key) or 'no message'}"
    problem: ProviderError
    if (status in (400, 402, 403, 429) and _QUOTA.search(message)) or (wait is not None and wait > LONG_WAIT_S):
        problem = QuotaError(shown)
    elif status in CONFIGURATION:
        problem = ConfigurationError(shown)
    else:
        problem = RetryableError(shown, wait, overloaded=status in OVERLOADED)
    problem.status = status
    return problem


def answer_of_refusal(status: int, message: str) -> Completion | None:
    """A 4xx that speaks about this one prompt is the vendor's answer to it, not a wrong configuration.

    A prompt that a filter blocks is refused; one that does not fit the context is cut before it began. None where
    the message says neither.
    """
    if status not in (400, 413, 422):
        return None
    if _TOO_LONG.search(message):
        return Completion(None, CONTEXT_EXCEEDED, flags=("the prompt does not fit the context",))
    if _DECLINED.search(message):
        return Completion(None, PROMPT_REFUSED, flags=("the prompt was blocked",))
    return None


def broken(problem: BaseException) -> RetryableError:
    """The failure for a connection or a body that broke.

    Only the kind of the exception shows, because its text may hold the body.
    """
    name = type(problem).__name__
    if name in UNREACHABLE:
        return RetryableError(f"connection failed: {name}", unreachable=True)
    if isinstance(problem, TimeoutError) or "timeout" in name.lower():
        return RetryableError("timed out", billed=True)
    if isinstance(problem, ValueError) or "Parse" in name:
        return RetryableError(f"unreadable body: {name}", billed=True)
    if isinstance(problem, OSError) or re.search("Connect|Protocol|Read|Write|Network|Closed|HTTPClient", name):
        return RetryableError(f"connection failed: {name}", billed=True)
    return RetryableError(f"unexpected {name}", billed=True)


def safe(message: str, request: Request, key: str | None) -> str:
    """A vendor's message without key and prompt, on one line."""
    private = [turn.content for turn in request.messages]
    return redact(message, [key], [*private, request.system or ""])


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by `retry-after-ms` or `Retry-After` (seconds or a date); None where neither can be read."""
    milliseconds = pause_of(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after") or headers.get("Retry-After")
    if value is None:
        return None
    try:
        float(value)
    except ValueError:
        return _until(value)
    return pause_of(value)


def pause_of(text: object) -> float | None:
    """A length of time as a server writes it, never negative; None where it is no finite number."""
    try:
        found = float(str(text))
    except ValueError:
        return None
    return max(0.0, found) if math.isfinite(found) else None


def _until(date: str) -> float | None:
    """Seconds until a date, which may be one that no calendar has."""
    try:
        moment = email.utils.parsedate_tz(date)
        return None if moment is None else max(0.0, email.utils.mktime_tz(moment) - time.time())
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
