"""What is peculiar to one vendor."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.items import Status
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.providers import PROVIDERS
from benchpress_evaluator.providers.base import open_provider
from fake_http import Reply, Seen, serve
from harness import QUICK, always, ask, honest, in_turn, solve
from wire import WIRES
from wire.anthropic import Anthropic
from wire.base import KEY, as_json
from wire.google import Google
from wire.ollama import Ollama

RIGHT = "N: 1"


def open_one(provider: str, keys: dict[str, str] | None = None, **fields: Any) -> Any:
    entrant = Entrant.model_validate({"id": "e", "provider": provider, "model": "m", **fields})
    return open_provider(PROVIDERS.get(provider), entrant, keys or {})


# Anthropic


def test_a_long_answer_is_streamed_and_its_counts_arrive(tmp_path: Path) -> None:
    wire = Anthropic()
    asked = ask(wire, always(wire, wire.stream(RIGHT, "end_turn")), tmp_path, params={"max_tokens": 64000})
    assert asked.server.seen[0].body["stream"] is True
    assert asked.only.result is not None
    assert asked.only.result.correct
    found = asked.completion
    assert (found.input_tokens, found.output_tokens, found.thinking_tokens) == (100, 50, 20)
    assert (found.stop_reason, found.request_id, found.max_tokens) == ("end_turn", "req_1", 64000)


def test_a_stream_that_ends_in_an_error_is_no_answer(tmp_path: Path) -> None:
    wire = Anthropic()
    asked = ask(wire, always(wire, wire.stream(RIGHT, "", broken=True)), tmp_path, params={"max_tokens": 64000})
    assert asked.only.result is not None
    assert asked.only.result.status is Status.API_ERROR
    assert asked.completion.attempts == QUICK.overloaded_attempts


def test_a_stream_that_breaks_off_is_no_answer(tmp_path: Path) -> None:
    wire = Anthropic()
    whole = wire.stream(RIGHT, "end_turn")
    cut = Reply(whole.body[: len(whole.body) // 2], 200, whole.headers)
    asked = ask(wire, in_turn(wire, cut, whole), tmp_path, params={"max_tokens": 64000})
    assert asked.completion.attempts == 2
    assert asked.only.result is not None
    assert asked.only.result.correct


def test_sampling_settings_that_the_sdk_does_not_name_reach_the_wire(tmp_path: Path) -> None:
    wire = Anthropic()
    asked = ask(wire, honest(wire), tmp_path, params={"max_tokens": 100, "temperature": 0, "top_k": 1})
    body = asked.server.seen[0].body
    assert (body["temperature"], body["top_k"], body["max_tokens"]) == (0, 1, 100)
    assert asked.completion.native_config["temperature"] == 0


def test_the_category_of_a_refusal_is_kept(tmp_path: Path) -> None:
    wire = Anthropic()
    asked = ask(wire, always(wire, wire.refusal()), tmp_path)
    assert asked.completion.stop_details == "cyber: policy"


@pytest.mark.parametrize("params", [{}, {"max_tokens": 0}, {"max_tokens": "many"}, {"max_tokens": True}])
def test_anthropic_needs_a_cap(params: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="max_tokens has to be set"):
        open_one("anthropic", {"ANTHROPIC_API_KEY": "x"}, params=params)


# OpenAI and its like


def test_a_refusal_in_words_of_its_own_is_told_apart_from_an_answer(tmp_path: Path) -> None:
    for name in ("openai", "openai_chat"):
        wire = WIRES[name]
        asked = ask(wire, always(wire, wire.refusal()), tmp_path / name)
        assert asked.completion.stop_reason == "refusal"
        assert asked.completion.stop_details == "I can't help with that."


def test_a_prompt_against_the_vendors_policy_is_declined_not_broken(tmp_path: Path) -> None:
    wire = WIRES["openai"]
    reply = wire.reply([], "failed", None, {"code": "invalid_prompt", "message": "flagged"})
    asked = ask(wire, always(wire, reply), tmp_path)
    assert asked.only.result is not None
    assert asked.only.result.status is Status.REFUSAL
    assert asked.completion.stop_details == "invalid_prompt: flagged"


def test_thinking_that_a_compatible_server_counts_beside_the_output_is_added(tmp_path: Path) -> None:
    wire = WIRES["openai_chat"]
    body = json.loads(wire.success(RIGHT).body)
    body["usage"] = {
        "prompt_tokens": 100,
        "completion_tokens": 30,
        "total_tokens": 150,
        "completion_tokens_details": {"reasoning_tokens": 20},
    }
    asked = ask(wire, always(wire, as_json(body)), tmp_path, provider="openai_compatible", api_key_env="OPENAI_API_KEY")
    assert (asked.completion.output_tokens, asked.completion.thinking_tokens) == (50, 20)


def test_a_compatible_server_needs_no_key_and_takes_settings_of_its_own(tmp_path: Path) -> None:
    wire = WIRES["openai_chat"]

    def answer(seen: Seen) -> Reply:
        return wire.success(solve(wire.prompt(seen)))

    params = {"max_tokens": 9, "grammar": 'root ::= "A"', "top_k": 5}
    asked = ask(wire, answer, tmp_path, keys={}, provider="openai_compatible", params=params)
    body = asked.server.seen[0].body
    assert (body["grammar"], body["top_k"], body["max_tokens"]) == ('root ::= "A"', 5, 9)
    assert asked.completion.max_tokens == 9
    assert set(params) <= set(asked.completion.native_config)


@pytest.mark.parametrize(
    ("provider", "key", "address"),
    [
        ("groq", "GROQ_API_KEY", "https://api.groq.com/openai/v1/"),
        ("together", "TOGETHER_API_KEY", "https://api.together.xyz/v1/"),
        ("vllm", None, "http://127.0.0.1:8000/v1/"),
        ("openai_chat", "OPENAI_API_KEY", "https://api.openai.com/v1/"),
        ("openai", "OPENAI_API_KEY", "https://api.openai.com/v1/"),
        ("anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com"),
    ],
)
def test_presets_go_where_they_say_whatever_the_environment_says(
    provider: str, key: str | None, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.setenv(name, "http://elsewhere.example")
    params = {"max_tokens": 10} if provider == "anthropic" else {}
    found = open_one(provider, {key: "x"} if key else {}, params=params)
    assert str(found._client.base_url).rstrip("/") == address.rstrip("/")
    if key is not None:
        with pytest.raises(UserError, match=key):
            open_one(provider, {}, params=params)


def test_a_compatible_server_needs_an_address() -> None:
    with pytest.raises(UserError, match="base_url"):
        open_one("openai_compatible")


# Google


def test_the_waiting_time_in_googles_error_body_is_honoured(tmp_path: Path) -> None:
    wire = Google()
    asked = ask(wire, in_turn(wire, wire.retry_info("0.7s"), wire.success(RIGHT)), tmp_path)
    first, second = asked.server.seen
    assert second.at - first.at >= 0.7


def test_thinking_alone_that_used_up_the_cap_is_counted(tmp_path: Path) -> None:
    wire = Google()
    usage = {"promptTokenCount": 100, "thoughtsTokenCount": 400, "totalTokenCount": 500}
    asked = ask(wire, always(wire, wire.reply(None, "MAX_TOKENS", usageMetadata=usage)), tmp_path)
    assert (asked.completion.output_tokens, asked.completion.thinking_tokens) == (400, 400)
    assert asked.only.result is not None
    assert asked.only.result.status is Status.TRUNCATED


def test_google_is_asked_once_and_never_continues_by_itself(tmp_path: Path) -> None:
    wire = Google()
    asked = ask(wire, always(wire, wire.reply([{"text": "It follows"}], "CONTINUATION")), tmp_path)
    assert len(asked.server.seen) == 1
    assert asked.completion.text == "It follows"


def test_a_blocked_prompt_tells_its_reason(tmp_path: Path) -> None:
    wire = Google()
    asked = ask(wire, always(wire, wire.refusal()), tmp_path)
    assert asked.completion.stop_reason == "PROMPT_BLOCKED_PROHIBITED_CONTENT"


def test_a_wrong_native_setting_of_google_is_refused_with_its_place() -> None:
    keys = {"GEMINI_API_KEY": "x"}
    with pytest.raises(UserError, match=r"params\.thinking_config"):
        open_one("google", keys, params={"thinking_config": {"thinking_budget": "lots"}})
    with pytest.raises(UserError, match=r"params\.max_tokens is unknown"):
        open_one("google", keys, params={"max_tokens": 5})


# Cohere, Ollama, Bedrock


def test_what_cohere_bills_is_kept_beside_what_it_used(tmp_path: Path) -> None:
    asked = ask(WIRES["cohere"], honest(WIRES["cohere"]), tmp_path)
    assert (asked.completion.billed_input_tokens, asked.completion.billed_output_tokens) == (80, 45)


def test_ollama_needs_the_size_of_its_context() -> None:
    for params in ({}, {"options": {}}, {"options": {"num_ctx": "8k"}}, {"options": {"num_ctx": True}}):
        with pytest.raises(UserError, match="num_ctx has to be set"):
            open_one("ollama", params=params)
    with pytest.raises(UserError, match=r"params\.num_context is unknown"):
        open_one("ollama", params={"options": {"num_ctx": 10, "num_context": 10}})


@pytest.mark.parametrize("counted", [8192, 8191, 2])
def test_a_prompt_that_ollama_cut_is_no_answer(counted: int, tmp_path: Path) -> None:
    wire = Ollama()
    asked = ask(wire, always(wire, wire.reply(RIGHT, "stop", prompt_tokens=counted)), tmp_path)
    assert asked.only.result is not None
    if counted == 8191:
        assert asked.only.result.correct
        return
    assert asked.only.result.status is Status.TRUNCATED
    assert asked.only.flags == ("the prompt does not fit the context",)
    assert not asked.only.result.correct


def test_an_ollama_answer_that_pushed_the_prompt_out_is_flagged(tmp_path: Path) -> None:
    wire = Ollama()
    asked = ask(wire, always(wire, wire.reply(RIGHT, "stop", prompt_tokens=8170)), tmp_path)
    assert asked.only.flags == ("the context moved on during the answer",)


def test_bedrock_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    with pytest.raises(UserError, match="AWS_REGION"):
        open_one("bedrock")
    with pytest.raises(UserError, match="AWS credentials"):
        open_one("bedrock", {"AWS_REGION": "eu-central-1"})
    with pytest.raises(UserError, match=r"params\.maxTokens is unknown"):
        open_one("bedrock", dict(WIRES["bedrock"].keys), params={"maxTokens": 5})


# All


def test_a_server_that_was_never_there_is_given_up_quickly(tmp_path: Path) -> None:
    for name in ("openai", "anthropic", "google", "cohere", "ollama", "bedrock"):
        wire = WIRES[name]
        begun = time.monotonic()
        asked = ask(wire, honest(wire), tmp_path / name, count=5, concurrency=1, base_url="http://127.0.0.1:9")
        assert asked.report.tallies[0].stopped is not None, name
        assert "cannot reach http://127.0.0.1:9" in asked.report.tallies[0].stopped
        assert asked.report.fruitless == f"subject: {asked.report.tallies[0].stopped}"
        assert asked.report.tallies[0].attempts == 3
        assert time.monotonic() - begun < 20


QUIET = """
import logging, sys
sys.path.insert(0, sys.argv[1])
logging.basicConfig(level=logging.DEBUG, stream=sys.stdout)
from pathlib import Path
from harness import ask, honest
from wire import WIRES
for wire in WIRES.values():
    ask(wire, honest(wire), Path(sys.argv[2], wire.provider))
"""


def test_no_prompt_and_no_key_is_logged_even_where_debugging_is_asked_for(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", QUIET, str(Path(__file__).parent), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={
            **os.environ,
            "OPENAI_LOG": "debug",
            "ANTHROPIC_LOG": "debug",
            "GOOGLE_SDK_PYTHON_LOGGING_SCOPE": "google",
        },
    )
    assert done.returncode == 0, done.stderr
    for private in ("What is 0 + 1", "It follows", KEY, "secret/example"):
        assert private not in done.stdout + done.stderr


def test_a_missing_package_says_how_to_get_it(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['cohere'] = None\n"
        "from benchpress.errors import UserError\n"
        "from benchpress_evaluator.entrants import Entrant\n"
        "from benchpress_evaluator.providers import PROVIDERS\n"
        "from benchpress_evaluator.providers.base import open_provider\n"
        "entrant = Entrant(id='e', provider='cohere', model='m')\n"
        "try:\n    open_provider(PROVIDERS.get('cohere'), entrant, {'CO_API_KEY': 'x'})\n"
        "except UserError as problem:\n    print(problem)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert "install benchpress-evaluator[cohere]" in done.stdout


def test_a_key_never_shows_in_a_settings_object() -> None:
    provider = open_one("openai", {"OPENAI_API_KEY": "sk-very-secret-key"})
    assert "sk-very" not in repr(provider.settings)


def test_one_server_takes_many_calls_at_a_time_over_few_connections(tmp_path: Path) -> None:
    wire = WIRES["openai_chat"]
    with serve(honest(wire)):
        asked = ask(wire, honest(wire), tmp_path, count=120, concurrency=12)
    assert asked.report.complete
    assert 2 <= asked.server.most_in_flight <= 12
