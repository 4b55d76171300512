"""Canonical JSON: the bytes that digests and commitments are taken over."""

import hashlib
import json
from typing import Any

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical_text(value: Any) -> str:
    """`value` as canonical JSON: sorted keys, no spaces, no escapes that UTF-8 does not need.

    Raises ValueError for floating-point numbers, which have no place in an item.
    """
    refuse_floats(value)
    return _ENCODER.encode(value)


def canonical_bytes(value: Any) -> bytes:
    """UTF-8 bytes of :func:`canonical_text`."""
    return canonical_text(value).encode()


def digest(value: Any) -> str:
    """SHA-256 of the canonical form, in hex."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def refuse_floats(value: Any) -> None:
    """Raise ValueError where a floating-point number occurs anywhere inside `value`."""
    inside = [value]
    for current in inside:
        if isinstance(current, float):
            raise ValueError(f"floating-point number {current!r}: write decimals and fractions as strings")
        if isinstance(current, dict):
            inside.extend([one for one in current.values() if not isinstance(one, str)])
        elif isinstance(current, list | tuple):
            inside.extend([one for one in current if not isinstance(one, str)])
