"""OpenAI's Batch API over the Responses endpoint: a file goes in, a file of answers comes out."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from benchpress_evaluator.json_text import parse_json
from benchpress_evaluator.providers.errors import ConfigurationError, ProviderError
from benchpress_evaluator.providers.http_errors import answer_of_refusal, status_error
from benchpress_evaluator.providers.stainless import attempt, message_of
from benchpress_evaluator.records import Completion, Request

if TYPE_CHECKING:
    from benchpress_evaluator.providers.openai import OpenAIResponses

NOTHING = Request(())
MARK = "benchpress"
"""The name of the batch's metadata entry that holds the tag."""

ENDED = frozenset({"completed", "failed", "expired", "cancelled"})


class OpenAIBatches:
    """The tag is in the batch's metadata and in the name of its file."""

    def __init__(self, provider: "OpenAIResponses", client: Any) -> None:
        self._provider = provider
        self._client = client
        self._key = provider.settings.api_key

    async def _ask(self, send: Any) -> Any:
        import openai

        found = await attempt(openai, send, object, NOTHING, self._key)
        if isinstance(found, Completion):
            raise ConfigurationError(f"the vendor refused the batch: {found.flags[0]}")
        return found

    async def submit(self, tag: str, requests: Mapping[str, Request]) -> str:
        lines = [
            json.dumps(
                {"custom_id": custom, "method": "POST", "url": "/v1/responses", "body": self._provider.plain_body(one)}
            )
            for custom, one in requests.items()
        ]
        data = ("\n".join(lines) + "\n").encode()
        file = await self._ask(lambda: self._client.files.create(file=(f"{tag}.jsonl", data), purpose="batch"))
        found = await self._ask(
            lambda: self._client.batches.create(
                input_file_id=file.id, endpoint="/v1/responses", completion_window="24h", metadata={MARK: tag}
            )
        )
        return str(found.id)

    async def find(self, tag: str, count: int) -> str | None:  # noqa: ARG002 - the tag alone tells
        async def batches() -> list[Any]:
            return [batch async for batch in self._client.batches.list(limit=100)]

        async def files() -> list[Any]:
            return [file async for file in self._client.files.list(purpose="batch")]

        for batch in await self._ask(batches):
            if (batch.metadata or {}).get(MARK) == tag:
                return str(batch.id)
        for file in await self._ask(files):
            if file.filename == f"{tag}.jsonl":
                await self._delete(file.id)
        return None

    async def ended(self, batch: str) -> bool:
        found = await self._ask(lambda: self._client.batches.retrieve(batch))
        if found.status == "failed":
            reasons = "; ".join(str(error.message) for error in (found.errors.data if found.errors else None) or ())
            raise ConfigurationError(f"the vendor refused the batch: {reasons or 'no reason given'}")
        return found.status in ENDED

    async def results(self, batch: str) -> AsyncIterator[tuple[str, Completion]]:
        found = await self._ask(lambda: self._client.batches.retrieve(batch))
        for name in (found.output_file_id, found.error_file_id):
            if name is None:
                continue
            content = await self._ask(lambda name=name: self._client.files.content(name))
            # Not `splitlines`: an answer may hold other line ends, which JSON does not escape.
            for line in content.text.split("\n"):
                if line.strip() and (result := self.result_of(line)) is not None:
                    yield result

    def result_of(self, line: str) -> tuple[str, Completion] | None:
        """Custom id and completion in one line of a file of results; None where it cannot be told whose it is."""
        try:
            value = parse_json(line)
            custom = value["custom_id"]
        except (ValueError, KeyError, TypeError):
            return None
        try:
            return str(custom), self._read(value)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as problem:
            return str(custom), Completion(None, error=f"unreadable result: {type(problem).__name__}")

    def _read(self, value: Mapping[str, Any]) -> Completion:
        from openai.types.responses import Response

        response, error = value.get("response"), value.get("error")
        if response is None:
            return Completion(None, error=f"the batch request failed: {message_of(error)}"[:300])
        body, status = response.get("body") or {}, int(response.get("status_code") or 500)
        if status >= 400:
            message = message_of(body)
            answer = answer_of_refusal(status, message)
            return answer or Completion(None, error=str(status_error(status, message, {}, NOTHING, self._key)))
        try:
            return self._provider.read(Response.construct(**body), NOTHING, response.get("request_id"))
        except ProviderError as problem:
            return Completion(None, error=str(problem))

    async def discard(self, batch: str) -> None:
        found = await self._ask(lambda: self._client.batches.retrieve(batch))
        for name in (found.input_file_id, found.output_file_id, found.error_file_id):
            if name is not None:
                await self._delete(name)

    async def _delete(self, file: str) -> None:
        try:
            await self._ask(lambda: self._client.files.delete(file))
        except ConfigurationError as problem:
            if problem.status != 404:
                raise
