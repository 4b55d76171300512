"""Offline scoring: the journal's calls become scored items, and no model is ever called."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchpress.grading import grade_item
from benchpress.items import Item, ItemResult, Reading, Response, Status
from benchpress.registry import PART_TYPES

from benchpress_evaluator.costs import cost_of
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.methods.reading import response_of
from benchpress_evaluator.records import Call, ScoredItem
from benchpress_evaluator.replay import Condition, Outcome, Recorded, Replay

GRAVITY = (Status.API_ERROR, Status.TRUNCATED, Status.REFUSAL, Status.INVALID_ANSWER)
"""Gravest first: decides where a method reached no answer from several calls."""

CHUNK = 256


def score(
    items: Sequence[Item],
    records: Iterable[Mapping[str, Any]],
    version: str,
    entrants: Sequence[Entrant],
    methods: Sequence[MethodChoice],
) -> Iterator[ScoredItem]:
    """Every item of every condition, in the order entrant, method, run, item.

    `records` are the journal's. A condition that was never run gives its items as pending under run 1. Raises
    UserError for a journal of another version.
    """
    known = {item.id for item in items}
    ids = {entrant.id for entrant in entrants}
    keys = {method.key for method in methods}
    recorded = Recorded.of(records, version, known, lambda key: key.entrant in ids and key.method in keys)
    with asyncio.Runner() as runner:
        for entrant in entrants:
            for method in methods:
                for run in recorded.runs(entrant.id, method.key) or [1]:
                    replay = Replay(Condition(version, entrant, method, run), recorded)
                    runner.run(replay.prepare(items))
                    for start in range(0, len(items), CHUNK):
                        yield from runner.run(_chunk(replay, items[start : start + CHUNK]))


async def _chunk(replay: Replay, items: Sequence[Item]) -> list[ScoredItem]:
    return [scored(replay.condition, item, await replay.outcome(item)) for item in items]


def scored(condition: Condition, item: Item, outcome: Outcome) -> ScoredItem:
    """One row from what the calls gave."""
    calls = outcome.calls
    completions = [call.completion for call in calls]
    answer = outcome.answer
    last = answer.completion if answer is not None and answer.completion is not None else None
    last = last or (completions[-1] if len(completions) == 1 else None)
    return ScoredItem(
        version=condition.version,
        entrant=condition.entrant.id,
        method=condition.method.key,
        run=condition.run,
        item_id=item.id,
        module=item.module,
        bundle=item.bundle,
        variant=item.variant,
        level=item.level,
        skills={part.id: part.skills for part in item.parts},
        result=None if outcome.pending or outcome.gated is not None else result_of(item, outcome),
        stop_reason=last.stop_reason if last is not None else None,
        input_tokens=total([completion.input_tokens for completion in completions]),
        output_tokens=total([completion.output_tokens for completion in completions]),
        thinking_tokens=total([completion.thinking_tokens for completion in completions]),
        cost_usd=total([cost_of(condition.entrant, call.completion, call.at) for call in calls]),
        latency_s=total([completion.latency_s for completion in completions]),
        max_tokens=last.max_tokens if last is not None else None,
        at=max((call.at for call in calls), default=None),
        extra=dict(answer.extra) if answer is not None else {"gated": outcome.gated} if outcome.gated else {},
        gated=outcome.gated is not None,
        flags=tuple(dict.fromkeys(flag for completion in completions for flag in completion.flags)),
    )


def result_of(item: Item, outcome: Outcome) -> ItemResult:
    """The item result of an answer that is there."""
    answer = outcome.answer
    if answer is None:
        raise ValueError("a pending item has no result")
    if answer.decided is not None:
        return decided(item, answer.decided)
    if answer.completion is not None:
        return grade_item(item, response_of(item, answer.text, answer.completion))
    result = grade_item(item, Response(item.id, answer.text))
    if answer.text is not None or not outcome.calls:
        return result
    return replace(result, status=gravest(item, outcome.calls))


def decided(item: Item, values: Mapping[str, Any]) -> ItemResult:
    """The item result of values that a method decided on without a text to be read."""
    parts = tuple(
        PART_TYPES.get(part.type).score(Reading(values[part.id], "decided by the method"), part, item)
        for part in item.parts
    )
    return ItemResult(item.id, Status.OK, all(part.correct for part in parts), parts)


def gravest(item: Item, calls: Sequence[Call]) -> Status:
    """The gravest status among `calls`; a call that said something unusable counts as invalid_answer."""
    found = {grade_item(item, response_of(item, call.completion.text, call.completion)).status for call in calls}
    return next((status for status in GRAVITY if status in found), Status.INVALID_ANSWER)


def total(values: Sequence[Any]) -> Any:
    """The sum, or None where there is nothing to sum or any value is unknown."""
    return None if not values or any(value is None for value in values) else sum(values)
