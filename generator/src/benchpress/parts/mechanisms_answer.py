"""Finding the JSON object that answers, in whatever surrounds it: fences, prose, thinking, other objects.

Work is bounded whatever the text: only its end is looked at, objects are sought where their telling key
stands, and the characters decoded on the way are counted.
"""

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from benchpress.parts.mechanisms_problem import Rules
from benchpress.parts.thinking import strip_thinking

WINDOW = 360_000
"""Characters looked at, from the end of the text: a final answer stands at its end."""

MAX_TAGS = 10_000
CROWDED_WINDOW = 64_000
"""Where more than `MAX_TAGS` signs could open a tag, only so much is looked at: taking tags out costs most of all."""

MAX_ANCHORS = 128
DECODE_BUDGET = 1_500_000
STEP_BUDGET = 20_000

_SURROGATE = re.compile("[\ud800-\udfff]|\\\\u[dD][89abcdefABCDEF]")
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Found:
    """The object that answers (None where there is none or it is refused), what was noticed, the text it stood in."""

    value: dict[str, Any] | None
    json_seen: bool = False
    multiple: bool = False
    note: str = ""
    source: str = ""


def find_answer(text: str, key: str, inner: str | None, rules: Rules, also: str | None = None) -> Found:
    """The object with an object under `key` (which has one under `inner`, a list under `also`, where given).

    By the strict rules the last complete one, wherever it is nested. By the published rules a text that is JSON as a
    whole is judged as it stands, and of several objects the one with most keys, then the longest, is taken; where it
    has no rule of its own (`inner`), the last one.
    """
    window = text[-WINDOW:]
    if window.count("<") > MAX_TAGS:
        window = window[-CROWDED_WINDOW:]
    if _PATTERNS[key].search(window):
        window = strip_thinking(window)[0]
    window = window.lstrip("\ufeff").strip(_BLANK)
    if not window:
        return Found(None, note="empty answer")
    whole: Any = None
    if len(window) <= rules.answer_bytes:
        with suppress(ValueError, RecursionError):
            whole = _LENIENT.decode(window)
            if not isinstance(whole, dict):
                return Found(None, note="the answer is JSON but no object", source=window)
    also = also if rules.strict else None
    if whole is not None and _answers(whole, key, inner, also):
        spans = [(0, len(window), whole)]
    elif whole is not None and not rules.strict:
        return Found(None, True, note=f"the object has no {key!r} of the asked form", source=window)
    else:
        spans = _candidates(window, key, inner, also, rules.answer_bytes)
    if not spans:
        note = f"no complete JSON object with {key!r} of the asked form"
        return Found(None, whole is not None, note=note)
    start, end, value = spans[-1]
    if not rules.strict and inner is None:
        start, end, value = max(spans, key=lambda span: (len(span[2]), span[1] - span[0], -span[0]))
    source = window[start:end]
    multiple = any(other != value for _, _, other in spans)
    refusal, remark = _soundness(source, rules)
    if refusal:
        return Found(None, True, multiple, refusal, source)
    return Found(value, True, multiple, remark, source)


_DUPLICATE = "duplicate_key: a key occurs twice in one object"


class _RefusedError(Exception):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _RefusedError(_DUPLICATE)
    return result


def _no_constant(name: str) -> None:
    raise _RefusedError(f"not_json: {name} is no JSON value")


# Numbers with a fraction stay text: no bit is written so, and results hold no floating-point numbers.
_LENIENT = json.JSONDecoder(parse_float=str)
_NO_CONSTANTS = json.JSONDecoder(parse_float=str, parse_constant=_no_constant)
_NO_DUPLICATES = json.JSONDecoder(parse_float=str, object_pairs_hook=_unique)


def _key_pattern(key: str) -> re.Pattern[str]:
    letters = "".join(f"(?:{letter}|\\\\u00{ord(letter):02x}|\\\\u00{ord(letter):02X})" for letter in key)
    return re.compile(f'"{letters}"[{_BLANK}]*:')


_PATTERNS = {key: _key_pattern(key) for key in ("mechanisms", "alternative")}
_OPEN = re.compile(rf'\{{[{_BLANK}]*"')


def _answers(value: Any, key: str, inner: str | None, also: str | None) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get(key), dict):
        return False
    if inner is not None and not isinstance(value[key].get(inner), dict):
        return False
    return also is None or isinstance(value.get(also), list)


def _candidates(
    window: str, key: str, inner: str | None, also: str | None, longest: int
) -> list[tuple[int, int, dict[str, Any]]]:
    """The objects that answer, by place, none inside another: start, end, value."""
    decoded: dict[int, tuple[int, Any]] = {}
    spans: dict[int, tuple[int, int, dict[str, Any]]] = {}
    characters, steps = DECODE_BUDGET, STEP_BUDGET
    anchors = [match.start() for match in _PATTERNS[key].finditer(window)][-MAX_ANCHORS:]
    for anchor in reversed(anchors):
        start = anchor
        while characters > 0 and steps > 0:
            steps -= 1
            start = window.rfind("{", max(0, anchor - longest), start)
            if start < 0:
                break
            if start not in decoded:
                if not _OPEN.match(window, start):
                    continue
                decoded[start] = _decode(window[start : start + longest])
                characters -= decoded[start][0] + 500
            length, value = decoded[start]
            if value is not None and start + length > anchor:
                if _answers(value, key, inner, also):
                    spans[start] = (start, start + length, value)
                break
    ordered = [spans[start] for start in sorted(spans)]
    return [span for span in ordered if not any(o[0] < span[0] and span[1] <= o[1] for o in ordered)]


def _decode(text: str) -> tuple[int, Any]:
    """Characters consumed, and the value at the start of `text` or None."""
    try:
        value, end = _LENIENT.raw_decode(text)
    except json.JSONDecodeError as problem:
        return problem.pos, None
    except (ValueError, RecursionError):
        return len(text), None
    return end, value


def _soundness(source: str, rules: Rules) -> tuple[str, str]:
    """Why JSON text is refused although Python's reader takes it (empty where it is not), and a remark on it."""
    if len(source) > rules.answer_bytes or len(source.encode("utf-8", "replace")) > rules.answer_bytes:
        return f"too_large: the answer is longer than {rules.answer_bytes} bytes", ""
    try:
        if "NaN" in source or "Infinity" in source:
            _NO_CONSTANTS.decode(source)
        if _SURROGATE.search(source):
            json.dumps(_LENIENT.decode(source), ensure_ascii=False).encode()
        _NO_DUPLICATES.decode(source)
    except UnicodeEncodeError:
        return "lone_surrogate: half a surrogate pair is no character", ""
    except RecursionError:
        return "too_large: nested too deeply", ""
    except _RefusedError as reason:
        if str(reason) == _DUPLICATE and not rules.strict:
            return "", f"{_DUPLICATE}; the last one counts"
        return str(reason), ""
    return "", ""
