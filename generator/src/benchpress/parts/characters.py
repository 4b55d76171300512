"""Characters as a reader sees them: width, invisible characters, line ends, look-alike dashes and quotes.

Folding keeps what carries a value: superscripts, vulgar fractions, arrows, set signs and accents stay as they are.
"""

import re
import unicodedata

_SAME = {
    "\n": ("\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"),
    " ": ("\t",),
    "-": ("\u2010", "\u2011", "\u2012", "\u2212", "\ufe63", "\uff0d", "\u02d7", "\u2796"),
    "+": ("\u2795",),
    "'": ("\u2018", "\u2019", "\u201a", "\u201b", "\u2032", "\u02bc"),
    '"': ("\u201c", "\u201d", "\u201e", "\u201f", "\u00ab", "\u00bb", "\u300c", "\u300d", "\u300e", "\u300f", "\u2033"),
    "<": ("\u25c1",),
    ">": ("\u25b7",),
    "(": ("\u27e8", "\u2329", "\u3008"),
    ")": ("\u27e9", "\u232a", "\u3009"),
    "[": ("\u3010", "\u3014"),
    "]": ("\u3011", "\u3015"),
    "/": ("\u2044", "\u2215"),
    ",": ("\u3001", "\u066c", "\u060c"),
    ";": ("\u061b",),
    ".": ("\u3002", "\u066b", "\uff61"),
    "%": ("\u066a",),
    ":": ("\u2236", "\ua789"),
    "*": ("\u2217", "\u204e"),
    "~": ("\u223c",),
    "|": ("\u2223", "\u2502"),
    "\u00d7": ("\u2a2f",),
    "": ("\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\ufffd"),
}
_COMPATIBLE = ("<wide>", "<narrow>", "<small>", "<sub>", "<font>", "<circle>")
_TABLE_LIMIT = 50_000


class _Folding(dict[int, str]):
    """Code point to what it is read as, worked out when first met."""

    def __missing__(self, code: int) -> str:
        folded = _fold(chr(code))
        if len(self) < _TABLE_LIMIT:
            self[code] = folded
        return folded


def _fold(character: str) -> str:
    if character.isascii():
        return character if character >= " " and character != "\x7f" else ""
    category = unicodedata.category(character)
    if category in ("Cf", "Cc", "Cs") or "\ufe00" <= character <= "\ufe0f":
        return ""
    if category == "Zs":
        return " "
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if unicodedata.decomposition(character).startswith(_COMPATIBLE):
        plain = unicodedata.normalize("NFKC", character)
        # Circled digits number a list; circled letters name an option.
        if len(plain) == 1 and not (category == "No" and not _is_subscript(character)):
            return _FOLDING[ord(plain)] if plain != character else plain
    return character


def _is_subscript(character: str) -> bool:
    return unicodedata.decomposition(character).startswith("<sub>")


_FOLDING = _Folding({ord(other): plain for plain, others in _SAME.items() for other in others})
_FOLDING[ord("\n")] = "\n"
# What Unicode makes of some full-width signs once more has a look-alike: keep the ASCII one.
_NOT_PLAIN = re.compile(r"[^ -~\n]+")
_CONTROLS = tuple(chr(code) for code in (*range(32), 127) if chr(code) != "\n")
_FEW = 60
"""So many different stretches are replaced one by one; more are rather folded in one pass."""
_ANSI = re.compile(r"\x1b\[[0-9;]{0,20}m")


def fold_characters(text: str) -> str:
    """`text` with every character that looks like plain ASCII written as such, invisible ones dropped, lines ended by a
    line feed, digits of all scripts as 0 to 9, and accents composed.

    Tab becomes a blank. Linear in the length of the text.
    """
    if text.isascii():
        for control in _CONTROLS:
            if control in text:
                break
        else:
            return text
    elif not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    runs = set(_NOT_PLAIN.findall(text))
    if len(runs) > _FEW:
        return _NOT_PLAIN.sub(lambda run: run.group().translate(_FOLDING), text)
    # Folding goes character by character, so it does not matter where a run stands.
    for run in sorted(runs, key=lambda run: (-len(run), run)):
        folded = run.translate(_FOLDING)
        if folded != run:
            text = text.replace(run, folded)
    return text
