"""Who can open a sealed version: adding somebody, rotating everybody, and the drill that proves each key works."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchpress.errors import UserError

from benchpress_evaluator.storage import Storage
from benchpress_evaluator.vault.age import Keys, Recipient, check_recipients
from benchpress_evaluator.vault.ceremony import store
from benchpress_evaluator.vault.sealed import Sealed, open_sealed

NO_REVOCATION = (
    "copies of the old file still open with the old keys: if a holder left or a key leaked, retire this version and "
    "seal a new one"
)


Change = Callable[[tuple[Recipient, ...]], tuple[Recipient, ...]]


@dataclass(frozen=True, slots=True)
class Drill:
    """Whether one recipient was proved able to open the file; `opened` is None where no key of theirs was given."""

    recipient: Recipient
    opened: bool | None
    note: str


def add_recipients(
    storage: Storage, name: str, keys: Keys, commitment: Mapping[str, Any], new: Sequence[Recipient]
) -> Sealed:
    """Let further recipients open the file, besides those it has. Raises UserError."""

    def extend(had: tuple[Recipient, ...]) -> tuple[Recipient, ...]:
        if not had:
            raise UserError(f"{storage.locate(name)} has a passphrase alone; rotate it to recipients instead")
        return (*had, *new)

    return _rewrap(storage, name, keys, commitment, extend)


def rotate(
    storage: Storage, name: str, keys: Keys, commitment: Mapping[str, Any], recipients: Sequence[Recipient]
) -> Sealed:
    """Seal the same content for `recipients` instead. It does not revoke copies, see NO_REVOCATION."""
    return _rewrap(storage, name, keys, commitment, lambda _: tuple(recipients))


def _rewrap(storage: Storage, name: str, keys: Keys, commitment: Mapping[str, Any], change: Change) -> Sealed:
    found = storage.read_tagged(name)
    sealed = open_sealed(storage, name, keys, commitment)
    changed = replace(sealed, recipients=change(sealed.recipients))
    check_recipients(changed.recipients)
    store(storage, name, changed, expected=found[1] if found else None)
    return changed


def drill(storage: Storage, name: str, keys: Keys, commitment: Mapping[str, Any]) -> list[Drill]:
    """Open the file with every key alone and say which recipients that proves. Raises UserError where none opens it.

    An offline recovery key is proved by its holder, who runs the drill with that key alone.
    """
    problems: dict[str, str] = {}
    opened: Sealed | None = None
    for identity in keys.identities:
        try:
            opened = open_sealed(storage, name, Keys((identity,)), commitment)
            problems[_bare(identity.public)] = ""
        except UserError as problem:
            problems[_bare(identity.public)] = str(problem)
    if opened is None:
        raise UserError(next(iter(problems.values()), f"no key was given to open {storage.locate(name)} with"))
    results = []
    for recipient in opened.recipients:
        problem_found = problems.get(_bare(recipient.key))
        if problem_found is None:
            results.append(Drill(recipient, None, "no key of this recipient was given: let its holder run the drill"))
        else:
            results.append(Drill(recipient, not problem_found, problem_found or "opens the version as committed"))
    return results


def _bare(public: str) -> str:
    """A public key without the comment at the end of an ssh key."""
    return " ".join(public.split()[:2])
