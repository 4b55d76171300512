"""The kinds of failure of a call; what the runner does about each is decided by its kind alone."""


class ProviderError(Exception):
    """A call without an answer. The message is safe to show: no key, no prompt."""

    status: int | None = None
    """The HTTP status, where there was one."""


class RetryableError(ProviderError):
    """Worth trying again: rate limits, overload, server faults, broken connections, unreadable bodies.

    `retry_after` is what the vendor asked for in seconds; `overloaded` says that fewer calls at a time would help;
    `billed` that the vendor may have answered, and charge for it, though nothing of it arrived; `unreachable` that no
    connection could be made at all.
    """

    def __init__(
        self,
        message: str,
        retry_after: float | None = None,
        overloaded: bool = False,
        billed: bool = False,
        unreachable: bool = False,
    ) -> None:
        super().__init__(message)
        self.unreachable = unreachable
        self.billed = billed
        self.retry_after = retry_after
        self.overloaded = overloaded


class ConfigurationError(ProviderError):
    """400, 401, 403, 404, 422 and the like: this entrant cannot work as it is configured."""


class QuotaError(ProviderError):
    """A daily or monetary limit is used up: this entrant has to stop for now."""
