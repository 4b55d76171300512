"""Texts made to hang or break a reader: linear time, no exception, and one result whichever way is taken."""

import time
from typing import Any

import pytest
from benchpress.grading import grade_item
from benchpress.items import Item, Part, Response, Status
from benchpress.parts.document import Document
from benchpress.parts.tagged import Fields
from benchpress.registry import PART_TYPES
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reading import YES_NO, item_of

UNIVERSE = ["A", "B", "C", "X1", "X11", "Blood Pressure", "Z(0)", "pre-test", "I"]
PARTS = (
    Part("SET", "node_set", ["A"], {"universe": UNIVERSE}),
    Part("ESTIMATE", "number", "1", {"tolerance": "0.1"}),
    Part("EDGES", "edges", [], {"universe": UNIVERSE, "directed": True}),
    Part("SKELETON", "edges", [], {"universe": UNIVERSE, "directed": False}),
    Part("ORDER", "sequence", ["A"], {"universe": UNIVERSE}),
    Part("VALID", "verdict", "yes", YES_NO),
)
ITEM = item_of(*PARTS)
CHOICE = item_of(Part("ANSWER", "choice", "A", {"options": ["Paris", "London", "Berlin", "Madrid"]}))
MEGABYTE = 1_000_000
# The limit is 50 ms a megabyte on a quiet machine; a test must also pass on a busy one.
SECONDS_A_MEGABYTE = 0.5

PATTERNS = [
    "a", " ", "\n", "-", "*", "_", "`", "~", "<", ">", "[", "]", "{", "}", "(", ")", "|", "\\", "$", "&", "#",
    "\"", "'", ",", ".", ":", ";", "=", "/", "+", "^", "%", "0", "1,", "1.", "1/", "9", "e9", "\u200b", "\x00",
    "\r", "三", "\U0001f4ca", "½", "⁻", "->", "<-", "A->", "A, ", "A ", "X1 ", "Blood ", "not ", "no ", "or ",
    "wait ", "actually, ", "yes ", "I ", "is ",
    "<think>", "</think>", "<think>x</think>", "[THINK]", "<|channel|>analysis<|message|>", "```thinking\n",
    "&lt;think&gt;", "&amp;", "&#123;", "<b>", "</b>", "<td>", "<s>", "~~a~~", "**a** ", "\\frac{", "\\frac{1}{2}",
    "\\boxed{", "\\text{a}", "\\{", "\\_", "10^", "2**", "SET", "SET:", "SET: \n", "SET: {A}\n", "SET: <names>\n",
    "SET: see above\n", "SET:\n\n\n\n", "ESTIMATE: ", "ESTIMATE: x\n", "ESTIMATE: 0.4 or\n", "estimate ",
    "The ESTIMATE: a ", "| SET ", "| SET | A |\n", "\"SET\": [", "<SET>", "VALID: maybe\n", "EDGES: A ->\n",
    "Answer: ", "the answer is ", "A or B ", "(A) ", "A. ", "A) x\n", "so ", "\nA\n", "Paris ", "A is correct. ",
    "\\boxed{A}", "<answer>A</answer>", "(", "if ", "it is ", "option ",
]  # fmt: skip


@pytest.mark.parametrize("item", [ITEM, CHOICE], ids=["labels", "choice"])
@pytest.mark.parametrize("pattern", PATTERNS, ids=ascii)
def test_a_megabyte_of_anything_is_read_in_time(pattern: str, item: Item) -> None:
    text = pattern * (MEGABYTE // len(pattern.encode()))
    for answer in (text, f"SET: {text}\nESTIMATE: 0.5", f"{text}\nESTIMATE: 0.5\nANSWER: B"):
        start = time.process_time()
        grade_item(item, Response("case", answer, "length"))
        spent = time.process_time() - start
        assert spent < SECONDS_A_MEGABYTE * (1 + len(answer) / MEGABYTE), f"{spent:.2f} s"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ESTIMATE: 0.5\n" * 100_000 + "ESTIMATE: 0.42", "0.42"),
        ("<think>ESTIMATE: 0.5</think>" * 50_000 + "ESTIMATE: 0.42", "0.42"),
        ("{" * 100_000 + "\nESTIMATE: 0.42", "0.42"), ("ESTIMATE: 0.42" + "\n" * 500_000, "0.42"),
        ("x " * 500_000 + "\nESTIMATE: 0.42", "0.42"), ("ESTIMATE: 0.42" + "." * 1_000, "0.42"),
        ("ESTIMATE: 0.42\n" + "ESTIMATE:\n" * 500, "0.42"), ("ESTIMATE: 0.42 " + "because " * 500, "0.42"),
        ("estimate " * 50_000 + "\nESTIMATE: 0.42", "0.42"), ("ESTIMATE: " + "9" * 5_000, None),
        ("ESTIMATE: 1e" + "9" * 5_000, None), ("ESTIMATE: 10^" + "9" * 50, None), ("ESTIMATE: 9^9^9^9^9", None),
        ("ESTIMATE: " + "(" * 5_000 + "1" + ")" * 5_000, None), ("ESTIMATE: " + "1/" * 5_000 + "1", None),
        ("ESTIMATE: 1e2000000000", None), ("ESTIMATE: 0." + "3" * 5_000, None),
        ("<think>" * 100_000 + "ESTIMATE: 0.42", None),
    ],
    ids=range(18),
)  # fmt: skip
def test_a_plain_value_is_found_among_the_noise(text: str, value: str | None) -> None:
    start = time.process_time()
    result = grade_item(item_of(PARTS[1]), Response("case", text))
    assert time.process_time() - start < SECONDS_A_MEGABYTE
    got = result.parts[0].parsed
    assert got == value or (value is None and got is not None and float(got) in (1.0, 1 / 3))


FRAGMENTS = st.sampled_from(
    [
        "SET", "ESTIMATE", "EDGES", "SKELETON", "ORDER", "VALID", ":", ": ", " = ", " -> ", "->", "<-", " - ", "|",
        "\n", "\n\n", " ", "{", "}", "[", "]", "(", ")", ", ", ";", "A", "B", "X1", "X_1", "Blood Pressure",
        "Z(0)", "pre-test", "a", "I", "0.42", "-3", "1/2", "5%", "1,234", "10^3", "yes", "no", "not", "or", "and",
        "none", "N/A", "<number>", "<names>", "...", "**", "`", "~~", "\\frac{1}{2}", "\\boxed{", "\\{", "$",
        "wait, ", "because ", "<think>", "</think>", "<b>", "</td>", "&gt;", "- ", "1. ", "2) ", "> ", "```",
        "| SET | A |", '"SET": ["A"]', "first", "is", "the", "to", "causes", "é", "→", "½", "\u200b", "\ud800",
    ]
)  # fmt: skip
ANSWERS = st.lists(FRAGMENTS, max_size=40).map("".join) | st.text(max_size=300)


@settings(max_examples=400)
@given(ANSWERS, st.sampled_from([None, "stop", "length", "content_filter", "error"]))
@example("SET:", "length")
@example("\ud800SET: {\udfff}", None)
def test_any_answer_is_graded_without_exception(text: str, reason: str | None) -> None:
    for item in (ITEM, CHOICE):
        result = grade_item(item, Response("case", text, reason))
        assert result.status in Status
        for part, outcome in zip(item.parts, result.parts, strict=True):
            assert outcome.parsed is None or _well_formed(part, outcome.parsed)


def _well_formed(part: Part, value: Any) -> bool:
    """Whether a value has the form that files of scores promise for its type."""
    if part.type == "number":
        return isinstance(value, str)
    if part.type == "node_set":
        return value == sorted(set(value))
    if part.type == "edges":
        pairs = [tuple(pair) for pair in value]
        return pairs == sorted(set(pairs)) and (part.params["directed"] or all(one <= other for one, other in pairs))
    if part.type == "sequence":
        return isinstance(value, list) and bool(value)
    return value in part.params.get("vocabulary", "ABCD")


@settings(max_examples=400)
@given(ANSWERS)
@example("ESTIMATE: 0.42\nVALID: yes")
@example("SET: {A}\nSET: {A, B}")
@example("ESTIMATE: -> 0.42")
@example("x\nESTIMATE: 1\n\nESTIMATE: 2 VALID: no")
@example("SET: A\nB\nEDGES: A -> B\nB -> C\nORDER: A, B\nC")
def test_the_short_way_to_a_field_and_the_careful_way_agree(text: str) -> None:
    labels = tuple(part.id for part in PARTS)
    for part in PARTS:
        quick = Fields(Document(text), labels).of(part.id)
        careful = Fields(Document(text), labels).of(part.id, quick=False)
        kind = PART_TYPES.get(part.type)
        for one, other in zip(quick, careful, strict=True):
            assert (one.strong, one.exact, one.start, one.next_line) == (
                other.strong,
                other.exact,
                other.start,
                other.next_line,
            )
            assert kind.parse(one, part) == kind.parse(other, part)


PLAIN_VALUES = {
    "SET": st.lists(st.sampled_from(["A", "B", "X1", "Q", "x_1", ""]), max_size=4).map(
        lambda names: "{" + ", ".join(names) + "}"
    ),
    "ESTIMATE": st.from_regex(r"[-+]?[0-9]{1,4}(\.[0-9]{0,4})?[ .*]{0,2}", fullmatch=True),
    "EDGES": st.lists(st.sampled_from(["A -> B", "B->C", "A --> B", "A -> Q", "A", "->", ""]), max_size=4).map(
        ", ".join
    ),
    "ORDER": st.lists(st.sampled_from(["A", "b", "X_1", "Q", ""]), max_size=5).map(", ".join),
    "VALID": st.sampled_from(["yes", "No", "true.", "**no**", "identifiable", "yes no", "y", "n.", "not identified"]),
}


@settings(max_examples=400)
@given(st.data())
def test_a_plain_value_means_the_same_to_the_short_and_to_the_careful_reader(data: st.DataObject) -> None:
    """An empty LaTeX group behind a value changes nothing for a reader, but keeps the short way out."""
    for part in PARTS:
        if part.id in PLAIN_VALUES:
            value = data.draw(PLAIN_VALUES[part.id])
            plain = grade_item(item_of(part), Response("case", f"{part.id}: {value}")).parts[0].parsed
            dressed = grade_item(item_of(part), Response("case", f"{part.id}: {value}\\,")).parts[0].parsed
            if part.type == "number" and plain is not None:
                assert dressed is not None
                assert float(plain) == float(dressed)
            else:
                assert plain == dressed
