"""Published verdicts: every undisputed one is ours too, and each disputed kind has the decision of docs/replay.md."""

import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchpress.items import Item, Part, PartResult
from benchpress.parts.mechanisms import MECHANISMS

Vectors = tuple[dict[str, Item], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def published(outside: Path) -> Vectors:
    """The published problems as items, and the submissions to them with the verdicts they got."""
    items = {}
    for line in (outside / "replay" / "problems.jsonl").read_text().splitlines():
        problem = json.loads(line)
        params = {key: value for key, value in problem.items() if key not in ("gold", "gold_roots", "source")}
        part = Part("MODEL", "mechanisms", {**problem["gold"], "roots": problem["gold_roots"]})
        name = problem["problem_id"]
        items[name] = Item(name, "replay", params["variant"], "base", 5, params, "", (part,))
    lines = (outside / "replay" / "vectors.jsonl").read_text().splitlines()
    return items, [json.loads(line) for line in lines]


def result(item: Item, text: str, *, strict: bool = False) -> PartResult:
    if strict:
        item = replace(item, params={**item.params, "rules": "strict"})
    return MECHANISMS.score(MECHANISMS.read(text, item.parts[0], item), item.parts[0], item)


def test_every_undisputed_verdict_is_ours_metric_by_metric(published: Vectors) -> None:
    items, vectors = published
    differing = []
    for vector in vectors:
        if vector.get("disputed"):
            continue
        expected = vector["expected"]
        metrics = result(items[vector["problem_id"]], vector["submission"]).metrics
        for name, value in expected.items():
            if name in ("parsed", "correct") or (name not in metrics and value is None):
                continue
            if name not in metrics:  # counts of worlds and rates of an experiment are not among our metrics
                continue
            if isinstance(value, bool) or not expected["legal"]:
                same = bool(metrics[name]) == bool(value)
            else:
                same = value is None or math.isclose(metrics[name], value, abs_tol=1e-9)
            if not same:
                differing.append((vector["problem_id"], vector["why"], name, metrics[name], value))
    assert not differing


READ_LIKE_ANY_OTHER = (
    "markdown fence json", "markdown fence plain", "prose before", "prose around with stray braces",
    "byte order mark", "line comment", "small unrelated object first", "small unrelated object last",
    "wrapped in an outer key plus prose",
)  # fmt: skip

REFUSED = {
    "NaN in an extra key": "not_json",
    "lone surrogate escape in an extra key": "lone_surrogate",
    "no-break space as separator": "unknown operator",
    "vertical tab as separator": "unknown operator",
    "trailing comma at the top level": "no complete JSON object",
    "truncated by the last brace": "no complete JSON object",
    "truncated text": "no complete JSON object",
}


@pytest.mark.parametrize("strict", [False, True])
def test_each_disputed_kind_is_decided_as_documented(strict: bool, published: Vectors) -> None:
    items, vectors = published
    seen: Counter[str] = Counter()
    for vector in vectors:
        if not vector.get("disputed"):
            continue
        why = vector["why"]
        judged = result(items[vector["problem_id"]], vector["submission"], strict=strict)
        seen[why] += 1
        if why in READ_LIKE_ANY_OTHER:
            assert judged.correct, (vector["problem_id"], why)
        elif why in REFUSED:
            assert not judged.metrics["legal"], (vector["problem_id"], why)
            assert REFUSED[why] in judged.note
        elif why == "experiment: value 1.0-style float":
            assert judged.metrics["legal"]
            assert not judged.metrics["experiment_valid"]
        elif why == "two objects: good one first, equal rank, longer text wins":
            assert judged.metrics["multiple_answers"]
            assert not judged.correct
        elif why == "two objects: worse one first, equal rank, longer text wins":
            assert judged.metrics["multiple_answers"]
            assert judged.correct
        else:
            pytest.fail(f"a kind without a decision: {why}")
    assert len(seen) == 19


STRICT_DECISIONS = {
    "duplicate key": ("duplicate_key", False),
    "wrapped in an outer key": ("", True),
    "two objects: worse one first, equal rank, longer text wins": ("several answers, the last one counts", True),
    "nested 300 deep": ("too large", False),
    "witness: one right and one wrong difference": ("", False),
    "gold": ("", True),
}


def test_our_own_rules_differ_from_the_published_ones_where_documented_and_nowhere_else(published: Vectors) -> None:
    items, vectors = published
    decided: Counter[str] = Counter()
    for vector in vectors:
        if vector.get("disputed"):
            continue
        judged = result(items[vector["problem_id"]], vector["submission"], strict=True)
        kind = next((kind for kind in STRICT_DECISIONS if vector["why"].startswith(kind)), None)
        if kind is not None:
            note, correct = STRICT_DECISIONS[kind]
            decided[kind] += 1
            assert note in judged.note, (vector["problem_id"], vector["why"], judged.note)
            assert judged.correct == correct, (vector["problem_id"], vector["why"])
        elif "equal arguments" not in vector["why"]:  # longer than the strict limit for some problems only
            assert judged.metrics["legal"] == bool(vector["expected"]["legal"]), (vector["problem_id"], vector["why"])
    assert set(decided) == set(STRICT_DECISIONS)
