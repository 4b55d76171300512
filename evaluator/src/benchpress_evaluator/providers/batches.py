"""What a vendor's batch endpoint offers: hand in many requests at once, and fetch the answers hours later."""

from collections.abc import AsyncIterator, Mapping
from typing import Protocol

from benchpress_evaluator.providers.errors import ProviderError
from benchpress_evaluator.records import Completion, Request


class WaitForIt(ProviderError):  # noqa: N818 - not a failure
    """A batch that may be the one looked for has not ended; its id is the message."""


class Batches(Protocol):
    """One entrant's batches at its vendor. Every method raises ProviderError where the vendor cannot be reached."""

    async def submit(self, tag: str, requests: Mapping[str, Request]) -> str:
        """Hand in `requests` by their custom ids, marked with `tag`; returns the vendor's id of the batch."""
        ...

    async def find(self, tag: str, count: int) -> str | None:
        """The batch of `count` requests that was handed in under `tag`, if the vendor has it.

        Whatever of a hand-in that did not succeed is left at the vendor is deleted.
        """
        ...

    async def ended(self, batch: str) -> bool:
        """Whether nothing more will come."""
        ...

    def results(self, batch: str) -> AsyncIterator[tuple[str, Completion]]:
        """Custom id and completion of everything that came back."""
        ...

    async def discard(self, batch: str) -> None:
        """Delete what the vendor keeps of the batch: requests and answers."""
        ...
