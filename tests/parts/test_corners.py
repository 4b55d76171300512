# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Answers at the corners of the rules in docs/answers.md: grouping, nesting, lists that break off, several selections.

Expected values are what a patient person reads, and nothing where such a person would have to guess.
"""

from fractions import Fraction
from typing import Any

import pytest
from benchpress.items import Part
from reading import read, result_of

BCDE = ["B", "C", "D", "E"]
ABC = ["A", "B", "C"]
CAB = ["C", "A", "B"]
BC_CD = [["B", "C"], ["C", "D"]]

NUMBERS: list[tuple[str, str | None]] = [
    ("12,34,567", "1234567"), ("1,23,456.78", "123456.78"), ("1,23,45,678", "12345678"), ("1,234,56", None), ("123,45,678", None),
    ("0,12,345", None), ("1.234,5", "1234.5"), ("12.345.678,9", "12345678.9"), ("1234,567", "1234.567"), ("0,500", "0.5"), ("01,5", "1.5"),
    ("1'000'000", "1000000"), ("1'000.5", "1000.5"), ("1'000,5", "1000.5"), ("1_000_000", "1000000"), ("1_000.5", "1000.5"), ("1'00", None), ("1_00_000", None),
    ("1 000 000,5", "1000000.5"), ("12 345", "12345"), ("1,234.567,8", None), ("1.234,567.8", None), ("1.23.456", None), ("1234.567.890", None),
    ("0.000.000", None), ("1,234,567,890", "1234567890"), ("999,999", "999999"), ("1,0", "1"), ("1,00", "1"), ("1,0000", "1"), (".25", "0.25"), ("-.25", "-0.25"),
    ("2 1/2", "5/2"), ("2 2/2", None), ("2 3/2", None), ("2 0/2", None), ("2.5 1/2", None), ("1/2/3", None), ("1/-2", "-1/2"), ("-1/-2", None), ("1,5/2", "3/4"), ("1/2e1", "1/20"),
    ("1/2 million", "500000"), ("1/2%", "0.005"), ("1e2/4", "25"), ("5e-1", "0.5"), ("1e2%", "1"), ("10^2", "100"), ("10^-2", "0.01"), ("20^2", None), ("10.5^2", None),
    ("3 × 10^2 × 10", None), ("3e2 × 10^2", None), ("1e2000", "1e2000"), ("1e2001", None), ("1e-2000", "1e-2000"), ("1e-2001", None), ("9" * 1000, "9" * 1000), ("9" * 1001, None),
    ("1/" + "9" * 12, "1/" + "9" * 12), ("1e30", "1e30"), ("1e31", "1e31"), ("1e-31", "1e-31"), ("#0.5", None), ("!0.5", None), ("^0.5", None), ("—0.5", None),
    ("estimate(2): 0.42", "0.42"), ("f(2) is 0.42", "0.42"), ("(about) 0.42", "0.42"), ("0.42 (about)", "0.42"), ("(0.42)", "0.42"), ("((0.42))", "0.42"), ("[(0.42)]", "0.42"), ("(0.42", "0.42"), ("0.42)", "0.42"),
    ("(1)/(2)", "1/2"), ("( 1 ) / ( 2 )", "1/2"), ("(-1)/(2)", "-1/2"), ("0.42 (3 of 7)", "0.42"), ("2(3)", "2"), ("0.42 +", None), ("0.42 -", "0.42"), ("0.42 ^", None),
    ("0.5 = 1/2", "1/2"), ("1/3 ≈ 0.33", "1/3"), ("1/3 = 0.33", "0.33"), ("0.6/2 = 0.3", "0.3"), ("x = y = 0.42", "0.42"), ("0.42 = x", "0.42"), ("0.42 = P(Y)", "0.42"), ("a = 0.42, b", "0.42"), ("= = 0.42", "0.42"),
    ("0.42 - 0.5", None), ("0.42 – 0.5", None), ("0.42 -- 0.5", None), ("0.42x", None), ("0.42 x", "0.42"), ("x 0.42", None), ("0.4.2", None), ("0.42,", "0.42"), ("0.42, 0.42", "0.42"), ("0.42 or 42%", "0.42"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), NUMBERS, ids=range(len(NUMBERS)))
def test_corners_of_numbers(text: str, value: str | None) -> None:
    got = read("number", text)
    assert (None if got is None else Fraction(got)) == (None if value is None else Fraction(value))


SETS: list[tuple[str, Any]] = [
    ("pa(E) = {B, C}", ["B", "C"]), ("S(1) := {B, C}", ["B", "C"]), ("Z = W = {B, C}", ["B", "C"]), ("= {B, C}", ["B", "C"]), ("{B} = {B}", ["B"]), ("[{B}, {C}]", ["B", "C"]), ("((B, C))", ["B", "C"]),
    ("{B, C", ["B", "C"]), ("B, C}", ["B", "C"]), ("{B: confounder, C: mediator}", ["B", "C"]), ('{"nodes": ["B", "C"]}', ["B", "C"]), ('{"B", "C"}', ["B", "C"]), ("{B, C, B}", ["B", "C"]), ("{B, X}", ["B", "X"]),
    ("{B, one two}", ["B", "one two"]), ("{B, one two three}", ["B", "one two three"]), ("{X}", None), ("{X, Y}", None), ("{,}", None), ("{, ,}", None), ("{.}", []), ("{B..C}", None), ("{B C}", ["B", "C"]), ("{B and C and D}", ["B", "C", "D"]),
    ("{the B, C}", ["B", "C"]), ("{B} or {B}", ["B"]), ("{B} (or {C})", None), ("{B} (C blocks nothing)", ["B"]), ("{B}, {C}", None), ("{B} {C}", None), ("{B} - {C}", None), ("{B} minus {C}", None),
    ("B or C", None), ("B vs C", None), ("B or B", ["B"]), ("B versus C", None), ("B (or C)", None), ("B (and C)", None), ("B (with C)", None), ("B (plus C)", None), ("B (a confounder), C (a mediator)", ["B", "C"]), ("B, C | D", None), ("B | C", ["B", "C"]),
    ("B, C and X", ["B", "C", "X"]), ("B, C and nothing else", ["B", "C"]), ("B, C, etc", ["B", "C"]), ("B. C", ["B"]), ("B.C", None), ("B:C", None), ("\n- B\n- something else entirely", None), ("\n- B\n- no", None), ("\n- B (x)\n- C: y", ["B", "C"]), ("\n- B, C\n- D", ["B", "C", "D"]),
    ("\n[x] B\n[ ] C", None), ("\n- [x] B\n- [ ] C\n- [x] D", ["B", "D"]), ("\n- ☑ B\n- ☐ C", ["B"]), ("\n- [x] B\n- [ ] C", ["B"]), ("B\nC\nD", ["B", "C", "D"]), ("B,\nC and so on\nD", ["B"]), ("one of {B}, {C}", None), ("no such set exists", None),
    ("there is no valid set", None), ("nothing works", None), ("impossible", None), ("none or {B}", None), ("empty or {B}", None), ("{} or {B}", None), ("the empty set, i.e. {}", []), ("{{}}", []), ("{()}", []), ("set({B})", ["B"]), ("frozenset({B, C})", ["B", "C"]),
    ("{[({B})]}", ["B"]), ("{" * 8 + "B" + "}" * 8, ["B"]), ("{" * 9 + "B" + "}" * 9, None), ("b, c", ["B", "C"]), ("{b}", ["B"]), ("b", ["B"]), ("bc", None), ("BC", None), ("B's parents", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), SETS, ids=range(len(SETS)))
def test_corners_of_sets(text: str, value: Any) -> None:
    assert read("node_set", text, universe=BCDE) == value


ORDERS: list[tuple[str, Any]] = [
    ("((C, A, B))", CAB), ("[(C, A, B)]", CAB), ("{[C, A, B]}", CAB), ("<C, A, B>", CAB), ("S = (C, A, B)", CAB), ("C, A, B)", CAB), ("(C, A, B", CAB), ("C -> A then B", CAB), ("C -> A -> B", CAB), ("B <- A <- C", CAB), ("C -> A <- B", None),
    ("C -> A, A -> B", CAB), ("C -> A; A -> B", CAB), ("C -> A\nA -> B", CAB), ("C -> A, B -> C", None), ("C < A < B", CAB), ("C | A | B", CAB), ("C, A | B", None), ("C\nA\nB", CAB), ("C, A\nB", None), ("\n1. C\n2. A\n3. B", CAB), ("\n2. A\n1. C\n3. B", CAB), ("\n1. C\n1. A\n3. B", None),
    ("\n- C\n- A\n- B", CAB), ("\n- C\n- nothing more\n- B", None), ("1) C, 2) A, 3) B", CAB), ("1. C 2. A 3. B", CAB), ("C (1), A (2), B (3)", CAB), ("A (2), B (3), C (1)", CAB), ("C = 1, A = 2, B = 3", CAB), ("C, A (3), B", None), ("C (1), A, B", CAB), ("C: first, A: second, B: third", None),
    ("C, A, ..., B", None), ("C, A, B, ...", None), ("C, A, B...", CAB), ("..., C, A, B", None), ("C, A, B. Then nothing.", CAB), ("C, A, B because A is a child", CAB), ("C, A, B (or C, B, A)", CAB), ("C, A, B or C, B, A", None), ("C, A, B, C", ["C", "A", "B", "C"]), ("C", ["C"]), ("c, a, b", CAB), ("C, A, X", ["C", "A"]),
    ("C, A is a child, B", None), ("we start with C, A, B", None), ("start with C, then A, end with B", CAB), ("C A B", CAB), ("CAB", None), ("C,A,B", CAB), ("C, A, B;", CAB), ("C, A = B", None), ("C ≈ A, B", None), ("C.A.B", None), ("C, A, B; C, B, A", ["C", "A", "B", "C", "B", "A"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), ORDERS, ids=range(len(ORDERS)))
def test_corners_of_orders(text: str, value: Any) -> None:
    assert read("sequence", text, universe=ABC) == value


EDGES: list[tuple[str, Any]] = [
    ("B -> -> C", None), ("B -> C ->", None), ("-> C", None), ("B ->, C", None), ("B -> C; D", None), ("D; B -> C", None), ("B, C", None), ("B -> C, D", [["B", "C"], ["B", "D"]]), ("B -> C and D", [["B", "C"], ["B", "D"]]), ("B, C -> D", [["B", "D"], ["C", "D"]]), ("B & C -> D", [["B", "D"], ["C", "D"]]),
    ("B -> C -> D", BC_CD), ("D <- C <- B", BC_CD), ("B -> C <- D", [["B", "C"], ["D", "C"]]), ("C <- B -> D", [["B", "C"], ["B", "D"]]), ("{B, C} -> {D}", [["B", "D"], ["C", "D"]]), ("{B -> C, C -> D}", BC_CD), ("({B -> C})", [["B", "C"]]), ("[(B, C), (C, D)]", BC_CD), ("(B, C)", [["B", "C"]]), ("(B; C)", [["B", "C"]]), ("(B, C, D)", None), ("(B and C)", None),
    ("B: C, D", [["B", "C"], ["B", "D"]]), ("B: C\nC: D", BC_CD), ("B: none\nC: D", [["C", "D"]]), ("B: -\nC: D", [["C", "D"]]), ("B: ∅\nC: D", [["C", "D"]]), ("B:\nC: D", [["C", "D"]]), ("B: empty\nC: D", [["C", "D"]]), ('{"B": ["C"], "C": ["D"], "D": []}', BC_CD),
    ("B -> C: direct\nC -> D: direct", BC_CD), ("\n- B -> C: direct\n- C -> D: direct", BC_CD), ("B -> C (direct), C -> D (direct)", BC_CD), ("B -> C. C -> D.", [["B", "C"]]), ("B -> C\n\nC -> D", BC_CD), ("B -> C\nThat is all.\nC -> D", [["B", "C"]]), ("B -> C, but not C -> D", [["B", "C"]]), ("B -> C; C and D are isolated", [["B", "C"]]),
    ("B -> C or C -> B", None), ("B -> C because D or E", [["B", "C"]]), ("B <-> C", None), ("B - C", None), ("B o-> C", None), ("B -- C", None), ("{B, C}", None), ("B -> X", [["B", "X"]]), ("X -> Y", None), ("B -> none", None), ("B to C", [["B", "C"]]), ("| B | C | D |", None),
    ("digraph { B -> C; C -> D }", BC_CD), ("digraph G {\nB -> C;\nC -> D;\n}", BC_CD), ("strict digraph {B -> C}", [["B", "C"]]), ("flowchart LR\nB --> C\nC --> D", BC_CD), ("dag { B -> C }", [["B", "C"]]), ("E = {B -> C}", [["B", "C"]]), ("E(G) = {(B, C)}", [["B", "C"]]), ("B → C", [["B", "C"]]), ("C ← B", [["B", "C"]]), ("B ⇒ C", [["B", "C"]]), ("B ⟶ C", [["B", "C"]]), ("B ➜ C", [["B", "C"]]), ("B ↔ C", None), ("B ⇄ C", None), ("B ↑ C", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), EDGES, ids=range(len(EDGES)))
def test_corners_of_edges(text: str, value: Any) -> None:
    assert read("edges", text, universe=BCDE, directed=True) == value


CITIES = ["Paris", "London", "Berlin", "Madrid"]
CHOICES: list[tuple[str, str | None]] = [
    ("so not C.", None), ("It is not C.", None), ("Thus, C is out.", None), ("so C", "C"), ("so C is wrong", None), ("it is C, not B", "C"), ("The answer is not C but B.", "B"), ("The answer is not C.", None), ("The answer is unclear.", None), ("The answer is probably not C.", None), ("The answer is none of these.", None),
    ("The answer is C and B.", None), ("The answer is C, B.", None), ("The answer is C; B is wrong.", "C"), ("The answer is C/B", None), ("The answer is C-4", None), ("The answer is C?", "C"), ("The answer is C? Or B?", None), ("The answer is (c).", "C"), ("The answer is c.", "C"), ("The answer is c", "C"), ("The answer is a", None), ("The answer is a city", None),
    ("The answer is A city", None), ("The answer is A.", "A"), ("The answer is A because", "A"), ("If it rains, the answer is C.", None), ("If I had to guess, the answer is C.", "C"), ("Unless it rains, the answer is C. The answer is B.", "B"), ("Suppose the answer is C.", None), ("Assuming so, the answer is C", None),
    ("C and D are both correct.", None), ("Both C and D are correct", None), ("C is not correct.", None), ("C is also correct.", None), ("C is partially correct.", None), ("C is the only correct option.", "C"), ("C (Berlin) is correct.", "C"), ("C, I think, is correct.", "C"), ("neither C is correct", None), ("C is correct about that", None), ("C is the answer", "C"), ("C is my final answer", "C"), ("Option C seems right.", "C"),
    ("Many people choose C.", None), ("One might choose C.", None), ("I would not choose C.", None), ("I choose C.", "C"), ("We choose C", "C"), ("I chose C, then B", "C"), ("You could pick C", None), ("The wrong answer is C.", None), ("The other option is C", None), ("The first choice: C", None), ("The naive answer is C. The answer is B.", "B"),
    ("<answer>C</answer>", "C"), ("<answer>C) Berlin</answer>", "C"), ("<answer>Berlin</answer>", "C"), ("<answer>C</answer><answer>B</answer>", "B"), ("<answer>no idea</answer>", None), ("<ANSWER>c</ANSWER>", "C"), (r"\boxed{C}", "C"), (r"\boxed{C) Berlin}", "C"), (r"\boxed{C) Paris}", None), (r"\boxed{3} so \boxed{C}", "C"), (r"\boxed{Berlin}", "C"), (r"\boxed{C", "C"),
    ("A) wrong\nB) wrong\nC) right\nD) wrong", "C"), ("A) right\nB) right\nC) wrong\nD) wrong", None), ("A) wrong\nC) right, since it holds", "C"), ("A: no\nB: no\nC: yes\nD: no", "C"), ("A. Paris - false\nB. London - false\nC. Berlin - true\nD. Madrid - false", "C"),
    ("C\nC", "C"), ("C\nB", None), ("One\nC\nTwo\n\nB", "B"), ("Let us see.\nC\nThat is it.", "C"), ("(c)\nis my pick", "C"), ("C) Berlin", "C"), ("C) Paris", None), ("C. Berlin, as said", "C"), ("C, because it is so", "C"), ("C because it is so", "C"), ("C is the capital", None), ("Cats", None), ("C's", None), ("C or B", None), ("C, B", None),
    ("Berlin", "C"), ("BERLIN.", "C"), ("**Berlin**", "C"), ("Berlin, because it is", "C"), ("Berlin is the capital of Germany.", "C"), ("Not Berlin", None), ("Berlin or London", None), ("East Berlin", None), ("Berlin-Mitte", None), ("Berlin's", None), ("The city is Berlin.", "C"), ("The city is Berlin, not London", "C"), ("The city is not Berlin.", None), ("The capital of Germany is called Berlin.", "C"), ("Berlin is the correct answer.", "C"), ("Berlin would be the best choice.", "C"), ("Berlin is not the correct answer.", None),
    ("Answer: C\nAnswer: B", "B"), ("Answer: C\n\nBut wait, the answer is B.", "B"), ("Answer: B\n\nC is wrong.", "B"), ("Answer: E", None), ("Answer: Berlin, not London", "C"), ("Answer: London or Berlin", None), ("Answer: C) London", None), ("Answer: C - Berlin", "C"), ("Answer:\n\nC", "C"), ("Answer: the letter C", "C"), ("Answer (C)", "C"), ("ANSWER = C", "C"), ("Answer → C", "C"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "letter"), CHOICES, ids=range(len(CHOICES)))
def test_corners_of_choices(text: str, letter: str | None) -> None:
    result = result_of(text, Part("ANSWER", "choice", "A", {"options": CITIES}))
    assert result.parts[0].parsed == letter


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("PICK: C\nVALID: yes", "C"), ("PICK: Berlin\nVALID: yes", "C"), ("VALID: yes\nPICK: C) Berlin", "C"), ("PICK:\nC\nVALID: yes", "C"), ("PICK: <letter>\nPICK: C", "C"), ("PICK: C\nPICK: <letter>", "C"),
        ("PICK: C\nPICK: B", "B"), ("PICK: B or C\nVALID: yes", None), ("PICK: C\nPICK: B or C", None), ("The answer is C.\nVALID: yes", None), ("VALID: yes", None), ("PICK: E", None), ("PICK: C) London", None), ("**PICK:** c\nVALID: no", "C"),
    ],
)  # fmt: skip
def test_among_other_parts_a_choice_stands_behind_its_label(text: str, letter: str | None) -> None:
    parts = (Part("PICK", "choice", "A", {"options": CITIES}), Part("VALID", "verdict", "yes", {}))
    assert result_of(text, *parts).parts[0].parsed == letter
