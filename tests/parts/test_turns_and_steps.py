"""Whole answers: where one ends, where it was cut, what stands in front of its labels; and verdicts that leave it open.

Expected values are what a patient person reads, and nothing where such a person would have to guess.
"""

import pytest
from benchpress.items import Part
from reading import YES_NO, result_of

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
