# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Answers that only one layer of a reader understands: verdicts a line with a reason, thoughts in square tags alone.

The first way that reads an answer often hides whether the next one would; these answers leave it no other.
"""

import pytest
from benchpress.items import Part
from benchpress.parts.thinking import strip_thinking
from reading import read, result_of

CITIES = ["Paris", "London", "Berlin", "Madrid"]


@pytest.mark.parametrize(
    "text",
    [
        "A) Wrong, as it is in France\nB) False, as it is in the UK\nC) Correct, as it is in Germany\nD) No, it is in Spain",
        "A: this is incorrect because of France\nB: that is wrong because of the UK\nC: that is right because of Germany\nD: it's false because of Spain",
        "A - Not correct: in France\nB - Not right: in the UK\nC - Yes: in Germany\nD - Not true: in Spain",
        "A) ✗ in France\nB) ❌ in the UK\nC) ✓ in Germany\nD) ✘ in Spain",
        "A) Paris - INCORRECT (France)\nB) London - FALSE (UK)\nC) Berlin - TRUE (Germany)\nD) Madrid - WRONG (Spain)",
        "Option A) France - fails\nOption B) UK - eliminated\nOption C) Germany - holds\nOption D) Spain - ruled out",
        "Choice A: untrue.\nChoice B: invalid.\nChoice C: valid.\nChoice D: isn't right.",
        "- **A)** in France **wrong**\n- **B)** in the UK **wrong**\n- **C)** in Germany **correct**\n- **D)** in Spain **wrong**",
    ],
)
def test_options_judged_a_line_with_a_reason(text: str) -> None:
    assert result_of(text, Part("ANSWER", "choice", "A", {"options": CITIES})).parts[0].parsed == "C"


@pytest.mark.parametrize(
    ("text", "shown", "open_end"),
    [
        ("[think]a[/think]d", "d", False), ("[THINK]a", "", True), ("the tag `[think]` only, [thinking]a[/thinking]d", "the tag `[think]` only, \nd", False),
        ("a `</think>` mention, <think>b</think>d", "a `</think>` mention, \nd", False), ("[think]a</think>d", "d", False),
    ],
)  # fmt: skip
def test_square_tags_alone_hide_a_thought(text: str, shown: str, open_end: bool) -> None:
    assert strip_thinking(text) == (shown, open_end) or strip_thinking(text) == (f"\n{shown}", open_end)


@pytest.mark.parametrize(
    "remark",
    [": a confounder", " (a confounder)", ", a confounder", ". A confounder", "; a confounder", " — a confounder", " – a confounder", " - a confounder", " = a confounder", " -- a confounder",
     " -> blocks it", " because it is open", " since it is open", " as a confounder"],
)  # fmt: skip
def test_an_item_of_a_list_may_have_a_remark(remark: str) -> None:
    assert read("node_set", f"\n- B{remark}\n- C{remark}", universe=["B", "C", "D"]) == ["B", "C"]
    assert read("sequence", f"\n- C{remark}\n- B{remark}", universe=["B", "C", "D"]) == ["C", "B"]


@pytest.mark.parametrize("text", ["ATE = |-0.5|", "about |-0.5|", "the value is |-0.5|"])
def test_an_absolute_value_is_not_worked_out(text: str) -> None:
    assert read("number", text) is None


@pytest.mark.parametrize("text", ["E(1) = {B, C}", "E(0) := {B, C}", "D = {B, C}"])
def test_a_set_may_be_given_a_name_that_is_a_node(text: str) -> None:
    assert read("node_set", text, universe=["B", "C", "D", "E"]) == ["B", "C"]


@pytest.mark.parametrize(
    "text",
    [
        "We looked at all of them. So it must be C BECAUSE Germany.", "We looked at all of them. It must be C SINCE it fits.",
        "We looked at all of them. It must be C AS it fits.", "THE CAPITAL OF GERMANY IS ASKED FOR. SO IT MUST BE C BECAUSE OF THAT.",
    ],
)  # fmt: skip
def test_a_reason_in_capitals_ends_a_conclusion(text: str) -> None:
    assert result_of(text, Part("ANSWER", "choice", "A", {"options": CITIES})).parts[0].parsed == "C"
