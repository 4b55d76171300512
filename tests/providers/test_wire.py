"""Whatever a vendor sends back ends in exactly one status, with no answer lost and none invented."""

from dataclasses import replace
from pathlib import Path

import pytest
from benchpress.items import Status
from benchpress_evaluator.providers import PROVIDERS
from benchpress_evaluator.providers.base import Stop
from fake_http import Reply
from harness import QUICK, always, ask, honest, in_turn, solve
from wire import WIRES
from wire.base import Wire

RIGHT = "N: 1"
"""The right answer to the first question."""

every_vendor = pytest.mark.parametrize("wire", WIRES.values(), ids=list(WIRES))


@every_vendor
def test_a_right_answer_is_right_and_its_call_is_told_field_by_field(wire: Wire, tmp_path: Path) -> None:
    asked = ask(wire, honest(wire), tmp_path)
    assert asked.only.result is not None
    assert (asked.only.result.status, asked.only.result.correct) == (Status.OK, True)
    found = asked.completion
    assert (found.input_tokens, found.output_tokens, found.cached_tokens) == (
        100,
        50,
        None if wire.provider == "ollama" else 30,
    )
    assert found.thinking_tokens == (None if wire.provider in ("cohere", "ollama", "bedrock") else 20)
    assert found.max_tokens == 400
    assert found.latency_s is not None
    assert found.latency_s > 0
    assert found.attempts == 1
    assert found.flags == ()
    assert found.error is None
    assert found.native_config["model"] == wire.model
    assert set(wire.params) <= set(found.native_config)
    assert (found.request_id is None) == (wire.provider == "ollama")
    assert (found.model_served is None) == (wire.provider in ("cohere", "bedrock"))


@every_vendor
def test_thinking_is_no_part_of_the_answer(wire: Wire, tmp_path: Path) -> None:
    asked = ask(wire, always(wire, wire.thinking(RIGHT)), tmp_path)
    assert asked.completion.text == RIGHT
    assert asked.only.result is not None
    assert asked.only.result.correct


NO_ANSWERS = {
    "refusal": (lambda wire: wire.refusal(), Status.REFUSAL),
    "filtered": (lambda wire: wire.filtered(), Status.REFUSAL),
    "cut with text": (lambda wire: wire.cut("Let me see, 0 + 1 is"), Status.TRUNCATED),
    "cut without text": (lambda wire: wire.cut(None), Status.TRUNCATED),
    "empty": (lambda wire: wire.empty(), Status.INVALID_ANSWER),
    "prompt too long": (lambda wire: wire.too_long(), Status.TRUNCATED),
}


@pytest.mark.parametrize(
    ("wire", "scenario"),
    [
        pytest.param(wire, scenario, id=f"{wire.provider}-{scenario}")
        for wire in WIRES.values()
        for scenario, (reply, _) in NO_ANSWERS.items()
        if reply(wire) is not None
    ],
)
def test_an_answer_that_is_none_stands_and_is_not_bought_again(wire: Wire, scenario: str, tmp_path: Path) -> None:
    reply, status = NO_ANSWERS[scenario]
    asked = ask(wire, always(wire, reply(wire)), tmp_path)
    assert asked.only.result is not None
    assert asked.only.result.status is status
    assert not asked.only.result.correct
    assert len(asked.server.seen) == 1
    assert asked.report.complete
    again = ask(wire, honest(wire), tmp_path)
    assert again.server.seen == []


@every_vendor
def test_an_answer_complete_before_the_cut_counts(wire: Wire, tmp_path: Path) -> None:
    asked = ask(wire, always(wire, wire.cut(RIGHT + "\n")), tmp_path)
    assert asked.only.result is not None
    assert (asked.only.result.status, asked.only.result.correct) == (Status.OK, True)
    assert PROVIDERS.get(wire.provider).stops[asked.only.stop_reason] is Stop.CUT


@every_vendor
def test_a_stop_value_nobody_knows_is_recorded_and_flagged(wire: Wire, tmp_path: Path) -> None:
    asked = ask(wire, always(wire, wire.unknown_stop(RIGHT)), tmp_path)
    assert asked.completion.stop_reason is not None
    assert asked.completion.stop_reason.lower() == "moonlight"
    assert any("unknown stop value" in flag for flag in asked.only.flags)
    assert asked.only.result is not None
    assert asked.only.result.correct


FAULTS = {
    "error 500": lambda wire: wire.error(500, "internal failure"),
    "error 529": lambda wire: wire.error(529, "overloaded"),
    "rate limit": lambda wire: wire.error(429, "slow down"),
    "malformed JSON": lambda wire: replace(wire.success(RIGHT), body=wire.success(RIGHT).body[:-7]),
    "JSON of another shape": lambda wire: Reply(b'{"hello": "world"}'),
    "error inside a 200": lambda wire: wire.error_in_200(),
    "a web page with 200": lambda wire: Reply(b"<html>N: 1</html>", 200, {"Content-Type": "text/html"}),
    "a web page with 502": lambda wire: Reply(b"<html>Bad gateway</html>", 502, {"Content-Type": "text/html"}),
    "empty body with 200": lambda wire: Reply(b""),
    "reset in the body": lambda wire: replace(wire.success(RIGHT), reset_after=20),
    "reset before the body": lambda wire: replace(wire.success(RIGHT), reset_after=0),
    "silence": lambda wire: replace(wire.success(RIGHT), delay_s=1.0),
    "a drip that never ends": lambda wire: replace(wire.success(RIGHT), drip_s=0.2),
}


@every_vendor
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_tried_again_ends_as_api_error_and_is_asked_by_the_next_run(
    wire: Wire, fault: str, tmp_path: Path
) -> None:
    slow = fault in ("silence", "a drip that never ends")
    asked = ask(wire, always(wire, FAULTS[fault](wire)), tmp_path, timeout_s=0.4 if slow else 5)
    assert asked.only.result is not None
    assert asked.only.result.status is Status.API_ERROR
    assert asked.completion.text is None
    assert asked.completion.error
    assert asked.completion.attempts == len(asked.server.seen)
    patience = fault in ("rate limit", "error 529") or (wire.provider == "anthropic" and fault == "error inside a 200")
    assert asked.completion.attempts == (QUICK.overloaded_attempts if patience else QUICK.attempts)
    assert not asked.report.complete
    again = ask(wire, honest(wire), tmp_path)
    assert len(again.server.seen) == 1
    assert again.only.result is not None
    assert (again.only.result.status, again.only.result.correct) == (Status.OK, True)


@every_vendor
@pytest.mark.parametrize("fault", ["error 500", "rate limit", "reset in the body", "malformed JSON"])
def test_a_fault_that_passes_costs_nothing_but_time(wire: Wire, fault: str, tmp_path: Path) -> None:
    asked = ask(wire, in_turn(wire, FAULTS[fault](wire), wire.success(RIGHT)), tmp_path)
    assert asked.only.result is not None
    assert (asked.only.result.status, asked.only.result.correct) == (Status.OK, True)
    assert asked.completion.attempts == 2
    assert len(asked.calls) == 1


@every_vendor
def test_a_slow_drip_that_ends_in_time_is_an_answer(wire: Wire, tmp_path: Path) -> None:
    asked = ask(wire, always(wire, replace(wire.success(RIGHT), drip_s=0.03)), tmp_path)
    assert asked.only.result is not None
    assert asked.only.result.correct
    assert asked.completion.latency_s is not None
    assert asked.completion.latency_s > 0.2


@every_vendor
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_wrong_configuration_stops_the_entrant_at_once(wire: Wire, status: int, tmp_path: Path) -> None:
    asked = ask(wire, always(wire, wire.error(status, "this is not possible")), tmp_path, count=20, concurrency=1)
    assert len(asked.server.seen) == 1
    stopped = asked.report.tallies[0].stopped
    assert stopped is not None
    assert f"HTTP {status}" in stopped
    assert "this is not possible" in stopped
    assert [row.result and row.result.status for row in asked.scored] == [Status.API_ERROR] + [None] * 19


@every_vendor
def test_a_daily_quota_stops_the_entrant_without_waiting(wire: Wire, tmp_path: Path) -> None:
    asked = ask(wire, always(wire, wire.daily_quota()), tmp_path, count=20, concurrency=1)
    assert len(asked.server.seen) == 1
    assert asked.report.tallies[0].stopped is not None
    assert sum(row.result is None for row in asked.scored) == 19


@every_vendor
def test_no_key_and_no_prompt_is_in_what_is_shown_of_an_error(wire: Wire, tmp_path: Path) -> None:
    secrets = list(wire.keys.values())[-1:] if wire.provider != "bedrock" else ["AKIAEXAMPLE12345678"]
    message = f"key {' '.join(secrets)}: cannot answer 'What is 0 + 1? End with a line N: and the number.'"
    asked = ask(wire, always(wire, wire.error(422, message)), tmp_path)
    shown = f"{asked.report.tallies[0].stopped} {asked.completion.error}"
    assert "quotes the prompt and is not shown" in shown
    assert "End with a line" not in shown
    for secret in secrets:
        assert secret not in shown


@every_vendor
def test_a_long_answer_with_every_kind_of_character_arrives_as_it_was_sent(wire: Wire, tmp_path: Path) -> None:
    text = 'a\u0000b \u200b é 漢字 🙂 \\n "quoted" \' \t\r\n' + "x" * 300_000 + "\n" + solve("What is 0 + 1?")
    asked = ask(wire, always(wire, wire.success(text)), tmp_path)
    assert asked.completion.text == text
    assert asked.only.result is not None
    assert asked.only.result.correct
