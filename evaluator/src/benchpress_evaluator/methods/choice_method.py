"""What the methods over multiple-choice questions share: parameters, prompts, option scores, and what they store."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.modules.choice.prompts import V1, Prompts
from benchpress.modules.choice.question import PART, Question

from benchpress_evaluator.methods.base import Answer, Ask, AskAbout, Method
from benchpress_evaluator.methods.debias import softmax
from benchpress_evaluator.methods.ties import tie_break
from benchpress_evaluator.records import Json, Message, Request

DEFAULT_SEED = 42
DIGITS = 10
"""Stored probabilities are rounded to so many decimals: the last bits differ between platforms."""


class ChoiceMethod(Method):
    """Base of the methods over multiple-choice questions; `prepared` is the bundle of prompts."""

    name: ClassVar[str]
    parameters: ClassVar[frozenset[str]] = frozenset({"seed"})

    @property
    def prompts(self) -> Prompts:
        """The bundle of texts it was given, or the built-in one."""
        return self.material.prompts or V1

    def check(self, params: Mapping[str, Json]) -> None:
        super().check(params)
        seed_of(params)

    async def prepare(self, items: Sequence[Item], ask: AskAbout, params: Mapping[str, Json]) -> Any:  # noqa: ARG002
        for item in items:
            Question.of(item)
        return self.prompts

    def choose(self, question: Question, tied: Sequence[int], seed: int) -> int:
        """One of the `tied` source indexes by the keyed rule."""
        return tie_break(seed, question.benchmark, question.id, self.name, tied)


def seed_of(params: Mapping[str, Json]) -> int:
    """The seed of keyed draws. Raises UserError unless it is a whole number."""
    seed = params.get("seed", DEFAULT_SEED)
    if type(seed) is not int:
        raise UserError(f"seed must be a whole number, not {seed!r}")
    return seed


def rotation(texts: Sequence[str], k: int) -> Sequence[str]:
    """The option texts as rotation k prints them: what stands at place (j + k) mod n comes to place j."""
    return [*texts[k:], *texts[:k]]


async def option_probabilities(
    ask: Ask, step: str, question: Question, texts: Sequence[str], prompts: Prompts
) -> list[float] | None:
    """The model's distribution over the labels of `question` with its options printed as `texts`.

    None where the call failed or the log-probability of any label is missing: nothing is put in its place.
    """
    labels = tuple(question.letters)
    prompt = prompts.direct_prompt(question.stem, texts, question.subject)
    completion = await ask(step, Request((Message("user", prompt),), None, labels))
    scores = completion.option_scores or {}
    values = [scores.get(label, math.nan) for label in labels]
    if completion.error is not None or not all(math.isfinite(value) for value in values):
        return None
    return softmax(values)


async def rotation_probabilities(ask: Ask, question: Question, prompts: Prompts) -> list[list[float] | None]:
    """One distribution per rotation, over printed places; None for a rotation that failed."""
    texts = question.texts
    return [
        await option_probabilities(ask, rotation_step(k), question, rotation(texts, k), prompts)
        for k in range(len(texts))
    ]


def rotation_step(k: int) -> str:
    """The name of the call that shows rotation k."""
    return f"rotation/{k}"


def letter_of(question: Question, source_index: int) -> str:
    """The letter under which the option with this identity is printed in `question`."""
    return next(
        letter
        for letter, option in zip(question.letters, question.options, strict=True)
        if option.source_index == source_index
    )


def identities(question: Question) -> list[int]:
    """The source indexes in printed order."""
    return [option.source_index for option in question.options]


def decision(question: Question, chosen: int | None, extra: Mapping[str, Json]) -> Answer:
    """The answer of a method that decided on an option by its identity, or on none."""
    letter = None if chosen is None else letter_of(question, chosen)
    stored = {"parsed_choice": letter, "source_indexes": identities(question), **extra}
    return Answer(None, None, stored, None if letter is None else {PART: letter})


def rounded(values: Sequence[float] | None) -> list[float] | None:
    """A distribution as it is stored."""
    return None if values is None else [round(value, DIGITS) for value in values]
