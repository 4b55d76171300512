"""Reference solvers of multiple-choice prompts read what is printed and err in known ways only."""

import pytest
from benchpress.generation import Address
from benchpress.grading import grade_item
from benchpress.items import Item, Response
from benchpress.modules.causal import BUNDLES
from benchpress.modules.choice.benchmarks import benchmark
from benchpress.modules.choice.module import MODULE
from benchpress.modules.choice.prompts import V1
from benchpress.modules.choice.question import Question
from benchpress.modules.choice.reference import SOLVERS, options_of
from benchpress.streams import secret_from_seed


@pytest.fixture(scope="module")
def items() -> list[Item]:
    """One item of every concept."""
    secret = secret_from_seed(23)
    return [
        MODULE.make(secret, Address("choice", "practice", "causal_choice", "base", 5, index)).item
        for index in range(len(BUNDLES))
    ]


def right(solver: str, item: Item, prompt: str | None = None) -> bool:
    return grade_item(item, Response(item.id, SOLVERS[solver](prompt or item.prompt))).correct


def test_the_exact_solver_is_right_in_every_order_of_the_options(items: list[Item]) -> None:
    for item in items:
        question = Question.of(item)
        for k in (0, 1, 3):
            turned = question.rotated(k)
            letter = SOLVERS["exact"](V1.direct_prompt(turned.stem, turned.texts))
            assert letter == turned.gold_letter, item.id


def test_a_bad_habit_picks_the_option_that_came_from_it(items: list[Item]) -> None:
    picked = [item for item in items if "naive" in item.params["origins"]]
    assert picked
    for item in picked:
        assert SOLVERS["naive"](item.prompt) == "ABCD"[item.params["origins"].index("naive")]


def test_bad_habits_cost_points_and_guessing_costs_most(items: list[Item]) -> None:
    shares = {name: sum(right(name, item) for item in items) / len(items) for name in SOLVERS}
    assert shares["exact"] == 1
    assert all(shares[name] < 0.8 for name in ("naive", "adjust_all", "ignore_colliders", "random"))
    assert shares["fallible"] > shares["random"]


def test_without_options_a_value_is_stated_and_matched_in_the_second_stage(items: list[Item]) -> None:
    for item in items[:4]:
        question = Question.of(item)
        free = SOLVERS["exact"](V1.free_text_prompt(question.stem))
        assert question.texts[question.gold] in free
        assert right("exact", item, V1.match_prompt(question.stem, question.texts, free))


def test_the_toy_set_is_known_and_other_questions_are_refused() -> None:
    toy = benchmark("toy")
    questions = toy.questions(toy.rows() if toy.rows else [])
    assert all(right("exact", question.rotated(1).item()) for question in questions)
    with pytest.raises(ValueError, match="no question"):
        SOLVERS["exact"](Question.build("mine", "", "Who?", ["x", "y"], 0).item().prompt)


def test_options_are_the_last_list_of_a_prompt() -> None:
    assert options_of("A. early\nB. list\n\nWhich?\n\nA. one\nB. two\nC. three\nAnswer:") == ["one", "two", "three"]
    assert options_of("Nothing to choose.") == []
