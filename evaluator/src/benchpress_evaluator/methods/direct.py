"""The plain method: the item's prompt, one call, and the answer as it stands."""

from collections.abc import Mapping
from typing import Any

from benchpress.items import Item

from benchpress_evaluator.methods.base import Answer, Ask, Method
from benchpress_evaluator.records import Json, Request


class Direct(Method):
    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:  # noqa: ARG002
        completion = await ask("answer", Request.of(item.prompt))
        return Answer(completion.text, completion)


METHOD = Direct()
