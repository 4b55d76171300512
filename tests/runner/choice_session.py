"""Four questions about colours, put to a scripted model through run, journal and score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

from benchpress.items import Item
from benchpress.modules.choice.question import Question
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.plan import Plan
from benchpress_evaluator.records import Call, Completion, Request, ScoredItem
from benchpress_evaluator.runner import RunReport, run
from benchpress_evaluator.scoring import score
from benchpress_evaluator.storage import open_storage
from scripted import SCRIPTS, Script, printed, prompt_of

Q0 = [[0.50, 0.30, 0.15, 0.05], [0.40, 0.30, 0.20, 0.10], [0.55, 0.15, 0.20, 0.10], [0.45, 0.20, 0.25, 0.10]]
Q1 = [[0.30, 0.40, 0.20, 0.10], [0.60, 0.20, 0.10, 0.10], [0.35, 0.25, 0.30, 0.10], [0.40, 0.30, 0.10, 0.20]]
Q2 = [[0.70, 0.15, 0.10, 0.05], [0.50, 0.20, 0.10, 0.20], [0.40, 0.20, 0.30, 0.10], [0.30, 0.40, 0.20, 0.10]]
Q3 = [[0.40, 0.20, 0.15, 0.25], [0.45, 0.20, 0.25, 0.10], [0.40, 0.35, 0.15, 0.10], [0.60, 0.15, 0.15, 0.10]]
MATRICES = [Q0, Q1, Q2, Q3]
GOLD = (2, 1, 0, 3)


def question(name: str, gold: int = 0, texts: Sequence[str] = ("red", "green", "blue", "white")) -> Question:
    return Question.build("colours", "paint", f"Which colour has {name}?", texts, gold)


QUESTIONS = [question(f"number {place}", gold) for place, gold in enumerate(GOLD)]
ITEMS = [one.item() for one in QUESTIONS]


@dataclass
class Session:
    folder: Path

    def put(
        self,
        items: Sequence[Item],
        method: str | MethodChoice,
        script: Script,
        provider: str = "Scripted",
        params: Mapping[str, Any] | None = None,
    ) -> tuple[RunReport, list[ScoredItem]]:
        SCRIPTS["script"] = script
        entrant = Entrant.model_validate({"id": "subject", "provider": f"scripted:{provider}", "model": "script"})
        choice = MethodChoice(method, params or {}) if isinstance(method, str) else method
        report = run(Plan("choice-test", items, [entrant], [choice]), self.journal, {})
        return report, list(score(items, self.journal.records(), "choice-test", [entrant], [choice]))

    @property
    def journal(self) -> Journal:
        return Journal.open(open_storage(self.folder), "journal", None)

    @property
    def steps(self) -> list[tuple[str, str]]:
        return [
            (call.key.item_id, call.key.step)
            for call in (Call.from_json(record) for record in self.journal.records() if "call" in record)
        ]


def say(text: str | None) -> Completion:
    return Completion(text, "stop")


def picks_text(wanted: str) -> Script:
    """A model that knows what it wants, wherever it is printed."""
    return lambda request: say(f"The answer is {'ABCDEFGHIJ'[printed(request).index(wanted)]}.")


def from_matrices(request: Request) -> Completion:
    """Log-probabilities of the worked example, by question and by the option that is printed first."""
    number = next(n for n in range(4) if f"number {n}?" in prompt_of(request))
    k = ("red", "green", "blue", "white").index(printed(request)[0])
    return Completion(None, option_scores={L: log(p) - 3 for L, p in zip("ABCD", MATRICES[number][k], strict=True)})


def letters(rows: Sequence[ScoredItem]) -> str:
    return "".join((row.result.parts[0].parsed or "-") if row.result else "?" for row in rows)
