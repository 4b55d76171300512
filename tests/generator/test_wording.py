"""Wording: the lint refuses what a model might refuse, and every printed fact reads back."""

import pytest
from benchpress.streams import Stream
from benchpress.wording.lint import lint
from benchpress.wording.sayings import Wording
from benchpress.wording.sections import Covariances, HiddenCauses, Noise, WeightedEdges, read_problem
from benchpress.wording.shares import probabilities
from benchpress.wording.stories import DOMAINS


@pytest.mark.parametrize(
    "text",
    [
        "the patients recover", "a new medication", "antiviral coating", "cyberattack", "weapons store", "the killing",
        "healthcare costs", "genetic line", "bacterial load", "outpatient desk", "chemotherapy", "hacker", "explosives",
        "pesticides", "smoking area", "mortality", "DISEASED stock", "surgical tools", "policemen", "wartime",
    ],
)  # fmt: skip
def test_terms_of_health_biology_security_and_violence_are_refused(text: str) -> None:
    assert lint(text)


@pytest.mark.parametrize(
    "text",
    [
        "delivery delay", "warehouse stock", "warranty cost", "general demand", "generate interest", "warm restart",
        "paint thickness", "discrimination between offers", "the treatment", "nursery school", "award",
        "environmental rules", "excellent rating", "surge in demand", "reward points", "toward the end", "software",
    ],
)  # fmt: skip
def test_near_misses_are_not(text: str) -> None:
    assert lint(text) == []


def test_every_story_passes_the_lint_and_can_be_listed() -> None:
    for domain in DOMAINS:
        for text in (*domain.settings, *domain.quantities, *domain.events):
            assert lint(text) == [], text
        for name in (*domain.quantities, *domain.events):
            assert not any(mark in name for mark in (", ", " = ", " -> ", " <-> ", ":", "{", "|")), name
        assert len(set(domain.quantities + domain.events)) == len(domain.quantities) + len(domain.events)


def test_no_name_can_be_taken_for_an_answer_label() -> None:
    from benchpress.modules.causal import MODULE

    labels = {part.replace("_", " ").lower() for room in MODULE.rooms.values() for part in room.parts}
    names = {name for domain in DOMAINS for name in (*domain.quantities, *domain.events)}
    assert not labels & names


PARAMS = {
    "graph": {
        "nodes": ["a b", "c", "d e f"],
        "directed": [["a b", "c"], ["c", "d e f"]],
        "bidirected": [["a b", "d e f"]],
    },
    "linear": {
        "coefficients": [["a b", "c", "-0.5"], ["c", "d e f", "2"]],
        "noise": [["a b", "1"], ["c", "2"], ["d e f", "3"]],
    },
}


@pytest.mark.parametrize("formal", [True, False])
@pytest.mark.parametrize("seed", range(30))
def test_every_phrasing_reads_back(formal: bool, seed: int) -> None:
    from benchpress.wording.sections import Variables

    sections = (Variables(), WeightedEdges(), Noise(), HiddenCauses(), Covariances(), probabilities())
    more = {
        "covariance": [["a b", "a b", "4"], ["a b", "c", "-1.5"], ["c", "c", "2"]],
        "probabilities": [
            {"of": "a b", "given": [], "rows": [["", "0.3"]]},
            {"of": "c", "given": ["a b", "d e f"], "rows": [[f"{i:02b}", f"0.{i + 1}"] for i in range(4)]},
        ],
    }
    params = {**PARAMS, **more}
    wording = Wording(Stream(bytes([seed] * 32)), formal)
    prompt = "\n\n".join("\n".join(section.lines(params, wording)) for section in sections)
    assert read_problem(sections, prompt) == params
