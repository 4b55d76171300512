# ruff: noqa: E501 - an answer stays on one line, as it is read
"""The outside cases: answers written down by somebody else with what a careful person reads in them."""

import json
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from benchpress.grading import grade_item
from benchpress.items import ItemResult, Part, Response
from reading import item_of

DATA = Path(__file__).parents[1] / "data"
TYPES = {"number": "number", "set": "node_set", "edges": "edges", "sequence": "sequence", "verdict": "verdict"}
DUMMIES: dict[str, Any] = {"number": "0", "set": [], "edges": [], "sequence": ["A"], "verdict": "yes"}


def _load(name: str) -> Iterator[dict[str, Any]]:
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if "raw_parts" in case:
            case["raw"] = "".join(text * times for text, times in case["raw_parts"])
        yield case


def _kinds(case: dict[str, Any]) -> dict[str, str]:
    return case["params"].get("types") or {case["labels"][0]: case["kind"]}


def _parts(case: dict[str, Any]) -> tuple[Part, ...]:
    given = case["params"]
    parts = []
    for label, kind in _kinds(case).items():
        names = {"set": ("universe",), "edges": ("universe", "directed"), "sequence": ("universe", "cyclic"), "number": ("tolerance",), "verdict": ("vocabulary", "classes")}[kind]  # fmt: skip
        params = {name: str(given[name]) if name == "tolerance" else given[name] for name in names if name in given}
        want = case["expect"][label]
        gold = given.get("key", DUMMIES[kind] if want is None else want)
        parts.append(Part(label, TYPES[kind], gold, params))
    return tuple(parts)


def _grade(case: dict[str, Any]) -> ItemResult:
    text = case["raw"]
    if case["kind"] not in ("extract", "status"):
        text = f"{case['labels'][0]}: {text}"
    given = case["params"]
    response = Response(
        "case", text, case.get("stop_reason"), None, given.get("output_tokens"), given.get("max_tokens")
    )
    return grade_item(item_of(*_parts(case)), response)


def _same(kind: str, got: Any, want: Any) -> bool:
    if got is None or want is None or kind != "number":
        return bool(got == want)
    return abs(Fraction(got) - Fraction(want)) <= abs(Fraction(want)) * Fraction(1, 10**12)


def _passes(case: dict[str, Any], result: ItemResult) -> bool:
    got = {part.id: part.parsed for part in result.parts}
    kinds = _kinds(case)
    wanted = [case["expect"], *(case.get("alt", []) if case.get("alt") != "any" else [])]
    values = case.get("alt") == "any" or any(
        all(_same(kinds[label], got[label], want[label]) for label in kinds) for want in wanted
    )
    status = "status" not in case or str(result.status) in (case["status"], *case.get("alt_status", ()))
    marks = {part.id: part.correct for part in result.parts}
    return values and status and all(marks[label] == mark for label, mark in case.get("correct", {}).items())


TAGGED = list(_load("tagged_cases.jsonl"))
FURTHER = list(_load("further_tagged_cases.jsonl"))
"""Written down before the reader was run on them; those that careful people could read in two ways were left out."""
UNCONTESTED = [case for case in TAGGED if "contested" not in case]
CONTESTED = [case for case in TAGGED if "contested" in case]


def test_all_cases_are_there() -> None:
    assert (len(UNCONTESTED), len(CONTESTED)) == (387, 40)


@pytest.mark.parametrize("case", UNCONTESTED, ids=lambda case: case["id"])
def test_an_uncontested_case_is_read_as_its_author_reads_it(case: dict[str, Any]) -> None:
    result = _grade(case)
    assert _passes(case, result), result


@pytest.mark.parametrize("case", FURTHER, ids=lambda case: case["id"])
def test_a_further_case_of_the_same_kinds_is_read_the_same_way(case: dict[str, Any]) -> None:
    result = _grade(case)
    assert _passes(case, result), result


@pytest.mark.parametrize("case", CONTESTED, ids=lambda case: case["id"])
def test_a_contested_case_is_read_in_one_of_the_ways_its_author_allows(case: dict[str, Any]) -> None:
    result = _grade(case)
    assert _passes(case, result), result


@pytest.mark.parametrize(
    "case", [case for case in TAGGED if "max_seconds" in case["params"]], ids=lambda case: case["id"]
)
def test_a_pathological_case_returns_in_time(case: dict[str, Any]) -> None:
    start = time.process_time()
    _grade(case)
    assert time.process_time() - start < case["params"]["max_seconds"]


@pytest.mark.parametrize(
    "case",
    [*_load("choice_cases.jsonl"), *_load("further_choice_cases.jsonl"), *_load("choice_second_reading.jsonl")],
    ids=lambda case: case["id"],
)
def test_a_chosen_letter_is_read_as_a_careful_person_reads_it(case: dict[str, Any]) -> None:
    part = Part("ANSWER", "choice", case["expect"] or "A", {"options": case["options"]})
    assert grade_item(item_of(part), Response("case", case["raw"])).parts[0].parsed == case["expect"]
