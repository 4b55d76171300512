# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Chosen options in free text. The expected letters are what a careful person would mark; none where that is a guess."""

import pytest
from benchpress.items import Part
from benchpress.parts.choice import at_the_end, in_the_last_line, read_carefully
from benchpress.parts.options import LETTERS, options_of
from hypothesis import given
from hypothesis import strategies as st
from reading import result_of

CITIES = ["Paris", "London", "Berlin", "Madrid"]
TEN = [f"statement {number}" for number in range(1, 11)]
NUMBERS = ["4", "14", "40", "44"]
SIGNED = ["-0.186", "0.186", "0.258"]
HEPATITIS = ["Hepatitis C", "Hepatitis A", "Hepatitis B", "Hepatitis D"]
METALS = ["mercury", "gold", "tin", "None of the above"]
KEYS = ["C major", "A minor", "D minor", "B flat"]
GUILTY = ["Guilty", "Guilty of Romance", "Innocent", "Not Guilty"]
YES = ["Yes", "No", "Cannot be determined", "I do not know"]
SENTENCES = ["The path is blocked.", "The path is open.", "X causes Y.", "Y causes X."]

CASES: list[tuple[str, list[str], str | None]] = [
    *[(text, CITIES, "B") for text in (
        "B", "b", "(B)", "[B]", "B.", "B)", "B:", "b)", " B \n", "\n\nB\n", "'B'", '"B"', "“B”", "**B**", "*B*",
        "__B__", "`B`", "**(B)**", "**B.**", "$B$", r"\boxed{B}", r"$\boxed{B}$", r"\boxed{\text{B}}",
        r"\boxed{(B)}", r"\(\boxed{\mathrm{B}}\)", r"\mathbf{B}", r"\textbf{B}", r"\text{B}", "<b>B</b>",
        "<answer>B</answer>", "<answer>\nB\n</answer>", "<final>B</final>", "<choice>(B)</choice>", "Ｂ", "（Ｂ）",
        "Ⓑ", "𝐁",
        "Answer: B", "answer: b", "ANSWER: B", "Answer:B", "Answer - B", "Answer = B", "Answer B", "**Answer**: B",
        "**Answer: B**", "**Answer:** **B**", "Answer: (B)", "Answer: [B]", "Answer: B.", "Answer: B)",
        "Answer:\nB", "Answer:\n\n**B**", "### Answer\nB", "## Answer: B", "> Answer: B", "- Answer: B",
        "Final answer: B", "Final Answer: **B**", "**Final Answer:** B", "The final answer is B",
        "The final answer is $\\boxed{B}$.", "My answer: B", "My final answer is B.", "Correct answer: B",
        "The correct answer is B.", "The correct answer is (B)", "The correct option is B.",
        "The right choice is B", "The best answer is B.", "The best choice is option (B).",
        "The answer is B", "the answer is: B", "The answer is option B.", "The answer is choice B",
        "The answer is letter B", "The answer would be B.", "The answer should be B", "The answer must be B.",
        "The answer is clearly B.", "The answer is probably B", "The answer is therefore B.",
        "the answer is **B**", "The answer is \"B\".", "The answer is B) London", "The answer is B. London",
        "The answer is B, London.", "The answer is B (London).", "The answer is (B) London",
        "The answer is B: London", "The answer is B – London", "The answer is B—London", "Answer: B. London",
        "Answer: B) London", "Answer: B - London", "**Answer: B) London**", "Answer: London",
        "The answer is London", "The answer is London.", "The correct answer is: London",
        "the answer is **London**", r"\boxed{London}", r"\boxed{\text{London}}", "<answer>London</answer>",
        "London", "london", "London.", "**London**", "\"London\"",
        "B) London", "B. London", "B: London", "B - London", "B – London", "(B) London", "**B) London**",
        "**B. London**", "B London", "Option B", "Option B.", "option (B)", "Choice B", "Option B: London",
        "Option B (London)", "B, because London is in the UK", "B because it is in the UK.",
        "B since London is in the UK", "B. The others are wrong.", "B\n\nLondon is the capital of the UK.",
        "B) London\n\nParis is in France, Berlin in Germany.", "B.\n\nExplanation: A, C and D are not in the UK.",
        "**B**\n\nA is wrong because Paris is in France.",
        "I choose B", "I pick B.", "I select B", "I would choose B.", "I'd go with B.", "I will go with option B",
        "I'm going with B", "Going with B.", "My choice is B", "I opt for B.", "I would say B", "I'd say B.",
        "I select option (B).", "We choose B.", "I choose London.", "So it must be B.", "Therefore, B.", "Thus B.",
        "Hence (B).", "so B", "It is B.", "It's B.", "it must be B", "So the answer is B.", "which is B.",
        "B is correct.", "B is the correct answer.", "Option B is correct", "(B) is correct.", "B is the answer.",
        "Option B is the best choice.", "B is right.", "Option B (London) is correct.",
        "B is the right answer because London is in the UK.", "London is the correct answer.",
        "The capital of the UK is London.", "The city in question is London", "The answer is not A but B.",
        "Not A, the answer is B.", "It is not C. The answer is B.", "A is wrong. B is correct.",
        "A is incorrect, so the answer is B.", "Not A. Not C. The answer is B", "The answer is B, not A.",
        "The answer is B and not C.", "The answer is B, and C is a distractor.", "The answer is B. C is tempting.",
        "The answer is B because A is in France.", "The answer is B. Option A is the capital of France.",
        "A common wrong answer is C. The answer is B.", "The wrong answer is A; the right answer is B.",
        "Answer: A\n\nWait, no.\n\nAnswer: B", "The answer is A. No, actually the answer is B.",
        "I first thought A, but the answer is B.", "Answer: C... Let me check. The answer is B.",
        "The answer is A. Wait, it must be B.", "Initially A seems right, but B is correct.",
        "My first answer was A. The final answer is B.", "Answer: A or B? Answer: B", "A or B... the answer is B.",
        "Let's see: A) Paris is in France. B) London is in the UK. So B.",
        "A. Paris - no\nB. London - yes\nC. Berlin - no\nD. Madrid - no",
        "A: incorrect\nB: correct\nC: incorrect\nD: incorrect",
        "A) Paris ✗\nB) London ✓\nC) Berlin ✗\nD) Madrid ✗",
        "(A) false (France)\n(B) true (UK)\n".replace(" (France)", "").replace(" (UK)", ""),
        "- A: wrong\n- B: right\n- C: wrong\n- D: wrong",
        "A) Paris is in France: incorrect\nB) London is in the UK: correct\nC) Berlin: incorrect",
        "<think>A? Answer: A</think>B", "<think>The answer is A.</think>\n\nThe answer is B.",
        "Let me think.\nParis is in France.\n\nB", "Reasoning about the UK.\n\n**B**",
        "The UK's capital is needed.\n\n(B)", "Some reasoning here.\nFinal: \\boxed{B}",
        "So \\boxed{x = 3} and\n\nAnswer: B", "答案：B", "答案是B。", "答案: (B)", "正确答案是 B", "选B", "故选B。", "正解はB",
        "Antwort: B", "Die Antwort ist B.", "La réponse est B.", "Réponse : B", "La respuesta es B",
        "Respuesta: B", "Ответ: B", "Resposta: B", "La risposta è B.", "정답: B",
        "Answer (letter only): B", "The answer to the question is B.", "The answer to this question is option B.",
        "The answer from the list is B", "Answer: B\n\nConfidence: high", "Answer: B\nI am sure about it.",
        "Answer: B. I computed it.", "The answer is B and I am sure.",
        "If it were about France, the answer would be A. The answer is B.",
        "The answer is B. If it were about France, the answer would be A.",
    )],
    *[(text, CITIES, None) for text in (
        "", "   ", "E", "(E)", "The answer is E.", "Answer: X", "A or B", "A and B", "A, B", "A/B", "A & B",
        "(A) or (B)", "Both A and B", "Both A and B are correct.", "A and B are both correct.", "Either A or B",
        "The answer is A or B.", "Answer: A, B", "Answer: A and B", "Answer: A/B", "The answer is either A or B",
        "The answer is between A and B.", "Answer: B or C", "Answer: AB", "Answer: ABCD", "ABCD", "A B C D",
        "Answer: A B", "I think it is A or C.", "The answer is not A.", "Not A", "It is not B.", "A is wrong.",
        "The answer is neither A nor B.", "The answer isn't A", "A is incorrect.", "Option A is not correct",
        "I'm sorry, but I can't help with that.", "I cannot help with questions about Madrid.",
        "I cannot answer this.", "I don't know.", "I am not sure.", "Answer: unknown", "Answer: $LETTER",
        "Answer: [LETTER]", "Answer: <letter>", "Answer: [A/B/C/D]", "Answer: A/B/C/D", "Answer: (A, B, C or D)",
        "Answer:", "The answer is", "Answer: ...", "A careful look is needed.", "A is for apple",
        "A good question", "Because a car moves.", "This is a hard question.", "Let me think about it.",
        "Answer: Let's think step by step.", "Answer: D'Artagnan", "Answer: C++", "Answer: B-cells",
        "Answer: Athens", "Answer: Rome", "Rome",
        "A) Paris\nB) London\nC) Berlin\nD) Madrid", "A. Paris B. London C. Berlin D. Madrid",
        "Paris and London are both capitals.", "Paris, London", "Paris or London",
        "The answer is Paris or London.", "A) London", "B) Paris", "The answer is A) London.",
        "A: correct\nB: correct\nC: incorrect\nD: incorrect", "All of them", "None",
        "Madrid is nice, but I do not know the answer.", "If it were about France, the answer would be A.",
        "<think>The answer is B.</think>", "<think>The answer is B", "A\nB\nC\nD", "1", "The first one",
        "Compare options A and B first.",
    )],
    *[(text, CITIES, "B") for text in (
        "I think B", "Probably B", "Most likely B.", "Only B", "B, I think", "B (probably)", "By elimination, B.", "we are left with B", "London (B)", "London, option B", "It's London", "London, of course", "London is the capital of the UK.", "London because it is in the UK", "London. It is the capital of the UK.", "The city is London, the capital of the UK.", "The city is London, not Paris.", "Option: B", "Choice: B", "The letter is B", "the answer is b.", "The answer, then, is B.", "Ans: B", "Result: B", "A... no, B.", "The answer is A? No, B.", "Answer: B; C is second best", "If I had to guess, I'd say B.", "Answer: I think B", "\\boxed{B. London}", "\\boxed{\\textbf{(B)}\\ London}", "\\boxed{A} ... \\boxed{B}", '{"answer": "B"}', "Paris? No, London.", "B it is.", "A and B are close, but B is correct.", "It's between A and B; I go with B.", "Answer: B\nReason: A is wrong",
    )],
    *[(text, CITIES, None) for text in (
        "Maybe B", "It might be B.", "Both B", "All but B", "Everything except B", "not A, C or D", "B/London", "Neither Paris nor London", "New London", "\\boxed{A or B}", "\\boxed{AB}", "I can't decide between A and B.", "Consider option B first.", "Option B mentions London.",
    )],
    *[(text, TEN, None) for text in ("I", "I cannot answer this.", "I think this is hard.", "I computed the integral.", "The answer is, I think, hard to say.", "As I said, it depends.", "I am an AI.", "So I cannot say.") if text != "I"],
    ("I", TEN, "I"), ("(I)", TEN, "I"), ("Answer: I", TEN, "I"), ("The answer is I.", TEN, "I"),
    ("Option I", TEN, "I"), ("The answer is (I) because statement 9 holds", TEN, "I"),
    ("The answer is J.", TEN, "J"), ("The answer is C because I computed it.", TEN, "C"),
    ("I think the answer is C.", TEN, "C"), ("I would choose H.", TEN, "H"), ("Answer: G. I am sure.", TEN, "G"),
    ("statement 10", TEN, "J"), ("The answer is statement 1", TEN, "A"), ("The answer is statement 10.", TEN, "J"),
    ("4", NUMBERS, "A"), ("The answer is 14.", NUMBERS, "B"), ("Answer: 44", NUMBERS, "D"), ("40", NUMBERS, "C"),
    ("The answer is 4", NUMBERS, "A"), ("\\boxed{40}", NUMBERS, "C"), ("The answer is 5.", NUMBERS, None),
    ("The answer is 4.5", NUMBERS, None), ("D. 44", NUMBERS, "D"), ("B (14)", NUMBERS, "B"),
    ("The answer is 444", NUMBERS, None), ("Answer: A) 4", NUMBERS, "A"), ("Answer: A) 14", NUMBERS, None),
    ("A. -0.186", SIGNED, "A"), ("B. 0.186", SIGNED, "B"), ("A. 0.186", SIGNED, None), ("B. -0.186", SIGNED, None),
    ("a - -0.186", SIGNED, "A"), ("C - 0.258", SIGNED, "C"), ("A: -0.186", SIGNED, "A"),
    ("Hepatitis B", HEPATITIS, "C"), ("The answer is Hepatitis B.", HEPATITIS, "C"),
    ("The answer is B.", HEPATITIS, "B"), ("Answer: Hepatitis C", HEPATITIS, "A"),
    ("C) Hepatitis B", HEPATITIS, "C"), ("The answer is C) Hepatitis B", HEPATITIS, "C"),
    ("Answer: D. Hepatitis D", HEPATITIS, "D"), ("The answer is A, Hepatitis C", HEPATITIS, "A"),
    ("The answer is B) Hepatitis B", HEPATITIS, None),
    ("None of the above", METALS, "D"), ("none of the above.", METALS, "D"),
    ("Answer: None of the above", METALS, "D"), ("The answer is none of the above.", METALS, "D"),
    ("D. None of the above", METALS, "D"), ("The answer is gold", METALS, "B"), ("Answer: tin", METALS, "C"),
    ("continue", METALS, None),
    ("C major", KEYS, "A"), ("The answer is C major.", KEYS, "A"), ("The answer is B flat.", KEYS, "D"),
    ("Answer: A minor", KEYS, "B"), ("The answer is C.", KEYS, "C"), ("B", KEYS, "B"), ("A) C major", KEYS, "A"),
    ("Guilty of Romance", GUILTY, "B"), ("The answer is Guilty of Romance.", GUILTY, "B"), ("Guilty", GUILTY, "A"),
    ("Not Guilty", GUILTY, "D"), ("Answer: Not Guilty", GUILTY, "D"), ("The answer is Guilty.", GUILTY, "A"),
    ("Yes", YES, "A"), ("No", YES, "B"), ("Answer: No", YES, "B"), ("The answer is no.", YES, "B"),
    ("Cannot be determined", YES, "C"), ("Answer: Cannot be determined", YES, "C"), ("B. No", YES, "B"),
    ("I do not know", YES, "D"),
    ("The path is blocked.", SENTENCES, "A"), ("Answer: The path is open.", SENTENCES, "B"),
    ("The answer is C: X causes Y.", SENTENCES, "C"), ("D. Y causes X.", SENTENCES, "D"),
    ("X causes Y", SENTENCES, "C"), ("B) The path is open. The collider was conditioned on.", SENTENCES, "B"),
    ("A", ["True", "False"], "A"), ("False", ["True", "False"], "B"),
    ("The statement is true.", ["True", "False"], "A"), ("Answer: C", ["True", "False"], None),
    ("Z", [f"option {number}" for number in range(26)], "Z"),
    ("The answer is Z.", [f"option {number}" for number in range(26)], "Z"),
    ("Answer: Q", [f"option {number}" for number in range(26)], "Q"),
    ("same", ["same", "same", "other"], None), ("The answer is same", ["same", "same", "other"], None),
    ("The answer is other", ["same", "same", "other"], "C"), ("B", ["same", "same", "other"], "B"),
    ("B", ["B", "A", "C"], None), ("The answer is C.", ["B", "A", "C"], "C"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "letter"), CASES)
def test_the_chosen_option_is_read_or_left_open(text: str, options: list[str], letter: str | None) -> None:
    assert result_of(text, Part("ANSWER", "choice", "A", {"options": options})).parts[0].parsed == letter


def test_another_label_is_a_cue_too() -> None:
    part = Part("PICK", "choice", "B", {"options": CITIES})
    assert result_of("PICK: b", part).parts[0].parsed == "B"
    assert result_of("**PICK:** (C)", part).parts[0].parsed == "C"


def test_among_other_parts_only_its_own_label_counts() -> None:
    choice = Part("CITY", "choice", "B", {"options": CITIES})
    number = Part("N", "number", "1")
    result = result_of("The answer is A.\nN: 3\nCITY: B) London", number, choice)
    assert [part.parsed for part in result.parts] == ["3", "B"]
    assert result_of("The answer is A.\nN: 3", number, choice).parts[1].parsed is None
    assert (
        result_of("N: 3\nCITY: \u0421", number, choice).parts[1].parsed == "C"
    )  # the Cyrillic letter that looks alike


WORDS = st.sampled_from(
    [
        "A", "B", "C", "D", "E", "(B)", "**C**", "Answer:", "The answer is", "not", "or", "and", "\n", "\n\n", ".",
        "Paris", "London", "because", "I", "a", "B)", "correct", "is", "so", "wait", "-",
    ]
)  # fmt: skip


@given(st.lists(WORDS, max_size=12))
def test_the_short_way_and_the_careful_way_agree(words: list[str]) -> None:
    text = " ".join(words)
    options = options_of(tuple(CITIES))
    careful = read_carefully(text, "ANSWER", options).value
    for quick in (at_the_end(text, options), in_the_last_line(text, "ANSWER", options)):
        assert quick is None or quick.value == careful


@given(st.text(max_size=200), st.integers(2, 26))
def test_any_text_is_read_without_exception_and_within_range(text: str, count: int) -> None:
    part = Part("ANSWER", "choice", "A", {"options": [f"option {number}" for number in range(count)]})
    letter = result_of(text, part).parts[0].parsed
    assert letter is None or letter in LETTERS[:count]


TEXTS = st.one_of(
    st.decimals(-50, 50, places=2).map(str),
    st.integers(-999, 999).map(str),
    st.sampled_from(["Paris", "carbon dioxide", "x = -1", "-x", "{Z, W}", "A -> B", "Yes", "none of the above", "1/2"]),
)
FORMS = (
    "{letter}. {text}", "{letter}) {text}", "({letter}) {text}", "**{letter}. {text}**", "{letter}: {text}",
    "Answer: {letter}. {text}", "The answer is {letter}) {text}", "The correct option is **{letter}) {text}**.",
    "Both are close.\n\n{letter}. {text}", "\\boxed{{{letter}}}", "The answer is {letter}.",
)  # fmt: skip


@given(st.lists(TEXTS, min_size=2, max_size=6, unique_by=lambda text: text.lstrip("0-").casefold()), st.data())
def test_a_letter_with_its_own_text_is_read_in_every_form(texts: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(texts) - 1))
    form = data.draw(st.sampled_from(FORMS))
    answer = form.format(letter=LETTERS[place], text=texts[place])
    part = Part("ANSWER", "choice", "A", {"options": texts})
    assert result_of(answer, part).parts[0].parsed == LETTERS[place]
