"""Numbers as people and models write them, as exact values."""

import re
from fractions import Fraction

MAX_DIGITS = 1000
MAX_EXPONENT = 2000
LONG_EXPONENT = 30
"""Beyond it a value keeps its exponent in writing."""

_NUMERAL = r"(?:\d+(?:[.,']\d+|_\d+|\x20\d{3}(?![\d]))*|\.\d+)"
TOKEN = re.compile(
    rf"(?P<body>{_NUMERAL})"
    r"(?P<exp>[eE][-+]?\d+(?![\w.]))?"
    r"(?P<sci>\s?[×xX*·⋅]\s?10\s?(?:\^|\*\*)\s?[({]?\s?(?P<power>[-+]?\d+)[)}]?)?"
    r"(?P<pow>\s?(?:\^|\*\*)\s?[({]?\s?(?P<power2>[-+]?\d+(?![\d.]))[)}]?)?"
    r"(?P<mixed>\x20(?P<up>\d+)\s?/\s?(?P<down>\d+)(?![\d.,/]))?"
    rf"(?P<over>\s?/\s?(?P<denominator>[-+]?{_NUMERAL})(?P<exp2>[eE][-+]?\d+)?)?"
    r"(?P<percent>\s?(?:%|‰|p\.p\.|(?i:pp|bps|basis points?|percent(?:age points?)?|per\s?cent|per\s?mille|pct|"
    r"permille)\b))?"
    r"(?P<scale>\s(?i:thousand|million|billion|trillion)\b)?",
)
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_VULGAR = {
    "¼": "1/4", "½": "1/2", "¾": "3/4", "⅐": "1/7", "⅑": "1/9", "⅒": "1/10", "⅓": "1/3", "⅔": "2/3", "⅕": "1/5",
    "⅖": "2/5", "⅗": "3/5", "⅘": "4/5", "⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
    "↉": "0/3",
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")


def spell_out(text: str) -> str:
    """Vulgar fractions as ``a/b``, superscripts as ``^n``, and crosses between numbers as the sign of a product."""
    if text.isascii():
        return text
    text = text.replace("✕", "×").replace("✖", "×")
    for sign, plain in _VULGAR.items():
        if sign in text:
            text = text.replace(f" {sign}", sign).replace(sign, f" {plain}")
    return _RAISED.sub(lambda raised: "^" + raised.group().translate(_SUPERSCRIPTS), text)


def token_value(token: re.Match[str]) -> str | None:
    """The unsigned value of a token as a decimal string or exact fraction, None where it has no safe reading."""
    body = decimal_text(token["body"])
    if body is None:
        return None
    if token["pow"] is not None:
        if token["sci"] is not None or body != "10" or token["exp"] is not None:
            return None
        body, exponent = "1", int_or_none(token["power2"])
    elif token["sci"] is not None:
        if token["exp"] is not None:
            return None
        exponent = int_or_none(token["power"])
    elif token["exp"] is not None:
        exponent = int_or_none(token["exp"][1:])
    else:
        exponent = 0
    if exponent is None or abs(exponent) > MAX_EXPONENT:
        return None
    plain = body + (f"e{exponent}" if exponent else "")
    factor = Fraction(1)
    if token["percent"] is not None:
        sign = token["percent"].strip().lower()
        per_mille = sign.startswith(("‰", "per m", "perm"))
        factor = Fraction(1, 10_000 if sign.startswith("b") else 1000 if per_mille else 100)
    if token["scale"] is not None:
        factor *= _SCALES[token["scale"].strip().lower()]
    if token["mixed"] is None and token["over"] is None and factor == 1:
        return plain if not exponent or abs(exponent) > LONG_EXPONENT else render(Fraction(plain))
    value = Fraction(plain)
    if token["mixed"] is not None:
        if token["over"] is not None or exponent or not body.isdigit():
            return None
        up, down = int_or_none(token["up"]), int_or_none(token["down"])
        if up is None or down is None or not 0 < up < down:
            return None
        value += Fraction(up, down)
    elif token["over"] is not None:
        below = token["denominator"]
        other = decimal_text(below.lstrip("+-"))
        if other is None:
            return None
        power = int_or_none(token["exp2"][1:]) if token["exp2"] else 0
        if power is None or abs(power) > MAX_EXPONENT:
            return None
        denominator = Fraction(f"{other}e{power}") * (-1 if below.startswith("-") else 1)
        if denominator == 0:
            return None
        value /= denominator
    return render(value * factor) if factor != 1 else str(value)


def int_or_none(digits: str) -> int | None:
    """An exponent or a part of a fraction, None where it is too long to be one."""
    return int(digits) if len(digits) <= 12 else None


def decimal_text(numeral: str) -> str | None:
    """A numeral with its group and decimal signs resolved, as plain digits with at most one point.

    Exactly three digits behind a comma are thousands, otherwise one comma is a decimal comma; one point is always a
    decimal point. None where the signs fit no convention.
    """
    if len(numeral) > MAX_DIGITS:
        return None
    if numeral.isdigit():
        return numeral
    if numeral[0] == ".":
        return "0" + numeral
    for group in ("'", "_", " "):
        if group in numeral:
            whole, mark, rest = numeral.partition(".")
            if "," in whole and not mark:
                whole, mark, rest = numeral.partition(",")
            if (
                any(other in rest or other in whole for other in "',_ " if other != group)
                or group in rest
                or "." in rest
            ):
                return None
            if not _grouped(whole.split(group)):
                return None
            return whole.replace(group, "") + ("." + rest if mark else "")
    commas, points = numeral.count(","), numeral.count(".")
    if commas and points:
        decimal, group = (",", ".") if numeral.rfind(",") > numeral.rfind(".") else (".", ",")
        whole, _, rest = numeral.rpartition(decimal)
        if decimal in whole:
            return None
        parts = whole.split(group)
        if not (_grouped(parts) or (group == "," and _indian(parts))):
            return None
        return "".join(parts) + "." + rest
    if points == 1:
        return numeral
    if commas == 1:
        whole, rest = numeral.split(",")
        if len(rest) == 3 and len(whole) <= 3 and whole[0] != "0":
            return whole + rest
        return f"{whole}.{rest}"
    parts = numeral.split("," if commas else ".")
    if _grouped(parts) or (commas and _indian(parts)):
        return "".join(parts)
    return None


def _grouped(parts: list[str]) -> bool:
    return 0 < len(parts[0]) <= 3 and parts[0][0] != "0" and all(len(part) == 3 for part in parts[1:])


def _indian(parts: list[str]) -> bool:
    return (
        len(parts) > 2
        and 0 < len(parts[0]) <= 2
        and parts[0][0] != "0"
        and len(parts[-1]) == 3
        and all(len(part) == 2 for part in parts[1:-1])
    )


def render(value: Fraction) -> str:
    """`value` as a decimal string where it has one of reasonable length, else as ``a/b``."""
    denominator = value.denominator
    if denominator == 1:
        return str(value.numerator)
    places = 0
    rest = denominator
    for prime in (2, 5):
        count = 0
        while rest % prime == 0 and count <= 30:
            rest //= prime
            count += 1
        places = max(places, count)
    if rest != 1 or places > 30:
        return f"{value.numerator}/{denominator}"
    digits = str(abs(value.numerator) * 10**places // denominator).rjust(places + 1, "0")
    return ("-" if value < 0 else "") + digits[:-places] + "." + digits[-places:]
