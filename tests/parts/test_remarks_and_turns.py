# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Remarks behind an answer, and turns in it: reasons that name other values, corrections, several answers.

Expected values are what a patient person reads, and nothing where such a person would have to guess.
"""

from fractions import Fraction
from typing import Any

import pytest
from benchpress.items import Part
from reading import YES_NO, read, result_of

BIAS = {"vocabulary": ["upward", "downward", "none"], "classes": {"upward": ["higher", "positive"], "downward": ["lower", "negative"], "none": ["unbiased"]}}  # fmt: skip
INDEPENDENT = {"vocabulary": ["yes", "no"], "classes": {"yes": ["independent"], "no": ["dependent"]}}
USE = {"vocabulary": ["pooled", "stratified", "both", "neither"]}
SCALE = {"vocabulary": ["difference", "ratio", "both", "neither"]}
VIOLATED = {"vocabulary": ["exclusion", "exogeneity", "both", "none"], "classes": {"none": ["neither", "valid"]}}
CHANGE = {"vocabulary": ["changes", "creates", "removes", "unchanged"], "classes": {"changes": ["change"], "creates": ["create"], "removes": ["remove"], "unchanged": ["nothing"]}}  # fmt: skip

VERDICTS: list[tuple[dict[str, Any], str, str | None]] = [
    (YES_NO, "No. It would be identifiable if U were observed.", "no"), (YES_NO, "Yes. It would not be identifiable if U pointed to C.", "yes"), (YES_NO, "No. If U were observed, it would be identifiable.", "no"), (YES_NO, "No, but it would be identifiable if U were observed", "no"), (YES_NO, "No - it becomes identifiable only if U is measured", "no"),
    (YES_NO, "It would be identifiable if U were observed.", "yes"), (YES_NO, "I would say yes.", "yes"), (YES_NO, "Yes. I would say no.", None), (YES_NO, "No. Actually, it would be identifiable.", "yes"), (YES_NO, "No. It is identifiable.", None), (YES_NO, "Yes. No.", None), (YES_NO, "yes (corrected from no)", "yes"), (YES_NO, "no; yes if Z is observed", None), (YES_NO, "No. So it is identifiable.", "yes"), (YES_NO, "No; identifiable or not identifiable", None), (YES_NO, "Yes. However, it is not identifiable.", "no"),
    (INDEPENDENT, "no, dependent. They become independent only given C.", "no"), (INDEPENDENT, "yes, independent. Dependent.", None), (INDEPENDENT, "Yes. However, conditioning on C makes them dependent.", None), (INDEPENDENT, "No. They are independent when C is held.", "no"), (YES_NO, "No. It is identifiable when Z is observed.", None), (INDEPENDENT, "They are dependent. They become independent given C.", None),
    (BIAS, "upward. The product of the two negative paths is positive.", "upward"), (BIAS, "downward; positive times negative gives negative", "downward"), (BIAS, "None — the slope equals the effect, so it is neither higher nor lower", "none"), (BIAS, "The slope equals the effect, so it is neither higher nor lower", "none"), (BIAS, "None. It would be positive if U acted on both.", "none"),
    (BIAS, "upward. The sign is negative, so downward.", "downward"), (BIAS, "upward. However, downward.", "downward"), (BIAS, "positive. Or negative.", None), (BIAS, "positive. Positive or negative, it depends.", None), (BIAS, "both upward and downward", None), (BIAS, "the sign is positive times negative", None), (BIAS, "upward but not negative", "upward"), (BIAS, "not upward but negative", "downward"), (BIAS, "not upward, but not negative either", "none"),
    (USE, "both. Pooled and stratified are both valid.", "both"), (USE, "both. The pooled and the stratified estimates agree.", "both"), (USE, "neither. Neither pooled nor stratified is valid.", "neither"), (USE, "neither pooled nor stratified", "neither"), (USE, "Neither the pooled nor the stratified estimate", "neither"), (USE, "both pooled and stratified", "both"), (USE, "Pooled and stratified are both valid", "both"),
    (USE, "both. Neither pooled nor stratified works.", None), (USE, "pooled, and also stratified", None), (USE, "pooled. Stratified estimates agree.", "pooled"), (USE, "both of pooled and stratified", "both"),
    (USE, "pooled and stratified", None), (USE, "both pooled and stratified fail", None), (USE, "pooled is valid for both groups", None), (USE, "both or neither", None), (USE, "not both", None), (USE, "pooled, not both", "pooled"), (USE, "stratified but neither", "neither"), (USE, "both, but not pooled", None), (USE, "stratified, but not pooled", "stratified"),
    (SCALE, "both the difference and the ratio", "both"), (SCALE, "ratio but not difference", "ratio"), (SCALE, "ratio, but not difference", "ratio"), (SCALE, "on the difference scale but not on the ratio scale", "difference"), (SCALE, "not ratio but difference", "difference"), (SCALE, "not ratio", None), (SCALE, "ratio but difference", "difference"),
    (VIOLATED, "exclusion but not exogeneity", "exclusion"), (VIOLATED, "none. Neither exclusion nor exogeneity fails.", "none"), (VIOLATED, "neither exclusion nor exogeneity fails", None), (VIOLATED, "neither exclusion nor exogeneity", "none"),
    (CHANGE, "changes, but does not remove", "changes"), (CHANGE, "changes but does not create", "changes"), (CHANGE, "creates. It removes nothing.", "creates"), (CHANGE, "does not change but creates", "creates"), (CHANGE, "does not change", None),
]  # fmt: skip


@pytest.mark.parametrize(("words", "text", "verdict"), VERDICTS, ids=range(len(VERDICTS)))
def test_a_reason_behind_a_verdict_is_no_verdict(words: dict[str, Any], text: str, verdict: str | None) -> None:
    assert read("verdict", text, **words) == verdict


ABCD = ["A", "B", "C", "D"]
AB, AC, BC = ["A", "B"], ["A", "C"], ["B", "C"]

CORRECTED_SETS: list[tuple[str, Any]] = [
    ("{A, C}. Actually, C is a collider, so {A, B}.", AB), ("{A, C} - wait, C is a collider: {A, B}", AB), ("{A, C} — wait, C is a collider: {A, B}", AB), ("{A, C}. Wait, no: {A, B}", AB), ("{A, C}. Wait, no, {A, B}.", AB), ("{A, C}; no, {A, B}", AB), ("{A, C}. Actually, {A, B}, so C is not needed", AB),
    ("{A, C}. Hold on, C opens B -> D. Hence {A, B}.", AB), ("{A, C}. Wait, is C a collider? Yes. So {A, B}.", AB), ("{A, C}. Correction: {A, B}, since C is a collider: it opens a path", AB), ("{A, C}, wait, A and B suffice", AB), ("{A, C}. Wait, C is a collider, so {}", []), ("{A, C}. Actually, the set {A, B} only", AB),
    ("{A, C}. Actually, {A, B} is right", AB), ("{A, C}. Actually, A and B are needed", AB), ("{A, B} (corrected from {A, C})", AB), ("{A, C}. Actually, {A, B} is not valid", None), ("{A, C}. Actually, {A, B} is also valid", None), ("{A, C}. Actually, {} is also valid", None),
    ("{A, C}. Actually C is a collider.", None), ("{A, C}. Wait: A and B are colliders.", None), ("{A, B}. Actually, {A} alone leaves a path open", None), ("{A}, wait, {B}, actually correct", None), ("{A, C}. Wait, {A, B} or {B}", None), ("{A, C}. Actually, {A, B}; {B} works too", None),
    ("{A, C}. Actually, this is minimal.", AC), ("{A, C} (actually minimal)", AC), ("{A, C}. Actually, I am sure.", AC), ("{A, B} (C is actually a collider)", AB), ("The set should be {A, B} because C is a collider: it opens a path", AB), ("{A, C}, rather than {B}", AC), ("{A, C}. Is another node needed? No, these are enough.", AC),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), CORRECTED_SETS, ids=range(len(CORRECTED_SETS)))
def test_a_set_taken_back_does_not_count(text: str, value: Any) -> None:
    assert read("node_set", text, universe=ABCD) == value


CORRECTED_LISTS: list[tuple[str, str, Any]] = [
    ("edges", "A -> B; wait, no: B -> A", [["B", "A"]]), ("edges", "A -> B; no, B -> A", [["B", "A"]]), ("edges", "A -> B. Wait, B is a collider, so C -> B", [["C", "B"]]), ("edges", "A -> B. Wait: A -> B and C -> B.", [["A", "B"], ["C", "B"]]), ("edges", "A -> B. Actually B causes A", [["B", "A"]]),
    ("edges", "A -> B, B -> C. Is C -> A possible? No, A precedes C", [["A", "B"], ["B", "C"]]), ("sequence", "C, B, A, D? No: C, A, B, D", ["C", "A", "B", "D"]),
    ("edges", "none. Wait, A -> B", [["A", "B"]]), ("edges", "A -> B. Wait, none.", []), ("edges", "A -> B; actually no other edges", [["A", "B"]]), ("node_set", "{A, B}; actually, nothing else needed", AB), ("node_set", "{}. Wait, {A}", ["A"]),
    ("edges", "A -> B. Wait, B -> A is impossible", None), ("edges", "A -> B. Actually, C - D is reversible.", None), ("edges", "A -> B, actually the only one", [["A", "B"]]), ("edges", "A -> B. Anything else? No, that is all.", [["A", "B"]]),
    ("sequence", "A, C, B, D. Wait, no: C, A, B, D", ["C", "A", "B", "D"]), ("sequence", "A, C, B, D. Actually, A is a child of C, so C, A, B, D", ["C", "A", "B", "D"]), ("sequence", "A, C, B, D. Wait, A comes after C: C, A, B, D", ["C", "A", "B", "D"]), ("sequence", "A, C, B, D. Actually, A is a child of C", None), ("sequence", "A, B, C, D. Actually the only one", ABCD),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "value"), CORRECTED_LISTS, ids=range(len(CORRECTED_LISTS)))
def test_edges_and_orders_taken_back_do_not_count(kind: str, text: str, value: Any) -> None:
    assert read(kind, text, universe=ABCD, directed=True) == value


ABC, CAB = ["A", "B", "C"], ["C", "A", "B"]

ORDERS: list[tuple[str, Any]] = [
    ("[C, A, B] or [C, B, A]", None), ("(C, A, B) or (C, B, A)", None), ("[C, A, B], [C, B, A]", None), ("[C, A, B] and [C, B, A] are both valid", None), ("[C, A, B] or C, B, A", None), ("[C, A, B] (or [C, B, A])", None), ("[C, A, B]. Also valid: [C, B, A]", None), ("[C, A, B] or equivalently [C, A, B]", CAB), ("[C, A, B] (A and B are children)", CAB), ("[C, A, B] (A before B)", CAB), ("[C, A, B] or so", CAB), ("[C, A, B], not [C, B, A]", CAB), ("[C, A, B] because [C, B, A] is wrong", CAB), ("[C, A, B]. One might think [C, B, A] is right.", None), ("(C, A, B), since (A, B) is an edge", CAB),
    ("C: 0.9; A: 0.5; B: 0.1", CAB), ("C = 0.9, A = 0.5, B = 0.1", CAB), ("C – 0.9, A – 0.5, B – 0.1", CAB), ("C - 0.9, A - 0.5, B - 0.1", CAB), ("C 0.9, A 0.5, B 0.1", CAB), ("C 90%, A 50%, B 10%", CAB), ("C = 0.9 > A = 0.5 > B = 0.1", CAB), ("C: -0.1, A: .2, B: 1", CAB), ("\nC: 0.9\nA: 0.5\nB: 0.1", CAB), ("\n- C 0.9\n- A 0.5\n- B 0.1", CAB), ("1) C: 0.9, 2) A: 0.5, 3) B: 0.1", CAB),
    ("C: 3, A: 2, B: 1", ["B", "A", "C"]), ("C 0.9, A, B", None), ("C 0.9 0.8, A 0.5, B 0.1", None), ("C: 0.9, A: high, B: 0.1", None), ("\n- 1: C\n- 2: A\n- 3: B", CAB), ("\n- 2: C\n- 1: A\n- 3: B", ["A", "C", "B"]),
    ("C → A → B [A before B]", CAB), ("C, A, B [C is the root]", CAB), ("C [root], A, B", CAB), ("C, [A, B]", None), ("C, {A, B}", None), ("C, [A and B]", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), ORDERS, ids=range(len(ORDERS)))
def test_an_order_with_figures_and_remarks_is_one_order(text: str, value: Any) -> None:
    assert read("sequence", text, universe=ABC) == value


NUMBERS: list[tuple[str, str | None]] = [
    ("0.42 for x = 1 and 0.58 for x = 0", None), ("0.42 if z = 1, 0.58 if z = 0", None), ("0.42 when z = 1; 0.58 when z = 0", None), ("0.42 given z = 1, -0.42 given z = 0", None), ("0.42 in stratum 1, 0.58 in stratum 2", None), ("0.42 for z = 1, and 0.58 otherwise", None), ("0.42 if z = 1, else 0.58", None),
    ("0.42 for x = 1", "0.42"), ("0.42 if z = 1 and x = 0", "0.42"), ("0.42 for x = 1 versus x = 0", "0.42"), ("0.42 for x = 1 and 0.42 for x = 0", "0.42"), ("-0.42 for x = 1, -0.42 for x = 0", "-0.42"), ("0.42 with n = 500 and p = 0.03", "0.42"), ("0.42 for x = 1, since 0.6 for z = 1 and 0.18 for z = 0 differ by it", "0.42"),
    ("0.5. Wait, no: 0.42", "0.42"), ("0.5; no, 0.42", "0.42"), ("0.42 (corrected from 0.58)", "0.42"), ("0.42, updated from 0.4 to 0.42", "0.42"), ("0.5 - actually 0.4 to 0.45", None),
    ("0.420 to 3 decimal places", "0.42"), ("0.42, rounded to 2 decimal places", "0.42"), ("0.42 correct to 2 decimal places", "0.42"), ("0.42 to 2 dp", "0.42"), ("0.42 to 2 d.p.", "0.42"), ("0.42 to 3 s.f.", "0.42"), ("-0.420, to 3 decimals", "-0.42"), ("0.42 to 3 significant figures", "0.42"), ("0.42 up to 3 decimal places", "0.42"), ("42.0%, rounded to 1 decimal", "0.42"), ("7/12 to 3 decimal places", "7/12"), ("0.42 (2 dp)", "0.42"),
    ("0.42 to 0.58", None), ("0.42 to 2", None), ("2 to 3 decimal places", None), ("0.4167, rounded to 0.42", None), ("0.42 to 2 strata", None), ("0.42, 2 strata", None),
    ("0.42  # back-door, 2 strata", "0.42"), ("42%  # 0.42, 2 strata", "0.42"), ("0.42 # or 0.58", None), ("# 0.42", None), ("#2: 0.42", None), ("<-0.5 or less", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), NUMBERS, ids=range(len(NUMBERS)))
def test_a_number_is_read_past_its_precision_and_not_out_of_cases(text: str, value: str | None) -> None:
    got = read("number", text)
    assert (None if got is None else Fraction(got)) == (None if value is None else Fraction(value))


SETS: list[tuple[str, Any]] = [
    ("{A}; {A, B} is valid but not minimal", ["A"]), ("{A}. {A, B} is valid too but not minimal.", ["A"]), ("{A} - {B} alone leaves a path open", ["A"]), ("{A} — {B} alone leaves a path open", ["A"]), ("{A}: {B} alone leaves a path open", ["A"]), ("{A}; {B} fails", ["A"]), ("{A}; {A, B} is larger", ["A"]), ("{A, B}; {A} is not enough and {B} opens the path", AB), ("{A}; {} leaves A -> B open", ["A"]), ("A; {A, B} is not minimal", ["A"]),
    ("{A}. The set {A, B} is not minimal.", ["A"]), ("{A}; {B} and {C} fail", ["A"]), ("{A, B}. {A} and {B} alone are insufficient.", AB), ("{A, B}; neither {A} nor {B} suffices", AB), ("{A}; {B} also does not open any path", None), ("{A}. {B} is equally not open", None),
    ("{A}; {B}", None), ("{A}. {B}", None), ("{A} - {B}", None), ("{A}; {B} works too", None), ("{A}. {B} is also valid.", None), ("{A} and {B} are not needed", None), ("{A} fails. {B}", None), ("{A} is not valid; {A, B} is", None), ("{A} not {B}", ["A"]), ("{A}, since {B} is not enough", ["A"]), ("{A}. However, {B} is better", None), ("{A}; use {B}", None),
    ("{A, B} [minimal]", AB), ("{A, B} [size 2]", AB), ("{A} [blocks B ← A → D]", ["A"]), ("{} [no back-door path; B is a mediator]", []), ("A, B [minimal]", AB), ("A [a confounder], B [a confounder]", AB), ("{A} [B]", None), ("{A} [or {B}]", None), ("A [or B]", None), ("[A], [B]", None),
    ("{A, C} = Pa(B)", AC), ("{A, C} = parents of B", AC), ("Pa(B) = {A, C}", AC), ("{A, C} = {A, B}", None), ("{A, C} = {C, A}", AC),
    ("(A) and (B)", AB), ("(A), (B)", AB), ("(A), (B), (C)", ABC), ("(A) or (B)", None), ("(A, B) and (C)", None), ("(A) (B)", None), ("(A) (a confounder)", ["A"]), ("(A), (A)", ["A"]),
    ("\n- A\n  - confounder\n- B", AB), ("\n- A\n  - confounds B and D\n- C\n  - blocks the path", AC), ("\n1. A\n   - the reason: it is open\n2. C\n   - the same", AC), ("\n- A\n  - B\n- C", ABC), ("\n- A\n- something\n- C", None), ("\n- A\n- confounds B\n- C", None),
    ("C is left out because it is a collider.", None), ("C is a collider", None), ("A is not needed", None), ("A and B are not colliders", None), ("A is a confounder", ["A"]), ("A is sufficient", ["A"]), ("A cannot be left out", ["A"]), ("A and B are needed, not C", AB), ("B is needed since C is not", ["B"]),
    ("None of these variables", []), ("none of the listed nodes is needed", []), ("None of these", []), ("None of these sets is valid", None), ("None of these variables suffices", None), ("∅ or {}", []), ("∅ or {A}", None), ("{} or the empty set", []), ("none or {A}", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), SETS, ids=range(len(SETS)))
def test_what_is_said_about_another_set_is_a_remark(text: str, value: Any) -> None:
    assert read("node_set", text, universe=ABCD) == value


OFFICE = ["newsletter sign-up", "trial started", "mobile visit", "IMPOSSIBLE"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("IMPOSSIBLE; {mobile visit} fails", ["IMPOSSIBLE"]), ("IMPOSSIBLE; {} leaves the path open and {mobile visit} opens the collider", ["IMPOSSIBLE"]), ("IMPOSSIBLE; {mobile visit}", None), ("IMPOSSIBLE or {mobile visit}", None),
        ("newsletter sign–up", ["newsletter sign-up"]), ("{newsletter sign–up, mobile visit}", ["mobile visit", "newsletter sign-up"]), ("newsletter sign – up", None), ("{} [no back-door path; mobile visit is a mediator]", []),
    ],
)  # fmt: skip
def test_sets_of_longer_names_are_read_past_remarks(text: str, value: Any) -> None:
    assert read("node_set", text, universe=OFFICE) == value


A_B: list[list[str]] = [["A", "B"]]
A_B_C = [["A", "B"], ["B", "C"]]

EDGES: list[tuple[str, Any]] = [
    ("A -> B; C - D is reversible", A_B), ("A → B; C – D is reversible", A_B), ("A -> B; C -- D cannot be oriented", A_B), ("A -> B; C -> D is reversible", A_B), ("A -> B; B -> C would create a cycle", A_B), ("A -> B; B -> C; C -> D is not there", A_B_C), ("A -> B. C - D is reversible.", A_B),
    ("{A -> B}; {C -> D} is reversible", A_B), ("{A -> B}; {B -> C}", A_B_C),
    ("A -> B; B -> C — C is not needed", A_B_C), ("A -> B; B -> C - D is not needed", A_B_C), ("A -> B; B -> C but not C -> D", A_B_C), ("A -> B; B -> C, not C -> D", A_B_C), ("A -> B; B -> C (not reversible)", A_B_C), ("A -> B; B -> C because C -> D is not there", A_B_C),
    ("A -> B; C - D", None), ("A -> B; B -> C is compelled too", A_B_C), ("A -> B; B -> C", A_B_C), ("C - D is reversible; A -> B", None),
    ("{} because A - B - C has no collider", []), ("∅ since A → B is reversible", []), ("none because A – B is reversible", []), ("{} as A → B is reversible", []), ("none [all are reversible]", []), ("{} as follows: A -> B", None), ("{} but A -> B", None), ("none or A -> B", None),
    ("A → B [v-structure with C]", A_B), ("{A → B, C → B} [v-structure at B]", [["A", "B"], ["C", "B"]]), ("A -> B [A before B]", A_B), ("A -> B [via C -> D]", A_B), ("A -> B [compelled], B -> C [compelled]", A_B_C), ("A -> B [B -> C]", A_B_C), ("[A -> B] [B -> C]", A_B_C),
    ("{A -> B} (v-structure at B)", A_B), ("{A -> B} (C - D is reversible)", A_B), ("{A -> B} (not C -> D)", A_B), ("{A -> B} (or C -> D)", None), ("{A -> B}, (C -> D)", [["A", "B"], ["C", "D"]]), ("{A -> B}, (C, D)", [["A", "B"], ["C", "D"]]),
    ('[{"source": "A", "target": "B"}]', A_B), ('{"source": "A", "target": "B"}', A_B), ('[{"cause": "A", "effect": "B"}]', A_B), ('[{"cause": "A", "effect": "B"}, {"cause": "B", "effect": "C"}]', A_B_C), ('[{"parent": "A", "child": "B"}]', A_B), ('[{"child": "B", "parent": "A"}]', A_B), ('[{"tail": "A", "head": "B"}]', A_B), ('[{"from": "A", "to": "B"}]', A_B), ('[{"to": "B", "from": "A"}, {"from": "B", "to": "C"}]', A_B_C), ('{"edges": [{"source": "A", "target": "B"}]}', A_B), ('[{"source": "A", "target": "B", "type": "directed"}]', A_B),
    ('[{"source": "A"}]', None), ('{"A": ["B"], "B": ["C"]}', A_B_C), ("A causes B", A_B), ("(A, B) and (B, C)", A_B_C), ("A -> B (and C)", A_B),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), EDGES, ids=range(len(EDGES)))
def test_what_is_said_about_another_edge_is_a_remark(text: str, value: Any) -> None:
    assert read("edges", text, universe=ABCD, directed=True) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("A - B; C - D is not an edge", A_B), ("A - B; B - C is adjacent too", A_B_C), ("A - B; B - C", A_B_C), ("A - B, B - C [all of them]", A_B_C)],
)  # fmt: skip
def test_what_is_said_about_another_undirected_edge_is_a_remark(text: str, value: Any) -> None:
    assert read("edges", text, universe=ABCD, directed=False) == value


def test_a_sentence_on_what_stays_out_leaves_the_set_given_before() -> None:
    text = "SET: {A, B}\nIDENTIFIABLE: yes\n\nSET: C is left out because it is a collider."
    parts = Part("SET", "node_set", AB, {"universe": ABCD}), Part("IDENTIFIABLE", "verdict", "yes", YES_NO)
    assert [part.parsed for part in result_of(text, *parts).parts] == [AB, "yes"]
