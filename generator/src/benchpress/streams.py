"""Deterministic randomness: a secret and an address give an independent stream of draws.

Streams are derived by HMAC-SHA256 over a canonical JSON array, so an item depends on the secret and on its
own address and on nothing else. Draws come from SHAKE-256 with rejection sampling: the same on every
machine, Python and library version.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

from benchpress.canonical import canonical_bytes

T = TypeVar("T")

FORMAT = "benchpress.stream/1"
SEED_FORMAT = b"benchpress.public-practice-seed/1:"


def secret_from_seed(seed: int) -> bytes:
    """The 32-byte secret of a small integer seed. For public practice only: anybody can guess it."""
    return hashlib.sha256(SEED_FORMAT + str(seed).encode()).digest()


def derive(secret: bytes, *path: str | int) -> "Stream":
    """The stream that belongs to `path` under `secret`.

    `path` is (module, version, bundle, variant, level, index, attempt, purpose) for items; a coordinate is
    left out on purpose where several items share draws.
    """
    return Stream(hmac.new(secret, canonical_bytes([FORMAT, *path]), hashlib.sha256).digest())


class Stream:
    """An endless sequence of uniform draws from one 32-byte key."""

    __slots__ = ("_at", "_buffer", "_shake")

    def __init__(self, key: bytes) -> None:
        self._shake = hashlib.shake_256(key)
        self._buffer = self._shake.digest(512)
        self._at = 0

    def _take(self, count: int) -> int:
        end = self._at + count
        if end > len(self._buffer):
            self._buffer = self._shake.digest(max(2 * len(self._buffer), end))
        value = int.from_bytes(self._buffer[self._at : end])
        self._at = end
        return value

    def bits(self, count: int) -> int:
        """An integer of `count` uniform bits."""
        size = (count + 7) // 8
        return self._take(size) >> (8 * size - count)

    def below(self, bound: int) -> int:
        """A uniform integer in [0, bound). Raises ValueError unless bound is positive."""
        if bound < 1:
            raise ValueError(f"no integer lies in [0, {bound})")
        width = (bound - 1).bit_length()
        if width == 0:
            return 0
        if width > 8:
            while True:
                value = self.bits(width)
                if value < bound:
                    return value
        # The same for draws of one byte, which are nearly all, without the detour.
        shift = 8 - width
        while True:
            if self._at == len(self._buffer):
                self._buffer = self._shake.digest(2 * self._at)
            value = self._buffer[self._at] >> shift
            self._at += 1
            if value < bound:
                return value

    def between(self, low: int, high: int) -> int:
        """A uniform integer in [low, high], both ends included."""
        return low + self.below(high - low + 1)

    def chance(self, numerator: int, denominator: int) -> bool:
        """True with probability numerator / denominator."""
        return self.below(denominator) < numerator

    def choice(self, options: Sequence[T]) -> T:
        """One of `options`, each equally likely."""
        return options[self.below(len(options))]

    def weighted(self, options: Sequence[T], weights: Sequence[int]) -> T:
        """One of `options`, with probability proportional to its whole-number weight."""
        ticket = self.below(sum(weights))
        for option, weight in zip(options, weights, strict=True):
            ticket -= weight
            if ticket < 0:
                return option
        raise AssertionError("unreachable")

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """A uniform permutation of `options` (Fisher-Yates)."""
        result = list(options)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """`count` distinct places of `options` in uniformly random order."""
        if count > len(options):
            raise ValueError(f"cannot draw {count} of {len(options)}")
        pool = list(options)
        for place in range(count):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]
