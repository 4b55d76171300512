# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Answers by a third blind look: bounds on both sides, blank decimals, quoted words for nothing, ticks and emoji, lists
in other words, numbered orders.

Expected values are what a patient person reads, and nothing where such a person would have to guess.
"""

from fractions import Fraction
from typing import Any

import pytest
from benchpress.items import Part
from reading import read, result_of

NUMBERS: list[tuple[str, str | None]] = [
    ("0 < ATE < 1", None), ("0.3 <= ATE <= 0.5", None), (r"$0.3 \le \tau \le 0.5$", None), ("0.3 ≤ ATE ≤ 0.5", None), ("0.3 < 0.42", None), ("1/2 < x", None), ("1 > ATE", None), ("-0.1 < x", None), ("ATE = 0.3 < x < 0.5", None),
    ("0.42 at most", None), ("0.42 at least", None), ("0.42, at most", None), ("0.42 (at most)", None), ("0.42 (or less)", None), ("0.42 maximum", None), ("0.42 at the minimum", None),
    ("0.42 > 0", "0.42"), ("-0.2 < 0", "-0.2"), ("0.42 > 0, p < 0.05", "0.42"), ("0.42 ≠ 0.58", "0.42"), ("ATE = 0.42 < 0.58", "0.42"), ("0.3 ≤ ATE = 0.42 ≤ 0.5", "0.42"), ("0.42 (0 < ATE < 1)", "0.42"), ("0.42 (p < 0.05)", "0.42"), ("0.42, p < 0.05", "0.42"), ("0.42 <x>", "0.42"),
    ("0.42, the maximum likelihood estimate", "0.42"), ("0.42 max over z", "0.42"), ("0.42 at x = 1", "0.42"), ("0.42 at best", "0.42"), ("0.42, which is at most 0.5", "0.42"), ("5 min", "5"),
    ("0.__", None), ("0._", None), ("0.__%", None), ("0.#", None), ("0.##", None), ("-0.__", None), ("$0.__$", None), ("0,__", None), (r"0.\_\_", None), ("0.__ (two decimals)", None), ("0.□□", None), ("0.XX", None), ("0.??", None),
    ("__0.42__", "0.42"), ("_0.42_", "0.42"), ("0.42__", "0.42"), ("_0.0_", "0"), ("0.", "0"), ("0.00", "0"), ("**0.**", "0"), ("0. # none", "0"), ("0.42 #", "0.42"), ("0.42 ?", "0.42"),
    ("0.42\nLABEL: 0.__", "0.42"), ("0.42\nLABEL: 0.XX", "0.42"), ("0.42\nLABEL: 0.5 at most", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), NUMBERS, ids=range(len(NUMBERS)))
def test_bounds_and_blank_decimals_are_no_numbers(text: str, value: str | None) -> None:
    got = read("number", text)
    assert (None if got is None else Fraction(got)) == (None if value is None else Fraction(value))


SETS: list[tuple[str, Any]] = [
    ("A as well as B", ["A", "B"]), ("A plus B", ["A", "B"]), ("A together with B", ["A", "B"]), ("A along with B", ["A", "B"]), ("A, B as well as C", ["A", "B", "C"]), ("A, as well as B", ["A", "B"]), ("{A plus B}", ["A", "B"]), ("A in addition to B", ["A", "B"]),
    ("the set containing A and B", ["A", "B"]), ("the set consisting of A and B", ["A", "B"]), ("the set that contains A and B", ["A", "B"]), ("the set made up of A and B", ["A", "B"]), ("the pair A and B", ["A", "B"]), ("the pair (A, B)", ["A", "B"]), ("the triple A, B, C", ["A", "B", "C"]),
    ("A with B", ["A", "B"]), ("a set with A and B", ["A", "B"]), ("A set consisting of B and C", ["B", "C"]), ("a valid set is {A}", ["A"]), ("A with B as a mediator", ["A"]), ("A with care", ["A"]), ("A should be left out", None), ("A is a collider", None),
    ("{A} and B", None), ("{A}, B.", None), ("{A} plus B", None), ("{A} and A", ["A"]), ("{A, B}, C is a collider", ["A", "B"]), ("{A, B}. C", ["A", "B"]),
    ("A as well as C is a collider", None), ("{A} as well as {B}", None), ("{A} plus {B}", None), ("A as well as anything else", ["A"]), ("A as well as anything", ["A"]), ("A, as B is a collider", ["A"]), ("A (plus B)", None), ("all sets containing A", None), ("the set not containing A", None),
    ("A, ..., B", None), ("A, B, ...", None), ("A … B", None), ("A, B...", ["A", "B"]), ("A, B, C…", ["A", "B", "C"]), ("A, B, etc.", ["A", "B"]), ("\n- A\n- ...\n- B", None),
    ('"none"', []), ("'none'", []), ('"None"', []), ("“none”", []), ("‘none’", []), ("«none»", []), ('"empty set"', []), ('"∅"', []), ('"none needed"', []), ('"none".', []), ('"none"}', []), ('["none"]', []), ('"none"\nB blocks nothing.', []),
    ('"A, B"', ["A", "B"]), ('"A", "B"', ["A", "B"]), ("'A'", ["A"]), ('"N/A"', None), ('""', None), ('"none" or {A}', None), ('"no such set exists"', None), ('"none" would be wrong', None), ("don't adjust for anything", []), ("'unknown'", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), SETS, ids=range(len(SETS)))
def test_sets_in_other_words_and_in_quotes(text: str, value: Any) -> None:
    assert read("node_set", text, universe=["A", "B", "C", "D"]) == value


def test_a_quoted_name_is_rather_a_name() -> None:
    assert read("node_set", '"None"', universe=["None", "B"]) == ["None"]
    assert read("node_set", "A'", universe=["A", "A'"]) == ["A'"]


JSON_VALUES: list[tuple[str, str, Any]] = [
    ("node_set", "none", []), ("node_set", "NONE", []), ("node_set", "empty", []), ("node_set", "None needed", []), ("node_set", "No adjustment needed", []), ("node_set", "the empty set", []), ("node_set", "∅", []), ("node_set", "{}", []),
    ("edges", "none", []), ("edges", "no edges", []), ("edges", "∅", []), ("edges", "A -> B", [["A", "B"]]), ("node_set", "A, B", ["A", "B"]), ("node_set", "no such set exists", None), ("node_set", "", None), ("edges", "", None), ("node_set", "N/A", None), ("edges", "unknown", None),
]  # fmt: skip


@pytest.mark.parametrize("form", ['{"PART": "%s"}', '{"PART": "%s", "ESTIMATE": 0.42}', '{\n  "PART": "%s"\n}', "{'PART': '%s'}", '```json\n{"PART": "%s"}\n```', 'PART: "%s"'])  # fmt: skip
@pytest.mark.parametrize(("kind", "text", "value"), JSON_VALUES, ids=range(len(JSON_VALUES)))
def test_nothing_as_the_string_of_a_key(kind: str, text: str, value: Any, form: str) -> None:
    part = Part("PART", kind, [], {"universe": ["A", "B", "C", "D"]})
    assert result_of(form % text, part, Part("ESTIMATE", "number", "0.42", {})).parts[0].parsed == value


EDGES: list[tuple[str, Any]] = [
    ('"none"', []), ("'none'", []), ('"no edges"', []), ('"∅"', []), ("“none”.", []), ('"A -> B", "B -> C"', [["A", "B"], ["B", "C"]]), ('"none" -> B', None),
    ("A -> B, ..., C -> D", None), ("A -> B, …, C -> D", None), ("A -> B ... C -> D", None), ("A -> B; ...; C -> D", None), ("A -> B, C -> D, ...", None), ("..., A -> B", None), ("{A -> B, ..., C -> D}", None), ("(A, B), ..., (C, D)", None), ("A -> B, etc., C -> D", None), ("A -> B\n...\nC -> D", None), ("\n- A -> B\n- ...\n- C -> D", None),
    ("A -> B...", [["A", "B"]]), ("A -> B, etc.", [["A", "B"]]), ("A -> B (…), C -> D", [["A", "B"], ["C", "D"]]), ("A -> B. Then nothing ...", [["A", "B"]]), ("A -> B\n...", [["A", "B"]]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), EDGES, ids=range(len(EDGES)))
def test_edges_in_quotes_and_edges_left_out(text: str, value: Any) -> None:
    assert read("edges", text, universe=["A", "B", "C", "D"], directed=True) == value


ADORNED: list[tuple[str, str, Any]] = [
    ("node_set", "✅ {A, B}", ["A", "B"]), ("node_set", "✓ A, B", ["A", "B"]), ("node_set", "✔️ {A, B}", ["A", "B"]), ("node_set", "👉 {A, B}", ["A", "B"]), ("node_set", "⭐ A, B", ["A", "B"]), ("node_set", "➡️ {A, B}", ["A", "B"]), ("node_set", "\n✅ A\n✅ B", ["A", "B"]), ("node_set", "\n- ✅ A\n- ✅ B", ["A", "B"]),
    ("node_set", "∅ ✓", []), ("node_set", "none ✓", []), ("node_set", "none 🎉", []), ("node_set", "none✅", []), ("node_set", "✅ none", []), ("node_set", "none!", []), ("node_set", "none 👈", []), ("node_set", "A ✓, B ✓", ["A", "B"]), ("node_set", "{A ✓, B ✓}", ["A", "B"]), ("node_set", "A ➕ B", ["A", "B"]), ("node_set", "A, B 👍🏽", ["A", "B"]),
    ("node_set", "❌ {A, B}", None), ("node_set", "none ❌", None), ("node_set", "🚫", None), ("node_set", "✅", None), ("node_set", "🤷", None), ("node_set", "A ✓, B ✓, C ✗", None), ("node_set", "✅ A\n❌ B\n✅ C", None), ("node_set", "\n- ✅ A\n- ❌ B", None), ("node_set", "✅ {A} ✅ {B}", None),
    ("node_set", "\n- [✓] A\n- [ ] B", ["A"]), ("node_set", "\n☑ A\n☐ B", None), ("node_set", "⌀", []), ("node_set", "{A, B} ✅", ["A", "B"]), ("node_set", "A, B\n❌ C is a collider", ["A", "B"]),
    ("edges", "👉 A -> B, B -> C", [["A", "B"], ["B", "C"]]), ("edges", "✅ A -> B", [["A", "B"]]), ("edges", "➡️ A -> B", [["A", "B"]]), ("edges", "👉 A -> B\n👉 B -> C", [["A", "B"], ["B", "C"]]), ("edges", "∅ ✓", []), ("edges", "none ✅", []), ("edges", "no edges!", []), ("edges", "A ➡️ B", [["A", "B"]]), ("edges", "A ➜ B", [["A", "B"]]),
    ("edges", "A -> B ✅, B -> C ❌", None), ("edges", "❌ A -> B", None), ("edges", "➜ C", None), ("edges", "A ➜ B\n➜ C", None), ("edges", "A ⭐ B", None), ("edges", "A ↔️ B", None),
    ("sequence", "✅ C, A, B", ["C", "A", "B"]), ("sequence", "⭐ C → A → B", ["C", "A", "B"]), ("sequence", "✔️ (C, A, B)", ["C", "A", "B"]), ("sequence", "👉 C, A, B", ["C", "A", "B"]), ("sequence", "C, A, B ✓", ["C", "A", "B"]), ("sequence", "C ➡️ A ➡️ B", ["C", "A", "B"]), ("sequence", "🥈 A 🥇 C 🥉 B", ["C", "A", "B"]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "value"), ADORNED, ids=range(len(ADORNED)))
def test_pictures_beside_a_value_adorn_it_and_crosses_do_not(kind: str, text: str, value: Any) -> None:
    universe = ["A", "B", "C"] if kind == "sequence" else ["A", "B", "C", "D"]
    assert read(kind, text, universe=universe) == value


def test_a_name_may_be_a_picture() -> None:
    assert read("node_set", "{🍎, 🍌}", universe=["🍎", "🍌", "🍐"]) == ["🍌", "🍎"]


CAB = ["C", "A", "B"]
ORDERS: list[tuple[str, Any]] = [
    ("[1] C [2] A [3] B", CAB), ("[1] C, [2] A, [3] B", CAB), ("[2] A [1] C [3] B", CAB), ("1 - C, 2 - A, 3 - B", CAB), ("1 – C; 2 – A; 3 – B", CAB), ("1-C 2-A 3-B", CAB), ("1 = C, 2 = A, 3 = B", CAB), ("1️⃣ C 2️⃣ A 3️⃣ B", CAB), ("1 C 2 A 3 B", CAB), ("1 C, 2 A, 3 B", CAB), ("(1 - C, 2 - A, 3 - B)", CAB), ("1 C -> 2 A -> 3 B", CAB), ("0 C, 1 A, 2 B", CAB), ("➊ C ➋ A ➌ B", CAB),
    ("2 A, 1 C, 3 B", CAB), ("2️⃣ A 1️⃣ C 3️⃣ B", CAB), ("Order: [1] C [2] A [3] B", CAB), ("1 - C, 2 - A, 3 - B because A is a child of C", CAB), ("\n[1] C\n[2] A\n[3] B", CAB), ("\n1 - C\n2 - A\n3 - B", CAB), ("\n1 C\n2 A\n3 B", CAB), ("\n1️⃣ C\n2️⃣ A\n3️⃣ B", CAB),
    ("1 C A B", None), ("1 C 2 A B", None), ("1 - C - A - B", None), ("1 C 1 A 3 B", None), ("10 C 20 A 30 B", None), ("[1] C, A, B", None), ("1 > C", None),
    ("C [1], A [2], B [3]", CAB), ("C (1), A (2), B (3)", CAB), ("1. C 2. A 3. B", CAB), ("1: C, 2: A, 3: B", CAB), ("3 nodes: C, A, B", CAB), ("C 0.5 A 0.4 B 0.3", CAB), ("C: 1, A: 2, B: 3", CAB),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), ORDERS, ids=range(len(ORDERS)))
def test_orders_numbered_on_one_line(text: str, value: Any) -> None:
    assert read("sequence", text, universe=["A", "B", "C"]) == value


COUNTED: list[tuple[str, str, Any]] = [
    ("node_set", "1. A 2. B", ["A", "B"]), ("node_set", "1) A, 2) B", ["A", "B"]), ("node_set", "1. A, 2. B", ["A", "B"]), ("node_set", "(1) A, (2) B", ["A", "B"]), ("node_set", "[1] A [2] B", ["A", "B"]), ("node_set", "① A ② B", ["A", "B"]), ("node_set", "1️⃣ A 2️⃣ B", ["A", "B"]), ("node_set", "1. A (a confounder) 2. B (a mediator)", ["A", "B"]), ("node_set", "\n1️⃣ A\n2️⃣ B", ["A", "B"]),
    ("edges", "1. A -> B 2. B -> C", [["A", "B"], ["B", "C"]]), ("edges", "1. A -> B, 2. B -> C", [["A", "B"], ["B", "C"]]), ("edges", "(1) A -> B, (2) B -> C", [["A", "B"], ["B", "C"]]), ("edges", "① A -> B ② B -> C", [["A", "B"], ["B", "C"]]),
    ("node_set", "A (1), B (2)", ["A", "B"]), ("node_set", "1. {A, B}", ["A", "B"]), ("node_set", "1. {A, B} 2. {C}", None), ("node_set", "1) {A} 2) {B}", None), ("node_set", "1. A or 2. B", None), ("node_set", "{A, B}. 2. C is a collider", ["A", "B"]), ("edges", "A -> B (1), B -> C (2)", [["A", "B"], ["B", "C"]]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "value"), COUNTED, ids=range(len(COUNTED)))
def test_sets_and_edges_numbered_on_one_line(kind: str, text: str, value: Any) -> None:
    assert read(kind, text, universe=["A", "B", "C", "D"]) == value


def test_names_that_are_numbers_count_nothing() -> None:
    numbers = ["1", "2", "3"]
    assert read("edges", "1: 2, 3\n2: 3", universe=numbers) == [["1", "2"], ["1", "3"], ["2", "3"]]
    assert read("edges", "{1: [2, 3]}", universe=numbers) == [["1", "2"], ["1", "3"]]
    assert read("node_set", "{1, 2}", universe=numbers) == ["1", "2"]
    assert read("sequence", "3 - 1 - 2", universe=numbers) == ["3", "1", "2"]
