"""Printed numbers as the second methods read them."""

from fractions import Fraction
from functools import lru_cache


@lru_cache(maxsize=1 << 14)
def printed(text: str | Fraction) -> float:
    """The floating-point number nearest to a printed one; a problem prints few different ones many times."""
    return float(Fraction(text))
