"""The exposure ledger: which provider was sent items of a version, when, and whether it had seen any before."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from benchpress.publication import Runs
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.exposure import exposure
from benchpress_evaluator.register import Condition, Register, published
from benchpress_evaluator.storage import open_storage

NOON = "2027-01-01T12:00:00Z"


def entrant(name: str = "a", provider: str = "anthropic", **more) -> Entrant:
    return Entrant(id=name, provider=provider, model="m", **more)


def client(paid: bool = True, default_url: str | None = None) -> SimpleNamespace:
    return SimpleNamespace(paid=paid, default_url=default_url)


@pytest.mark.parametrize(
    ("more", "provider", "endpoint"),
    [
        ({}, client(), "usual"),
        ({"base_url": "https://eu.example.com/v1"}, client(), "eu.example.com"),
        ({}, client(default_url="https://api.groq.com/openai/v1"), "api.groq.com"),
        ({}, client(paid=False), None),
        ({}, client(default_url="http://127.0.0.1:8000/v1"), None),
        ({"base_url": "http://gpu-box:8000/v1"}, client(), None),
        ({"base_url": "http://10.1.2.3:8000/v1"}, client(), None),
        ({"base_url": "http://gpu-box:8000/v1", "retention": "limited"}, client(), "own server"),
    ],
)
def test_what_leaves_the_maintainers_machines_is_named_and_nothing_else(more, provider, endpoint) -> None:
    line = exposure(entrant(**more), provider, NOON)
    assert (None if line is None else line.endpoint) == endpoint


def test_the_first_day_of_a_provider_is_its_first_exposure_whoever_ran(tmp_path: Path) -> None:
    book = Register(open_storage(tmp_path), "runs.json", "v1", None)
    days = {"2027-01-01": ["a", "b"], "2027-02-01": ["c"]}
    for day, names in days.items():
        for name in names:
            line = exposure(entrant(name, retention="limited"), client(), f"{day}T00:00:00Z")
            for _ in range(2):
                book.start([Condition(name, "direct", 1)], 1, f"{day}T00:00:00Z", [line])
    other = exposure(entrant("d", "openai", batch=True), client(), "2027-02-01T00:00:00Z")
    book.start([Condition("d", "direct", 1)], 1, "2027-02-01T00:00:00Z", [other])
    found = Runs.model_validate(published(book.entries())).exposures
    assert [(line.slug, line.date, line.first, line.retention, line.batch) for line in found] == [
        ("a", "2027-01-01", True, "limited", False),
        ("b", "2027-01-01", True, "limited", False),
        ("c", "2027-02-01", False, "limited", False),
        ("d", "2027-02-01", True, None, True),
    ]
