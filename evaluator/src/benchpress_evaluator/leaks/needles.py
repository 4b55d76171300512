"""Exact strings that must not be found: canaries, item ids, and every encoding of a secret."""

import base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

PREFIX = 8
"""Bytes by which a needle is found; shorter ones cannot be looked for."""
_BITS = 20
_SHIFT = np.uint64(64 - _BITS)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Needle:
    """A string to look for, and what is said where it is found; the string itself is never shown."""

    kind: str
    what: str
    text: bytes = field(repr=False)
    any_case: bool = False
    """Whether upper and lower case are the same; `text` is then in lower case."""


def secret_needles(what: str, secret: bytes) -> Iterator[Needle]:
    """Both halves of `secret` in every encoding: raw, hexadecimal, base64 (both alphabets, every alignment), base32 and
    decimal. Half of a secret is enough to be a finding."""
    middle = len(secret) // 2
    yield Needle("secret", what, secret[:middle])
    yield Needle("secret", what, secret[middle:])
    digits = secret.hex().encode()
    yield from (Needle("secret", what, digits[part], True) for part in _halves(len(digits)))
    found: set[bytes] = set()
    for encode, bits, shifts in ((base64.b64encode, 6, 3), (base64.urlsafe_b64encode, 6, 3), (base64.b32encode, 5, 5)):
        for shift in range(shifts):
            text = encode(bytes(shift) + secret + bytes(15))
            # Only the letters that no neighbouring byte has a part in.
            inner = text[-(-8 * shift // bits) : (8 * shift + 8 * len(secret)) // bits]
            found.update(inner[part] for part in _halves(len(inner)))
    for order in ("big", "little"):
        number = str(int.from_bytes(secret, order)).encode()
        found.update(number[part] for part in _halves(len(number)))
    yield from (Needle("secret", what, text) for text in sorted(found))


def _halves(length: int) -> tuple[slice, slice]:
    return slice(0, length // 2), slice(length // 2, length)


class Needles:
    """Many needles, found in one pass: the first eight bytes of each, as a number, at every place of a text."""

    def __init__(self, needles: Iterable[Needle]) -> None:
        known = [needle for needle in needles if len(needle.text) >= PREFIX]
        self.exact = _Table([needle for needle in known if not needle.any_case])
        self.folded = _Table([needle for needle in known if needle.any_case])

    def find(self, data: bytes) -> Iterator[tuple[int, Needle]]:
        """Every place where a needle begins."""
        yield from self.exact.find(data)
        if self.folded.by_prefix:
            yield from self.folded.find(data.lower())


class _Table:
    def __init__(self, needles: Sequence[Needle]) -> None:
        self.by_prefix: dict[int, list[Needle]] = {}
        for needle in needles:
            self.by_prefix.setdefault(int.from_bytes(needle.text[:PREFIX], "little"), []).append(needle)
        self.marks: npt.NDArray[np.bool_] = np.zeros(1 << _BITS, dtype=np.bool_)
        prefixes = np.array(sorted(self.by_prefix), dtype=np.uint64)
        self.marks[((prefixes * _FACTOR) >> _SHIFT).astype(np.int64)] = True

    def find(self, data: bytes) -> Iterator[tuple[int, Needle]]:
        if not self.by_prefix:
            return
        for shift in range(PREFIX):
            count = (len(data) - shift) // PREFIX
            if count <= 0:
                return
            numbers = np.frombuffer(data, dtype="<u8", count=count, offset=shift)
            near = np.flatnonzero(self.marks[((numbers * _FACTOR) >> _SHIFT).astype(np.int64)])
            for place in near.tolist():
                for needle in self.by_prefix.get(int(numbers[place]), ()):
                    at = shift + PREFIX * place
                    if data.startswith(needle.text, at):
                        yield at, needle
