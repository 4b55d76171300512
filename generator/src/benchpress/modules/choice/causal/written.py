"""How a value is printed as an option, and what a printed option is worth to the scorer of the part."""

from dataclasses import replace
from fractions import Fraction

from benchpress.items import Item, Json, Part, Reading
from benchpress.protocol import render_value
from benchpress.registry import PART_TYPES


def decimals(part: Part) -> int:
    """How many decimals a number of this part is printed with: so many that rounding stays inside the tolerance."""
    tolerance = Fraction(str(part.params.get("tolerance", "0")))
    places = 0
    while tolerance and Fraction(1, 10**places) > tolerance:
        places += 1
    return places


def write(value: Json, part: Part) -> str:
    """`value` as an option; every number of a part with the same decimals, so that its length says nothing."""
    if part.type == "number":
        return fixed(Fraction(value), decimals(part))
    return render_value(part.type, value, part.params)


def fixed(value: Fraction, places: int) -> str:
    """`value` rounded half to even, with exactly `places` decimals and no negative zero.

    >>> fixed(Fraction(-1, 3), 2), fixed(Fraction(2), 2), fixed(Fraction(-1, 1000), 2)
    ('-0.33', '2.00', '0.00')
    """
    scaled = round(value * 10**places)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def read(text: str, part: Part, item: Item) -> Json:
    """The value that the part's own reader finds in a printed option; None where it finds none."""
    alone = replace(item, parts=(part,))
    value: Json = PART_TYPES.get(part.type).read(f"{part.id}: {text}", part, alone).value
    return value


def right(value: Json, part: Part, item: Item) -> bool:
    """Whether the part's own scorer takes the value for right."""
    return bool(PART_TYPES.get(part.type).score(Reading(value), part, item).correct)
