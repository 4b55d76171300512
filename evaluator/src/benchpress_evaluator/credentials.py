"""Names that stand for a credential, however they are written. Such a field has no place in a configuration."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

_PHRASES = (
    "apikey",
    "accesskey",
    "privatekey",
    "secretkey",
    "signingkey",
    "sshkey",
    "subscriptionkey",
    "clientsecret",
    "appsecret",
    "consumersecret",
    "sharedsecret",
    "apisecret",
    "password",
    "passwd",
    "passphrase",
    "authorization",
    "bearer",
    "credential",
)
"""Found anywhere in a name without its separators."""

_OWNERS = frozenset(
    [
        "access",
        "api",
        "auth",
        "session",
        "id",
        "refresh",
        "bearer",
        "hf",
        "huggingface",
        "hub",
        "github",
        "gh",
        "gitlab",
        "openai",
        "anthropic",
        "google",
        "gemini",
        "azure",
        "aws",
        "cohere",
        "groq",
        "together",
        "mistral",
        "replicate",
        "wandb",
        "personal",
        "service",
        "security",
        "oauth",
        "oauth2",
        "jwt",
        "csrf",
        "login",
    ]
)
"""Before the word `token` these make a credential of it; `pad_token` or `max_tokens` are none."""

_EXACT = frozenset({"auth", "pwd", "pat"})


def is_credential(name: str) -> bool:
    """Whether a field of this name holds a credential.

    Case, separators, camel case and look-alike characters do not matter. `token`, `secret`, `signature` and the like
    alone are ordinary parameters.

    >>> [is_credential(name) for name in ("clientSecret", "X-API Key", "hf_token", "max_tokens", "secret_strength")]
    [True, True, True, False, False]
    """
    plain = unicodedata.normalize("NFKC", name)
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+", " ", plain).lower().split()
    squeezed = "".join(words)
    if squeezed in _EXACT or any(phrase in squeezed for phrase in _PHRASES):
        return True
    owner = squeezed.removesuffix("token")
    return owner != squeezed and (owner in _OWNERS or (words[-1] == "token" and not _OWNERS.isdisjoint(words)))


def names(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every key at any depth, with the way to it."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield (*place, str(name)), str(name)
            yield from names(inner, (*place, str(name)))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from names(inner, (*place, number))
