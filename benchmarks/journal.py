"""Speed and memory of the journal beside SQLite and plain JSON lines, and of opening a sealed version.

    .venv/bin/python benchmarks/journal.py [--records 100000] [--folder DIR] [--json]

Every figure is taken in a process of its own. The limits: 20,000 appends a second without fsync, 100,000 records loaded
in under 5 s with memory that does not grow with their number, a version opened and checked in under 2 s. SQLite
(write-ahead log, one transaction for all) and JSON lines keep the same records in clear, without checks: what safety
costs is the ratio.
"""

import argparse
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from figures import figure

KEY = bytes(range(32))


def records(count: int) -> Iterator[dict[str, Any]]:
    """Calls as a run makes them, with answers of 800 characters."""
    text = "the set {X, Z} blocks every back-door path. " * 18
    for n in range(count):
        item = f"causal-confounding-base-l{n % 10}-{n:012x}"
        yield {
            "call": ["causal-v1", item, "model", "direct", 0, "answer", f"{n:012x}"],
            "completion": {"text": text, "latency_s": 1.25, "output_tokens": 180},
            "at": "2027-01-01T00:00:00Z",
        }


def journal_at(folder: Path, *, sealed: bool) -> Any:
    from benchpress_evaluator.journal import Journal
    from benchpress_evaluator.storage import open_storage

    return Journal.open(open_storage(folder), "v1/journal", KEY if sealed else None)


def write_journal(folder: Path, count: int, *, sealed: bool) -> float:
    writer = journal_at(folder, sealed=sealed).writer()
    made = list(records(count))
    start = time.perf_counter()
    for record in made:
        writer.append(record)
    spent = time.perf_counter() - start
    writer.close()
    return spent


def read_journal(folder: Path, count: int, *, sealed: bool) -> float:
    start = time.perf_counter()
    assert sum(1 for _ in journal_at(folder, sealed=sealed).records()) == count
    return time.perf_counter() - start


def write_sqlite(folder: Path, count: int) -> float:
    made = list(records(count))
    link = sqlite3.connect(folder / "calls.db")
    link.execute("pragma journal_mode=wal")
    link.execute("create table calls (key text, body text)")
    start = time.perf_counter()
    for record in made:
        link.execute("insert into calls values (?, ?)", (json.dumps(record["call"]), json.dumps(record)))
    link.commit()
    return time.perf_counter() - start


def read_sqlite(folder: Path, count: int) -> float:
    link = sqlite3.connect(folder / "calls.db")
    start = time.perf_counter()
    assert sum(1 for row in link.execute("select body from calls") if json.loads(row[0])) == count
    return time.perf_counter() - start


def write_lines(folder: Path, count: int) -> float:
    made = list(records(count))
    start = time.perf_counter()
    with (folder / "calls.jsonl").open("w") as file:
        for record in made:
            file.write(json.dumps(record) + "\n")
    return time.perf_counter() - start


def read_lines(folder: Path, count: int) -> float:
    start = time.perf_counter()
    with (folder / "calls.jsonl").open() as file:
        assert sum(1 for line in file if json.loads(line)) == count
    return time.perf_counter() - start


def write_durably(folder: Path, count: int, *, sealed: bool) -> float:
    """Sixteen tasks, each waiting until its record is durable, as a run does."""
    import asyncio

    writer = journal_at(folder, sealed=sealed).writer()
    made = list(records(count))

    async def task(place: int) -> None:
        for record in made[place::16]:
            await writer.append_durable(record)

    async def main() -> None:
        await asyncio.gather(*map(task, range(16)))

    start = time.perf_counter()
    asyncio.run(main())
    return time.perf_counter() - start


def open_version(folder: Path, count: int) -> float:
    """Open and check a version of `count` items of 8,000 bytes; making it does not count."""
    from benchpress.canonical import canonical_bytes
    from benchpress.commitment import Release
    from benchpress_evaluator.storage import open_storage
    from benchpress_evaluator.vault.age import Keys, Recipient
    from benchpress_evaluator.vault.ceremony import complete, draw, seed_document, store
    from benchpress_evaluator.vault.identities import new_identity, parse_identities
    from benchpress_evaluator.vault.sealed import open_sealed

    (private, one), (_, two) = new_identity(), new_identity()
    draft = draw("bench-v1", [Recipient("one", one), Recipient("two", two, recovery=True)])
    lines = [canonical_bytes({"id": n, "bundle": str(n % 22), "prompt": "x" * 8000}) for n in range(count)]
    digests = dict.fromkeys(("scorer", "prompts", "run_policy"), "00")
    sealed, commitment = complete(
        draft, seed_document(draft, "2027-01-01T00:00:00Z"), {}, lines, {}, release=Release("x", "1", "00"),
        digests=digests, time="2027-01-01T00:00:01Z",
    )  # fmt: skip
    storage = open_storage(folder)
    store(storage, "bench-v1.age", sealed)
    start = time.perf_counter()
    open_sealed(storage, "bench-v1.age", Keys(tuple(parse_identities(private.encode(), "key"))), commitment)
    return time.perf_counter() - start


TASKS: dict[str, Callable[[Path, int], float]] = {
    "write lines": write_lines,
    "write sqlite": write_sqlite,
    "write clear": lambda folder, count: write_journal(folder, count, sealed=False),
    "write sealed": lambda folder, count: write_journal(folder, count, sealed=True),
    "read lines": read_lines,
    "read sqlite": read_sqlite,
    "read clear": lambda folder, count: read_journal(folder, count, sealed=False),
    "read sealed": lambda folder, count: read_journal(folder, count, sealed=True),
    "write sealed, each durable": lambda folder, count: write_durably(folder, count, sealed=True),
    "open a version": open_version,
}


def run(task: str, folder: Path, count: int) -> dict[str, Any]:
    """One task in a process of its own: seconds, and the most memory it took, in megabytes."""
    place = folder / task.partition(" ")[2]
    place.mkdir(exist_ok=True)
    command = [sys.executable, __file__, "--task", task, "--folder", str(place), "--records", str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {"task": task, "records": count, **json.loads(done.stdout)}


def measure(folder: Path, count: int) -> list[dict[str, Any]]:
    rows = [run(task, folder, count) for task in TASKS if task.startswith(("write", "read"))]
    smaller = folder / "tenth"
    smaller.mkdir()
    run("write sealed", smaller, count // 10)
    rows.append(run("read sealed", smaller, count // 10))
    rows.append(run("open a version", folder, 440))
    seconds = {row["task"]: row["seconds"] for row in reversed(rows)}
    for row in rows:
        peer = f"{row['task'].partition(' ')[0]} sqlite"
        row["rate"] = round(row["records"] / row["seconds"])
        same = peer in seconds and row["records"] == count
        row["against_sqlite"] = round(row["seconds"] / seconds[peer], 2) if same else None
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--records", type=int, default=100_000)
    options.add_argument("--folder", type=Path)
    options.add_argument("--task", choices=TASKS, help=argparse.SUPPRESS)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    if given.task:
        seconds = TASKS[given.task](given.folder, given.records)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(json.dumps({"seconds": round(seconds, 3), "memory_mb": memory}))
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        rows = measure(Path(folder), given.records)
    if given.json:
        print(json.dumps(rows))
        return
    print(f"{'':28}{'records':>9}{'seconds':>9}{'a second':>10}{'x SQLite':>10}{'MB':>6}")
    for row in rows:
        ratio = "" if row["against_sqlite"] is None else row["against_sqlite"]
        if row["against_sqlite"] is not None:
            figure("journal", f"{row['task']}, beside SQLite", row["against_sqlite"])
        print(f"{row['task']:28}{row['records']:9}{row['seconds']:9}{row['rate']:10}{ratio:>10}{row['memory_mb']:6}")


if __name__ == "__main__":
    main()
