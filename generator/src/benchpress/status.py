"""The status taxonomy: what became of a response."""

from benchpress.items import Response, Status


def classify(response: Response, answered: int, asked: int) -> Status:
    """The status of a response of which `answered` of `asked` parts gave a value."""
    if asked and answered == asked:
        return Status.OK
    if response.stop_reason in ("length", "max_tokens", "MAX_TOKENS"):
        return Status.TRUNCATED
    if response.error:
        return Status.API_ERROR
    return Status.OK if answered else Status.INVALID_ANSWER
