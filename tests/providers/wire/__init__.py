"""Vendors' wire formats as loopback servers speak them: one honest fake a vendor.

Each checks that a request is what the vendor accepts, and writes answers and errors as the vendor does. Token counts
are chosen so that a wrong inclusion rule shows: 100 input tokens of which 30 come from a cache, and 50 generated of
which 20 were thinking.
"""

from wire import anthropic, bedrock, cohere, google, ollama, openai_chat, openai_responses
from wire.base import Wire

WIRES: dict[str, Wire] = {
    wire.provider: wire
    for wire in (
        anthropic.WIRE,
        openai_responses.WIRE,
        openai_chat.WIRE,
        google.WIRE,
        cohere.WIRE,
        ollama.WIRE,
        bedrock.WIRE,
    )
}
