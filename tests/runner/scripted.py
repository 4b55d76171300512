"""A provider whose answers a test writes down: `model` names a function from request to completion."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from benchpress_evaluator.providers.base import OPTION_SCORES, Provider, Stop
from benchpress_evaluator.records import Completion, Request

Script = Callable[[Request], Completion]
SCRIPTS: dict[str, Script] = {}
SEEN: list[Request] = []
"""Every request that was sent, in order."""


class Scripted(Provider):
    capabilities: ClassVar[frozenset[str]] = frozenset({OPTION_SCORES})
    concurrency: ClassVar[int] = 1
    paid: ClassVar[bool] = False
    stops: ClassVar[Mapping[str, Stop]] = {"stop": Stop.DONE}

    async def complete(self, request: Request) -> Completion:
        SEEN.append(request)
        return SCRIPTS[self.settings.model](request)


class TextOnly(Scripted):
    capabilities: ClassVar[frozenset[str]] = frozenset()


def prompt_of(request: Request) -> str:
    return request.messages[-1].content


def printed(request: Request) -> list[str]:
    """The option texts as the prompt prints them."""
    lines = prompt_of(request).splitlines()
    return [line[3:] for line in lines if line[1:3] == ". " and line[0].isupper()]
