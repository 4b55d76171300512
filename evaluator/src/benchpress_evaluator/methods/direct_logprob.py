"""The likeliest label of the question as printed: one call, no debiasing."""

from collections.abc import Mapping
from typing import Any

from benchpress.items import Item
from benchpress.modules.choice.question import Question

from benchpress_evaluator.methods.base import Answer, Ask
from benchpress_evaluator.methods.choice_method import (
    ChoiceMethod,
    decision,
    identities,
    option_probabilities,
    rounded,
    seed_of,
)
from benchpress_evaluator.methods.debias import highest, lead
from benchpress_evaluator.providers.base import OPTION_SCORES
from benchpress_evaluator.records import Json


class DirectLogprob(ChoiceMethod):
    name = "direct_logprob"
    requires = frozenset({OPTION_SCORES})

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        question = Question.of(item)
        seen = await option_probabilities(ask, "answer", question, question.texts, prepared)
        if seen is None:
            return decision(question, None, {"picks": [None]})
        names = identities(question)
        chosen = self.choose(question, [names[place] for place in highest(seen)], seed_of(params))
        extra = {"picks": [chosen], "distribution": rounded(seen), "margin": round(lead(seen), 10)}
        return decision(question, chosen, extra)


METHOD = DirectLogprob()
