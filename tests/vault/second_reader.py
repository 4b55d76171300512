"""A second implementation of docs/formats.md, written from that page and sharing no code with the product.

It makes the test vectors and reads what the product writes. It knows no streams and no storage: bytes in, bytes out.
"""

import binascii
import hashlib
import hmac
import json
import struct

from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


def hkdf(key: bytes, salt: bytes, info: bytes) -> bytes:
    """RFC 5869 with one block of output."""
    return mac(mac(salt or bytes(32), key), info + b"\x01")


def crc(data: bytes) -> bytes:
    return struct.pack(">I", binascii.crc32(data))


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def sealed_header(data_key: bytes, name: str, segment: bytes) -> bytes:
    start = b"benchpress.jrnl1" + segment
    start += hkdf(data_key, b"", b"benchpress.journal/1 binding:" + name.encode())
    return start + crc(start)


def sealed_frame(data_key: bytes, header: bytes, sequence: int, kind: str, body: bytes) -> bytes:
    key = hkdf(data_key, header[16:48], b"benchpress.journal/1 segment")
    nonce = struct.pack(">IQ", 0, sequence)
    text = AESGCM(key).encrypt(nonce, kind.encode() + body, sha(header) + struct.pack(">Q", sequence))
    size = struct.pack(">I", len(text))
    return size + crc(size) + text


def clear_header(name: str, segment: bytes) -> bytes:
    start = b'{"format":"benchpress.journal-clear/1","segment":"%b","journal":"%b",' % (
        segment.hex().encode(),
        sha(name.encode()).hex().encode(),
    )
    return start + b'"check":"%b"}\n' % crc(start).hex().encode()


def clear_frame(header: bytes, sequence: int, kind: str, body: bytes) -> bytes:
    rest = b'"seq":%d,"kind":"%b","body":%b}\n' % (sequence, kind.encode(), body)
    total = len(b'{"length":"00000000","check":"00000000","sum":"",') + 32 + len(rest)
    size = b"%08x" % total
    line_sum = sha(sha(header) + rest).hex()[:32].encode()
    return b'{"length":"%b","check":"%b","sum":"%b",%b' % (size, crc(size).hex().encode(), line_sum, rest)


class SecondWriter:
    """Builds a segment frame by frame; `frames` can be rearranged before `data` joins them."""

    def __init__(self, data_key: bytes | None, name: str, segment: bytes) -> None:
        self.data_key, self.segment = data_key, segment
        self.header = clear_header(name, segment) if data_key is None else sealed_header(data_key, name, segment)
        self.frames: list[bytes] = []

    def frame(self, sequence: int, kind: str, body: bytes) -> bytes:
        if self.data_key is None:
            return clear_frame(self.header, sequence, kind, body)
        return sealed_frame(self.data_key, self.header, sequence, kind, body)

    def add(self, kind: str, value: object) -> None:
        self.frames.append(self.frame(len(self.frames), kind, canonical(value)))

    def close(self) -> None:
        self.add("C", {"count": len(self.frames), "head": self.head()})

    def head(self) -> str:
        running = sha(self.header)
        for frame in self.frames:
            running = sha(running + frame)
        return running.hex()

    def data(self) -> bytes:
        return self.header + b"".join(self.frames)

    @property
    def file(self) -> str:
        return self.segment.hex() + (".jsonl" if self.data_key is None else ".seg")


def read_sealed(data_key: bytes, name: str, data: bytes) -> list[tuple[str, object]]:
    """Kind and content of every frame of an undamaged sealed segment."""
    header = data[:84]
    assert header == sealed_header(data_key, name, header[16:48])
    key = hkdf(data_key, header[16:48], b"benchpress.journal/1 segment")
    found, at = [], 84
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        assert data[at + 4 : at + 8] == crc(data[at : at + 4])
        number = len(found)
        plain = AESGCM(key).decrypt(
            struct.pack(">IQ", 0, number), data[at + 8 : at + 8 + size], sha(header) + struct.pack(">Q", number)
        )
        found.append((plain[:1].decode(), json.loads(plain[1:])))
        at += 8 + size
    return found


def read_clear(data: bytes) -> list[tuple[str, object]]:
    """Kind and content of every line of an undamaged segment in clear, the way any JSON tool reads it."""
    lines = [json.loads(line) for line in data.decode().splitlines()]
    assert [line["seq"] for line in lines[1:]] == list(range(len(lines) - 1))
    return [(line["kind"], line["body"]) for line in lines[1:]]


def merkle_root(leaves: list[bytes]) -> bytes:
    """Bottom-up: pair neighbours, carry an odd one up. The same tree as RFC 9162's top-down definition."""
    level = list(leaves)
    while len(level) > 1:
        paired = [sha(b"\x01" + level[i] + level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = paired + (level[-1:] if len(level) % 2 else [])
    return level[0]


def commitment_of(secret: bytes, salt: bytes, beacon: str | None, lines: list[bytes]) -> tuple[str, str]:
    """Seed commitment and root."""
    effective = secret if beacon is None else mac(secret, beacon.encode())
    leaves = [sha(b"\x00" + mac(effective, b"leaf" + struct.pack(">Q", i)) + line) for i, line in enumerate(lines)]
    return sha(b"seed" + salt + secret).hex(), merkle_root(leaves).hex()
