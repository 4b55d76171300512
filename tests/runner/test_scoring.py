"""Scoring works offline, from the journal alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchpress.items import Status
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.records import Call, CallKey, Completion, Request, configuration_digest
from benchpress_evaluator.scoring import score
from harness import DIRECT, VERSION, ask, honest, items
from wire import WIRES

WIRE = WIRES["anthropic"]

OFFLINE = """
import json, socket, sys
from importlib.abc import MetaPathFinder

BARRED = {"anthropic", "openai", "google", "cohere", "ollama", "boto3", "botocore", "httpx", "httpx2", "xllamacpp"}

class Bar(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BARRED or name.startswith("benchpress_evaluator.providers"):
            raise ImportError(f"{name} is barred")

sys.meta_path.insert(0, Bar())

def no_network(*args, **kwargs):
    raise OSError("no network")

socket.socket.connect = no_network
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from benchpress.items import Item
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.scoring import score
from benchpress_evaluator.storage import open_storage

given = json.loads(sys.stdin.read())
items = [Item.from_json(item) for item in given["items"]]
entrant = Entrant.model_validate(given["entrant"])
journal = Journal.open(open_storage(Path(sys.argv[1])), "journal", None)
rows = score(items, journal.records(), given["version"], [entrant], [MethodChoice("direct")])
print(json.dumps([[row.item_id, row.result.to_json(), row.output_tokens, row.cost_usd, row.at] for row in rows]))
"""


def test_scoring_with_every_provider_package_unimportable_gives_the_same_result(tmp_path: Path) -> None:
    price = {"input": 3, "output": 15, "cached_input": "0.3", "cache_write": "3.75", "date": "2026-10-01"}
    asked = ask(WIRE, honest(WIRE), tmp_path, count=12, price=price)
    entrant = {
        "id": "subject",
        "provider": WIRE.provider,
        "model": WIRE.model,
        "params": dict(WIRE.params),
        "price": price,
    }
    given = {"items": [item.to_json() for item in items(12)], "entrant": entrant, "version": VERSION}
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, str(tmp_path), str(Path(__file__).parent)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    expected = [
        [row.item_id, row.result.to_json(), row.output_tokens, row.cost_usd, row.at]
        for row in asked.scored
        if row.result
    ]
    assert json.loads(done.stdout) == json.loads(json.dumps(expected))
    # 60 fresh, 30 cached and 10 written input tokens and 50 generated, by hand.
    assert asked.scored[0].cost_usd == pytest.approx((60 * 3 + 30 * 0.3 + 10 * 3.75 + 50 * 15) / 1e6)


ENTRANT = Entrant.model_validate({"id": "e", "provider": "openai", "model": "m", "params": {"temperature": 0.5}})


def call(number: int, text: str | None, error: str | None = None, run: int = 1, entrant: Entrant = ENTRANT) -> dict:
    item = items(5)[number]
    key = CallKey(
        VERSION, item.id, entrant.id, "direct", run, "answer", Request.of(item.prompt).digest(entrant.configuration)
    )
    completion = Completion(text, "stop", error=error, output_tokens=7, input_tokens=3)
    return Call(key, completion, "2026-10-01T12:00:00Z").to_json()


def statuses(*records: dict) -> list[Status | None]:
    rows = list(score(items(3), records, VERSION, [ENTRANT], DIRECT))
    return [row.result.status if row.result else None for row in rows]


def test_the_first_answer_of_a_key_stands_and_only_an_api_error_gives_way() -> None:
    assert statuses(call(0, "N: 1"), call(0, "N: 9")) == [Status.OK, None, None]
    rows = list(score(items(1), [call(0, "N: 1"), call(0, "N: 9")], VERSION, [ENTRANT], DIRECT))
    assert [row.result.correct for row in rows if row.result] == [True]
    rows = list(score(items(1), [call(0, None, "HTTP 500"), call(0, "N: 1")], VERSION, [ENTRANT], DIRECT))
    assert [row.result.correct for row in rows if row.result] == [True]
    rows = list(score(items(1), [call(0, "", None), call(0, "N: 1")], VERSION, [ENTRANT], DIRECT))
    assert [row.result.status for row in rows if row.result] == [Status.INVALID_ANSWER]
    assert statuses(call(0, None, "HTTP 500"), call(0, None, "HTTP 502")) == [Status.API_ERROR, None, None]


def test_an_entrant_that_was_never_run_is_pending_everywhere() -> None:
    rows = list(score(items(3), [], VERSION, [ENTRANT], DIRECT))
    assert [(row.result, row.run, row.cost_usd, row.output_tokens, row.at) for row in rows] == [
        (None, 1, None, None, None)
    ] * 3


def test_repeats_do_not_collapse_into_one_answer() -> None:
    records = [call(0, "N: 1"), call(0, "N: 2", run=2), call(1, "N: 2", run=2)]
    rows = list(score(items(2), records, VERSION, [ENTRANT], DIRECT))
    assert [(row.run, row.item_id[-1], row.result and row.result.correct) for row in rows] == [
        (1, "0", True),
        (1, "1", None),
        (2, "0", False),
        (2, "1", True),
    ]


def test_records_of_other_kinds_and_other_entrants_are_passed_over() -> None:
    other = Entrant.model_validate({"id": "other", "provider": "openai", "model": "m"})
    assert statuses({"note": "a line of the register"}, call(1, "N: 2", entrant=other), call(0, "N: 1")) == [
        Status.OK,
        None,
        None,
    ]


def test_the_digest_of_a_request_holds_every_setting_and_no_default() -> None:
    base = {"temperature": 0, "top_p": 0.5, "stop": ["a"], "nested": {"k": 1.5}}
    variants = [
        {**base, "temperature": 0.7},
        {**base, "temperature": None},
        {**base, "stop": ["b"]},
        {**base, "nested": {"k": 1.25}},
        {key: value for key, value in base.items() if key != "top_p"},
    ]
    digests = {configuration_digest("openai", "m", params) for params in [base, *variants]}
    assert len(digests) == 6
    assert configuration_digest("openai", "m", {**base, "temperature": 0.0}) in digests
    assert configuration_digest("openai", "m", dict(reversed(base.items()))) in digests
    assert configuration_digest("openai", "n", base) not in digests
    assert configuration_digest("openai_chat", "m", base) not in digests


def test_a_call_survives_writing_and_reading() -> None:
    whole = Completion(
        text="é \u0000 \U0001f642",
        stop_reason="stop",
        stop_details="d",
        input_tokens=1,
        output_tokens=2,
        thinking_tokens=0,
        cached_tokens=0,
        cache_write_tokens=None,
        latency_s=0.25,
        waited_s=0.5,
        attempts=3,
        max_tokens=10,
        request_id="r",
        model_served="m",
        native_config={"temperature": 0.5, "thinking": {"type": "adaptive"}},
        option_scores={"A": -0.5},
        batch=True,
        service_tier="flex",
        billed_input_tokens=1,
        billed_output_tokens=2,
        flags=("x", "y"),
    )
    for completion in (whole, Completion(None), Completion("", error="HTTP 500")):
        record = Call(CallKey("v", "i", "e", "m", 1, "s", "d"), completion, "2026-10-01T12:00:00Z", "2/3")
        assert Call.from_json(json.loads(json.dumps(record.to_json(), allow_nan=False))) == record
