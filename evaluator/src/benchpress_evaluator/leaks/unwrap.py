"""What a file holds under its wrappings: each layer is decoded and looked at again, with limits.

HTML entities and tags, JSON and Python escapes, percent-encoding, base64 (both alphabets, every alignment, line
breaks), hexadecimal, lists of byte values, UTF-16, and gzip, zlib, bzip2, xz and zip wherever they begin. What cannot
be opened or would grow beyond the limits is named, so that nothing passes for having been looked at.
"""

import binascii
import bz2
import hashlib
import html
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import unquote_to_bytes

import numpy as np

MAX_DEPTH = 8
ROUNDS = 4
"""So many times text is freed of escapes: JSON in JSON in an HTML attribute takes three."""
MAX_GROWTH = 1 << 28
"""Bytes that one file may hold decoded, all layers together, beside a hundred times its size."""

_ENTITY = re.compile(rb"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,31});")
_TAG = re.compile(rb"<[a-zA-Z/!][^<>]*>")
_ESCAPE = re.compile(rb"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-7]{3}|.)", re.DOTALL)
_PERCENT = re.compile(rb"%[0-9A-Fa-f]{2}")
_HEX = re.compile(rb"(?:[0-9a-fA-F]{2}){16,}[0-9a-fA-F]?")
_NUMBERS = re.compile(rb"\d[\d,\s]{30,}")
_PACKED = re.compile(rb"\x1f\x8b\x08|x[\x01\x5e\x9c\xda]|BZh[1-9]1AY&SY|\xfd7zXZ\x00|PK\x03\x04")
_CLOSED = {b"(\xb5/\xfd": "zstd", b"7z\xbc\xaf'\x1c": "7z", b"Rar!": "rar"}
_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\r\f\x1b") + b"\x7f"
_STRING = re.compile(rb"[\t\n\r -~\x80-\xff]{64,}")
_LETTER = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f", b"0": b"\0"}
RUN = 24
"""Letters in a row that may be base64: the fewest that eight tokens or half a secret can have are more."""
_GAP, _SHORTEST = 80, 4
_ALPHABET = np.isin(np.arange(256), list(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"))
_STANDARD = bytes.maketrans(b"-_", b"+/")


@dataclass(frozen=True, slots=True)
class Layer:
    """A content of the file; `path` names the wrappings that were taken off, outermost first."""

    data: bytes
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Closed:
    """What could not be looked at, and why."""

    path: tuple[str, ...]
    reason: str


def layers(data: bytes) -> Iterator[Layer | Closed]:
    """`data` itself and everything that is wrapped in it, each content once."""
    budget = MAX_GROWTH + 100 * len(data)
    waiting = [Layer(data)]
    seen: set[bytes] = set()
    while waiting:
        layer = waiting.pop()
        mark = hashlib.blake2b(layer.data, digest_size=16).digest()
        if mark in seen:
            continue
        seen.add(mark)
        yield layer
        for magic, name in _CLOSED.items():
            if layer.data.startswith(magic):
                yield Closed((*layer.path, name), f"{name} cannot be opened here")
        if len(layer.path) >= MAX_DEPTH:
            if any(True for _ in _inside(layer, budget)):
                yield Closed(layer.path, f"wrapped more than {MAX_DEPTH} times")
            continue
        for inner in _inside(layer, budget):
            if isinstance(inner, Closed):
                yield inner
                continue
            budget -= len(inner.data)
            if budget < 0:
                yield Closed(inner.path, "it grows beyond the limit when decoded")
                return
            waiting.append(inner)


def _inside(layer: Layer, budget: int) -> Iterator[Layer | Closed]:
    """What is one wrapping further in. Text is freed of all escapes at once, so that the orders in which they may be
    nested do not multiply."""
    data = layer.data
    if data.count(0) * 4 > len(data) > data.count(0):
        yield Layer(data.replace(b"\0", b""), (*layer.path, "utf-16"))
    text = data if _is_text(data) else b"\n".join(_STRING.findall(data))
    if text:
        if "html" not in layer.path and _TAG.search(text):
            yield Layer(_unescaped(_TAG.sub(b" ", text)), (*layer.path, "html"))
        freed = _freed(text) if layer.path.count("escapes") < ROUNDS else text
        if freed != text:
            yield Layer(freed, (*layer.path, "escapes"))
        yield from _encoded(layer, text)
    yield from _packed(layer, budget)


def _is_text(data: bytes) -> bool:
    return len(data) - len(data.translate(None, _CONTROL)) <= len(data) // 50


def _freed(text: bytes) -> bytes:
    """Text without HTML entities, backslashes and percent signs, one round of each."""
    if _ENTITY.search(text):
        text = _unescaped(text)
    if b"\\" in text:
        text = _ESCAPE.sub(_unescape, text)
    return unquote_to_bytes(text) if _PERCENT.search(text) else text


def _encoded(layer: Layer, text: bytes) -> Iterator[Layer]:
    """Bytes that are written in letters: what turns out to be text, and what does not, apart."""
    found: dict[str, list[bytes]] = {}
    for run in _runs(text):
        letters = run.translate(_STANDARD)
        for shift in range(4):
            found.setdefault(f"base64+{shift}", []).append(_base64(letters[shift:]))
        for digits in _HEX.findall(run):
            for shift in range(2):
                even = digits[shift : shift + (len(digits) - shift) // 2 * 2]
                found.setdefault(f"hex+{shift}", []).append(binascii.unhexlify(even))
    for run in _NUMBERS.findall(text):
        found.setdefault("numbers", []).append(_bytes_of(run))
    for name, pieces in found.items():
        readable = [_is_text(piece) for piece in pieces]
        for wanted in (True, False):
            joined = b"\n".join(piece for piece, is_text in zip(pieces, readable, strict=True) if is_text is wanted)
            if joined:
                yield Layer(joined, (*layer.path, name))


def _unescaped(data: bytes) -> bytes:
    return html.unescape(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if code[:1] == b"u" and len(code) == 5:
        return chr(int(code[1:], 16)).encode("utf-8", "surrogatepass")
    if code[:1] == b"x" and len(code) == 3:
        return bytes([int(code[1:], 16)])
    if len(code) == 3:
        return bytes([int(code, 8) & 255])
    return _LETTER.get(code, code)


def _runs(text: bytes) -> Iterator[bytes]:
    """Stretches of at least RUN letters of base64, each by itself and with the lines that follow it."""
    inside = _ALPHABET[np.frombuffer(text, dtype=np.uint8)]
    edges = np.diff(np.concatenate([[False], inside, [False]]).view(np.int8))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    done = -1
    for first in np.flatnonzero(ends - starts >= RUN).tolist():
        if first <= done:
            continue
        last = first
        while last + 1 < len(starts) and starts[last + 1] - ends[last] <= _GAP:
            gap = text[ends[last] : starts[last + 1]]
            if gap.strip() or b"\n" not in gap or ends[last + 1] - starts[last + 1] < _SHORTEST:
                break
            last += 1
        done = last
        lines = [text[starts[place] : ends[place]] for place in range(first, last + 1)]
        yield b"".join(lines)
        if last > first:
            yield from (line for line in lines if len(line) >= RUN)


def _base64(run: bytes) -> bytes:
    whole = run[: len(run) // 4 * 4]
    rest = run[len(whole) :]
    # What is left over still holds a byte or two.
    tail = rest + b"=" * (4 - len(rest)) if len(rest) > 1 else b""
    return binascii.a2b_base64(whole + tail)


_DIGITS = 100
"""A number of more digits is no byte, however many noughts it begins with."""


def _bytes_of(run: bytes) -> bytes:
    numbers = [number for piece in run.split(b",") if (number := piece.strip()).isdigit()]
    if any(len(number) > _DIGITS for number in numbers):
        return b""
    values = [int(number) for number in numbers]
    return bytes(values) if values and max(values) < 256 else b""


class _Decoder(Protocol):
    """What the decoders of the standard library have in common."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


def _packed(layer: Layer, budget: int) -> Iterator[Layer | Closed]:
    """Compressed streams wherever one begins; one that is cut short gives what it has."""
    data, end = layer.data, -1
    for match in _PACKED.finditer(data):
        start, magic = match.start(), match[0]
        if start < end:
            continue
        if magic.startswith(b"PK"):
            found = _zip_member(layer, start, budget)
            if found is not None:
                yield found
            continue
        name, opened = _OPENERS[magic[:1]]
        content, used, whole = _opened(opened, data[start:], budget)
        if content:
            yield Layer(content, (*layer.path, name))
            end = start + used
            if not whole:
                yield Closed((*layer.path, name), "it grows beyond the limit when decoded")


def _opened(opened: Callable[[], _Decoder], data: bytes, budget: int) -> tuple[bytes, int, bool]:
    """What the stream at the start of `data` holds, how many bytes it takes up, and whether that is all of it."""
    decoder, made, size, at = opened(), [], 0, 0
    try:
        while at < len(data) and not decoder.eof:
            piece = decoder.decompress(data[at : at + _PIECE])
            at += _PIECE
            made.append(piece)
            size += len(piece)
            if size > budget:
                return b"".join(made)[:budget], min(at, len(data)), False
    except (zlib.error, OSError, EOFError, lzma.LZMAError, ValueError):
        pass
    used = min(at, len(data)) - len(decoder.unused_data)
    return b"".join(made), used if decoder.eof else 0, True


_PIECE = 1 << 14


_OPENERS: dict[bytes, tuple[str, Callable[[], _Decoder]]] = {
    b"\x1f": ("gzip", lambda: zlib.decompressobj(31)),
    b"x": ("zlib", lambda: zlib.decompressobj()),
    b"B": ("bzip2", bz2.BZ2Decompressor),
    b"\xfd": ("xz", lzma.LZMADecompressor),
}


def _zip_member(layer: Layer, start: int, budget: int) -> Layer | Closed | None:
    """The member whose local header stands at `start`; one that is stored lies open in the layer itself."""
    header = layer.data[start : start + 30]
    version, flags, method, name, extra = (int.from_bytes(header[at : at + 2], "little") for at in (4, 6, 8, 26, 28))
    named = layer.data[start + 30 : start + 30 + name]
    # The four bytes of the signature also stand in programs that read archives.
    if len(header) < 30 or version > _ZIP_VERSION or method not in _ZIP_METHODS or not named or not _is_text(named):
        return None
    path = (*layer.path, "zip")
    if flags & 1:
        return Closed(path, "a member of the archive is encrypted")
    if method == 0:
        return None
    if method != _DEFLATED:
        return Closed(path, f"a member of the archive is packed by {_ZIP_METHODS[method]}")
    content, _, whole = _opened(lambda: zlib.decompressobj(-15), layer.data[start + 30 + name + extra :], budget)
    if not whole:
        return Closed(path, "it grows beyond the limit when decoded")
    return Layer(content, path) if content else None


_ZIP_VERSION = 63
_DEFLATED = 8
_ZIP_METHODS = {0: "nothing", 8: "deflate", 9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstd", 95: "xz", 98: "ppmd"}
