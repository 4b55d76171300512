"""The life of a version: drawing its secret, sealing its items, revealing it at the end.

One step: `draw`, make the items from `draft.effective`, `complete`. Two steps: `draw` with a public source of
randomness that speaks later, publish `seed_document`; then `with_beacon`, make the items, `complete`.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchpress.canonical import canonical_bytes
from benchpress.commitment import (
    COMMITMENT_FORMAT,
    SECRET_SIZE,
    VERSION_NAME,
    Release,
    Reveal,
    bundle_counts,
    canary,
    later,
    tree_root,
)
from benchpress.errors import UserError
from benchpress.items import Item

from benchpress_evaluator.storage import Storage
from benchpress_evaluator.vault.age import Recipient, check_recipients, lock, lock_with_passphrase
from benchpress_evaluator.vault.sealed import Sealed, differences, pack

Document = dict[str, Any]
DIGESTS = ("scorer", "prompts", "run_policy")


def draw(
    version: str,
    recipients: Sequence[Recipient],
    *,
    beacon: tuple[str, str] | None = None,
    published_secret: bytes | None = None,
) -> Sealed:
    """A version with a fresh secret of 256 bits and no items yet.

    `recipients` is empty for a throw-away version under a passphrase. `beacon` is the source of public randomness and
    the time at which it will speak. `published_secret` is for public versions only. Raises UserError.
    """
    if not VERSION_NAME.fullmatch(version):
        raise UserError(f"{version!r} is no version name: use lower-case letters, digits, '-' and '.', as in causal-v1")
    if recipients:
        check_recipients(recipients)
    if published_secret is not None and len(published_secret) != SECRET_SIZE:
        raise UserError(f"a published secret has {SECRET_SIZE} bytes, this one {len(published_secret)}")
    return Sealed(
        version=version,
        secret=published_secret or secrets.token_bytes(SECRET_SIZE),
        salt=secrets.token_bytes(SECRET_SIZE),
        data_secret=secrets.token_bytes(SECRET_SIZE),
        beacon=None if beacon is None else {"source": beacon[0], "time": beacon[1], "value": None},
        recipients=tuple(recipients),
    )


def seed_document(draft: Sealed, time: str) -> Document:
    """The public commitment to the secret alone, at `time` (ISO 8601, UTC).

    Raises UserError where the public value would come no later than that.
    """
    if draft.beacon is not None and not later(draft.beacon["time"], time):
        raise UserError(
            f"the public value of {draft.beacon['time']} is not later than the commitment at {time}; name a later one "
            "(ISO 8601 with zone, such as 2027-01-31T12:00:00Z)"
        )
    return {
        "format": COMMITMENT_FORMAT,
        "version": draft.version,
        "stage": "seed",
        "seed_commit": draft.seed_commit,
        "seed_time": time,
        "beacon": None if draft.beacon is None else dict(draft.beacon),
    }


def with_beacon(draft: Sealed, value: str) -> Sealed:
    """The draft with the public value that was waited for, written exactly as its source publishes it."""
    if draft.beacon is None or draft.beacon.get("value") is not None or not value.strip():
        raise UserError(f"{draft.version} does not wait for a public value, or the value is empty")
    return replace(draft, beacon={**draft.beacon, "value": value.strip()})


def complete(
    draft: Sealed,
    seed: Mapping[str, Any],
    recipe: Mapping[str, Any],
    lines: Sequence[bytes],
    metadata: Mapping[str, Any],
    *,
    release: Release,
    digests: Mapping[str, str],
    time: str,
) -> tuple[Sealed, Document]:
    """The sealed version and its public commitment.

    `seed` is the published seed document, `lines` the canonical item lines made from `draft.effective`, `digests` at
    least those of scorer, prompts and run policy. A recipe whose margins would together tell of too few of these items
    is refused. Raises UserError.
    """
    if not lines or len(set(lines)) < len(lines):
        raise UserError(f"{draft.version} has no items, or one of them twice; mend the recipe")
    missing = [name for name in DIGESTS if name not in digests]
    if missing:
        raise UserError(f"the commitment lacks the digest of {', '.join(missing)}")
    hindrance = ["it has its items already"] if draft.lines else differences(draft, seed) or _other_beacon(draft, seed)
    if hindrance:
        raise UserError(f"{draft.version} cannot be completed: {'; '.join(hindrance)}")
    _refuse_narrow(draft.version, recipe, lines)
    if draft.beacon is not None and not later(time, draft.beacon["time"]):
        raise UserError(f"the public value of {draft.beacon['time']} cannot be known yet at {time}; wait for it")
    sealed = replace(draft, recipe=dict(recipe), metadata=dict(metadata), lines=tuple(lines))
    document = {
        **seed,
        "stage": "items",
        "beacon": None if sealed.beacon is None else dict(sealed.beacon),
        "root": tree_root(sealed.leaves).hex(),
        "items": len(lines),
        "bundles": bundle_counts(lines),
        "recipe": dict(recipe),
        "release": release.to_json(),
        "digests": dict(digests),
        "time": time,
    }
    try:
        canonical_bytes(document)
        pack(sealed)
    except (ValueError, TypeError) as problem:
        raise UserError(f"recipe or metadata of {draft.version} cannot be committed: {problem}") from None
    return sealed, document


def _refuse_narrow(version: str, recipe: Mapping[str, Any], lines: Sequence[bytes]) -> None:
    """The rank check, over the items as they are; a recipe without margins publishes none."""
    if "margins" not in recipe:
        return
    from benchpress_evaluator.publishing.figures import places_of_items, refuse_narrow

    places = places_of_items(Item.from_json(json.loads(line)) for line in lines)
    refuse_narrow(version, places, recipe["margins"], track=recipe["module"])


def _other_beacon(draft: Sealed, seed: Mapping[str, Any]) -> list[str]:
    ours, published = ({**(beacon or {}), "value": None} for beacon in (draft.beacon, seed.get("beacon")))
    return [] if ours == published else ["its source of public randomness is not the one in the seed commitment"]


def store(
    storage: Storage, name: str, sealed: Sealed, *, passphrase: str | None = None, expected: str | None = None
) -> None:
    """Write the sealed file for its recipients, or for a passphrase where it has none.

    `expected` is the tag of the file that it replaces; a file that is there already is never overwritten unknowingly.
    """
    plain = pack(sealed)
    if sealed.recipients:
        data = lock(plain, sealed.recipients)
    elif passphrase:
        data = lock_with_passphrase(plain, passphrase)
    else:
        raise UserError(f"{sealed.version} has neither recipients nor a passphrase; name one of them")
    storage.write(name, data, expected=expected)


def reveal(sealed: Sealed, time: str) -> Document:
    """The public document by which anybody makes the version again: its privacy ends here, on purpose.

    The key of the journal is not in it.
    """
    if not sealed.lines:
        raise UserError(f"{sealed.version} has no items: there is nothing to reveal")
    return Reveal(
        version=sealed.version,
        secret=sealed.secret.hex(),
        salt=sealed.salt.hex(),
        canary=canary(sealed.secret),
        beacon=sealed.beacon,
        leaves=[leaf.hex() for leaf in sealed.leaves],
        time=time,
    ).to_json()
