"""What was acknowledged survives: killed writers, full and read-only disks, two writers at once."""

import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress_evaluator.journal import Journal, SegmentHead
from benchpress_evaluator.storage import open_storage
from hypothesis import given, settings
from hypothesis import strategies as st
from second_reader import read_clear, read_sealed

KEY = bytes(range(32))
NAME = "journal/v1"

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
    max_leaves=10,
)


def journal(folder: Path, key: bytes | None = KEY) -> Journal:
    return Journal.open(open_storage(folder), NAME, key)


def stored(folder: Path) -> list[Path]:
    return sorted((folder / NAME).glob("*"))


def python(code: str, *arguments: object, **options: Any) -> "subprocess.Popen[str]":
    """A process that starts with an open writer `w` of the journal in the folder of its first argument."""
    start = """
        import sys, json, resource, os
        from benchpress.errors import UserError
        from benchpress_evaluator.journal import Journal
        from benchpress_evaluator.storage import open_storage
        w = Journal.open(open_storage(sys.argv[1]), "journal/v1", bytes(range(32))).writer()
    """
    program = textwrap.dedent(start) + textwrap.dedent(code)
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


@pytest.mark.parametrize("key", [KEY, None], ids=["sealed", "clear"])
@given(records=st.lists(st.dictionaries(st.text(st.characters()), json_values), max_size=5))
@settings(max_examples=25)
def test_any_json_object_comes_back_as_it_was(key: bytes | None, records: list[Any], tmp_path_factory: Any) -> None:
    place = tmp_path_factory.mktemp("journal")
    writer = journal(place, key).writer()
    for record in records:
        writer.append(record)
    head = writer.close()
    assert list(journal(place, key).records()) == records
    assert journal(place, key).heads() == ([head] if records else [])


@pytest.mark.parametrize("key", [KEY, None], ids=["sealed", "clear"])
def test_the_second_implementation_reads_what_is_written(key: bytes | None, tmp_path: Path) -> None:
    writer = journal(tmp_path, key).writer()
    records = [{"n": 1, "text": "因果"}, {"n": 2, "text": None}]
    for record in records:
        writer.append(record)
    head = writer.close()
    (path,) = stored(tmp_path)
    data = path.read_bytes()
    found = read_clear(data) if key is None else read_sealed(key, NAME, data)
    assert [kind for kind, _ in found] == ["O", "R", "R", "C"]
    assert [content for _, content in found[1:3]] == records
    assert head is not None
    assert path.name.startswith(head.id)
    assert found[3][1]["count"] == 3


def test_a_writer_without_records_leaves_nothing_behind(tmp_path: Path) -> None:
    assert journal(tmp_path).writer().close() is None
    assert list(journal(tmp_path).records()) == []
    assert list(tmp_path.iterdir()) == []


def test_a_later_writer_counts_after_an_earlier_one(tmp_path: Path) -> None:
    for n in range(12):
        writer = journal(tmp_path).writer()
        writer.append({"n": n}, durable=True)
        if n % 2:
            writer.close()
    assert [record["n"] for record in journal(tmp_path).records()] == list(range(12))


def test_nothing_private_stands_in_the_files(tmp_path: Path) -> None:
    writer = journal(tmp_path).writer()
    writer.append({"prompt": "CANARY-5af7", "CANARY-key": "CANARY-5af7" * 50}, durable=True)
    writer.close()
    everything = b"".join(path.read_bytes() + path.name.encode() for path in stored(tmp_path))
    assert b"CANARY" not in everything
    assert KEY not in everything
    assert KEY.hex().encode() not in everything


def test_two_writing_processes_do_not_disturb_each_other(tmp_path: Path) -> None:
    code = """
        for n in range(300): w.append({"who": sys.argv[2], "n": n}, durable=n % 7 == 0)
        w.close()
    """
    for process in [python(code, tmp_path, who) for who in "ab"]:
        assert process.wait(60) == 0
    found = [(record["who"], record["n"]) for record in journal(tmp_path).records()]
    assert sorted(found) == [(who, n) for who in "ab" for n in range(300)]
    assert len(stored(tmp_path)) == 2


@pytest.mark.parametrize("wait", [0.0, 0.01, 0.05])
def test_a_killed_writer_loses_nothing_that_it_acknowledged(wait: float, tmp_path: Path) -> None:
    code = """
        n = 0
        while True:
            w.append({"n": n, "text": "x" * (n * 37 % 5000)}, durable=True)
            print(n, flush=True)
            n += 1
    """
    process = python(code, tmp_path)
    assert process.stdout is not None
    acknowledged = [process.stdout.readline()]
    time.sleep(wait)
    process.send_signal(signal.SIGKILL)
    acknowledged += process.stdout.readlines()
    process.wait(10)
    found = [record["n"] for record in journal(tmp_path).records()]
    last = int(acknowledged[-1])
    assert found[: last + 1] == list(range(last + 1))
    assert len(found) <= last + 2
    writer = journal(tmp_path).writer()
    writer.append({"n": "next"}, durable=True)
    writer.close()
    assert [record["n"] for record in journal(tmp_path).records()][-1] == "next"


def test_a_file_size_limit_stops_the_writer_with_one_line_and_keeps_the_rest(tmp_path: Path) -> None:
    code = """
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        n = 0
        try:
            while True:
                w.append({"n": n, "text": "x" * 900}, durable=True)
                n += 1
        except UserError as problem:
            print(json.dumps([n, str(problem)]))
    """
    out, err = python(code, tmp_path).communicate(timeout=60)
    count, message = json.loads(out)
    assert not err
    assert "ulimit -f" in message
    assert "run the same command again" in message
    assert count > 10
    assert [record["n"] for record in journal(tmp_path).records()] == list(range(count))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_disk_loses_nothing_and_the_same_writer_goes_on_when_there_is_room(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(30_000))
    writer = journal(small_disk).writer()
    written: list[int] = []

    def fill() -> None:
        while True:
            writer.append({"n": len(written), "text": "x" * 900}, durable=True)
            written.append(len(written))

    with pytest.raises(UserError, match=r"No space left on device.*free some space") as refusal:
        fill()
    count = len(written)
    assert "\n" not in str(refusal.value)
    assert count > 5
    assert [record["n"] for record in journal(small_disk).records()] == list(range(count))
    ballast.unlink()
    writer.commit()
    writer.append({"n": count + 1}, durable=True)
    writer.close()
    assert [record["n"] for record in journal(small_disk).records()] == list(range(count + 2))


def test_a_read_only_disk_can_be_read_and_says_so_when_written(small_disk: Path) -> None:
    writer = journal(small_disk).writer()
    writer.append({"n": 0}, durable=True)
    writer.close()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    assert list(journal(small_disk).records()) == [{"n": 0}]
    with pytest.raises(UserError, match=r"Read-only file system.*choose a place that can be written"):
        journal(small_disk).writer().append({"n": 1}, durable=True)
    with pytest.raises(UserError, match="Read-only file system"):
        open_storage(small_disk).write("file", b"x", expected=None)


def test_after_a_failed_fsync_nothing_more_is_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = journal(tmp_path).writer()
    writer.append({"n": 0}, durable=True)
    real = os.fsync

    def failing(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(UserError, match=r"Input/output error.*device is failing"):
        writer.append({"n": 1}, durable=True)
    monkeypatch.setattr(os, "fsync", real)
    with pytest.raises(UserError, match="Input/output error"):
        writer.append({"n": 2}, durable=True)
    assert next(iter(journal(tmp_path).records())) == {"n": 0}


def test_asynchronous_appends_share_their_fsyncs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    real = os.fsync

    def counting(handle: int) -> None:
        time.sleep(0.002)
        synced.append(handle)
        real(handle)

    monkeypatch.setattr(os, "fsync", counting)

    async def main() -> None:
        writer = journal(tmp_path).writer()

        async def worker(who: int) -> None:
            for n in range(20):
                await writer.append_durable({"who": who, "n": n})
                readable = {(record["who"], record["n"]) for record in journal(tmp_path).records()}
                assert (who, n) in readable

        await asyncio.gather(*map(worker, range(8)))
        writer.close()

    asyncio.run(main())
    assert sum(1 for _ in journal(tmp_path).records()) == 160
    assert len(synced) < 80


def test_a_failed_group_commit_reaches_everybody_who_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> list[Any]:
        writer = journal(tmp_path).writer()
        await writer.append_durable({"n": 0})
        real = os.write

        def full(*_: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "write", full)
        waiting = [writer.append_durable({"n": n}) for n in (1, 2, 3)]
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        monkeypatch.setattr(os, "write", real)
        writer.close()
        return outcomes

    outcomes = asyncio.run(main())
    assert [type(outcome) for outcome in outcomes] == [UserError] * 3
    assert [record["n"] for record in journal(tmp_path).records()] == [0, 1, 2, 3]


def test_a_cancelled_wait_does_not_lose_the_record(tmp_path: Path) -> None:
    async def main() -> None:
        writer = journal(tmp_path).writer()
        task = asyncio.create_task(writer.append_durable({"n": 0}))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        writer.close()

    asyncio.run(main())
    assert list(journal(tmp_path).records()) == [{"n": 0}]


def test_shards_merge_by_union(tmp_path: Path) -> None:
    one, two = journal(tmp_path / "one"), journal(tmp_path / "two")
    heads: list[SegmentHead | None] = []
    for n, place in enumerate((one, two, one)):
        writer = place.writer()
        writer.append({"n": n})
        heads.append(writer.close())
    assert one.merge(two) == 1
    assert one.merge(two) == 0
    assert sorted(record["n"] for record in one.records()) == [0, 1, 2]
    assert {head.id for head in one.heads()} == {head.id for head in heads if head}
    (cut,) = stored(tmp_path / "two")
    cut.write_bytes(cut.read_bytes()[:-20])
    with pytest.raises(UserError, match="delete the shorter one"):
        one.merge(two)


def test_a_closed_writer_takes_nothing_more(tmp_path: Path) -> None:
    writer = journal(tmp_path).writer()
    writer.append({"n": 0})
    assert writer.close() == writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.append({"n": 1})


def test_a_forked_process_cannot_go_on_with_its_parents_segment(tmp_path: Path) -> None:
    code = """
        w.append({"n": 0}, durable=True)
        if os.fork() == 0:
            try:
                w.append({"n": 1}, durable=True)
            except ValueError as problem:
                print(problem, flush=True)
            os._exit(0)
        os.wait()
        w.close()
    """
    out, err = python(code, tmp_path).communicate(timeout=60)
    assert "belongs to the process that opened it" in out
    assert not err
    assert list(journal(tmp_path).records()) == [{"n": 0}]


def test_a_record_beyond_the_limit_is_refused_and_the_writer_goes_on(tmp_path: Path) -> None:
    writer = journal(tmp_path).writer()
    with pytest.raises(UserError, match="too large"):
        writer.append({"text": "x" * (1 << 26)})
    writer.append({"n": 0})
    writer.close()
    assert list(journal(tmp_path).records()) == [{"n": 0}]
