"""What a segment is in bytes: a header of fixed size, then frames that declare their own length.

Both codecs keep one promise that reading rests on: a frame starts with a prefix of fixed size which holds the
frame's length under a checksum. So a frame that is cut short can be told from one that was changed.
"""

import hashlib
import json
import re
import zlib
from dataclasses import dataclass
from typing import Any, Protocol

from benchpress_evaluator.json_text import parse_json
from benchpress_evaluator.vault.derive import hkdf

ID_SIZE = 32
MAX_FRAME = 1 << 26
"""No frame is larger, so that a reader's memory stays bounded whatever a file declares."""
NEIGHBOURS = 200
"""How far away a record that stands in the wrong place is looked for, to name it."""
OPENING, RECORD, CLOSING = b"O", b"R", b"C"


class DamagedError(Exception):
    """Bytes that are complete but are not what was written; the text says in what way."""


@dataclass(frozen=True, slots=True)
class Header:
    """The start of a segment: its own random id, and to which journal it belongs."""

    segment: bytes
    binding: bytes


class Codec(Protocol):
    """Bytes of one kind of segment."""

    suffix: str
    header_size: int
    prefix_size: int
    magic: bytes

    def binding(self, journal: str) -> bytes:
        """32 bytes that tie a segment to its journal."""
        ...

    def write_header(self, header: Header) -> bytes: ...

    def read_header(self, data: bytes) -> Header:
        """Raises DamagedError."""
        ...

    def frames(self, segment: bytes, header_digest: bytes) -> "Frames":
        """The frames of one segment."""
        ...


class Frames(Protocol):
    """Frames of one segment, by sequence number."""

    def encode(self, sequence: int, kind: bytes, body: bytes) -> bytes: ...

    def length(self, prefix: bytes) -> int:
        """Size in bytes of the whole frame that starts with `prefix`. Raises DamagedError."""
        ...

    def decode(self, sequence: int, frame: bytes) -> tuple[bytes, bytes]:
        """Kind and body. Raises DamagedError."""
        ...


_WRITE = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
_WRITE_ASCII = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def body_of(value: Any) -> bytes:
    """A record as JSON in UTF-8. Lone surrogates, which vendors do send, are kept as escapes."""
    try:
        return _WRITE(value).encode()
    except UnicodeEncodeError:
        return _WRITE_ASCII(value).encode()


def checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4)


class Sealed:
    """AES-256-GCM under a key of the segment's own; nonce = sequence number."""

    suffix = ".seg"
    magic = b"benchpress.jrnl1"
    header_size = 16 + ID_SIZE + 32 + 4
    prefix_size = 8

    def __init__(self, data_key: bytes) -> None:
        self._data_key = data_key

    def binding(self, journal: str) -> bytes:
        return hkdf(self._data_key, b"", b"benchpress.journal/1 binding:" + journal.encode())

    def write_header(self, header: Header) -> bytes:
        data = self.magic + header.segment + header.binding
        return data + checksum(data)

    def read_header(self, data: bytes) -> Header:
        if not data.startswith(self.magic):
            raise DamagedError("it does not start as a sealed segment does")
        if checksum(data[:-4]) != data[-4:]:
            raise DamagedError("its header was changed")
        return Header(data[16:48], data[48:80])

    def frames(self, segment: bytes, header_digest: bytes) -> Frames:
        key = hkdf(self._data_key, segment, b"benchpress.journal/1 segment")
        return _SealedFrames(key, header_digest)


class _SealedFrames:
    def __init__(self, key: bytes, header_digest: bytes) -> None:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        self._refusals = (InvalidTag, ValueError)
        self._cipher = AESGCM(key)
        self._header_digest = header_digest

    def encode(self, sequence: int, kind: bytes, body: bytes) -> bytes:
        number = sequence.to_bytes(8)
        sealed = self._cipher.encrypt(b"\0\0\0\0" + number, kind + body, self._header_digest + number)
        size = len(sealed).to_bytes(4)
        return size + checksum(size) + sealed

    def length(self, prefix: bytes) -> int:
        if checksum(prefix[:4]) != prefix[4:]:
            raise DamagedError("the length in front of it was changed, or bytes before it were removed or added")
        return 8 + int.from_bytes(prefix[:4])

    def decode(self, sequence: int, frame: bytes) -> tuple[bytes, bytes]:
        plain = self._open(sequence, frame)
        if plain is None:
            near = range(max(0, sequence - NEIGHBOURS), sequence + NEIGHBOURS)
            other = next((n for n in near if self._open(n, frame) is not None), None)
            if other is None:
                raise DamagedError(
                    "it fails authentication: its bytes were changed, or it is of another segment or place"
                )
            raise DamagedError(f"record {other} stands in its place: records were swapped, dropped or repeated")
        return plain[:1], plain[1:]

    def _open(self, sequence: int, frame: bytes) -> bytes | None:
        number = sequence.to_bytes(8)
        try:
            return self._cipher.decrypt(b"\0\0\0\0" + number, frame[8:], self._header_digest + number)
        except self._refusals:
            return None


class Clear:
    """JSON lines with checksums, for public items: readable with any tool, and as strict about damage."""

    suffix = ".jsonl"
    magic = b'{"format":"benchpress.journal-clear/1",'
    header_size = len(magic) + len('"segment":"","journal":"","check":""}\n') + 64 + 64 + 8
    prefix_size = len('{"length":"00000000","check":"00000000",')

    def binding(self, journal: str) -> bytes:
        return hashlib.sha256(journal.encode()).digest()

    def write_header(self, header: Header) -> bytes:
        data = self.magic + f'"segment":"{header.segment.hex()}","journal":"{header.binding.hex()}",'.encode()
        return data + f'"check":"{checksum(data).hex()}"}}\n'.encode()

    def read_header(self, data: bytes) -> Header:
        if not data.startswith(self.magic):
            raise DamagedError("it does not start as a segment in clear does")
        try:
            value = parse_json(data)
            header = Header(bytes.fromhex(value["segment"]), bytes.fromhex(value["journal"]))
        except (ValueError, KeyError, TypeError):
            raise DamagedError("its header was changed") from None
        if self.write_header(header) != data:
            raise DamagedError("its header was changed")
        return header

    def frames(self, segment: bytes, header_digest: bytes) -> Frames:  # noqa: ARG002 - the digest alone identifies it
        return _ClearFrames(header_digest)


_SIZE = re.compile(rb"[0-9a-f]{8}")


class _ClearFrames:
    TAIL = len('"sum":"",') + 32

    def __init__(self, header_digest: bytes) -> None:
        self._header_digest = header_digest

    def encode(self, sequence: int, kind: bytes, body: bytes) -> bytes:
        rest = f'"seq":{sequence},"kind":"{kind.decode()}","body":'.encode() + body + b"}\n"
        size = f"{Clear.prefix_size + self.TAIL + len(rest):08x}"
        prefix = f'{{"length":"{size}","check":"{checksum(size.encode()).hex()}",'
        return f'{prefix}"sum":"{self._sum(rest)}",'.encode() + rest

    def _sum(self, rest: bytes) -> str:
        return hashlib.sha256(self._header_digest + rest).hexdigest()[:32]

    def length(self, prefix: bytes) -> int:
        size = prefix[11:19]
        written = b'{"length":"%b","check":"%b",' % (size, checksum(size).hex().encode())
        if prefix != written or not _SIZE.fullmatch(size):
            raise DamagedError("the length in front of it was changed, or bytes before it were removed or added")
        return int(size, 16)

    def decode(self, sequence: int, frame: bytes) -> tuple[bytes, bytes]:
        rest = frame[Clear.prefix_size + self.TAIL :]
        if frame[Clear.prefix_size : -len(rest)] != f'"sum":"{self._sum(rest)}",'.encode():
            raise DamagedError("its checksum does not fit: its bytes were changed, or it is of another segment")
        found, _, tail = rest.removeprefix(b'"seq":').partition(b',"kind":"')
        if found != str(sequence).encode():
            other = found.decode(errors="replace")
            raise DamagedError(f"record {other} stands in its place: records were swapped, dropped or repeated")
        return tail[:1], tail[len('R","body":') : -2]
