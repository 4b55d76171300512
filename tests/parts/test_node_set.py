# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Sets of names as people write them. The expected values are what the text says, worked out by hand."""

from typing import Any

import pytest
from benchpress.items import Part
from reading import read, result_of

ABCD = ["A", "B", "C", "D"]
AB = ["A", "B"]
CAMEL = ["SkillLevel", "PriorWage", "Region"]
BLANKS = ["Blood Pressure", "Age", "Heart Rate", "Blood"]
SUBSCRIPTS = ["X1", "X2", "X11", "X"]
SCORED = ["X_1", "X_2", "Y"]
LOCAL = ["age_group", "income", "zip", "z_2"]

SETS: list[tuple[str, list[str], list[str]]] = [
    *[
        (text, ABCD, AB)
        for text in (
            "{A,B}", "{ A , B }", "{B, A}", "{A, B, A}", "A,B", "A B", "A & B", "A + B", "A|B", "A and B.",
            "A, and B", "both A and B", "just A and B", "only A, B", "[A, B]", "(A, B)",
            "<A, B>", "{A; B}", "{A B}", "{A and B}", "{ 'A' , 'B' }", "{\"A\", \"B\"}", "['A', 'B']",
            "[\"A\",\"B\"]", "(\"A\", \"B\")", "\"A, B\"", "'A', 'B'", "“A”, “B”", "«A, B»",
            "set(['A', 'B'])", "set({A, B})", "Set{A, B}", "S = {A, B}", "Z={A,B}", "Z := {A, B}", "A = {A, B}",
            "The set is {A, B}", "The set is {A, B}.", "The minimal adjustment set is {A, B}",
            "adjust for A and B", "Adjust for {A, B}", "condition on A, B", "control for A and B",
            "We adjust for A and B.", "Use {A, B}", "variables A and B", "nodes A, B", "the variables A and B",
            "A、B", "A，B", "｛A、B｝", "{Ａ, Ｂ}", "A；B", "{A,B}。", "**A**, **B**", "**A, B**", "*A*, *B*", "`A`, `B`",
            "`A, B`", "{`A`, `B`}", "__A__ and __B__", "$A$, $B$", "$A, B$",
            r"$\{A,B\}$", r"\{A, B\}", r"\(\{A, B\}\)", r"\[\{A, B\}\]", r"$\left\{A, B\right\}$", r"\boxed{\{A,B\}}", r"$\boxed{\{A, B\}}$", r"\boxed{A, B}", r"\{\mathrm{A}, \mathrm{B}\}",
            r"\{\textit{A}, \textit{B}\}", r"\text{A, B}", r"\lbrace A, B \rbrace", r"Z = \{A, B\}", r"$\mathbf{Z} = \{A, B\}$", "&#123;A, B&#125;", "&lbrace;A, B&rbrace;", "{A,&nbsp;B}", "<b>{A, B}</b>",
            "<code>{A, B}</code>", "A<br/>B", "A <br> B", "<ul><li>A</li><li>B</li></ul>", "~~{A}~~ {A, B}",
            "<del>{C}</del> {A, B}", "{A, B} (sufficient)", "{A, B} - blocks C", "{A, B} — C is a collider",
            "{A, B}; D is not needed", "{A, B}, because D is a descendant", "{A, B} (or equivalently {B, A})",
            "{A, B} = {B, A}", "{A} ∪ {B}", "A, B (not C)", "A, B but not C", "A, B; not D", "A, B, not C",
            "A, B (C is a collider)", "A and B, since C is a collider", "A and B block all paths",
            "A, B are sufficient", "A, B. C is a collider.", "A, B — C is a collider", "{C} no wait, {A, B}",
            "{A, C}. Actually, {A, B}", "{A, C} -> corrected to {A, B}", "{A}... wait, {A, B}", "a, b", "{a, b}",
            "A,\nB", "\nA\nB", "\n- A\n- B", "\n* A\n* B", "\n1. A\n2. B", "\n1) A\n2) B", "\n• A\n• B",
            "\n\n- A\n\n- B", "\n```\n{A, B}\n```", "\n{A, B}", "\n> {A, B}", "\n  - A\n  - B\n", "{\nA,\nB\n}",
            "[\n  \"A\",\n  \"B\"\n]", "{A\u200b, B}", "\u200e{A, B}\u200e", "A\tB", "A / B", "A, B, ", "{A, B,}",
            "{A, B}!", "({A, B})", "{{A, B}}", "[[A, B]]", "[{A, B}]", "A,B,B,A", "either {A, B} or {B, A}",
        )
    ],
    *[
        (text, ABCD, ["B"])
        for text in ("B", "{B}", "(B)", "[B]", "B.", "'B'", "**B**", "`B`", "only B", "just B", "B only", "B alone", "{B} only", r"\{B\}", r"$\boxed{B}$", "B (the confounder)", "B because it is a confounder", "adjust for B", "b", "B, which blocks A",
                     "B, A is a collider", "B is sufficient", "node B", "the variable B", "B — not A", "\nB", "{B} since {A, B} is not minimal", "singleton {B}", "The single node B", "B:", "- B", "B - the common cause of A and C")
    ],
    *[
        (text, ABCD, [])
        for text in ("{}", "{ }", "[]", "()", "∅", "Ø", "ø", "{∅}", "⌀", r"\emptyset", r"$\emptyset$", r"$\varnothing$", r"\{\}", r"$\{\,\}$", r"\{ \}", r"\boxed{\emptyset}", r"\boxed{\{\}}", "&empty;", "&#8709;", "&emptyset;", "none", "None", "NONE", "none.", "(none)", "{none}", "empty", "(empty)", "empty set",
                     "the empty set", "The empty set.", "the empty set {}", "{} (empty set)",
                     "∅ (no adjustment needed)", "empty set (∅)", "null set", "no variables", "no nodes",
                     "no covariates", "No adjustment needed", "no adjustment is needed", "no adjustment necessary",
                     "No adjustment set is needed.",
                     "no adjustment", "nothing", "nothing to adjust for", "no conditioning",
                     "no variables need to be adjusted for",
                     "no adjustment required because all back-door paths are blocked", "none needed",
                     "none required", "None, the back-door paths are already closed", "set()", "frozenset()",
                     "Z = {}", "Z = ∅", r"Z = \emptyset", "`{}`", "**{}**", "**∅**", '""' * 0 + "{ }.", "\n{}",
                     "\n∅", "Set()", "not needed", "unnecessary", "the set is empty", "It is empty.",
                     "adjust for nothing", "no confounders", "without any adjustment", "{A} no wait, {}",
                     "~~{A}~~ ∅", "There is nothing to adjust for.",
                     "do not adjust for anything", "no further variables", "empty — every back-door path is blocked by C", "{} since A is a collider", "none of the variables need adjustment")
    ],
    ("{skill_level, region}", CAMEL, ["Region", "SkillLevel"]),
    ("skill level, prior wage", CAMEL, ["PriorWage", "SkillLevel"]), ("{Skill-Level}", CAMEL, ["SkillLevel"]),
    ("SKILLLEVEL", CAMEL, ["SkillLevel"]),
    ("{SkillLevel, PriorWage}", CAMEL, ["PriorWage", "SkillLevel"]), (r"{Skill\_Level}", CAMEL, ["SkillLevel"]),
    ("Skill_Level and Prior_Wage", CAMEL, ["PriorWage", "SkillLevel"]),
    (r"\{\text{SkillLevel}, \text{Region}\}", CAMEL, ["Region", "SkillLevel"]),
    ("{Blood Pressure}", BLANKS, ["Blood Pressure"]), ("{blood-pressure, age}", BLANKS, ["Age", "Blood Pressure"]),
    ("BloodPressure", BLANKS, ["Blood Pressure"]), ("Blood, Age", BLANKS, ["Age", "Blood"]),
    ("{Blood, Blood Pressure}", BLANKS, ["Blood", "Blood Pressure"]),
    ("blood pressure and heart rate", BLANKS, ["Blood Pressure", "Heart Rate"]),
    ("Blood  Pressure", BLANKS, ["Blood Pressure"]), ("heart_rate; Age", BLANKS, ["Age", "Heart Rate"]),
    (r"\text{Blood Pressure}, \text{Age}", BLANKS, ["Age", "Blood Pressure"]),
    ("**Blood Pressure**, Age", BLANKS, ["Age", "Blood Pressure"]),
    ("{X_1}", SUBSCRIPTS, ["X1"]), ("{X₁₁}", SUBSCRIPTS, ["X11"]), ("$X_1, X_{2}$", SUBSCRIPTS, ["X1", "X2"]),
    ("X-1", SUBSCRIPTS, ["X1"]), ("X 1, X 2", SUBSCRIPTS, ["X1", "X2"]), ("{X, X1}", SUBSCRIPTS, ["X", "X1"]),
    ("x_11", SUBSCRIPTS, ["X11"]), ("X<sub>2</sub>", SUBSCRIPTS, ["X2"]),
    (r"$X_{11}$", SUBSCRIPTS, ["X11"]), (r"\mathbf{X}_1", SUBSCRIPTS, ["X1"]),
    ("X1 and X11", SUBSCRIPTS, ["X1", "X11"]), ("{X1}", SCORED, ["X_1"]), ("{X₂, Y}", SCORED, ["X_2", "Y"]),
    ("x_1", SCORED, ["X_1"]), (r"$\{X_1, X_2\}$", SCORED, ["X_1", "X_2"]), (r"X\_1", SCORED, ["X_1"]),
    ("{age group}", LOCAL, ["age_group"]), ("Age Group, Income", LOCAL, ["age_group", "income"]),
    ("{AgeGroup}", LOCAL, ["age_group"]), ("z₂", LOCAL, ["z_2"]), ("{Z_2, ZIP}", LOCAL, ["z_2", "zip"]),
    (r"age\_group", LOCAL, ["age_group"]), ("`age_group`, `z_2`", LOCAL, ["age_group", "z_2"]),
    ("__age_group__", LOCAL, ["age_group"]),
    ("{a}", ["A", "a", "B"], ["a"]), ("{A, a}", ["A", "a", "B"], ["A", "a"]),
    ("{1, 3}", ["1", "2", "3"], ["1", "3"]), ("1 and 3", ["1", "2", "3"], ["1", "3"]),
    ("{12}", ["1", "2", "12"], ["12"]), ("3", ["1", "2", "3"], ["3"]),
    ("{pre-test}", ["pre-test", "pre", "test"], ["pre-test"]),
    ("pre, test", ["pre-test", "pre", "test"], ["pre", "test"]), ("Pre Test", ["pre-test", "age"], ["pre-test"]),
    ("pre_test and age", ["pre-test", "age"], ["age", "pre-test"]), ("Z(0)", ["Z(0)", "Z(1)"], ["Z(0)"]),
    ("{z(0), Z(1)}", ["Z(0)", "Z(1)"], ["Z(0)", "Z(1)"]),
    ("Supply and Demand", ["Supply and Demand", "Price"], ["Supply and Demand"]),
    ("{Supply and Demand, Price}", ["Supply and Demand", "Price"], ["Price", "Supply and Demand"]),
    ("Price and Supply and Demand", ["Supply and Demand", "Price"], ["Price", "Supply and Demand"]),
    ("{Größe, Alter}", ["Größe", "Alter"], ["Alter", "Größe"]),
    ("{Gro\u0308\u00dfe}", ["Größe", "Alter"], ["Größe"]), ("{年龄, 收入}", ["年龄", "收入"], ["年龄", "收入"]),
    ("年龄、收入", ["年龄", "收入"], ["年龄", "收入"]), ("R&D, Sales", ["R&D", "Sales"], ["R&D", "Sales"]),
    ("{CO2/kg, Age}", ["CO2/kg", "Age"], ["Age", "CO2/kg"]),
    ("{None, A}", ["None", "A"], ["A", "None"]), ("None", ["None", "A"], ["None"]),
    ("{A', B}", ["A", "A'", "B"], ["A'", "B"]), ("{A′}", ["A", "A'", "B"], ["A'"]),
    ("{A, I}", ["A", "I"], ["A", "I"]), ("{U_Z, W}", ["U_Z", "W", "U"], ["U_Z", "W"]),
    ("U, W", ["U_Z", "W", "U"], ["U", "W"]),
    ("IMPOSSIBLE", ["A", "IMPOSSIBLE"], ["IMPOSSIBLE"]), ("{IMPOSSIBLE}", ["A", "IMPOSSIBLE"], ["IMPOSSIBLE"]),
    ("impossible", ["A", "IMPOSSIBLE"], ["IMPOSSIBLE"]), ("**IMPOSSIBLE**", ["A", "IMPOSSIBLE"], ["IMPOSSIBLE"]),
    ("IMPOSSIBLE (no set blocks A)", ["A", "IMPOSSIBLE"], ["IMPOSSIBLE"]),
    ("no valid adjustment set exists", ["A", "IMPOSSIBLE"], ["IMPOSSIBLE"]), ("{}", ["A", "IMPOSSIBLE"], []),
    ("no adjustment needed", ["A", "IMPOSSIBLE"], []),
    ("IMPOSSIBLE - no such set exists", ["A", "IMPOSSIBLE"], ["IMPOSSIBLE"]),
]  # fmt: skip

NOTHING = [
    "", "  ", "N/A", "n/a", "unknown", "I don't know", "I can't tell", "?", "-", "—", "...", "{...}", "<set>",
    "{<variables>}", "{<names>}", "<names in braces>", "{variable names}", "[variables]", "{node, node}",
    "[your answer]", "{name, name, ...}", "___", "TBD",
    "no valid adjustment set exists", "There is no valid adjustment set.", "No such set exists",
    "no admissible set", "none exists", "None exist.", "no set of variables satisfies the criterion",
    "does not exist", "impossible", "not possible", "No set works",
    "there is no set that blocks every path", "A or B", "{A} or {B}", "{A}, {B}", "either {A} or {B}",
    "A or {B, C}", "{A, B} or {A, C}", "A vs B", "not A", "not {A}", "{A, B} \\ {B}", "{A, B} minus {B}",
    "{A} and/or {B}", "it depends on A", "see above", "Does A block it?", "a good question", "I think it is hard",
    "A (or B)", "possibly all of them",
]  # fmt: skip


@pytest.mark.parametrize(("text", "universe", "names"), SETS)
def test_a_set_is_read_as_it_is_meant(text: str, universe: list[str], names: list[str]) -> None:
    assert read("node_set", text, universe=universe) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("one of A, B", None), ("A (and B)", None), ("A ∪ B", AB), ("A.B", None), ("{A: confounder, B: confounder}", AB), ("\n- A: confounder\n- B: confounder", AB), ("\n- A (confounder)\n- B (confounder)", AB), ("\n- A is a confounder\n- C is a collider", None), ("A, B | C", None), ("minimal: {A}; full: {A, B}", None), ("empty set or {A}", None), ("none (or {A})", None),
        ("{A, B} (or {A, C})", None), ("null", None), ("{,}", None), ("{A, ...}", None), ("{A, B, etc.}", None), ("{A, ?}", None), ("(empty set)", []), ("no need for adjustment", []), ("adjustment is not needed", []), (r"\phi", []), (r"{\bf A}, {\bf B}", AB), ("A und B", AB), ('{"nodes": ["A", "B"]}', AB), ("the confounder A", ["A"]), ("A, the confounder", ["A"]),
    ],
)  # fmt: skip
def test_remarks_and_alternatives_do_not_change_a_set(text: str, names: list[str] | None) -> None:
    assert read("node_set", text, universe=ABCD) == names


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_not_one_set_has_no_value(text: str) -> None:
    assert read("node_set", text, universe=ABCD) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [("{A, B}", ["A", "B"]), ("age, blood pressure", ["age", "blood pressure"]), ("{}", []), ("", None), ("x and y", ["x", "y"]), ("[Smoking]", ["Smoking"])],
)  # fmt: skip
def test_without_a_universe_names_stay_as_written(text: str, names: list[str] | None) -> None:
    assert read("node_set", text) == names


@pytest.mark.parametrize(
    ("text", "gold", "params", "correct"),
    [
        ("{B, A}", AB, {}, True), ("{A}", AB, {}, False), ("{A, B, C}", AB, {}, False), ("{}", [], {}, True),
        ("", [], {}, False), ("none", AB, {}, False),
        ("{C}", AB, {"accept": [["C"], ["D", "A"]]}, True), ("{A, D}", AB, {"accept": [["C"], ["D", "A"]]}, True),
        ("{D}", AB, {"accept": [["C"]]}, False), ("{A, Q}", AB, {}, False),
    ],
)  # fmt: skip
def test_a_set_is_right_when_it_equals_the_gold_or_an_accepted_set(
    text: str, gold: list[str], params: dict[str, Any], correct: bool
) -> None:
    result = result_of(f"S: {text}", Part("S", "node_set", gold, {"universe": ABCD, **params}))
    assert result.parts[0].correct is correct


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I don't know", None), ("I cannot tell", None), ("A good question", None), ("A valid set is {T}", ["T"]),
        ("A set that works is {I}", ["I"]), ("I", ["I"]), ("A, I", ["A", "I"]), ("I and T", ["I", "T"]),
        ("A blocks the path", ["A"]), ("I think {T}", ["T"]), ("I because it is a confounder", ["I"]),
        ("can't say", None), ("{A, T}", ["A", "T"]),
    ],
)  # fmt: skip
def test_words_of_a_sentence_are_no_names(text: str, names: list[str] | None) -> None:
    assert read("node_set", text, universe=["A", "I", "T"]) == names
