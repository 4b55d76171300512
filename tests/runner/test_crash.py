"""A run that is killed loses nothing that was answered and pays for nothing twice but what was in flight."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import crash
import subject
from fake_http import Reply, Seen, serve

COUNT, CONCURRENCY = 120, 16


def test_kill_9_at_random_moments_and_the_same_command_again(tmp_path: Path) -> None:
    whole_s, expected = crash.undisturbed(tmp_path / "undisturbed", COUNT, CONCURRENCY)
    assert sum(row is not None and row["correct"] for _, row in expected) == COUNT - COUNT // 3
    for number, after_s in enumerate(crash.moments(4, whole_s, seed=11)):
        found = crash.crash(tmp_path / str(number), COUNT, CONCURRENCY, after_s, expected)
        assert found.same_scores, found
        assert (found.repeated, found.duplicates) == (0, 0), found
        assert found.paid_twice <= CONCURRENCY, found


def test_one_interrupt_finishes_what_is_in_flight_and_starts_nothing_new(tmp_path: Path) -> None:
    with serve(crash.answer) as server:
        program = [sys.executable, subject.__file__, server.url, str(tmp_path), "400", "8"]
        process = subprocess.Popen(program, stderr=subprocess.PIPE, text=True)
        while len(server.seen) < 40:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=20)
        assert process.returncode == 3, complaint
        assert "Traceback" not in complaint
        assert 40 <= len(server.seen) < 400
        assert sorted(crash.recorded(tmp_path)) == sorted({crash.asked(seen) for seen in server.seen})
        done = subprocess.run(program, check=False, timeout=60)
        assert done.returncode == 0
        assert len(server.seen) == 400


def test_a_second_interrupt_abandons_what_is_in_flight_and_keeps_every_answer(tmp_path: Path) -> None:
    def slow_after_the_first(seen: Seen) -> Reply:
        reply = crash.answer(seen)
        return reply if crash.asked(seen) < 20 else replace(reply, delay_s=60)

    with serve(slow_after_the_first) as server:
        program = [sys.executable, subject.__file__, server.url, str(tmp_path), "40", "4"]
        process = subprocess.Popen(program, stderr=subprocess.PIPE, text=True)
        while sum(crash.asked(seen) >= 20 for seen in server.seen) < 4:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=20)
        assert process.returncode == 3, complaint
        assert "Traceback" not in complaint
        assert sorted(crash.recorded(tmp_path)) == list(range(20))
        server.answer = crash.answer
        assert subprocess.run(program, check=False, timeout=60).returncode == 0
        assert sorted(crash.recorded(tmp_path)) == list(range(40))


def test_a_disk_that_is_full_stops_the_run_with_one_line(tmp_path: Path) -> None:
    limit = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)); "
    )
    code = (
        limit + "import sys; from benchpress.errors import UserError\n"
        "import subject\ntry:\n    subject.work(sys.argv[1], sys.argv[2], 200, 8)\n"
        "except UserError as problem:\n    print(problem); sys.exit(2)"
    )
    with serve(crash.answer) as server:
        done = subprocess.run(
            [sys.executable, "-c", code, server.url, str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env={**os.environ, "PYTHONPATH": str(Path(subject.__file__).parent)},
        )
        assert done.returncode == 2, done.stderr
        assert len(done.stdout.splitlines()) == 1
        assert "run the same command again" in done.stdout
        kept = crash.recorded(tmp_path)
        first = len(server.seen)
        assert 10 < len(kept) < 200
        assert len(kept) == len(set(kept))
        crash.start(server, tmp_path, 200, 8).join()
        assert sorted(crash.recorded(tmp_path)) == list(range(200))
        assert set(kept) & {crash.asked(seen) for seen in server.seen[first:]} == set()
