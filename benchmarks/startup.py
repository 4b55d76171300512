"""Start-up time of the program beside a bare interpreter and `inspect --help`, each the best of several in turn.

python benchmarks/startup.py [--repeats 7]
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

from figures import MOST, figure

BIN = Path(sys.executable).parent
PROGRAMS = {
    "bare interpreter": [sys.executable, "-c", ""],
    "benchpress --help": [BIN / "benchpress", "--help"],
    "benchpress modules": [BIN / "benchpress", "modules"],
    "inspect --help": [BIN / "inspect", "--help"],
}


def seconds(command: list[object]) -> float:
    start = time.perf_counter()
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    repeats = parser.parse_args().repeats
    there = {name: command for name, command in PROGRAMS.items() if Path(command[0]).exists()}
    best = dict.fromkeys(there, float("inf"))
    for _ in range(repeats):
        for name, command in there.items():
            best[name] = min(best[name], seconds(command))
    for name, taken in best.items():
        print(f"{name:<20}{taken:>8.3f} s")
    bare, ours = best["bare interpreter"], best["benchpress --help"]
    print(f"benchpress --help takes {ours - bare:.3f} s more than a bare interpreter")
    figure("start-up", "seconds of --help beyond a bare interpreter, of the .3 allowed", (ours - bare) / 0.3, 1, MOST)
    if "inspect --help" in best:
        print(f"and inspect --help {best['inspect --help'] / ours:.1f} times as long as ours")
        figure("start-up", "inspect --help beside ours", best["inspect --help"] / ours, 5)


if __name__ == "__main__":
    main()
