"""Cells of a CSV file that no spreadsheet takes for a formula."""

from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""First characters that make a spreadsheet compute a cell of text."""


def plain_cell(value: Any) -> Any:
    """Text without NUL, which no reader of CSV keeps, and after an apostrophe where it would be computed.

    Whatever is no text, numbers above all, stays as it is.

    >>> [plain_cell(value) for value in ("=1+1", "\\0@sum", "a-b", -0.5, None)]
    ["'=1+1", "'@sum", 'a-b', -0.5, None]
    """
    if not isinstance(value, str):
        return value
    text = value.replace("\0", "")
    return f"'{text}" if text.startswith(FORMULA) else text
