"""What is public of a version's kind of items: the windows of 2,000 items that anybody can make.

Template text, names and short tables recur in any two sets of items; only what stands in none of the public ones is
telling. The public items are drawn once under a public seed and kept in the workspace as hashes.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

import numpy as np
from benchpress.canonical import canonical_bytes
from benchpress.commitment import installed_release
from benchpress.generation import PRACTICE, Address, generate
from benchpress.items import Item
from benchpress.streams import secret_from_seed

from benchpress_evaluator.json_text import parse_json
from benchpress_evaluator.leaks.windows import Hashes, sequence, tokens

PUBLIC_ITEMS = 2_000
SEED = 0
"""The public seed of the items that tell what is template text."""
_FORMAT = "benchpress.public-windows/2"


@dataclass(frozen=True, slots=True)
class Known:
    """Hashes of what is public: windows of prompts, parameters and everything else in an item line, and whole parameter
    lines. A window is public wherever it stands: names that a prompt lists may be listed in a part."""

    windows: Hashes
    lines: Hashes

    @classmethod
    def of(cls, items: Iterable[Item]) -> "Known":
        found, lines = [], []
        for item in items:
            texts = (item.prompt.encode(), canonical_bytes(item.params), canonical_bytes(item.to_json()))
            found += [tokens(text).windows() for text in texts]
            lines.append(sequence(tokens(texts[1]).hashes))
        return cls(_distinct(found), np.unique(np.array(lines, dtype=np.uint64)))

    def __or__(self, other: "Known") -> "Known":
        return Known(_distinct([self.windows, other.windows]), _distinct([self.lines, other.lines]))


NOTHING = Known(*(np.zeros(0, dtype=np.uint64) for _ in range(2)))


def _distinct(arrays: Sequence[Hashes]) -> Hashes:
    return np.unique(np.concatenate([np.zeros(0, dtype=np.uint64), *arrays]))


def public_addresses(addresses: Sequence[Address], wanted: int) -> list[Address]:
    """`wanted` public addresses over the bundles, variants and levels of `addresses`, as evenly as it goes."""
    kinds = sorted({(a.module, a.bundle, a.variant, a.level) for a in addresses})
    # A step that goes through all kinds and mixes them, so that fewer items than kinds are of every bundle too.
    step = next(step for step in count(round(len(kinds) * 0.618) or 1) if np.gcd(step, len(kinds)) == 1)
    rounds: Iterator[Address] = (
        Address(module, PRACTICE, bundle, variant, level, index)
        for index in count()
        for place in range(len(kinds))
        for module, bundle, variant, level in [kinds[place * step % len(kinds)]]
    )
    return list(islice(rounds, wanted))


def known_public(
    addresses: Sequence[Address],
    folder: Path,
    *,
    wanted: int = PUBLIC_ITEMS,
    pool: Executor | None = None,
    step: Callable[[], object] = lambda: None,
) -> Known:
    """The windows of `wanted` public items like those at `addresses`; made once and kept in `folder`."""
    places = public_addresses(addresses, wanted)
    named = [[a.module, a.bundle, a.variant, a.level, a.index] for a in places]
    stamp = canonical_bytes([_FORMAT, installed_release().to_json(), named])
    file = folder / f"{hashlib.sha256(stamp).hexdigest()[:32]}.npz"
    if file.exists():
        try:
            with np.load(file, allow_pickle=False) as held:
                return Known(held["windows"], held["lines"])
        except (OSError, ValueError, KeyError):
            file.unlink()

    def items() -> Iterator[Item]:
        for made in generate(secret_from_seed(SEED), places, pool):
            step()
            yield made.item

    known = Known.of(items())
    folder.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}.new")
    with new.open("wb") as out:
        np.savez(out, windows=known.windows, lines=known.lines)
    new.replace(file)
    return known


def known_examples(folder: Path) -> Known:
    """The windows of the item files in a folder of public examples; other files are passed over."""
    known = NOTHING
    for path in sorted(folder.rglob("*.jsonl")):
        try:
            lines = [parse_json(line) for line in path.read_bytes().splitlines() if line.strip()]
            items = [Item.from_json(value) for value in lines]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        known |= Known.of(items)
    return known
