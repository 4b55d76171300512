"""One question to one entrant through the whole path: registry, client, journal, scoring."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchpress.items import Item, Part
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.plan import Plan
from benchpress_evaluator.records import Call, Completion, ScoredItem
from benchpress_evaluator.runner import RunReport, run
from benchpress_evaluator.schedule import RetryPolicy
from benchpress_evaluator.scoring import score
from benchpress_evaluator.storage import open_storage
from fake_http import Answer, FakeServer, Reply, Seen, serve
from wire.base import Wire

VERSION = "test-v1"
DIRECT = (MethodChoice("direct"),)
QUICK = RetryPolicy(attempts=3, overloaded_attempts=4, first_pause_s=0.01, longest_pause_s=0.02)


def items(count: int) -> list[Item]:
    """Questions whose answer is their number plus one."""
    return [
        Item(
            id=f"test-sum-base-l1-{number:012x}",
            module="test",
            bundle="sum",
            variant="base",
            level=1,
            params={},
            prompt=f"What is {number} + 1? End with a line N: and the number.",
            parts=(Part("N", "number", str(number + 1), {"tolerance": "0"}, ("adding",)),),
        )
        for number in range(count)
    ]


def solve(prompt: str) -> str:
    """The right answer to a prompt of `items`."""
    return f"It follows that\nN: {int(prompt.split()[2]) + 1}"


def entrant_of(wire: Wire, server: FakeServer, **changes: Any) -> Entrant:
    fields = {
        "id": "subject",
        "provider": wire.provider,
        "model": wire.model,
        "params": dict(wire.params),
        "base_url": server.url + wire.base_path,
        "timeout_s": 5,
        **changes,
    }
    return Entrant.model_validate(fields)


@dataclass(frozen=True)
class Asked:
    """What became of the questions."""

    report: RunReport
    scored: list[ScoredItem]
    calls: list[Call]
    server: FakeServer

    @property
    def completion(self) -> Completion:
        return self.calls[-1].completion

    @property
    def only(self) -> ScoredItem:
        assert len(self.scored) == 1
        return self.scored[0]


def ask(
    wire: Wire,
    answer: Answer,
    folder: Path,
    count: int = 1,
    retry: RetryPolicy = QUICK,
    keys: Mapping[str, str] | None = None,
    plan: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Asked:
    """Put `count` questions to `wire` as a server that gives `answer`, and score what came of it."""
    questions = items(count)
    with serve(answer) as server:
        entrant = entrant_of(wire, server, **changes)
        journal = Journal.open(open_storage(folder), "journal", None)
        whole = Plan(VERSION, questions, [entrant], DIRECT, retry=retry, **(plan or {}))
        report = run(whole, journal, wire.keys if keys is None else keys)
        calls = [Call.from_json(record) for record in journal.records() if "call" in record]
        return Asked(report, list(score(questions, journal.records(), VERSION, [entrant], DIRECT)), calls, server)


def honest(wire: Wire) -> Answer:
    """A server that answers every question right."""
    return lambda seen: wire.served(seen, wire.success(solve(wire.prompt(seen)))) if seen.body else Reply(status=404)


def always(wire: Wire, reply: Reply) -> Answer:
    """A server that gives one reply to whatever the vendor accepts."""
    return lambda seen: wire.served(seen, reply)


def in_turn(wire: Wire, *replies: Reply) -> Answer:
    """A server that gives these replies one after the other, and the last one for ever."""
    left: Iterator[Reply] = iter(replies)
    last = replies[-1]

    def answer(seen: Seen) -> Reply:
        return wire.served(seen, next(left, last))

    return answer
