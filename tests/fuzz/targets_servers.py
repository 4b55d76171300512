"""Targets of what servers answer: each vendor's body through the vendor's own package, headers, batches and errors."""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any
from unittest import mock

from benchpress.errors import UserError
from benchpress_evaluator.calling import attempt
from benchpress_evaluator.costs import cost_of
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal.codec import body_of
from benchpress_evaluator.methods.reading import response_of
from benchpress_evaluator.providers import PROVIDERS
from benchpress_evaluator.providers.base import Provider, open_provider
from benchpress_evaluator.providers.errors import ProviderError
from benchpress_evaluator.providers.fitting import fitting
from benchpress_evaluator.providers.http_errors import answer_of_refusal, retry_after, status_error
from benchpress_evaluator.records import Completion, Request
from benchpress_evaluator.redaction import LIMIT, redact
from fuzz_seeds import ROOT, public_items
from fuzzing import Target, as_json, json_of, require, text_of

ASK = Request.of("What is 1 + 1? End with a line N: and the number.")
KEYS = {
    **dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "CO_API_KEY"), "test-key-0123456789"),
    "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "secret/example",
    "AWS_REGION": "eu-central-1",
}
PARAMS: dict[str, dict[str, Any]] = {
    "anthropic": {"max_tokens": 400},
    "openai": {"max_output_tokens": 400},
    "openai_compatible": {"max_tokens": 400},
    "google": {"max_output_tokens": 400},
    "cohere": {"max_tokens": 400},
    "ollama": {"options": {"num_ctx": 4096}},
    "bedrock": {"inferenceConfig": {"maxTokens": 400}},
}
STATUSES = (200, 200, 200, 200, 400, 401, 429, 500, 503, 204)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


@cache
def provider_of(name: str) -> tuple[Entrant, Provider]:
    entrant = Entrant(
        id="subject", provider=name, model="model-1", params=PARAMS[name], base_url="http://127.0.0.1:9/v1"
    )
    with mock.patch("benchpress_evaluator.providers.pools.getproxies", return_value={}):
        return entrant, open_provider(PROVIDERS.get(name), entrant, KEYS)


def _served(name: str) -> Callable[[bytes], Any]:
    """A reader of a body: the first byte chooses the status, the rest is the body. No connection is made."""

    def read(data: bytes) -> Any:
        if not data:
            return None
        entrant, provider = provider_of(name)
        with _answering(STATUSES[data[0] % len(STATUSES)], data[1:]):
            found = _loop().run_until_complete(attempt(provider, ASK, 60))
        return _usable(entrant, found)

    return read


def _usable(entrant: Entrant, found: Completion | ProviderError) -> Any:
    """What the run does with an outcome: it is told, or priced, stored, read again and scored."""
    if isinstance(found, ProviderError):
        text = str(found)
        require(bool(text) and len(text.splitlines()) == 1, f"an error that is not one line: {text[:200]!r}")
        require(ASK.messages[0].content not in text, "the error shows the prompt")
        wait = getattr(found, "retry_after", None)
        require(wait is None or 0 <= wait < 1e9, f"a pause of {wait}")
        return type(found).__name__
    require(not found.misfits(), f"of another type: {found.misfits()}")
    cost = cost_of(entrant, found, "2026-01-01T00:00:00Z")
    stored = json.loads(body_of(found.to_json()))
    require(Completion.from_json(stored) == found, "stored, it is another completion")
    item = public_items("choice", 6)[0]
    response_of(item, found.text, found)
    return found.text, found.stop_reason, cost, found.flags


class _answering:  # noqa: N801 - a context manager
    """Whatever a vendor's package sends is answered with this status and body."""

    def __init__(self, status: int, body: bytes) -> None:
        self._status, self._body = status, body
        self._patches: list[Any] = []

    def __enter__(self) -> None:
        import httpx
        import httpx2
        from botocore.awsrequest import AWSResponse
        from botocore.httpsession import URLLib3Session

        headers = {"content-type": "application/json"}
        status, body = self._status, self._body

        for package in (httpx, httpx2):

            async def answer(_: Any, request: Any, package: Any = package) -> Any:
                return package.Response(status, headers=headers, content=body, request=request)

            self._patches.append(mock.patch.object(package.AsyncHTTPTransport, "handle_async_request", answer))

        def send(_: Any, request: Any) -> Any:
            found = AWSResponse(request.url, status, headers, None)
            found._content = body
            return found

        self._patches.append(mock.patch.object(URLLib3Session, "send", send))
        for patch in self._patches:
            patch.start()

    def __exit__(self, *_: object) -> None:
        for patch in self._patches:
            patch.stop()


def _bodies(name: str) -> Callable[[], Sequence[bytes]]:
    """What the honest fakes of the tests of providers answer."""

    def seeds() -> Sequence[bytes]:
        sys.path.insert(0, str(ROOT / "tests" / "providers"))
        from wire import WIRES

        wire = WIRES["openai_chat" if name == "openai_compatible" else name]
        replies = [
            wire.success("N: 2"),
            wire.thinking("N: 2"),
            wire.cut("N"),
            wire.cut(None),
            wire.empty(),
            wire.too_long(),
        ]
        replies += [wire.unknown_stop("N: 2"), wire.error(429, "slow down"), wire.daily_quota(), wire.error_in_200()]
        replies += [reply for reply in (wire.refusal(), wire.filtered()) if reply is not None]
        return [bytes([_status_byte(reply.status)]) + reply.body for reply in replies]

    return seeds


def _status_byte(status: int) -> int:
    return STATUSES.index(status) if status in STATUSES else 0


def _batch_line(data: bytes) -> Any:
    """One line of OpenAI's file of results."""
    entrant, provider = provider_of("openai")
    batches: Any = provider.batches()
    found = batches.result_of(text_of(data))
    if found is None:
        return None
    try:
        return found[0], _usable(entrant, fitting(found[1]))
    except ProviderError as problem:
        return found[0], str(problem)


def _batch_lines() -> Sequence[bytes]:
    bodies = [(body[0], json.loads(body[1:])) for body in _bodies("openai")()]
    lines = [
        as_json({"custom_id": "t-0", "response": {"status_code": STATUSES[status], "request_id": "r", "body": body}})
        for status, body in bodies
    ]
    return [*lines, as_json({"custom_id": "t-1", "response": None, "error": {"code": "expired", "message": "late"}})]


def _headers(data: bytes) -> Any:
    """Names and values, a line each."""
    pairs = [line.partition(":") for line in data.decode("latin-1").split("\n")]
    with mock.patch.object(time, "time", return_value=1_800_000_000.0):
        wait = retry_after({name.strip().lower(): value.strip() for name, _, value in pairs})
    require(wait is None or 0 <= wait < float("inf"), f"a pause of {wait}")
    return wait


def _refused(data: bytes) -> Any:
    status, message = (400, 402, 403, 413, 422, 429, 500)[data[0] % 7] if data else 500, text_of(data[1:])
    return answer_of_refusal(status, message), str(status_error(status, message, {}, ASK, "test-key-0123456789"))


SECRET = "hunter2-hunter2"


def _redacted(data: bytes) -> Any:
    """A secret is never shown, wherever it stands; nothing is longer than it may be or has a line end."""
    text = text_of(data)
    middle = len(text) // 2
    for shown in (text, f"{text[:middle]} {SECRET} {text[middle:]}"):
        found = redact(shown, [SECRET], [ASK.messages[0].content])
        require(SECRET not in found, "the secret is shown")
        require(len(found) <= LIMIT and len(found.splitlines()) <= 1, f"more than one short line: {found[:200]!r}")
    return found


def _priced(data: bytes) -> Any:
    """A stored completion and a price, known or of the table."""
    value = json_of(data)
    if not isinstance(value, dict):
        return None
    try:
        found = Completion.from_json(value)
    except TypeError:
        raise UserError("no completion") from None
    entrants = [
        Entrant(id="a", provider="openai", model="gpt-4o"),
        Entrant(id="b", provider="dummy", model="m", price=PRICE),
    ]
    return [cost_of(entrant, found, "2026-01-01T00:00:00Z") for entrant in entrants]


PRICE: Any = {"input": "0.5", "output": "1.5", "cached_input": "0.1", "date": "2026-01-02"}
TOKENS = {
    "text": "a",
    "input_tokens": 100,
    "output_tokens": 50,
    "cached_tokens": 30,
    "model_served": "gpt-4o-2024-08-06",
}
PAUSES = (
    b"retry-after: 5",
    b"retry-after-ms: 1500",
    b"Retry-After: Wed, 21 Oct 2026 07:28:00 GMT",
    b"retry-after: inf",
    b"retry-after: nan",
    b"retry-after: -1",
    b"retry-after: Wed, 99 Oct 99999 07:28:00 GMT",
)

TARGETS = (
    *(
        Target(
            f"server-{name}",
            f"what a server of {name} answers, read by the vendor's package",
            _served(name),
            _bodies(name),
            rounds=40,
        )
        for name in PARAMS
    ),
    Target("batch-results", "a line of OpenAI's file of results", _batch_line, _batch_lines, rounds=100),
    Target(
        "retry-after",
        "headers that say how long to wait",
        _headers,
        lambda: list(PAUSES),
        words=(b"retry-after: ", b"retry-after-ms: ", b"GMT", b"inf", b"1e400", b"Mon, ", b"+9999", b"99999999999"),
    ),
    Target(
        "refusal",
        "an error's status and message",
        _refused,
        lambda: [b"\x00prompt is too long: 9 tokens", b"\x05quota per day", b"\x06x", b"\x00content_filter"],
    ),
    Target(
        "redaction",
        "text of an error that is shown",
        _redacted,
        lambda: [b"key=hunter2-hunter2 &quot;x&quot; \\u0041", b"Bearer abc", b"https://a:b@c/", b"What is 1 + 1? End"],
        words=(b"&#x", b"\\u00", b"key=", b"Bearer ", SECRET.encode(), b"hunter2", b"&amp;", b"://"),
    ),
    Target(
        "priced", "token counts that are priced", _priced, lambda: [as_json(TOKENS), as_json({**TOKENS, "batch": True})]
    ),
)
