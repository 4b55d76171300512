"""A run in a process of its own, to be killed, interrupted or starved."""

import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "providers"))

from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.plan import Plan
from benchpress_evaluator.runner import run
from benchpress_evaluator.storage import open_storage
from harness import QUICK, VERSION, items


def entrant(url: str, concurrency: int, **changes: Any) -> Entrant:
    return Entrant.model_validate(
        {
            "id": "subject",
            "provider": "openai_compatible",
            "model": "model-1",
            "base_url": f"{url}/v1",
            "concurrency": concurrency,
            **changes,
        }
    )


def journal(folder: Path) -> Journal:
    return Journal.open(open_storage(folder), "journal", None)


def work(url: str, folder: str, count: int, concurrency: int) -> None:
    """Run to the end; exit code 3 where the run was interrupted."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    plan = Plan(VERSION, items(count), [entrant(url, concurrency)], retry=QUICK)
    report = run(plan, journal(Path(folder)), {})
    if report.interrupted:
        sys.exit(3)


if __name__ == "__main__":
    work(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
