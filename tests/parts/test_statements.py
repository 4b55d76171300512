"""A verdict in a sentence: what a negation is about, what is only asked, and what is said about a claim.

Expected values are what a patient person reads.
"""

import pytest
from reading import YES_NO, read

TRUE_FALSE = {"vocabulary": ["true", "false"]}
OPEN = {
    "vocabulary": ["yes", "no", "undetermined"],
    "classes": {
        "yes": ["yes", "true"],
        "no": ["no", "false"],
        "undetermined": ["undetermined", "cannot be determined"],
    },
}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("the path is not blocked and the claim is true", "true"),
        ("Z is not observed and the claim is true", "true"),
        ("Z is not observed and X is false", "false"),
        ("As the path is not blocked the claim is true", "true"),
        ("Given that the path is not blocked the claim is true", "true"),
        ("because Z is not observed the claim is false", "false"),
        ("with no open path it is true", "true"),
        ("without an open path this is true", "true"),
        ("without an open path it's true", "true"),
        ("without an open path this statement is true", "true"),
        ("without an open path this is a true statement", "true"),
        ("the path is not blocked making the claim true", "true"),
        ("with no hidden cause our answer is true", "true"),
        ("with no hidden cause the effect of X on Y is true", "true"),
        ("no path is open, true", "true"),
        ("the claim is not true", "false"),
        ("nothing makes this false", "true"),
        ("it is not true that X causes Y", "false"),
        ("it is not false that X causes Y", "true"),
        ("it is false that X does not cause Y", "false"),
        ("it is true that X does not cause Y", "true"),
    ],
)
def test_a_negation_belongs_to_the_statement_in_which_it_stands(text: str, verdict: str) -> None:
    assert read("verdict", text, **TRUE_FALSE) == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("the statement that Z is not a collider is true", "true"),
        ("the statement that Z is not a collider is false", "false"),
        ("the claim that X does not cause Y is false", "false"),
        ("the hypothesis that no path is open is not true", "false"),
        ("that Z is not a collider is true", "true"),
    ],
)
def test_a_judgement_of_a_claim_is_the_verdict(text: str, verdict: str) -> None:
    assert read("verdict", text, **TRUE_FALSE) == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("there is no confounding and it is identifiable", "yes"),
        ("there is no confounding and it is not identifiable", "no"),
        ("the effect is not confounded and is identifiable", "yes"),
        ("with no hidden variables the effect of X on Y is identifiable", "yes"),
        ("Z is never adjusted for making it identifiable", "yes"),
        ("it is not the case that it is identifiable", "no"),
        ("it isn't true that it is identifiable", "no"),
        ("it is not clear it is identifiable", "no"),
        ("nothing shows it is identifiable", "no"),
        ("no set ensures the effect is identifiable", "no"),
        ("no set makes the effect identifiable", "no"),
        ("there is no set for which it is identifiable", "no"),
        ("there is no graph under which it is identifiable", "no"),
        ("there is a set for which it is identifiable", "yes"),
        ("I do not think that it is identifiable", "no"),
        ("I don't believe it's identifiable", "no"),
        ("there is no reason to call it identifiable", "no"),
        ("nobody would call it identifiable", "no"),
        ("none of the sets make it identifiable", "no"),
        ("I disagree that it is identifiable", "no"),
        ("I deny that it is identifiable", "no"),
        ("he denies that it is identifiable", "no"),
        ("it is wrong that it is identifiable", "no"),
        ("it is impossible for it to be identified", "no"),
        ("it refuses to be identifiable", "no"),
        ("they refuse to be identifiable", "no"),
        ("it ceases to be identifiable", "no"),
        ("it stops being identifiable", "no"),
        ("it is barely identifiable", "no"),
        ("it is scarcely identifiable", "no"),
        ("it is rarely identifiable", "no"),
        ("it is seldom identifiable", "no"),
        ("it is anything but identifiable", "no"),
        ("it is far from identifiable", "no"),
        ("identifiable it is not", "no"),
        ("identifiable it is", "yes"),
        ("no doubt it is identifiable", "yes"),
        ("there is no doubt that it is identifiable", "yes"),
        ("beyond question it is identifiable", "yes"),
        ("no question that it is identifiable", "yes"),
        ("the fact that it is identifiable is clear", "yes"),
    ],
)
def test_what_denies_identification_and_what_only_stands_before_it(text: str, verdict: str) -> None:
    assert read("verdict", text, **YES_NO) == verdict


@pytest.mark.parametrize(
    "text",
    [
        "nobody can tell whether it is identifiable", "no one knows whether it is identifiable",
        "it is unknown whether it is identifiable", "nothing tells us whether it is identifiable",
        "we cannot say whether it is identifiable", "I do not know whether it is identifiable",
        "one can only guess whether it is identifiable", "it is hard to say whether it is identifiable",
        "who knows whether it is identifiable", "whether it is identifiable remains open",
        "it remains to be seen whether it is identifiable", "I wonder if it is identifiable",
        "I do not know if it is identifiable", "I cannot tell if it is identifiable",
        "it is unclear if it is identifiable", "I am not sure if it is identifiable", "I doubt that it is identifiable",
        "the claim that it is identifiable is false", "the claim that it is not identifiable is false",
        "the claim that it is identifiable is wrong",
    ],
)  # fmt: skip
def test_what_is_asked_or_said_of_another_claim_is_no_verdict(text: str) -> None:
    assert read("verdict", text, **YES_NO) is None


@pytest.mark.parametrize("word", ["and it is known", "yes, and one asks"])
def test_a_verdict_beside_a_question_counts(word: str) -> None:
    assert read("verdict", f"identifiable, {word} whether Z is observed", **YES_NO) == "yes"


KNOWING = ("say", "tell", "decide", "determine", "know", "conclude", "infer", "settle", "establish", "judge", "answer")
KNOWN = ("told", "decided", "determined", "known", "concluded", "inferred", "settled", "established", "clear")
UNKNOWN = (
    "undetermined", "indeterminate", "undecided", "undecidable", "unknown", "unclear", "inconclusive", "unsettled",
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        *(f"we cannot {word} whether it is true" for word in KNOWING),
        *(f"there is not enough information to {word} yes or no" for word in KNOWING),
        *(f"it is not {word} whether it is true" for word in KNOWN),
        *(f"it is {word} whether it is true" for word in UNKNOWN),
        "nothing tells whether it is true", "it is impossible to say yes or no", "nobody knows whether it is true",
        "the data are insufficient to say yes or no", "neither graph lets us say yes or no",
        "there is no way to tell yes or no", "one can never know whether it is true", "nobody can tell yes or no",
        "it is not possible to say yes or no",
    ],
)  # fmt: skip
def test_a_question_left_open_is_the_class_for_it(text: str) -> None:
    assert read("verdict", text, **OPEN) == "undetermined"
