"""Named sets of replay items: the suite with the ten pools of the paper."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchpress.errors import UserError
from benchpress.generation import Address
from benchpress.modules.replay.configurations import LEVELS, SUITE, Configuration

PAPER = "replay-paper-v1"
"""The version under which the items of the suite are addressed."""

MATCHED = 100
FULL = 250


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool: which setting and evidence, and which models, by index. Equal indices are equal models in every pool."""

    name: str
    bundle: str
    variant: str
    indices: tuple[int, ...]


_SHARED = tuple(range(MATCHED))

POOLS: tuple[Pool, ...] = (
    Pool("Ord-Full", "ordered", "original", tuple(range(FULL))),
    Pool("Hid-Full", "hidden_order", "original", _SHARED + tuple(range(FULL, 2 * FULL - MATCHED))),
    Pool("Block", "block_order", "original", _SHARED),
    Pool("Hid-Roots", "hidden_roots", "original", _SHARED),
    Pool("Alt-Ord", "alt_ordered", "original", _SHARED),
    Pool("Alt-Hid", "alt_hidden", "original", _SHARED),
    Pool("Ord-Ext", "ordered", "extra_worlds", _SHARED),
    Pool("Hid-Ext", "hidden_order", "extra_worlds", _SHARED),
    Pool("Ord-CEx", "ordered", "counterexample", _SHARED),
    Pool("Hid-CEx", "hidden_order", "counterexample", _SHARED),
)
"""Ord-Match and Hid-Match, the original level of the ladder, are the first hundred of the two full pools."""


def configuration(version: str, level: int, index: int) -> Configuration:
    """How large the problem at an address is: by its level, but in the suite by its index."""
    if version != PAPER:
        return LEVELS[level]
    return LEVELS[5] if index < MATCHED else SUITE[(index - MATCHED) % len(SUITE)]


def suite(name: str) -> Iterator[tuple[str, Address]]:
    """Pool and address of every item of a suite, in order. Raises UserError for an unknown name."""
    if name != "paper":
        raise UserError(f"unknown suite {name!r} of module replay: known is 'paper'")
    for pool in POOLS:
        for index in pool.indices:
            level = configuration(PAPER, 0, index).level
            yield pool.name, Address("replay", PAPER, pool.bundle, pool.variant, level, index)
