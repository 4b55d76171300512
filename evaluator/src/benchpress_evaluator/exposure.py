"""The exposure ledger: which provider was sent items of a version on which day, and what it keeps of them.

What a vendor does with a prompt cannot be prevented, only chosen, recorded and shown. A line is written before the
first call of a day, so none is missing where a run is killed.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.providers.base import Provider

USUAL = "usual"
"""The endpoint of a vendor's own, where the roster names no other."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """A day (UTC) on which items were sent to a provider for one entrant."""

    date: str
    provider: str
    entrant: str
    endpoint: str
    retention: str | None
    batch: bool

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def exposure(entrant: Entrant, provider: Provider, time: str) -> Exposure | None:
    """The line of an entrant that is about to be asked at `time`; null where items stay on machines of one's own.

    They do where the provider is free and has no address, or where the address is no public one; unless the roster
    states what is kept there.
    """
    address = entrant.base_url or getattr(provider, "default_url", None)
    host = urlsplit(address).hostname if address else None
    own = not _is_public(host) if host else not provider.paid
    if own and entrant.retention is None:
        return None
    endpoint = host if host and _is_public(host) else "own server" if own else USUAL
    return Exposure(time[:10], entrant.provider, entrant.id, endpoint, entrant.retention, entrant.batch)


def first_days(exposures: Iterable[Exposure]) -> dict[str, str]:
    """Provider -> the first day on which it was sent anything."""
    found: dict[str, str] = {}
    for line in exposures:
        found[line.provider] = min(line.date, found.get(line.provider, line.date))
    return found


def _is_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith((".local", ".internal", ".lan", ".localhost"))
