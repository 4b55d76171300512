"""Every rotation of the options is scored, and the probability of each option averaged (equation 1)."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchpress.items import Item
from benchpress.modules.choice.question import Question

from benchpress_evaluator.methods.base import Answer, Ask
from benchpress_evaluator.methods.choice_method import (
    ChoiceMethod,
    decision,
    identities,
    rotation_probabilities,
    rounded,
    seed_of,
)
from benchpress_evaluator.methods.debias import cyclic_average, highest, lead
from benchpress_evaluator.providers.base import OPTION_SCORES
from benchpress_evaluator.records import Json


class CyclicLogprob(ChoiceMethod):
    name = "cyclic_logprob"
    requires = frozenset({OPTION_SCORES})

    def calls(self, item: Item, params: Mapping[str, Json]) -> int:  # noqa: ARG002
        return len(Question.of(item).options)

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        question = Question.of(item)
        rows = await rotation_probabilities(ask, question, prepared)
        return averaged(self, question, rows, seed_of(params))


def averaged(
    method: ChoiceMethod, question: Question, rows: Sequence[Sequence[float] | None], seed: int, **more: Json
) -> Answer:
    """The answer by equation 1, with each rotation's own pick and distribution; `more` is stored beside them."""
    names, count = identities(question), len(rows)
    picks = [
        None if row is None else method.choose(question, [names[(j + k) % count] for j in highest(row)], seed)
        for k, row in enumerate(rows)
    ]
    extra = {
        "rotations": count,
        "failed_rotations": sum(row is None for row in rows),
        "picks": picks,
        "distributions": [rounded(row) for row in rows],
        **more,
    }
    mean = cyclic_average(rows)
    if mean is None:
        return decision(question, None, extra)
    chosen = method.choose(question, [names[place] for place in highest(mean)], seed)
    return decision(question, chosen, {**extra, "distribution": rounded(mean), "margin": round(lead(mean), 10)})


METHOD = CyclicLogprob()
