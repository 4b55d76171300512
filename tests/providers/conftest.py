"""One real language model for the whole session."""

import asyncio
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from benchpress_evaluator.providers.base import Settings
from benchpress_evaluator.providers.local import Local


@pytest.fixture(scope="session")
def llama() -> Iterator[str]:
    """The address of a llama.cpp server with a small real model, four slots."""
    if find_spec("xllamacpp") is None:
        pytest.skip("no engine for local models: install benchpress-evaluator[local]")
    settings = Settings("llama", "smollm2-135m-instruct", {"context": 2048, "slots": 4})
    provider = Local(settings)
    asyncio.run(provider.start())
    server = provider._server
    assert server is not None
    yield str(provider._client.base_url).removesuffix("/v1/")
    server.stop()
