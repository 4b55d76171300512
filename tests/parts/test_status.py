# ruff: noqa: E501 - an answer stays on one line, as it is read
"""What became of a response. The expected statuses follow the rules in docs/answers.md, the first that fits."""

from typing import Any

import pytest
from benchpress.items import Part, Status
from reading import YES_NO, result_of

ESTIMATE = Part("ESTIMATE", "number", "0.42", {"tolerance": "0.01"})
VERDICT = Part("IDENTIFIABLE", "verdict", "yes", YES_NO)
NODES = Part("ADJUSTMENT_SET", "node_set", ["A", "B"], {"universe": ["A", "B", "C", "D"]})
EDGES = Part("EDGES", "edges", [["A", "B"]], {"universe": ["A", "B", "C", "D"]})
FULL = "ESTIMATE: 0.42\nIDENTIFIABLE: yes"
HALF = "IDENTIFIABLE: yes"
PROSE = "Summing over the two strata gives 0.3 times"

OK, REFUSAL, INVALID, CUT, ERROR = Status.OK, Status.REFUSAL, Status.INVALID_ANSWER, Status.TRUNCATED, Status.API_ERROR

CASES: list[tuple[str | None, str | None, Status]] = [
    *[(FULL, reason, OK) for reason in (None, "", "stop", "end_turn", "STOP", "COMPLETE", "eos", "eos_token", "stop_sequence", "length", "max_tokens", "MAX_TOKENS", "content_filter", "SAFETY", "error", "tool_calls", "something new")],
    *[(PROSE, reason, CUT) for reason in ("length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length", "max_length", "MODEL_LENGTH", "model_context_window_exceeded", "context_window_exceeded", "context_length_exceeded", "max_completion_tokens", "token_limit", "ERROR_LIMIT", "max_new_tokens", "LENGTH", "truncated", "Max Tokens", "max-tokens")],
    *[(HALF, reason, CUT) for reason in ("length", "max_tokens")], *[("", reason, CUT) for reason in ("length", "max_tokens")], *[(None, reason, CUT) for reason in ("length",)], ("I'm sorry, but I can't help with that.", "length", CUT), ("<think>Two strata", "max_tokens", CUT),
    *[("", reason, REFUSAL) for reason in ("refusal", "content_filter", "content_filtered", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "guardrail_intervened", "ERROR_TOXIC", "safety", "moderation", "IMAGE_SAFETY", "content-filter", "blocked", "sensitive", "policy_violation")],
    (HALF, "content_filter", REFUSAL), (PROSE, "refusal", REFUSAL), (None, "SAFETY", REFUSAL),
    *[("", reason, ERROR) for reason in ("error", "insufficient_system_resource", "network_error", "server_error", "timeout", "overloaded", "failed", "rate_limit", "cancelled", "aborted", "api_error")], (HALF, "error", ERROR), (None, "error", ERROR),
    *[(text, reason, ERROR) for reason in (None, "stop") for text in (
        "Error code: 429 - {'error': {'message': 'Rate limit reached'}}", '{"error": {"message": "overloaded", "type": "server_error"}}', '{"type":"error","error":{"type":"overloaded_error"}}', "Internal Server Error", "500 Internal Server Error", "502 Bad Gateway", "503 Service Unavailable", "504 Gateway Time-out", "HTTP 429 Too Many Requests", "Error: connection reset", "error: timeout", "Request timed out.", "Connection error.", "upstream connect error or disconnect/reset before headers", "Rate limit exceeded", "The server had an error while processing your request.", "The model is overloaded. Please try again later.", "<html><head><title>502 Bad Gateway</title></head></html>", "APIError: internal", "API Error: 529 overloaded", "Overloaded", "An error occurred while processing the request", "Traceback (most recent call last):\n  File", "You exceeded your current quota, please check your plan", "[ERROR] no response", "Service unavailable", "Bad gateway", "rate_limit_error: slow down")],
    ("<think>Two strata. The first has weight", None, CUT), ("<think>ESTIMATE: 0.5\nIDENTIFIABLE: no", None, CUT),
    ("<thinking>half a thought", "", CUT), (f"{HALF}\n<think>and now", None, CUT),
    ("<|channel|>analysis<|message|>Two strata", None, CUT), ("<think>Two strata", "stop", INVALID),
    (HALF, "stop", OK), (HALF, None, OK), ("ESTIMATE: 0.42\nIDENTIFIABLE: N/A", "stop", OK),
    ("The effect cannot be identified from observational data.\nIDENTIFIABLE: no\nESTIMATE: N/A", "stop", OK),
    ("I'm sorry for the length.\nIDENTIFIABLE: yes", "stop", OK),
    ("Error analysis first.\nIDENTIFIABLE: yes", "stop", OK),
    *[(text, "stop", REFUSAL) for text in (
        "I'm sorry, but I can't help with that.", "I’m sorry, but I can’t assist with that request.", "I cannot assist with this request.", "I can't help with this.", "Sorry, I can't do that.", "I am unable to help with this request.", "I'm not able to assist with that.", "I won't help with this.", "I will not answer this question.", "I must decline this request.", "**I must decline.** It could be misused.", "I have to decline.", "I respectfully decline to answer.", "I refuse to answer.", "I decline to participate.", "As an AI language model, I cannot provide medical advice.", "As an AI, I am not able to provide answers of this kind.", "I apologize, but I cannot fulfill this request.", "I can't comply with that.", "Unfortunately, I cannot help with this.", "I'm not comfortable answering this.", "I'm unable to comply with this request.", "This request violates my guidelines.", "This goes against my programming guidelines.", "I cannot continue with this conversation.", "I can’t continue with this.", "My guidelines prevent it; I can't engage with this topic.", "<think>Should I?</think>I can't help with that.", "I can't help with that.\n\nESTIMATE: <number>\nIDENTIFIABLE: <yes|no>", "I can't help with that.\nESTIMATE: N/A\nIDENTIFIABLE: N/A", "I'm sorry, I can't provide an answer to this request.", "I can't discuss that.", "I am not going to answer that.", "Es tut mir leid, aber dabei kann ich nicht helfen.", "Lo siento, no puedo ayudar con eso.", "Je suis désolé, mais je ne peux pas vous aider.", "抱歉，我无法回答这个问题。", "> I cannot help with that request.")],
    *[(text, "stop", INVALID) for text in (
        "", "   \n\t", "\u200b\n", "...", "The effect cannot be identified.", "The estimate cannot be computed from these data.", "It is impossible to say.", "The graph does not allow this.", PROSE, "ESTIMATE: <number>\nIDENTIFIABLE: <yes|no>", "ESTIMATE:\nIDENTIFIABLE:", "0.42", "The answer is 0.42 and yes.", "yes", "Hello! How can I help you today?", "Sure, I can help with that.", "I can help with that. First, note that", "<tool_call>{\"name\": \"python\"}</tool_call>", "<think>ESTIMATE: 0.42\nIDENTIFIABLE: yes</think>", "The adjustment cannot help with that path.", "We cannot condition on C because it is a collider.", "I cannot determine the effect from these data.", "I am not able to identify a unique set because the graph is ambiguous.", "Z cannot assist in blocking the path.", "The policy variable violates the assumption.", '"I can\'t help with that" is what the label says.', "ESTIMATE: N/A\nIDENTIFIABLE: N/A", "The standard error is large in this case.", "Sorry for the confusion earlier; the path is open.")],
    (None, "stop", INVALID), (None, None, INVALID), ("", None, INVALID), (PROSE, None, INVALID),
    ("", "OTHER", INVALID), ("", "tool_calls", INVALID),
]  # fmt: skip


@pytest.mark.parametrize(("text", "reason", "status"), CASES)
def test_the_first_rule_that_fits_gives_the_status(text: str | None, reason: str | None, status: Status) -> None:
    assert result_of(text, ESTIMATE, VERDICT, stop_reason=reason).status is status


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("IDENTIFIABLE: yes\nESTIMATE: 0.", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
        ("IDENTIFIABLE: yes\nESTIMATE: -", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
        ("IDENTIFIABLE: yes\nESTIMATE: \\frac{1}{", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
        ("IDENTIFIABLE: yes\nESTIMATE: 3/", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
        ("IDENTIFIABLE: yes\nESTIMATE: 0.7 - 0.28 =", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
        ("IDENTIFIABLE: yes\nESTIMATE: 1.5e", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
        ("IDENTIFIABLE: yes\nESTIMATE:", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
        ("IDENTIFIABLE: yes\nESTIM", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
        ("ESTIMATE: 0.42\nIDENTIFIABLE: y", {"ESTIMATE": "0.42", "IDENTIFIABLE": None}),
        ("ESTIMATE: 0.42\nIDENTIFIABLE:", {"ESTIMATE": "0.42", "IDENTIFIABLE": None}),
        ("ESTIMATE: 0.40\nIDENTIFIABLE: yes\n\nESTIMATE: 0.", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ],
)  # fmt: skip
def test_a_value_that_the_cut_may_have_shortened_is_none(text: str, values: dict[str, Any]) -> None:
    result = result_of(text, ESTIMATE, VERDICT, stop_reason="length")
    assert {part.id: part.parsed for part in result.parts} == values
    assert result.status is Status.TRUNCATED


@pytest.mark.parametrize(
    ("text", "nodes", "edges"),
    [
        ("EDGES: A -> B\nADJUSTMENT_SET: {A, ", None, [["A", "B"]]),
        ("EDGES: A -> B\nADJUSTMENT_SET: {A, B", None, [["A", "B"]]),
        ("EDGES: A -> B\nADJUSTMENT_SET: {A, B}", ["A", "B"], [["A", "B"]]),
        ("EDGES: A -> B\nADJUSTMENT_SET: A,", None, [["A", "B"]]),
        ("ADJUSTMENT_SET: {A, B}\nEDGES: A -> B, B ->", ["A", "B"], None),
        ("ADJUSTMENT_SET: {A, B}\nEDGES: A -> B, B -> C", ["A", "B"], None),
        ("ADJUSTMENT_SET: {A, B}\nEDGES: A -> B.", ["A", "B"], [["A", "B"]]),
        ("ADJUSTMENT_SET: {A, B}\nEDGES:\n- A -> B\n- B", ["A", "B"], None),
        ("ADJUSTMENT_SET: {A, B}\nEDGES: {A -> B}\n\nThis is bec", ["A", "B"], [["A", "B"]]),
        ('{"ADJUSTMENT_SET": ["A", "B"], "EDGES": [["A", "B"], ["B"', ["A", "B"], None),
    ],
)  # fmt: skip
def test_a_list_that_the_cut_may_have_shortened_is_none(text: str, nodes: Any, edges: Any) -> None:
    result = result_of(text, NODES, EDGES, stop_reason="max_tokens")
    assert [part.parsed for part in result.parts] == [nodes, edges]
    assert result.status is (Status.OK if nodes is not None and edges is not None else Status.TRUNCATED)


def test_parts_given_before_a_cut_are_still_scored() -> None:
    result = result_of("ESTIMATE: 0.42\nand then", ESTIMATE, VERDICT, stop_reason="length")
    assert [part.correct for part in result.parts] == [True, False]
    assert result.status is Status.TRUNCATED
    assert not result.correct


def test_an_error_without_a_text_is_an_api_error() -> None:
    assert result_of(None, ESTIMATE, error="HTTP 529").status is Status.API_ERROR
    assert result_of("ESTIMATE: 0.42", ESTIMATE, error="stream closed").status is Status.OK


@pytest.mark.parametrize(
    ("spent", "allowed", "status"), [(100, 100, CUT), (99, 100, INVALID), (None, 100, INVALID), (100, None, INVALID)]
)
def test_a_text_that_used_up_its_tokens_was_cut(spent: int | None, allowed: int | None, status: Status) -> None:
    assert result_of(PROSE, ESTIMATE, stop_reason="stop", output_tokens=spent, max_tokens=allowed).status is status
