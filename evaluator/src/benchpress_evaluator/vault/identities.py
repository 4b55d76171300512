"""Private keys: from files, from the environment, from AWS KMS; and passphrases. None of them is ever an argument."""

import base64
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyrage
from benchpress.errors import UserError

from benchpress_evaluator.json_text import parse_json
from benchpress_evaluator.storage import open_storage
from benchpress_evaluator.vault.passphrases import TOO_SLOW, passphrase_from_user, unlock_with_passphrase

KMS_FORMAT = "benchpress.kms-identity/1"
KMS_CONTEXT = {"purpose": "benchpress-identity"}


@dataclass(frozen=True, slots=True)
class Identity:
    """A private key that opens age files; `public` is the recipient it belongs to, `source` where it came from."""

    public: str
    source: str
    key: Any = field(repr=False)


def new_identity() -> tuple[str, str]:
    """A fresh X25519 identity: the private text, to be kept in a file or in KMS, and its recipient."""
    made = pyrage.x25519.Identity.generate()
    return str(made), str(made.to_public())


def find_identities(files: Sequence[Path] = (), environment: Mapping[str, str] = os.environ) -> tuple[Identity, ...]:
    """Every identity in `files` and in the three environment variables. Raises UserError where one is unreadable.

    BENCHPRESS_IDENTITY holds the text itself, BENCHPRESS_IDENTITY_FILE a path, BENCHPRESS_IDENTITY_KMS a path or
    s3:// address of an identity that AWS KMS decrypts.
    """
    found: list[Identity] = []
    named = [environment["BENCHPRESS_IDENTITY_FILE"]] if environment.get("BENCHPRESS_IDENTITY_FILE") else []
    for path in (*files, *map(Path, named)):
        try:
            found.extend(parse_identities(path.read_bytes(), str(path)))
        except OSError as problem:
            raise UserError(f"cannot read the identity file {path}: {problem.strerror or problem}") from None
    if text := environment.get("BENCHPRESS_IDENTITY"):
        found.extend(parse_identities(text.encode(), "BENCHPRESS_IDENTITY"))
    if place := environment.get("BENCHPRESS_IDENTITY_KMS"):
        folder, _, name = place.rpartition("/")
        data = open_storage(folder or ".").read(name)
        found.extend(parse_identities(unwrap_with_kms(data, place), f"{place}, opened by KMS"))
    return tuple(found)


def parse_identities(data: bytes, source: str) -> list[Identity]:
    """The identities in the content of a file: age's own, locked with a passphrase or not, or an ssh private key."""
    if data.startswith((b"age-encryption.org/v1", b"-----BEGIN AGE ENCRYPTED FILE-----")):
        try:
            data = unlock_with_passphrase(data, passphrase_from_user(f"for {source}"))
        except pyrage.DecryptError as problem:
            if TOO_SLOW in str(problem):
                raise UserError(f"this machine is too busy to open {source} now; try again") from None
            raise UserError(f"wrong passphrase for {source}, or the file is damaged") from None
    if b"PRIVATE KEY-----" in data:
        return [_ssh_identity(data, source)]
    found = []
    for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                made = pyrage.x25519.Identity.from_str(line.strip())
            except pyrage.IdentityError:
                raise UserError(f"{source}, line {number}: no identity (AGE-SECRET-KEY-1...); check the file") from None
            found.append(Identity(str(made.to_public()), source, made))
    if not found:
        raise UserError(f"{source} holds no identity; `age-keygen` makes one")
    return found


def _ssh_identity(data: bytes, source: str) -> Identity:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_ssh_private_key

    try:
        made = pyrage.ssh.Identity.from_buffer(data)
        public = load_ssh_private_key(data, None).public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
    except (pyrage.IdentityError, UnsupportedAlgorithm, ValueError, TypeError):
        raise UserError(f"{source}: unusable ssh key; it must be ed25519 or RSA, without a passphrase") from None
    return Identity(public.decode(), source, made)


def wrap_with_kms(identity: str, key_id: str) -> bytes:
    """The identity as a file that only AWS KMS can open, under the KMS key `key_id`."""
    with _kms(key_id) as client:
        answer = client.encrypt(KeyId=key_id, Plaintext=identity.encode(), EncryptionContext=KMS_CONTEXT)
    blob = base64.b64encode(answer["CiphertextBlob"]).decode()
    return json.dumps({"format": KMS_FORMAT, "key_id": answer["KeyId"], "blob": blob}, indent=2).encode() + b"\n"


def unwrap_with_kms(data: bytes, source: str) -> bytes:
    """The identity in a file made by :func:`wrap_with_kms`. Raises UserError."""
    try:
        value = parse_json(data)
        key_id, blob = value["key_id"], base64.b64decode(value["blob"], validate=True)
        if value["format"] != KMS_FORMAT:
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{source} is no identity encrypted by KMS; make one with `benchpress keys wrap`") from None
    with _kms(source) as client:
        answer = client.decrypt(CiphertextBlob=blob, KeyId=key_id, EncryptionContext=KMS_CONTEXT)
    return bytes(answer["Plaintext"])


@contextmanager
def _kms(what: str) -> Iterator[Any]:
    try:
        import boto3
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError:
        raise UserError("identities in AWS KMS need boto3: install benchpress-evaluator[s3]") from None
    try:
        limits = Config(connect_timeout=5, read_timeout=30, retries={"mode": "standard", "total_max_attempts": 3})
        yield boto3.session.Session().client("kms", config=limits)
    except ClientError as problem:
        code = problem.response.get("Error", {}).get("Code", "")
        raise UserError(
            f"AWS KMS refuses {what}: {code}; check that the key exists and that this identity may use it"
        ) from None
    except BotoCoreError as problem:
        raise UserError(f"AWS KMS cannot be asked about {what}: {str(problem).splitlines()[0]}") from None
