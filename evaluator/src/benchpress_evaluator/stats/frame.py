"""The results frame: one tidy table, a row per entrant x item x run x part, that every metric reads."""

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from benchpress.items import PartResult, Status

from benchpress_evaluator.records import ScoredItem

PENDING = "pending"
GATED = "gated"
STATUSES: tuple[str, ...] = (*(str(status) for status in Status), PENDING, GATED)
"""Every place an answer can be counted in, in the order of the tables. Exclusive and exhaustive."""

SEPARATOR = "|"
METRIC_PREFIX = "metric."
"""Columns of this prefix hold what a part type measures beside right and wrong (null where a figure does not apply)."""

Codes = npt.NDArray[np.int64]


def results_frame(scored: Iterable[ScoredItem]) -> pd.DataFrame:
    """The frame of `scored`, in an order that does not depend on the order of the input.

    Columns, answer by answer: version, entrant, method, module, bundle, variant, level, item_id, run, status (one of
    :data:`STATUSES`), item_correct (0 or 1), stop_reason, input_tokens, output_tokens, thinking_tokens, max_tokens,
    cost_usd, latency_s (s), at (UTC, text), flags (joined by ``|``), extra (JSON text of what the method stored). Part
    by part: part, part_type, skills (joined by ``|``), part_read, part_correct (0 or 1), answer (what was read, as JSON
    text; null where nothing was), key (the expected value likewise; null where the results are stored without it), and
    one ``metric.<name>`` column for each further measure. Unknown is null. Text columns are categories sorted by code
    point. An answer without parts has one row with an empty part name.
    """
    answers = sorted(scored, key=_place)
    parts, lengths = _parts(answers)
    per_answer: dict[str, Any] = {
        "version": _text([answer.version for answer in answers]),
        "entrant": _text([answer.entrant for answer in answers]),
        "method": _text([answer.method for answer in answers]),
        "module": _text([answer.module for answer in answers]),
        "bundle": _text([answer.bundle for answer in answers]),
        "variant": _text([answer.variant for answer in answers]),
        "level": np.array([answer.level for answer in answers], dtype=np.int64),
        "item_id": _text([answer.item_id for answer in answers]),
        "run": np.array([answer.run for answer in answers], dtype=np.int64),
        "status": categorical(np.array([STATUSES.index(_status(a)) for a in answers], dtype=np.int64), STATUSES),
        "item_correct": np.array([bool(answer.result and answer.result.correct) for answer in answers], dtype=np.int8),
        "stop_reason": _text([answer.stop_reason for answer in answers]),
        "input_tokens": _numbers(answers, lambda answer: answer.input_tokens),
        "output_tokens": _numbers(answers, lambda answer: answer.output_tokens),
        "thinking_tokens": _numbers(answers, lambda answer: answer.thinking_tokens),
        "max_tokens": _numbers(answers, lambda answer: answer.max_tokens),
        "cost_usd": _numbers(answers, lambda answer: answer.cost_usd),
        "latency_s": _numbers(answers, lambda answer: answer.latency_s),
        "at": _text([answer.at for answer in answers]),
        "flags": _text([SEPARATOR.join(answer.flags) for answer in answers]),
        "extra": _text([_json(dict(answer.extra)) if answer.extra else None for answer in answers]),
    }
    spread = {name: _repeat(column, lengths) for name, column in per_answer.items()}
    return pd.DataFrame({**spread, **parts})


def answers_of(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per answer (entrant x item x run): the first part's row, with the columns that belong to the answer."""
    keys = [frame[name].cat.codes.to_numpy() for name in ("version", "entrant", "method", "item_id")]
    keys.append(frame["run"].to_numpy())
    key = pd.MultiIndex.from_arrays(keys)
    return frame.loc[~key.duplicated(), :"extra"].reset_index(drop=True)


def _place(answer: ScoredItem) -> tuple[str, str, str, str, int]:
    return (answer.version, answer.entrant, answer.method, answer.item_id, answer.run)


def _status(answer: ScoredItem) -> str:
    if answer.result is not None:
        return str(answer.result.status)
    return GATED if answer.gated else PENDING


def _parts(answers: Sequence[ScoredItem]) -> tuple[dict[str, Any], Codes]:
    names: list[str] = []
    types: list[str] = []
    skills: list[str] = []
    results: list[PartResult | None] = []
    lengths = np.empty(len(answers), dtype=np.int64)
    for place, answer in enumerate(answers):
        before = len(names)
        given = answer.result.parts if answer.result is not None else ()
        for result in given:
            names.append(result.id)
            types.append(result.type)
            results.append(result)
        if not given:
            asked = list(answer.skills) or [""]
            names.extend(asked)
            types.extend(repeat("", len(asked)))
            results.extend(repeat(None, len(asked)))
        skills.extend(SEPARATOR.join(answer.skills.get(name, ())) for name in names[before:])
        lengths[place] = len(names) - before
    columns: dict[str, Any] = {
        "part": _text(names),
        "part_type": _text(types),
        "skills": _text(skills),
        "part_read": np.array([r is not None and r.parsed is not None for r in results], dtype=np.int8),
        "part_correct": np.array([r is not None and r.correct for r in results], dtype=np.int8),
        "answer": _text([None if r is None or r.parsed is None else _json(r.parsed) for r in results]),
        "key": _text([None if r is None or r.expected is None else _json(r.expected) for r in results]),
    }
    measured = sorted({name for r in results if r is not None and r.metrics for name in r.metrics})
    for name in measured:
        values = [None if r is None or not r.metrics else r.metrics.get(name) for r in results]
        columns[METRIC_PREFIX + name] = np.array([np.nan if v is None else float(v) for v in values])
    return columns, lengths


def _json(value: Any) -> str:
    if isinstance(value, str):
        return json.encoder.encode_basestring(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _text(values: Sequence[str | None]) -> pd.Categorical:
    categories = sorted({value for value in values if value is not None})
    code = {value: place for place, value in enumerate(categories)}
    codes = np.array([-1 if value is None else code[value] for value in values], dtype=np.int64)
    return categorical(codes, categories)


def categorical(codes: Codes, categories: Sequence[str]) -> pd.Categorical:
    """The categories by code, -1 for null, with text kept as plain Python strings."""
    made: Any = pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(pd.Index(categories, dtype=object)))
    return made  # type: ignore[no-any-return]


def _numbers(answers: Sequence[ScoredItem], of: Callable[[ScoredItem], float | int | None]) -> npt.NDArray[np.float64]:
    values = (of(answer) for answer in answers)
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _repeat(column: Any, lengths: Codes) -> Any:
    if isinstance(column, pd.Categorical):
        return pd.Categorical.from_codes(np.repeat(column.codes, lengths), dtype=column.dtype)
    return np.repeat(column, lengths)
