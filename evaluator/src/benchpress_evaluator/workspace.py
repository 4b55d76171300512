"""Where a version's files are, and the item set that a command works on: sealed, or a public file."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.jsonl import read_items
from benchpress.recipe import Recipe, recipe_of

from benchpress_evaluator.entrants import workspace
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.json_text import parse_json
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.register import Register
from benchpress_evaluator.storage import MissingError, Storage, open_storage
from benchpress_evaluator.vault.age import Keys, needs_passphrase
from benchpress_evaluator.vault.identities import find_identities
from benchpress_evaluator.vault.passphrases import passphrase_from_user
from benchpress_evaluator.vault.sealed import Sealed, open_sealed

PRIVATE = "private"
PUBLIC_RUNS = "runs"


def sealed_name(version: str) -> str:
    return f"{version}.age"


def commitment_name(version: str) -> str:
    return f"{version}.commitment.json"


def metadata_name(version: str) -> str:
    return f"{version}.metadata.json"


def scored_name(version: str) -> str:
    return f"{version}/scored.bin"


@dataclass(frozen=True, slots=True)
class ItemSet:
    """What a command works on: items under one version name, with the place and key of its journal."""

    version: str
    items: tuple[Item, ...] = field(repr=False)
    storage: Storage
    data_key: bytes | None = field(repr=False)
    """None for a public file, whose journal is kept in clear."""
    commitment: Mapping[str, Any] | None = None
    recipe: Recipe | None = None

    @property
    def sealed(self) -> bool:
        return self.data_key is not None

    @property
    def root(self) -> str | None:
        return None if self.commitment is None else self.commitment.get("root")

    @property
    def methods(self) -> tuple[MethodChoice, ...]:
        """The methods that the recipe fixed; direct for a public file."""
        return tuple(MethodChoice(name) for name in (self.recipe.methods if self.recipe else ("direct",)))

    def journal(self) -> Journal:
        return Journal.open(self.storage, f"{self.version}/journal", self.data_key)

    def register(self) -> Register:
        return Register(self.storage, f"{self.version}/runs.json", self.version, self.root)


def store_of(place: str | None, default: str = PRIVATE) -> Storage:
    """The storage at `place`, a folder or s3:// address; by default a folder of the workspace."""
    return open_storage(place if place is not None else workspace() / default)


@dataclass(frozen=True, slots=True)
class Stored:
    """A version of a store: the sealed file, the commitment, or both are there."""

    version: str
    sealed: bool
    committed: bool


def versions_of(storage: Storage) -> list[Stored]:
    """Every version of which a store has anything at all, in order of their names."""
    names = storage.names("")
    sealed, committed = (
        {name.removesuffix(suffix) for name in names if name.endswith(suffix)}
        for suffix in (sealed_name(""), commitment_name(""))
    )
    return [Stored(version, version in sealed, version in committed) for version in sorted(sealed | committed)]


def read_commitment(storage: Storage, version: str) -> dict[str, Any]:
    """The public commitment of a version. Raises UserError where it is missing or no JSON."""
    name = commitment_name(version)
    try:
        value = parse_json(storage.read(name))
    except MissingError:
        raise UserError(
            f"no version {version!r}: {storage.locate(name)} does not exist; `benchpress seal` makes one"
        ) from None
    except ValueError:
        raise UserError(f"{storage.locate(name)} is not valid JSON; restore it from where it was published") from None
    if not isinstance(value, dict):
        raise UserError(f"{storage.locate(name)} is not a commitment; restore it from where it was published")
    return value


def keys_for(storage: Storage, name: str, identity_files: Sequence[Path] = ()) -> Keys:
    """What may open the sealed file: identities that are at hand, or its passphrase where it has one."""
    if needs_passphrase(storage.read(name)):
        return Keys(passphrase=passphrase_from_user(f"of {name}"))
    return Keys(identities=find_identities(identity_files))


def open_file(
    version: str, storage: Storage, commitment: Mapping[str, Any], identity_files: Sequence[Path] = ()
) -> tuple[Sealed, Keys]:
    """The sealed file of a version, checked against its commitment, and what opened it. Raises UserError."""
    name = sealed_name(version)
    try:
        keys = keys_for(storage, name, identity_files)
    except MissingError:
        raise UserError(f"the sealed file {storage.locate(name)} is missing; restore it from a copy") from None
    return open_sealed(storage, name, keys, commitment), keys


def open_version(version: str, place: str | None = None, identity_files: Sequence[Path] = ()) -> ItemSet:
    """A sealed version, opened and checked against its commitment. Raises UserError."""
    storage = store_of(place)
    commitment = read_commitment(storage, version)
    opened = open_file(version, storage, commitment, identity_files)[0]
    recipe = None if opened.recipe is None else recipe_of(dict(opened.recipe), f"recipe of {version}")
    return ItemSet(version, opened.items, storage, opened.data_key, commitment, recipe)


def open_public(path: Path, place: str | None = None) -> ItemSet:
    """A public item file. Its version name holds a digest of the items, so answers stay with exactly these items."""
    items = tuple(read_items(path))
    if not items:
        raise UserError(f"{path} holds no items")
    sha = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    stem = "".join(letter if letter.isalnum() else "-" for letter in path.stem.lower()).strip("-") or "items"
    return ItemSet(f"public-{stem[:40]}-{sha}", items, store_of(place, PUBLIC_RUNS), None)


def open_set(
    version: str | None, items: Path | None, place: str | None, identity_files: Sequence[Path] = ()
) -> ItemSet:
    """The one of the two that was named. Raises UserError unless exactly one was."""
    if (version is None) == (items is None):
        raise UserError("name either a sealed version or a public file with --items F.jsonl")
    return open_public(items, place) if items is not None else open_version(str(version), place, identity_files)
