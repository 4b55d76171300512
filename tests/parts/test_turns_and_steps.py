"""Whole answers: where one ends, where it was cut, what stands in front of its labels; and verdicts that leave it open.

Expected values are what a patient person reads, and nothing where such a person would have to guess.
"""

import pytest
from benchpress.items import Part
from reading import YES_NO, read, result_of

ESTIMATE = Part("ESTIMATE", "number", "0.42", {"tolerance": "0"})
IDENTIFIABLE = Part("IDENTIFIABLE", "verdict", "yes", YES_NO)


def both(text: str, stop_reason: str | None = None) -> tuple[object, object]:
    """The number and the verdict read in one answer."""
    parts = result_of(text, ESTIMATE, IDENTIFIABLE, stop_reason=stop_reason).parts
    return parts[0].parsed, parts[1].parsed


CUT = [
    ('{"ESTIMATE": 0.42, "IDENTIFIABLE": "y', "0.42", None),
    ('{"ESTIMATE": 0.42, "IDENTIFIABLE": "n', "0.42", None),
    ('{"ESTIMATE": 0.42, "IDENTIFIABLE": "yes', "0.42", None),
    ('{"ESTIMATE": 0.42, "IDENTIFIABLE": true', "0.42", None),
    ('{"IDENTIFIABLE": "yes", "ESTIMATE": "0.4', None, "yes"),
    ('{"IDENTIFIABLE": "yes", "ESTIMATE": 0.4', None, "yes"),
    ('ESTIMATE: 0.42\nIDENTIFIABLE: "y', "0.42", None),
    ("ESTIMATE: 0.42\nIDENTIFIABLE: 'n", "0.42", None),
    ("ESTIMATE: 0.42\nIDENTIFIABLE: **y", "0.42", None),
    ('{"ESTIMATE": 0.42, "IDENTIFIABLE": "yes"', "0.42", "yes"),
    ('{"ESTIMATE": 0.42, "IDENTIFIABLE": true}', "0.42", "yes"),
    ('{\n  "IDENTIFIABLE": "yes",\n  "ESTIMATE": 0.42\n', "0.42", "yes"),
    ('{"IDENTIFIABLE": "yes", "ESTIMATE": 0.42,', "0.42", "yes"),
    ('ESTIMATE: 0.42\nIDENTIFIABLE: "yes", because "Z', "0.42", "yes"),
    ("ESTIMATE: 0.42\nIDENTIFIABLE: yes, as it's", "0.42", "yes"),
    ("ESTIMATE: 0.42\nIDENTIFIABLE: yes", "0.42", "yes"),
    ("IDENTIFIABLE: yes\nESTIMATE: 0.42", "0.42", "yes"),
]


@pytest.mark.parametrize(("text", "number", "verdict"), CUT, ids=range(len(CUT)))
def test_a_string_or_json_value_left_open_by_the_cut_may_have_gone_on(
    text: str, number: str | None, verdict: str | None
) -> None:
    assert both(text, stop_reason="length") == (number, verdict)


@pytest.mark.parametrize(("text", "number", "verdict"), CUT[:3], ids=range(3))
def test_a_text_that_was_not_cut_keeps_what_an_open_string_says(
    text: str, number: str | None, verdict: str | None
) -> None:
    assert verdict is None
    assert both(text, stop_reason="stop") == (number, "no" if text.endswith("n") else "yes")


FIRST = "ESTIMATE: 0.42\nIDENTIFIABLE: yes\n"
SECOND = "ESTIMATE: 0.9\nIDENTIFIABLE: no"


@pytest.mark.parametrize(
    "turn",
    [
        "Human: And of B?\nAssistant: ", "\nHuman: And of B?\n\nAssistant: ",
        "**User:** And of B?\n\n",
        "User: And of B?\n", "[User]: And of B?\n",
        "### Instruction:\nAnd of B?\n### Response:\n",
        "### User\nAnd of B?\n### Assistant\n", "## Human:\nAnd of B?\n",
        "<|user|>\nAnd of B?<|assistant|>\n",
        "<|im_start|>user\nAnd of B?\n<|im_start|>assistant\n",
        "[INST] And of B? [/INST] ",
        "Question: And of B?\nAnswer:\n", "Q: And of B?\nA: ",
        "**Question 2:** And of B?\n**Answer:**\n",
        "Next question: And of B?\nAnswer: ", "Problem 2: And of B?\nSolution: ",
    ],
)  # fmt: skip
def test_a_further_turn_that_the_model_invents_is_no_part_of_its_answer(turn: str) -> None:
    assert both(FIRST + turn + SECOND) == ("0.42", "yes")


@pytest.mark.parametrize(
    ("text", "number", "verdict"),
    [
        ("ESTIMATE: 0.42\nHuman: And of B?\nAssistant: " + SECOND, "0.42", None),
        ("ESTIMATE: 0.42\nHuman: And of B?\nAssistant: IDENTIFIABLE: no", "0.42", None),
        ("Assistant: " + FIRST, "0.42", "yes"),
        ("Human: What is the effect?\nAssistant: " + FIRST, "0.42", "yes"),
        ("User: Give ESTIMATE and IDENTIFIABLE.\n" + FIRST, "0.42", "yes"),
        ("User: And of B?\nAssistant: " + SECOND + "\nUser: And of A?\nAssistant: " + FIRST, "0.42", "yes"),
        (FIRST + "Human: thanks", "0.42", "yes"),
        (SECOND + "\nWait, I was asked of A.\n" + FIRST, "0.42", "yes"),
        (FIRST + "Question: did I weight the strata? I did not.\nESTIMATE: 0.9", "0.9", "yes"),
        (FIRST + "Correction of the user's number:\n" + SECOND, "0.9", "no"),
        (FIRST + "Problem: this ignores Z.\nAnswer:\nESTIMATE: 0.9", "0.9", "yes"),
        ("Question 1: ESTIMATE: 0.42\nQuestion 2: IDENTIFIABLE: yes", "0.42", "yes"),
        ("**Q1:** effect\nAnswer: ESTIMATE: 0.42\n**Q2:** status\nAnswer: IDENTIFIABLE: yes", "0.42", "yes"),
    ],
)  # fmt: skip
def test_who_speaks_and_asks_inside_an_answer_does_not_end_it(
    text: str, number: str | None, verdict: str | None
) -> None:
    assert both(text) == (number, verdict)


def test_a_node_may_be_called_user() -> None:
    edges = Part("EDGES", "edges", [["User", "A"]], {"universe": ["User", "Human", "A"], "directed": True})
    parts = result_of("EDGES:\nA: Human\nUser: A\nIDENTIFIABLE: yes", edges, IDENTIFIABLE).parts
    assert [part.parsed for part in parts] == [[["A", "Human"], ["User", "A"]], "yes"]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("could not be identified", "no"), ("couldn't be identified", "no"), ("It could not be identified here.", "no"),
        ("could not be determined as identified", "no"), ("cannot be classified as identifiable", "no"),
        ("not regarded as identifiable", "no"), ("classified as identifiable", "yes"),
        ("couldnt be identified", "no"), ("wasnt identified", "no"), ("isnt identifiable", "no"),
        ("cant be identified", "no"),
        ("could be identified", None), ("might not be identified", None), ("may not be identifiable", None),
        ("could notably be identified", None), ("yes, as it is identified by Z", "yes"),
        ("no, as identified paths are missing", "no"), ("was not identified", "no"), ("could not say", None),
        ("It cannot be determined whether it is true or false", None), ("unknown whether true or false", None),
    ],
)  # fmt: skip
def test_a_denied_possibility_is_a_denial_and_a_mere_one_is_nothing(text: str, verdict: str | None) -> None:
    assert read("verdict", text, **YES_NO) == verdict


FOLLOWS = {
    "vocabulary": ["yes", "no", "undetermined"],
    "classes": {
        "yes": ["yes", "true"],
        "no": ["no", "false"],
        "undetermined": ["undetermined", "cannot be determined", "not enough information", "unknown"],
    },
}
DIRECTION = {"vocabulary": ["increases", "decreases", "unchanged"]}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("There is not enough information to say yes or no", "undetermined"),
        ("not enough information to decide yes or no", "undetermined"),
        ("It cannot be determined whether it is true or false", "undetermined"),
        ("could not be determined whether yes or no", "undetermined"),
        ("unknown whether true or false", "undetermined"),
        ("It is unclear whether it is true.", "undetermined"),
        ("We cannot tell whether it is true or false.", "undetermined"),
        ("It is impossible to say whether it is false", "undetermined"),
        ("cannot be determined as true or false", "undetermined"),
        ("It can be determined whether it is true or false", None),
        ("It is not unknown whether it is true or false", None),
        ("It is known whether it is true or false: true", "yes"),
        ("true or false", None),
        ("we can say yes or no", None),
        ("I cannot say yes", None),
        ("no, it is not known whether Z holds", "no"),
        ("No. It cannot be determined whether Z causes Y.", "no"),
        ("yes, but it is unclear whether it is true for B", "yes"),
        ("It is true, whether or not Z is known", "yes"),
    ],
)
def test_a_question_that_nobody_can_decide_is_left_open(text: str, verdict: str | None) -> None:
    assert read("verdict", text, **FOLLOWS) == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("unknown whether it increases or decreases", None),
        ("cannot say whether it increases", None),
        ("It does not increase or decrease", "unchanged"),
    ],
)
def test_without_a_class_for_open_questions_none_is_guessed(text: str, verdict: str | None) -> None:
    assert read("verdict", text, **DIRECTION) == verdict


@pytest.mark.parametrize(
    "lead",
    [
        "Step 3. ", "**Step 3.** ", "Step 3) ", "Step 3: ", "### Step 3. ", "Step III. ", "Part IV. ",
        "Stage 2. ", "3 - ", "**3** - ",
        "3 \u2013 ",
        "1 - ", "- ", "Label ", "Computed ", "Calculated ", "Then ", "Then, ", "The computed ",
        "Adjusted ", "Thus ", "Assistant: ",
    ],
)  # fmt: skip
def test_a_step_mark_or_a_plain_word_may_stand_before_a_label(lead: str) -> None:
    assert both(f"We sum over the strata.\n\n{lead}ESTIMATE: 0.42\nIDENTIFIABLE: yes") == ("0.42", "yes")


@pytest.mark.parametrize(
    "statement",
    [
        "1 - ESTIMATE = 0.58", "1 - ESTIMATE is 0.58", "1 - ESTIMATE \u2248 0.58", "1 - ESTIMATE 0.58",
        "1-ESTIMATE: 0.58", "0.72 - ESTIMATE: 0.30",
        "100 - ESTIMATE: 58", "2 - 1 - ESTIMATE: 0.58", "Naive ESTIMATE: 0.58", "Crude ESTIMATE: 0.58",
        "Unadjusted ESTIMATE: 0.58",
        "Then the naive ESTIMATE: 0.58", "Wrongly computed ESTIMATE: 0.58",
        "If Z were left out, then ESTIMATE = 0.58", "In group 3. ESTIMATE: 0.58",
        "Group 3. ESTIMATE: 0.58",
    ],
)  # fmt: skip
def test_another_quantity_than_the_one_of_the_label_is_not_read(statement: str) -> None:
    assert both(f"{statement}\nIDENTIFIABLE: yes") == (None, "yes")


def test_a_step_counts_as_a_line_and_an_adjusted_value_only_where_no_line_gives_one() -> None:
    assert both("ESTIMATE: 0.9\nIDENTIFIABLE: yes\n**Step 3.** ESTIMATE = 0.72 - 0.30 = 0.42") == ("0.42", "yes")
    assert both("ESTIMATE: 0.42\nIDENTIFIABLE: yes\nAdjusted ESTIMATE: 0.9") == ("0.42", "yes")
    assert both("1 - ESTIMATE: 0.42\n2 - IDENTIFIABLE: no") == ("0.42", "no")
