"""Private files beside the journal, such as scored caches: encrypted whole under a version's data key."""

import secrets

from benchpress.errors import UserError
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from benchpress_evaluator.storage import Storage
from benchpress_evaluator.vault.derive import hkdf

MAGIC = b"benchpress.file1"
HEADER = 16 + 32
PURPOSE = b"benchpress.file/1"


def write_encrypted(storage: Storage, name: str, data_key: bytes, data: bytes) -> None:
    """Write or replace the file `name`. Its key belongs to this writing alone; its name is bound into it."""
    header = MAGIC + secrets.token_bytes(32)
    cipher = AESGCM(hkdf(data_key, header[16:], PURPOSE))
    sealed = header + cipher.encrypt(bytes(12), data, header + name.encode())
    found = storage.read_tagged(name)
    storage.write(name, sealed, expected=found[1] if found else None)


def read_encrypted(storage: Storage, name: str, data_key: bytes) -> bytes:
    """The content. Raises UserError where the file is missing or anything about it was changed."""
    stored, where = storage.read(name), storage.locate(name)
    if len(stored) < HEADER + 16 or not stored.startswith(MAGIC):
        raise UserError(f"{where} is no encrypted file, or is cut short; delete it and run the command that makes it")
    cipher = AESGCM(hkdf(data_key, stored[16:HEADER], PURPOSE))
    try:
        return cipher.decrypt(bytes(12), stored[HEADER:], stored[:HEADER] + name.encode())
    except InvalidTag:
        raise UserError(
            f"{where} fails authentication: it was changed, swapped with another file, or is of another version; "
            "delete it and run the command that makes it"
        ) from None
