"""The age format (age-encryption.org/v1): who can open a file, locking it, unlocking it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyrage
from benchpress.errors import UserError

from benchpress_evaluator.vault.identities import Identity
from benchpress_evaluator.vault.passphrases import TOO_SLOW, passphrase_from_user, unlock_with_passphrase

PASSPHRASE_STANZA = b"-> scrypt "


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody who can open a sealed file. `key` is age1... or an ssh public key; a recovery key is kept offline."""

    name: str
    key: str
    recovery: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "key": self.key, "recovery": self.recovery}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Recipient":
        return cls(value["name"], value["key"], value["recovery"])


@dataclass(frozen=True, slots=True)
class Keys:
    """What a file may be opened with. Without a passphrase, one is asked for where a file needs it."""

    identities: tuple[Identity, ...] = ()
    passphrase: str | None = field(default=None, repr=False)


def parse_recipient(key: str) -> Any:
    """The public key in pyrage's form. Raises UserError."""
    try:
        if key.startswith("ssh-"):
            return pyrage.ssh.Recipient.from_str(key)
        return pyrage.x25519.Recipient.from_str(key)
    except pyrage.RecipientError as problem:
        raise UserError(f"{key[:24]!r} is no recipient ({problem}); use age1... or an ssh public key") from None


def read_recipients(path: Path) -> tuple[Recipient, ...]:
    """The recipients of a file that `age -R` reads too: a key a line, after a comment line with its holder's name.

    A name that starts with the word `recovery` marks the offline key. Raises UserError.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise UserError(f"cannot read recipients from {path}: {problem}") from None
    found, name = [], ""
    for number, line in enumerate(map(str.strip, lines), 1):
        if line.startswith("#"):
            name = line.lstrip("# ")
        elif line:
            if not name:
                raise UserError(f"{path}, line {number}: put a comment line with the holder's name before this key")
            parse_recipient(line)
            found.append(Recipient(name, line, name.lower().split()[0].rstrip(",:") == "recovery"))
            name = ""
    return tuple(found)


def check_recipients(recipients: Sequence[Recipient]) -> None:
    """Raises UserError unless there are two different keys or more, one of them a recovery key."""
    keys = [recipient.key for recipient in recipients]
    names = [recipient.name for recipient in recipients]
    if len(set(keys)) < len(keys) or len(set(names)) < len(names):
        raise UserError("a recipient is listed twice; list every key and every name once")
    if len(keys) < 2 or not any(recipient.recovery for recipient in recipients):
        raise UserError(
            "a sealed version needs two recipients or more, one of them a recovery key that is kept offline; "
            "or seal a throw-away version with a passphrase alone"
        )
    for key in keys:
        parse_recipient(key)


def lock(plain: bytes, recipients: Sequence[Recipient]) -> bytes:
    """An age file for `recipients`."""
    check_recipients(recipients)
    return bytes(pyrage.encrypt(plain, [parse_recipient(recipient.key) for recipient in recipients]))


def lock_with_passphrase(plain: bytes, passphrase: str) -> bytes:
    """An age file for a passphrase alone. Takes seconds: the format makes guessing slow."""
    if not passphrase:
        raise UserError("the passphrase is empty; choose one of several random words")
    return bytes(pyrage.passphrase.encrypt(plain, passphrase))


def needs_passphrase(data: bytes) -> bool:
    """Whether an age file is locked with a passphrase."""
    return PASSPHRASE_STANZA in data[:64]


def unlock(data: bytes, where: str, keys: Keys) -> bytes:
    """The content of an age file. Raises UserError with what is wrong and what to do."""
    try:
        if needs_passphrase(data):
            return unlock_with_passphrase(data, keys.passphrase or passphrase_from_user(f"for {where}"))
        if not keys.identities:
            raise UserError(
                f"{where} needs a key: name an identity file, or set BENCHPRESS_IDENTITY_FILE, BENCHPRESS_IDENTITY or "
                "BENCHPRESS_IDENTITY_KMS"
            )
        return bytes(pyrage.decrypt(data, [identity.key for identity in keys.identities]))
    except pyrage.DecryptError as problem:
        raise UserError(_explain(data, where, keys, str(problem))) from None


def _explain(data: bytes, where: str, keys: Keys, problem: str) -> str:
    if not data.startswith(b"age-encryption.org/v1\n"):
        return f"{where} is no age file; restore it from a backup"
    if problem == "No matching keys found":
        names = ", ".join(identity.source for identity in keys.identities)
        return f"{where} is not sealed for any of the keys given ({names}); use the key of one of its recipients"
    if needs_passphrase(data) and problem == "Decryption failed":
        return f"wrong passphrase for {where}; try again, or see that BENCHPRESS_PASSPHRASE is right"
    if TOO_SLOW in problem:
        return (
            f"this machine is too busy or too slow now to open {where} with its passphrase; try again when it is quiet"
        )
    return f"{where} is damaged ({problem}); restore it from a backup"
