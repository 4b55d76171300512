"""Kill a run at a random moment, run it again, and compare with a run that nobody disturbed."""

import multiprocessing
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "providers"))

import subject
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.records import ScoredItem
from benchpress_evaluator.scoring import score
from fake_http import FakeServer, Reply, Seen, serve
from harness import VERSION, items, solve
from wire import WIRES

WIRE = WIRES["openai_chat"]
DELAY_S = 0.02

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["subject", "openai", "benchpress_evaluator.providers.openai_compatible"])


def answer(seen: Seen) -> Reply:
    """The same answer to the same question whenever it is asked; every third is wrong."""
    prompt = WIRE.prompt(seen)
    number = int(prompt.split()[2])
    reply = WIRE.success(solve(prompt) if number % 3 else "N: -1")
    return Reply(reply.body, reply.status, reply.headers, delay_s=DELAY_S)


def asked(seen: Seen) -> int:
    return int(WIRE.prompt(seen).split()[2])


def start(server: FakeServer, folder: Path, count: int, concurrency: int) -> Any:
    process = processes.Process(target=subject.work, args=(server.url, str(folder), count, concurrency))
    process.start()
    return process


def recorded(folder: Path) -> list[int]:
    """The numbers of the questions with a durable answer, one for every record."""
    return [int(record["call"][1][-12:], 16) for record in subject.journal(folder).records() if "call" in record]


def scores(server: FakeServer, folder: Path, count: int) -> list[tuple[str, Any]]:
    found: list[ScoredItem] = list(
        score(
            items(count),
            subject.journal(folder).records(),
            VERSION,
            [subject.entrant(server.url, 1)],
            [MethodChoice("direct")],
        )
    )
    return [(row.item_id, row.result.to_json() if row.result else None) for row in found]


@dataclass(frozen=True)
class Crash:
    """One run that was killed once, and then finished."""

    after_s: float
    kept: int
    """Answers that were durable when it was killed."""
    paid_twice: int
    repeated: int
    """Questions asked again although their answer was durable."""
    duplicates: int
    """Questions with more than one record."""
    same_scores: bool


def undisturbed(folder: Path, count: int, concurrency: int) -> tuple[float, list[tuple[str, Any]]]:
    """How long the whole takes from its first request to its last, and its scores."""
    with serve(answer) as server:
        process = start(server, folder, count, concurrency)
        process.join()
        assert process.exitcode == 0
        assert len(server.seen) == count
        return server.seen[-1].at - server.seen[0].at, scores(server, folder, count)


def crash(folder: Path, count: int, concurrency: int, after_s: float, expected: list[tuple[str, Any]]) -> Crash:
    """Kill a run `after_s` seconds after its first request, finish it, and say what came of it."""
    with serve(answer) as server:
        process = start(server, folder, count, concurrency)
        while not server.seen and process.is_alive():
            time.sleep(0.002)
        time.sleep(after_s)
        process.kill()
        process.join()
        # What the server was about to answer is paid, though nobody took it.
        while server.in_flight:
            time.sleep(0.01)
        kept = recorded(folder)
        first = len(server.seen)
        process = start(server, folder, count, concurrency)
        process.join()
        assert process.exitcode == 0, process.exitcode
        later = [asked(seen) for seen in server.seen[first:]]
        total = Counter(asked(seen) for seen in server.seen)
        return Crash(
            after_s=after_s,
            kept=len(kept),
            paid_twice=sum(times - 1 for times in total.values()),
            repeated=len(set(kept) & set(later)),
            duplicates=sum(times - 1 for times in Counter(recorded(folder)).values()),
            same_scores=scores(server, folder, count) == expected,
        )


def moments(count: int, whole_s: float, seed: int) -> list[float]:
    """Random moments within a run."""
    draw = random.Random(seed)
    return [draw.uniform(0, whole_s) for _ in range(count)]
