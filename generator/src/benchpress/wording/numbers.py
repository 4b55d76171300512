"""Numbers as they are printed and as they stand in params: decimals where they end, fractions elsewhere."""

from fractions import Fraction
from functools import lru_cache

MAX_DECIMALS = 9


def show(value: Fraction | int) -> str:
    """`value` as a decimal when that is exact with at most nine places, else as a fraction.

    >>> show(Fraction(3, 4)), show(Fraction(-1, 3)), show(2)
    ('0.75', '-1/3', '2')
    """
    return _text(value.numerator, value.denominator)


@lru_cache(maxsize=4096)
def _text(numerator: int, denominator: int) -> str:
    """A problem prints many numbers and few different ones."""
    if denominator == 1:
        return str(numerator)
    twos = (denominator & -denominator).bit_length() - 1
    odd = denominator >> twos
    fives = 0
    while odd % 5 == 0:
        odd //= 5
        fives += 1
    places = max(twos, fives)
    if odd != 1 or places > MAX_DECIMALS:
        return f"{numerator}/{denominator}"
    scaled = abs(numerator) * 10**places // denominator
    digits = str(scaled).rjust(places + 1, "0")
    sign = "-" if numerator < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def number(text: str) -> Fraction:
    """The exact value of a printed number, the inverse of :func:`show`."""
    return Fraction(text)
