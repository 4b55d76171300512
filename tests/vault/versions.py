"""A small version for tests: a toy generator, its recipe, and the ceremony around it."""

import hashlib
from collections.abc import Mapping
from typing import Any

from benchpress.canonical import canonical_bytes
from benchpress.commitment import Release
from benchpress_evaluator.vault.age import Recipient
from benchpress_evaluator.vault.ceremony import complete, draw, seed_document, with_beacon
from benchpress_evaluator.vault.identities import Identity, new_identity, parse_identities
from benchpress_evaluator.vault.sealed import Sealed

RELEASE = Release("benchpress-generator", "0.1.0", "ab" * 32)
DIGESTS = {"scorer": "01" * 32, "prompts": "02" * 32, "run_policy": "03" * 32}
RECIPE: dict[str, Any] = {"module": "toy", "items": 7, "run_policy": {"retries": 3, "headline": 0}}
SEEDED, SEALED, REVEALED = "2027-01-01T00:00:00Z", "2027-01-01T01:00:00Z", "2028-01-01T00:00:00Z"
BEACON = ("drand quicknet, round 20000000", "2027-01-01T00:30:00Z")


def toy_items(effective: bytes, version: str, recipe: Mapping[str, Any]) -> list[bytes]:
    """Canonical item lines that depend on secret, version and place."""
    return [
        canonical_bytes(
            {
                "schema": "benchpress.item/1",
                "id": f"toy-{index}",
                "module": "toy",
                "bundle": ("chain", "fork")[index % 2],
                "variant": "base",
                "level": 4,
                "params": {"number": hashlib.sha256(effective + f"{version} {index}".encode()).hexdigest()},
                "prompt": f"PROMPT-CANARY {index}",
                "parts": [{"id": "N", "type": "number", "gold": "KEY-CANARY", "params": {}, "skills": []}],
                "verification": [],
            }
        )
        for index in range(recipe["items"])
    ]


def person(name: str, *, recovery: bool = False) -> tuple[Recipient, Identity]:
    """Somebody with a key of their own."""
    private, public = new_identity()
    (identity,) = parse_identities(private.encode(), f"{name}'s file")
    return Recipient(name, public, recovery), identity


ALICE, ALICE_KEY = person("alice")
SAFE, SAFE_KEY = person("recovery, in the safe", recovery=True)


def make_version(
    version: str = "toy-v1", *, beacon: str | None = None, recipients: tuple[Recipient, ...] = (ALICE, SAFE)
) -> tuple[Sealed, dict[str, Any]]:
    """A sealed version with its commitment."""
    draft = draw(version, recipients, beacon=None if beacon is None else BEACON)
    seed = seed_document(draft, SEEDED)
    if beacon is not None:
        draft = with_beacon(draft, beacon)
    lines = toy_items(draft.effective, version, RECIPE)
    return complete(draft, seed, RECIPE, lines, {"refusals": {}}, release=RELEASE, digests=DIGESTS, time=SEALED)
