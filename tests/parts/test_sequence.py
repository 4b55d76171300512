# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Orders as people write them. The expected values are what the text says, worked out by hand."""

from typing import Any

import pytest
from benchpress.items import Part
from reading import read, result_of

ABC = ["A", "B", "C"]
CAB = ["C", "A", "B"]

ORDERS: list[tuple[str, list[str], list[str]]] = [
    *[
        (text, ABC, CAB)
        for text in (
            "C, A, B", "C,A,B", "C, A, B.", "C; A; B", "C A B", "C -> A -> B", "C->A->B", "C → A → B", "C ⟶ A ⟶ B",
            "C => A => B", "C --> A --> B", "C ⇒ A ⇒ B", r"C \to A \to B", r"$C \rightarrow A \rightarrow B$",
            r"\boxed{C, A, B}", r"\(C, A, B\)", "$C, A, B$", "C &rarr; A &rarr; B", "C < A < B", "C &lt; A &lt; B",
            "C ≺ A ≺ B", r"C \prec A \prec B",
            "C > A > B", "[C, A, B]", "(C, A, B)", "{C, A, B}", "<C, A, B>", "⟨C, A, B⟩", '["C","A","B"]',
            "['C', 'A', 'B']", "('C', 'A', 'B')", '"C", "A", "B"', "C / A / B", "C/A/B", "C | A | B", "C - A - B",
            "C – A – B", "C — A — B", "C·A·B", "C, then A, then B", "C then A then B", "C, A and B", "C, A, and B",
            "first C, then A, finally B", "First C, second A, third B",
            "C first, A second, B third", "C first, then A, then B", "C (1), A (2), B (3)", "A (2), C (1), B (3)",
            "1. C 2. A 3. B", "1) C, 2) A, 3) B", "(1) C (2) A (3) B", "1: C, 2: A, 3: B", "#1 C, #2 A, #3 B",
            "1. C, 2. A, 3. B", "2. A 1. C 3. B", "① C ② A ③ B", "1st: C, 2nd: A, 3rd: B", "1st C, 2nd A, 3rd B",
            "\n1. C\n2. A\n3. B", "\n1) C\n2) A\n3) B", "\n- C\n- A\n- B", "\n* C\n* A\n* B", "\nC\nA\nB",
            "\n  • C\n  • A\n  • B",
            "C\nA\nB", "\n2. A\n1. C\n3. B", "\n```\nC, A, B\n```", "C,\nA,\nB", "C →\nA →\nB",
            "[\n\"C\",\n\"A\",\n\"B\"\n]", "**C**, **A**, **B**", "**C → A → B**", "`C, A, B`", "`C` → `A` → `B`",
            "*C*, *A*, *B*", "C, A, B (A has parent C)", "C, A, B because C is a root",
            "C, A, B since A depends on C", "C, A, B. A precedes B.", "C, A, B — B is last", "C → A → B (unique)",
            "C before A before B", "C precedes A precedes B",
            "The order is C, A, B", "Topological order: C, A, B", "order = C, A, B", "The order is C → A → B.",
            "a topological order is C, A, B", "Order: [C, A, B]", "Ｃ，Ａ，Ｂ", "C、A、B", "c → a → b", "C, A, B,",
            "~~A, C, B~~ C, A, B", "A, C, B; no wait, C, A, B", "A, B, C. Correction: C, A, B", "B ← A ← C",
            "C\u200b, A, B", "C\tA\tB", "<b>C</b>, <b>A</b>, <b>B</b>", "<ol><li>C</li><li>A</li><li>B</li></ol>",
            "C<br>A<br>B", "C comes first, then A, and finally B", "C, followed by A, followed by B",
        )
    ],
    ("A", ABC, ["A"]), ("A, B", ABC, ["A", "B"]), ("A, A, B", ABC, ["A", "A", "B"]),
    ("C -> A -> B -> C", ABC, ["C", "A", "B", "C"]),
    ("Heart Rate → Blood Pressure → Age", ["Age", "Blood Pressure", "Heart Rate"], ["Heart Rate", "Blood Pressure", "Age"]),
    ("heart_rate, age, blood-pressure", ["Age", "Blood Pressure", "Heart Rate"], ["Heart Rate", "Age", "Blood Pressure"]),
    ("1. Heart Rate 2. Age 3. Blood Pressure", ["Age", "Blood Pressure", "Heart Rate"], ["Heart Rate", "Age", "Blood Pressure"]),
    ("X_2, X_1, X_11", ["X1", "X2", "X11"], ["X2", "X1", "X11"]), ("X₂ → X₁", ["X1", "X2"], ["X2", "X1"]),
    ("1. X1 2. X11 3. X2", ["X1", "X2", "X11"], ["X1", "X11", "X2"]),
    ("2 → 1 → 3", ["1", "2", "3"], ["2", "1", "3"]), ("2, 1, 3", ["1", "2", "3"], ["2", "1", "3"]),
    ("(1) 2 (2) 1 (3) 3", ["1", "2", "3"], ["2", "1", "3"]),
    ("\n1. 2\n2. 3\n3. 1", ["1", "2", "3"], ["2", "3", "1"]),
    ("-3.5, 61.5, -97.8", ["-97.8", "-3.5", "61.5"], ["-3.5", "61.5", "-97.8"]),
    ("-97.8 < -3.5 < 61.5", ["-97.8", "-3.5", "61.5"], ["-97.8", "-3.5", "61.5"]),
    ("pre-test, dose, post-test", ["pre-test", "dose", "post-test"], ["pre-test", "dose", "post-test"]),
    ("pre-test → dose → post-test", ["pre-test", "dose", "post-test"], ["pre-test", "dose", "post-test"]),
    ("Tax, Supply and Demand, Price", ["Supply and Demand", "Price", "Tax"], ["Tax", "Supply and Demand", "Price"]),
    ("Tax and Supply and Demand", ["Supply and Demand", "Price", "Tax"], ["Tax", "Supply and Demand"]),
    ("first, second", ["first", "second"], ["first", "second"]),
    ("SkillLevel, wage", ["skill_level", "wage"], ["skill_level", "wage"]), ("a, A", ["a", "A"], ["a", "A"]),
    ("B, A", ["A", "B"], ["B", "A"]),
]  # fmt: skip

CYCLES = [
    ("B -> C -> A -> B", ["A", "B", "C"]), ("A -> B -> C", ["A", "B", "C"]), ("A -> B -> C -> A", ["A", "B", "C"]),
    ("C, A, B", ["A", "B", "C"]), ("C, B, A", ["A", "C", "B"]), ("B → A → C → B", ["A", "C", "B"]),
    ("(B, C, A)", ["A", "B", "C"]), ("[C, A, B, C]", ["A", "B", "C"]), ("A, B", ["A", "B"]), ("A -> A", ["A"]),
    ("A", ["A"]), ("B, A, C, A", ["A", "B", "A", "C"]),
]  # fmt: skip

NOTHING = ["", "N/A", "unknown", "?", "...", "<order>", "<first>, <second>, <third>", "[names in order]", "C, A, B or C, B, A", "either C, A, B or A, C, B", "C, {A, B}", "C, (A, B)", "C = A, B", "see above", "A after C", "there are several orders", "—"]  # fmt: skip


@pytest.mark.parametrize(("text", "universe", "order"), ORDERS)
def test_an_order_is_read_as_it_is_meant(text: str, universe: list[str], order: list[str]) -> None:
    assert read("sequence", text, universe=universe) == order


@pytest.mark.parametrize(("text", "order"), CYCLES)
def test_a_cycle_starts_at_its_smallest_element(text: str, order: list[str]) -> None:
    assert read("sequence", text, universe=ABC, cyclic=True) == order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("C, A, B (reverse: B, A, C)", CAB), ("First: C. Second: A. Third: B.", CAB), ("C: 1, A: 2, B: 3", CAB), ("A: 2, C: 1, B: 3", CAB), ("C -> A, A -> B", CAB), ("C before A, A before B", CAB), ("a) C b) A c) B", CAB), ("(i) C, (ii) A, (iii) B", CAB), ("Step 1: C, Step 2: A, Step 3: B", CAB), ("(C) (A) (B)", CAB),
        ("C, A, B is valid", CAB), ("\n- C (no parents)\n- A (parent C)\n- B", CAB), ("\n1. C: no parents\n2. A: parent C\n3. B: parent A", CAB), ("C.A.B", None), ("C, ?, B", None), ("C, A, ...", None), ("C, A, B / C, B, A", None), ("C, A, B\nC, B, A", None), ("C, A, B; also C, B, A", None), ("B, preceded by A", None), ("A after C, B after A", None), ("C -> A, B", None),
    ],
)  # fmt: skip
def test_remarks_and_alternatives_do_not_shorten_an_order(text: str, order: Any) -> None:
    assert read("sequence", text, universe=ABC) == order


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_not_one_order_has_no_value(text: str) -> None:
    assert read("sequence", text, universe=ABC) is None


def test_without_a_universe_names_stay_as_written() -> None:
    assert read("sequence", "smoking, tar deposits, cancer") == ["smoking", "tar deposits", "cancer"]


@pytest.mark.parametrize(
    ("text", "gold", "params", "correct"),
    [
        ("C, A, B", CAB, {}, True), ("C, B, A", CAB, {}, False), ("C, A", CAB, {}, False),
        ("c -> a -> b", CAB, {}, True), ("A, B, C", CAB, {}, False), ("A, B, C", CAB, {"cyclic": True}, True),
        ("B, C, A, B", CAB, {"cyclic": True}, True),
        ("C, B, A", CAB, {"accept": [["C", "B", "A"]]}, True),
        ("C, B, A", CAB, {"cyclic": True, "accept": [["A", "C", "B"]]}, True),
    ],
)  # fmt: skip
def test_an_order_is_right_when_it_equals_the_gold_or_an_accepted_one(
    text: str, gold: list[str], params: dict[str, Any], correct: bool
) -> None:
    result = result_of(f"O: {text}", Part("O", "sequence", gold, {"universe": ABC, **params}))
    assert result.parts[0].correct is correct
