"""How an answer is put does not change what it says: capitals, remarks below, other parts around, Markdown, tables.

Every answer of the tests of one part type is put in other ways, and what was read from it must stay. Case, width and
dress do not matter (docs/answers.md), except where only the case tells two names apart, in HTML's names of characters
and in LaTeX commands, and where a single capital could be a name or a letter; such answers are left out here.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from benchpress.items import Part
from reading import result_of
from test_choice import CASES as CHOICES
from test_edges import DIRECTED
from test_node_set import SETS
from test_number import NOTHING, VALUES
from test_sequence import ORDERS
from test_verdict import CASES as VERDICTS

DUMMIES: dict[str, Any] = {"number": "0", "node_set": [], "edges": [], "sequence": ["A"], "verdict": "yes"}

ANSWERS: list[tuple[str, dict[str, Any], str, Any]] = [
    *(("number", {}, text, value) for text, value in VALUES),
    *(("number", {}, text, None) for text in NOTHING),
    *(("node_set", {"universe": universe}, text, value) for text, universe, value in SETS),
    *(("sequence", {"universe": universe}, text, value) for text, universe, value in ORDERS),
    *(("edges", {"universe": universe, "directed": True}, text, value) for text, universe, value in DIRECTED),
    *(("verdict", params, text, value) for text, params, value in VERDICTS),
]
_CASE_TELLS = re.compile(
    r"\\|&|\b(?:and|or|per ?cent|percentage|pct|pp|bps)\b|\dpp|π|<think|men:|\{a\}|a, A|A, a|a ->", re.IGNORECASE
)


def value_in(text: str, kind: str, params: dict[str, Any]) -> Any:
    """What is read behind LABEL in a whole answer."""
    others = (Part("VALID", "verdict", "yes", {}), Part("OTHER", "number", "0", {}))
    result = result_of(text, Part("LABEL", kind, DUMMIES[kind], params), *others)
    parsed = result.parts[0].parsed
    return Fraction(parsed) if kind == "number" and parsed is not None else parsed


def meant(kind: str, value: Any) -> Any:
    return Fraction(value) if kind == "number" and value is not None else value


WAYS: dict[str, Callable[[str], str]] = {
    "a paragraph below": lambda text: f"LABEL: {text}\n\nThis follows from the rule above.",
    "a paragraph above": lambda text: f"Let us think about the label first.\nIt is plain.\n\nLABEL: {text}",
    "other parts around": lambda text: f"VALID: yes\nLABEL: {text}\nOTHER: 3",
    "a pointer before": lambda text: f"LABEL: see below\n\nVALID: no\n\nLABEL: {text}\n\nOTHER: 3",
    "an empty field behind": lambda text: f"LABEL: {text}\n\nOTHER: 3\n\nLABEL:",
    "the template before": lambda text: f"LABEL: <your answer>\nVALID: <yes|no>\n\nLABEL: {text}",
    "said twice": lambda text: f"LABEL: {text}\n\nSo again:\n\nLABEL: {text}",
    "a bold label": lambda text: f"Final answers\n\n**LABEL:** {text}\n\n**VALID:** yes",
    "an italic label": lambda text: f"*LABEL*: {text}",
    "a label as code": lambda text: f"`LABEL`: {text}",
    "a label in LaTeX": lambda text: f"\\textbf{{LABEL}}: {text}",
    "a label in HTML": lambda text: f"<p><b>LABEL</b>: {text}</p>",
    "a small label": lambda text: f"label: {text}",
    "a label with a tick": lambda text: f"✅ **LABEL**: {text}",
    "a label in a heading": lambda text: f"### LABEL: {text}",
    "words before the label": lambda text: f"My final LABEL: {text}",
    "bullets": lambda text: f"- VALID: yes\n- LABEL: {text}\n- OTHER: 3",
    "a numbered list": lambda text: f"1. VALID: yes\n2. LABEL: {text}",
    "a quotation": lambda text: "> VALID: yes\n> LABEL: " + text.replace("\n", "\n> "),
    "a fence": lambda text: f"```\nVALID: yes\nLABEL: {text}\n```",
    "a thought before": lambda text: f"<think>LABEL: 7, or {{Q}}, or no</think>LABEL: {text}",
    "words after the end of the turn": lambda text: f"LABEL: {text}<|im_end|>\nLABEL: 7, or {{Q}}, or no",
    "Windows line ends": lambda text: f"VALID: yes\n\nLABEL: {text}\n".replace("\n", "\r\n"),
    "full width": lambda text: f"ＬＡＢＥＬ： {text}",
    "invisible characters": lambda text: f"\u200bLA\u200bBEL\u200b:\u00a0{text}",
}


@pytest.mark.parametrize("way", WAYS)
def test_what_stands_around_an_answer_does_not_change_it(way: str) -> None:
    different = []
    for kind, params, text, value in ANSWERS:
        got = value_in(WAYS[way](text), kind, params)
        if got != meant(kind, value):
            different.append((kind, text, value, got))
    assert not different


@pytest.mark.parametrize("kind", DUMMIES)
def test_capitals_say_the_same(kind: str) -> None:
    different = []
    for name, params, text, value in ANSWERS:
        if name == kind and _CASE_TELLS.search(text) is None:
            got = value_in(f"LABEL: {text.upper()}", kind, params)
            if got != meant(kind, value):
                different.append((text, value, got))
    assert not different


def chosen(text: str, options: list[str]) -> Any:
    return result_of(text, Part("ANSWER", "choice", "A", {"options": options})).parts[0].parsed


# Behind a cue in capitals a joint or a predicate in capitals is rather another letter or word to the reader.
_SENTENCE = re.compile(r"\\|\b(?:or|and)\b|\bis (?:the )?(?:right|best|correct)\b|second best", re.IGNORECASE)
CHOICE_WAYS: dict[str, Callable[[str], str]] = {
    "blank lines below": lambda text: f"{text}\n\n",
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "a thought before": lambda text: f"<think>The answer is D. So A.</think>\n{text}",
}


@pytest.mark.parametrize("way", CHOICE_WAYS)
def test_what_stands_around_a_choice_does_not_change_it(way: str) -> None:
    told = [(CHOICE_WAYS[way](text), options, letter) for text, options, letter in CHOICES]
    assert not [(text, letter) for text, options, letter in told if chosen(text, options) != letter]


def test_a_choice_in_capitals_is_the_same() -> None:
    plain = [case for case in CHOICES if _SENTENCE.search(case[0]) is None]
    assert len(plain) > 300
    assert not [(text, letter) for text, options, letter in plain if chosen(text.upper(), options) != letter]
