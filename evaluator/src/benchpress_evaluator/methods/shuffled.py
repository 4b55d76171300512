"""One call with the options in an order drawn for each question by a key: the baseline of any debiasing."""

from collections.abc import Mapping
from typing import Any

from benchpress.items import Item
from benchpress.modules.choice.question import Question
from benchpress.streams import derive, secret_from_seed

from benchpress_evaluator.methods.base import Answer, Ask
from benchpress_evaluator.methods.choice_method import ChoiceMethod, decision, identities, seed_of
from benchpress_evaluator.methods.reading import read_place
from benchpress_evaluator.records import Json, Request


class Shuffled(ChoiceMethod):
    name = "shuffled"

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        question = Question.of(item)
        printed = question.permuted(order(question, seed_of(params)))
        prompt = prepared.direct_prompt(question.stem, printed.texts, question.subject)
        completion = await ask("answer", Request.of(prompt))
        place = read_place(item, printed.texts, completion)
        pick = None if place is None else printed.options[place].source_index
        return decision(question, pick, {"printed": identities(printed), "picks": [pick]})


def order(question: Question, seed: int) -> list[int]:
    """The printed order of one question: it depends on the seed and the question's content alone."""
    stream = derive(secret_from_seed(seed), "choice", "shuffled", question.benchmark, question.id)
    return stream.shuffled(range(len(question.options)))


METHOD = Shuffled()
