"""What may be shown of an error: no key, no prompt, one line, and only then cut to length."""

import re
from collections.abc import Iterable

LIMIT = 300
WINDOW = 24
"""So many characters of a prompt in a row are taken for the prompt."""

_CREDENTIALS = re.compile(
    r"\b(?:sk|gsk|xai|pk|key|tok|AIza|AKIA|ASIA)[-_]?[A-Za-z0-9_-]{12,}"
    r"|\bBearer\s+\S+|\bBasic\s+\S+"
    r"|(?<=://)[^/\s@]+@"
    r"|(?i:\b(?:api[-_ ]?key|[a-z_-]*token|secret|password|signature|x-amz-[a-z-]+|authorization)\b[\"']?\s*[=:]\s*)"
    r"[\"']?[^\s\"'&,;)]+"
)


def redact(text: str, secrets: Iterable[str | None] = (), private: Iterable[str] = ()) -> str:
    """`text` on one line without `secrets`, things that look like one, and stretches of the `private` texts."""
    for secret in secrets:
        if secret and len(secret) >= 4:
            text = text.replace(secret, "[key]")
    text = _CREDENTIALS.sub("[key]", " ".join(text.split()))
    for prompt in private:
        text = _without(text, " ".join(prompt.split()))
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"


def _without(text: str, prompt: str) -> str:
    """`text` with every stretch of at least WINDOW characters that `prompt` has too replaced."""
    kept: list[str] = []
    at = 0
    while at < len(text):
        end = at + WINDOW
        if end <= len(text) and text[at:end] in prompt:
            while end < len(text) and text[at : end + 1] in prompt:
                end += 1
            kept.append("[prompt]")
            at = end
        else:
            kept.append(text[at])
            at += 1
    return "".join(kept)
