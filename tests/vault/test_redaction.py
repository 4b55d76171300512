"""What is shown of an error where it quotes a prompt, in whatever form."""

import base64
import html
import json

import pytest
from benchpress_evaluator.redaction import LIMIT, QUOTES, fault, redact

PROMPT = (
    "A furniture chain examines the visits to its web shop.\n\n"
    "- shelf position is directly affected by margin.\n| click rate | 3 | 11 |\nWhat is the total effect?"
)


@pytest.mark.parametrize(
    "quoted",
    [
        PROMPT,
        json.dumps(PROMPT),
        json.dumps(json.dumps(PROMPT)),
        html.escape(PROMPT),
        PROMPT[:40],
        PROMPT.upper()[:30] + PROMPT[30:],
        PROMPT.replace(" ", "  \n"),
        repr(PROMPT),
        "x" * LIMIT + PROMPT,
    ],
)
def test_a_message_that_quotes_the_prompt_is_not_shown(quoted: str) -> None:
    assert redact(f"invalid value: {quoted} is wrong", (), [PROMPT]) == QUOTES


@pytest.mark.parametrize("quoted", ["click rate | 3 | 11", "CLICK RATE, 3, 11", "3 | 11 |\\nWhat is"])
def test_four_words_of_it_are_left_out(quoted: str) -> None:
    shown = redact(f"bad token in {quoted} here", (), [PROMPT])
    assert shown == "bad token in [prompt] here"


def test_what_is_encoded_is_left_out() -> None:
    for encoded in (base64.b64encode(PROMPT.encode()).decode(), PROMPT.encode().hex()):
        assert redact(f"body {encoded} end", (), [PROMPT]) == "body [data] end"


@pytest.mark.parametrize(
    "plain",
    [
        "model claude-sonnet-4-5-20250929 does not exist (request req_011CSHoEeqs5C35K2UUqR7Fy)",
        "the total number of tokens is over the limit of 200000",
        "connection failed: ConnectError",
    ],
)
def test_ordinary_messages_are_shown(plain: str) -> None:
    assert redact(plain, (), [PROMPT]) == plain


def test_long_messages_take_no_long_time() -> None:
    assert len(redact("word " * 200_000, (), [PROMPT * 20])) == LIMIT


def test_a_fault_is_shown_by_kind_and_place() -> None:
    try:
        raise ValueError(PROMPT)
    except ValueError as problem:
        shown = fault(problem)
    assert shown.startswith("ValueError at test_redaction.py:")
    assert fault(KeyError(PROMPT)) == "KeyError"
