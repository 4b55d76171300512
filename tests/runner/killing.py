"""Kill a grid in a process of its own at random moments, resume it, and see what it comes to."""

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

MODELS = {
    "dummy": "  - {id: dummy, provider: dummy, model: always-a}",
    "local": "  - {id: smollm2, provider: local, model: smollm2-135m-instruct, params: {max_tokens: 16, slots: 1}}",
}
GRID = """
models:
{models}
benchmarks: [{{name: toy, n_samples: {questions}}}]
methods:
  - name: direct
  - name: cyclic_permutation
  - name: two_stage
  - name: cyclic_logprob
  - {{name: pride, params: {{alpha: 0.5}}}}
run: {{seed: 42}}
"""
LIMIT_S = 1800


@dataclass(frozen=True)
class Outcome:
    """What a grid that was killed and resumed came to."""

    killed_at: tuple[int, ...]
    """Calls in the journal at each kill."""
    results: dict[str, bytes]
    seconds: float


def write_grid(folder: Path, questions: int, models: list[str]) -> None:
    chosen = "\n".join(MODELS[name] for name in models)
    (folder / "grid.yaml").write_text(GRID.format(models=chosen, questions=questions))


def start(folder: Path, run_id: str) -> subprocess.Popen[bytes]:
    program = str(Path(sys.executable).with_name("benchpress"))
    words = [program, "run", "--config", str(folder / "grid.yaml"), "--run-id", run_id, "--yes"]
    environment = {**os.environ, "BENCHPRESS_HOME": str(folder)}
    with (folder / f"{run_id}.log").open("ab") as log:
        return subprocess.Popen(words, env=environment, cwd=folder, stdout=log, stderr=log)


def finish(folder: Path, run_id: str) -> float:
    """Run to the end; returns the seconds it took."""
    began = time.monotonic()
    code = start(folder, run_id).wait(LIMIT_S)
    if code != 0:
        raise RuntimeError(f"the run ended with {code}: {(folder / f'{run_id}.log').read_text()[-2000:]}")
    return time.monotonic() - began


def calls(folder: Path, run_id: str) -> int:
    """Records in the journal, seen from outside."""
    segments = (folder / "runs" / run_id / "journal").glob("*.jsonl")
    return sum(path.read_bytes().count(b'"kind":"R"') for path in segments)


def results(folder: Path, run_id: str) -> dict[str, bytes]:
    """Every result file of a run by name."""
    place = folder / "runs" / run_id
    files = [place / "results.jsonl", place / "results.csv", *sorted((place / "results").iterdir())]
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in files}


def killed(folder: Path, run_id: str, whole: int, kills: int, draw: random.Random) -> Outcome:
    """Kill the run at `kills` random moments of its `whole` calls, resuming after each, and let it end."""
    began, at = time.monotonic(), []
    for moment in sorted(draw.sample(range(1, whole + 1), kills)):
        process = start(folder, run_id)
        try:
            while calls(folder, run_id) < moment and process.poll() is None:
                time.sleep(0.005)
            time.sleep(draw.random() * 0.05)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        at.append(calls(folder, run_id))
    finish(folder, run_id)
    return Outcome(tuple(at), results(folder, run_id), time.monotonic() - began)
