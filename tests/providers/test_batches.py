"""Batches: handed in once, resumed after a crash, priced as batches, and nothing left at the vendor."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from benchpress.items import Status
from benchpress_evaluator.costs import cost_of
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.plan import Plan, Shard
from benchpress_evaluator.records import Call
from benchpress_evaluator.runner import RunReport, run
from benchpress_evaluator.schedule import RetryPolicy
from benchpress_evaluator.scoring import score
from benchpress_evaluator.storage import open_storage
from fake_http import FakeServer, serve
from harness import DIRECT, VERSION, entrant_of, items
from wire import WIRES
from wire.batches import AnthropicBatchServer, OpenAIBatchServer

QUICK = RetryPolicy(attempts=3, first_pause_s=0.01, longest_pause_s=0.02, poll_s=0.05)
SERVERS = {"anthropic": AnthropicBatchServer, "openai": OpenAIBatchServer}
BOTH = pytest.mark.parametrize("vendor", SERVERS)

Vendor = AnthropicBatchServer | OpenAIBatchServer


@contextmanager
def serving(vendor: str, **settings: Any) -> Iterator[tuple[Vendor, FakeServer]]:
    state = SERVERS[vendor](**settings)
    with serve(state) as server:
        if isinstance(state, AnthropicBatchServer):
            state.url = server.url
        yield state, server


def journal_in(folder: Path) -> Journal:
    return Journal.open(open_storage(folder), "journal", None)


def entrant(vendor: str, server: FakeServer, **changes: Any) -> Entrant:
    return entrant_of(WIRES[vendor], server, batch=True, **changes)


def put(vendor: str, server: FakeServer, folder: Path, count: int = 6, **plan: Any) -> tuple[RunReport, list[Any]]:
    who = entrant(vendor, server)
    report = run(
        Plan(VERSION, items(count), [who], DIRECT, retry=QUICK, **plan), journal_in(folder), WIRES[vendor].keys
    )
    return report, list(score(items(count), journal_in(folder).records(), VERSION, [who], DIRECT))


def calls(folder: Path) -> list[Call]:
    return [Call.from_json(record) for record in journal_in(folder).records() if "call" in record]


@BOTH
def test_one_batch_answers_everything_and_leaves_nothing_at_the_vendor(vendor: str, tmp_path: Path) -> None:
    with serving(vendor, polls=2) as (state, server):
        report, rows = put(vendor, server, tmp_path)
        assert report.complete
        assert state.created == 1
        assert all(row.result is not None and row.result.correct for row in rows)
        again, _ = put(vendor, server, tmp_path)
        assert again.complete
        assert state.created == 1
    assert len(calls(tmp_path)) == 6
    for call in calls(tmp_path):
        assert call.completion.batch
        assert call.completion.latency_s is None
        assert (call.completion.input_tokens, call.completion.output_tokens) == (100, 50)
        assert call.completion.thinking_tokens == 20
    if isinstance(state, AnthropicBatchServer):
        assert state.batches == {}
    else:
        assert state.files == {}
        assert len(state.deleted) == 2


@BOTH
def test_no_item_id_reaches_the_vendor(vendor: str, tmp_path: Path) -> None:
    with serving(vendor) as (_, server):
        put(vendor, server, tmp_path)
        assert all("test-sum-base" not in str(seen.body) for seen in server.seen)


def succeeded(**message: Any) -> Any:
    wire = WIRES["anthropic"]
    return {"type": "succeeded", "message": {**wire.message([{"type": "text", "text": "N: 1"}], "end_turn"), **message}}


def errored(kind: str, message: str) -> Any:
    return {"type": "errored", "error": {"type": "error", "error": {"type": kind, "message": message}}}


def test_every_result_of_an_anthropic_batch_has_one_status(tmp_path: Path) -> None:
    results = [
        succeeded(),
        succeeded(content=[], stop_reason="refusal"),
        succeeded(content=[], stop_reason="max_tokens"),
        errored("invalid_request_error", "prompt is too long: 1 tokens > 0 maximum"),
        errored("api_error", "internal"),
        {"type": "expired"},
        {"type": "canceled"},
        None,
    ]
    with serving("anthropic", outcome=results.__getitem__) as (_, server):
        report, rows = put("anthropic", server, tmp_path, count=8)
    assert [row.result.status for row in rows] == [
        Status.OK,
        Status.REFUSAL,
        Status.TRUNCATED,
        Status.TRUNCATED,
        *[Status.API_ERROR] * 4,
    ]
    assert not report.complete
    # Only what failed is handed in again.
    with serving("anthropic") as (_, server):
        report, rows = put("anthropic", server, tmp_path, count=8)
        assert len(server.seen[0].body["requests"]) == 4
        assert report.complete


def test_every_result_of_an_openai_batch_has_one_status(tmp_path: Path) -> None:
    wire = WIRES["openai"]

    def line(custom: str, body: Any, status: int = 200, error: Any = None) -> Any:
        response = None if body is None else {"status_code": status, "request_id": "r", "body": body}
        return {"id": "x", "custom_id": custom, "response": response, "error": error}

    def outcome(number: int, custom: str) -> Any:
        return [
            line(custom, wire.body(wire.text("N: 1"), "completed", None)),
            line(custom, wire.body([{"type": "refusal", "refusal": "I can't help with that."}], "completed", None)),
            line(custom, wire.body([], "incomplete", "max_output_tokens")),
            line(custom, wire.body([], "failed", None, {"code": "invalid_prompt", "message": "flagged"})),
            line(custom, {"error": {"message": "exceeds the context window", "code": "context_length_exceeded"}}, 400),
            line(custom, {"error": {"message": "internal"}}, 500),
            line(custom, None, error={"code": "batch_expired", "message": "too late"}),
            None,
        ][number]

    with serving("openai", outcome=outcome) as (_, server):
        _, rows = put("openai", server, tmp_path, count=8)
    assert [row.result.status for row in rows] == [
        Status.OK,
        Status.REFUSAL,
        Status.TRUNCATED,
        Status.REFUSAL,
        Status.TRUNCATED,
        *[Status.API_ERROR] * 3,
    ]


def test_a_batch_that_the_vendor_refuses_stops_the_entrant(tmp_path: Path) -> None:
    with serving("openai", ends_as="failed") as (_, server):
        report, rows = put("openai", server, tmp_path)
    assert report.tallies[0].stopped is not None
    assert "line 1 is wrong" in report.tallies[0].stopped
    assert [row.result for row in rows] == [None] * 6


@BOTH
def test_a_limit_on_calls_holds_for_batches(vendor: str, tmp_path: Path) -> None:
    with serving(vendor) as (_, server):
        report, rows = put(vendor, server, tmp_path, max_calls=4)
    assert report.tallies[0].attempts == 4
    assert sum(row.result is not None for row in rows) == 4


@BOTH
def test_a_hand_in_whose_reply_is_lost_is_found_and_not_repeated(vendor: str, tmp_path: Path) -> None:
    with serving(vendor, lost_replies=1, polls=3) as (state, server):
        # The first run gives up at once, as one that is killed at this moment would.
        once = RetryPolicy(attempts=1, poll_s=0.05)
        who = entrant(vendor, server)
        plan = Plan(VERSION, items(6), [who], DIRECT, retry=once)
        first = run(plan, journal_in(tmp_path), WIRES[vendor].keys)
        assert first.tallies[0].stopped is not None
        assert state.created == 1
        report, rows = put(vendor, server, tmp_path)
        assert report.complete
        assert state.created == 1
        assert all(row.result is not None and row.result.correct for row in rows)


def test_an_upload_without_a_batch_is_deleted_before_it_is_made_again(tmp_path: Path) -> None:
    with serving("openai", lost_uploads=1) as (state, server):
        once = RetryPolicy(attempts=1, poll_s=0.05)
        plan = Plan(VERSION, items(6), [entrant("openai", server)], DIRECT, retry=once)
        run(plan, journal_in(tmp_path), WIRES["openai"].keys)
        assert len(state.files) == 1
        report, _ = put("openai", server, tmp_path)
        assert report.complete
        assert state.files == {}
        assert state.created == 1


WORK = """
import sys
sys.path.insert(0, sys.argv[4])
from pathlib import Path
from test_batches import put
from fake_http import FakeServer
class Elsewhere:
    url = sys.argv[2]
put(sys.argv[1], Elsewhere(), Path(sys.argv[3]))
"""


@BOTH
def test_a_run_that_is_killed_while_it_waits_resumes_its_batch(vendor: str, tmp_path: Path) -> None:
    with serving(vendor, polls=1_000_000) as (state, server):
        words = [vendor, server.url, str(tmp_path), str(Path(__file__).parent)]
        process = subprocess.Popen([sys.executable, "-c", WORK, *words])
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (state.created and server.seen[-1].method == "GET"):
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert calls(tmp_path) == []
        for batch in state.batches.values():
            batch["left"] = 1
        report, rows = put(vendor, server, tmp_path)
        assert report.complete
        assert state.created == 1
        assert all(row.result is not None and row.result.correct for row in rows)


@BOTH
def test_a_batch_of_another_shard_is_left_to_its_own_run(vendor: str, tmp_path: Path) -> None:
    with serving(vendor, lost_replies=1) as (state, server):
        once = RetryPolicy(attempts=1, poll_s=0.05)
        plan = Plan(VERSION, items(6), [entrant(vendor, server)], DIRECT, retry=once, shard=Shard(1, 2))
        run(plan, journal_in(tmp_path), WIRES[vendor].keys)
        put(vendor, server, tmp_path, shard=Shard(2, 2))
        assert state.created == 2
        report, rows = put(vendor, server, tmp_path)
        assert report.complete
        assert state.created == 2
        assert all(row.result is not None and row.result.correct for row in rows)


def test_a_batch_costs_half() -> None:
    who = Entrant.model_validate({"id": "e", "provider": "anthropic", "model": "claude-sonnet-5-5", "batch": True})
    from benchpress_evaluator.records import Completion

    tokens = {"input_tokens": 1_000_000, "output_tokens": 100_000}
    single = cost_of(who, Completion("x", **tokens), "2026-11-01T00:00:00Z")
    batch = cost_of(who, Completion("x", batch=True, **tokens), "2026-11-01T00:00:00Z")
    assert single == pytest.approx(2 + 1)
    assert batch == pytest.approx(1 + 0.5)
