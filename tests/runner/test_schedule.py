"""Patience: how long to wait, and how many at a time."""

import asyncio
import random

import pytest
from benchpress_evaluator.providers.errors import ConfigurationError, QuotaError, RetryableError
from benchpress_evaluator.providers.http_errors import retry_after, status_error
from benchpress_evaluator.records import Request
from benchpress_evaluator.redaction import LIMIT, redact
from benchpress_evaluator.schedule import Gate, RetryPolicy


def test_pauses_double_with_jitter_up_to_a_limit() -> None:
    policy, draw = RetryPolicy(first_pause_s=1, longest_pause_s=10), random.Random(1)
    for attempt, whole in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (60, 10), (10_000, 10)]:
        pauses = [policy.pause(attempt, None, draw) for _ in range(200)]
        assert whole / 2 <= min(pauses) <= max(pauses) <= whole
        assert max(pauses) - min(pauses) > whole / 4


def test_what_the_vendor_asks_for_is_kept_even_beyond_the_limit() -> None:
    policy, draw = RetryPolicy(longest_pause_s=10), random.Random(1)
    for asked in (0.0, 0.5, 30.0, 120.0):
        pauses = [policy.pause(1, asked, draw) for _ in range(100)]
        assert asked <= min(pauses) <= max(pauses) <= asked + 1.06


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"Retry-After": "3"}, 3.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2.0),
        ({}, None),
    ],
)
def test_retry_after_in_every_spelling(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_retry_after_as_a_date_in_the_future() -> None:
    import email.utils
    import time

    found = retry_after({"retry-after": email.utils.formatdate(time.time() + 30, usegmt=True)})
    assert found is not None
    assert 28 <= found <= 30


@pytest.mark.parametrize(
    ("status", "message", "headers", "kind"),
    [
        (400, "bad", {}, ConfigurationError),
        (401, "bad", {}, ConfigurationError),
        (404, "bad", {}, ConfigurationError),
        (422, "bad", {}, ConfigurationError),
        (402, "Payment required", {}, QuotaError),
        (429, "slow down", {}, RetryableError),
        (429, "Rate limit reached on tokens per day (TPD): Limit 500000", {}, QuotaError),
        (429, "slow down", {"retry-after": "40000"}, QuotaError),
        (408, "timeout", {}, RetryableError),
        (409, "conflict", {}, RetryableError),
        (500, "oops", {}, RetryableError),
        (503, "oops", {"retry-after": "3"}, RetryableError),
        (529, "overloaded", {}, RetryableError),
    ],
)
def test_the_kind_of_an_http_error(status: int, message: str, headers: dict[str, str], kind: type) -> None:
    found = status_error(status, message, headers, Request.of("p"), None)
    assert type(found) is kind
    assert found.status == status
    if isinstance(found, RetryableError):
        assert found.overloaded == (status in (429, 503, 529))
        assert found.retry_after == (3.0 if headers else None)


def test_a_gate_narrows_once_a_round_and_widens_with_success() -> None:
    async def go() -> None:
        gate = Gate(16)
        loop = asyncio.get_running_loop()
        started = loop.time()
        for _ in range(10):
            gate.overloaded(started, None)
        assert gate.limit == 8
        await asyncio.sleep(0.01)
        gate.overloaded(loop.time(), None)
        assert gate.limit == 4
        for _ in range(4):
            gate.succeeded()
        assert 4.9 < gate.limit < 5.1
        for _ in range(1000):
            gate.succeeded()
        assert gate.limit == 16
        for _ in range(20):
            await asyncio.sleep(0.001)
            gate.overloaded(loop.time(), None)
        assert gate.limit == 1

    asyncio.run(go())


def test_a_gate_lets_in_as_many_as_it_may_in_the_order_of_arrival() -> None:
    async def go() -> None:
        gate, running, most, order = Gate(3), 0, 0, []

        async def one(number: int) -> None:
            nonlocal running, most
            async with gate:
                order.append(number)
                running += 1
                most = max(most, running)
                await asyncio.sleep(0.001)
                running -= 1

        await asyncio.gather(*(one(number) for number in range(30)))
        assert most == 3
        assert order == list(range(30))
        assert gate.active == 0

    asyncio.run(go())


def test_who_gives_up_waiting_leaves_no_hole() -> None:
    async def go() -> None:
        gate = Gate(1)
        async with gate:
            waiting = [asyncio.create_task(gate.__aenter__()) for _ in range(3)]
            await asyncio.sleep(0)
            waiting[0].cancel()
            await asyncio.sleep(0)
        await asyncio.wait_for(waiting[1], 1)
        # Cancelled after the place was given and before it was taken.
        await gate.__aexit__(None, None, None)
        waiting[2].cancel()
        await asyncio.sleep(0.01)
        async with asyncio.timeout(1), gate:
            assert gate.active == 1

    asyncio.run(go())


@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-api03-abcdefghijklmnop",
        "sk-proj-1234567890abcdefgh",
        "AIzaSyA1234567890abcdefghij",
        "gsk_abcdefghijklmnop1234",
        "AKIAIOSFODNN7EXAMPLE",
        "Bearer abc.def.ghi",
        "api_key=hunter22",
        '"api_key": "hunter22"',
        "https://user:hunter22@host/path",
        "x-amz-security-token: FQoGZXIvYXdzEXAMPLE",
        "password = hunter22",
    ],
)
def test_what_looks_like_a_credential_is_not_shown(secret: str) -> None:
    shown = redact(f"request failed with {secret} today")
    assert "[key]" in shown
    assert "hunter22" not in shown
    assert "EXAMPLE" not in shown
    assert shown.startswith("request failed with")


def test_redaction_comes_before_the_cut() -> None:
    key = "k" * 40
    assert "kkkk" not in redact("x" * (LIMIT - 20) + key, [key])
    assert len(redact("x" * 10_000)) == LIMIT
    assert redact("a\n b\t\tc") == "a b c"


def test_ordinary_words_survive() -> None:
    plain = "max_tokens: 64001 > 64000, the maximum for this model; task-specific tokens are not supported"
    assert redact(plain) == plain
