"""What makes two experiments the same, in the small: normal forms, digests of code, and redaction before cutting."""

import json
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchpress_evaluator.grid import implementation
from benchpress_evaluator.grid.identity import identity, normal, sha256_of
from benchpress_evaluator.grid.manifest import differing
from benchpress_evaluator.methods import METHODS
from benchpress_evaluator.redaction import LIMIT, redact
from grids import write_module
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def distinct(value: Any) -> bool:
    """Whether no mapping in `value` has two keys that are one in NFC."""
    if isinstance(value, dict):
        keys = {unicodedata.normalize("NFC", name) for name in value}
        return len(keys) == len(value) and all(map(distinct, value.values()))
    return all(map(distinct, value)) if isinstance(value, list) else True


@given(VALUES.filter(distinct))
def test_order_and_form_of_text_do_not_matter(value: Any) -> None:
    def turned(one: Any) -> Any:
        if isinstance(one, dict):
            return {unicodedata.normalize("NFD", name): turned(one[name]) for name in reversed(one)}
        if isinstance(one, list):
            return tuple(map(turned, one))
        return unicodedata.normalize("NFD", one) if isinstance(one, str) else one

    assert sha256_of(value) == sha256_of(turned(value))


def test_numbers_are_exact() -> None:
    assert sha256_of(-0.0) == sha256_of(0.0) == sha256_of(0)
    assert len({sha256_of(value) for value in (0.1, "0.1", 0.1 + 2**-54, 1, True, "1", None, "")}) == 8


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), {1: "a"}, {"é": 1, "e\u0301": 2}, object(), {"a": [float("-inf")]}]
)
def test_what_has_no_identity(value: Any) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        normal(value)


def test_sets_have_an_order() -> None:
    assert normal({"b", "a", "c"}) == ["a", "b", "c"]
    assert identity("exp", {"a": 1}).startswith("exp_")
    assert len(identity("exp", {"a": 1})) == 4 + 16


CODE = """
class Base:
    def answer(self, text):
        if text:
            return text.upper()
        return None


METHOD = Base()
"""


@pytest.fixture
def digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """The digest of a plug-in of two modules with these texts."""

    def make(code: str, helper: str = "LIMIT = 3\n") -> str:
        package = tmp_path / "plug"
        package.mkdir(exist_ok=True)
        write_module(package, "__init__", "", monkeypatch)
        write_module(package, "helper", helper, monkeypatch)
        write_module(package, "main", f"from plug.helper import LIMIT\n{code}", monkeypatch)
        monkeypatch.syspath_prepend(str(tmp_path))
        for name in [name for name in sys.modules if name.partition(".")[0] == "plug"]:
            del sys.modules[name]
        for one in (implementation.code_of, implementation.imports_of, implementation._tree):
            one.cache_clear()
        found: Any = __import__("plug.main", fromlist=["METHOD"]).METHOD
        return implementation.implementation_digest(found)

    return make


@pytest.mark.parametrize(
    "code",
    [
        "# Why.\n" + CODE,
        CODE.replace("class Base:\n", 'class Base:\n    """What it is."""\n\n'),
        CODE.replace("return text.upper()", "return (\n                text.upper()\n            )"),
        CODE.replace("    ", "  "),
        CODE.replace("if text:", "if text:  # there"),
    ],
)
def test_layout_and_comments_are_no_part_of_the_code(code: str, digest: Callable[..., str]) -> None:
    assert digest(code) == digest(CODE)


@pytest.mark.parametrize(
    ("code", "helper"),
    [
        (CODE.replace("upper", "lower"), "LIMIT = 3\n"),
        (CODE.replace("None", "''"), "LIMIT = 3\n"),
        (CODE.replace("answer", "answers"), "LIMIT = 3\n"),
        (CODE + "ONE = True\n", "LIMIT = 3\n"),
        (CODE, "LIMIT = 4\n"),
    ],
)
def test_what_the_code_does_is(code: str, helper: str, digest: Callable[..., str]) -> None:
    assert digest(code, helper) != digest(CODE)


def test_every_built_in_method_has_a_digest_of_its_own_that_covers_the_reader() -> None:
    found = {name: implementation.implementation_digest(METHODS.get(name)) for name in METHODS.names()}
    assert len(set(found.values())) == len(found)
    assert "benchpress.parts.selections" in implementation.imports_of("benchpress.parts.choice")


SAME = {"calibrations": {}, "conditions": ["c"], "prompts": {}, "models": {}, "methods": {}, "seed": 1}


def sections(**changes: Any) -> dict[str, Any]:
    return {**SAME, "benchmarks": {"toy": {"name": "toy"}}, **changes}


def test_a_refusal_names_what_differs() -> None:
    assert differing(sections(), sections()) == []
    assert differing(sections(), sections(seed=2)) == ["seed"]
    assert differing(sections(), sections(prompts={"version": "v2"})) == ["prompts"]
    two = {"toy": {"name": "toy"}, "mmlu": {"name": "mmlu"}}
    assert differing(sections(), sections(benchmarks=two)) == ["benchmarks (mmlu)"]
    assert differing(sections(calibrations={"sel_1": {}}), sections(calibrations={"sel_2": {}})) == ["calibrations"]


def test_only_what_was_unresolved_may_be_resolved() -> None:
    before = sections(benchmarks={"toy": {"name": "toy", "split": None, "n_samples": 3, "unresolved": True}})
    now = {"toy": {"name": "toy", "split": "test", "n_samples": 3, "selection": {"rows": 3}}}
    assert differing(before, sections(benchmarks=now, conditions=["d"])) == []
    now["toy"]["n_samples"] = 4
    assert differing(before, sections(benchmarks=now)) == ["benchmarks (toy)"]
    # And nothing that was resolved may be lost again.
    assert differing(sections(benchmarks=now), before) == ["benchmarks (toy)"]


@pytest.mark.parametrize(
    "secret",
    [
        "Bearer abcdefghijklmnop",
        "https://me:pass@host/v1?key=abcdefgh",
        "api_key=abcdefgh",
        "?X-Amz-Signature=abcdefgh0123",
        "clientSecret: abcdefgh",
        '"openaiApiKey": "abcdefgh"',
        "hf_token = abcdefgh",
        "api key: abcdefgh",
        "hf_abcdefghijklmnopqrst",
        "password=abcdefgh",
    ],
)
def test_errors_are_redacted_before_they_are_cut(secret: str) -> None:
    # The secret lies across the place where the text is cut.
    for room in range(LIMIT - len(secret) - 4, LIMIT):
        shown = redact("x" * room + " " + secret)
        assert len(shown) <= LIMIT
        assert "abcd" not in shown
        assert "pass@" not in shown
    assert json.dumps(redact(secret))
