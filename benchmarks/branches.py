"""Coverage of branches in the seams: python benchmarks/branches.py [ROOM ...] [--workers 2] [--floor 90]

Runs the tests of the seams under coverage.py, processes that they start included, and prints for each file what share
of its branches was taken and which were not. Exits with 1 where a room stays below the floor. Needs coverage (pip
install coverage); takes many minutes, so it is no part of `make test`.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FLOOR = 90.0
"""Per cent of the branches of a room."""

APART = (
    "tests/vault/test_journal_writing.py::test_a_file_size_limit_stops_the_writer_with_one_line_and_keeps_the_rest",
)
"""A limit on the size of files would stop the measurement itself."""

GENERATOR, EVALUATOR = "generator/src/benchpress", "evaluator/src/benchpress_evaluator"


@dataclass(frozen=True)
class Room:
    """Files that others build on, and the tests that say how they behave."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS = {
    "vocabulary": Room(
        tuple(f"{GENERATOR}/{name}.py" for name in ("items", "registry", "streams", "canonical", "jsonl", "grading")),
        (
            *("tests/parts/test_grading.py", "tests/generator/test_streams.py", "tests/generator/test_contributing.py"),
            "tests/cli/test_errors.py",
        ),
    ),
    "publication": Room(
        tuple(f"{GENERATOR}/publication/{name}.py" for name in ("base", "check", "text", "__init__")),
        ("tests/metrics/test_check_publication.py", "tests/metrics/test_export.py"),
    ),
    "answers": Room(
        (
            f"{GENERATOR}/protocol.py",
            f"{GENERATOR}/status.py",
            *(f"{GENERATOR}/parts/{name}.py" for name in ("labelled", "params", "document")),
        ),
        tuple(f"tests/parts/test_{name}.py" for name in ("protocol", "status", "grading", "tagged", "contract")),
    ),
    "runs": Room(
        tuple(
            f"{EVALUATOR}/{name}.py"
            for name in (
                *("records", "runner", "calling", "schedule", "scoring", "replay", "plan"),
                *("methods/base", "providers/base", "providers/fitting"),
            )
        ),
        (
            *(
                f"tests/runner/test_{name}.py"
                for name in (
                    *("run", "schedule", "scoring", "costs", "crash", "choice_methods", "option_scores"),
                    *("grid_run", "grid_resume", "grid_faults"),
                )
            ),
            *(f"tests/providers/test_{name}.py" for name in ("wire", "details", "batches")),
            "tests/fuzz/test_fuzz_targets.py",
        ),
    ),
    "storage": Room(
        tuple(f"{EVALUATOR}/{name}.py" for name in ("storage", "journal/codec", "journal/segment", "journal/journal")),
        (
            *(f"tests/vault/test_{name}.py" for name in ("journal_vectors", "journal_writing", "register")),
            *("tests/vault/test_storage_folder.py", "tests/vault/test_storage_s3.py"),
        ),
    ),
    "site": Room(
        ("site/src/benchpress_site/data.py", "site/src/benchpress_site/formats.py"),
        ("tests/site/test_site_data.py", "tests/site/test_site_build.py", "tests/site/test_site_board.py"),
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).split(":", 1)[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}; all where none is named")
    parser.add_argument("--workers", default="2", help="processes that pytest runs tests in")
    parser.add_argument("--floor", type=float, default=FLOOR, help="per cent of a room's branches")
    options = parser.parse_args()
    if unknown := [name for name in options.rooms if name not in ROOMS]:
        parser.error(f"no room {unknown[0]!r}")
    if importlib.util.find_spec("coverage") is None:
        print("error: this needs coverage, which is not installed: pip install coverage", file=sys.stderr)
        return 2
    chosen = {name: ROOMS[name] for name in options.rooms or ROOMS}
    with tempfile.TemporaryDirectory() as folder:
        found = measured(list(chosen.values()), Path(folder), options.workers)
    return told(chosen, found, options.floor)


def measured(rooms: list[Room], folder: Path, workers: str) -> dict[str, Any]:
    """What coverage.py says of each file of `rooms` after their tests."""
    files = sorted({file for room in rooms for file in room.files})
    tests = sorted({test for room in rooms for test in room.tests})
    settings = folder / "coverage.ini"
    include = "\n    ".join(str(ROOT / file) for file in files)
    settings.write_text(
        "[run]\nbranch = true\nparallel = true\npatch =\n    subprocess\n    _exit\nsigterm = true\n"
        f"data_file = {folder}/data\ninclude =\n    {include}\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "coverage"]
    environment = {**os.environ, "COVERAGE_RCFILE": str(settings)}
    run = [*command, "run", "-m", "pytest", "-q", "-n", workers, *(f"--deselect={name}" for name in APART), *tests]
    done = subprocess.run(run, cwd=ROOT, env=environment, check=False)
    if done.returncode:
        print("note: some tests failed; what they would have reached may be missing", file=sys.stderr)
    subprocess.run([*command, "combine", "-q"], cwd=ROOT, env=environment, check=True)
    report = folder / "report.json"
    subprocess.run([*command, "json", "-q", "-o", str(report)], cwd=ROOT, env=environment, check=True)
    value = json.loads(report.read_text(encoding="utf-8"))
    return {str(Path(ROOT, name).relative_to(ROOT)): one for name, one in value["files"].items()}


def told(rooms: dict[str, Room], found: dict[str, Any], floor: float) -> int:
    """Print the table. Returns 1 where a room is below the floor."""
    below = 0
    for name, room in rooms.items():
        taken = total = 0
        for file in room.files:
            one = found.get(file)
            if one is None:
                print(f"  {file:60} never imported")
                below += 1
                continue
            summary = one["summary"]
            taken += summary["covered_branches"]
            total += summary["num_branches"]
            missing = ", ".join(f"{start}->{'exit' if end < 0 else end}" for start, end in one["missing_branches"])
            share = f"{summary['covered_branches']:>4} of {summary['num_branches']:>4}"
            print(f"  {file:60} {share}  {missing or '-'}")
        reached = 100 * taken / total if total else 100.0
        below += reached < floor
        print(f"{name}: {reached:.1f} % of {total} branches{'' if reached >= floor else f', below {floor:g} %'}\n")
    return int(below > 0)


if __name__ == "__main__":
    sys.exit(main())
