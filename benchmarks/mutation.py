"""Mutation testing of what judges answers and of what admits items: would the tests notice a small fault?

    python benchmarks/mutation.py [--mutants 400] [--seed 1] [--workers 2] [--list] [--only TEXT ...]

Needs mutmut, whose operators make the mutants (pip install mutmut==3.8.1; another release may draw another sample);
`benchmarks/mutants.py` says of which files, and what is left out. The package is copied to a temporary folder, so the
checkout is never touched. The tests run once under coverage.py, which says what lines each of them runs and how long it
takes. Then every mutant of the sample meets the tests that run its lines, the fast ones first, up to the first that
fails; a mutant at a place that runs on import meets the tests of the files that use it. A mutant that needs far more
processor time than these tests did counts as killed. Tests whose expected seconds add up to more than `--budget` are
left out, so what is said to be killed is a lower bound.

Each mutant has a process of its own, forked from this one, which has loaded pytest and the libraries but never our
package. Results are kept in the temporary folder by what they rest on (sources and tests), so a run that was
interrupted goes on where it was. Survivors are listed; the exit code is 1 where fewer than 85 % are killed.
"""

import argparse
import hashlib
import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

if find_spec("mutmut") is None or find_spec("coverage") is None:
    print("error: this needs mutmut, which is not installed: pip install mutmut==3.8.1", file=sys.stderr)
    sys.exit(2)

import pytest
from figures import figure
from mutants import EXCLUDED, SIDES, Mutant, drawn, files
from mutation_tests import PACKAGE, ROOT, Choice, Chosen, forked, importers, mapped, prepared, run_pytest

WANTED = 0.85
KILLED, SURVIVED, LATE = "killed", "survived", "timed out"


@dataclass(slots=True)
class Running:
    """A mutant under test."""

    mutant: Mutant
    slot: int
    until: float


class Trial:
    """Mutants under test, as many at a time as there are workers."""

    def __init__(self, base: Path, workers: int, choice: Choice) -> None:
        self.base, self.choice = base, choice
        self.free = list(range(workers))
        self.running: dict[int, Running] = {}

    def start(self, mutant: Mutant) -> None:
        slot = self.free.pop()
        folder = self.base / f"worker{slot}"
        place = folder / "benchpress" / mutant.path
        place.write_text(mutant.text, encoding="utf-8")
        tests = self.choice.of(mutant)
        expected = self.choice.seconds(tests)
        limit = int(20 + 5 * expected)

        def work() -> int:
            sys.dont_write_bytecode = True
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
            places = dict.fromkeys(str(ROOT / test.partition("::")[0]) for test in tests)
            return run_pytest(["-x", *places], Chosen(tests)) if tests else 0

        self.running[forked(work, folder)] = Running(mutant, slot, time.monotonic() + 10 * limit)

    def finished(self) -> Iterator[tuple[Mutant, str]]:
        """Those that are done by now."""
        for child, one in list(self.running.items()):
            done, status = os.waitpid(child, os.WNOHANG)
            if not done and time.monotonic() < one.until:
                continue
            self.end(child)
            code = os.waitstatus_to_exitcode(status if done else os.waitpid(child, 0)[1])
            late = not done or code in (-signal.SIGXCPU, -signal.SIGKILL)
            if code == pytest.ExitCode.NO_TESTS_COLLECTED:
                raise SystemExit(f"{one.mutant}: no test of the map was found; the tests changed under the run")
            yield one.mutant, LATE if late else SURVIVED if code == 0 else KILLED

    def end(self, child: int) -> None:
        """What is left of a child and of what it started; its copy of the file is put back."""
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        one = self.running.pop(child)
        place = Path("benchpress") / one.mutant.path
        (self.base / f"worker{one.slot}" / place).write_bytes((self.base / "original" / place).read_bytes())
        self.free.append(one.slot)


def told(results: Mapping[Mutant, str]) -> float:
    """Print the table and the survivors; the share that was killed."""
    for side in SIDES:
        counts = Counter(result for mutant, result in results.items() if mutant.side == side)
        total = sum(counts.values())
        dead = counts[KILLED] + counts[LATE]
        print(
            f"{side:<14}{total:>5} mutants, {dead} killed (of these {counts[LATE]} timed out), "
            f"{counts[SURVIVED]} survived: {dead / max(total, 1):.1%}"
        )
    alive = sorted((mutant for mutant, result in results.items() if result == SURVIVED), key=str)
    share = 1 - len(alive) / max(len(results), 1)
    print(f"{'together':<14}{len(results):>5} mutants, {len(results) - len(alive)} killed: {share:.1%}")
    print("survivors:" if alive else "no survivors", *alive, sep="\n  ")
    return share


def tried(trial: Trial, sample: Sequence[Mutant], journal: Path) -> Iterator[tuple[Mutant, str]]:
    """Every mutant with its result, from the journal of an earlier run where it has it; progress is printed."""
    known = dict(json.loads(line) for line in journal.read_text("utf-8").splitlines()) if journal.is_file() else {}
    yield from ((mutant, known[name]) for mutant in sample if (name := key(mutant)) in known)
    waiting = [mutant for mutant in sample if key(mutant) not in known]
    start, shown, counts, total = time.monotonic(), 0.0, Counter[str](), len(waiting)
    try:
        with journal.open("a", encoding="utf-8") as file:
            while waiting or trial.running:
                while waiting and trial.free:
                    trial.start(waiting.pop(0))
                for mutant, result in trial.finished():
                    file.write(json.dumps([key(mutant), result]) + "\n")
                    file.flush()
                    counts[result] += 1
                    yield mutant, result
                    if result == SURVIVED:
                        print(f"survived  {mutant}", flush=True)
                done, taken = counts.total(), time.monotonic() - start
                if done and taken - shown > 20:
                    left, shown = taken / done * (total - done) / 60, taken
                    print(f"{done}/{total}: {dict(counts)}, about {left:.0f} min left", flush=True)
                time.sleep(0.02)
    finally:
        for child in list(trial.running):
            trial.end(child)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--budget", type=float, default=60, help="most processor seconds of tests for a mutant")
    parser.add_argument("--list", action="store_true", help="only print the sample and what is left out of it")
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="of the sample, only mutants whose line has a TEXT")
    arguments = parser.parse_args()
    sample, possible = drawn(PACKAGE, arguments.mutants, arguments.seed)
    if arguments.only:
        sample = [mutant for mutant in sample if any(text in str(mutant) for text in arguments.only)]
    print(f"{len(sample)} of {possible} possible mutants in {len(files(PACKAGE))} files, seed {arguments.seed}")
    if arguments.list:
        print(*sample, *(f"left out: {kind}: {why}" for kind, why in EXCLUDED.items()), sep="\n")
        return 0
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        os.environ[name] = "1"
    start, results = time.monotonic(), dict[Mutant, str]()
    begun: dict[str, tuple[Path, int]] = {}
    try:
        for side in SIDES:
            begun[side] = prepared(side, arguments.workers)
        for side, (base, child) in begun.items():
            if child:
                os.waitpid(child, 0)
            seen = mapped(base)
            unfit = len(set(seen.unfit))
            print(f"{side}: {len(seen.seconds)} tests take {sum(seen.seconds.values()):.0f} s, without the {unfit} "
                  "that do not pass without a mutant", flush=True)  # fmt: skip
            trial = Trial(base, arguments.workers, Choice(seen, importers(PACKAGE), arguments.budget))
            mine = [mutant for mutant in sample if mutant.side == side]
            for mutant, result in tried(trial, mine, base / f"results-{arguments.budget:g}.jsonl"):
                results[mutant] = result
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here")
        for _, child in begun.values():
            if child:
                with suppress(ProcessLookupError):
                    os.killpg(child, signal.SIGKILL)
    share = told(results)
    print(f"{time.monotonic() - start:.0f} s")
    if len(results) == arguments.mutants:
        figure("quality", "mutants killed, of the share wanted", share / WANTED, 1)
    return int(share < WANTED)


def key(mutant: Mutant) -> str:
    """The name of a result."""
    return hashlib.sha256(f"{mutant.path}|{mutant.text}".encode()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
