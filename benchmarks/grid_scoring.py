"""Scoring a large grid offline: 20,000 questions of 10 options, every rotation asked, answers of many forms.

The calls are put into the journal without a model; what is measured is the program: the session that finds nothing left
to ask and writes the rows, the report over them, and the report over answers read anew.

python benchmarks/grid_scoring.py [--questions 20000] [--options 10]
"""

import argparse
import asyncio
import csv
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchpress.items import Item
from benchpress_evaluator.entrants import Entrants
from benchpress_evaluator.grid.config import load_config
from benchpress_evaluator.grid.folder import RunFolder
from benchpress_evaluator.grid.manifest import admit, begin
from benchpress_evaluator.grid.resolve import resolve
from benchpress_evaluator.grid.running import VERSION, journal_of
from benchpress_evaluator.methods import method_of
from benchpress_evaluator.records import Call, Completion, Request
from benchpress_evaluator.replay import Condition

GRID = """
models: [{id: dummy, provider: dummy, model: always-a}]
benchmarks: [{name: large, path: large.csv}]
methods: [{name: cyclic_permutation}]
metrics: [accuracy, mad, recall_rstd, order_sensitivity]
run: {cache_scope: none}
"""
FORMS = (
    "{}",
    "The answer is {}.",
    "**{}**",
    "({})",
    "Answer: {}",
    "I think that {} is right.",
    "\\boxed{{{}}}",
    "No idea.",
)


def write_questions(folder: Path, questions: int, options: int, draw: random.Random) -> None:
    letters = [chr(ord("A") + place) for place in range(options)]
    with (folder / "large.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question", *letters, "answer"])
        for number in range(questions):
            texts = [f"the value {number * options + place}" for place in range(options)]
            writer.writerow([f"Which of these values belongs to question {number}?", *texts, draw.choice(letters)])


async def no_call(item: Item, step: str, request: Request) -> Completion:
    raise RuntimeError(f"nothing is asked beforehand, but {step} of {item.id} was: {request}")


async def fill(folder: RunFolder, path: Path, options: int, draw: random.Random) -> int:
    """Put an answer to every call of the grid into the journal; returns how many."""
    grid = resolve(load_config(path), lambda: Entrants([], "none"), {})
    with folder.only_writer():
        admit(folder, grid, resume=True)
        begin(folder, grid, resumed=False)
        writer, made = journal_of(folder).writer(), 0
        for condition in grid.conditions:
            asked = Condition(VERSION, condition.model.entrant, condition.choice)
            method = method_of(condition.choice)
            prepared = await method.prepare(condition.items, no_call, condition.choice.params)
            for item in condition.items:

                async def ask(step: str, request: Request, name: str = item.id, asked: Condition = asked) -> Completion:
                    nonlocal made
                    made += 1
                    text = draw.choice(FORMS).format(chr(ord("A") + draw.randrange(options)))
                    found = Completion(text, "stop", input_tokens=200, output_tokens=5, latency_s=0.5)
                    writer.append(Call(asked.key(name, step, request), found, "2026-01-01T00:00:00Z").to_json())
                    return found

                await method.answer(item, ask, condition.choice.params, prepared)
        writer.close()
    return made


def measured(folder: Path, *words: str) -> tuple[float, float, float]:
    """Seconds, seconds of processor time and peak gigabytes of one command."""
    environment = {**os.environ, "BENCHPRESS_HOME": str(folder)}
    began = time.monotonic()
    code = (
        "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss); sys.exit(done.returncode)"
    )
    program = str(Path(sys.executable).with_name("benchpress"))
    done = subprocess.run(
        [sys.executable, "-c", code, program, *words],
        env=environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    processor, peak = done.stdout.split()
    return time.monotonic() - began, float(processor), int(peak) / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--options", type=int, default=10)
    options = parser.parse_args()
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["BENCHPRESS_HOME"] = name
        write_questions(folder, options.questions, options.options, draw)
        (folder / "grid.yaml").write_text(GRID)
        began = time.monotonic()
        made = asyncio.run(fill(RunFolder(folder / "runs", "large"), folder / "grid.yaml", options.options, draw))
        print(f"{made} calls put into the journal in {time.monotonic() - began:.1f} s", flush=True)
        for what, words in (
            ("run, nothing left to ask", ("run", "--config", "grid.yaml", "--run-id", "large", "--yes")),
            ("score", ("score", "--run-id", "large")),
            ("score --reparse", ("score", "--run-id", "large", "--reparse")),
        ):
            seconds, processor, peak = measured(folder, *words)
            print(f"{what}: {seconds:.1f} s ({processor:.1f} s of processor), peak {peak:.2f} GB", flush=True)
    print(f"this script: peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")


if __name__ == "__main__":
    main()
