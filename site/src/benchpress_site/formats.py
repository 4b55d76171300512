"""How figures and names are written on a page. Unknown is a dash that says so, never zero."""

import re
from collections.abc import Callable

from markupsafe import Markup, escape

UNKNOWN = Markup('<span class="bp-na" title="not known">–</span>')
NONCHARACTERS = "".join(f"\\U{plane:04x}fffe\\U{plane:04x}ffff" for plane in range(17)) + "\\ufdd0-\\ufdef"
CONTROL = re.compile(
    rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff{NONCHARACTERS}]"
)


def clean(text: str) -> str:
    """Text without control characters, without what HTML takes for no character, and without marks that would turn the
    direction of what stands around it."""
    return CONTROL.sub("", text)


def share(value: float | None, places: int = 1) -> str | Markup:
    """0.523 -> 52.3%"""
    return UNKNOWN if value is None else f"{value * 100:.{places}f}%"


def points(value: float | None) -> str | Markup:
    """A difference of shares in percentage points, signed with a true minus."""
    if value is None:
        return UNKNOWN
    sign = "+" if value > 0 else "\u2212" if value < 0 else "\u00b1"
    return f"{sign}{abs(value) * 100:.1f}"


def count(value: float | None) -> str | Markup:
    """12345.0 -> 12,345"""
    return UNKNOWN if value is None else f"{value:,.0f}"


def money(value: float | None) -> str | Markup:
    """US dollars with two digits that matter below one dollar."""
    if value is None:
        return UNKNOWN
    if value == 0:
        return "$0"
    if abs(value) >= 1:
        return f"${value:,.2f}"
    digits = f"{value:.2g}"
    return f"${float(digits):.6f}".rstrip("0").rstrip(".") if float(digits) >= 1e-6 else f"${digits}"


def seconds(value: float | None) -> str | Markup:
    if value is None:
        return UNKNOWN
    return f"{value:.0f} s" if value >= 100 else f"{value:.1f} s" if value >= 1 else f"{value:.2f} s"


def decimal(value: float | None, places: int = 2) -> str | Markup:
    return UNKNOWN if value is None else f"{value:.{places}f}".replace("-", "\u2212")


def p(value: float | None) -> str | Markup:
    """A p-value: three places, and no more certainty than they carry."""
    if value is None:
        return UNKNOWN
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def text(value: str | None) -> str | Markup:
    return clean(value) if value else UNKNOWN


def name(value: str) -> Markup:
    """A name from outside, isolated so that its writing direction stays its own."""
    return Markup("<bdi>{}</bdi>").format(clean(value))


FIELD_NAMES = {
    "back_door": "back-door",
    "d_separation": "d-separation",
    "difference_in_differences": "difference-in-differences",
    "do_vs_observe": "do versus observe",
    "front_door": "front-door",
    "m_bias": "M-bias",
}
"""Names that the field does not write with a blank."""


def words(identifier: str) -> str:
    """base_rate -> base rate"""
    return FIELD_NAMES.get(identifier, identifier.replace("_", " "))


def sentence(identifier: str) -> str:
    """base_rate -> Base rate"""
    return initial(words(identifier))


def setting(identifier: str) -> str:
    """hidden_order/extra_worlds -> hidden order, extra worlds; the usual evidence is not named."""
    return ", ".join(words(step) for step in identifier.split("/") if step != "original")


def initial(text: str) -> str:
    """The first letter as a sentence begins with it; the others stay."""
    return text[:1].upper() + text[1:]


def heading(value: str) -> Markup:
    """A name as Markdown text: every sign that Markdown or HTML could read as its own is written as an entity."""
    signs = (
        character if character.isalnum() or character == " " else f"&#{ord(character)};"
        for character in " ".join(clean(value).split())
    )
    return Markup("".join(signs))  # noqa: S704 - nothing but letters, digits, spaces and entities is left


def ticks(text: str) -> Markup:
    """Text from a docstring: what stands between backticks is code."""
    return Markup(re.sub(r":?[a-z]*:?`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before


def note(text: str) -> str:
    """A remark from the publication as a sentence of its own."""
    return f"{initial(text).rstrip('.')}." if text else ""


def attribute(value: str) -> str:
    """A page title or description, escaped once for the places where the theme prints it as it is."""
    return str(escape(" ".join(clean(value).split())))


def anchor(value: str) -> str:
    """An id for an element: letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", clean(value).lower()).strip("-")


FILTERS: dict[str, Callable[..., object]] = {
    "share": share,
    "points": points,
    "count": count,
    "money": money,
    "seconds": seconds,
    "decimal": decimal,
    "p": p,
    "text": text,
    "name": name,
    "words": words,
    "sentence": sentence,
    "heading": heading,
    "note": note,
    "anchor": anchor,
    "ticks": ticks,
}
