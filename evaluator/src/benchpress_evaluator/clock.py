"""The time of day, as everything that is written down states it."""

from datetime import UTC, date, datetime


def now() -> str:
    """UTC time, ISO 8601 to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def today() -> date:
    """The day in UTC."""
    return datetime.now(UTC).date()
