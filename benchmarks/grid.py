"""A grid of five methods on the toy set, killed at random moments and resumed, against one that nobody disturbed.

python benchmarks/grid.py [--kills 3] [--questions 10] [--models dummy local] [--seed 10]
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "runner"))

import killing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--questions", type=int, default=10)
    parser.add_argument("--models", nargs="+", choices=sorted(killing.MODELS), default=sorted(killing.MODELS))
    parser.add_argument("--seed", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        killing.write_grid(folder, options.questions, options.models)
        seconds = killing.finish(folder, "whole")
        expected, whole = killing.results(folder, "whole"), killing.calls(folder, "whole")
        rows = expected["results.jsonl"].count(b"\n")
        print(f"undisturbed: {rows} rows from {whole} calls in {seconds:.1f} s", flush=True)
        found = killing.killed(folder, "killed", whole, options.kills, random.Random(options.seed))
        differing = sorted(set(expected) ^ set(found.results))
        differing += [name for name in expected if found.results.get(name, expected[name]) != expected[name]]
        print(f"killed at {', '.join(map(str, found.killed_at))} of {whole} calls, resumed, {found.seconds:.1f} s")
        print(f"{len(expected)} result files, {len(differing)} differ {', '.join(differing)}")
        print(f"calls in the journal of the killed run: {killing.calls(folder, 'killed')}")
        return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
