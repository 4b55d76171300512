"""HTML, LaTeX and Markdown taken off a text without touching what it says."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from benchpress.parts.characters import fold_characters

_STRUCK_HTML = re.compile(r"<(s|del|strike)>[^<]{0,300}</\1>", re.IGNORECASE)
_HTML = re.compile(r"</?[A-Za-z][A-Za-z0-9]{0,9}(?:\s+[A-Za-z-]{1,30}\s?=[^<>]{0,300}|\s{0,3}/?)>")
_BLOCKS = frozenset(
    (
        "br", "hr", "p", "div", "section", "article", "header", "footer", "details", "summary", "blockquote", "ul",
        "ol", "dl", "li",
        "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tfoot", "caption", "tr",
    )
)  # fmt: skip
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_INLINE = frozenset(
    [
        "b", "strong", "i", "em", "u", "ins", "mark", "small", "big", "font", "span", "code", "pre", "tt", "kbd",
        "var", "a", "abbr", "center", "cite", "q",
    ]
)  # fmt: skip
_CELLS = frozenset(("td", "th"))
_COMMENT = re.compile(r"<!--[^<>]{0,1000}-->")
_CDATA = re.compile(r"<!\[CDATA\[([^<>]{0,10000})\]\]>")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def strip_html(text: str) -> str:
    """HTML elements as the lines, cells and characters they show; struck-out text is dropped, entities are resolved.

    Tags outside the elements of running text, such as ``<number>``, stay.
    """
    if "<" in text and ">" in text:
        if "<!" in text:
            text = _CDATA.sub(r"\1", _COMMENT.sub("", text))
        if "</" in text:
            text = _STRUCK_HTML.sub("", text)
        text = _replace_each(_HTML, _shown, text)
    if "&" in text and ";" in text and _ENTITY.search(text):
        import html  # its tables are needed by few answers

        text = fold_characters(_replace_each(_ENTITY, html.unescape, text))
    return text


def _replace_each(pattern: re.Pattern[str], shown: Callable[[str], str], text: str) -> str:
    """Every match of a pattern without groups as `shown`; where few differ, each kind is replaced at once."""
    different = set(pattern.findall(text))
    if len(different) > 50:
        return pattern.sub(lambda match: shown(match.group()), text)
    for found in sorted(different, key=lambda match: (-len(match), match)):
        replacement = shown(found)
        if replacement != found:
            text = text.replace(found, replacement)
    return text


def _shown(tag: str) -> str:
    closes = tag.startswith("</")
    match = _TAG_NAME.search(tag)
    name = match.group().lower() if match is not None else ""
    if name in _INLINE:
        return ""
    if name in _CELLS:
        return "" if closes else " | "
    if name == "sup":
        return "" if closes else "^"
    if name == "sub":
        return "" if closes else "_"
    if name == "li" and not closes:
        return "\n- "
    return "\n" if name in _BLOCKS else tag


_LATEX_SIGNS = {
    "rightarrow": "→", "longrightarrow": "→", "to": "→", "Rightarrow": "→", "Longrightarrow": "→", "implies": "→",
    "mapsto": "→", "longmapsto": "→", "rightsquigarrow": "→", "xrightarrow": "→", "hookrightarrow": "→",
    "leadsto": "→", "leftarrow": "←", "longleftarrow": "←", "gets": "←", "Leftarrow": "←", "Longleftarrow": "←",
    "leftrightarrow": "↔", "longleftrightarrow": "↔", "Leftrightarrow": "↔", "iff": "↔",
    "emptyset": "∅", "varnothing": "∅", "O": "Ø", "times": "×", "cdot": "·", "ast": "*", "approx": "≈", "simeq": "≈",
    "cong": "≈", "doteq": "≈", "sim": "~", "pm": "±", "mp": "±", "infty": "∞", "le": "≤", "leq": "≤", "leqslant": "≤",
    "ge": "≥", "geq": "≥", "geqslant": "≥", "lt": "<", "gt": ">", "ne": "≠", "neq": "≠", "mid": "|", "vert": "|",
    "lvert": "|", "rvert": "|", "cup": "∪", "cap": "∩", "setminus": "∖", "backslash": "∖", "prec": "≺", "preceq": "≺",
    "succ": "≻", "succeq": "≻", "lbrace": "{", "rbrace": "}", "lbrack": "[", "rbrack": "]", "langle": "(",
    "rangle": ")", "ldots": "...", "dots": "...", "cdots": "...", "quad": " ", "qquad": " ", "percent": "%",
    "textrightarrow": "→", "textemdash": "—", "textendash": "–", "textendash ": "–", "checkmark": "✓", "land": " and ",
    "lor": " or ", "wedge": " and ", "vee": " or ", "colon": ":", "circ": "°", "degree": "°", "euro": "€",
    "pounds": "£",
    "minus": "-", "textminus": "-", "square": "", "newline": "\n", "par": "\n", "hline": "\n", "item": "\n- ",
}  # fmt: skip
_WRAPPERS = (
    "text|textbf|textit|textrm|texttt|textsf|textsc|textup|textnormal|emph|underline|uline|"
    "mathbf|mathrm|mathit|mathsf|mathtt|mathcal|mathbb|mathbin|mathop|boldsymbol|bm|pmb|operatorname|ensuremath|"
    "mbox|hbox|fbox|boxed|colorbox|framebox|textcolor|color|bold|bf|rm|it|displaystyle|textstyle|large|Large|huge|"
    "phantom|left|right|big|Big|bigg|Bigg|bigl|bigr|Bigl|Bigr|middle|limits|nolimits|vphantom|hat|widehat|tilde|"
    "widetilde|bar|vec|dot|math"
)
_WRAPPED = re.compile(rf"\\(?:{_WRAPPERS})\*?\s{{0,3}}\{{([^{{}}]*)\}}")
_BARE_WRAPPER = re.compile(rf"\\(?:{_WRAPPERS})\*?(?![A-Za-z])\s?")
_FRACTION = re.compile(r"\\[dtcs]?frac\s{0,3}\{([^{}]{0,200})\}\s{0,3}\{([^{}]{0,200})\}")
_NUMERAL = re.compile(r"-?[\d.,]{1,100}")
_SHORT_FRACTION = re.compile(r"\\[dtc]?frac\s{0,3}(?:\{(\d{1,9})\}|(\d))\s{0,3}(?:\{(\d{1,9})\}|(\d))")
_LATEX_COMMAND = re.compile(r"\\([A-Za-z]+)\s?")
_OLD_FONT = re.compile(r"\{\\(?:bf|it|rm|tt|sf|em|bfseries|itshape|ttfamily)\s+([^{}]*)\}")
_SUBSCRIPT = re.compile(r"_\{([^{}]{0,40})\}")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{[A-Za-z]{1,20}\*?\}(?:\[[a-z]\]|\{[lcr|]{1,9}\})?")
_OPEN, _CLOSE = "\ue000", "\ue001"


def strip_latex(text: str) -> str:
    """LaTeX as the characters it shows: commands that only dress their argument go, signs become Unicode ones,
    fractions become ``(a)/(b)``; ``\\boxed`` and unknown commands with an argument keep the argument alone."""
    text = text.replace("\\{", _OPEN).replace("\\}", _CLOSE).replace("\\_", "_").replace("\\%", "%")
    text = text.replace("\\$", "\ue002").replace("$", "").replace("\\&", "&").replace("\\#", "#").replace("\\|", "|")
    for delimiter in ("\\(", "\\)", "\\[", "\\]"):
        text = text.replace(delimiter, " ")
    text = text.replace("\\!", "").replace("\\\\", "\n")
    for space in ("\\,", "\\;", "\\:", "\\ ", "\\>"):
        text = text.replace(space, " ")
    if "\\begin" in text or "\\end" in text:
        text = _ENVIRONMENT.sub("", text)
    text = _SUBSCRIPT.sub(r"_\1", _OLD_FONT.sub(r"\1", text))
    for _ in range(5):  # deeper nesting says nothing that an answer needs
        before = text
        text = _WRAPPED.sub(r"\1", text)
        text = _FRACTION.sub(_fraction, text)
        if text == before:
            break
    if "frac" in text:
        text = _SHORT_FRACTION.sub(lambda m: f" {m[1] or m[2]}/{m[3] or m[4]} ", text)
    text = _BARE_WRAPPER.sub("", text)
    text = _LATEX_COMMAND.sub(_sign, text)
    return text.replace(_OPEN, "{").replace(_CLOSE, "}").replace("\ue002", "$")


def _fraction(fraction: re.Match[str]) -> str:
    above, below = fraction[1].strip(), fraction[2].strip()
    if _NUMERAL.fullmatch(above) and _NUMERAL.fullmatch(below):
        return f" {above}/{below} "
    return f" ({above})/({below}) "


def _sign(command: re.Match[str]) -> str:
    name = command[1]
    if name in _LATEX_SIGNS:
        return f"{_LATEX_SIGNS[name]} "
    return command.group()


_STRUCK = re.compile(r"(?<!~)~~(?!~)[^~\n]{1,300}~~(?!~)")
_OPERATOR = re.compile(r"(?<=[\d)}\]])(\s{0,3})(\*\*?)(?=\s{0,3}[-+]?[\d({])")
# Emphasis that ends before a remark: "**14** (3 + 11)". A power or product has blanks on both sides or on none.
_BOLD_ENDS = re.compile(r"(?<=[^\s*])\*\*(?=\s)")
_ITALIC = re.compile(r"\s{0,9}\*([^\s*][^*\n]{0,300})(?<!\s)\*(?=\s)")
_EMPHASIZED_REMARK = re.compile(r"(?<=\s)\*{1,3}(\([^()*\n]{0,300}\))\*{1,3}")
_BRACED_SIGN = re.compile(r"(?<=\d)\{([,.])\}(?=\d)")
_UNDERLINES = re.compile(r"_{1,3}")
_DRESSED = re.compile(r"[\\*`~_$]")


def strip_markup(text: str) -> str:
    """Markdown and LaTeX taken off a value; struck-out stretches are dropped, powers and products keep their signs."""
    if "{,}" in text or "{.}" in text:
        text = _BRACED_SIGN.sub(r"\1", text)
    if _DRESSED.search(text) is None:
        return text
    if "~~" in text:
        text = _STRUCK.sub(" ", text)
    if "`" in text:
        text = text.replace("`", "")
    if "\\" in text or "$" in text or "_{" in text:
        text = strip_latex(text)
    if "*" in text:
        text = _EMPHASIZED_REMARK.sub(r"\1", _BOLD_ENDS.sub("", text))
        italic = _ITALIC.match(text)
        if italic is not None:
            text = italic[1] + text[italic.end() :]
        text = _OPERATOR.sub(lambda m: m[1] + "\ue003" * len(m[2]), text)
        text = text.replace("*", "").replace("\ue003", "*")
    if "_" in text:
        text = _UNDERLINES.sub(_underline, text)
    return text


def _underline(run: re.Match[str]) -> str:
    """Nothing for underlines at the edge of a word, which are emphasis; those inside a name stay."""
    text = run.string
    before, behind = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
    opens = not before.isalnum() and (behind.isalnum() or behind in ("-", "+", "."))
    closes = bool(before) and not before.isspace() and not (behind.isalnum() or behind in ("{", "_"))
    return "" if opens or closes else run.group()


_PICTURE = re.compile("[\u2600-\u27bf\u2b50\u2b55\U0001f300-\U0001faff]")
CROSSES = "❌✗✘✕✖❎☓🗙🚫⛔👎"
"""Pictures that turn down what they stand beside."""
_SAYING = CROSSES + "☐☑☒⚠❓❔🤷🙅🛑➗🔟🥇🥈🥉"
"""Pictures that say something themselves: boxes to tick, signs of reckoning, places."""


def has_pictures(text: str) -> bool:
    """Whether `text` holds an emoji or a sign of their kind."""
    return not text.isascii() and _PICTURE.search(text) is not None


def strip_pictures(text: str) -> str:
    """`text` without the ticks, stars and emoji that only adorn it, and without hands that point at it.

    Arrows, boxes and crosses stay."""
    if not has_pictures(text):
        return text
    return _PICTURE.sub(_picture, text).lstrip(" \n👉☞☛").rstrip(" \n👈☜☚")


def _picture(found: re.Match[str]) -> str:
    text = found.string
    boxed = text[found.start() - 1 : found.start()] == "[" and text[found.end() : found.end() + 1] == "]"
    return "" if _adorns(found.group()) and not boxed else found.group()


@lru_cache(maxsize=1024)
def _adorns(sign: str) -> bool:
    name = unicodedata.name(sign, "")
    symbol = unicodedata.category(sign) in ("So", "Sk") and sign not in _SAYING
    return symbol and not ("ARROW" in name or "POINTING" in name)
