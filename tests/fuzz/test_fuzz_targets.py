"""Every parser of outside input over its seeds and a fixed set of bent inputs; what was found stays found."""

from dataclasses import replace

import pytest
from benchpress.errors import UserError
from benchpress_evaluator.providers.errors import RetryableError
from benchpress_evaluator.providers.fitting import fitting
from benchpress_evaluator.records import Completion
from benchpress_evaluator.yaml_file import parse_yaml
from benchpress_site.data import read_publication
from fuzz_targets import TARGETS
from fuzzing import as_json, fault_of, inputs
from mended_faults import MENDED
from mended_generator_faults import MENDED_GENERATOR
from targets_servers import provider_of


@pytest.mark.parametrize("name", TARGETS)
def test_a_parser_keeps_its_contract_whatever_it_is_given(name: str) -> None:
    target = TARGETS[name]
    for data in inputs(target, target.rounds):
        found = fault_of(target, data)
        assert found is None, f"{found}: {data[:500]!r}"


ONCE = [*MENDED, *MENDED_GENERATOR]


@pytest.mark.parametrize(("name", "data"), ONCE, ids=[f"{name}-{place}" for place, (name, _) in enumerate(ONCE)])
def test_what_once_broke_a_contract_keeps_it(name: str, data: bytes) -> None:
    assert fault_of(TARGETS[name], data) is None


def test_counts_of_another_type_are_unknown_and_the_answer_is_kept() -> None:
    odd: dict[str, object] = {"input_tokens": "9", "output_tokens": 1.5, "cached_tokens": True, "model_served": ["m"]}
    found = fitting(replace(Completion("N: 2", "stop", thinking_tokens=3), **odd))  # type: ignore[arg-type]
    assert (found.text, found.stop_reason, found.thinking_tokens) == ("N: 2", "stop", 3)
    assert [getattr(found, name) for name in odd] == [None] * 4
    assert set(found.flags) == {f"unreadable {name}" for name in odd}
    for change in ({"text": ["N: 2"]}, {"stop_reason": 5}):
        with pytest.raises(RetryableError, match="unreadable body"):
            fitting(replace(Completion("N: 2", "stop"), **change))  # type: ignore[arg-type]


def test_a_stored_completion_of_another_type_is_refused() -> None:
    for change in (
        {"input_tokens": -1},
        {"input_tokens": 1 << 60},
        {"latency_s": "1"},
        {"native_config": []},
        {"flags": [1]},
    ):
        with pytest.raises(TypeError, match=next(iter(change))):
            Completion.from_json({"text": "a", **change})


def test_a_result_of_a_batch_is_cut_at_line_ends_alone() -> None:
    text = "N: 2\u2028or\u0085so"
    message = {"type": "message", "content": [{"type": "output_text", "text": text}]}
    body = {"status": "completed", "output": [message]}
    line = as_json({"custom_id": "t-0", "response": {"status_code": 200, "body": body}}).decode()
    batches = provider_of("openai")[1].batches()
    assert "\u2028" in line
    found = batches.result_of(line)  # type: ignore[attr-defined]
    assert (found[0], found[1].text) == ("t-0", text)
    assert batches.result_of('{"custom_id": "t-1"') is None  # type: ignore[attr-defined]


def test_aliases_of_a_roster_are_read_and_those_without_an_end_are_not() -> None:
    assert parse_yaml("a: &x {b: 1}\nc: {<<: *x, d: 2}\n", "f")[1] == {"a": {"b": 1}, "c": {"b": 1, "d": 2}}
    with pytest.raises(UserError, match=r"f, line 1: .*holds itself"):
        parse_yaml("a: &x [*x]", "f")
    with pytest.raises(UserError, match="100,000 values"):
        parse_yaml(
            "a: &a [0,0,0,0,0,0,0,0,0,0]\n"
            + "".join(f"b{n}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 10)}]\n" for n in range(6)),
            "f",
        )


@pytest.mark.parametrize("name", ["../other", "..", "", "a/b"])
def test_the_site_reads_no_version_outside_of_its_folder(name: str, tmp_path) -> None:
    entry = {
        "version": name,
        "track": "causal",
        "title": "t",
        "status": "demo",
        "date": "2026-01-01",
        "items": 1,
        "entrants": 1,
        "root": None,
        "note": "",
    }
    (tmp_path / "versions.json").write_bytes(as_json({"versions": [entry]}))
    with pytest.raises(UserError, match="cannot be the name of a folder"):
        read_publication(tmp_path)
