"""The sealed file: what stands inside the age envelope, and opening it against the public commitment."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from benchpress.canonical import canonical_bytes
from benchpress.commitment import (
    bundle_counts,
    check_commitment,
    effective_secret,
    leaf_hashes,
    seed_commitment,
    tree_root,
)
from benchpress.errors import UserError
from benchpress.items import Item

from benchpress_evaluator.json_text import parse_json
from benchpress_evaluator.storage import Storage
from benchpress_evaluator.vault.age import Keys, Recipient, unlock
from benchpress_evaluator.vault.derive import hkdf

FORMAT = "benchpress.sealed/1"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sealed:
    """A version as its sealed file holds it. Before the items are drawn, `lines` is empty and `recipe` None.

    `secret` is revealed when the version retires; `data_secret` never is, so that a reveal opens no journal.
    Nothing private is in the representation, so none of it reaches a traceback.
    """

    version: str
    secret: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    data_secret: bytes = field(repr=False)
    beacon: Mapping[str, Any] | None
    """Public randomness: its source, the time at which it appears and, once known, its value."""
    recipients: tuple[Recipient, ...] = field(repr=False)
    """Who can open the file; none where it is locked with a passphrase."""
    recipe: Mapping[str, Any] | None = field(default=None, repr=False)
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)
    lines: tuple[bytes, ...] = field(default=(), repr=False)
    """The canonical item lines, without newlines."""

    @property
    def effective(self) -> bytes:
        """The secret that items are drawn from. Raises UserError while the public value is still to come."""
        if self.beacon is None:
            return self.secret
        if self.beacon.get("value") is None:
            raise UserError(
                f"{self.version} waits for the public value of {self.beacon.get('source')} at "
                f"{self.beacon.get('time')}; complete it with that value first"
            )
        return effective_secret(self.secret, self.beacon["value"])

    @property
    def seed_commit(self) -> str:
        return seed_commitment(self.salt, self.secret)

    @property
    def data_key(self) -> bytes:
        """The key of this version's journal and caches; no other version's."""
        return hkdf(self.data_secret, bytes.fromhex(self.seed_commit), b"benchpress.data/1 " + self.version.encode())

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(Item.from_json(json.loads(line)) for line in self.lines)

    @property
    def leaves(self) -> list[bytes]:
        return leaf_hashes(self.effective, self.lines)


def pack(sealed: Sealed) -> bytes:
    """What is put into the age file: a header line, then the item lines."""
    header = {
        "format": FORMAT,
        "version": sealed.version,
        "secret": sealed.secret.hex(),
        "salt": sealed.salt.hex(),
        "data_secret": sealed.data_secret.hex(),
        "beacon": None if sealed.beacon is None else dict(sealed.beacon),
        "recipients": [recipient.to_json() for recipient in sealed.recipients],
        "recipe": None if sealed.recipe is None else dict(sealed.recipe),
        "metadata": dict(sealed.metadata),
        "items": len(sealed.lines),
    }
    return b"".join(line + b"\n" for line in (canonical_bytes(header), *sealed.lines))


def unpack(plain: bytes, where: str) -> Sealed:
    """Raises UserError where the content is no sealed version."""
    first, *lines = plain.split(b"\n")
    try:
        header = parse_json(first)
        # One way of writing leaves no room for a repeated key, a float or half a surrogate pair.
        if header["format"] != FORMAT or canonical_bytes(header) != first:
            raise ValueError
        sealed = Sealed(
            version=_of(str, header["version"]),
            secret=_key(header["secret"]),
            salt=_key(header["salt"]),
            data_secret=_key(header["data_secret"]),
            beacon=_beacon(header["beacon"]),
            recipients=tuple(Recipient.from_json(entry) for entry in header["recipients"]),
            recipe=None if header["recipe"] is None else _of(dict, header["recipe"]),
            metadata=_of(dict, header["metadata"]),
            lines=tuple(lines[:-1]),
        )
        complete = lines[-1:] == [b""] and header["items"] == len(sealed.lines)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(f"{where} opens, but holds no sealed version ({FORMAT}); check which file it is") from None
    if not complete:
        raise UserError(f"{where} opens, but is not complete; restore it from a backup")
    return sealed


def _of(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind):
        raise TypeError
    return value


def _beacon(value: Any) -> Mapping[str, Any] | None:
    if value is not None and not isinstance(value.get("value"), str | None):
        raise TypeError
    return None if value is None else _of(dict, value)


def _key(text: str) -> bytes:
    key = bytes.fromhex(text)
    if len(key) != 32:
        raise ValueError
    return key


def open_sealed(storage: Storage, name: str, keys: Keys, commitment: Mapping[str, Any]) -> Sealed:
    """The version in the sealed file `name`, found to be the committed one.

    age authenticates nobody, so whoever can write the file could have put another there: version, seed commitment,
    public randomness, recipe and the root over all item lines must be those of the public commitment. Raises UserError
    naming what differs.
    """
    where = storage.locate(name)
    check_commitment(commitment)
    sealed = unpack(unlock(storage.read(name), where, keys), where)
    different = differences(sealed, commitment)
    if different:
        raise UserError(
            f"{where} is not what was committed: {'; '.join(different)}; restore the file that belongs to it"
        )
    return sealed


def differences(sealed: Sealed, commitment: Mapping[str, Any]) -> list[str]:
    """In what a sealed version differs from its commitment, in words without anything private."""
    if sealed.version != commitment["version"]:
        return [f"it holds version {sealed.version!r}, the commitment is for {commitment['version']!r}"]
    if sealed.seed_commit != commitment["seed_commit"]:
        return ["its secret is another one than was committed (seed commitment)"]
    if commitment["stage"] == "seed":
        return ["the commitment is of the seed only"] if sealed.lines else []
    if sealed.beacon != commitment.get("beacon"):
        return ["its public randomness (beacon) is another"]
    if sealed.recipe is None or not sealed.lines:
        return ["its items are missing"]
    found = []
    if canonical_bytes(sealed.recipe) != canonical_bytes(commitment["recipe"]):
        found.append("its recipe is another")
    if len(sealed.lines) != commitment["items"]:
        found.append(f"it has {len(sealed.lines)} items instead of {commitment['items']}")
    if tree_root(sealed.leaves).hex() != commitment["root"]:
        found.append("its items are others (root of the tree)")
    elif bundle_counts(sealed.lines) != commitment["bundles"]:
        found.append("the commitment's counts per bundle are not those of its items")
    return found


def canonical_lines(items: Sequence[Item]) -> tuple[bytes, ...]:
    """The canonical line of each item."""
    return tuple(canonical_bytes(item.to_json()) for item in items)
