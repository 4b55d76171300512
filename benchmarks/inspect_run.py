"""Inspect AI and our own run and score give the same verdicts: a real model's answers, and 200 stored responses.

    python benchmarks/inspect_run.py [--items 30] [--tokens 64] [--responses 200] [--keep FOLDER]

The items are the public ones with the shortest prompts. First a small local model (one slot, no prompt cache,
temperature 0) answers them twice: `inspect_ai.eval` of the task `benchpress/causal`, and `benchpress run` and
`benchpress score`. Then responses that are right, wrong, half, hedged, refused, cut off, failed or empty are scored by
the task's scorer and by `benchpress grade`. Every status, verdict and part is compared; exits with 1 on a difference.
Needs the package inspect-ai and the engine for local models.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchpress.items import Item
from benchpress.jsonl import read_items, write_lines
from benchpress.protocol import render_answer
from figures import figure

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = ROOT / "public_examples" / "versions" / "causal-public-v1.jsonl"
BENCHPRESS = Path(sys.executable).with_name("benchpress")

Verdicts = dict[str, tuple[str, bool, tuple[tuple[str, bool], ...]]]
"""Item id -> status, whether the item is right, and each part's id with whether it is right."""

LIVE = """
from benchpress.adapters.inspect_tasks import causal
from inspect_ai import eval as evaluate

(log,) = evaluate(causal(items="items.jsonl"), model="openai-api/llama/local", temperature=0, max_tokens=TOKENS,
                  max_connections=1, log_dir="logs", display="none")
"""

STORED = """
import json
from benchpress.adapters.inspect_tasks import causal
from inspect_ai import eval as evaluate, task_with
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver

told = {one["item_id"]: one for one in map(json.loads, open("responses.jsonl"))}

@solver
def stored():
    async def solve(state, generate):
        one = told[state.sample_id]
        if one["text"] is None:
            state.output = ModelOutput(error=one.get("error"))
        else:
            state.output = ModelOutput.from_content("stored", one["text"], one["stop_reason"], one.get("error"))
        return state
    return solve

(log,) = evaluate(task_with(causal(items="items.jsonl"), solver=stored()), model="mockllm/model", log_dir="logs",
                  display="none")
"""

TELL = """
assert log.status == "success", log.error
for sample in log.samples:
    (score,) = sample.scores.values()
    print("VERDICT", json.dumps([sample.id, score.metadata["status"], score.value == "C", score.metadata["parts"]]))
"""


def call(*words: object, cwd: Path, **more: str) -> str:
    environment = {**os.environ, "BENCHPRESS_HOME": str(cwd), **more}
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, cwd=cwd, env=environment, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words[:3]))} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


@contextmanager
def model() -> Iterator[str]:
    """The address of the small model, with one slot, so that an answer depends on its question alone."""
    from benchpress_evaluator.providers.base import Settings
    from benchpress_evaluator.providers.local import Local

    provider = Local(Settings("llama", "smollm2-135m-instruct", {"context": 2048, "slots": 1}))
    asyncio.run(provider.start())
    try:
        yield str(provider._client.base_url).rstrip("/")
    finally:
        if provider._server is not None:
            provider._server.stop()


def by_inspect(script: str, place: Path, **more: str) -> Verdicts:
    told = call(sys.executable, "-c", "import json\n" + script + TELL, cwd=place, **more)
    rows = [json.loads(line.removeprefix("VERDICT ")) for line in told.splitlines() if line.startswith("VERDICT ")]
    return {name: (status, right, tuple(sorted(parts.items()))) for name, status, right, parts in rows}


def by_us(scores: Path) -> Verdicts:
    found: Verdicts = {}
    for line in scores.read_text(encoding="utf-8").splitlines():
        score = json.loads(line)
        parts = tuple(sorted((part["id"], part["correct"]) for part in score["parts"]))
        found[score["item_id"]] = (score["status"], score["correct"], parts)
    return found


def compare(what: str, wanted: int, theirs: Verdicts, ours: Verdicts, seconds: float) -> bool:
    """Print how many agree and what was compared; whether all did."""
    differ = sorted(name for name in theirs.keys() | ours.keys() if theirs.get(name) != ours.get(name))
    for name in differ:
        print(f"  {name}\n    Inspect    {theirs.get(name)}\n    Benchpress {ours.get(name)}")
    statuses = ", ".join(
        f"{count} {status}" for status, count in sorted(Counter(one[0] for one in ours.values()).items())
    )
    parts = [right for _, _, told in ours.values() for _, right in told]
    right = sum(one[1] for one in ours.values())
    print(f"{what}: {len(ours) - len(differ)} of {wanted} the same in {seconds:.0f} s ({statuses}; "
          f"{right} items right, {sum(parts)} of {len(parts)} parts)")  # fmt: skip
    figure("inspect", f"{what}, same verdicts", (len(ours) - len(differ)) / wanted, 1.0)
    return not differ and len(theirs) == len(ours) == wanted


def live(items: list[Item], tokens: int, place: Path) -> bool:
    """A real model, asked by Inspect and by us."""
    write_lines(place / "items.jsonl", (item.to_json() for item in items))
    start = time.perf_counter()
    with model() as address:
        (place / "models.yaml").write_text(
            f"entrants:\n  - {{id: llama, provider: openai_compatible, model: local, base_url: '{address}',"
            f" concurrency: 1, params: {{temperature: 0, max_tokens: {tokens}}}}}\n",
            encoding="utf-8",
        )
        theirs = by_inspect(LIVE.replace("TOKENS", str(tokens)), place, LLAMA_BASE_URL=address, LLAMA_API_KEY="none")
        call(BENCHPRESS, "run", "--items", "items.jsonl", cwd=place)
    call(BENCHPRESS, "score", "--items", "items.jsonl", "--out", "scores.jsonl", cwd=place)
    return compare("a real model", len(items), theirs, by_us(place / "scores.jsonl"), time.perf_counter() - start)


def said(item: Item, kind: int) -> Mapping[str, Any]:
    """One of eleven kinds of response to an item; the last has no text."""
    gold = {part.id: part.gold for part in item.parts}
    lines = render_answer(item.parts, gold).splitlines()
    label = item.parts[0].id
    other = [f"{label}: 123456789 or something else", *lines[1:]]
    texts: list[tuple[str | None, str | None, str | None]] = [
        ("\n".join(lines), "stop", None),
        ("Let me think. At first I had\n" + "\n".join(other) + "\n\nCorrected:\n\n" + "\n".join(lines), "stop", None),
        ("\n".join(other), "stop", None),
        ("\n".join(lines[1:]), "stop", None),
        ("**" + "**\n**".join(line.replace(": ", ":** ") for line in lines), "stop", None),
        ("I'm sorry, but I can't help with that.", "stop", None),
        ("Let me draw the graph. First,", "max_tokens", None),
        ("", "content_filter", None),
        ("<think>\n" + "\n".join(other) + "\n</think>\n" + "\n".join(lines), "stop", None),
        ("It follows from the back-door criterion.", "stop", None),
        (None, None, "the server answered 500"),
    ]
    text, stop, error = texts[kind % len(texts)]
    return {"item_id": item.id, "text": text, "stop_reason": stop, **({"error": error} if error else {})}


def stored(items: list[Item], place: Path) -> bool:
    """Stored responses, scored by the task's scorer and by us."""
    write_lines(place / "items.jsonl", (item.to_json() for item in items))
    write_lines(place / "responses.jsonl", (said(item, kind) for kind, item in enumerate(items)))
    start = time.perf_counter()
    theirs = by_inspect(STORED, place)
    call(BENCHPRESS, "grade", "items.jsonl", "responses.jsonl", "--out", "scores.jsonl", cwd=place)
    return compare("stored responses", len(items), theirs, by_us(place / "scores.jsonl"), time.perf_counter() - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--items", type=int, default=30, help="items for the model; 0 leaves it out")
    parser.add_argument("--tokens", type=int, default=64, help="tokens of an answer")
    parser.add_argument("--responses", type=int, default=200, help="stored responses; 0 leaves them out")
    parser.add_argument("--keep", type=Path, help="keep items, logs and scores in this folder")
    options = parser.parse_args()
    public = sorted(read_items(PUBLIC), key=lambda item: (len(item.prompt), item.id))
    with tempfile.TemporaryDirectory() as folder:
        same = True
        for name, count in (("live", options.items), ("stored", options.responses)):
            if not count:
                continue
            place = (options.keep or Path(folder)) / name
            place.mkdir(parents=True, exist_ok=True)
            chosen = public[:count]
            same &= live(chosen, options.tokens, place) if name == "live" else stored(chosen, place)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
