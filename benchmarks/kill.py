"""Kill a run of 200 items at concurrency 16 at 50 random moments, resume each, and compare with an undisturbed run.

python benchmarks/kill.py [--kills 50] [--items 200] [--concurrency 16] [--seed 1]
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "runner"))

import crash


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        whole_s, expected = crash.undisturbed(Path(folder, "whole"), options.items, options.concurrency)
        print(f"undisturbed: {options.items} items in {whole_s:.2f} s")
        found = []
        for number, after_s in enumerate(crash.moments(options.kills, whole_s, options.seed)):
            one = crash.crash(Path(folder, str(number)), options.items, options.concurrency, after_s, expected)
            found.append(one)
            print(
                f"killed after {one.after_s:.2f} s with {one.kept} answers kept: paid twice {one.paid_twice}",
                flush=True,
            )
    repeated = sum(one.repeated for one in found)
    duplicates = sum(one.duplicates for one in found)
    most = max(one.paid_twice for one in found)
    differing = sum(not one.same_scores for one in found)
    print(
        f"{len(found)} kills, answers kept {min(one.kept for one in found)} to {max(one.kept for one in found)}: "
        f"completed calls repeated {repeated}, items with two records {duplicates}, "
        f"most calls paid twice {most} of {options.concurrency} in flight, runs with other scores {differing}"
    )
    return int(bool(repeated or duplicates or differing or most > options.concurrency))


if __name__ == "__main__":
    sys.exit(main())
