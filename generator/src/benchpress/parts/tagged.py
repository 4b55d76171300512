"""Finds what stands behind a label in an answer."""

import re


def last_field(text: str, label: str) -> str:
    """The text behind the last line that starts with the label."""
    found = re.findall(rf"(?mi)^\W*{re.escape(label)}\W*?:[ \t*]*([^\n]*)", text)
    return found[-1].strip().strip("*`. ") if found else ""
