"""Every rotation of the options is shown once, and the picks vote.

A letter is carried back to its option by printed place, so that options with equal texts stay apart. A tie is broken by
a key of the question's content; how clear the vote was is stored.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchpress.items import Item
from benchpress.modules.choice.question import Question

from benchpress_evaluator.methods.base import Answer, Ask
from benchpress_evaluator.methods.choice_method import (
    ChoiceMethod,
    decision,
    identities,
    rotation,
    rotation_step,
    seed_of,
)
from benchpress_evaluator.methods.reading import read_place
from benchpress_evaluator.records import Json, Request


class CyclicPermutation(ChoiceMethod):
    name = "cyclic_permutation"

    def calls(self, item: Item, params: Mapping[str, Json]) -> int:  # noqa: ARG002
        return len(Question.of(item).options)

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        question = Question.of(item)
        texts, names = question.texts, identities(question)
        picks: list[int | None] = []
        failed = 0
        for k in range(len(texts)):
            printed = rotation(texts, k)
            prompt = prepared.direct_prompt(question.stem, printed, question.subject)
            completion = await ask(rotation_step(k), Request.of(prompt))
            place = read_place(item, printed, completion)
            picks.append(None if place is None else names[(place + k) % len(names)])
            failed += completion.error is not None
        votes = Counter(pick for pick in picks if pick is not None)
        counts = sorted(votes.values(), reverse=True)
        extra = {
            "rotations": len(picks),
            "failed_rotations": failed,
            "unread_rotations": len(picks) - failed - sum(counts),
            "picks": picks,
            "margin": counts[0] - (counts[1] if len(counts) > 1 else 0) if counts else None,
        }
        if not counts:
            return decision(question, None, extra)
        tied = [pick for pick, count in votes.items() if count == counts[0]]
        return decision(question, self.choose(question, tied, seed_of(params)), {**extra, "tied": len(tied) > 1})


METHOD = CyclicPermutation()
