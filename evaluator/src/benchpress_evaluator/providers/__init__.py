"""One file a vendor: how a request is put on the wire and what the response says, field by field.

A provider is a class like :class:`benchpress_evaluator.providers.base.Provider`. Nothing here is imported before an
entrant uses it, and scoring never does.
"""

from typing import Any

from benchpress.registry import Registry

PROVIDERS: Registry[Any] = Registry(
    "benchpress.providers",
    "provider",
    {
        "anthropic": "benchpress_evaluator.providers.anthropic:Anthropic",
        "openai": "benchpress_evaluator.providers.openai:OpenAIResponses",
        "openai_chat": "benchpress_evaluator.providers.openai_compatible:OpenAIChat",
        "openai_compatible": "benchpress_evaluator.providers.openai_compatible:OpenAICompatible",
        "groq": "benchpress_evaluator.providers.openai_compatible:Groq",
        "together": "benchpress_evaluator.providers.openai_compatible:Together",
        "vllm": "benchpress_evaluator.providers.openai_compatible:VLLM",
        "google": "benchpress_evaluator.providers.google:Google",
        "cohere": "benchpress_evaluator.providers.cohere:Cohere",
        "ollama": "benchpress_evaluator.providers.ollama:Ollama",
        "bedrock": "benchpress_evaluator.providers.bedrock:Bedrock",
        "local": "benchpress_evaluator.providers.local:Local",
        "transformers": "benchpress_evaluator.providers.transformers:Transformers",
        "reference": "benchpress_evaluator.providers.reference:Reference",
        "dummy": "benchpress_evaluator.providers.dummy:Dummy",
    },
    needs=("complete",),
)
