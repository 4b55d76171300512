# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Edges as people write them. The expected values are what the text says, worked out by hand."""

from typing import Any

import pytest
from benchpress.items import Part
from reading import read, result_of

ABCD = ["A", "B", "C", "D"]
AB_BC = [["A", "B"], ["B", "C"]]

DIRECTED: list[tuple[str, list[str], list[list[str]]]] = [
    *[
        (text, ABCD, AB_BC)
        for text in (
            "A -> B, B -> C", "A->B;B->C", "A --> B, B --> C", "A → B, B → C", "A→B; B→C", "A ⟶ B, B ⟶ C",
            "A ⇒ B, B ⇒ C", "A => B, B => C", "A ==> B, B ==> C", "A ➔ B, B ➜ C", "A ↦ B, B ↦ C", "A −> B, B −> C",
            "A –> B, B –> C", "A —> B, B —> C",
            "A &gt; B" * 0 + "A -&gt; B, B -&gt; C", "A &rarr; B; B &#8594; C", r"A \to B, B \to C",
            r"$A \to B$, $B \to C$", r"$A \rightarrow B, B \rightarrow C$",
            r"A \longrightarrow B; B \longrightarrow C", r"\{A \to B, B \to C\}", r"\boxed{A \to B, B \to C}",
            r"\(A \rightarrow B\), \(B \rightarrow C\)", r"\[A \rightarrow B,\quad B \rightarrow C\]", "{A -> B, B -> C}", "[A -> B, B -> C]", "(A -> B), (B -> C)", "(A->B, B->C)", "{A→B, B→C}.", "E = {A -> B, B -> C}", "The edges are A -> B and B -> C.", "A -> B and B -> C", "A -> B, and B -> C", "A -> B & B -> C",
            "A -> B -> C", "A → B → C", "A->B->C.", r"$A \to B \to C$", "C <- B <- A", "C ← B ← A",
            "A -> B, C <- B", "B <- A; C <- B", "B ⟵ A, C ⟵ B", r"B \leftarrow A, C \leftarrow B",
            "B &larr; A, C &larr; B", "(A, B), (B, C)", "(A,B),(B,C)", "[(A, B), (B, C)]", "{(A, B), (B, C)}",
            "{(A,B),(B,C)}", "[[A, B], [B, C]]",
            '[["A","B"],["B","C"]]', "[['A', 'B'], ['B', 'C']]", "[('A','B'),('B','C')]", "⟨A, B⟩, ⟨B, C⟩",
            r"\langle A,B\rangle, \langle B,C\rangle", "<A, B>, <B, C>", "A to B; B to C",
            "from A to B, from B to C", "edge from A to B and edge from B to C", "A causes B, B causes C",
            "A causes B and B causes C", "A directly causes B; B directly causes C",
            "A affects B, B affects C", "A influences B; B influences C", "A points to B, B points to C",
            "A leads to B; B leads to C", "A is a cause of B; B is a cause of C",
            "A is a parent of B, B is a parent of C", "B is caused by A; C is caused by B",
            '[{"from":"A","to":"B"},{"from":"B","to":"C"}]',
            '[{"source": "A", "target": "B"}, {"source": "B", "target": "C"}]',
            '{"from": "A", "to": "B"}, {"from": "B", "to": "C"}',
            "[{'parent': 'A', 'child': 'B'}, {'parent': 'B', 'child': 'C'}]", '["A -> B", "B -> C"]',
            '["A->B","B->C"]', "['A → B', 'B → C']", "**A → B**, **B → C**", "*A -> B*; *B -> C*",
            "`A -> B, B -> C`", "`A` -> `B`, `B` -> `C`", "**A** → **B**, **B** → **C**",
            "A -> B\nB -> C", "\nA -> B\nB -> C", "\n- A -> B\n- B -> C", "\n* A -> B\n* B -> C",
            "\n1. A -> B\n2. B -> C", "\n1) A -> B\n2) B -> C", "\n(1) A -> B\n(2) B -> C", "\n• A → B\n• B → C",
            "\n- `A -> B`\n- `B -> C`", "\n```\nA -> B\nB -> C\n```", "\n\n- A -> B\n\n- B -> C",
            "1. A -> B\n2. B -> C", "1) A -> B 2) B -> C", "- A→B\n- B→C", "– A → B\n– B → C",
            "A -> B;\nB -> C;", "A -> B,\nB -> C", "[\n  [\"A\", \"B\"],\n  [\"B\", \"C\"]\n]",
            "{\nA -> B,\nB -> C\n}", "A -> B (direct), B -> C (direct)", "A -> B (D is a collider), B -> C",
            "A -> B, B -> C (not A -> C)", "A -> B, B -> C, but not A -> C", "A -> B, B -> C; not A -> D",
            "A -> B, B -> C because D is isolated", "A -> B, B -> C. There is no edge A -> D.",
            "A -> B, B -> C — D is isolated",
            "A -> B, B -> C, A -> B", "B -> C, A -> B", "a -> b, b -> c", "Ａ→Ｂ，Ｂ→Ｃ", "A→B、B→C", "A->B,B->C,",
            "A\u200b -> B, B -> C", "A<br>" * 0 + "A → B<br>B → C", "<ul><li>A → B</li><li>B → C</li></ul>",
            "~~A -> D~~ A -> B, B -> C", "A -> D, no wait, A -> B, B -> C", "A -> C. Correction: A -> B, B -> C",
            '"A -> B", "B -> C"', "A ⟹ B, B ⟹ C", "A ▶ B, B ► C", "A -->> B, B -->> C",
        )
    ],
    *[(text, ABCD, [["A", "C"], ["B", "C"]]) for text in ("A -> C <- B", "A → C ← B", "{A, B} -> C", "{A,B} → C", r"\{A, B\} \to C", r"A \rightarrow C \leftarrow B", "A -> C, B -> C", "(A, B) -> C", "C <- {A, B}", "A → C; B → C", "A & B -> C", "A, B -> C", "A and B cause C")],
    *[(text, ABCD, [["A", "B"], ["A", "C"]]) for text in ("A -> {B, C}", "A → {B,C}", "B <- A -> C", "B ← A → C", "A -> (B, C)", "A -> [B, C]", "A -> B, A -> C", r"B \leftarrow A \rightarrow C", "A -> B, C", "A -> B and C", "A: B, C", "A: [B, C]", '{"A": ["B", "C"]}', "A causes B and C")],
    *[(text, ABCD, [["A", "B"]]) for text in ("A -> B", "A→B.", "(A, B)", "[A, B]", "[(A, B)]", "A -> B only", "only A -> B", "the edge A -> B", "A to B", "$A \\to B$", "A -> B (confounded by C)", "A -> B; C and D are isolated", "A -> B because C blocks D", "B <- A", "A ~> B", "just A → B")],
    *[(text, ABCD, []) for text in ("none", "None.", "{}", "[]", "∅", "no edges", "No edges.", "There are no edges", "no directed edges", "empty", "the empty set", "empty set", r"\emptyset", r"\{\}", "no edges remain", "none (all nodes are isolated)", "[ ]", "The graph has no edges", "E = {}", "no arrows", "()", "set()", "edgeless")],
    ("A -> B, B -> A", ABCD, [["A", "B"], ["B", "A"]]), ("A -> A", ABCD, [["A", "A"]]),
    ("A -> B -> C -> A", ABCD, [["A", "B"], ["B", "C"], ["C", "A"]]),
    ("{A, B} -> {C, D}", ABCD, [["A", "C"], ["A", "D"], ["B", "C"], ["B", "D"]]),
    ("A -> B -> C, A -> D", ABCD, [["A", "B"], ["A", "D"], ["B", "C"]]),
    ("A -> B, A -> C, B -> D, C -> D", ABCD, [["A", "B"], ["A", "C"], ["B", "D"], ["C", "D"]]),
    ("A: B, C\nB: D", ABCD, [["A", "B"], ["A", "C"], ["B", "D"]]),
    ('{"A": ["B"], "B": ["C", "D"], "C": []}', ABCD, [["A", "B"], ["B", "C"], ["B", "D"]]),
    ("A: B\nB: C\nC: none", ABCD, AB_BC), ("\nA: B\nB: C", ABCD, AB_BC),
    ("blood_pressure -> heart_rate", ["Blood Pressure", "Heart Rate"], [["Blood Pressure", "Heart Rate"]]),
    ("Blood Pressure to Heart Rate", ["Blood Pressure", "Heart Rate"], [["Blood Pressure", "Heart Rate"]]),
    ("**Blood Pressure** → **Heart Rate**", ["Blood Pressure", "Heart Rate"], [["Blood Pressure", "Heart Rate"]]),
    ("(Blood Pressure, Heart Rate)", ["Blood Pressure", "Heart Rate"], [["Blood Pressure", "Heart Rate"]]),
    ("SkillLevel → Wage", ["skill_level", "wage"], [["skill_level", "wage"]]),
    (r"\text{Skill Level} \rightarrow \text{Wage}", ["skill_level", "wage"], [["skill_level", "wage"]]),
    ("Skill Level causes Wage", ["skill_level", "wage"], [["skill_level", "wage"]]),
    ("X_1 → X_2, X₂ → X₁₁", ["X1", "X2", "X11"], [["X1", "X2"], ["X2", "X11"]]),
    (r"$X_{1} \to X_{11}$", ["X1", "X2", "X11"], [["X1", "X11"]]),
    ("X1->X11->X2", ["X1", "X2", "X11"], [["X1", "X11"], ["X11", "X2"]]),
    ("1->2->3", ["1", "2", "3"], [["1", "2"], ["2", "3"]]),
    ("(1, 2), (2, 3)", ["1", "2", "3"], [["1", "2"], ["2", "3"]]),
    ("\n1. 1 -> 2\n2. 2 -> 3", ["1", "2", "3"], [["1", "2"], ["2", "3"]]),
    ("pre-test -> score", ["pre-test", "score"], [["pre-test", "score"]]),
    ("pre-test->score", ["pre-test", "score"], [["pre-test", "score"]]),
    ("Z(0) -> Z(1)", ["Z(0)", "Z(1)"], [["Z(0)", "Z(1)"]]),
    ("Supply and Demand -> Price", ["Supply and Demand", "Price"], [["Supply and Demand", "Price"]]),
    ("温度 → 湿度", ["温度", "湿度"], [["温度", "湿度"]]), ("to -> from", ["to", "from"], [["to", "from"]]),
    ("a -> A", ["A", "a"], [["a", "A"]]), ("A -> B, B -> Q", ["A", "B"], [["A", "B"], ["B", "Q"]]),
]  # fmt: skip

UNDIRECTED = [
    ("A - B, B - C", AB_BC), ("A -- B; B -- C", AB_BC), ("A — B, B — C", AB_BC), ("A–B, B–C", AB_BC),
    ("A-B, B-C", AB_BC), ("B-A, C-B", AB_BC), ("(A, B), (B, C)", AB_BC), ("(B, A), (C, B)", AB_BC),
    ("{A, B}, {B, C}", AB_BC), ("{{A, B}, {B, C}}", AB_BC), ("[[A, B], [C, B]]", AB_BC),
    ("A --- B, B --- C", AB_BC),
    ("A <-> B, B <-> C", AB_BC), ("A ↔ B, B ↔ C", AB_BC), ("A ⇔ B; C ⇔ B", AB_BC), ("A -> B, B -> C", AB_BC),
    ("A -> B, B -> A, B -> C", AB_BC), ("B <- A; C <- B", AB_BC), (r"$A \leftrightarrow B$, $B - C$", AB_BC),
    ("A — B — C", AB_BC), ("A - B - C", AB_BC), ("A–B–C", AB_BC), ("\n- A - B\n- B - C", AB_BC),
    ("\n- A–B\n- B–C", AB_BC),
    ("A to B, B to C", AB_BC), ("A is adjacent to B; B is adjacent to C", AB_BC), ("none", []), ("{}", []),
    ("no edges", []), ("C - C", [["C", "C"]]),
]  # fmt: skip

NOTHING = [
    "", "N/A", "unknown", "I don't know", "?", "—", "...", "<edges>", "<from> -> <to>",
    "<name> -> <name>, <name> -> <name>", "{<edges>}", "name -> name" * 0 + "[edges]", "{edges}",
    "A -> B or B -> A", "either A -> B or A -> C", "A <-> B", "A ↔ B", "A - B", "A — B", "A -- B", "{A, B}",
    "A ->", "-> B", "A -> , B", "A", "A, B", "A and B", "see above", "it depends",
    "A -> B ->", "cannot be determined", "no valid graph exists" * 0 + "unclear",
]  # fmt: skip


@pytest.mark.parametrize(("text", "universe", "edges"), DIRECTED)
def test_directed_edges_are_read_as_they_are_meant(text: str, universe: list[str], edges: list[list[str]]) -> None:
    assert read("edges", text, universe=universe, directed=True) == edges


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("A -> B [weight=2], B -> C", AB_BC), ("\n- A -> B: A causes B directly\n- B -> C: B causes C", AB_BC), ("A -> B\n\nB -> C", AB_BC), ("no edge between A and B", None), ("A -> none", None), ("digraph G { A -> B; B -> C }", AB_BC), ("graph TD\nA --> B\nB --> C", AB_BC),
        ("\n- A -> B (direct)\n- B -> C (direct)", AB_BC), ("A->B (B->A is excluded), B->C", AB_BC), ("A -> B, B -> ?", None), ("A -> B, B - C", None), ("A o-> B", None), ("[] (no edges)", []), ("the edge set is empty", []), ("A -> B, C is a collider", [["A", "B"]]),
    ],
)  # fmt: skip
def test_remarks_neither_add_nor_drop_edges(text: str, edges: Any) -> None:
    assert read("edges", text, universe=ABCD, directed=True) == edges


@pytest.mark.parametrize(("text", "edges"), UNDIRECTED)
def test_undirected_edges_are_sorted_pairs(text: str, edges: list[list[str]]) -> None:
    assert read("edges", text, universe=ABCD, directed=False) == edges


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_not_one_list_of_edges_has_no_value(text: str) -> None:
    assert read("edges", text, universe=ABCD, directed=True) is None


def test_without_a_universe_names_stay_as_written() -> None:
    assert read("edges", "smoking -> cancer, tar -> cancer") == [["smoking", "cancer"], ["tar", "cancer"]]
    assert read("edges", "(x, y)") == [["x", "y"]]


@pytest.mark.parametrize(
    ("text", "gold", "params", "correct"),
    [
        ("A -> B, B -> C", AB_BC, {}, True), ("A -> B", AB_BC, {}, False), ("B -> A, B -> C", AB_BC, {}, False),
        ("B - A, C - B", AB_BC, {"directed": False}, True),
        ("none", [], {}, True), ("none", AB_BC, {}, False), ("A -> C", AB_BC, {"accept": [[["A", "C"]]]}, True),
    ],
)  # fmt: skip
def test_edges_are_right_when_they_equal_the_gold_or_an_accepted_list(
    text: str, gold: Any, params: dict[str, Any], correct: bool
) -> None:
    result = result_of(f"E: {text}", Part("E", "edges", gold, {"universe": ABCD, **params}))
    assert result.parts[0].correct is correct
