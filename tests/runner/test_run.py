"""What a run does between plan and journal, against an honest server that counts."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.items import Item, Status
from benchpress_evaluator.calling import Tally
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import METHODS, Answer, Ask, AskAbout, Gated, Method, MethodChoice
from benchpress_evaluator.plan import Plan, Shard, open_session
from benchpress_evaluator.records import Json, Request
from benchpress_evaluator.runner import run
from benchpress_evaluator.schedule import RetryPolicy
from benchpress_evaluator.scoring import score
from benchpress_evaluator.storage import open_storage
from fake_http import FakeServer, Reply, Seen, serve
from harness import DIRECT, QUICK, VERSION, always, ask, entrant_of, honest, in_turn, items, solve
from wire import WIRES

WIRE = WIRES["openai_chat"]
KEYS = WIRE.keys


def journal_in(folder: Path) -> Journal:
    return Journal.open(open_storage(folder), "journal", None)


def prompts(server: FakeServer) -> list[str]:
    return [WIRE.prompt(seen) for seen in server.seen]


# What is asked, and what is not


def test_what_was_answered_is_never_asked_again(tmp_path: Path) -> None:
    first = ask(WIRE, honest(WIRE), tmp_path, count=30)
    assert len(set(prompts(first.server))) == len(first.server.seen) == 30
    second = ask(WIRE, honest(WIRE), tmp_path, count=30)
    assert second.server.seen == []
    assert second.scored == first.scored
    assert first.report.segment is not None
    assert second.report.segment is None


def test_interrupted_at_100_of_200_and_resumed_counts_200(tmp_path: Path) -> None:
    first = ask(WIRE, honest(WIRE), tmp_path, count=200, plan={"max_calls": 100})
    assert len(first.server.seen) == 100
    assert sum(row.result is None for row in first.scored) == 100
    second = ask(WIRE, honest(WIRE), tmp_path, count=200)
    assert len(second.server.seen) == 100
    assert set(prompts(first.server)) & set(prompts(second.server)) == set()
    assert sum(row.result is not None and row.result.correct for row in second.scored) == 200


def test_another_native_configuration_is_another_question(tmp_path: Path) -> None:
    ask(WIRE, honest(WIRE), tmp_path, params={"temperature": 0})
    changed = ask(WIRE, honest(WIRE), tmp_path, params={"temperature": 0.7})
    assert len(changed.server.seen) == 1
    # The answer under the earlier configuration must not be scored as one of this.
    mixed = ask(WIRE, always(WIRE, WIRE.error(500, "down")), tmp_path, params={"temperature": 1})
    assert mixed.only.result is not None
    assert mixed.only.result.status is Status.API_ERROR


def test_settings_that_are_not_sent_buy_nothing_again(tmp_path: Path) -> None:
    ask(WIRE, honest(WIRE), tmp_path, params={"temperature": 0.0})
    again = ask(
        WIRE, honest(WIRE), tmp_path, params={"temperature": 0}, concurrency=3, timeout_s=7, name="Renamed", company="X"
    )
    assert again.server.seen == []


def test_shards_are_disjoint_and_together_the_whole(tmp_path: Path) -> None:
    asked: list[str] = []
    for index in (1, 2, 3):
        part = ask(WIRE, honest(WIRE), tmp_path, count=20, plan={"shard": Shard(index, 3)})
        assert 6 <= len(part.server.seen) <= 7
        asked += prompts(part.server)
    assert len(asked) == len(set(asked)) == 20
    whole = ask(WIRE, honest(WIRE), tmp_path, count=20)
    assert whole.server.seen == []
    assert all(row.result is not None and row.result.correct for row in whole.scored)


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/0", "a/b", "1/3/5", "-1/3", ""])
def test_a_wrong_shard_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="i/n"):
        Shard.parse(text)


def test_a_rerun_is_added_to_the_history(tmp_path: Path) -> None:
    ask(WIRE, honest(WIRE), tmp_path, count=5)
    wrong = always(WIRE, WIRE.success("N: -7"))
    second = ask(WIRE, wrong, tmp_path, count=5, plan={"rerun": True, "max_calls": 3})
    assert len(second.server.seen) == 3
    # Without --rerun the latest run goes on where it ended.
    resumed = ask(WIRE, wrong, tmp_path, count=5)
    assert len(resumed.server.seen) == 2
    by_run = {run: [row for row in resumed.scored if row.run == run] for run in (1, 2)}
    assert [row.result is not None and row.result.correct for row in by_run[1]] == [True] * 5
    assert [row.result is not None and row.result.correct for row in by_run[2]] == [False] * 5
    fixed = ask(WIRE, honest(WIRE), tmp_path, count=5, plan={"run": 4})
    assert {row.run for row in fixed.scored} == {1, 2, 4}


def test_a_journal_of_another_version_is_refused(tmp_path: Path) -> None:
    ask(WIRE, honest(WIRE), tmp_path)
    with serve(honest(WIRE)) as server:
        entrant = entrant_of(WIRE, server)
        with pytest.raises(UserError, match="version"):
            run(Plan("other-v1", items(1), [entrant], DIRECT), journal_in(tmp_path), KEYS)
        with pytest.raises(UserError, match="version"):
            list(score(items(1), journal_in(tmp_path).records(), "other-v1", [entrant], DIRECT))
        assert server.seen == []


def test_an_answer_to_an_item_of_no_version_is_refused(tmp_path: Path) -> None:
    ask(WIRE, honest(WIRE), tmp_path, count=2)
    with serve(honest(WIRE)) as server, pytest.raises(UserError, match="does not have"):
        list(score(items(1), journal_in(tmp_path).records(), VERSION, [entrant_of(WIRE, server)], DIRECT))


# Concurrency, patience and limits


def test_no_more_calls_are_in_flight_than_allowed_and_no_fewer(tmp_path: Path) -> None:
    def slow(seen: Seen) -> Reply:
        reply = WIRE.success(solve(WIRE.prompt(seen)))
        return Reply(reply.body, delay_s=0.05)

    asked = ask(WIRE, slow, tmp_path, count=40, concurrency=7)
    assert asked.server.most_in_flight == 7


def test_concurrency_gives_way_where_the_vendor_cannot_keep_up(tmp_path: Path) -> None:
    refused = 0

    def busy(seen: Seen) -> Reply:
        nonlocal refused
        if server_of["it"].in_flight > 4:
            refused += 1
            return WIRE.error(429, "too many at a time")
        reply = WIRE.success(solve(WIRE.prompt(seen)))
        return Reply(reply.body, delay_s=0.02)

    server_of: dict[str, FakeServer] = {}
    questions = items(120)
    with serve(busy) as server:
        server_of["it"] = server
        patient = RetryPolicy(attempts=3, overloaded_attempts=20, first_pause_s=0.02, longest_pause_s=0.1)
        plan = Plan(VERSION, questions, [entrant_of(WIRE, server, concurrency=32)], DIRECT, retry=patient)
        report = run(plan, journal_in(tmp_path), KEYS)
        assert report.complete
        assert report.tallies[0].calls == 120
        # 32 at a time against 4 would be refused seven times out of eight for as long as the run lasts.
        assert refused < 120


def test_retry_after_is_honoured_and_waiting_is_not_latency(tmp_path: Path) -> None:
    begun = time.monotonic()
    patient = {**dict(WIRE.error(429, "slow down").headers), "Retry-After": "1"}
    refusal = Reply(WIRE.error(429, "slow down").body, 429, patient)
    asked = ask(WIRE, in_turn(WIRE, refusal, WIRE.success("N: 1")), tmp_path)
    first, second = asked.server.seen
    assert 1.0 <= second.at - first.at < 2.5
    assert asked.only.result is not None
    assert asked.only.result.correct
    assert asked.only.latency_s is not None
    assert asked.only.latency_s < 0.5
    assert asked.completion.waited_s is not None
    assert asked.completion.waited_s >= 1.0
    assert time.monotonic() - begun < 10


def test_nothing_else_starts_while_a_vendor_asks_for_a_pause(tmp_path: Path) -> None:
    headers = {"Content-Type": "application/json", "Retry-After": "0.6"}
    refusal = Reply(WIRE.error(429, "slow down").body, 429, headers)
    calls = 0

    def answer(seen: Seen) -> Reply:
        nonlocal calls
        calls += 1
        return refusal if calls == 1 else WIRE.success(solve(WIRE.prompt(seen)))

    asked = ask(WIRE, answer, tmp_path, count=20, concurrency=2)
    refused_at = asked.server.seen[0].at
    during = [seen for seen in asked.server.seen[1:] if refused_at + 0.1 < seen.at < refused_at + 0.55]
    assert during == []
    assert asked.report.complete


def test_one_entrant_stops_and_the_others_go_on(tmp_path: Path) -> None:
    with serve(honest(WIRE)) as server:
        good = entrant_of(WIRE, server, id="good")
        unknown = entrant_of(WIRE, server, id="unknown", model="model-2")
        report = run(Plan(VERSION, items(10), [unknown, good], DIRECT, retry=QUICK), journal_in(tmp_path), KEYS)
    stopped, complete = report.tallies
    assert stopped.stopped is not None
    assert "HTTP 404" in stopped.stopped
    assert (complete.calls, complete.stopped) == (10, None)
    assert not report.complete


def test_a_vendor_that_is_down_is_given_up_before_every_item_has_failed(tmp_path: Path) -> None:
    asked = ask(WIRE, always(WIRE, WIRE.error(500, "down")), tmp_path, count=200, concurrency=4)
    assert asked.report.tallies[0].stopped is not None
    assert "in a row failed" in asked.report.tallies[0].stopped
    assert len(asked.calls) < 20


@pytest.mark.parametrize("limit", [0, 1, 7])
def test_a_limit_on_calls_counts_requests_and_is_never_exceeded(limit: int, tmp_path: Path) -> None:
    replies = in_turn(WIRE, WIRE.error(500, "down"), WIRE.success("N: 1"))
    asked = ask(WIRE, replies, tmp_path, count=20, plan={"max_calls": limit})
    assert len(asked.server.seen) == limit
    assert asked.report.tallies[0].stopped is not None


def test_a_limit_on_dollars_is_never_exceeded(tmp_path: Path) -> None:
    price = {"input": 10, "output": 100, "cached_input": 1, "date": "2026-10-01"}
    # 70 fresh and 30 cached input tokens, 50 generated: .0007 + .00003 + .005 dollars a call, .04 at the cap of 400.
    asked = ask(WIRE, honest(WIRE), tmp_path, count=100, price=price, concurrency=8, plan={"max_cost": 0.2})
    spent = len(asked.server.seen) * 0.00573
    assert asked.report.tallies[0].cost_usd == pytest.approx(spent)
    assert 0.15 < spent <= 0.2
    assert asked.report.tallies[0].stopped is not None


def test_a_limit_on_dollars_without_a_price_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    with serve(honest(WIRE)) as server:
        plan = Plan(VERSION, items(1), [entrant_of(WIRE, server)], DIRECT, max_cost=1.0)
        with pytest.raises(UserError, match="price"):
            run(plan, journal_in(tmp_path), KEYS)
        assert server.seen == []


def test_the_estimate_comes_from_earlier_calls_where_there_are_any(tmp_path: Path) -> None:
    price = {"input": 10, "output": 100, "cached_input": 1, "date": "2026-10-01"}
    ask(WIRE, honest(WIRE), tmp_path, count=10, price=price, plan={"max_calls": 4})
    with serve(honest(WIRE)) as server:
        plan = Plan(VERSION, items(10), [entrant_of(WIRE, server, price=price)], DIRECT)
        session = open_session(plan, journal_in(tmp_path).records(), KEYS)
        assert server.seen == []
    (estimate,) = session.estimates
    assert (estimate.calls, estimate.output_tokens) == (6, 6 * 50)
    assert estimate.basis == "4 earlier calls"
    assert estimate.cost_usd == pytest.approx(estimate.input_tokens * 10e-6 + 300 * 100e-6)


def test_a_watcher_sees_every_call_and_the_end(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    class Watch:
        def begin(self, tallies: list[Tally]) -> None:
            seen.append((tallies[0].left, 0))

        def update(self, tally: Tally) -> None:
            seen.append((tally.done, tally.calls))

        def note(self, text: str) -> None: ...

        def end(self) -> None:
            seen.append((-1, -1))

    with serve(honest(WIRE)) as server:
        plan = Plan(VERSION, items(5), [entrant_of(WIRE, server)], DIRECT)
        run(plan, journal_in(tmp_path), KEYS, Watch())
    assert seen[0] == (5, 0)
    assert (5, 5) in seen
    assert seen[-1] == (-1, -1)


# What is refused before anything is sent


@pytest.mark.parametrize(
    ("changes", "plan", "message"),
    [
        ({"provider": "nobody"}, {}, "unknown provider 'nobody'"),
        ({}, {"items": []}, "no items"),
        ({}, {"entrants": []}, "no entrants"),
        ({}, {"methods": [MethodChoice("nothing")]}, "unknown method 'nothing'"),
        ({}, {"methods": [MethodChoice("direct", {"k": 4})]}, "takes no parameters"),
        ({"params": {"temprature": 0}}, {}, "params.temprature is unknown"),
        ({"params": {"stream": True}}, {}, "params.stream is set by the runner"),
        ({"batch": True}, {}, "no batch mode"),
        ({"api_key_env": "NO_SUCH_KEY"}, {}, "needs a key in NO_SUCH_KEY"),
    ],
)
def test_what_cannot_work_is_refused_in_one_line(
    changes: dict[str, Any], plan: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with serve(honest(WIRE)) as server:
        whole = {"items": items(1), "entrants": [entrant_of(WIRE, server, **changes)], "methods": DIRECT, **plan}
        with pytest.raises(UserError, match=message) as problem:
            run(Plan(VERSION, **whole), journal_in(tmp_path), KEYS)
        assert "\n" not in str(problem.value)
        assert server.seen == []


# Methods


class TwoSteps(Method):
    """Asks, then asks again with the first answer; the last word counts."""

    def check(self, params: Mapping[str, Json]) -> None: ...

    def calls(self, item: Item, params: Mapping[str, Json]) -> int:
        return 2

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        first = await ask("think", Request.of(item.prompt))
        second = await ask("say", Request.of(f"{item.prompt}\nYou said: {first.text}"))
        return Answer(second.text, second, {"first": first.text})


class Vote(Method):
    """Three calls, and the answer that most of them give; none where all failed."""

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        found = [await ask(f"round/{number}", Request.of(f"{item.prompt} ({number})")) for number in range(3)]
        texts = [one.text for one in found if one.error is None and one.text and "N:" in one.text]
        return Answer(max(sorted(set(texts)), key=texts.count) if texts else None, None, {"votes": len(texts)})


class Calibrated(Method):
    """Learns an offset from the first item, and leaves out items that end in 3."""

    async def prepare(self, items: Sequence[Item], ask: AskAbout, params: Mapping[str, Json]) -> Any:
        completion = await ask(items[0], "calibration", Request.of(items[0].prompt + " (calibration)"))
        return completion.text

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        if item.id.endswith("3"):
            raise Gated("it ends in 3")
        completion = await ask("answer", Request.of(item.prompt))
        return Answer(completion.text, completion, {"prepared": prepared})


class Needy(Method):
    requires = frozenset({"option_scores"})


class Faulty(Method):
    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        await ask("answer", Request.of(item.prompt))
        raise ZeroDivisionError


TWO_STEPS, VOTE, CALIBRATED, NEEDY, FAULTY = TwoSteps(), Vote(), Calibrated(), Needy(), Faulty()


def plugin(name: str) -> tuple[MethodChoice, ...]:
    return (MethodChoice(f"{__name__}:{name}"),)


def put(methods: Sequence[MethodChoice], answer: Any, folder: Path, count: int = 5, **plan: Any) -> Any:
    with serve(answer) as server:
        entrant = entrant_of(WIRE, server)
        whole = Plan(VERSION, items(count), [entrant], methods, retry=QUICK, **plan)
        report = run(whole, journal_in(folder), KEYS)
        rows = list(score(items(count), journal_in(folder).records(), VERSION, [entrant], methods))
        return server, report, rows


def test_a_method_of_two_calls_resumes_between_them(tmp_path: Path) -> None:
    server, _, rows = put(plugin("TWO_STEPS"), honest(WIRE), tmp_path, max_calls=5)
    assert len(server.seen) == 5
    pending = [row for row in rows if row.result is None]
    assert pending
    server, report, rows = put(plugin("TWO_STEPS"), honest(WIRE), tmp_path)
    assert len(server.seen) == 5
    assert report.complete
    assert all(row.result.correct and "N:" in row.extra["first"] for row in rows)
    # Both calls were needed, so both count.
    assert {(row.input_tokens, row.output_tokens, row.thinking_tokens) for row in rows} == {(200, 100, 40)}


def test_a_new_method_asks_only_what_it_did_not_ask(tmp_path: Path) -> None:
    put(plugin("TWO_STEPS"), honest(WIRE), tmp_path)
    server, _, rows = put([*plugin("TWO_STEPS"), *DIRECT], honest(WIRE), tmp_path)
    assert len(server.seen) == 5
    assert len(rows) == 10


@pytest.mark.parametrize(
    ("replies", "status", "correct"),
    [
        # An answer was reached, whatever happened on the way.
        (["N: 1", "N: 1", "cut"], Status.OK, True),
        (["N: 1", "refusal", "fault"], Status.OK, True),
        # None was reached: the gravest of the calls.
        (["empty", "empty", "refusal"], Status.REFUSAL, False),
        (["empty", "refusal", "cut"], Status.TRUNCATED, False),
        (["empty", "cut", "fault"], Status.API_ERROR, False),
        (["empty", "empty", "empty"], Status.INVALID_ANSWER, False),
    ],
)
def test_the_status_of_several_calls(replies: list[str], status: Status, correct: bool, tmp_path: Path) -> None:
    kinds = {
        "cut": WIRE.cut(None),
        "refusal": WIRE.refusal(),
        "fault": WIRE.error(500, "down"),
        "empty": WIRE.empty(),
        "N: 1": WIRE.success("N: 1"),
    }

    def answer(seen: Seen) -> Reply:
        return kinds[replies[int(WIRE.prompt(seen)[-2])]]

    _, _, (row,) = put(plugin("VOTE"), answer, tmp_path, count=1)
    assert (row.result.status, row.result.correct) == (status, correct)
    assert row.extra == {"votes": replies.count("N: 1")}


def test_what_spans_items_is_asked_once_and_read_again_when_scoring(tmp_path: Path) -> None:
    server, _, rows = put(plugin("CALIBRATED"), honest(WIRE), tmp_path)
    assert len(server.seen) == 5
    assert [(row.gated, row.result is None) for row in rows] == [(False, False)] * 3 + [(True, True), (False, False)]
    assert {row.extra["prepared"] for row in rows if not row.gated} == {solve(items(1)[0].prompt)}
    server, _, again = put(plugin("CALIBRATED"), honest(WIRE), tmp_path)
    assert server.seen == []
    assert again == rows


def test_a_capability_that_is_missing_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    with serve(honest(WIRE)) as server, pytest.raises(UserError, match="needs option_scores"):
        run(Plan(VERSION, items(1), [entrant_of(WIRE, server)], plugin("NEEDY")), journal_in(tmp_path), KEYS)
    assert server.seen == []


def test_a_fault_in_a_method_ends_its_entrant_with_one_line(tmp_path: Path) -> None:
    with serve(honest(WIRE)) as server:
        entrant = entrant_of(WIRE, server, concurrency=1)
        report = run(Plan(VERSION, items(5), [entrant], plugin("FAULTY")), journal_in(tmp_path), KEYS)
    assert report.tallies[0].stopped is not None
    assert "ZeroDivisionError" in report.tallies[0].stopped
    assert len(server.seen) == 1


def test_parameters_of_a_method_are_part_of_its_name() -> None:
    assert MethodChoice("direct").key == "direct"
    assert MethodChoice("vote", {"k": 4, "a": 0.5}).key == 'vote{"a":{"decimal":"0.5"},"k":4}'
    assert METHODS.get("direct") is METHODS.get("direct")
