"""One smoke call per vendor, where its key is in the environment. It costs a fraction of a cent."""

import os
from pathlib import Path

import pytest
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.probe import probe

LIVE = {
    "anthropic": ("ANTHROPIC_API_KEY", "claude-haiku-5-5", {"max_tokens": 200}),
    "openai": ("OPENAI_API_KEY", "gpt-5-nano", {"max_output_tokens": 1000, "reasoning": {"effort": "low"}}),
    "openai_chat": ("OPENAI_API_KEY", "gpt-5-nano", {"max_completion_tokens": 1000}),
    "google": ("GEMINI_API_KEY", "gemini-2.5-flash", {"max_output_tokens": 1000}),
    "cohere": ("CO_API_KEY", "command-a-03-2025", {"max_tokens": 200}),
    "groq": ("GROQ_API_KEY", "llama-3.3-70b-versatile", {"max_tokens": 200}),
    "together": ("TOGETHER_API_KEY", "meta-llama/Llama-3.3-70B-Instruct-Turbo", {"max_tokens": 200}),
    "bedrock": ("AWS_BEDROCK_LIVE_MODEL", "", {"inferenceConfig": {"maxTokens": 200}}),
    "ollama": ("OLLAMA_LIVE_MODEL", "", {"options": {"num_ctx": 4096, "num_predict": 200}}),
}
"""Provider -> the variable that switches its test on, model and params. An empty model is named by the variable."""


@pytest.mark.parametrize("provider", LIVE)
def test_a_live_call_tells_stop_reason_and_tokens(provider: str, tmp_path: Path) -> None:
    variable, model, params = LIVE[provider]
    if not os.environ.get(variable):
        pytest.skip(f"{variable} is not in the environment")
    entrant = Entrant.model_validate(
        {"id": "live", "provider": provider, "model": model or os.environ[variable], "params": params, "timeout_s": 120}
    )
    (found,) = probe([entrant], os.environ)
    assert found.problem is None
    assert found.completion is not None
    assert found.completion.text
    assert found.completion.stop_reason
    assert found.completion.flags == ()
    assert found.completion.input_tokens
    assert found.completion.output_tokens
