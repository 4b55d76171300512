# ruff: noqa: E501 - an answer stays on one line, as it is read
"""More corners: words in capitals, announcements that end in a colon, the empty set as a second choice, stray tags and signs."""

from fractions import Fraction
from typing import Any

import pytest
from benchpress.items import Part
from benchpress.parts.characters import fold_characters
from benchpress.parts.thinking import strip_thinking
from reading import read, result_of

BCDE = ["B", "C", "D", "E"]
CAB = ["C", "A", "B"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42 Percent", "0.42"), ("42 PERCENT", "0.42"), ("42 Pct", "0.42"), ("42 pct", "0.42"), ("42 Per Cent", "0.42"), ("42 Basis Points", "0.0042"), ("42 Per Mille", "0.042"), ("4 Million", "4000000"),
        ("0.4 through 0.5", None), ("-0.5 through -0.4", None), ("4 through 5", None), ("0.42 through 0.42", "0.42"), ("0.42 through the mediator", "0.42"), ("0.42 through 2 paths", "0.42"),
        ("0.42 * x", None), ("0.42 * x_1", None), ("0.5 * x = 0.42", "0.42"), ("0.42 *", "0.42"), ("0.42 * rounded", "0.42"), ("0.42 * a rounded value", "0.42"), ("**0.42**", "0.42"), ("0.42 ✕ 10^2", "42"), ("0.42 ✖ x", None),
    ],
)  # fmt: skip
def test_numbers(text: str, value: str | None) -> None:
    got = read("number", text)
    assert (None if got is None else Fraction(got)) == (None if value is None else Fraction(value))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("as follows: B, C", ["B", "C"]), ("are as follows: B, C", ["B", "C"]), ("The members are as follows: {B, C}", ["B", "C"]), ("as follows:\n- B\n- C", ["B", "C"]), ("as B, C", None),
        ("{B} or {}", None), ("{B} or ∅", None), ("{B} or the empty set", None), ("{B}, {}", None), ("B or {}", None), ("B or none", None), ("{} or {}", []), ("{B} or {B}", ["B"]), ("{B} ∪ {}", ["B"]), ("{B} U {C}", None),
    ],
)  # fmt: skip
def test_sets(text: str, value: Any) -> None:
    assert read("node_set", text, universe=BCDE) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The edges are as follows: B -> C", [["B", "C"]]), ("as follows: B -> C, C -> D", [["B", "C"], ["C", "D"]]), ("as follows: B -> C or C -> B", None), ("are as follows:\nB -> C\nC -> D", [["B", "C"], ["C", "D"]]),
        ("B -> C as D is alone", [["B", "C"]]), ("not as follows: B -> C", None), ("B: C", [["B", "C"]]), ('[{"parent": "B", "effect": "C"}, {"parent": "C", "effect": "D"}]', [["B", "C"], ["C", "D"]]),
    ],
)  # fmt: skip
def test_edges(text: str, value: Any) -> None:
    assert read("edges", text, universe=BCDE) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A is second, B is third, C is first", CAB), ("A is 2nd and B is 3rd and C is 1st", CAB), ("C is first, A is second, B is third", CAB), ("A is second, B is second, C is first", None),
        ("A is second, B is a child, C is first", None), ("C, A, B, C is first", CAB),
    ],
)  # fmt: skip
def test_orders(text: str, value: Any) -> None:
    assert read("sequence", text, universe=["A", "B", "C"]) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("✕", "no"), ("✖", "no"), ("✖\ufe0f", "no"), ("✗", "no"), ("no ✕", "no"), ("no ✗", "no"), ("✕ no", "no"), ("no ✓", None), ("×", None)],
)  # fmt: skip
def test_verdicts(text: str, value: str | None) -> None:
    assert read("verdict", text) == value


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("The answer is A OR B.", None), ("Answer: A AND B", None), ("Answer: A And B", None), ("Answer: (A) AND (B)", None), ("Answer: A AND/OR OPTION B", None), ("Both A AND B are correct", None), ("BOTH A and B are correct", None),
        ("A OR B is correct", None), ("Answer: C", "C"), ("Answer: C AND NOT D", "C"), ("Answer: C, and I am sure", "C"), ("Answer: C. A sure thing", "C"), ("ANSWER: C OR BERLIN", "C"),
    ],
)  # fmt: skip
def test_choices(text: str, letter: str | None) -> None:
    result = result_of(text, Part("ANSWER", "choice", "A", {"options": ["Paris", "London", "Berlin", "Madrid"]}))
    assert result.parts[0].parsed == letter


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("<think>a</think>\nE: 2\n</think>", "E: 2"), ("<think>a<b></think>\nE: 2\n</think>", "E: 2"), ("a</think>\nE: 2\n</think>", "E: 2"), ("a</think>b</think>E: 2", "E: 2"), ("<think>a</think>E: 1</think>E: 2", "E: 2"),
        ("E: 2</think>", ""), ("<think>E: 2", ""), ("<think>a</think>E: 2<think>b", "E: 2"),
    ],
)  # fmt: skip
def test_a_stray_closing_tag_at_the_end_takes_no_answer(text: str, visible: str) -> None:
    assert strip_thinking(text)[0].strip() == visible


@pytest.mark.parametrize("code", [code for code in (*range(32), 127) if chr(code) not in "\t\n\v\f\r"])
def test_control_characters_are_invisible_in_any_text(code: int) -> None:
    assert fold_characters(f"a{chr(code)}b") == "ab"
    assert fold_characters(f"é{chr(code)}b") == "éb"
