# ruff: noqa: E501 - a prompt's lines stay as they are printed
"""What a prompt asks for, what a cut answer keeps, what files and explanations hold: the contract around the readers.

Expected texts and values follow docs/answers.md (forms, cut texts, decisions) and docs/replay.md (metrics).
"""

import json
from pathlib import Path
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.grading import PartCount, Summary, explain, grade_file
from benchpress.items import Item, Part, Response, Status
from benchpress.parts.params import check_item
from benchpress.protocol import IMPOSSIBLE, answer_instructions
from reading import YES_NO, item_of, result_of
from test_mechanisms import GOLD, answer, judged, toy

CLOSING = """You may reason first, but only the final answer is read. End with these lines, one for each part and nothing after them, the label at the start of each line:

SET: <names between braces, separated by commas>
N: <a number>
E: <edges, separated by commas>
S: <edges, separated by commas>
O: <names in order, separated by commas>
C: <names in order, separated by commas>
V: <up|down>
W: <yes|no>
L: <a letter>
M: <your answer>

- SET may be the empty set, written {}.
- If no set of the required kind exists, write SET: IMPOSSIBLE, which is not the same as the empty set {}.
- N is a decimal or a fraction such as 7/2; a value followed by % counts as divided by 100. A value within 0.01 of the exact one is correct.
- An edge of E is written name -> name. If there is none, write E: {}.
- An edge of S is written name -- name. If there is none, write S: {}.
- C is a cycle: start anywhere, and do not repeat the first name at the end.
- V is exactly one of: up, down.
- W is exactly one of: yes, no.

Example of the format, taken from an unrelated problem:

SET: {P, Q}
N: 7
E: P -> Q
S: P -- Q
O: P, Q
C: Q, P
V: down
W: no
L: C
M: 5"""


def test_the_closing_paragraph_names_every_form() -> None:
    parts = (
        Part("SET", "node_set", [], {"universe": ["A", IMPOSSIBLE]}), Part("N", "number", "1", {"tolerance": "0.01"}),
        Part("E", "edges", [], {"directed": True}), Part("S", "edges", [], {"directed": False}), Part("O", "sequence", ["A"]),
        Part("C", "sequence", ["A"], {"cyclic": True}), Part("V", "verdict", "up", {"vocabulary": ["up", "down"]}),
        Part("W", "verdict", "yes"), Part("L", "choice", "A", {"options": ["x", "y"]}), Part("M", "other", None),
    )  # fmt: skip
    example: dict[str, Any] = {
        "SET": ["P", "Q"], "N": "7", "E": [["P", "Q"]], "S": [["P", "Q"]], "O": ["P", "Q"], "C": ["Q", "P"], "V": "down",
        "W": "no", "L": "C", "M": 5,
    }  # fmt: skip
    assert answer_instructions(parts, example) == CLOSING


@pytest.mark.parametrize("tolerance", ["0", "0.0", "0.000", None])
def test_one_exact_part_asks_for_one_line(tolerance: str | None) -> None:
    part = Part("N", "number", "1", {} if tolerance is None else {"tolerance": tolerance})
    assert answer_instructions([part], {"N": "7"}) == (
        "You may reason first, but only the final answer is read. End with this line and nothing after it, the label at "
        "the start of the line:\n\nN: <a number>\n\n- N is a decimal or a fraction such as 7/2; a value followed by % counts "
        "as divided by 100.\n\nExample of the format, taken from an unrelated problem:\n\nN: 7"
    )
    order = Part("O", "sequence", ["A"])
    assert "\n- " not in answer_instructions([order], {"O": ["P", "Q"]})
    plain = answer_instructions([Part("SET", "node_set", [])], {"SET": []})
    assert "SET may be the empty set, written {}." in plain
    assert IMPOSSIBLE not in plain


NUMBERS = Part("X", "number", "0", {})
NODES = Part("X", "node_set", [], {"universe": ["A", "B", "C"]})
EDGES = Part("X", "edges", [], {"universe": ["A", "B", "C"], "directed": True})
ORDER = Part("X", "sequence", ["A"], {"universe": ["A", "B", "C"]})
TREND = Part(
    "X", "verdict", "up", {"vocabulary": ["up", "upright", "down"], "classes": {"down": ["down", "up no more"]}}
)


@pytest.mark.parametrize(
    ("part", "text", "value"),
    [
        *((NUMBERS, text, value) for text, value in (
            ("3", "3"), ("3.5", "3.5"), ("3.", None), ("3,", None), ("3/", None), ("7/2", "7/2"), ("3e", None), ("3e-", None),
            ("3 ×", None), ("3^", None), ("3 =", None), ("3 ≈", None), ("3 ~", None), ("3 +", None),
            ("3 (", None), ("3 {", None), (r"3 \frac{1}{", None), (r"\frac{1}{2}", "1/2"), ("3\n", "3"), ("3 and", "3"), ("3%", "0.03"),
        )),
        *((NODES, text, value) for text, value in (
            ("{A, B}", ["A", "B"]), ("{A, B", None), ("A, B", None), ("A, B.", ["A", "B"]), ("[A, B]", ["A", "B"]), ("(A, B)", ["A", "B"]),
            ("∅", []), ("Ø", []), ("A, B\n", ["A", "B"]), ("A, B\n\nThis closes every path", ["A", "B"]), ("\n- A\n- B", None), ("\n- A\n\n- B", None), ("**{A, B}**", ["A", "B"]),
        )),
        (EDGES, "A -> B, B -> C", None), (EDGES, "A -> B, B -> C.", [["A", "B"], ["B", "C"]]), (EDGES, "{A -> B}", [["A", "B"]]),
        (ORDER, "B, A, C", None), (ORDER, "B, A, C.", ["B", "A", "C"]), (ORDER, "(B, A, C)", ["B", "A", "C"]),
        (TREND, "up", None), (TREND, "down", "down"), (TREND, "upright", "upright"), (TREND, "UP", None), (TREND, "up.", "up"),
        (Part("X", "verdict", "yes", {}), "y", None), (Part("X", "verdict", "yes", {}), "yes", "yes"), (Part("X", "verdict", "yes", YES_NO), "yes", "yes"),
    ],
)  # fmt: skip
def test_in_a_cut_text_the_last_value_counts_only_if_it_was_complete(part: Part, text: str, value: Any) -> None:
    result = result_of(f"X: {text}", part, stop_reason="length")
    assert result.parts[0].parsed == value
    assert result.status is (Status.OK if value is not None else Status.TRUNCATED)
    other = Part("VALID", "verdict", "yes", {})
    before = result_of(f"X: {text}\n\nVALID: yes", part, other, stop_reason="length")
    whole = result_of(f"X: {text}\n\nVALID: yes", part, other, stop_reason="stop")
    assert before.parts[0].parsed == whole.parts[0].parsed


def test_an_explanation_has_all_its_fields() -> None:
    item = item_of(Part("N", "number", "1", {}))
    said = explain(item, Response("case", "<think>hm</think>Let us see.\nN: 1", "stop")).to_json()
    assert list(said) == ["item_id", "status", "correct", "visible", "hidden_characters", "open_thinking", "parts"]
    assert (said["item_id"], said["status"], said["correct"], said["open_thinking"]) == ("case", "ok", True, False)
    assert said["visible"].strip() == "Let us see.\nN: 1"
    assert 0 < said["hidden_characters"] <= len("<think>hm</think>")
    (part,) = said["parts"]
    assert list(part) == ["id", "type", "parsed", "expected", "correct", "note", "source", "line", "places"]
    assert (part["parsed"], part["source"]) == ("1", "1")
    (place,) = part["places"]
    assert place == {
        "line": part["line"],
        "text": "1",
        "kind": "value",
        "value": "1",
        "note": place["note"],
        "counts": True,
    }
    assert explain(item, Response("case", "<think>N: 1")).to_json()["open_thinking"] is True


def test_a_summary_counts_what_it_is_given() -> None:
    parts = (Part("N", "number", "1", {}), Part("V", "verdict", "yes", {}))
    summary = Summary(items=5)
    for text in ("N: 1\nV: yes", "N: 2\nV: yes", "V: no", None):
        summary.add(result_of(text, *parts))
    assert (summary.graded, summary.correct, summary.pending) == (4, 1, 1)
    assert summary.parts == {"N": PartCount(1, 1, 2), "V": PartCount(2, 1, 1)}
    assert summary.types == {"number": PartCount(1, 1, 2), "verdict": PartCount(2, 1, 1)}
    assert summary.to_json()["statuses"] == {"ok": 3, "refusal": 0, "invalid_answer": 1, "truncated": 0, "api_error": 0}


def test_a_refused_file_is_named(tmp_path: Path) -> None:
    item = item_of(Part("N", "number", "1", {}))
    (tmp_path / "items.jsonl").write_text(json.dumps(item.to_json()) + "\n")
    (tmp_path / "said.jsonl").write_text('{"item_id": "nine", "text": "N: 1"}\n')
    with pytest.raises(UserError, match=r"said\.jsonl.*unknown item 'nine'"):
        grade_file(tmp_path / "items.jsonl", tmp_path / "said.jsonl", tmp_path / "scores.jsonl")
    bad = item_of(Part("N", "number", "half", {}))
    (tmp_path / "items.jsonl").write_text(json.dumps(bad.to_json()) + "\n")
    with pytest.raises(UserError, match=r"items\.jsonl.*'N'"):
        grade_file(tmp_path / "items.jsonl", tmp_path / "said.jsonl", tmp_path / "scores.jsonl")
    (tmp_path / "items.jsonl").write_text(json.dumps(item.to_json()) + "\n")
    (tmp_path / "said.jsonl").write_text('{"item_id": "case", "text": "N: 1"}\n')
    counted: list[int] = []
    grade_file(tmp_path / "items.jsonl", tmp_path / "said.jsonl", tmp_path / "scores.jsonl", lambda: counted.append(1))
    assert counted == [1]


SOUND: list[tuple[str, Any, dict[str, Any]]] = [
    ("number", "1/2", {}), ("number", 3, {"tolerance": 0}), ("number", "-0.5", {"tolerance": "1e-3"}), ("node_set", [], {}),
    ("node_set", ["A"], {"universe": ["A"], "accept": [["B"], []]}), ("sequence", ["A"], {"accept": [["B"]]}),
    ("edges", [["A", "B"]], {"directed": False, "universe": ["A", "B"], "accept": [[["B", "A"]]]}), ("edges", [], {}),
    ("verdict", "yes", {}), ("verdict", "up", {"vocabulary": ["up"], "classes": {"up": ["rises"]}}),
    ("choice", "B", {"options": ["x", "y"]}), ("choice", "Z", {"options": [str(at) for at in range(26)]}), ("other", None, {}),
]  # fmt: skip
UNSOUND: list[tuple[str, Any, dict[str, Any], str]] = [
    ("number", None, {}, "gold"), ("number", True, {}, "gold"), ("number", "1/0", {}, "gold"), ("number", "9" * 1001, {}, "gold"), ("number", [], {}, "gold"),
    ("number", "1", {"tolerance": "-0.1"}, "tolerance"), ("number", "1", {"tolerance": "1/0"}, "tolerance"), ("number", "1", {"tolerance": False}, "tolerance"),
    ("node_set", None, {}, "gold"), ("node_set", [1], {}, "gold"), ("node_set", [], {"universe": [1]}, "universe"), ("node_set", [], {"accept": "A"}, "accept must be a list of lists of names"),
    ("node_set", [], {"accept": [["A"], [1]]}, "accept"), ("sequence", "A", {}, "gold"), ("sequence", [], {"universe": "A"}, "universe"),
    ("edges", ["AB"], {}, "gold"), ("edges", [["A", 1]], {}, "gold"), ("edges", [["A", "B", "C"]], {}, "gold"), ("edges", [], {"directed": 1}, "directed"),
    ("edges", [], {"accept": [["AB"]]}, "accept must be a list of lists of pairs"), ("edges", [], {"universe": 3}, "universe"),
    ("verdict", "yes", {"vocabulary": []}, "vocabulary"), ("verdict", "yes", {"vocabulary": "yes"}, "vocabulary"), ("verdict", "no", {"vocabulary": ["yes"]}, "gold must be one of yes"),
    ("verdict", "yes", {"classes": {"yes": "aye"}}, "classes"), ("verdict", "yes", {"classes": {"yes": [1]}}, "classes"),
    ("choice", "A", {}, "options"), ("choice", "A", {"options": ["x"]}, "options"), ("choice", "A", {"options": [str(at) for at in range(27)]}, "options"),
    ("choice", "AB", {"options": ["x", "y"]}, "gold must be a letter from A to B"), ("choice", "a", {"options": ["x", "y", "z"]}, "gold must be a letter from A to C"), ("choice", "", {"options": ["x", "y"]}, "gold must be a letter from A to B"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "gold", "params"), SOUND)
def test_a_sound_part_can_be_graded(kind: str, gold: Any, params: dict[str, Any]) -> None:
    check_item(item_of(Part("P", kind, gold, params)))


@pytest.mark.parametrize(("kind", "gold", "params", "message"), UNSOUND)
def test_an_unsound_part_is_refused_by_name(kind: str, gold: Any, params: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=rf"^item 'case', part 'P' \({kind}\): {message}") as caught:
        check_item(item_of(Part("O", "number", "1", {}), Part("P", kind, gold, params)))
    assert "\n" not in str(caught.value)


ZERO = {
    "parsed": False, "multiple_answers": False, "legal": False, "train_exact": False, "train_world_exact": 0.0,
    "heldout_world_exact": 0.0, "heldout_all_exact": False, "heldout_exact": False, "train_cell_accuracy": 0.0,
    "heldout_cell_accuracy": 0.0, "parent_f1": 0.0, "parents_exact": False, "parent_shd": None,
}  # fmt: skip
ROOTS = {"root_exact": False, "root_precision": 0.0, "root_recall": 0.0}
ALT = {
    "alt_train_exact": False, "alt_distinct": False, "alt_success": False, "experiment_valid": False,
    "experiment_resolves": None, "witness_valid": None, "joint_success": False,
}  # fmt: skip


@pytest.mark.parametrize(("variant", "more"), [("ordered", {}), ("hidden_roots", ROOTS), ("alt_hidden", ALT)])
def test_no_answer_shows_nothing(variant: str, more: dict[str, Any]) -> None:
    result = judged("I do not know.", toy(variant))
    assert result.metrics == ZERO | more
    assert (result.parsed, result.correct) == (None, False)


def world(**changes: Any) -> list[dict[str, Any]]:
    return [toy().params["worlds"][0] | changes, *toy().params["worlds"][1:]]


@pytest.mark.parametrize(
    ("variant", "changes", "message"),
    [
        ("guess", {}, "variant 'guess' is none of ordered, block_order"), ("ordered", {"rules": "loose"}, "rules 'loose' are none of published, strict"),
        ("ordered", {"operators": ["nand"]}, "operators must be among not, and"), ("ordered", {"variables": ["A", "B", "R1", "and"]}, "'and' cannot name a variable"),
        ("ordered", {"variables": ["A", "B", "R1", 3]}, "3 cannot name a variable"), ("ordered", {"variables": ["A", "B", "R1", "R1"]}, "a variable is listed twice"),
        ("hidden_roots", {"root_count": 0}, "root_count must leave"), ("hidden_roots", {"root_count": 4}, "root_count must leave"), ("hidden_roots", {"root_count": "2"}, "root_count must leave"),
        ("ordered", {"roots": ["R1"]}, "roots and endogenous must divide"), ("ordered", {"order": ["A", "B", "R1"]}, "order must list every variable once"),
        ("block_order", {"order": [["A", "B"], ["R1"]]}, "the blocks of order must divide"), ("ordered", {"worlds": world(id="heldout_00")}, "world 'heldout_00' occurs twice"),
        ("ordered", {"worlds": world(split="test")}, "world 'train_00': split must be train or heldout"), ("ordered", {"worlds": world(targets={"Q": 1})}, "world 'train_00': 'Q' is no variable"),
        ("ordered", {"worlds": world(targets={"A": 2})}, "world 'train_00': A must be 'assigned', 0 or 1"), ("ordered", {"worlds": world(targets={"A": 1})}, "world 'train_00': A is held at 1 but a row differs"),
        ("ordered", {"worlds": world(targets={"A": "assigned", "B": "assigned"}, rows=[])[:1]}, "no cell of a training world is scored"),
        ("ordered", {"worlds": world()[:2]}, "no cell of a held-out world is scored"), ("alt_ordered", {"reference": {"mechanisms": {"A": "R1"}}}, "no mechanism for B"),
        ("alt_ordered", {"reference": {"mechanisms": {**GOLD, "R1": "R2"}}}, "a mechanism for the root R1"), ("alt_ordered", {"reference": {"mechanisms": {**GOLD, "B": "Q"}}}, "the reference model is illegal"),
        ("alt_ordered", {"reference": None}, "params do not follow the schema"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_problem_is_said(variant: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        judged(answer(), toy(variant, **changes))
    assert str(caught.value).startswith("item toy: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("variant", "text", "note"),
    [
        ("ordered", answer(B="?"), "illegal: B: "), ("ordered", json.dumps({"mechanisms": {"A": "R1"}}), "illegal: no mechanism for B"),
        ("ordered", json.dumps({"mechanisms": {**GOLD, "R1": "R2"}}), "illegal: a mechanism for the root R1"),
        ("ordered", json.dumps({"mechanisms": {**GOLD, "Q": "R2"}}), "illegal: a mechanism for the unknown variable 'Q'"),
        ("ordered", json.dumps({"mechanisms": {**GOLD, "B": 1}}), "illegal: B: the mechanism is not a string"),
        ("hidden_order", answer(A="(or B R1)"), "illegal: the mechanisms form a cycle"),
        ("hidden_roots", json.dumps({"roots": ["R1"], "mechanisms": GOLD}), "illegal: 1 roots, where there are 2"),
        ("hidden_roots", json.dumps({"roots": ["R1", "R1"], "mechanisms": GOLD}), "illegal: roots lists a variable twice"),
        ("hidden_roots", json.dumps({"roots": ["R1", "Q"], "mechanisms": GOLD}), "illegal: roots lists something that is no variable"),
        ("ordered", answer()[:-1] + ', "z": NaN}', "not_json: NaN is no JSON value"), ("ordered", answer()[:-1] + ', "z": "\\ud800"}', "lone_surrogate: "),
        ("ordered", '{"mechanisms": {"A": "R1", "A": "R2"}}', "duplicate_key: "), ("ordered", answer() + answer(B="A"), "several answers, the last one counts"),
        ("alt_hidden", json.dumps({"alternative": {"mechanisms": {}}}), "illegal: no mechanism for A"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_answer_is_noted(variant: str, text: str, note: str) -> None:
    result = judged(text, toy(variant))
    assert note in result.note
    assert result.correct is False


def test_metrics_of_a_partly_right_model_are_shares() -> None:
    result = judged(answer(B="A"), toy())
    # Training: A scored in the 4 rows of the first world, B in 4 + 2 rows; B = A fails where A = 1 and R1 = 0: 2 cells.
    # Held out: A scored in 2 rows, B in 2 rows; nothing fails.
    assert result.metrics is not None
    assert result.metrics["train_cell_accuracy"] == pytest.approx(8 / 10)
    assert result.metrics["heldout_cell_accuracy"] == 1
    assert (result.metrics["heldout_all_exact"], result.metrics["heldout_exact"], result.metrics["train_exact"]) == (
        True,
        False,
        False,
    )
    assert (result.metrics["parents_exact"], result.metrics["parent_shd"]) == (False, 1)
    roots = judged(
        json.dumps({"roots": ["R1", "A"], "mechanisms": {"R2": "(xor R1 A)", "B": "(and A R1)"}}), toy("hidden_roots")
    )
    assert roots.metrics is not None
    assert (roots.metrics["root_precision"], roots.metrics["root_recall"]) == (0.5, 0.5)


def test_an_item_is_right_when_all_its_parts_are() -> None:
    parts = (Part("N", "number", "1", {}), Part("V", "verdict", "yes", {}))
    for text, right in (("N: 1\nV: yes", True), ("N: 1\nV: no", False), ("N: 2\nV: yes", False), ("N: 1", False)):
        assert result_of(text, *parts).correct is right
    nothing = Item("none", "m", "b", "base", 1, {}, "?", ())
    from benchpress.grading import grade_item

    assert grade_item(nothing, Response("none", "N: 1")).correct is False
