"""What an experiment is: digests over everything that decides its numbers, and nothing else.

Two values that mean the same have one form: text in NFC, numbers exact, keys sorted. An id is a prefix and 16 hex
digits of the SHA-256 of that form.
"""

import math
import unicodedata
from collections.abc import Mapping
from typing import Any

from benchpress.canonical import canonical_text, digest

from benchpress_evaluator.records import exact


def normal(value: Any) -> Any:
    """`value` in the form that identities are taken over. Raises ValueError where it has none.

    >>> normal({"b": -0.0, "a": (1.5, "e\\u0301")})
    {'b': 0, 'a': [{'decimal': '1.5'}, 'é']}
    """
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value!r} has no place in an identity")
        return exact(value)
    if isinstance(value, Mapping):
        found: dict[str, Any] = {}
        for name, inner in value.items():
            if not isinstance(name, str):
                raise ValueError(f"the key {name!r} is no text")
            key = unicodedata.normalize("NFC", name)
            if key in found:
                raise ValueError(f"the key {key!r} occurs twice")
            found[key] = normal(inner)
        return found
    if isinstance(value, set | frozenset):
        return sorted((normal(inner) for inner in value), key=canonical_text)
    if isinstance(value, list | tuple):
        return [normal(inner) for inner in value]
    if isinstance(value, bytes):
        return value.hex()
    if value is None or isinstance(value, bool | int):
        return value
    raise ValueError(f"{type(value).__name__} has no place in an identity")


def sha256_of(value: Any) -> str:
    """SHA-256 of the normal form, in hex."""
    return digest(normal(value))


def identity(prefix: str, value: Any) -> str:
    """`prefix_` and 16 hex digits."""
    return f"{prefix}_{sha256_of(value)[:16]}"
