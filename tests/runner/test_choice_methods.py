"""Methods that read an answer in words, each through run, journal and score against scripted answers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.items import Status
from benchpress.modules.choice.prompts import Prompts
from benchpress.modules.choice.question import Option
from benchpress_evaluator.methods import Material, MethodChoice, method_of
from benchpress_evaluator.providers.errors import ProviderError
from benchpress_evaluator.records import Completion, Request
from choice_session import ITEMS, QUESTIONS, Session, from_matrices, letters, picks_text, question, say
from scripted import SEEN, Script, printed, prompt_of

# Votes


def test_every_rotation_is_shown_once_and_carried_back_by_place(session: Session) -> None:
    report, (row,) = session.put(ITEMS[:1], "cyclic_permutation", picks_text("green"))
    assert report.complete
    assert [printed(request) for request in SEEN] == [
        ["red", "green", "blue", "white"],
        ["green", "blue", "white", "red"],
        ["blue", "white", "red", "green"],
        ["white", "red", "green", "blue"],
    ]
    assert letters([row]) == "B"
    assert row.extra["picks"] == [1, 1, 1, 1]
    assert (row.extra["margin"], row.extra["rotations"], row.extra["tied"]) == (4, 4, False)


def test_options_with_equal_texts_stay_apart(session: Session) -> None:
    twins = question("a twin", 3, ("red", "same", "blue", "same")).item()
    # It always wants what stands directly after "blue": the second twin.
    _, (row,) = session.put(
        [twins],
        "cyclic_permutation",
        lambda request: say("ABCD"[(printed(request).index("blue") + 1) % 4]),
    )
    assert letters([row]) == "D"
    assert row.result is not None
    assert row.result.correct


def test_picks_are_source_indexes(session: Session) -> None:
    odd = replace(QUESTIONS[0], options=(Option("red", 5), Option("green", 2), Option("blue", 0)), gold=0)
    _, (row,) = session.put([odd.item()], "cyclic_permutation", picks_text("red"))
    assert row.extra["picks"] == [5, 5, 5]
    assert row.extra["source_indexes"] == [5, 2, 0]
    assert letters([row]) == "A"


def test_a_failed_rotation_is_left_out_and_counted(session: Session) -> None:
    def script(request: Request) -> Completion:
        first = printed(request)[0]
        if first == "blue":
            raise ProviderError("no luck")
        return say("I do not know.") if first == "white" else picks_text("green")(request)

    report, (row,) = session.put(ITEMS[:1], "cyclic_permutation", script)
    assert not report.complete
    assert row.extra["picks"] == [1, 1, None, None]
    assert (row.extra["failed_rotations"], row.extra["unread_rotations"], row.extra["margin"]) == (1, 1, 2)
    assert letters([row]) == "B"
    # The failed call alone is asked again.
    SEEN.clear()
    _, (again,) = session.put(ITEMS[:1], "cyclic_permutation", picks_text("green"))
    assert len(SEEN) == 1
    assert again.extra["failed_rotations"] == 0


def test_no_vote_is_no_answer_and_has_the_gravest_status(session: Session) -> None:
    _, (row,) = session.put(ITEMS[:1], "cyclic_permutation", lambda _: say("I'm sorry, but I can't help with that."))
    assert row.result is not None
    assert row.result.status is Status.REFUSAL
    assert row.extra["margin"] is None


def test_a_tie_depends_on_seed_and_question_alone(session: Session) -> None:
    tied = [question(f"case {number}").item() for number in range(20)]
    _, rows = session.put(tied, "cyclic_permutation", lambda _: say("A"))
    assert set(letters(rows)) == set("ABCD")
    _, other = session.put(tied, "cyclic_permutation", lambda _: say("A"), params={"seed": 7})
    assert letters(other) != letters(rows)
    assert all(row.extra["tied"] for row in rows)


def test_letters_are_unambiguous_where_options_are_letters_themselves(session: Session) -> None:
    confusing = question("letters", 0, ("B", "A", "D", "C")).item()
    _, (row,) = session.put(
        [confusing],
        "direct_logprob",
        lambda _: Completion(None, option_scores={"A": -0.1, "B": -3, "C": -3, "D": -3}),
    )
    assert letters([row]) == "A"
    assert row.result is not None
    assert row.result.status is Status.OK


# Two stages


def two_stages(match: str) -> Script:
    def script(request: Request) -> Completion:
        text = prompt_of(request)
        if not printed(request):
            return say("It is green, like {grass} and $A$.")
        return say(match) if "It is green, like {grass} and $A$." in text else say("The answer is D.")

    return script


def test_the_first_stage_shows_no_option_and_the_second_quotes_it_verbatim(session: Session) -> None:
    report, (row,) = session.put(ITEMS[1:2], "two_stage", two_stages("B"))
    assert report.complete
    first, second = map(prompt_of, SEEN)
    assert not any(text in first for text in QUESTIONS[1].texts)
    assert "It is green, like {grass} and $A$." in second
    assert letters([row]) == "B"
    assert row.extra["free_text_response"] == "It is green, like {grass} and $A$."


@pytest.mark.parametrize(("match", "calls", "letter", "used"), [("B", 2, "B", False), ("none of them", 3, "D", True)])
def test_the_fallback_asks_directly_where_matching_gave_no_letter(
    session: Session, match: str, calls: int, letter: str, used: bool
) -> None:
    params = {"fallback_on_parse_failure": True}
    _, (row,) = session.put(ITEMS[1:2], "two_stage", two_stages(match), params=params)
    assert (len(SEEN), letters([row]), row.extra["fallback_used"]) == (calls, letter, used)


def test_without_the_fallback_no_letter_is_no_answer(session: Session) -> None:
    _, (row,) = session.put(ITEMS[1:2], "two_stage", two_stages("none of them"))
    assert (len(SEEN), letters([row])) == (2, "-")


@pytest.mark.parametrize("first", [None, "  \n"])
def test_an_empty_first_stage_ends_the_question(session: Session, first: str | None) -> None:
    _, (row,) = session.put(ITEMS[:1], "two_stage", lambda _: say(first), params={"fallback_on_parse_failure": True})
    assert len(SEEN) == 1
    assert row.result is not None
    assert row.result.status is Status.INVALID_ANSWER


def test_a_failed_first_stage_ends_the_question(session: Session) -> None:
    def script(_: Request) -> Completion:
        raise ProviderError("gone")

    _, (row,) = session.put(ITEMS[:1], "two_stage", script, params={"fallback_on_parse_failure": True})
    assert len(SEEN) == 1
    assert row.result is not None
    assert row.result.status is Status.API_ERROR


# Others


def test_a_shuffled_question_is_one_call_and_its_letter_is_carried_back(session: Session) -> None:
    some = [question(f"case {number}", 2).item() for number in range(30)]
    _, rows = session.put(some, "shuffled", picks_text("blue"))
    assert letters(rows) == "C" * 30
    assert len(SEEN) == 30
    assert len({tuple(printed(request)) for request in SEEN}) > 10
    _, unread = session.put(some, "shuffled", lambda _: say("hm"), params={"seed": 1})
    assert letters(unread) == "-" * 30


def test_a_bundle_of_prompts_reaches_every_rotation(session: Session) -> None:
    bundle = Prompts("own", "Mine: {question}\n{options}", "Free: {question}", "{question} {answer}\n{options}")
    choice = MethodChoice("cyclic_permutation", {}, Material(prompts=bundle))
    session.put(ITEMS[:1], choice, picks_text("red"))
    assert [prompt_of(request).splitlines()[0] for request in SEEN] == ["Mine: Which colour has number 0?"] * 4


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("cyclic_permutation", {"votes": 3}, "takes only seed, but was given votes"),
        ("cyclic_logprob", {"seed": "1"}, "seed must be a whole number"),
        ("two_stage", {"fallback_on_parse_failure": "yes"}, "must be true or false"),
        ("pride", {"modal_k_threshold": 0}, "must be above 0 and at most 1"),
        ("pride", {"modal_k_threshold": True}, "must be a number"),
        ("pride", {"alpha": "2"}, "alpha must be above 0 and at most 1"),
        ("pride", {"alpha": "0.1", "calibration_n": 5}, "leave the calibration questions out"),
        ("pride", {"calibration_n": 0}, "calibration_n must be a whole number above 0"),
        ("pride", {"alpha": "0.1"}, "alpha 0.1 of 4 questions is not one whole question"),
    ],
)
def test_wrong_parameters_are_refused_before_anything_is_sent(
    session: Session, method: str, params: Mapping[str, Any], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        session.put(ITEMS, method, from_matrices, params=params)
    assert not SEEN


def test_an_item_that_is_no_multiple_choice_question_is_refused(session: Session) -> None:
    other = replace(ITEMS[0], params={}, id="other")
    with pytest.raises(UserError, match="item other is not a multiple-choice question"):
        session.put([other], "cyclic_permutation", picks_text("red"))


@pytest.mark.parametrize(
    ("method", "params", "calls"),
    [
        ("direct", {}, 10),
        ("direct_logprob", {}, 10),
        ("cyclic_permutation", {}, 40),
        ("cyclic_logprob", {}, 40),
        ("two_stage", {}, 20),
        ("two_stage", {"fallback_on_parse_failure": True}, 30),
        ("shuffled", {}, 10),
        ("pride", {}, 10),
        ("pride", {"alpha": "0.25"}, 2 * 4 + 8),
    ],
)
def test_the_calls_of_a_condition_are_known_beforehand(method: str, params: Mapping[str, Any], calls: int) -> None:
    some = [question(f"case {number}").item() for number in range(10)]
    choice = MethodChoice(method, params)
    assert method_of(choice).planned_calls(some, params) == calls
