"""What a call cost, computed from its stored usage whenever it is asked for. Unknown is None, never zero.

Prices come from the entrant's own `price`, else from the table of genai-prices as it was valid on the day of the
call. A model, a tier or a kind of token that has no price makes the whole cost unknown.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from benchpress_evaluator.clock import today
from benchpress_evaluator.entrants import Entrant, Price
from benchpress_evaluator.records import Completion

VENDORS = {
    "anthropic": "anthropic",
    "openai": "openai",
    "openai_chat": "openai",
    "groq": "groq",
    "together": "together",
    "google": "google",
    "cohere": "cohere",
    "bedrock": "aws",
}
"""Our provider names and those of the price table; servers of one's own have no list price."""

STANDARD_TIERS = frozenset({None, "", "default", "standard", "auto", "on_demand"})
MILLION = Decimal(1_000_000)


def cost_of(entrant: Entrant, completion: Completion, at: str | None) -> float | None:
    """US dollars for one call made at the ISO time `at`, or None where any part of it is unknown."""
    read = completion.input_tokens if completion.billed_input_tokens is None else completion.billed_input_tokens
    wrote = completion.output_tokens if completion.billed_output_tokens is None else completion.billed_output_tokens
    if read is None or wrote is None:
        return None
    cached, written = completion.cached_tokens or 0, completion.cache_write_tokens or 0
    if cached + written > read:
        return None
    if entrant.price is not None:
        return _own(entrant.price, completion, read, wrote, cached, written)
    vendor = VENDORS.get(entrant.provider)
    if vendor is None and entrant.base_url is None:
        return None
    day = date.fromisoformat(at[:10]) if at else today()
    return _listed(vendor, entrant, completion, day, read, wrote, cached, written)


def _own(price: Price, completion: Completion, read: int, wrote: int, cached: int, written: int) -> float | None:
    if (cached and price.cached_input is None) or (written and price.cache_write is None):
        return None
    if completion.batch and price.batch_factor is None:
        return None
    total = (
        (read - cached - written) * price.input
        + cached * (price.cached_input or 0)
        + written * (price.cache_write or 0)
        + wrote * price.output
    )
    return float(total / MILLION * (price.batch_factor or 1 if completion.batch else 1))


def _listed(
    vendor: str | None,
    entrant: Entrant,
    completion: Completion,
    day: date,
    read: int,
    wrote: int,
    cached: int,
    written: int,
) -> float | None:
    tier = "batch" if completion.batch else completion.service_tier
    url = None if vendor else entrant.base_url
    models = [model for model in (completion.model_served, entrant.model) if model]
    table = next(filter(None, (_price(vendor, url, model, tier, day) for model in models)), None)
    if table is None or table.input_mtok is None or table.output_mtok is None:
        return None
    if (cached and table.cache_read_mtok is None) or (written and table.cache_write_mtok is None):
        return None
    from genai_prices import Usage

    usage = Usage(input_tokens=read, output_tokens=wrote, cache_read_tokens=cached, cache_write_tokens=written)
    return float(table.calc_price(usage)["total_price"])


@lru_cache(maxsize=4096)
def _price(vendor: str | None, url: str | None, model: str, tier: str | None, day: date) -> Any:
    """The table's prices for a model on a day, or None. A special tier without prices of its own is unknown."""
    snapshot = _snapshot()
    if snapshot is None:
        return None
    try:
        provider, info = snapshot.find_provider_model(model, None, vendor, url)
    except LookupError:
        return None
    moment = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    standard = info.get_prices(moment)
    if tier in STANDARD_TIERS:
        return standard
    context = {"processing": "batch"} if tier == "batch" else {"service_tier": tier, "speed": tier}
    special = info.get_prices(moment, context)
    return None if special == standard or not any(info is known for known in provider.models) else special


@lru_cache(maxsize=1)
def _snapshot() -> Any:
    try:
        from genai_prices import data_snapshot
    except ImportError:
        return None
    return data_snapshot.get_snapshot()


def price_date(entrant: Entrant) -> date | None:
    """As of when the entrant's prices are: the date of its own price, else the newest price of the table."""
    if entrant.price is not None:
        return entrant.price.date
    return _table_date() if entrant.provider in VENDORS or entrant.base_url else None


@lru_cache(maxsize=1)
def _table_date() -> date | None:
    snapshot = _snapshot()
    if snapshot is None:
        return None
    found = [
        entry.constraint.start_date
        for provider in snapshot.providers
        for model in provider.models
        for entry in [*(model.prices if isinstance(model.prices, list) else ()), *(model.price_variants or ())]
        if hasattr(entry.constraint, "start_date")
    ]
    return max(found, default=None)


def list_price(entrant: Entrant, day: date) -> Mapping[str, float] | None:
    """Dollars per input and per output token, for estimates and budgets; None where unknown."""
    found: dict[str, float] = {}
    for name, read, wrote in (("input", 1000, 0), ("output", 0, 1000)):
        probe = Completion(None, input_tokens=read, output_tokens=wrote, batch=entrant.batch)
        price = cost_of(entrant, probe, day.isoformat())
        if price is None:
            return None
        found[name] = price / 1000
    return found
