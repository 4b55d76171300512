"""What a call cost, from its stored usage: every figure here is reckoned by hand from a published price."""

from typing import Any

import pytest
from benchpress_evaluator.costs import cost_of, list_price, price_date
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.records import Completion

DAY = "2026-11-01T12:00:00Z"
M = 1_000_000


def entrant(provider: str, model: str, **fields: Any) -> Entrant:
    return Entrant.model_validate({"id": "e", "provider": provider, "model": model, **fields})


def cost(
    provider: str, model: str, at: str | None = DAY, fields: dict[str, Any] | None = None, **usage: Any
) -> float | None:
    return cost_of(entrant(provider, model, **(fields or {})), Completion("x", **usage), at)


def test_plain_tokens_at_the_list_price() -> None:
    # Claude Sonnet 4.5: 3 and 15 dollars a million; Gemini 2.5 Pro below 200,000 tokens: 1.25 and 10.
    assert cost("anthropic", "claude-sonnet-4-5", input_tokens=1000, output_tokens=2000) == pytest.approx(0.033)
    assert cost("google", "gemini-2.5-pro", input_tokens=1000, output_tokens=2000) == pytest.approx(0.02125)


def test_cached_input_is_billed_once_and_at_its_own_price() -> None:
    # GPT-5: 1.25 a million fresh, .125 cached, 10 generated. All of the input from the cache: not 1.25 + .125.
    assert cost("openai", "gpt-5", input_tokens=M, cached_tokens=M, output_tokens=0) == pytest.approx(0.125)
    assert cost("openai", "gpt-5", input_tokens=M, cached_tokens=M // 2, output_tokens=0) == pytest.approx(0.6875)
    # Anthropic's cache: reads .3, writes 3.75. 10 fresh, 3 read and 2 written are 15 tokens of input.
    found = cost(
        "anthropic", "claude-sonnet-4-5", input_tokens=15, cached_tokens=3, cache_write_tokens=2, output_tokens=0
    )
    assert found == pytest.approx((10 * 3 + 3 * 0.3 + 2 * 3.75) / M)


def test_thinking_is_inside_the_output_and_is_not_billed_again() -> None:
    plain = cost("openai", "gpt-5", input_tokens=0, output_tokens=1000)
    assert plain == pytest.approx(0.01)
    assert cost("openai", "gpt-5", input_tokens=0, output_tokens=1000, thinking_tokens=900) == plain


def test_cohere_bills_its_billed_units() -> None:
    # Command A: 2.50 and 10 dollars a million.
    usage = {"input_tokens": 100, "output_tokens": 50, "billed_input_tokens": 80, "billed_output_tokens": 45}
    assert cost("cohere", "command-a-03-2025", **usage) == pytest.approx((80 * 2.5 + 45 * 10) / M)


def test_a_model_that_is_not_in_the_table_has_no_known_cost() -> None:
    for provider, model in [
        ("openai", "gpt-6.2-astra"),
        ("google", "gemini-3-pro"),
        ("cohere", "command-a-reasoning-08-2025"),
        ("ollama", "qwen3:8b"),
        ("local", "smollm2-135m-instruct"),
        ("reference", "exact"),
        ("vllm", "my-model"),
        ("openai_compatible", "gpt-5"),
    ]:
        assert cost(provider, model, input_tokens=1000, output_tokens=1000) is None
        assert list_price(entrant(provider, model), price_day()) is None


def price_day() -> Any:
    from datetime import date

    return date(2026, 11, 1)


def test_a_kind_of_token_without_a_price_makes_the_cost_unknown() -> None:
    # GPT-4 has no price for cached tokens.
    assert cost("openai", "gpt-4", input_tokens=1000, output_tokens=0) == pytest.approx(0.03)
    assert cost("openai", "gpt-4", input_tokens=1000, output_tokens=0, cached_tokens=500) is None
    assert cost("openai", "gpt-5", input_tokens=1000, output_tokens=0, cache_write_tokens=5) is None


@pytest.mark.parametrize(
    "usage",
    [{}, {"input_tokens": 5}, {"output_tokens": 5}, {"input_tokens": 5, "output_tokens": 5, "cached_tokens": 9}],
)
def test_usage_that_is_missing_or_cannot_be_gives_no_cost(usage: dict[str, int]) -> None:
    assert cost("openai", "gpt-5", **usage) is None


def test_special_tiers_have_their_own_price_or_none() -> None:
    usage = {"input_tokens": M, "output_tokens": M}
    assert cost("openai", "gpt-5", **usage) == pytest.approx(11.25)
    assert cost("openai", "gpt-5", service_tier="default", **usage) == pytest.approx(11.25)
    assert cost("openai", "gpt-5", batch=True, **usage) == pytest.approx(11.25 / 2)
    assert cost("openai", "gpt-5", service_tier="moonlight", **usage) is None
    # A batch of a model without batch prices.
    assert cost("cohere", "command-a-03-2025", batch=True, **usage) is None


def test_the_price_is_that_of_the_day_of_the_call() -> None:
    # Anthropic's batch prices are in the table from 14 October 2026 on.
    usage = {"input_tokens": M, "output_tokens": 0, "batch": True}
    assert cost("anthropic", "claude-sonnet-5-5", at="2026-10-13T23:59:59Z", **usage) is None
    assert cost("anthropic", "claude-sonnet-5-5", at="2026-10-14T00:00:00Z", **usage) == pytest.approx(1.0)


def test_the_model_that_was_served_decides_and_the_one_asked_for_steps_in() -> None:
    usage = {"input_tokens": 1000, "output_tokens": 0}
    assert cost("openai", "my-alias", model_served="gpt-5-2025-08-07", **usage) == pytest.approx(0.00125)
    assert cost("openai", "gpt-5", model_served="gpt-5-internal-name", **usage) == pytest.approx(0.00125)


PRICE = {"input": 2, "output": 8, "date": "2026-10-01"}


def test_a_price_of_ones_own_takes_the_place_of_the_table() -> None:
    usage = {"input_tokens": M, "output_tokens": M}
    own = {"price": PRICE}
    assert cost("openai", "gpt-5", fields=own, **usage) == pytest.approx(10)
    assert cost("vllm", "my-model", fields=own, **usage) == pytest.approx(10)
    assert cost("openai", "gpt-5", fields=own, cached_tokens=1, **usage) is None
    assert cost("openai", "gpt-5", fields=own, batch=True, **usage) is None
    half = {"price": {**PRICE, "cached_input": 1, "batch_factor": 0.5}}
    assert cost("openai", "gpt-5", fields=half, batch=True, cached_tokens=M, **usage) == pytest.approx((1 + 8) / 2)
    assert price_date(entrant("openai", "gpt-5", **own)).isoformat() == "2026-10-01"


def test_the_table_says_as_of_when_it_is() -> None:
    found = price_date(entrant("anthropic", "claude-sonnet-5-5"))
    assert found is not None
    assert found.isoformat() >= "2026-10-14"
    assert price_date(entrant("local", "smollm2-135m-instruct")) is None


def test_servers_of_known_vendors_are_known_by_their_address() -> None:
    usage = {"input_tokens": M, "output_tokens": 0}
    found = cost("openai_compatible", "deepseek-chat", fields={"base_url": "https://api.deepseek.com/v1"}, **usage)
    assert found is not None
    assert 0.01 < found < 5
    assert cost("openai_compatible", "deepseek-chat", fields={"base_url": "http://10.0.0.1/v1"}, **usage) is None
