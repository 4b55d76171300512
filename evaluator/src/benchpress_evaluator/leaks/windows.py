"""Runs of eight tokens as whole numbers, so that a megabyte of text is compared with a version in a moment.

A token is a run of ASCII letters and digits, letters without case. What stands between tokens (spaces, line ends,
table rules, quotation marks, dashes of every kind) does not count, so text is recognised in whatever it was set. Hashes
are of 64 bits and the same on every machine.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

WIDTH = 8
"""Tokens in a window."""
LEAST = 14
"""Letters and digits that a window must have to be anybody's: `0 1 0 0 1 1 0 1` stands in any table."""

Hashes = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]

_CHUNK = 1 << 20
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 2**64)
_STEP = np.uint64(0xD6E8FEB86659FD93)


def _letters() -> npt.NDArray[np.uint64]:
    """Byte -> what it counts for in a token; zero for what separates tokens."""
    table = np.zeros(256, dtype=np.uint64)
    for byte in range(256):
        if byte < 128 and chr(byte).isalnum():
            table[byte] = ord(chr(byte).lower())
    return table


_LETTERS = _letters()


def _powers(base: int) -> Hashes:
    steps = np.full(_CHUNK + 1, base, dtype=np.uint64)
    steps[0] = 1
    powers: Hashes = np.multiply.accumulate(steps)
    return powers


class _Tables:
    """Powers of the base, made when first needed: 16 MB."""

    powers: Hashes | None = None
    inverses: Hashes | None = None

    @classmethod
    def get(cls) -> tuple[Hashes, Hashes]:
        if cls.powers is None or cls.inverses is None:
            cls.powers, cls.inverses = _powers(_BASE), _powers(_INVERSE)
        return cls.powers, cls.inverses


def _mixed(values: Hashes) -> Hashes:
    """A permutation of the whole numbers of 64 bits that spreads every bit (the finaliser of SplitMix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text in order: their hashes, where each begins (byte) and how many bytes it has."""

    hashes: Hashes
    places: Places
    lengths: Places

    def windows(self) -> Hashes:
        """The hash of every run of WIDTH tokens, by the place of its first token."""
        return windows(self.hashes)

    def telling(self) -> npt.NDArray[np.bool_]:
        """Which windows have at least LEAST letters and digits."""
        count = max(0, len(self.lengths) - WIDTH + 1)
        ends = np.concatenate([[0], np.cumsum(self.lengths)])
        return np.asarray(ends[WIDTH:][:count] - ends[:count] >= LEAST, dtype=np.bool_)


def tokens(data: bytes) -> Tokens:
    """The tokens of `data`."""
    powers, inverses = _Tables.get()
    hashes: list[Hashes] = []
    places: list[Places] = []
    lengths: list[Places] = []
    start = 0
    while start < len(data):
        end = _cut(data, start)
        letters = _LETTERS[np.frombuffer(data, dtype=np.uint8, count=end - start, offset=start)]
        inside = letters > 0
        edges = np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8))
        first, last = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
        sums = np.zeros(len(letters) + 1, dtype=np.uint64)
        np.cumsum(letters * powers[: len(letters)], out=sums[1:])
        # The value does not depend on where the token stands; its length keeps short tokens of like letters apart.
        values = (sums[last] - sums[first]) * inverses[first] + (last - first).astype(np.uint64)
        hashes.append(_mixed(values))
        places.append(first + start)
        lengths.append(last - first)
        start = end
    nothing = np.zeros(0, dtype=np.int64)
    return Tokens(
        np.concatenate([np.zeros(0, dtype=np.uint64), *hashes]),
        np.concatenate([nothing, *places]),
        np.concatenate([nothing, *lengths]),
    )


def _cut(data: bytes, start: int) -> int:
    """Where a chunk may end without cutting a token in two; a token longer than a chunk is cut."""
    end = min(len(data), start + _CHUNK)
    if end == len(data):
        return end
    for place in range(end - 1, max(start, end - 4096), -1):
        if not _LETTERS[data[place]]:
            return place + 1
    return end


def windows(hashed: Hashes) -> Hashes:
    """The hash of every run of WIDTH tokens, by the place of its first token."""
    count = len(hashed) - WIDTH + 1
    if count <= 0:
        return np.zeros(0, dtype=np.uint64)
    total = np.zeros(count, dtype=np.uint64)
    for step in range(WIDTH):
        total = total * _STEP + hashed[step : step + count]
    return _mixed(total)


def sequence(hashed: Hashes) -> int:
    """One number for a whole sequence of tokens."""
    total = np.uint64(len(hashed))
    with np.errstate(over="ignore"):
        for value in hashed:
            total = total * _STEP + value
    return int(_mixed(np.array([total], dtype=np.uint64))[0])


@dataclass(frozen=True, slots=True)
class WindowSet:
    """Hashes in ascending order, each with a number that says whose it is, and a filter before the search."""

    hashes: Hashes
    owners: Places
    filter: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, hashes: Hashes, owners: Places) -> "WindowSet":
        order = np.argsort(hashes, kind="stable")
        marks = np.zeros(1 << _FILTER_BITS, dtype=np.bool_)
        marks[(hashes >> _FILTER_SHIFT).astype(np.int64)] = True
        return cls(hashes[order], owners[order], marks)

    def find(self, searched: Hashes) -> tuple[Places, Places]:
        """The places in `searched` of what is in the set, and whose each is."""
        near = np.flatnonzero(self.filter[(searched >> _FILTER_SHIFT).astype(np.int64)])
        if not len(near) or not len(self.hashes):
            return near[:0], near[:0]
        spots = np.minimum(np.searchsorted(self.hashes, searched[near]), len(self.hashes) - 1)
        same = self.hashes[spots] == searched[near]
        return near[same], self.owners[spots[same]]


_FILTER_BITS = 22
_FILTER_SHIFT = np.uint64(64 - _FILTER_BITS)
