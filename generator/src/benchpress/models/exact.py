"""Printed numbers as fractions. A problem prints few different ones many times, so each is parsed once."""

from fractions import Fraction
from functools import lru_cache


def exact(value: str | int | Fraction) -> Fraction:
    """The number behind `value`, a decimal or a fraction such as 7/2 where it is text. Raises ValueError otherwise.

    >>> print(exact("0.25") + exact("1/4") + exact(1))
    3/2
    """
    return value if isinstance(value, Fraction) else _parsed(value)


@lru_cache(maxsize=1 << 14)
def _parsed(value: str | int) -> Fraction:
    try:
        return Fraction(value)
    except (ZeroDivisionError, OverflowError):
        raise ValueError(f"{value!r} is no number") from None
