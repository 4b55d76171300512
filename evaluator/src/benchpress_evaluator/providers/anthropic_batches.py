"""Anthropic's Message Batches."""

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from benchpress_evaluator.providers.batches import WaitForIt
from benchpress_evaluator.providers.errors import ConfigurationError, ProviderError
from benchpress_evaluator.providers.http_errors import answer_of_refusal
from benchpress_evaluator.providers.stainless import attempt, error_in_body, message_of
from benchpress_evaluator.records import Completion, Request

if TYPE_CHECKING:
    from benchpress_evaluator.providers.anthropic import Anthropic

NOTHING = Request(())


class AnthropicBatches:
    """Custom ids start with the tag, which is how a batch is found again."""

    def __init__(self, provider: "Anthropic", client: Any) -> None:
        self._provider = provider
        self._batches = client.messages.batches
        self._key = provider.settings.api_key

    async def _ask(self, send: Any) -> Any:
        import anthropic

        found = await attempt(anthropic, send, object, NOTHING, self._key)
        if isinstance(found, Completion):
            raise ConfigurationError(f"the vendor refused the batch: {found.flags[0]}")
        return found

    async def submit(self, tag: str, requests: Mapping[str, Request]) -> str:  # noqa: ARG002 - it is in the custom ids
        entries = [
            {"custom_id": custom, "params": self._provider.plain_body(request)} for custom, request in requests.items()
        ]
        found = await self._ask(lambda: self._batches.create(requests=entries))
        return str(found.id)

    async def find(self, tag: str, count: int) -> str | None:
        async def candidates() -> list[Any]:
            return [batch async for batch in self._batches.list(limit=100)]

        for batch in await self._ask(candidates):
            counts = batch.request_counts
            total = counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
            if total != count:
                continue
            if batch.processing_status != "ended":
                # The vendor tells custom ids only at the end; a batch of the same size is waited for, not bought twice.
                raise WaitForIt(str(batch.id))
            async for custom, _ in self.results(batch.id):
                if custom.startswith(tag):
                    return str(batch.id)
                break
        return None

    async def ended(self, batch: str) -> bool:
        found = await self._ask(lambda: self._batches.retrieve(batch))
        return bool(found.processing_status == "ended")

    async def results(self, batch: str) -> AsyncIterator[tuple[str, Completion]]:
        import anthropic

        stream = await self._ask(lambda: self._batches.results(batch))
        try:
            async for entry in stream:
                yield entry.custom_id, self._read(entry.result)
        except anthropic.APIError as problem:
            raise ProviderError(f"the results broke off: {type(problem).__name__}") from None

    def _read(self, result: Any) -> Completion:
        if result.type == "succeeded":
            try:
                return self._provider.read(result.message, NOTHING, None)
            except ProviderError as problem:
                return Completion(None, error=str(problem))
        if result.type == "errored":
            error = result.error.to_dict()
            kind = error.get("error", {}).get("type")
            answer = answer_of_refusal(400, message_of(error)) if kind == "invalid_request_error" else None
            return answer or Completion(None, error=str(error_in_body(error, NOTHING, self._key)))
        return Completion(None, error=f"the batch request was {result.type}")

    async def discard(self, batch: str) -> None:
        try:
            await self._ask(lambda: self._batches.delete(batch))
        except ConfigurationError as problem:
            if problem.status != 404:
                raise
