"""What a grid's file may say: every field is checked, every complaint has its line, and no credential gets in."""

from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress_evaluator.credentials import is_credential
from benchpress_evaluator.grid.config import Config, load_config, parse_config
from benchpress_evaluator.grid.folder import check_run_id
from installed import Program, one_line_error

MODEL = "[{id: d, provider: dummy, model: m}]"


def grid(
    models: str = MODEL, benchmarks: str = "[{name: toy}]", methods: str = "[{name: direct}]", rest: str = ""
) -> str:
    return f"models: {models}\nbenchmarks: {benchmarks}\nmethods: {methods}\n{rest}\n"


def refusal(text: str) -> str:
    with pytest.raises(UserError) as problem:
        parse_config(text, "g.yaml")
    assert "\n" not in str(problem.value)
    return str(problem.value)


def test_what_is_left_out_has_the_stated_defaults() -> None:
    config = parse_config(grid(), "g.yaml")
    assert (config.run.seed, config.run.resume, config.run.dry_run) == (42, True, False)
    assert (config.run.prompt_version, config.run.cache_scope) == ("v1", "per_run")
    preflight = (
        parse_config(grid(methods="[{name: pride, preflight: {split: validation}}]"), "g.yaml").methods[0].preflight
    )
    assert preflight is not None
    assert (preflight.source, preflight.n) == ("benchmark", 100)


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        (grid(rest="runs: {}"), 4, "runs"),
        (grid(rest="experiment: {nam: x}"), 4, "experiment.nam"),
        (grid(models="[{id: d, provider: dummy, model: m, modell: x}]"), 1, "models.1.modell"),
        (grid(models="[{id: d, provider: dummy, model: m, price: {inputs: 1}}]"), 1, "models.1.price"),
        (grid(benchmarks="[{name: toy}, {name: toy, splits: x}]"), 2, "benchmarks.2.splits"),
        (grid(methods="[{name: direct, parameters: {}}]"), 3, "methods.1.parameters"),
        (grid(methods="[{name: pride, preflight: {m: 1}}]"), 3, "methods.1.preflight.m"),
        (grid(rest="run: {sede: 1}"), 4, "run.sede"),
    ],
)
def test_an_unknown_field_is_refused_at_every_level(text: str, line: int, field: str) -> None:
    message = refusal(text)
    assert message.startswith(f"g.yaml, line {line}: {field}")
    assert "unknown field; known are " in message


@pytest.mark.parametrize(
    "text",
    [
        grid(benchmarks="[{name: toy, n_samples: true}]"),
        grid(benchmarks="[{name: toy, n_samples: 1.0}]"),
        grid(benchmarks="[{name: toy, n_samples: '10'}]"),
        grid(benchmarks="[{name: toy, n_samples: 0}]"),
        grid(benchmarks="[{name: toy, subject_filter: anatomy}]"),
        grid(benchmarks="[{name: toy, subject_filter: []}]"),
        grid(benchmarks="[{name: 5}]"),
        grid(benchmarks="[]"),
        grid(benchmarks="{name: toy}"),
        grid(models="[]"),
        grid(models="[7]"),
        grid(models="[{id: d, provider: dummy, model: m, concurrency: true}]"),
        grid(models="[{id: d, provider: dummy, model: m, batch: 'yes'}]"),
        grid(models="[{id: d, provider: dummy, model: m, params: {temperature: .nan}}]"),
        grid(models="[{id: d, provider: dummy, model: m, base_url: 'https://user:pw@host/v1'}]"),
        grid(models="[a, b, a]"),
        grid(methods="[{name: direct, params: {temperature: .inf}}]"),
        grid(methods="[{name: direct, params: {1: x}}]"),
        grid(methods="[{name: direct, requires_logprobs: 1}]"),
        grid(methods="[{name: pride, modal_k_threshold: 0}]"),
        grid(methods="[{name: pride, modal_k_threshold: 1.01}]"),
        grid(methods="[{name: pride, modal_k_threshold: true}]"),
        grid(methods="[{name: pride, preflight: {n: 0}}]"),
        grid(rest="run: {seed: true}"),
        grid(rest="run: {seed: -1}"),
        grid(rest="run: {resume: 1}"),
        grid(rest="run: {concurrency_limit: 0}"),
        grid(rest="run: {cache_scope: everywhere}"),
        grid(rest="run: {max_cost: .nan}"),
        grid(rest="run: {prompt_version: ../v1}"),
        grid(rest="metrics: []"),
        grid(rest="metrics: [mad, mad]"),
        grid(rest="models: []"),
        "[]",
        "models: [",
    ],
)
def test_types_are_strict(text: str) -> None:
    assert refusal(text).startswith("g.yaml")


@pytest.mark.parametrize("name", ["seed", "prompts", "calibration", "modal_k", "modal_k_threshold", "condition_id"])
def test_what_the_grid_decides_is_no_parameter(name: str) -> None:
    assert "set by the grid" in refusal(grid(methods=f"[{{name: pride, params: {{{name}: 1}}}}]"))


PUBLISHED = """api_key apikey x_api_key access_key access_key_id auth aws_access_key_id aws_secret_access_key
authorization bearer_token client_secret id_token private_key refresh_token session_token x_auth_token access_token
auth_token password passwd my_api_key my_access_token my_auth_token my_private_key my_client_secret db_password"""
"""The published list of names, and one of every published ending."""

GAPS = ["clientSecret", "openaiApiKey", "hf_token", "api key"]
"""Names that the published rule lets through."""


@pytest.mark.parametrize(
    "name",
    [
        *PUBLISHED.split(),
        *GAPS,
        "API-KEY",
        "Api.Key",
        "OPENAI_API_KEY",
        "X-Auth-Token",
        "hfToken",
        "ａｐｉ＿ｋｅｙ",
        "apiKEY",
    ],
)
def test_credentials_are_refused_whatever_the_case_or_separator(name: str) -> None:
    assert is_credential(name)
    message = refusal(grid(methods=f"[{{name: direct, params: {{deep: [{{'{name}': sk-very-secret}}]}}}}]"))
    assert "looks like a credential" in message
    assert "sk-very-secret" not in message
    assert "looks like a credential" in refusal(grid(rest=f"run: {{'{name}': sk-very-secret}}"))


@pytest.mark.parametrize(
    "name",
    ["token", "secret", "secret_strength", "signature", "max_tokens", "pad_token", "tokenizer", "author", "key_order"],
)
def test_names_that_only_look_secret_are_parameters(name: str) -> None:
    assert not is_credential(name)
    parse_config(grid(methods=f"[{{name: direct, params: {{{name}: 1}}}}]"), "g.yaml")


def test_the_name_of_a_variable_is_no_key() -> None:
    config = parse_config(grid(models="[{id: d, provider: openai, model: m, api_key_env: MY_KEY}]"), "g.yaml")
    assert isinstance(config, Config)
    assert "credential" in refusal(grid(models="[{id: d, provider: openai, model: m, params: {api_key_env: X}}]"))


@pytest.mark.parametrize("name", ["a", "A.b_c-9", "0" * 128])
def test_names_of_runs(name: str) -> None:
    assert check_run_id(name) == name


@pytest.mark.parametrize("name", ["", ".", "..", "-a", "_a", "a/b", "a b", "a\n", "0" * 129, "é"])
def test_names_that_are_no_runs(name: str) -> None:
    with pytest.raises(UserError):
        check_run_id(name)


def test_the_templates_are_valid_and_name_every_field(program: Program, tmp_path: Path) -> None:
    made = program("grid", "template", "--out", "grid.yaml")
    assert made.returncode == 0, made.stderr
    text = (tmp_path / "grid.yaml").read_text()
    config = load_config(tmp_path / "grid.yaml").config
    for section in (config.run, config.benchmarks[0], config.methods[0]):
        for field in type(section).model_fields:
            assert f"{field}:" in text, field
    assert "exists already" in one_line_error(program("grid", "template", "toy", "--out", "grid.yaml"))
