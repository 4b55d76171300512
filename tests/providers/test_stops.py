"""Every stop value that a vendor's SDK lists has a meaning here, and scoring reads it the same way."""

from typing import Any, get_args

import pytest
from benchpress.grading import grade_item
from benchpress.items import Item, Part, Response, Status
from benchpress_evaluator.providers import PROVIDERS
from benchpress_evaluator.providers.base import Stop

ITEM = Item("i", "m", "b", "base", 1, {}, "?", (Part("N", "number", "1", {"tolerance": "0"}),))


def literals(annotation: Any) -> set[str]:
    """Every string in a Literal, however deep in unions it stands."""
    found = {value for value in get_args(annotation) if isinstance(value, str)}
    return found.union(*(literals(inner) for inner in get_args(annotation) if not isinstance(inner, str)))


def anthropic_values() -> set[str]:
    from anthropic.types import StopReason

    return literals(StopReason)


def chat_values() -> set[str]:
    from openai.types.chat.chat_completion import Choice

    return literals(Choice.model_fields["finish_reason"].annotation)


def responses_values() -> set[str]:
    from openai.types.responses import Response as OpenAIResponse
    from openai.types.responses.response import IncompleteDetails

    return literals(OpenAIResponse.model_fields["status"].annotation) | literals(
        IncompleteDetails.model_fields["reason"].annotation
    )


def google_values() -> set[str]:
    from google.genai import types

    return {reason.value for reason in types.FinishReason} | {
        f"PROMPT_BLOCKED_{reason.value}" for reason in types.BlockedReason
    }


def cohere_values() -> set[str]:
    from cohere.types import ChatFinishReason

    return literals(ChatFinishReason)


def bedrock_values() -> set[str]:
    import botocore.session

    model = botocore.session.get_session().get_service_model("bedrock-runtime")
    return set(model.operation_model("Converse").output_shape.members["stopReason"].enum)


LISTED = {
    "anthropic": anthropic_values,
    "openai_chat": chat_values,
    "openai_compatible": chat_values,
    "openai": responses_values,
    "google": google_values,
    "cohere": cohere_values,
    "bedrock": bedrock_values,
}


@pytest.mark.parametrize("provider", LISTED)
def test_the_sdk_lists_no_stop_value_that_is_unknown_here(provider: str) -> None:
    listed = LISTED[provider]()
    assert len(listed) >= 5
    assert listed - set(PROVIDERS.get(provider).stops) == set()


MEANINGS = {
    Stop.DONE: Status.INVALID_ANSWER,
    Stop.ODD: Status.INVALID_ANSWER,
    Stop.CUT: Status.TRUNCATED,
    Stop.DECLINED: Status.REFUSAL,
}


@pytest.mark.parametrize("provider", [*LISTED, "ollama", "local", "groq"])
def test_an_unanswered_item_gets_the_status_that_its_stop_value_means(provider: str) -> None:
    stops = PROVIDERS.get(provider).stops
    # A value that means a failure of the service never becomes a completion.
    told = {value: meaning for value, meaning in stops.items() if meaning is not Stop.FAILED}
    found = {value: grade_item(ITEM, Response("i", "", value)).status for value in told}
    assert found == {value: MEANINGS[meaning] for value, meaning in told.items()}
