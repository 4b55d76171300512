# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Answers that look like one thing and say another: notes that name a label, expressions, brackets, LaTeX, cut remarks.

Every kind stands beside near neighbours that are read otherwise. Expected values are what a careful person reads, and
nothing where such a person would have to guess.
"""

import time
from fractions import Fraction
from typing import Any

import pytest
from benchpress.items import Part, Status
from reading import YES_NO, result_of

NAMES = {"universe": ["A", "B", "C", "D", "IMPOSSIBLE"]}
PARTS = {
    "EFFECT": Part("EFFECT", "number", "0"),
    "NAIVE_EFFECT": Part("NAIVE_EFFECT", "number", "0"),
    "PLACEBO": Part("PLACEBO", "number", "0"),
    "DID": Part("DID", "number", "0"),
    "ADJUSTMENT_SET": Part("ADJUSTMENT_SET", "node_set", [], NAMES),
    "EDGES": Part("EDGES", "edges", [], {**NAMES, "directed": True}),
    "ORDER": Part("ORDER", "sequence", ["A"], NAMES),
    "IDENTIFIABLE": Part("IDENTIFIABLE", "verdict", "yes", YES_NO),
    "SEPARATED_1": Part("SEPARATED_1", "verdict", "yes", YES_NO),
    "SEPARATED_2": Part("SEPARATED_2", "verdict", "yes", YES_NO),
    "SEPARATED": Part("SEPARATED", "verdict", "yes", YES_NO),
}
Case = tuple[str, dict[str, Any]]


def _values(text: str, labels: Any, **response: Any) -> dict[str, Any]:
    return {part.id: part.parsed for part in result_of(text, *(PARTS[label] for label in labels), **response).parts}


NUMBERS = "EFFECT: 0.42\nNAIVE_EFFECT: 0.58\n\n"
EFFECT_STANDS = [
    "EFFECT is rounded to 2 decimals.", "EFFECT is 0.16 smaller than NAIVE_EFFECT.", "EFFECT is within the tolerance of 0.01.",
    "EFFECT is based on a sample of 500.", "EFFECT is not 0.9, because Z confounds.", "EFFECT (0.42) is smaller than NAIVE_EFFECT (0.58).",
    "(EFFECT is exact; NAIVE_EFFECT is rounded to 3 decimals.)", "EFFECT is about 72% of NAIVE_EFFECT.", "EFFECT is less than 1.",
    "EFFECT is computed with Z = 1 and Z = 0.", "EFFECT is 0 only if the path coefficients vanish.", "**EFFECT** is half of 0.84.",
    "EFFECT would be 0.9 without adjustment.", "EFFECT must be between 0 and 1.", "EFFECT should be smaller than NAIVE_EFFECT.",
    "EFFECT is actually smaller than 1.", "EFFECT is actually 0.16 smaller than NAIVE_EFFECT.", "Note that the EFFECT is actually 0.58 without adjustment.", "EFFECT = 0.9 would be the answer without adjustment.", "EFFECT: 0.9 could be had from one stratum.",
    "NAIVE_EFFECT - EFFECT = 0.16", "NAIVE_EFFECT \u2212 EFFECT = 0.16", "NAIVE_EFFECT \u2013 EFFECT = 0.16, so the bias is upward.", "NAIVE_EFFECT-EFFECT = 0.16",
    "**NAIVE_EFFECT** - **EFFECT** = 0.16", "|NAIVE_EFFECT - EFFECT| = 0.16", "NAIVE_EFFECT minus EFFECT = 0.16", "EFFECT / NAIVE_EFFECT \u2248 0.72",
    "EFFECT/NAIVE_EFFECT = 0.72", "EFFECT + NAIVE_EFFECT = 1", "EFFECT * NAIVE_EFFECT = 0.2436", "$\\text{NAIVE\\_EFFECT} - \\text{EFFECT} = 0.16$", "2 × EFFECT = 0.84", "1 - EFFECT = 0.58",
]  # fmt: skip
EFFECT_IS_CORRECTED = [
    "EFFECT = 0.43", "EFFECT: 0.43", "EFFECT should be 0.43.", "EFFECT is now 0.43", "EFFECT is actually 0.43", "Wait, EFFECT is 0.43", "Correction: EFFECT is 0.43",
    "On reflection, EFFECT is 0.43.", "Wait, EFFECT should be 0.43 rather than 0.42.", "Wait, the EFFECT should be 0.43.", "So, EFFECT = 0.43", "EFFECT = 0.43, which would be a change.", "EFFECT - 0.43", "- EFFECT: 0.43 - NAIVE_EFFECT: 0.58", "EFFECT: 0.43 / NAIVE_EFFECT: 0.58",
]  # fmt: skip
SET = "ADJUSTMENT_SET: {A, B}\nIDENTIFIABLE: yes\n\n"
SET_STANDS = [
    "ADJUSTMENT_SET is minimal.", "ADJUSTMENT_SET is minimal: dropping A opens D.", "ADJUSTMENT_SET is unique; {A} alone fails.", "ADJUSTMENT_SET = {A} would leave a path open.",
    "ADJUSTMENT_SET = {A} alone would leave a path open.", "IDENTIFIABLE is no longer the case if C is hidden.", "IDENTIFIABLE = no would need a hidden cause.",
]  # fmt: skip
STATEMENTS: list[Case] = [
    *[(NUMBERS + note, {"EFFECT": "0.42", "NAIVE_EFFECT": "0.58"}) for note in EFFECT_STANDS],
    *[(NUMBERS + note, {"EFFECT": "0.43", "NAIVE_EFFECT": "0.58"}) for note in EFFECT_IS_CORRECTED],
    *[(SET + note, {"ADJUSTMENT_SET": ["A", "B"], "IDENTIFIABLE": "yes"}) for note in SET_STANDS],
    (SET + "ADJUSTMENT_SET = {A}", {"ADJUSTMENT_SET": ["A"], "IDENTIFIABLE": "yes"}),
    (SET + "ADJUSTMENT_SET: {A} because {B} would open a path.", {"ADJUSTMENT_SET": ["A"], "IDENTIFIABLE": "yes"}),
    (SET + "Wait, actually A is a collider. ADJUSTMENT_SET is {B}.", {"ADJUSTMENT_SET": ["B"], "IDENTIFIABLE": "yes"}),
    ("EFFECT is 0.42. NAIVE_EFFECT is 0.58.", {"EFFECT": "0.42", "NAIVE_EFFECT": "0.58"}), ("EFFECT: <number>\nEFFECT is 0.42", {"EFFECT": "0.42"}),
    ("EFFECT is 0.3\nEFFECT is 0.42\nEFFECT is larger than 0.", {"EFFECT": "0.42"}), ("EFFECT is 0.3\nEFFECT is 0.42\nThe EFFECT is rounded to 2 digits.", {"EFFECT": "0.42"}),
    ("ADJUSTMENT_SET is\n{A, B}", {"ADJUSTMENT_SET": ["A", "B"]}), ("ADJUSTMENT_SET = {A} would do", {"ADJUSTMENT_SET": ["A"]}),
    ("EFFECT = NAIVE_EFFECT - 0.16 = 0.42\nNAIVE_EFFECT = 0.58", {"EFFECT": "0.42", "NAIVE_EFFECT": "0.58"}), ("NAIVE_EFFECT = 0.58\nEFFECT = NAIVE_EFFECT - 0.16 = 0.42", {"EFFECT": "0.42", "NAIVE_EFFECT": "0.58"}),
    *[(f"PLACEBO: 0.1\nDID: 0.5\nEFFECT: 0.3\n\n{note}", {"PLACEBO": "0.1", "DID": "0.5", "EFFECT": "0.3"}) for note in [
        "EFFECT = DID - 2 \u00d7 PLACEBO = 0.3", "EFFECT = DID \u2212 2\u00b7PLACEBO = 0.3", "EFFECT = DID - 2*PLACEBO = 0.3", "EFFECT = DID - 2 * PLACEBO = 0.3", "EFFECT = DID - 2PLACEBO = 0.3",
        "(DID + PLACEBO) / EFFECT = 2", "$\\text{EFFECT} = \\frac{\\text{DID}}{\\text{PLACEBO}} = 0.3$", "EFFECT: DID - PLACEBO - 0.1 = 0.3", "DID \u00d7 PLACEBO = 0.05",
    ]],
    ("EFFECT: 0.42 \u00b7 NAIVE_EFFECT: 0.58", {"EFFECT": "0.42", "NAIVE_EFFECT": "0.58"}), ("EFFECT: 0.42 + NAIVE_EFFECT: 0.58", {"EFFECT": None, "NAIVE_EFFECT": None}),
    ("IDENTIFIABLE - identifiable", {"IDENTIFIABLE": "yes"}), ("IDENTIFIABLE = identifiable", {"IDENTIFIABLE": "yes"}), ("IDENTIFIABLE / identifiable", {"IDENTIFIABLE": "yes"}),
    ("EFFECT | NAIVE_EFFECT\n--- | ---\n0.42 | 0.58", {"EFFECT": "0.42", "NAIVE_EFFECT": "0.58"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), STATEMENTS, ids=range(len(STATEMENTS)))
def test_a_statement_about_a_label_does_not_stand_in_for_its_value(text: str, values: dict[str, Any]) -> None:
    assert _values(text, values) == values


FORMS: list[Case] = [
    *[(f"EFFECT: {text}", {"EFFECT": value}) for text, value in [
        ("<0.42>", "0.42"), ("< 0.42 >", "0.42"), ("**<0.42>**", "0.42"), ("<0.42>.", "0.42"), ("<-0.5>", "-0.5"), ("<\u22120.5>", "-0.5"), ("<-29/82>", "-29/82"), ("<-3>", "-3"),
        ("<0.5", None), ("<-0.5", None), ("< 0.5", None), ("< -0.5", None), ("<= 0.5", None), ("<number>", None), ("<decimal number>", None), ("<x>", None), ("<your answer>", None),
        ("0.3\nEFFECT: <number>", "0.3"), ("0.3\nEFFECT: <0.42>", "0.42"), ("0.3\nEFFECT: <something>", "0.3"), ("<- 0.5", "0.5"),
    ]],
    ("EFFECT = <-0.5>", {"EFFECT": "-0.5"}), ("EFFECT <- 0.5", {"EFFECT": "0.5"}), ("EFFECT <- -0.5", {"EFFECT": "-0.5"}), ("EFFECT<-0.5", {"EFFECT": "0.5"}), ("EFFECT -> 0.5", {"EFFECT": "0.5"}),
    *[(f"IDENTIFIABLE: {text}", {"IDENTIFIABLE": value}) for text, value in [
        ("<yes>", "yes"), ("< no >", "no"), ("**<NO>**", "no"), ("<YES>.", "yes"), ("<yes/no>", None), ("<yes or no>", None), ("<word>", None), ("<verdict>", None),
        ("yes\nIDENTIFIABLE: <yes or no>", "yes"), ("yes\nIDENTIFIABLE: <boolean>", "yes"), ("yes\nIDENTIFIABLE: <no>", "no"),
    ]],
    *[(f"ADJUSTMENT_SET: {text}", {"ADJUSTMENT_SET": value}) for text, value in [
        ("<{A, B}>", ["A", "B"]), ("<{A}>", ["A"]), ("<{}>", []), ("<A, B>", ["A", "B"]), ("<IMPOSSIBLE>", ["IMPOSSIBLE"]), ("<names>", None), ("<{names}>", None), ("<{node, node}>", None), ("<{...}>", None), ("<set>", None),
        ("{A}\nADJUSTMENT_SET: <{names}>", ["A"]),
    ]],
    ("EDGES: <A -> B>", {"EDGES": [["A", "B"]]}), ("EDGES: <{A -> B}>", {"EDGES": [["A", "B"]]}), ("ORDER: <A, B, C>", {"ORDER": ["A", "B", "C"]}), ("ORDER: <[A, B, C]>", {"ORDER": ["A", "B", "C"]}), ("ORDER: <first, second>", {"ORDER": None}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), FORMS, ids=range(len(FORMS)))
def test_a_value_may_stand_in_the_angle_brackets_of_the_form(text: str, values: dict[str, Any]) -> None:
    assert _values(text, values) == values


OBJECTS: list[Case] = [
    ('{"EFFECT": 0.42, "IDENTIFIABLE": "yes", "explanation": "EFFECT: 0.58 would be naive"}', {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    ('{"EFFECT": 0.42, "IDENTIFIABLE": "yes", "notes": "IDENTIFIABLE: no if U is hidden"}', {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    ('{"EFFECT": "0.42", "IDENTIFIABLE": "yes", "why": "EFFECT: 0.58 is naive. IDENTIFIABLE: no would need U."}', {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    ('{"EFFECT": 0.42, "IDENTIFIABLE": "yes", "why": "We call it \\"naive\\". EFFECT: 0.58"}', {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    ('{"EFFECT": 0.42, "note": "EFFECT: 0.58 is naive", "IDENTIFIABLE": "yes"}', {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    ('{"note": "EFFECT: 0.58 is naive", "EFFECT": 0.42, "IDENTIFIABLE": "yes"}', {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    ('{"ADJUSTMENT_SET": ["A", "B"], "reason": "C is a collider. ADJUSTMENT_SET: {A, C} would open a path."}', {"ADJUSTMENT_SET": ["A", "B"]}),
    ('{\n "EFFECT": 0.42,\n "IDENTIFIABLE": "yes",\n "explanation": "EFFECT: 0.58 would be naive"\n}', {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    ('{"EFFECT": {"value": 0.42}, "IDENTIFIABLE": {"value": "yes", "why": "EFFECT: 0.58"}}', {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    ('{"answer": "EFFECT: 0.42, IDENTIFIABLE: yes"}', {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    ('{"reasoning": "EFFECT: 0.58 is naive", "final_answer": "EFFECT: 0.42, IDENTIFIABLE: yes"}', {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    ('EFFECT: "0.42", IDENTIFIABLE: "yes"', {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}), ('{"EDGES": [{"from": "A", "to": "B"}, {"from": "B", "to": "C"}], "IDENTIFIABLE": "no"}', {"EDGES": [["A", "B"], ["B", "C"]], "IDENTIFIABLE": "no"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), OBJECTS, ids=range(len(OBJECTS)))
def test_a_label_in_the_string_of_another_key_is_no_field(text: str, values: dict[str, Any]) -> None:
    assert _values(text, values) == values


ROWS: list[Case] = [
    ("\\boxed{\n\\begin{array}{ll}\n\\text{ADJUSTMENT\\_SET:} & \\{A, B\\} \\\\\n\\text{EFFECT:} & -\\dfrac{29}{82} \\\\\n\\text{IDENTIFIABLE:} & \\text{no}\n\\end{array}\n}", {"ADJUSTMENT_SET": ["A", "B"], "EFFECT": "-29/82", "IDENTIFIABLE": "no"}),
    (r"\boxed{\begin{aligned}\text{ADJUSTMENT\_SET} &= \{\} \\ \text{IDENTIFIABLE} &= \text{yes}\end{aligned}}", {"ADJUSTMENT_SET": [], "IDENTIFIABLE": "yes"}),
    (r"\begin{array}{l} \text{ADJUSTMENT\_SET: } \{A, B\} \\ \text{EDGES: } A \to B \\ \text{ORDER: } A, B, C \end{array}", {"ADJUSTMENT_SET": ["A", "B"], "EDGES": [["A", "B"]], "ORDER": ["A", "B", "C"]}),
    (r"\begin{array}{ll} \text{ORDER:} & A, B, C \\[4pt] \text{EDGES:} & A \to B,\ B \to C \end{array}", {"ORDER": ["A", "B", "C"], "EDGES": [["A", "B"], ["B", "C"]]}),
    (r"\begin{aligned} \text{EFFECT} &= 0.42 \\ \text{ADJUSTMENT\_SET} &= \{A, B\} \end{aligned}", {"EFFECT": "0.42", "ADJUSTMENT_SET": ["A", "B"]}),
    (r"\text{ADJUSTMENT\_SET:} & \{A, B\} \\\text{ORDER:} & A, B, C", {"ADJUSTMENT_SET": ["A", "B"], "ORDER": ["A", "B", "C"]}),
    (r"\text{ADJUSTMENT\_SET: } \{A, B\}", {"ADJUSTMENT_SET": ["A", "B"]}), (r"\text{EFFECT} = 0.42 \quad \text{ADJUSTMENT\_SET} = \{A\}", {"EFFECT": "0.42", "ADJUSTMENT_SET": ["A"]}),
    ("\\begin{tabular}{ll}\nEFFECT & 0.42 \\\\ \\hline\nADJUSTMENT\\_SET & \\{A, B\\} \\\\ \\hline\n\\end{tabular}", {"EFFECT": "0.42", "ADJUSTMENT_SET": ["A", "B"]}),
    (r'{"ADJUSTMENT_SET": "\\{A, B\\}", "IDENTIFIABLE": "\\text{yes}"}', {"ADJUSTMENT_SET": ["A", "B"], "IDENTIFIABLE": "yes"}), ("ADJUSTMENT_SET: }", {"ADJUSTMENT_SET": None}), ("ADJUSTMENT_SET = {}", {"ADJUSTMENT_SET": []}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), ROWS, ids=range(len(ROWS)))
def test_the_rows_of_latex_are_lines(text: str, values: dict[str, Any]) -> None:
    assert _values(text, values) == values


EMPHASIS: list[tuple[str, str | None]] = [
    ("**14** (3 + 11)", "14"), ("*14* (3 + 11)", "14"), ("***14*** (3 + 11)", "14"), ("__14__ (3 + 11)", "14"), ("_14_ (3 + 11)", "14"), ("`14` (3 + 11)", "14"), ("**8** (2 \u00d7 4)", "8"), ("**8** (2 \u00d7 2 \u00d7 2 orientations)", "8"),
    ("**0.5** (1/2)", "0.5"), ("**3** (2^2 \u2212 1)", "3"), ("**-29/82** (about -0.35)", "-29/82"), ("**0.42** (**3** strata)", "0.42"), ("**0.42** *(3 strata)*", "0.42"), ("0.42 *(3 strata)*", "0.42"), ("**0.42** **(adjusted for Z)**", "0.42"),
    ("2**3", None), ("2 ** 3", None), ("2**(3)", None), ("2 ** (3)", None), ("2*3", None), ("2 * 3", None), ("2* 3", None), ("2* (3 + 4)", None), ("**2** * (3)", None), ("2 *3* 4", None), ("**2** 3", None), ("*0.42* or *0.43*", None),
    ("1.5 * 10^3", "1500"), ("1.5*10**3", "1500"), ("**1.5** \u00d7 10^3", "1500"), ("**14** = 3 + 11", "14"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), EMPHASIS, ids=range(len(EMPHASIS)))
def test_emphasis_ends_before_a_remark(text: str, value: str | None) -> None:
    for line in (f"EFFECT: {text}", f"**EFFECT:** {text}"):
        assert _values(line, ["EFFECT"]) == {"EFFECT": value}


def test_emphasis_may_begin_at_the_label() -> None:
    assert _values("**EFFECT: 14** (3 + 11)", ["EFFECT"]) == {"EFFECT": "14"}


BRACED: list[tuple[str, str | None]] = [
    ("1{,}234.5", "1234.5"), ("12{,}345", "12345"), ("0{,}42", "0.42"), ("$-0{,}5$", "-0.5"), ("$1{,}234{,}567$", "1234567"), (r"\frac{1{,}234}{2}", "617"), (r"1\,234", "1234"), ("1{,}23{,}4", None), ("{,}", None), ("1{,} 2", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), BRACED, ids=range(len(BRACED)))
def test_a_comma_in_braces_is_the_comma_of_a_numeral(text: str, value: str | None) -> None:
    got = _values(f"EFFECT: {text}", ["EFFECT"])["EFFECT"]
    assert (None if got is None else Fraction(got)) == (None if value is None else Fraction(value))


CUT: list[Case] = [
    *[(f"ADJUSTMENT_SET: {text}", {"ADJUSTMENT_SET": value}) for text, value in [
        ("{A, B} (blocks the pa", ["A", "B"]), ("{} (C is a coll", []), ("IMPOSSIBLE (A is uno", ["IMPOSSIBLE"]), ("{A, B}. This bl", ["A", "B"]), ("{A, B}\nREASON: both are conf", ["A", "B"]), ("{A, B} - blocks the pa", ["A", "B"]), ("{A, B} \u2014 blocks the pa", ["A", "B"]),
        ("{A, B}, because the pa", ["A", "B"]), ("**{A, B}** (blocks the pa", ["A", "B"]), ("\\{A, B\\} (blocks the pa", ["A", "B"]), ("[A, B] since the pa", ["A", "B"]), ("{A, B}", ["A", "B"]), ("{A, B}.", ["A", "B"]),
        ("{A, B", None), ("A, B", None), ("A (a confounder), B (a confo", None), ("{A} or {B", None), ("{A} or", None), ("{A} (or {B", None), ("{A} - {B", None), ("{A, B}. Wait, C is a coll", None), ("{A, B} - wait, B is a", None), ("{A, B},", None), ("A\nB", None),
    ]],
    ("ADJUSTMENT_SET: {A, B}\n\nADJUSTMENT_SET is mini", {"ADJUSTMENT_SET": ["A", "B"]}), ("ADJUSTMENT_SET: {A}\n\nWait, ADJUSTMENT_SET is {A, B", {"ADJUSTMENT_SET": None}), ("ADJUSTMENT_SET is {A, B", {"ADJUSTMENT_SET": None}), ("ADJUSTMENT_SET is {A, B}", {"ADJUSTMENT_SET": ["A", "B"]}),
    ("EDGES: {A -> B} (B is a coll", {"EDGES": [["A", "B"]]}), ("EDGES: [(A, B), (B, C)] (A is the ro", {"EDGES": [["A", "B"], ["B", "C"]]}), ("EDGES: {A -> B}, {B -> C", {"EDGES": None}), ("EDGES: A -> B (direct), B -> C (dir", {"EDGES": None}),
    ("ORDER: [A, B, C] (A is the ro", {"ORDER": ["A", "B", "C"]}), ("ORDER: A, B, C", {"ORDER": None}), ("ORDER: [A, B, C", {"ORDER": None}),
    ("EFFECT: 0.42 (adjusted for Z, wh", {"EFFECT": "0.42"}), ("IDENTIFIABLE: yes, because the pa", {"IDENTIFIABLE": "yes"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), CUT, ids=range(len(CUT)))
def test_a_cut_inside_a_remark_leaves_the_closed_value(text: str, values: dict[str, Any]) -> None:
    assert _values(text, values, stop_reason="length") == values


ERRORS = [
    "openai.RateLimitError: Error code: 429 - {'error': {'message': 'You exceeded your current quota'}}", "anthropic.APIStatusError: Error code: 529 - {'type': 'error'}", "openai.APITimeoutError: Request timed out.",
    "google.genai.errors.ServerError: 503 UNAVAILABLE. {'error': {'code': 503}}", "google.api_core.exceptions.ResourceExhausted: 429 Quota exceeded", "httpx.ReadTimeout: The read operation timed out", "groq.InternalServerError: Error code: 503",
    "litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached", "botocore.errorfactory.ThrottlingException: An error occurred", "requests.exceptions.ConnectionError(MaxRetryError())", "RateLimitError: 429", "Error: openai.APIError: overloaded",
]  # fmt: skip
REFUSALS = [
    "My guidelines prevent me from answering this question.", "My safety guidelines don't allow me to answer this.", "Our usage policies do not permit me to continue.", "This content isn't something I can help with.", "That's not something that I can help with.",
    "I'd rather not answer that.", "I would rather not answer that.", "I'd prefer not to answer this.", "I can't help with that.",
]  # fmt: skip
NEITHER = [
    "The rules prevent us from conditioning on a collider.", "The back-door rules do not allow adjustment for C.", "This isn't something the data can tell.", "The effect isn't something I can identify from these data.", "I'd rather adjust for A than for B.",
    "I'd rather not answer without more information.", "e.g. Age: a confounder", "The answer is in section 2.Methods of the paper.", "Age.Dose is a confounder.", "I would guess 0.42.",
]  # fmt: skip
PROSE = [
    *[(text, Status.API_ERROR) for text in ERRORS],
    *[(text, Status.REFUSAL) for text in REFUSALS],
    *[(text, Status.INVALID_ANSWER) for text in NEITHER],
]


@pytest.mark.parametrize(("text", "status"), PROSE, ids=range(len(PROSE)))
def test_what_stands_in_the_place_of_an_answer_is_known(text: str, status: Status) -> None:
    assert result_of(text, PARTS["EFFECT"], stop_reason="stop").status is status


def test_an_answer_beside_an_error_text_counts() -> None:
    assert result_of("openai.RateLimitError: 429, retried\nEFFECT: 0.42", PARTS["EFFECT"]).status is Status.OK


LABELS: list[Case] = [
    *[(text, {"EFFECT": "0.42"}) for text in [
        "Answer for EFFECT: 0.42", "My answer to EFFECT: 0.42", "Value of EFFECT: 0.42", "The value of EFFECT: 0.42", "**Answer for EFFECT:** 0.42", "1. Answer to EFFECT: 0.42", "- Value of the EFFECT = 0.42", "Final answer for EFFECT: 0.42",
        "EFFECT: 0.42\nThe naive value of EFFECT: 0.58", "EFFECT: 0.42\nTolerance for EFFECT: 0.01", "EFFECT: 0.42\nP-value of EFFECT: 0.01", "EFFECT: 0.42\nWrong answer for EFFECT: 0.58", "EFFECT: 0.42\nThe answer to EFFECT is rounded to 2 digits.", "EFFECT: 0.42\nAnswer for EFFECT: see above",
    ]],
    ("Answer for EFFECT: 0.42\nAnswer for IDENTIFIABLE: yes", {"EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    *[(text, {"SEPARATED_1": "yes", "SEPARATED_2": "no"}) for text in [
        "SEPARATED_{1}: yes\nSEPARATED_{2}: no", "$\\text{SEPARATED}_1$: yes\n$\\text{SEPARATED}_2$: no", "$\\text{SEPARATED}_{1}$ = yes\n$\\text{SEPARATED}_{2}$ = no", "$SEPARATED_1$: yes\n$SEPARATED_2$: no",
        "$\\mathrm{SEPARATED\\_1}$: yes\n$\\mathrm{SEPARATED\\_2}$: no", "SEPARATED\u2081: yes\nSEPARATED\u2082: no", "SEPARATED<sub>1</sub>: yes\nSEPARATED<sub>2</sub>: no",
    ]],
    ("SEPARATED_{12}: yes\nSEPARATED_{2}: no", {"SEPARATED_1": None, "SEPARATED_2": "no"}),
    ("SEPARATED_{1}: yes", {"SEPARATED": None}), ("\\text{SEPARATED}_1: yes", {"SEPARATED": None}), ("{SEPARATED}: yes", {"SEPARATED": "yes"}), ("$\\text{SEPARATED}$: yes", {"SEPARATED": "yes"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), LABELS, ids=range(len(LABELS)))
def test_a_label_may_be_announced_or_carry_an_index(text: str, values: dict[str, Any]) -> None:
    assert _values(text, values) == values


ESCAPED: list[Case] = [
    (r"ADJUSTMENT_SET: {A, B}\nEFFECT: 0.42\nIDENTIFIABLE: yes", {"ADJUSTMENT_SET": ["A", "B"], "EFFECT": "0.42", "IDENTIFIABLE": "yes"}),
    (r'{"answer": "We adjust.\n\nADJUSTMENT_SET: {A, B}\n**EFFECT:** 0.42\nIDENTIFIABLE: no\n"}', {"ADJUSTMENT_SET": ["A", "B"], "EFFECT": "0.42", "IDENTIFIABLE": "no"}),
    (r'{"answer": "Step 1.\n- ADJUSTMENT_SET: {A}\n- ORDER: A, B, C\n\nThat is all."}', {"ADJUSTMENT_SET": ["A"], "ORDER": ["A", "B", "C"]}),
    (r'{"EFFECT": 0.42, "explanation": "Naively\nEFFECT: 0.58"}', {"EFFECT": "0.42"}), (r'{"explanation": "Naively\nEFFECT: 0.58", "EFFECT": 0.42}', {"EFFECT": "0.42"}),
    (r"EFFECT: 0.42 \neq 0.5", {"EFFECT": "0.42"}), (r"EFFECT = 0.42 \nonumber", {"EFFECT": "0.42"}), (r"EFFECT: x \neq 0.5", {"EFFECT": None}), ("EFFECT: 0.42\nTheEFFECT: 0.58", {"EFFECT": "0.42"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), ESCAPED, ids=range(len(ESCAPED)))
def test_an_escaped_line_end_ends_a_line(text: str, values: dict[str, Any]) -> None:
    assert _values(text, values) == values


PATTERNS = [
    "EFFECT is a\n", "EFFECT = 0.9 would be\n", "EFFECT - ", "EFFECT + NAIVE_EFFECT ", ("EFFECT: <" * 200) + "\n", '"EFFECT": 1, "b": "EFFECT: ', 'EFFECT: "\\', "\\\\[", "\\nEFFECT: a", "EFFECT: **a** (", "* (", "1{,}",
    "Answer for EFFECT: ", "SEPARATED_{", "EFFECT: <a>\n", "ADJUSTMENT_SET: {A} (",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: ascii(pattern)[:20])
def test_a_megabyte_of_these_forms_is_read_in_time(pattern: str) -> None:
    text = pattern * (1_000_000 // len(pattern))
    start = time.process_time()
    result_of(f"{text}\nEFFECT: {text}", *PARTS.values(), stop_reason="length")
    assert time.process_time() - start < 3
