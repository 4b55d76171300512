"""First the model answers in its own words without seeing an option, then it matches its answer to the options."""

from collections.abc import Mapping
from typing import Any

from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.modules.choice.question import Question

from benchpress_evaluator.methods.base import Answer, Ask
from benchpress_evaluator.methods.choice_method import ChoiceMethod
from benchpress_evaluator.methods.reading import read_place
from benchpress_evaluator.records import Json, Request

FALLBACK = "fallback_on_parse_failure"


class TwoStage(ChoiceMethod):
    """With `fallback_on_parse_failure` a matching answer without a letter is followed by the question put directly."""

    name = "two_stage"
    parameters = frozenset({FALLBACK})

    def check(self, params: Mapping[str, Json]) -> None:
        super().check(params)
        _falls_back(params)

    def calls(self, item: Item, params: Mapping[str, Json]) -> int:  # noqa: ARG002
        return 3 if _falls_back(params) else 2

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        question = Question.of(item)
        free_prompt = prepared.free_text_prompt(question.stem, question.subject)
        free = await ask("free_text", Request.of(free_prompt))
        extra = {"free_text_prompt": free_prompt, "free_text_response": free.text, "fallback_used": False}
        if free.error is not None or not (free.text or "").strip():
            # There is nothing to be matched; what became of this call is what became of the question.
            return Answer(None, free, extra)
        match_prompt = prepared.match_prompt(question.stem, question.texts, free.text, question.subject)
        match = await ask("match", Request.of(match_prompt))
        if match.error is None and _falls_back(params) and read_place(item, question.texts, match) is None:
            prompt = prepared.direct_prompt(question.stem, question.texts, question.subject)
            direct = await ask("fallback", Request.of(prompt))
            return Answer(direct.text, direct, {**extra, "fallback_used": True, "match_response": match.text})
        return Answer(match.text, match, extra)


def _falls_back(params: Mapping[str, Json]) -> bool:
    value = params.get(FALLBACK, False)
    if type(value) is not bool:
        raise UserError(f"{FALLBACK} must be true or false, not {value!r}")
    return value


METHOD = TwoStage()
