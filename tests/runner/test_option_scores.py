"""Methods over option scores, and the gate before them, each through run, journal and score."""

from dataclasses import replace
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.modules.choice.question import Question
from benchpress_evaluator.methods import Material, MethodChoice, method_of
from benchpress_evaluator.methods.debias import pride_distributions
from benchpress_evaluator.methods.preflight import choose_calibration
from benchpress_evaluator.methods.pride import calibrated_on
from benchpress_evaluator.providers.errors import ProviderError
from benchpress_evaluator.records import Completion, Request
from choice_session import ITEMS, MATRICES, QUESTIONS, Session, from_matrices, letters, question, say
from scripted import SEEN, printed, prompt_of

# Option scores


def test_the_worked_example_through_every_method_of_option_scores(session: Session) -> None:
    assert letters(session.put(ITEMS, "direct_logprob", from_matrices)[1]) == "ABAA"
    _, rows = session.put(ITEMS, "cyclic_logprob", from_matrices)
    assert letters(rows) == "CBAD"
    assert rows[0].extra["distribution"] == pytest.approx([0.25, 0.2625, 0.275, 0.2125])
    assert rows[0].extra["distributions"] == [pytest.approx(row) for row in MATRICES[0]]
    assert rows[0].extra["picks"] == [0, 1, 2, 3]


@pytest.mark.parametrize("missing", ["one label", "all", "error"])
def test_a_rotation_without_every_label_fails_alone(session: Session, missing: str) -> None:
    def script(request: Request) -> Completion:
        found = from_matrices(request)
        if printed(request)[0] != "white":
            return found
        if missing == "error":
            raise ProviderError("no luck")
        scores = dict(found.option_scores or {})
        if missing == "one label":
            del scores["C"]
        return replace(found, option_scores=None if missing == "all" else scores)

    _, (row,) = session.put(ITEMS[:1], "cyclic_logprob", script)
    assert row.extra["failed_rotations"] == 1
    assert row.extra["distributions"][3] is None
    assert row.extra["picks"] == [0, 1, 2, None]
    # Means over three rotations, renormalised: A .8/3, B .8/3, C 1.0/3, D .4/3.
    assert row.extra["distribution"] == pytest.approx([0.8 / 3, 0.8 / 3, 1.0 / 3, 0.4 / 3])


@pytest.mark.parametrize("method", ["direct_logprob", "cyclic_logprob", "pride"])
def test_option_scores_are_refused_elsewhere_before_anything_is_sent(session: Session, method: str) -> None:
    with pytest.raises(UserError, match=rf"method '{method}' needs option_scores, which provider 'scripted:TextOnly'"):
        session.put(ITEMS, method, from_matrices, provider="TextOnly")
    assert not SEEN
    assert not session.steps


# PriDe


def alpha_seed(places: set[int]) -> int:
    """A seed under which the calibration questions are these."""
    method: Any = method_of(MethodChoice("pride"))
    gate = method.gate(ITEMS, {})
    wanted = {ITEMS[place].id for place in places}
    return next(
        seed
        for seed in range(1000)
        if {item.id for item in calibrated_on(ITEMS, gate, {"alpha": "0.5", "seed": seed})} == wanted
    )


@pytest.mark.parametrize(("places", "answers"), [({0, 1}, "CBAD"), ({2, 3}, "BBAD")])
def test_the_published_form_calibrates_on_a_share_of_the_questions(
    session: Session, places: set[int], answers: str
) -> None:
    report, rows = session.put(ITEMS, "pride", from_matrices, params={"alpha": "0.5", "seed": alpha_seed(places)})
    assert report.complete
    assert letters(rows) == answers
    assert [row.extra["mode"] for row in rows] == ["cyclic" if n in places else "pride" for n in range(4)]
    # (nK + N - K) calls, each sent once.
    assert len(SEEN) == len(set(session.steps)) == 2 * 4 + 2
    recorded = pride_distributions(MATRICES, places)
    assert [row.extra["distribution"] for row in rows] == [pytest.approx(one) for one in recorded]


def test_a_prior_from_elsewhere_is_taken_off_every_question(session: Session) -> None:
    elsewhere = (question("number 0").item(), question("number 1").item())
    under_test = [question("number 2 or number 2?").item(), question("number 3 or number 3?").item()]
    choice = MethodChoice("pride", {"calibration": "x", "calibration_n": 2}, Material(calibration=elsewhere))
    report, rows = session.put(under_test, choice, from_matrices)
    assert report.complete
    assert rows[0].extra["prior"] == pytest.approx([0.4497471832, 0.2623869487, 0.1825388990, 0.1053269691])
    assert {row.extra["mode"] for row in rows} == {"pride"}
    assert len(SEEN) == 2 * 4 + 2
    # Every call of the journal is about an item under test.
    assert {item for item, _ in session.steps} <= {item.id for item in under_test}
    SEEN.clear()
    assert session.put(under_test, choice, from_matrices)[0].complete
    assert not SEEN


def test_a_rotation_that_fails_in_the_calibration_is_left_out_of_the_prior(session: Session) -> None:
    def script(request: Request) -> Completion:
        found = from_matrices(request)
        lost = "number 0?" in prompt_of(request) and printed(request)[0] == "white"
        return replace(found, option_scores=None) if lost else found

    choice = MethodChoice(
        "pride", {"calibration": "x", "calibration_n": 1}, Material(calibration=(question("number 0").item(),))
    )
    _, (row,) = session.put([question("number 2?? number 2?").item()], choice, script)
    assert row.extra["prior"] == pytest.approx([0.4897528, 0.2433832, 0.1857362, 0.0811277], rel=1e-6)


def test_without_calibration_it_is_the_likeliest_label_and_says_so(session: Session) -> None:
    _, rows = session.put(ITEMS, "pride", from_matrices)
    assert letters(rows) == "ABAA"
    assert {row.extra["mode"] for row in rows} == {"uncalibrated"}
    assert {row.extra["prior"] for row in rows} == {None}


def test_asking_for_calibration_questions_without_giving_any_is_an_error(session: Session) -> None:
    with pytest.raises(UserError, match="calibration questions are asked for, and none were given"):
        session.put(ITEMS, "pride", from_matrices, params={"calibration_n": 10})


def test_calibration_never_meets_the_questions_under_test() -> None:
    equal = Question.build("other", "paint", "which  COLOUR has\nnumber 0?", ("white", "Ｂlue", "green", "red"), 1)
    five = question("five", 0, ("a", "b", "c", "d", "e"))
    others = [question(f"extra {number}") for number in range(6)]
    candidates = [one.item() for one in (QUESTIONS[1], equal, five, *others, others[0])]
    found = choose_calibration(candidates, ITEMS, 4, 6, 42)
    assert (found.under_test, found.other_k, found.repeated, found.candidates) == (2, 1, 1, 10)
    assert {one.id for one in found.questions} == {one.id for one in others}
    assert (
        choose_calibration(candidates[::-1], ITEMS, 4, 3, 42).questions
        == choose_calibration(candidates, ITEMS, 4, 3, 42).questions
    )
    with pytest.raises(UserError, match="7 calibration questions with 4 options were asked for, and 6 of 10 remain"):
        choose_calibration(candidates, ITEMS, 4, 7, 42)


# The gate


def mixed(with_ten: int, with_four: int) -> list[Item]:
    ten = [question(f"ten {n}", 0, [f"option {m}" for m in range(10)]).item() for n in range(with_ten)]
    return ten + [question(f"four {n}").item() for n in range(with_four)]


def flat(request: Request) -> Completion:
    return Completion(None, option_scores={label: -1.0 - 0.1 * n for n, label in enumerate(request.option_labels)})


def test_a_mixed_set_is_gated_and_nothing_is_sent(session: Session) -> None:
    report, rows = session.put(mixed(7, 3), "pride", flat)
    assert report.complete
    assert not SEEN
    assert all(row.gated and row.result is None for row in rows)
    assert "7 of 10 questions have 10 options, which is below the threshold of 0.95" in rows[0].extra["gated"]


def test_a_lower_threshold_lets_the_modal_questions_through_and_no_others(session: Session) -> None:
    _, rows = session.put(mixed(7, 3), "pride", flat, params={"modal_k_threshold": 0.7})
    assert [row.gated for row in rows] == [False] * 7 + [True] * 3
    assert rows[0].extra["gate"] == {"modal_k": 10, "n_total": 10, "n_evaluated": 7, "n_excluded": 3}
    assert len(SEEN) == 7


@pytest.mark.parametrize("method", ["direct", "cyclic_permutation", "cyclic_logprob", "two_stage", "shuffled"])
def test_methods_without_a_common_prior_are_not_gated(session: Session, method: str) -> None:
    def script(request: Request) -> Completion:
        return flat(request) if request.option_labels else say("A")

    _, rows = session.put(mixed(2, 2), method, script)
    assert not any(row.gated for row in rows)
