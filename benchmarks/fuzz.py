"""Fuzz the parsers of outside input, guided by coverage: python benchmarks/fuzz.py [TARGET ...] [--seconds 60]

Needs atheris (pip install atheris). The targets are those of tests/fuzz; `make test` runs them over seeds and a fixed
set of bent inputs, without guidance. Each target runs in a process of its own and ends at its first new fault. What
breaks a contract is kept under build/fuzz, with the command that shows it again; so are the inputs that reached new
branches.

  --list            name the targets and say what each reads
  --show TARGET FILE  read one file as a target does and print the fault
"""

import argparse
import importlib.util
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FUZZ = ROOT / "tests" / "fuzz"
KEPT = ROOT / "build" / "fuzz"
PACKAGES = ["benchpress", "benchpress_evaluator", "benchpress_site"]
STEP = re.compile(r"#(\d+)\s+(\w+)\s+cov: (\d+) ft: \d+ corp: (\d+)")
SLOWEST = 60
"""Seconds after which one input is taken to hang."""


def main() -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).split(":", 1)[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all of them where none is named")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--show", nargs=2, metavar=("TARGET", "FILE"))
    parser.add_argument("--one", nargs=2, metavar=("TARGET", "SECONDS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path[:0] = [str(FUZZ), str(ROOT / "tests"), str(ROOT / "tests" / "providers")]
    if options.one:
        return one(options.one[0], int(options.one[1]))
    from fuzz_targets import TARGETS
    from fuzzing import fault_of

    unknown = [name for name in [*options.targets, *(options.show or ())[:1]] if name not in TARGETS]
    if unknown:
        print(f"error: no target {unknown[0]!r}; --list names them", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(f"{name:18} {target.about}" for name, target in TARGETS.items()))
        return 0
    if options.show:
        found = fault_of(TARGETS[options.show[0]], Path(options.show[1]).read_bytes())
        print(found or "no fault")
        return int(found is not None)
    if importlib.util.find_spec("atheris") is None:
        print("error: this needs atheris, which is not installed: pip install atheris", file=sys.stderr)
        return 2
    return all_of(options.targets or list(TARGETS), options.seconds)


def all_of(names: list[str], seconds: int) -> int:
    """Run each target and print a line about it. Returns 1 where one found a fault."""
    print(f"{'target':18} {'executions':>10} {'a second':>9} {'branches':>9} {'new':>6} {'kept':>6}  fault")
    faults = 0
    for name in names:
        command = [sys.executable, __file__, "--one", name, str(seconds)]
        began = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        spent = time.monotonic() - began
        steps = [match.groups() for match in STEP.finditer(done.stderr)]
        first = next((int(reached) for _, what, reached, _ in steps if what == "INITED"), 0)
        count, _, last, corpus = steps[-1] if steps else ("0", "", "0", "0")
        total = re.findall(r"^stat::number_of_executed_units:\s*(\d+)", done.stderr, re.MULTILINE)
        executed = int(total[-1] if total else count)
        told = re.findall(r"^fault: (.*)", done.stdout, re.MULTILINE)
        said = (
            told[-1] if told else "" if done.returncode == 0 else f"ended with {done.returncode}: {_last(done.stderr)}"
        )
        figures = f"{executed:>10,} {executed / spent:>9,.0f} {last:>9} {int(last) - first:>6} {corpus:>6}"
        print(f"{name:18} {figures}  {said or '-'}", flush=True)
        if said:
            faults += 1
            for path in sorted(KEPT.glob(f"{name}/fault-*")):
                print(f"    python benchmarks/fuzz.py --show {name} {path.relative_to(ROOT)}", flush=True)
    return int(faults > 0)


def _last(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no message"


def one(name: str, seconds: int) -> int:
    """Fuzz one target in this process, which libFuzzer ends."""
    import atheris

    with atheris.instrument_imports(include=PACKAGES):
        from fuzz_targets import TARGETS
        from fuzzing import Fault, fault_of, mutated

        target = TARGETS[name]
        home = KEPT / name
        corpus = home / "corpus"
        corpus.mkdir(parents=True, exist_ok=True)
        for old in home.glob("fault-*"):
            old.unlink()
        for number, seed in enumerate(target.seeds()):
            (corpus / f"seed-{number}").write_bytes(seed)
            fault_of(target, seed)  # what it imports is instrumented as well

    def read(data: bytes) -> None:
        found = fault_of(target, data)
        if found is not None:
            keep(found)

    def keep(found: Fault) -> None:
        (home / f"fault-{found.kind}-{re.sub(r'[^a-zA-Z_.]', '', found.where)}").write_bytes(found.data)
        print(f"fault: {found}"[:300].replace("\n", " "), flush=True)
        raise AssertionError(str(found))

    def bend(data: bytes, most: int, seed: int) -> bytes:
        draw = random.Random(seed)
        if draw.random() < 0.5:
            return bytes(atheris.Mutate(data, most))
        return mutated(data, draw, target.words)[:most]

    artifacts = home / "artifacts"
    shutil.rmtree(artifacts, ignore_errors=True)
    artifacts.mkdir()
    limits = [f"-max_total_time={seconds}", f"-timeout={SLOWEST}", "-max_len=65536", "-rss_limit_mb=4096", "-seed=1"]
    arguments: list[Any] = [sys.argv[0], *limits, f"-artifact_prefix={artifacts}/", "-print_final_stats=1", str(corpus)]
    atheris.Setup(arguments, read, custom_mutator=bend)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
