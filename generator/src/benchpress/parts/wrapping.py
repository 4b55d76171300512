"""What a value is wrapped in behind its label: a JSON object or string, the angle brackets of the form."""

import re

from benchpress.parts.blanks import is_template
from benchpress.parts.characters import fold_characters

_VALUE_OBJECT = re.compile(
    r"\s{0,3}\{\s{0,9}[\"']?(?:value|answer|result|estimate|verdict|set|final|nodes|edges|order)[\"']?\s?:\s?([^{}]*)"
    r"\}[\s,}\]]*",
    re.IGNORECASE,
)
_JSON_SCALAR = re.compile(r'\s{0,9}("(?:[^"\n\\]|\\.)*"|[^",\[\]{}\n]*),\s{0,9}"[^"\n]{1,60}"\s?:')
_ANGLED = re.compile(r"[ *_`]{0,9}<[ ]?([^<>\n]{1,400})[ ]?>[ *_`.,;]{0,9}")
_UNICODE_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
# Not the LaTeX commands that begin with n.
_NEWLINE_ESCAPE = re.compile(
    r"\\n(?!eq?\b|u\b|ot(?:in)?\b|i\b|abla\b|ewline\b|olimits\b|[lg]eq\b|exists\b|rightarrow\b)"
)
_LINE_END = re.compile(r"\\n(?![a-z])")


def unwrapped(head: str, quoted: bool) -> tuple[str, bool]:
    """The value in `head`, the text behind a label, and whether it stood in the angle brackets of the form. `quoted`
    says that the label is a key of a JSON object, so that a string or number ends where the next key begins."""
    scalar = _JSON_SCALAR.match(head) if quoted else None
    if scalar is not None:
        head = scalar[1]
    angled = _ANGLED.fullmatch(head) if "<" in head[:9] and not is_template(head) else None
    if angled is not None:
        head = angled[1]
    if head[:1] in '{"' or head[1:2] in '{"':
        head = _plain_json(head)
    if "\\n" in head:
        head = _LINE_END.sub("\n", head)
    return head, angled is not None


def _plain_json(head: str) -> str:
    """The value of an object that holds nothing else, and the characters that a JSON string escapes."""
    wrapped = _VALUE_OBJECT.fullmatch(head)
    if wrapped is not None:
        head = wrapped[1]
    if "\\" in head:
        head = _UNICODE_ESCAPE.sub(lambda escape: fold_characters(chr(int(escape[1], 16))), head)
        if head.lstrip().startswith('"'):
            head = head.replace("\\\\", "\\")
        head = _NEWLINE_ESCAPE.sub("\n", head).replace('\\"', '"')
    return head
