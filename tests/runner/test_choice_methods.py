"""Methods over multiple-choice questions, each through run, journal and score against scripted answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.items import Item, Status
from benchpress.modules.choice.prompts import Prompts
from benchpress.modules.choice.question import Option, Question
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import Material, MethodChoice, method_of
from benchpress_evaluator.methods.debias import pride_distributions
from benchpress_evaluator.methods.preflight import choose_calibration
from benchpress_evaluator.methods.pride import calibrated_on
from benchpress_evaluator.plan import Plan
from benchpress_evaluator.providers.errors import ProviderError
from benchpress_evaluator.records import Call, Completion, Request, ScoredItem
from benchpress_evaluator.runner import RunReport, run
from benchpress_evaluator.scoring import score
from benchpress_evaluator.storage import open_storage
from scripted import SCRIPTS, SEEN, Script, printed, prompt_of

Q0 = [[0.50, 0.30, 0.15, 0.05], [0.40, 0.30, 0.20, 0.10], [0.55, 0.15, 0.20, 0.10], [0.45, 0.20, 0.25, 0.10]]
Q1 = [[0.30, 0.40, 0.20, 0.10], [0.60, 0.20, 0.10, 0.10], [0.35, 0.25, 0.30, 0.10], [0.40, 0.30, 0.10, 0.20]]
Q2 = [[0.70, 0.15, 0.10, 0.05], [0.50, 0.20, 0.10, 0.20], [0.40, 0.20, 0.30, 0.10], [0.30, 0.40, 0.20, 0.10]]
Q3 = [[0.40, 0.20, 0.15, 0.25], [0.45, 0.20, 0.25, 0.10], [0.40, 0.35, 0.15, 0.10], [0.60, 0.15, 0.15, 0.10]]
MATRICES = [Q0, Q1, Q2, Q3]
GOLD = (2, 1, 0, 3)


def question(name: str, gold: int = 0, texts: Sequence[str] = ("red", "green", "blue", "white")) -> Question:
    return Question.build("colours", "paint", f"Which colour has {name}?", texts, gold)


QUESTIONS = [question(f"number {place}", gold) for place, gold in enumerate(GOLD)]
ITEMS = [one.item() for one in QUESTIONS]


@dataclass
class Session:
    folder: Path

    def put(
        self,
        items: Sequence[Item],
        method: str | MethodChoice,
        script: Script,
        provider: str = "Scripted",
        params: Mapping[str, Any] | None = None,
    ) -> tuple[RunReport, list[ScoredItem]]:
        SCRIPTS["script"] = script
        entrant = Entrant.model_validate({"id": "subject", "provider": f"scripted:{provider}", "model": "script"})
        choice = MethodChoice(method, params or {}) if isinstance(method, str) else method
        report = run(Plan("choice-test", items, [entrant], [choice]), self.journal, {})
        return report, list(score(items, self.journal.records(), "choice-test", [entrant], [choice]))

    @property
    def journal(self) -> Journal:
        return Journal.open(open_storage(self.folder), "journal", None)

    @property
    def steps(self) -> list[tuple[str, str]]:
        return [
            (call.key.item_id, call.key.step)
            for call in (Call.from_json(record) for record in self.journal.records() if "call" in record)
        ]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    SEEN.clear()
    return Session(tmp_path)


def say(text: str | None) -> Completion:
    return Completion(text, "stop")


def picks_text(wanted: str) -> Script:
    """A model that knows what it wants, wherever it is printed."""
    return lambda request: say(f"The answer is {'ABCDEFGHIJ'[printed(request).index(wanted)]}.")


def from_matrices(request: Request) -> Completion:
    """Log-probabilities of the worked example, by question and by the option that is printed first."""
    number = next(n for n in range(4) if f"number {n}?" in prompt_of(request))
    k = ("red", "green", "blue", "white").index(printed(request)[0])
    return Completion(None, option_scores={L: log(p) - 3 for L, p in zip("ABCD", MATRICES[number][k], strict=True)})


def letters(rows: Sequence[ScoredItem]) -> str:
    return "".join((row.result.parts[0].parsed or "-") if row.result else "?" for row in rows)


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


# Option scores


def test_the_worked_example_through_every_method_of_option_scores(session: Session) -> None:
    assert letters(session.put(ITEMS, "direct_logprob", from_matrices)[1]) == "ABAA"
    _, rows = session.put(ITEMS, "cyclic_logprob", from_matrices)
    assert letters(rows) == "CBAD"
    assert rows[0].extra["distribution"] == pytest.approx([0.25, 0.2625, 0.275, 0.2125])
    assert rows[0].extra["distributions"] == [pytest.approx(row) for row in Q0]
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
