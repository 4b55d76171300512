# ruff: noqa: E501 - a list of words stays one list
"""The words around a verdict, a label and a choice: whichever a person chooses, what is meant is read, or nothing.

docs/answers.md gives the rules; here each of the usual words of a rule has its turn. Expected values are what a patient
person reads.
"""

from typing import Any

import pytest
from benchpress.items import Part
from reading import YES_NO, read, result_of

NEGATORS = (
    "not", "never", "neither", "nor", "hardly", "fails to be", "fail to be", "failed to be", "lacks being", "nowhere",
    "without being", "it is not", "nothing",
)  # fmt: skip
DOUBTS = (
    "maybe", "perhaps", "possibly", "might", "could", "may", "depends", "unclear", "unsure", "undecided", "partially",
    "partly",
)  # fmt: skip
AROUND_A_VERDICT = (
    "the", "a", "an", "it is", "are", "that", "this", "answer", "verdict", "final", "effect", "claim",
    "statement", "I think", "I believe", "would", "say", "probably", "likely", "surely", "certainly", "definitely",
    "clearly", "indeed", "in fact", "be", "my", "our", "conclusion", "result", "causal", "of", "its", "was", "to",
    "here", "can", "will", "does", "do", "very", "quite", "almost", "then", "first", "later", "afterwards",
    "initially", "finally", "eventually",
)  # fmt: skip
BECAUSE = (
    "because", "since", "as", "although", "though", "whereas", "while", "given that", "assuming", "provided",
    "unless", "if", "when", "which means", "where", "due to",
)  # fmt: skip


@pytest.mark.parametrize("word", NEGATORS)
def test_a_negation_turns_a_verdict_of_two_classes_round(word: str) -> None:
    assert read("verdict", f"the effect {word} identifiable", **YES_NO) == "no"
    assert read("verdict", f"the effect {word} identifiable", vocabulary=["identifiable", "b", "c"]) is None


@pytest.mark.parametrize("word", DOUBTS)
def test_a_doubt_is_no_verdict(word: str) -> None:
    assert read("verdict", f"{word} yes", **YES_NO) is None
    assert read("verdict", f"yes {word}", **YES_NO) is None


@pytest.mark.parametrize("words", AROUND_A_VERDICT)
def test_a_bare_verdict_counts_before_a_remark_that_says_otherwise(words: str) -> None:
    assert read("verdict", f"{words} yes, the naive model says false", **YES_NO) == "yes"


@pytest.mark.parametrize("words", BECAUSE)
def test_what_gives_the_reason_is_not_the_verdict(words: str) -> None:
    assert read("verdict", f"the claim holds, yes {words} the naive answer is false", **YES_NO) == "yes"


@pytest.mark.parametrize("word", ["but", "however", "yet"])
def test_after_a_turn_the_later_clause_counts(word: str) -> None:
    assert read("verdict", f"the first look says yes, {word} no", **YES_NO) == "no"
    assert read("verdict", f"it is identifiable, {word} it is not", **YES_NO) == "no"


@pytest.mark.parametrize("word", ["so", "therefore", "thus", "hence"])
def test_a_conclusion_counts_before_its_premises(word: str) -> None:
    assert read("verdict", f"the naive reading is true, {word} no", **YES_NO) == "no"


@pytest.mark.parametrize("words", ["without doubt", "without any doubt", "beyond question", "beyond doubt", "no doubt"])
def test_words_of_certainty_deny_nothing(words: str) -> None:
    assert read("verdict", f"{words}, identifiable", **YES_NO) == "yes"
    assert read("verdict", f"identifiable {words}", **YES_NO) == "yes"


YES = ("yes", "true", "yep", "yeah", "yup", "aye", "affirmative", "✓", "✔", "✅", "☑", "y")
NO = ("no", "false", "nope", "nah", "nay", "negative", "✗", "✘", "❌", "n")


@pytest.mark.parametrize(("word", "verdict"), [*((word, "yes") for word in YES), *((word, "no") for word in NO)])
def test_the_usual_words_for_yes_and_no(word: str, verdict: str) -> None:
    assert read("verdict", word) == verdict
    assert read("verdict", word.upper()) == verdict


@pytest.mark.parametrize(
    "text",
    [
        "it cannot be valid", "it can't be valid", "it won't be valid", "it isn't valid", "it isnt valid",
        "it cant be valid", "it doesnt look valid", "it doesn't look valid", "open rather than valid",
        "open instead of valid", "nonvalid", "unvalid", "invalid", "disvalid",
    ],
)  # fmt: skip
def test_contractions_and_prefixes_deny(text: str) -> None:
    assert read("verdict", text, vocabulary=["valid", "biased"], classes={}) == "biased"


@pytest.mark.parametrize("word", ["increases", "increased", "increasing", "increase"])
def test_inflections_of_a_verdict_are_it(word: str) -> None:
    assert read("verdict", word, vocabulary=["increase", "decrease", "same"]) == "increase"
    assert read("verdict", word, vocabulary=["increases", "decreases", "same"]) == "increases"


BEFORE_A_LABEL = (
    "Final", "My", "Our", "Answer", "Answers", "Corrected", "Correction", "Updated", "Update", "Revised", "Revision",
    "New", "Correct", "Result", "Results", "Part", "Thus", "Hence", "Therefore", "So", "And", "JSON", "YAML",
    "Output", "Solution", "Response", "Summary", "Conclusion", "Finally", "Overall", "Actual", "Actually",
    "Endgültige", "Finale", "Antwort", "Réponse", "Respuesta", "The", "This", "An", "That", "Its", "Your",
)  # fmt: skip
TURNS = ("Wait", "No", "Oops", "Sorry", "Therefore", "Consequently", "Overall", "Instead", "Rather", "Final", "So")


def estimate(text: str) -> Any:
    """What is read as the estimate in a whole answer."""
    return result_of(text, Part("ESTIMATE", "number", "0", {})).parts[0].parsed


@pytest.mark.parametrize("word", BEFORE_A_LABEL)
def test_words_before_a_label_leave_it_the_label(word: str) -> None:
    assert estimate(f"{word} ESTIMATE: 0.42") == "0.42"
    assert estimate(f"{word.lower()} ESTIMATE = 0.42") == "0.42"


@pytest.mark.parametrize("word", ["Naive", "Biased", "Point", "Crude"])
def test_another_word_before_a_label_makes_it_another_label(word: str) -> None:
    assert estimate(f"{word} ESTIMATE: 0.5") is None
    assert estimate(f"ESTIMATE: 0.42\n{word} ESTIMATE: 0.5") == "0.42"


@pytest.mark.parametrize("word", TURNS)
def test_a_line_that_turns_is_the_later_field(word: str) -> None:
    assert estimate(f"ESTIMATE: 0.5\n{word}, ESTIMATE: 0.42") == "0.42"
    assert estimate("ESTIMATE: 0.42\nwith the naive model, ESTIMATE: 0.5 would follow") == "0.42"


AROUND_A_LETTER = (
    "I think", "I believe", "I guess", "I say", "I would say", "I'd say", "I'll go with", "I'm going with",
    "probably", "most likely", "definitely", "certainly", "clearly", "surely", "only", "just", "by elimination",
    "by elimination we are left with", "we get", "so", "the answer is", "it is", "it's", "its", "the option",
    "the choice", "the letter", "final answer", "my choice", "therefore", "thus", "hence", "then", "it must be",
    "ans", "yes", "ok", "okay", "well", "of course", "that is", "that's", "this is correct", "in summary", "in short",
)  # fmt: skip
CUES = (
    "The answer is", "Answer:", "Response:", "Solution:", "Correction:", "Antwort:", "Lösung:", "Loesung:", "Réponse :",
    "Reponse:", "Respuesta:", "Resposta:", "Risposta:", "Antwoord:", "Svar:", "Odpowiedź:", "Ответ:", "答案:", "答え:",
    "解答:", "正解:", "正答:", "回答:", "정답:", "답:", "答案是", "答えは", "정답은", "Option:", "Choice:", "Letter:", "Selection:",
    "Result:", "Verdict:", "Conclusion:", "Ans:", "Label:", "The best choice is", "The correct option is",
    "The correct alternative is", "The best match is", "The best fit is", "The correct statement is", "My pick is",
    "The right one is", "I choose", "I chose", "I am choosing", "I pick", "I select", "I go with", "I am going with",
    "I went with", "I go for", "I am going for", "I opt for", "I vote for", "I settle on", "I am settling on",
    "I lean toward", "I am leaning toward", "I say", "I bet on", "I conclude", "I guess", "Ich wähle", "Je choisis",
    "Elijo", "Escolho", "Scelgo", "我选", "我選", "The answer would be", "The answer should be", "The answer must be",
    "The answer has to be", "The answer will be", "The answer seems to be", "The answer appears to be",
    "The answer remains", "Die Antwort ist", "Die Antwort lautet", "La réponse est", "La respuesta es",
    "A resposta é", "La risposta è", "Svaret är", "The answer =", "The answer ->", "The answer →", "The answer —",
)  # fmt: skip
INFERENCES = (
    "it must be", "it has to be", "it is", "it's", "that is", "that's", "this is", "which is", "that leaves",
    "leaving", "so", "thus", "therefore", "hence", "consequently", "this matches", "no,", "wait,", "actually",
    "rather,", "this corresponds to", "→", "⇒", "∴",
)  # fmt: skip


def choice(text: str) -> Any:
    """The letter read from a whole answer to a question with four options."""
    options = ["Paris", "London", "Berlin", "Madrid"]
    return result_of(text, Part("ANSWER", "choice", "A", {"options": options})).parts[0].parsed


@pytest.mark.parametrize("words", AROUND_A_LETTER)
def test_a_few_words_around_a_letter_are_an_answer(words: str) -> None:
    assert choice(f"{words} B") == "B"
    assert choice(f"{words} London") == "B"


@pytest.mark.parametrize("words", CUES)
def test_words_that_announce_an_answer(words: str) -> None:
    told = (
        f"There are four cities here, and Paris (A) comes to mind.\n\n{words} C\n\nThat settles the question of them."
    )
    assert choice(told) == "C"


@pytest.mark.parametrize("words", INFERENCES)
def test_words_that_conclude(words: str) -> None:
    assert choice(f"We looked at every city on the list with care, {words} C.") == "C"


@pytest.mark.parametrize(
    "remark",
    [
        "would be accurate", "seems accurate", "appears accurate", "looks accurate", "is accurate", "is true",
        "is valid", "is proper", "is appropriate",
    ],
)  # fmt: skip
def test_what_is_granted_to_another_option_in_passing_is_no_answer(remark: str) -> None:
    assert choice(f"C is correct. Option B {remark}, but it is not relevant here.") == "C"


def test_what_is_granted_to_two_options_in_passing_is_no_answer() -> None:
    assert choice("C is correct. Options A and B seem accurate, but they are not relevant here.") == "C"


@pytest.mark.parametrize("words", ["I would go", "I'd go", "going"])
def test_a_letter_one_goes_is_the_answer(words: str) -> None:
    assert choice(f"{words} B") == "B"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("(identifiable)", "yes"), ("(not identifiable)", "no"), ("the answer (is) (identifiable)", "yes"),
        ("the verdict (as asked) [not identifiable]", "no"),
    ],
)  # fmt: skip
def test_where_nothing_stands_outside_brackets_what_is_inside_counts(text: str, verdict: str) -> None:
    assert read("verdict", text, **YES_NO) == verdict


INLINE = "b strong i em u ins mark small big font span code pre tt kbd var a abbr center cite q"
BLOCKS = (
    "p div section article header footer details summary blockquote ul ol dl li dt dd h1 h2 h3 h4 h5 h6 table thead "
    "tbody tfoot caption tr"
)


@pytest.mark.parametrize("tag", INLINE.split())
def test_a_tag_within_a_line_changes_nothing(tag: str) -> None:
    assert read("number", f"<{tag}>0.42</{tag}>") == "0.42"
    assert read("number", f"it is 0.<{tag}>42</{tag}>") == "0.42"


@pytest.mark.parametrize("tag", BLOCKS.split())
def test_a_block_has_lines_of_its_own(tag: str) -> None:
    first, second = Part("N", "number", "1"), Part("LABEL", "number", "1")
    told = result_of(f"<{tag}>N: 3</{tag}><{tag}>LABEL: 0.42</{tag}>", first, second)
    assert [part.parsed for part in told.parts] == ["3", "0.42"]


@pytest.mark.parametrize("tag", ["<br>", "<br/>", "<hr>"])
def test_a_break_ends_a_line(tag: str) -> None:
    first, second = Part("N", "number", "1"), Part("LABEL", "number", "1")
    assert [part.parsed for part in result_of(f"N: 3{tag}LABEL: 0.42", first, second).parts] == ["3", "0.42"]


@pytest.mark.parametrize(
    "tag", ["answer", "choice", "final", "final_answer", "ans", "option", "selection", "solution", "result"]
)
def test_what_stands_in_answer_tags_is_the_answer(tag: str) -> None:
    assert choice(f"A or B? B is wrong.\n<{tag}>C</{tag}> it is, rather than D") == "C"
    assert choice(f"<{tag.upper()}>Berlin</{tag.upper()}>") == "C"


@pytest.mark.parametrize(
    "right", ["correct", "true", "right", "yes", "valid", "holds", "✓", "✔", "✅", "☑", "Correct."]
)
@pytest.mark.parametrize(
    "wrong",
    [
        "incorrect",
        "false",
        "wrong",
        "no",
        "invalid",
        "not correct",
        "not true",
        "not right",
        "untrue",
        "fails",
        "eliminated",
        "ruled out",
        "isn't correct",
        "isn't right",
        "isn't true",
        "✗",
        "✘",
        "❌",
    ],
)
def test_options_may_be_judged_one_a_line(right: str, wrong: str) -> None:
    assert choice(f"A) Paris: {wrong}\nB) London: {wrong}\nC) Berlin: {right}\nD) Madrid: {wrong}") == "C"
