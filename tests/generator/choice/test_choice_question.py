"""A multiple-choice question: its published id, its orders, its item, and the texts it is put in."""

import json
from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress.grading import grade_item
from benchpress.items import Item, Response
from benchpress.modules.choice.prompts import V1, Prompts
from benchpress.modules.choice.question import Option, Question, question_id
from hypothesis import given
from hypothesis import strategies as st

CAPITALS = Question.build(
    "mine", "geography", "What is the capital of Chile?", ["Lima", "Quito", "Santiago", "La Paz"], 2
)


def test_the_id_is_the_published_digest() -> None:
    assert question_id("math", "What is 2+2?", ["3", "4", "5", "None"]) == "cf03108493b0bb3d"


def test_rotation_k_prints_option_j_plus_k_at_place_j() -> None:
    assert [CAPITALS.rotated(k).texts for k in range(4)] == [
        ("Lima", "Quito", "Santiago", "La Paz"),
        ("Quito", "Santiago", "La Paz", "Lima"),
        ("Santiago", "La Paz", "Lima", "Quito"),
        ("La Paz", "Lima", "Quito", "Santiago"),
    ]
    assert [CAPITALS.rotated(k).gold_letter for k in range(4)] == ["C", "B", "A", "D"]


@given(st.data())
def test_any_order_keeps_the_question_its_id_and_its_right_option(data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.text(min_size=1, max_size=5), min_size=2, max_size=26))
    gold = data.draw(st.integers(0, len(texts) - 1))
    question = Question.build("mine", "", "Which?", texts, gold)
    order = data.draw(st.permutations(range(len(texts))))
    moved = question.permuted(order)
    assert moved.texts == tuple(texts[place] for place in order)
    assert (moved.id, moved.gold_source_index) == (question.id, gold)
    assert moved.source_order == question.options


def test_an_item_gives_its_question_back_through_its_file() -> None:
    question = CAPITALS.permuted([3, 1, 0, 2])
    item = Item.from_json(json.loads(json.dumps(question.item().to_json())))
    assert Question.of(item) == question
    assert item.parts[0].gold == "D"
    assert item.id.startswith("choice-mine-original-l1-")
    assert item.id != CAPITALS.item().id
    assert [grade_item(item, Response(item.id, text)).correct for text in ("D", "A", "Santiago")] == [True, False, True]


@pytest.mark.parametrize(
    ("options", "gold"),
    [((Option("one", 0),), 0), (tuple(Option(str(n), n) for n in range(27)), 0), ((Option("a", 0), Option("b", 1)), 2),
     ((Option("a", 0), Option("b", 0)), 0)],
)  # fmt: skip
def test_a_question_that_cannot_be_asked_is_refused(options: tuple[Option, ...], gold: int) -> None:
    with pytest.raises(UserError):
        Question("x", "mine", "", "Which?", options, gold)


def test_an_item_of_another_kind_is_no_question() -> None:
    item = CAPITALS.item()
    broken = Item.from_json({**item.to_json(), "params": {}})
    with pytest.raises(UserError, match="not a multiple-choice question"):
        Question.of(broken)


def test_the_direct_prompt_lists_an_option_a_line_and_names_no_letter_as_an_example() -> None:
    prompt = CAPITALS.item().prompt
    assert prompt.startswith("What is the capital of Chile?\n\nA. Lima\nB. Quito\nC. Santiago\nD. La Paz\n")
    assert "for example" not in prompt


def test_the_free_prompt_shows_no_option_and_the_second_shows_the_answer_as_it_was() -> None:
    free = V1.free_text_prompt(CAPITALS.stem)
    assert not any(text in free for text in CAPITALS.texts)
    answer = "It is {question}, I\n think: Santiago. "
    assert answer in V1.match_prompt(CAPITALS.stem, CAPITALS.texts, answer)


def bundle(folder: Path, **texts: str) -> Path:
    folder.mkdir()
    plain = {"direct": "{question}\n{options}", "free_text": "{question}", "match": "{question} {answer} {options}"}
    for name, text in (plain | texts).items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_a_bundle_of_prompts_from_a_folder_is_known_by_its_contents(tmp_path: Path) -> None:
    one, other = Prompts.load(bundle(tmp_path / "terse")), Prompts.load(bundle(tmp_path / "copy"))
    third = Prompts.load(bundle(tmp_path / "third", direct="{subject}: {question}\n{options}\n({letters})"))
    assert (one.version, one.digest) == ("terse", other.digest)
    assert third.digest != one.digest
    assert third.direct_prompt("Q?", ["x", "y"], "music") == "music: Q?\nA. x\nB. y\n(A, B)"


@pytest.mark.parametrize(
    "texts",
    [{"direct": "{question}"}, {"free_text": "{question} {options}"}, {"match": "{question} {options} {answr}"}],
)
def test_a_bundle_with_a_wrong_placeholder_is_refused(tmp_path: Path, texts: dict[str, str]) -> None:
    with pytest.raises(UserError, match="prompt bundle bad"):
        Prompts.load(bundle(tmp_path / "bad", **texts))


def test_a_bundle_without_a_file_is_refused(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "less")
    (folder / "match.txt").unlink()
    with pytest.raises(UserError, match=r"match\.txt"):
        Prompts.load(folder)
