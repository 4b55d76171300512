"""The words by which a new statement is known, and those that govern the one behind them: each has its turn.

Expected values are what a patient person reads.
"""

import pytest
from reading import read

TRUE_FALSE = {"vocabulary": ["true", "false"]}
NOUNS = (
    "claim", "statement", "assertion", "proposition", "hypothesis", "conclusion", "answer", "verdict", "effect",
    "query", "result", "bias", "estimate", "association", "difference", "slope", "probability", "sign", "direction",
)  # fmt: skip
VERBS = (
    "say", "think", "believe", "claim", "conclude", "see", "suggest", "know", "assume", "show", "prove", "guarantee",
    "ensure", "demonstrate", "establish", "agree", "be convinced", "be sure", "be certain",
)  # fmt: skip


@pytest.mark.parametrize("noun", NOUNS)
@pytest.mark.parametrize("article", ["the", "this", "our", "my"])
def test_a_statement_begins_with_what_is_asked_about(article: str, noun: str) -> None:
    assert read("verdict", f"without an open path {article} {noun} is true", **TRUE_FALSE) == "true"
    assert read("verdict", f"without an open path {article} {noun} of X on Y is false", **TRUE_FALSE) == "false"


@pytest.mark.parametrize("verb", ["is", "was", "remains", "stays", "becomes", "must be"])
def test_a_statement_begins_with_a_pronoun_or_a_name(verb: str) -> None:
    for subject in ("it", "this", "X"):
        assert read("verdict", f"without an open path {subject} {verb} true", **TRUE_FALSE) == "true", subject


@pytest.mark.parametrize("verb", ["are", "were", "remain", "stay", "become", "must be"])
def test_a_statement_may_be_about_several(verb: str) -> None:
    for subject in ("they", "these", "X and Y"):
        assert read("verdict", f"without an open path {subject} {verb} true", **TRUE_FALSE) == "true", subject


@pytest.mark.parametrize("verb", VERBS)
def test_what_nobody_can_say_is_denied(verb: str) -> None:
    assert read("verdict", f"we cannot here {verb} it is true", **TRUE_FALSE) == "false"
    assert read("verdict", f"we cannot here {verb} that it is true", **TRUE_FALSE) == "false"


@pytest.mark.parametrize("word", ["clear", "certain", "evident", "obvious", "possible", "likely", "said", "proven"])
def test_what_is_not_clear_is_denied(word: str) -> None:
    assert read("verdict", f"it is not at all {word} it is true", **TRUE_FALSE) == "false"


@pytest.mark.parametrize("words", ["does not mean they are", "does not imply they are", "does not mean it is"])
def test_what_does_not_follow_is_denied(words: str) -> None:
    assert read("verdict", f"an open path {words} true", **TRUE_FALSE) == "false"


@pytest.mark.parametrize("words", ["no open path means they are", "no open path implies they are"])
def test_what_follows_from_an_absence_is_said(words: str) -> None:
    assert read("verdict", f"{words} true", **TRUE_FALSE) == "true"
