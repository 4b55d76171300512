"""What may be shown of an error: no key, no prompt, one line, and only then cut to length."""

import html
import re
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchpress_evaluator.credentials import is_credential

LIMIT = 300
WINDOW = 24
"""So many characters of a prompt in a row are taken for the prompt."""
QUOTES = "the message quotes the prompt and is not shown"
TOKENS = 4
"""So many words and numbers of a prompt in a row are, too, in whatever they are wrapped."""

_CREDENTIALS = re.compile(
    r"\b(?:sk|gsk|xai|pk|key|tok|AIza|AKIA|ASIA|hf|gh[pousr]|glpat)[-_]?[A-Za-z0-9_-]{12,}"
    r"|\bBearer\s+\S+|\bBasic\s+\S+"
    r"|(?<=://)[^/\s@]+@"
)
_ASSIGNMENT = re.compile(r"""([A-Za-z][\w.-]{0,80})(["']?\s*[=:](?!//)\s*)(["']?[^\s"'&,;)]+)""")
_WORD = re.compile(r"[A-Za-z][a-z]{0,6}")
_ENDINGS = ("token", "secret", "signature", "sig", "key")
"""Beside the names that are refused in a configuration: so a value is named in addresses and messages."""
_ENCODED = re.compile(r"(?=[A-Za-z]*[0-9+/])[A-Za-z0-9+/_-]{48,}={0,2}")
"""A stretch that may be text in base64 or hexadecimal: nobody can see what it says."""
_ESCAPE = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|([nrt])|([\"'/\\]))")
_TOKEN = re.compile(r"[^\W_]+")


def redact(text: str, secrets: Iterable[str | None] = (), private: Iterable[str] = ()) -> str:
    """`text` on one line without `secrets`, things that look like one, and stretches of the `private` texts.

    A stretch is found in JSON and HTML escapes as well, and what is encoded altogether is left out. A message that
    quotes a private text at length is not shown at all: what stands around the quotation may be about it.
    """
    text = _plain(text)
    for secret in secrets:
        if secret and len(secret) >= 4:
            text = text.replace(secret, "[key]")
    text = _ASSIGNMENT.sub(_without_value, _CREDENTIALS.sub("[key]", text))
    for prompt in private:
        text, longest = _without(text, " ".join(prompt.split()))
        if longest >= WINDOW:
            return QUOTES
    text = _ENCODED.sub("[data]", text)
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"


def fault(problem: BaseException) -> str:
    """The kind of an error and where it arose. Its text may hold what a model was asked or answered, so it is not
    shown."""
    frames = traceback.extract_tb(problem.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(problem).__name__}{where}"


def _plain(text: str) -> str:
    """On one line, without escapes."""
    return " ".join(_ESCAPE.sub(_unescape, html.unescape(text)).split())


def _unescape(match: re.Match[str]) -> str:
    code, space, mark = match.groups()
    if code:
        return chr(int(code, 16))
    return " " if space else mark


def _without_value(match: re.Match[str]) -> str:
    """`name=value` without the value where the name stands for a credential."""
    name = match[1]
    if match[2] == ": " and _WORD.fullmatch(match[3]):
        # `invalid_api_key: this is ...` goes on in prose.
        return match[0]
    secret = is_credential(name) or name.lower().endswith(_ENDINGS)
    return f"{name}{match[2]}[key]" if secret else match[0]


def _without(text: str, prompt: str) -> tuple[str, int]:
    """`text` with every stretch of at least WINDOW characters, or TOKENS tokens, that `prompt` has too replaced; and
    the length of the longest."""
    kept: list[str] = []
    done = longest = 0
    for start, end in _united([*_characters(text, prompt), *_tokens(text, prompt)]):
        kept += [text[done:start], "[prompt]"]
        done, longest = end, max(longest, end - start)
    return "".join([*kept, text[done:]]), longest


def _characters(text: str, prompt: str) -> Iterable[tuple[int, int]]:
    known = {prompt[at : at + WINDOW] for at in range(len(prompt) - WINDOW + 1)}
    if not known:
        return
    for at in range(len(text) - WINDOW + 1):
        if text[at : at + WINDOW] in known:
            yield at, at + WINDOW


def _tokens(text: str, prompt: str) -> Iterable[tuple[int, int]]:
    known = set(_runs([match[0].lower() for match in _TOKEN.finditer(prompt)]))
    found = list(_TOKEN.finditer(text))
    for place, run in enumerate(_runs([match[0].lower() for match in found])):
        if run in known:
            yield found[place].start(), found[place + TOKENS - 1].end()


def _runs(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(tokens[at : at + TOKENS]) for at in range(len(tokens) - TOKENS + 1)]


def _united(stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches that overlap or touch, as one."""
    united: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if united and start <= united[-1][1]:
            united[-1] = (united[-1][0], max(end, united[-1][1]))
        else:
            united.append((start, end))
    return united
