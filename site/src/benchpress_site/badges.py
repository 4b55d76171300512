"""A badge per entrant: a small SVG with its accuracy and interval, drawn without any service."""

from benchpress.publication import ModelPage
from markupsafe import escape

from benchpress_site import formats

LABEL = "benchpress"
PER_CHARACTER = 6.6


def value(page: ModelPage) -> str:
    """What stands on the right; a partial run says so."""
    accuracy = page.row.accuracy
    if accuracy is None:
        return "no result yet"
    if page.row.statuses.pending:
        return "partial run, not ranked"
    shown = f"{formats.share(accuracy.value)} [{accuracy.low * 100:.0f}\u2013{accuracy.high * 100:.0f}]"
    return shown if page.row.ranked else f"{shown} not ranked"


def words(page: ModelPage) -> str:
    """The badge as text."""
    return f"{LABEL} {page.version}: {value(page)}"


def width(page: ModelPage) -> int:
    return _width(f"{LABEL} {page.version}") + _width(value(page))


def _width(text: str) -> int:
    return round(len(text) * PER_CHARACTER) + 12


def badge(page: ModelPage) -> str:
    left, right = f"{LABEL} {page.version}", value(page)
    one, two = _width(left), _width(right)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{one + two}" height="20" role="img" '
        f'aria-label="{escape(words(page))}"><title>{escape(words(page))}</title>'
        f'<rect width="{one + two}" height="20" rx="3" fill="#333b47"/>'
        f'<path d="M{one} 0h{two - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{two - 3}z" fill="#0b5d5b"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{one / 2:g}" y="14" textLength="{one - 12}">{escape(left)}</text>'
        f'<text x="{one + two / 2:g}" y="14" textLength="{two - 12}">{escape(right)}</text></g></svg>\n'
    )
