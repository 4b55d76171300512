"""The history of a track: what a version changed, by rules, and whether figures of before and after are comparable."""

from copy import deepcopy
from typing import Any

import pytest
from benchpress.publication import Runs
from benchpress_evaluator.publishing.history import RULES, between, changelog, first_version, retirement

FIRST: dict[str, Any] = {
    "version": "causal-v1",
    "time": "2026-01-05T10:00:00Z",
    "items": 40,
    "bundles": {"collider": 20, "front_door": 20},
    "root": "ab" * 32,
    "release": {"name": "benchpress-generator", "version": "1.0.0", "digest": "cd" * 32},
    "digests": {"prompts": "1", "scorer": "2", "run_policy": "3"},
    "recipe": {
        "levels": [4, 5, 6],
        "bundle_levels": {},
        "variants": [],
        "methods": ["direct"],
        "run_policy": {"headline": "first", "asked_again": "api_error", "audit": {"every_days": 90}},
    },
}


def later(**changes: Any) -> dict[str, Any]:
    """The next version: another secret, and what is named, fields of the recipe by `recipe__name`."""
    made = deepcopy(FIRST) | {"version": "causal-v2", "time": "2026-06-01T00:00:00Z", "root": "ef" * 32}
    for name, value in changes.items():
        outer, _, inner = name.partition("__")
        if inner:
            made[outer][inner] = value
        else:
            made[outer] = value
    return made


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({}, "patch", "another secret, and nothing else"),
        (
            {"recipe__run_policy": {**FIRST["recipe"]["run_policy"], "audit": {"every_days": 30}}},
            "patch",
            "nothing else",
        ),
        ({"items": 80, "bundles": {"collider": 40, "front_door": 40}}, "minor", "80 items instead of 40"),
        ({"release__version": "1.0.1"}, "minor", "benchpress-generator 1.0.1 "),
        ({"bundles": {"collider": 10, "front_door": 30}}, "major", "other shares"),
        ({"bundles": {"collider": 20, "chain": 20}}, "major", "without the bundles front_door"),
        ({"bundles": {"collider": 20, "chain": 20}}, "major", "with the new bundles chain"),
        ({"recipe__levels": [5, 6, 7]}, "major", "levels 5 to 7 instead of levels 4 to 6"),
        ({"recipe__bundle_levels": {"collider": [8]}}, "major", "levels 4, 5, 6, 8 as calibrated for each bundle"),
        ({"recipe__variants": ["base"]}, "major", "other variants: base instead of all"),
        ({"recipe__methods": ["cot"]}, "major", "other methods: cot instead of direct"),
        ({"recipe__run_policy": {"headline": "latest", "asked_again": "api_error"}}, "major", "another run policy"),
        ({"digests__prompts": "9"}, "major", "the prompts changed"),
        ({"digests__scorer": "9"}, "major", "the scoring changed"),
    ],
)
def test_what_changed_decides_whether_figures_are_comparable(changes, kind, words) -> None:
    change = between(FIRST, later(**changes))
    assert (change.kind, change.comparable) == (kind, kind != "major")
    assert words in change.text
    assert change.text.startswith("Against causal-v1: ")
    assert any(rule.startswith(f"{kind}: ") for rule in RULES)


def test_the_history_has_versions_runs_audits_and_the_end_newest_first() -> None:
    run = {"method": "direct", "ended": None, "planned_shards": 1, "segments": ()}
    register = Runs.model_validate(
        {
            "version": "causal-v1",
            "runs": [
                {**run, "slug": "a", "run": 1, "started": "2026-01-06T00:00:00Z"},
                {**run, "slug": "b", "run": 1, "started": "2026-01-06T23:00:00Z"},
                {**run, "slug": "a", "run": 2, "started": "2026-02-01T00:00:00Z"},
            ],
        }
    )
    audit = deepcopy(FIRST) | {"version": "causal-v1-audit-1", "time": "2026-04-05T00:00:00Z"}
    end = retirement("causal-v1", "2026-07-01", "causal-v2 took its place.")
    made = changelog("causal-v1", [later(), FIRST], [(audit, "No entrant does better.")], register, [end])
    assert [(change.date, change.version, change.kind) for change in made.changes] == [
        ("2026-07-01", "causal-v1", "retired"),
        ("2026-06-01", "causal-v2", "patch"),
        ("2026-04-05", "causal-v1", "audit"),
        ("2026-02-01", "causal-v1", "run"),
        ("2026-01-06", "causal-v1", "run"),
        ("2026-01-05", "causal-v1", "major"),
    ]
    assert made.changes[4].text == "Run 1 with method direct begun: a, b."
    assert made.changes[-1] == first_version(FIRST)
    assert "40 items in 2 bundles, levels 4 to 6" in made.changes[-1].text
    assert made.changes[2].text.endswith("No entrant does better.")
    assert made.rules == RULES
