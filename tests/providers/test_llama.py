"""OpenAI's and Anthropic's providers, and the local one, against a real server with a real model."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from math import exp
from pathlib import Path
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.items import Item, Status
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.plan import Plan
from benchpress_evaluator.providers.base import Settings
from benchpress_evaluator.providers.errors import ConfigurationError
from benchpress_evaluator.providers.local import Local
from benchpress_evaluator.records import Call, Completion, Request, ScoredItem
from benchpress_evaluator.runner import RunReport, run
from benchpress_evaluator.scoring import score
from benchpress_evaluator.storage import open_storage
from harness import DIRECT, QUICK, VERSION, items

pytestmark = pytest.mark.xdist_group("llama")


def put(folder: Path, questions: list[Item], **fields: Any) -> tuple[RunReport, list[ScoredItem], list[Call]]:
    entrant = Entrant.model_validate({"id": "subject", "model": "local", "timeout_s": 60, **fields})
    journal = Journal.open(open_storage(folder), "journal", None)
    keys = {"OPENAI_API_KEY": "none", "ANTHROPIC_API_KEY": "none"}
    report = run(Plan(VERSION, questions, [entrant], DIRECT, retry=QUICK), journal, keys)
    calls = [Call.from_json(record) for record in journal.records()]
    return report, list(score(questions, journal.records(), VERSION, [entrant], DIRECT)), calls


def stories(count: int) -> list[Item]:
    """Questions whose answer comes after a long story: a small cap cuts it, whatever the model makes of it."""
    prompt = "Tell a long story about the sea, of many pages, then end with a line N: and the number of ships in it."
    return [replace(item, prompt=prompt) for item in items(count)]


def status(row: ScoredItem) -> Status:
    assert row.result is not None
    return row.result.status


def usual(completion: Completion, cap: int) -> None:
    assert completion.text
    assert completion.input_tokens is not None
    assert 20 < completion.input_tokens < 80
    assert completion.output_tokens is not None
    assert 0 < completion.output_tokens <= cap
    assert completion.error is None
    assert completion.flags == ()


def test_chat_completions(llama: str, tmp_path: Path) -> None:
    params = {"max_tokens": 24, "temperature": 0}
    report, rows, calls = put(tmp_path, items(3), provider="openai_compatible", base_url=f"{llama}/v1", params=params)
    assert report.complete
    assert all(row.result is not None for row in rows)
    for call in calls:
        usual(call.completion, 24)
        assert call.completion.stop_reason in ("stop", "length")


def test_a_cut_is_seen(llama: str, tmp_path: Path) -> None:
    params = {"max_tokens": 3, "temperature": 0}
    fields = {"provider": "openai_compatible", "base_url": f"{llama}/v1", "params": params}
    _, rows, calls = put(tmp_path, stories(1), **fields)
    assert calls[0].completion.stop_reason == "length"
    assert [status(row) for row in rows] == [Status.TRUNCATED]


def test_responses(llama: str, tmp_path: Path) -> None:
    params = {"max_output_tokens": 24, "temperature": 0}
    report, rows, calls = put(tmp_path, stories(3), provider="openai", base_url=f"{llama}/v1", params=params)
    assert report.complete
    for call in calls:
        usual(call.completion, 24)
    # This server calls a response complete even where the cap cut it; the token counts tell.
    assert [call.completion.output_tokens for call in calls] == [24] * 3
    assert [status(row) for row in rows] == [Status.TRUNCATED] * 3


@pytest.mark.parametrize("cap", [24, 30_000])
def test_messages_with_and_without_streaming(llama: str, tmp_path: Path, cap: int) -> None:
    params = {"max_tokens": cap, "stop_sequences": ["."], "temperature": 0}
    report, _, calls = put(tmp_path, items(2), provider="anthropic", base_url=llama, params=params)
    assert report.complete
    for call in calls:
        usual(call.completion, min(cap, 2048))
        assert call.completion.stop_reason in ("end_turn", "stop_sequence", "max_tokens")
        assert call.completion.max_tokens == cap


def test_a_prompt_longer_than_the_context_is_no_wrong_configuration(llama: str, tmp_path: Path) -> None:
    entrant = Entrant.model_validate(
        {"id": "e", "provider": "openai_compatible", "model": "local", "base_url": f"{llama}/v1", "params": {}}
    )
    long = [replace(items(1)[0], prompt="word " * 5000)]
    journal = Journal.open(open_storage(tmp_path), "journal", None)
    report = run(Plan(VERSION, long, [entrant], DIRECT, retry=QUICK), journal, {})
    (row,) = score(long, journal.records(), VERSION, [entrant], DIRECT)
    assert report.complete
    assert row.result is not None
    assert row.result.status is Status.TRUNCATED


def test_the_local_model_says_the_same_every_time_and_leaves_no_process(llama: str, tmp_path: Path) -> None:
    before = servers()
    fields = {"provider": "local", "model": "smollm2-135m-instruct", "params": {"max_tokens": 16, "context": 1024}}
    _, _, first = put(tmp_path / "one", items(3), **fields)
    _, _, second = put(tmp_path / "two", items(3), **fields)
    said = [[(call.key, call.completion.text) for call in calls] for calls in (first, second)]
    assert said[0] == said[1]
    assert first[0].completion.native_config["temperature"] == 0
    assert servers() == before


def servers() -> int:
    """How many servers of this process are there."""
    found = subprocess.run(
        ["ps", "-ww", "-o", "args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=False
    )
    return found.stdout.count("llama_server")


def test_scores_of_options_are_log_probabilities_of_single_tokens(llama: str) -> None:
    prompt = "Which is a fruit?\nA. a stone\nB. an apple\nC. a car\nD. a house\nAnswer with the letter only."

    async def ask(labels: tuple[str, ...]) -> Completion:
        provider = Local(Settings("e", "smollm2-135m-instruct", {"context": 1024}))
        try:
            await provider.start()
            request = Request.of(prompt)
            return await provider.complete(Request(request.messages, option_labels=labels))
        finally:
            await provider.aclose()

    found = asyncio.run(ask(("A", "B", "C", "D")))
    assert found.option_scores is not None
    assert set(found.option_scores) == {"A", "B", "C", "D"}
    assert all(score < 0 for score in found.option_scores.values())
    assert 0.3 < sum(exp(score) for score in found.option_scores.values()) <= 1
    with pytest.raises(ConfigurationError, match="not one token"):
        asyncio.run(ask(("A", "Rhododendron")))


def test_the_server_dies_with_its_parent_even_by_kill_9(llama: str) -> None:
    code = (
        "import asyncio\n"
        "from benchpress_evaluator.providers.base import Settings\n"
        "from benchpress_evaluator.providers.local import Local\n"
        "provider = Local(Settings('e', 'smollm2-135m-instruct', {'context': 512}))\n"
        "asyncio.run(provider.start())\n"
        "print(provider._server._process.pid, flush=True)\n"
        "import time; time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    os.kill(child, 0)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and Path(f"/proc/{child}").exists():
        time.sleep(0.05)
    assert not Path(f"/proc/{child}").exists() or " Z" in Path(f"/proc/{child}/stat").read_text()


@pytest.mark.parametrize(
    ("model", "params", "message"),
    [
        ("gpt-9", {}, "unknown local model"),
        ("/nowhere/model.gguf", {}, "no weights at"),
        ("smollm2-135m-instruct", {"slots": 0}, "params.slots"),
        ("smollm2-135m-instruct", {"context": "many"}, "params.context"),
        ("smollm2-135m-instruct", {"messages": []}, "set by the runner"),
    ],
)
def test_wrong_settings_are_one_line(llama: str, model: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Local(Settings("e", model, params))


def test_a_broken_file_of_weights_stops_the_entrant(llama: str, tmp_path: Path) -> None:
    weights = tmp_path / "broken.gguf"
    weights.write_bytes(b"GGUF but not really")
    report, _, calls = put(tmp_path, items(3), provider="local", model=str(weights))
    assert report.tallies[0].stopped is not None
    assert "server ended" in report.tallies[0].stopped
    assert calls == []
