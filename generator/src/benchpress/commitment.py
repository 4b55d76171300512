"""The public commitment of a sealed version, and how anybody checks it once the version is revealed.

The seed commitment binds the secret before anything is drawn from it; the root of a Merkle tree (RFC 9162,
section 2.1) binds every item line, key and verification included. Leaves carry nonces derived from the secret, so
an unpublished item cannot be guessed and tried. docs/formats.md specifies the documents.
"""

import hashlib
import hmac
import json
import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from benchpress.canonical import canonical_bytes
from benchpress.errors import UserError

COMMITMENT_FORMAT = "benchpress.commitment/1"
REVEAL_FORMAT: Final = "benchpress.reveal/1"
SECRET_SIZE = 32
VERSION_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")

Document = Mapping[str, Any]
Regenerate = Callable[[bytes, str, Document], Iterable[bytes]]
"""(effective secret, version, recipe) -> the canonical item lines, in order, without newlines."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to know about: which check found it, what is the case, what to do.

    `grave` is false where nothing is wrong yet: a run that was stopped, a tail that was healed.
    """

    check: str
    problem: str
    remedy: str
    grave: bool = True

    def __str__(self) -> str:
        return f"{self.check}: {self.problem}; {self.remedy}"


@dataclass(frozen=True, slots=True)
class Release:
    """A generator as it is installed. The digest is over its files, see :func:`source_digest`."""

    name: str
    version: str
    digest: str

    def to_json(self) -> dict[str, str]:
        return {"name": self.name, "version": self.version, "digest": self.digest}


@dataclass(frozen=True, slots=True)
class Reveal:
    """The public document by which anybody makes a version again. `secret`, `salt` and `leaves` are in hex."""

    version: str
    secret: str
    salt: str
    canary: str
    beacon: Mapping[str, Any] | None
    leaves: list[str]
    """The hash of every item line, in order: the leaves under the committed root."""
    time: str
    """UTC, ISO 8601 to the second."""
    format: Literal["benchpress.reveal/1"] = REVEAL_FORMAT

    def to_json(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in self.__slots__}
        return {**found, "beacon": None if self.beacon is None else dict(self.beacon)}


def seed_commitment(salt: bytes, secret: bytes) -> str:
    """SHA-256("seed" || salt || secret) in hex. Both are 32 bytes, else ValueError."""
    if len(salt) != SECRET_SIZE or len(secret) != SECRET_SIZE:
        raise ValueError(f"salt and secret are {SECRET_SIZE} bytes each")
    return hashlib.sha256(b"seed" + salt + secret).hexdigest()


def effective_secret(secret: bytes, beacon: str | None) -> bytes:
    """What items are drawn from: the secret, or with public randomness HMAC-SHA256(secret, beacon in UTF-8)."""
    return secret if beacon is None else hmac.new(secret, beacon.encode(), hashlib.sha256).digest()


def canary(secret: bytes) -> str:
    """The GUID of a version, from its secret: nobody can have it before it is shown, in a reveal or in public examples.

    Where it turns up in a model's answers or training data, that text was read. UUID version 8 (RFC 9562).
    """
    return str(uuid.UUID(bytes=_uuid8(hmac.new(secret, b"canary", hashlib.sha256).digest()[:16])))


def _uuid8(raw: bytes) -> bytes:
    return raw[:6] + bytes([0x80 | raw[6] & 0x0F, raw[7], 0x80 | raw[8] & 0x3F]) + raw[9:]


def leaf_hashes(effective: bytes, lines: Iterable[bytes]) -> list[bytes]:
    """Leaf i is SHA-256(0x00 || HMAC-SHA256(effective, "leaf" || i) || line), i as 8 bytes, big-endian."""
    leaves = []
    for index, line in enumerate(lines):
        nonce = hmac.new(effective, b"leaf" + index.to_bytes(8, "big"), hashlib.sha256).digest()
        leaves.append(hashlib.sha256(b"\x00" + nonce + line).digest())
    return leaves


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """The Merkle tree hash of RFC 9162, section 2.1.1, over leaf hashes."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return hashlib.sha256(b"\x01" + tree_root(leaves[:split]) + tree_root(leaves[split:])).digest()


def bundle_counts(lines: Iterable[bytes]) -> dict[str, int]:
    """How many items each bundle has."""
    return dict(sorted(Counter(json.loads(line)["bundle"] for line in lines).items()))


def source_digest(root: Path, parts: Sequence[str] = ("",)) -> str:
    """SHA-256 over the canonical JSON array of [path, SHA-256 of content] of every file below `parts` of `root`.

    Paths are relative to `root`, with slashes, in code-point order; compiled and hidden files do not count.
    """
    files: set[Path] = set()
    for part in parts:
        place = root / part
        files.update([place] if place.is_file() else place.rglob("*"))
    listing = []
    for file in files:
        path = file.relative_to(root)
        hidden = any(name.startswith(".") or name == "__pycache__" for name in path.parts)
        if file.is_file() and not hidden and file.suffix != ".pyc":
            listing.append([path.as_posix(), hashlib.sha256(file.read_bytes()).hexdigest()])
    return hashlib.sha256(canonical_bytes(sorted(listing))).hexdigest()


def installed_release() -> Release:
    """The generator that runs now."""
    from importlib.metadata import version

    name = "benchpress-generator"
    return Release(name, version(name), source_digest(Path(__file__).parent))


def check_reveal(
    commitment: Document, reveal: Document, regenerate: Regenerate, release: Release | None = None
) -> list[Finding]:
    """Everything in which a revealed version differs from what was committed; an empty list means that it holds.

    `regenerate` makes the item lines; it is called only where secret, beacon and release are the committed ones.
    `release` is the generator behind it (default: the installed one). Raises UserError where a document has another
    format.
    """
    check_commitment(commitment)
    _check_shape(reveal, "reveal", REVEAL_FORMAT, {"version": str, "secret": str, "salt": str, "leaves": list})
    findings = _check_seed(commitment, reveal) + _check_release(commitment, release or installed_release())
    if not findings:
        findings = _check_items(commitment, reveal, regenerate)
    return findings


def check_commitment(commitment: Document) -> None:
    """Raises UserError where the document is no commitment."""
    fields: dict[str, type] = {"version": str, "stage": str, "seed_commit": str, "seed_time": str}
    if isinstance(commitment, Mapping) and commitment.get("stage") == "items":
        fields |= {"root": str, "items": int, "bundles": dict, "recipe": dict, "release": dict, "digests": dict}
        fields |= {"time": str}
    _check_shape(commitment, "commitment", COMMITMENT_FORMAT, fields)
    if not isinstance(commitment.get("release"), Mapping | None):
        raise UserError("the commitment has no usable field 'release'; take the file as it was published")
    if commitment["stage"] not in ("seed", "items"):
        raise UserError(f"the commitment has the unknown stage {commitment['stage']!r}; it is 'seed' or 'items'")


def _check_shape(document: Document, what: str, form: str, fields: Mapping[str, type]) -> None:
    if not isinstance(document, Mapping) or document.get("format") != form:
        raise UserError(f"this is no {what} (format {form!r} is expected); check which file was given")
    for name, kind in fields.items():
        if not isinstance(document.get(name), kind):
            raise UserError(f"the {what} has no usable field {name!r}; take the file as it was published")
    beacon = document.get("beacon")
    if beacon is not None and not (isinstance(beacon, Mapping) and isinstance(beacon.get("value", ""), str | None)):
        raise UserError(f"the {what} has no usable field 'beacon'; take the file as it was published")


def _check_seed(commitment: Document, reveal: Document) -> list[Finding]:
    """Version, secret and public randomness."""
    if reveal["version"] != commitment["version"]:
        problem = f"the reveal is of {reveal['version']!r}, the commitment of {commitment['version']!r}"
        return [Finding("version", problem, "give the two files of one version")]
    findings = []
    try:
        secret, salt = (bytes.fromhex(reveal[name]) for name in ("secret", "salt"))
        found = seed_commitment(salt, secret)
    except ValueError:
        found = "none: secret and salt must be 64 hex digits each"
    if found != commitment["seed_commit"]:
        problem = f"secret and salt give {found}, committed was {commitment['seed_commit']}"
        findings.append(
            Finding("seed commitment", problem, "the version was not made from this secret; do not trust its results")
        )
    if commitment["stage"] != "items":
        problem = f"{commitment['version']} was never completed: its items are not committed"
        findings.append(Finding("stage", problem, "use the completed commitment"))
    return findings + _check_beacon(commitment, reveal)


def _check_beacon(commitment: Document, reveal: Document) -> list[Finding]:
    planned, shown = commitment.get("beacon"), reveal.get("beacon")
    if (planned or {}).get("value") != (shown or {}).get("value"):
        problem = f"the reveal names {(shown or {}).get('value')!r}, committed was {(planned or {}).get('value')!r}"
        return [Finding("beacon", problem, "look the value up at its public source")]
    if planned is not None and not later(str(planned.get("time")), commitment["seed_time"]):
        problem = f"the public value of {planned.get('time')} is no later than the seed commitment"
        return [Finding("beacon", problem, "the secret could have been chosen to fit it; do not trust the draw")]
    if planned is not None and not later(str(commitment.get("time")), str(planned.get("time"))):
        problem = f"the items were committed at {commitment.get('time')}, before the public value could be known"
        return [Finding("beacon", problem, "the items cannot have been drawn with it; do not trust the draw")]
    return []


def later(time: str, than: str) -> bool:
    """Whether one ISO 8601 time with zone comes after another; false where either cannot be read."""
    try:
        return datetime.fromisoformat(time) > datetime.fromisoformat(than)
    except (ValueError, TypeError):
        return False


def _check_release(commitment: Document, release: Release) -> list[Finding]:
    named = commitment.get("release") or release.to_json()
    if named == release.to_json():
        return []
    if named.get("version") != release.version or named.get("name") != release.name:
        problem = f"the version was made by {named.get('name')} {named.get('version')}, here is {release.version}"
    else:
        problem = f"this {release.name} {release.version} has other files than the one that made the version"
    remedy = f"install {named.get('name')}=={named.get('version')} as it was released and check again"
    return [Finding("release", problem, remedy)]


def _check_items(commitment: Document, reveal: Document, regenerate: Regenerate) -> list[Finding]:
    """Items, leaves and root; only called where the secret is the committed one."""
    effective = effective_secret(bytes.fromhex(reveal["secret"]), (reveal.get("beacon") or {}).get("value"))
    try:
        lines = list(regenerate(effective, commitment["version"], commitment["recipe"]))
    except UserError as refusal:
        return [Finding("items", f"they cannot be made again: {refusal}", "report this with both files")]
    leaves = [leaf.hex() for leaf in leaf_hashes(effective, lines)]
    if tree_root([bytes.fromhex(leaf) for leaf in leaves]).hex() == commitment["root"]:
        return _check_counts(commitment, lines)
    findings = _check_counts(commitment, lines)
    shown = reveal["leaves"]
    if not _is_root(shown, commitment["root"]):
        problem = "the leaves in the reveal do not give the committed root either"
        findings.append(Finding("leaves", problem, "ask for the reveal that belongs to this commitment"))
    elif len(shown) == len(leaves):
        other = [index for index, leaf in enumerate(leaves) if leaf != shown[index]]
        named = ", ".join(str(index) for index in other[:10]) + (", ..." if len(other) > 10 else "")
        problem = f"{len(other)} of {len(leaves)} items are not what the generator makes (places {named}, from 0)"
        findings.append(Finding("items", problem, "these items were put in by hand or changed; do not trust them"))
    problem = "the items that the committed generator makes from this secret do not give the committed root"
    return [*findings, Finding("root", problem, "do not trust results of this version")]


def _is_root(leaves: Sequence[Any], root: str) -> bool:
    try:
        return tree_root([bytes.fromhex(leaf) for leaf in leaves]).hex() == root
    except (ValueError, TypeError):
        return False


def _check_counts(commitment: Document, lines: Sequence[bytes]) -> list[Finding]:
    findings = []
    remedy = "the commitment was not made over these items"
    if len(lines) != commitment["items"]:
        problem = f"{len(lines)} are made, {commitment['items']} were committed"
        findings.append(Finding("number of items", problem, remedy))
    if bundle_counts(lines) != commitment["bundles"]:
        problem = f"{bundle_counts(lines)} are made, {commitment['bundles']} were committed"
        findings.append(Finding("items per bundle", problem, remedy))
    return findings
