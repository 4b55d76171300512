"""Each public set's own layout becomes the one form; what a layout does not promise is refused with its row."""

from typing import Any

import numpy as np
import pytest
from benchpress.errors import UserError
from benchpress.modules.choice.benchmarks import BENCHMARKS, Benchmark, benchmark
from benchpress.modules.choice.benchmarks.local import local
from benchpress.modules.choice.question import Question
from benchpress.modules.choice.transforms import check_unique, names_places, transformed


def one(name: str, row: dict[str, Any]) -> Question:
    (question,) = benchmark(name).questions([row])
    return question


def mine(row: dict[str, Any]) -> Question:
    (question,) = local("mine").questions([row])
    return question


def test_mmlu_is_read_from_lists_arrays_and_texts_alike() -> None:
    row = {"question": "2+2?", "subject": "math", "answer": 1, "choices": ["3", "4", "5", "None"]}
    plain = one("mmlu", row)
    assert (plain.subject, plain.stem, plain.texts, plain.gold) == ("math", "2+2?", ("3", "4", "5", "None"), 1)
    array = np.array(["3", "4", "5", "None"], dtype=object)
    assert one("mmlu", row | {"choices": array, "answer": np.int64(1)}) == plain
    assert one("mmlu", row | {"choices": "['3', '4', '5', 'None']", "answer": "1"}) == plain
    assert one("mmlu", row | {"choices": '["3", "4", "5", "None"]', "answer": "B"}) == plain


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"choices": ["3", "4", "5"]}, "exactly four"),
        ({"choices": "['3' '4' '5' '6']"}, "without commas"),
        ({"choices": ["3", "4", None, "6"]}, "missing"),
        ({"answer": 4}, "4 options"),
        ({"answer": -1}, "4 options"),
        ({"answer": True}, "not a number"),
        ({"question": float("nan")}, "question is missing"),
    ],
)
def test_a_row_of_another_layout_is_refused_with_its_number(change: dict[str, Any], said: str) -> None:
    row = {"question": "2+2?", "subject": "math", "answer": 1, "choices": ["3", "4", "5", "None"]}
    with pytest.raises(UserError, match=rf"mmlu, row 2: .*{said}"):
        benchmark("mmlu").questions([row, row | change])
    del row["subject"]
    with pytest.raises(UserError, match="mmlu, row 1: no column 'subject'"):
        benchmark("mmlu").questions([row])


@pytest.mark.parametrize(
    ("labels", "key", "gold"),
    [("ABC", "C", 2), ("1234", "2", 1), ("ABCDE", "5", 4), ("123", "C", 2)],
)  # fmt: skip
def test_arc_keeps_three_to_five_options_and_reads_figures_as_letters(labels: str, key: str, gold: int) -> None:
    texts = [f"text {label}" for label in labels]
    row = {"id": "x", "question": "Why?", "choices": {"text": texts, "label": list(labels)}, "answerKey": key}
    question = one("arc_challenge", row)
    assert (question.texts, question.gold) == (tuple(texts), gold)


def test_the_layouts_of_the_authors_own_files_are_read_as_well() -> None:
    choices = [{"text": "x", "label": "A"}, {"text": "y", "label": "B"}, {"text": "z", "label": "C"}]
    arc = one("arc_challenge", {"id": "x", "question": {"stem": "Why?", "choices": choices}, "answerKey": "B"})
    assert (arc.stem, arc.texts, arc.gold_letter) == ("Why?", ("x", "y", "z"), "B")
    hub = {"question": "Q?", "mc1_targets": {"choices": ["right", "wrong", "other"], "labels": [1, 0, 0]}}
    own = {"question": "Q?", "mc1_targets": {"right": 1, "wrong": 0, "other": 0}}
    assert one("truthful_qa", own) == one("truthful_qa", hub)


def test_mmlu_pro_leaves_null_distractors_out_and_follows_the_right_one() -> None:
    row = {"question": "Q?", "category": "law", "options": ["a", None, "b", float("nan"), "None"], "answer_index": 4}
    question = one("mmlu_pro", row)
    assert question.texts == ("a", "b", "None")
    assert [option.source_index for option in question.options] == [0, 2, 4]
    assert (question.gold_letter, question.gold_source_index) == ("C", 4)
    with pytest.raises(UserError, match="is null"):
        one("mmlu_pro", row | {"answer_index": 1})


def test_hellaswag_reads_labels_as_text_and_says_where_there_are_none() -> None:
    row = {"ctx": "A man", "activity_label": "Sailing", "endings": ["a", "b", "c", "d"], "label": "3"}
    assert one("hellaswag", row).gold == 3
    with pytest.raises(UserError, match="use the split validation"):
        one("hellaswag", row | {"label": ""})


def truthful(number: int) -> dict[str, Any]:
    choices = [f"truth {number}", *(f"myth {number}.{at}" for at in range(1 + number % 12))]
    return {"question": f"Q{number}?", "mc1_targets": {"choices": choices, "labels": [1] + [0] * (len(choices) - 1)}}


def test_truthful_qa_whose_answer_is_always_first_is_put_into_an_order_of_its_own() -> None:
    questions = benchmark("truthful_qa").questions([truthful(number) for number in range(240)])
    assert {len(question.options) for question in questions} == set(range(2, 14))
    assert all(question.gold_source_index == 0 for question in questions)
    assert all(question.texts[question.gold].startswith("truth") for question in questions)
    four = [question.gold for question in questions if len(question.options) == 4]
    assert set(four) == {0, 1, 2, 3}
    assert 0.1 < sum(question.gold == 0 for question in questions) / 240 < 0.35
    again = benchmark("truthful_qa").questions([truthful(number) for number in reversed(range(240))])
    assert again[::-1] == questions


def test_any_set_whose_right_option_stands_at_one_place_is_reordered_and_others_are_not() -> None:
    rows = [{"question": f"Q{n}", "choices": ["r", "w", "v"], "answer_index": 0} for n in range(12)]
    moved = local("mine").questions(rows)
    assert len({question.gold for question in moved}) == 3
    assert all(question.texts[question.gold] == "r" for question in moved)
    rows[5] = {"question": "Q5", "choices": ["w", "r", "v"], "answer_index": 1}
    assert [question.gold for question in local("mine").questions(rows)].count(0) == 11


def test_the_toy_set_has_ten_questions_and_three_with_a() -> None:
    toy = benchmark("toy")
    assert toy.rows is not None
    questions = toy.questions(toy.rows())
    assert len(questions) == 10
    assert sum(question.gold_letter == "A" for question in questions) == 3
    check_unique(questions, "toy")


@pytest.mark.parametrize(
    ("row", "texts", "gold"),
    [
        ({"question": "Q", "A": "x", "B": "y", "C": "", "answer": "B"}, ("x", "y"), 1),
        ({"question": "Q", "option_a": "x", "option_b": "y", "correct_option": "a"}, ("x", "y"), 0),
        ({"stem": "Q", "options": ["x", "y"], "label": 1}, ("x", "y"), 1),
        ({"question": "Q", "options": ["3", "4", "5"], "answer": "5"}, ("3", "4", "5"), 2),
        ({"question": "Q", "options": ["x", "y"], "answer": 0}, ("x", "y"), 0),
        ({"question": "Q", "options": ["x", "None"], "answer": "None"}, ("x", "None"), 1),
        (
            {"question_text": "Q", "correct_index": "0",
             "choices_json": '[{"text": "x", "source_index": 3}, {"text": "y", "source_index": 0}]'},
            ("x", "y"), 0,
        ),
    ],
)  # fmt: skip
def test_a_file_of_ones_own_may_use_any_of_the_usual_columns(
    row: dict[str, Any], texts: tuple[str, ...], gold: int
) -> None:
    question = mine(row)
    assert (question.stem, question.texts, question.gold) == ("Q", texts, gold)


@pytest.mark.parametrize(
    "row",
    [
        {"question": "Q", "options": ["1", "0"], "answer": "1"},
        {"question": "Q", "options": ["x", "y"], "answer": "z"},
        {"question": "Q", "options": ["x", "y"]},
        {"question": "Q", "answer": "A"},
        {"question": "Q", "options": ["x"], "answer": "A"},
        {"question": "Q", "options": ["x", None], "answer_index": 1},
    ],
)
def test_a_row_that_can_be_read_in_two_ways_or_in_none_is_refused(row: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="mine, row 1"):
        mine(row)


@pytest.mark.parametrize(
    "text",
    [
        "All of the above",
        "None of the above.",
        "Both A and B",
        "A and C",
        "A, B, and D",
        "Neither A nor B",
        "Both A and B are correct.",
    ],
)
def test_options_that_speak_of_places_are_known(text: str) -> None:
    assert names_places(text)


@pytest.mark.parametrize("text", ["Ham and eggs", "vitamins A and B", "all of the people", "I and II", "A"])
def test_options_that_only_look_like_it_are_kept(text: str) -> None:
    assert not names_places(text)


def test_transforms_drop_what_they_say_and_every_member_of_a_duplicate_group() -> None:
    rows = [
        {"question": "Q1", "options": ["x", "all of the above"], "answer_index": 1},
        {"question": "Q2", "options": ["x", "y"], "answer_index": 0},
        {"question": "Q2", "options": ["x", "y"], "answer_index": 1},
        {"question": "Q3", "options": ["x", "y"], "answer_index": 1},
    ]
    questions = local("mine").questions(rows)
    with pytest.raises(UserError, match="unique_question_ids_v1"):
        check_unique(questions, "mine")
    left, dropped = transformed(questions, ["permutation_safe_v1", "unique_question_ids_v1"])
    assert [question.stem for question in left] == ["Q3"]
    assert dropped == {"permutation_safe_v1": 1, "unique_question_ids_v1": 2}
    with pytest.raises(UserError, match="unknown transform"):
        transformed(questions, ["other"])


def test_sets_are_a_registry_and_a_data_set_without_one_is_refused() -> None:
    assert list(BENCHMARKS)[:6] == ["mmlu", "arc_challenge", "mmlu_pro", "hellaswag", "truthful_qa", "toy"]
    assert benchmark("allenai/ai2_arc").name == "arc_challenge"
    assert benchmark("benchpress.modules.choice.benchmarks.mmlu:MMLU").name == "mmlu"
    with pytest.raises(UserError, match="no benchmark is registered for the data set me/unknown"):
        benchmark("me/unknown")
    with pytest.raises(UserError, match="not a Benchmark"):
        benchmark("benchpress.modules.choice.benchmarks.mmlu:question")
    assert isinstance(benchmark("toy"), Benchmark)
