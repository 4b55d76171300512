"""Every benchmark in its short form, and one table of their ratios beside the last recorded ones.

python benchmarks/table.py [--only ROOM ...] [--record]

A ratio is to a peer, or to a limit, measured in the same run, so that tables of two machines can be compared. A figure
that fell short of what is wanted, or lost a quarter against the record, is marked. `--record` keeps the ratios in
benchmarks/recorded.json.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from figures import MOST

HERE = Path(__file__).parent
RECORD = HERE / "recorded.json"
SCRIPTS: dict[str, list[str]] = {
    "start-up": ["startup.py"],
    "generation": ["generate.py", "--items", "2", "--pairs", "440", "--stream", "1000"],
    "verification": ["verify.py"],
    "grading": ["grade.py", "--responses", "10000"],
    "replay": ["replay.py", "--only", "scoring"],
    "statistics": ["stats.py", "--skip-calibration"],
    "journal": ["journal.py", "--records", "30000"],
    "runner": ["runner.py", "--calls", "500", "--flat", "100", "2000", "--repeats", "2", "--inspect", sys.executable],
    "choice": ["choice.py", "--questions", "5000"],
    "site": ["site.py"],
}
SLACK = 0.25


def run(room: str, figures: Path) -> None:
    """Run one script, its own output going to standard error."""
    script, *words = SCRIPTS[room]
    start = time.perf_counter()
    print(f"== {room}: {script} {' '.join(words)}", file=sys.stderr, flush=True)
    done = subprocess.run(
        [sys.executable, HERE / script, *words],
        env={**os.environ, "BENCHPRESS_FIGURES": str(figures)},
        stdout=sys.stderr,
        check=False,
    )
    print(f"== {time.perf_counter() - start:.0f} s\n", file=sys.stderr, flush=True)
    if done.returncode:
        raise SystemExit(f"{script} failed with exit code {done.returncode}")


def verdict(found: dict[str, Any], before: float | None) -> str:
    """What is wrong with a figure, in a word or two."""
    ratio, wanted, most = found["ratio"], found["wanted"], found["sense"] == MOST
    words = []
    if wanted is not None and (ratio > wanted if most else ratio < wanted):
        words.append("short of it")
    if before and (ratio > before * (1 + SLACK) if most else ratio < before * (1 - SLACK)):
        words.append("worse than before")
    return ", ".join(words)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", nargs="*", choices=list(SCRIPTS), default=list(SCRIPTS))
    parser.add_argument("--record", action="store_true", help="keep the ratios for later comparison")
    options = parser.parse_args()
    recorded: dict[str, float] = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.jsonl"
        for room in options.only:
            run(room, figures)
        rows = [json.loads(line) for line in figures.read_text().splitlines()]
    width = max(len(row["name"]) for row in rows)
    print(f"{'':<13}{'':<{width}}{'ratio':>9}{'wanted':>16}{'recorded':>10}")
    for row in rows:
        key = f"{row['room']}: {row['name']}"
        before = recorded.get(key)
        wanted = "" if row["wanted"] is None else f"{row['sense']} {row['wanted']:g}"
        earlier = "" if before is None else f"{before:,.2f}"
        told = f"{row['room']:<13}{row['name']:<{width}}{row['ratio']:>9,.2f}{wanted:>16}{earlier:>10}"
        print(f"{told}  {verdict(row, before)}".rstrip())
        recorded[key] = row["ratio"]
    if options.record:
        RECORD.write_text(json.dumps(recorded, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
