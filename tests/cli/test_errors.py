"""A wrong input is one line that says what is wrong and what to do, exit code 2, and nothing is left behind."""

import json
from pathlib import Path

import pytest
from installed import Program, one_line_error

GENERATE = ("generate", "--module", "causal", "--n", "1", "--seed", "1")


ITEM = (
    '{"id": "x", "module": "m", "bundle": "b", "variant": "v", "level": 1, "params": {}, "parts": [], "prompt": "p", '
    '"%s": "%s"}'
)


@pytest.fixture
def items(program: Program, tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    assert program(*GENERATE, "--variant", "base", "--bundle", "confounding", "--out", path).returncode == 0
    return path


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("generat",), "did you mean 'generate'"),
        ((*GENERATE, "--out", "x.jsonl", "--bundle", "nosuch"), "unknown bundle 'nosuch'"),
        ((*GENERATE, "--out", "x.jsonl", "--variant", "nosuch"), "unknown variant 'nosuch'"),
        ((*GENERATE, "--out", "x.jsonl", "--level", "0"), "level 0"),
        ((*GENERATE, "--out", "x.jsonl", "--level", "11"), "level 11"),
        (("generate", "--module", "causal", "--n", "-3", "--seed", "1", "--out", "x.jsonl"), "negative"),
        (("generate", "--module", "nosuch", "--n", "1", "--seed", "1", "--out", "x.jsonl"), "unknown module"),
        (("generate", "--module", "causal", "--n", "1", "--out", "x.jsonl"), "--secret-file"),
        ((*GENERATE, "--out", "nosuch/x.jsonl"), "cannot write"),
        ((*GENERATE, "--out", "x.jsonl", "--cluster", "tcp://127.0.0.1:9"), "127.0.0.1:9"),
        (("verify", "nosuch.jsonl"), "cannot read nosuch.jsonl"),
        (("show", "nosuch.jsonl", "x"), "cannot read nosuch.jsonl"),
        (("schema", "nosuch"), "unknown file format"),
        (("schema", "os:path"), "'os:path' is no file format"),
        (("schema", "json:dumps"), "'json:dumps' is no file format"),
        (("schema", "threading:Thread"), "'threading:Thread' is no file format"),
        (("generate", "--module", "json:dumps", "--n", "1", "--seed", "1", "--out", "x.jsonl"), "is no module"),
        ((*GENERATE, "--out", "x.jsonl", "--cluster", "nonsense"), "tcp://host:port"),
        ((*GENERATE, "--out", "x.jsonl", "--cluster", "tcp://host:99999"), "tcp://host:port"),
        (("generate", "--n"), "--n"),
        (("generate", "--nosuch"), "--nosuch"),
    ],
)
def test_wrong_arguments(program: Program, tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    assert says in one_line_error(program(*words))
    assert [path.name for path in tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{not json", "line 2"),
        ("[1, 2]", "line 2"),
        ('{"id": "x"}', "line 2"),
        ("[" * 100_000, "line 2"),
        (ITEM % ("prompt", "\\ud800 What?"), "line 2: not an item (it holds half a character"),
        (ITEM % ("bundle", "\\udfff"), "line 2: not an item (it holds half a character"),
    ],
)
def test_a_broken_line_is_named(program: Program, items: Path, line: str, says: str) -> None:
    with items.open("a") as file:
        file.write(line + "\n")
    for words in (("verify", items), ("audit-items", items), ("show", items, "zzz")):
        error = one_line_error(program(*words))
        assert says in error
        assert items.name in error


def test_a_repeated_id_is_named(program: Program, items: Path) -> None:
    items.write_text(items.read_text() * 2)
    assert "occurs twice" in one_line_error(program("verify", items))


def test_a_secret_is_a_file_of_64_hex_digits(program: Program, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("abcd\n")
    words = ("generate", "--module", "causal", "--n", "0", "--out", "x.jsonl", "--secret-file", secret)
    assert "64 hex digits" in one_line_error(program(*words))
    secret.write_text("zz" * 32)
    assert "in hex" in one_line_error(program(*words))
    secret.write_text("ab" * 32 + "\n")
    assert program(*words).returncode == 0


def test_verify_names_the_altered_key_and_derives_a_missing_one(program: Program, items: Path) -> None:
    value = json.loads(items.read_text())
    right = [part["gold"] for part in value["parts"]]
    for part in value["parts"]:
        part["gold"] = None
    items.write_text(json.dumps(value))
    done = program("verify", items)
    assert done.returncode == 0, done.stdout
    assert f"{len(right)} parts had no gold; it was derived" in done.stdout

    for part, gold in zip(value["parts"], right, strict=True):
        part["gold"] = gold
    value["parts"][1]["gold"] = "12345"
    items.write_text(json.dumps(value))
    done = program("verify", items)
    assert done.returncode == 1
    assert value["id"] in done.stdout
    assert value["parts"][1]["id"] in done.stdout


def test_no_traceback_for_an_error_of_ours(program: Program, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "from types import SimpleNamespace\n"
        "from benchpress.generation import BundleInfo\n"
        "MODULE = SimpleNamespace(name='broken', bundles={'b': BundleInfo('', ('base',), {})}, make=len, verify=len)\n"
    )
    done = program(
        "generate", "--module", "broken:MODULE", "--n", "1", "--seed", "1", "--out", "x", PYTHONPATH=str(tmp_path)
    )
    assert done.returncode == 70
    assert "Traceback" not in done.stderr
    assert "internal error" in done.stderr


def test_a_plug_in_that_breaks_while_it_is_loaded_is_named(program: Program, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("1 / 0\n")
    words = ("generate", "--module", "broken:MODULE", "--n", "1", "--seed", "1", "--out", "x")
    assert "'broken:MODULE' cannot be loaded" in one_line_error(program(*words, PYTHONPATH=str(tmp_path)))


def test_a_part_type_of_a_stranger_that_is_none_is_named(program: Program, items: Path) -> None:
    value = json.loads(items.read_text())
    value["parts"][0]["type"] = "io:StringIO"
    items.write_text(json.dumps(value))
    (items.parent / "responses.jsonl").write_text("")
    error = one_line_error(program("grade", items, "responses.jsonl", "--out", "scores.jsonl"))
    assert "'io:StringIO' is no part type" in error
