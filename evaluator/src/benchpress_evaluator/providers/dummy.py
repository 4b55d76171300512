"""Fixed answers without any model, to see a whole run in a second: it always answers A, and likes A best."""

from collections.abc import Mapping
from typing import ClassVar

from benchpress_evaluator.providers.base import OPTION_SCORES, Provider, Settings, Stop, check_known
from benchpress_evaluator.records import Completion, Request

ANSWER = "The answer is A."
SCORES: Mapping[str, float] = {"A": -0.1, "B": -1.5, "C": -2.0, "D": -2.5}
OTHER_SCORE = -5.0


class Dummy(Provider):
    """`model` is any name; there are no params."""

    capabilities: ClassVar[frozenset[str]] = frozenset({OPTION_SCORES})
    concurrency: ClassVar[int] = 1
    paid: ClassVar[bool] = False
    stops: ClassVar[Mapping[str, Stop]] = {"stop": Stop.DONE}

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        check_known(settings, ())

    async def complete(self, request: Request) -> Completion:
        scores = {label: SCORES.get(label, OTHER_SCORE) for label in request.option_labels}
        return Completion(ANSWER, "stop", model_served=self.settings.model, option_scores=scores or None)
