"""The provider without a model: fixed words and fixed scores."""

import asyncio
from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress.modules.choice.question import Question
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.plan import Plan
from benchpress_evaluator.providers.base import Settings
from benchpress_evaluator.providers.dummy import Dummy
from benchpress_evaluator.records import Message, Request
from benchpress_evaluator.runner import run
from benchpress_evaluator.scoring import score
from benchpress_evaluator.storage import open_storage

ENTRANT = Entrant.model_validate({"id": "dummy", "provider": "dummy", "model": "always-a"})


def test_it_always_answers_a_and_scores_labels_as_published() -> None:
    dummy = Dummy(Settings("dummy", "always-a"))
    said = asyncio.run(dummy.complete(Request.of("anything")))
    assert (said.text, said.stop_reason, said.option_scores) == ("The answer is A.", "stop", None)
    scored = asyncio.run(dummy.complete(Request((Message("user", "x"),), None, tuple("ABCDEZ"))))
    assert scored.option_scores == {"A": -0.1, "B": -1.5, "C": -2.0, "D": -2.5, "E": -5.0, "Z": -5.0}


def test_params_are_refused() -> None:
    with pytest.raises(UserError, match="temperature is unknown"):
        Dummy(Settings("dummy", "always-a", {"temperature": 0}))


@pytest.mark.parametrize("method", ["direct", "direct_logprob"])
def test_it_has_what_is_keyed_a(tmp_path: Path, method: str) -> None:
    items = [
        Question.build("toy", "s", f"Question {number}?", ["one", "two", "three", "four"], number % 4).item()
        for number in range(8)
    ]
    journal = Journal.open(open_storage(tmp_path), "journal", None)
    choice = MethodChoice(method)
    assert run(Plan("toy", items, [ENTRANT], [choice]), journal, {}).complete
    rows = list(score(items, journal.records(), "toy", [ENTRANT], [choice]))
    assert [row.result.correct for row in rows if row.result] == [number % 4 == 0 for number in range(8)]
