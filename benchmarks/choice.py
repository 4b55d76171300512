"""Scoring 20,000 multiple-choice questions with ten options offline: time and memory from journal to figures.

usage: python benchmarks/choice.py [--questions N] [--options N] [--method M ...]

Each method is a process of its own. `score` reads the journal in clear, reads every answer and scores it; `figures` are
all statistics of the choice track with 10,000 resamples. Answers are made up: a model that favours A. Times are of the
processor, so that other work on the machine does not count.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from string import ascii_uppercase

from benchpress.items import Item
from benchpress.modules.choice.prompts import V1
from benchpress.modules.choice.question import Question
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.records import Call, Completion, Message, Request
from benchpress_evaluator.replay import Condition
from benchpress_evaluator.scoring import score
from benchpress_evaluator.stats import METRICS
from benchpress_evaluator.stats.frame import results_frame
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.storage import open_storage
from figures import MOST, figure

METHODS = ("direct", "cyclic_permutation", "cyclic_logprob")
FIGURES = ("order_bias",)
VERSION = "choice-speed"


def questions(count: int, options: int) -> list[Item]:
    draw = random.Random(1)
    return [
        Question.build(
            "speed",
            "sums",
            f"What is {number} plus {number % 97}, and which of these says so?",
            [f"It is {2 * number + offset}." for offset in draw.sample(range(200), options)],
            draw.randrange(options),
        ).item()
        for number in range(count)
    ]


def completion(draw: random.Random, letters: str, scored: bool) -> Completion:
    pick = letters[min(draw.randrange(len(letters)), draw.randrange(len(letters)))]
    known = {"input_tokens": 120, "output_tokens": 6, "latency_s": 0.5, "native_config": {"temperature": 0}}
    if scored:
        return Completion(None, option_scores={letter: -draw.expovariate(0.5) for letter in letters}, **known)
    return Completion(f"The answer is {pick}.", "stop", **known)


def calls(items: list[Item], condition: Condition) -> Iterator[Call]:
    """What a run would have recorded."""
    draw, method = random.Random(2), condition.method.name
    for item in items:
        question = Question.of(item)
        letters = question.letters
        turns = [question] if method == "direct" else [question.rotated(k) for k in range(len(letters))]
        for k, printed in enumerate(turns):
            message = Message("user", V1.direct_prompt(printed.stem, printed.texts, printed.subject))
            labels = tuple(letters) if method == "cyclic_logprob" else ()
            step = "answer" if method == "direct" else f"rotation/{k}"
            key = condition.key(item.id, step, Request((message,), None, labels))
            yield Call(key, completion(draw, letters, bool(labels)), "2026-01-01T00:00:00Z")


def measure(method: str, count: int, options: int) -> None:
    items = questions(count, options)
    entrant = Entrant.model_validate({"id": "made-up", "provider": "dummy", "model": "made-up"})
    choice = MethodChoice(method)
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.open(open_storage(folder), "journal", None)
        writer, made = journal.writer(), 0
        for call in calls(items, Condition(VERSION, entrant, choice)):
            writer.append(call.to_json())
            made += 1
        writer.close()
        began = time.process_time()
        frame = results_frame(score(items, journal.records(), VERSION, [entrant], [choice]))
        scored = time.process_time()
        for name in FIGURES:
            METRICS.get(name)(frame, Settings())
        ended = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    # The limit is for 20,000 questions; both steps are linear in the questions.
    allowed = 10 * count / 20_000
    figure("choice", f"{method}: scoring offline, of 10 s for 20,000 questions", (ended - began) / allowed, 1, MOST)
    figure("choice", f"{method}: peak memory, of 1,024 MB", peak / 1024, 1, MOST)
    print(
        f"{method:20} {count:,} questions x {options} options, {made:,} calls: score {scored - began:.1f} s, "
        f"figures {ended - scored:.1f} s, peak {peak:,.0f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--options", type=int, default=10, choices=range(2, len(ascii_uppercase) + 1))
    parser.add_argument("--method", action="append", choices=METHODS)
    given = parser.parse_args()
    if given.method and len(given.method) == 1:
        measure(given.method[0], given.questions, given.options)
        return
    for method in given.method or METHODS:
        size = ["--questions", str(given.questions), "--options", str(given.options)]
        subprocess.run([sys.executable, __file__, "--method", method, *size], check=True)


if __name__ == "__main__":
    main()
