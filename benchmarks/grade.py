"""How many responses a second `grade` scores on one core, beside reading the same JSON lines alone.

usage: python benchmarks/grade.py [--responses N]

Answers carry a set, a number and a verdict; every response differs, so nothing is answered from memory. Start-up and
the reading of the items are not counted.
"""

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchpress.grading import grade_stream, load_items, score_line
from benchpress.items import Item, Part
from benchpress.jsonl import atomic_write, read_responses
from figures import figure

TARGETS = {"short": 20_000, "4 kB of prose": 8_000}
NAMES = ["Age", "Dose", "Region", "Blood Pressure", "Heart_Rate", "Income", "Exposure", "Outcome"]
SENTENCE = "The path from {} to {} stays closed because {} is a collider on it, and conditioning would open it again. "


def items(count: int) -> list[Item]:
    """Items of three parts, as a generator makes them."""
    draw = random.Random(1)
    return [
        Item(
            f"item-{number}", "bench", "bench", "base", 1, {}, "a question",
            (
                Part("ADJUSTMENT_SET", "node_set", sorted(draw.sample(NAMES, 2)), {"universe": NAMES}),
                Part("ESTIMATE", "number", f"0.{draw.randrange(100, 1000)}", {"tolerance": "0.005"}),
                Part("IDENTIFIABLE", "verdict", draw.choice(["yes", "no"]), {"vocabulary": ["yes", "no"]}),
            ),
        )
        for number in range(count)
    ]  # fmt: skip


def answer(draw: random.Random, prose: int) -> str:
    """One answer, with about `prose` characters of reasoning before it."""
    text = ""
    while len(text) < prose:
        text += SENTENCE.format(*draw.sample(NAMES, 3)) + ("\n\n" if draw.random() < 0.3 else "")
    members = ", ".join(draw.sample(NAMES, draw.randrange(4)))
    return (
        f"{text}\n\nADJUSTMENT_SET: {{{members}}}\nESTIMATE: {draw.randrange(-999, 999) / 1000}\n"
        f"IDENTIFIABLE: {draw.choice(['yes', 'no', 'Yes', 'no.'])}"
    )


def rate(work: Callable[[], int]) -> float:
    """Responses a second of processor time, the best of three runs: other work on the machine does not count."""
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        count = work()
        best = max(best, count / (time.process_time() - start))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--responses", type=int, default=20_000)
    count = parser.parse_args().responses
    with tempfile.TemporaryDirectory() as folder:
        item_path, out_path = Path(folder, "items.jsonl"), Path(folder, "scores.jsonl")
        item_path.write_text("".join(json.dumps(item.to_json()) + "\n" for item in items(count)))
        loaded = load_items(item_path)
        print(f"{'responses':<16}{'ours':>12}{'JSON alone':>14}{'target':>10}   a second")
        for name, prose in (("short", 0), ("4 kB of prose", 4096)):
            draw = random.Random(2)
            path = Path(folder, "responses.jsonl")
            with path.open("w") as file:
                for number in range(count):
                    file.write(json.dumps({"item_id": f"item-{number}", "text": answer(draw, prose)}) + "\n")

            def grade(path: Path = path) -> int:
                graded = 0
                with atomic_write(out_path) as file:
                    for result in grade_stream(loaded, read_responses(path), str(path)):
                        file.write(score_line(result) + "\n")
                        graded += 1
                return graded

            def parse(path: Path = path) -> int:
                with path.open("rb") as file:
                    return sum(1 for line in file if json.loads(line))

            ours, alone = rate(grade), rate(parse)
            print(f"{name:<16}{ours:>12,.0f}{alone:>14,.0f}{TARGETS[name]:>10,}")
            figure("grading", f"{name}, beside the {TARGETS[name]:,} a second wanted", ours / TARGETS[name], 1)
            figure("grading", f"{name}, beside reading the JSON alone", ours / alone)


if __name__ == "__main__":
    main()
