# ruff: noqa: E501 - a part stays on one line, as it is in a file
"""Files of responses: score lines, the summary, what is refused, and the explanation of one answer."""

import json
from pathlib import Path
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.grading import Explanation, explain, grade_file, grade_item, score_line
from benchpress.items import Item, ItemResult, Part, PartResult, Response, Status

SET = {"id": "SET", "type": "node_set", "gold": ["A"], "params": {"universe": ["A", "B"]}, "skills": []}
NUMBER = {"id": "N", "type": "number", "gold": "1/2", "params": {"tolerance": "0.01"}, "skills": []}


def _item(name: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema": "benchpress.item/1", "id": name, "module": "m", "bundle": "b", "variant": "base", "level": 1, "params": {},
        "prompt": "?", "parts": list(parts), "verification": [],
    }  # fmt: skip


def _lines(path: Path, values: list[Any]) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def _grade(folder: Path, items: list[Any], responses: list[Any]) -> tuple[dict[str, Any], list[Any]]:
    out = folder / "scores.jsonl"
    summary = grade_file(_lines(folder / "items.jsonl", items), _lines(folder / "responses.jsonl", responses), out)
    return summary.to_json(), [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def test_every_response_gets_a_line_and_the_summary_counts_them(tmp_path: Path) -> None:
    items = [_item("one", SET, NUMBER), _item("two", SET), _item("three", NUMBER), _item("four", NUMBER)]
    responses = [
        {"item_id": "two", "text": "SET: {B}"}, {"item_id": "one", "text": "SET: {A}\nN: 0.5", "stop_reason": "stop"},
        {"item_id": "three", "text": "N: 0.", "stop_reason": "length"},
    ]  # fmt: skip
    summary, scores = _grade(tmp_path, items, responses)
    assert [(score["item_id"], score["status"], score["correct"]) for score in scores] == [
        ("two", "ok", False), ("one", "ok", True), ("three", "truncated", False),
    ]  # fmt: skip
    assert scores[1]["parts"] == [
        {"id": "SET", "type": "node_set", "parsed": ["A"], "expected": ["A"], "correct": True, "note": "read behind the label"},
        {"id": "N", "type": "number", "parsed": "0.5", "expected": "1/2", "correct": True, "note": "read behind the label"},
    ]  # fmt: skip
    assert summary == {
        "items": 4, "graded": 3, "pending": 1, "correct": 1,
        "statuses": {"ok": 2, "refusal": 0, "invalid_answer": 0, "truncated": 1, "api_error": 0},
        "parts": {"SET": {"right": 1, "wrong": 1, "unread": 0}, "N": {"right": 1, "wrong": 0, "unread": 1}},
        "types": {"node_set": {"right": 1, "wrong": 1, "unread": 0}, "number": {"right": 1, "wrong": 0, "unread": 1}},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("responses", "message"),
    [
        ([{"item_id": "nine", "text": "N: 1"}], "unknown item 'nine'"),
        ([{"item_id": "one", "text": "N: 1"}, {"item_id": "one", "text": "N: 2"}], "second response"),
        ([{"item_id": "one"}], "needs item_id and text"),
        ([{"item_id": "one", "text": 3}], "text must be a string or null"),
    ],
)
def test_responses_that_fit_no_item_are_refused_and_nothing_is_left_behind(
    tmp_path: Path, responses: list[Any], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        _grade(tmp_path, [_item("one", NUMBER)], responses)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["items.jsonl", "responses.jsonl"]


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({**NUMBER, "gold": "half"}, "gold must be a decimal"), ({**NUMBER, "gold": 0.5}, "gold must be a decimal"), ({**NUMBER, "params": {"tolerance": "-1"}}, "tolerance must be"), ({**NUMBER, "params": {"tolerance": "x"}}, "tolerance must be"),
        ({**SET, "gold": "A"}, "gold must be a list of names"), ({**SET, "params": {"universe": "AB"}}, "universe must be"), ({**SET, "params": {"accept": [1]}}, "accept must be"),
        ({**SET, "type": "edges", "gold": [["A"]]}, "pairs of names"), ({**SET, "type": "edges", "gold": [], "params": {"directed": "no"}}, "directed must be"), ({**SET, "type": "verdict", "gold": "perhaps", "params": {}}, "gold must be one of yes, no"),
        ({**SET, "type": "verdict", "gold": "yes", "params": {"classes": ["yes"]}}, "classes must"), ({**SET, "type": "choice", "gold": "A", "params": {"options": ["x"]}}, "2 to 26"), ({**SET, "type": "choice", "gold": "C", "params": {"options": ["x", "y"]}}, "from A to B"),
        ({**SET, "type": "poem"}, "unknown part type 'poem'"),
    ],
)  # fmt: skip
def test_an_item_that_cannot_be_graded_is_one_clear_error(tmp_path: Path, part: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        _grade(tmp_path, [_item("one", part)], [])
    assert "\n" not in str(caught.value)


def test_items_without_parts_or_with_a_label_twice_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no parts"):
        _grade(tmp_path, [_item("one")], [])
    with pytest.raises(UserError, match="two parts 'N'"):
        _grade(tmp_path, [_item("one", NUMBER, NUMBER)], [])


def test_a_score_line_is_the_json_of_the_result() -> None:
    parts = (
        PartResult("a", "node_set", ['A"', "é"], ["B"], True, "n\\"), PartResult("b", "edges", [["A", "B"]], [], False, "", {"x": 0.5, "y": None, "z": True}),
        PartResult("c", "number", None, "1/2", False, "\n"), PartResult("d", "mechanisms", {"a": [1]}, None, False, "\ud800"),
    )  # fmt: skip
    for result in (ItemResult('é"x\n', Status.OK, True, parts[:3]), ItemResult("x", Status.TRUNCATED, False, parts)):
        assert json.loads(score_line(result)) == result.to_json()


def _explain(text: str) -> Explanation:
    item = Item.from_json(_item("one", SET, NUMBER))
    return explain(item, Response("one", text))


def test_an_explanation_shows_what_was_read_from_where() -> None:
    explanation = _explain("<think>N: 3</think>\nN: 0.4\nSET: <names>\nSET: {A}\nN: 0.5\nN: see above")
    nodes, number = explanation.parts
    assert (nodes.result.parsed, nodes.line, nodes.source) == (["A"], 5, "{A}")
    assert (number.result.parsed, number.line, number.source) == ("0.5", 6, "0.5")
    assert [(place["line"], place["kind"], place["counts"]) for place in number.places] == [
        (7, "absent", False), (6, "value", True), (3, "value", False),
    ]  # fmt: skip
    assert "N: 3" not in explanation.visible
    assert json.loads(json.dumps(explanation.to_json()))["status"] == "ok"


def test_an_explanation_has_the_marks_of_the_score() -> None:
    item = Item.from_json(_item("one", SET, NUMBER))
    response = Response("one", "SET: {A, B}\nN: 1", "stop")
    assert explain(item, response).result == grade_item(item, response)


def test_an_empty_answer_is_explained_too() -> None:
    explanation = explain(Item.from_json(_item("one", NUMBER)), Response("one", None))
    assert explanation.parts[0].places == ()
    assert explanation.result.status is Status.INVALID_ANSWER


def test_parts_of_any_registered_type_are_graded_together() -> None:
    choice = Part("PICK", "choice", "B", {"options": ["x", "y"]})
    verdict = Part("OK", "verdict", "yes")
    item = Item("i", "m", "b", "v", 1, {}, "?", (choice, verdict))
    assert grade_item(item, Response("i", "PICK: B\nOK: true")).correct


@pytest.mark.parametrize(
    ("kind", "params", "text"),
    [
        ("number", {}, "N: banana"), ("node_set", {"universe": ["A", "B"]}, "N: {A} or {B}"),
        ("verdict", {"vocabulary": ["yes", "no"]}, "N: yes or no"), ("number", {}, "nothing here"),
    ],
)  # fmt: skip
def test_a_part_without_a_value_says_why(kind: str, params: dict[str, Any], text: str) -> None:
    gold = {"number": "1", "node_set": ["A"], "verdict": "yes"}[kind]
    item = Item("i", "m", "b", "base", 1, {}, "a question", (Part("N", kind, gold, params),))
    (part,) = grade_item(item, Response("i", text)).parts
    assert part.parsed is None
    assert part.note
