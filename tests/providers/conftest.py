"""A real language model."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import pytest
from benchpress_evaluator.providers.base import Settings
from benchpress_evaluator.providers.local import Local


@contextmanager
def serving(slots: int) -> Iterator[str]:
    if find_spec("xllamacpp") is None:
        pytest.skip("no engine for local models: install benchpress-evaluator[local]")
    settings = Settings("llama", "smollm2-135m-instruct", {"context": 2048, "slots": slots})
    provider = Local(settings)
    asyncio.run(provider.start())
    server = provider._server
    assert server is not None
    yield str(provider._client.base_url).removesuffix("/v1/")
    server.stop()


@pytest.fixture(scope="session")
def llama() -> Iterator[str]:
    """The address of a llama.cpp server with a small real model, four slots."""
    with serving(4) as address:
        yield address


@pytest.fixture
def llama_alone() -> Iterator[str]:
    """The same model with one slot, so that an answer depends on its question alone."""
    with serving(1) as address:
        yield address
