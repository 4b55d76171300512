"""What every vendor's fake offers."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from fake_http import Reply, Seen

KEY = "test-key-0123456789"


class Wire:
    """One vendor's wire format."""

    provider: ClassVar[str]
    model: ClassVar[str] = "model-1"
    params: ClassVar[Mapping[str, Any]] = {}
    keys: ClassVar[Mapping[str, str]] = {}
    base_path: ClassVar[str] = ""
    """What follows the server's address in the entrant's base_url."""
    prompt_was_blocked: ClassVar[bool] = False

    def problem(self, seen: Seen) -> Reply | None:
        """The vendor's error for a request that it does not accept."""
        raise NotImplementedError

    def prompt(self, seen: Seen) -> str:
        """The text of the last user turn."""
        raise NotImplementedError

    def success(self, text: str) -> Reply:
        raise NotImplementedError

    def thinking(self, text: str) -> Reply:
        raise NotImplementedError

    def refusal(self) -> Reply | None:
        """The model declines; None where the vendor has no such value."""
        raise NotImplementedError

    def filtered(self) -> Reply | None:
        """A filter stops the answer."""
        raise NotImplementedError

    def cut(self, text: str | None) -> Reply:
        """The output cap was reached, with or without visible text."""
        raise NotImplementedError

    def empty(self) -> Reply:
        """A normal end without any text."""
        raise NotImplementedError

    def unknown_stop(self, text: str) -> Reply:
        """A stop value from the future."""
        raise NotImplementedError

    def too_long(self) -> Reply:
        """The prompt does not fit the context."""
        raise NotImplementedError

    def error(self, status: int, message: str, **headers: str) -> Reply:
        raise NotImplementedError

    def daily_quota(self) -> Reply:
        raise NotImplementedError

    def error_in_200(self) -> Reply:
        reply = self.error(500, "internal failure")
        return replace(reply, status=200)

    def served(self, seen: Seen, reply: Reply) -> Reply:
        """`reply`, if the request is one that the vendor accepts."""
        return self.problem(seen) or reply


def as_json(value: Any, status: int = 200, **headers: str) -> Reply:
    return Reply(
        json.dumps(value).encode(),
        status,
        {"Content-Type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}},
    )
