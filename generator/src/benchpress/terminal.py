"""What a terminal may be shown of somebody's file: text, never commands to the terminal."""

import re


def printable(text: str) -> str:
    """`text` with every control character but tab and line end, and every lone surrogate, written as an escape.

    A terminal obeys control sequences, so a prompt that holds some could set the clipboard or hide what stands above.
    """
    return _CONTROL.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape").decode("ascii")


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
