"""From a secret and a specification to verified items: addresses, the module contract, ordered parallel work."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Protocol, TypeVar

from benchpress.errors import UserError
from benchpress.items import Item, Part
from benchpress.registry import MODULES

T = TypeVar("T")
U = TypeVar("U")

LEVELS = range(1, 11)
PRACTICE = "practice"
"""The version under which practice items are addressed."""


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """Where an item stands. With the secret it determines the item and nothing else does."""

    module: str
    version: str
    bundle: str
    variant: str
    level: int
    index: int


@dataclass(frozen=True, slots=True)
class BundleInfo:
    """What `benchpress modules` says about a bundle."""

    summary: str
    variants: tuple[str, ...]
    parts: Mapping[str, str]
    """Part id -> part type, of the base variant."""
    levels: tuple[int, ...] = tuple(LEVELS)


@dataclass(frozen=True, slots=True)
class Made:
    """One item, and how often each reason made the drawing start again before it was admitted."""

    item: Item
    refusals: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PartCheck:
    """One part's key derived anew from `params` by two methods that share no code."""

    part: str
    derived: Part
    """The part with the key, and every acceptable value, as the first method derives it."""
    agreed: bool
    """Whether the second method confirms it."""
    methods: tuple[str, ...]
    note: str = ""


class Module(Protocol):
    """A generator of items: a pure function of secret and address."""

    name: str
    bundles: Mapping[str, BundleInfo]

    def make(self, secret: bytes, address: Address) -> Made:
        """The item at `address`; every key was confirmed by two methods before it is returned."""
        ...

    def verify(self, item: Item) -> list[PartCheck]:
        """Derive every key from `item.params` alone, by both methods."""
        ...


def addresses(
    module: str,
    version: str,
    bundles: Iterable[str] = (),
    variants: Iterable[str] = (),
    levels: Iterable[int] = (5,),
    count: int = 1,
) -> list[Address]:
    """`count` addresses per bundle, variant and level, in the module's order. Empty filters mean all.

    Raises UserError for an unknown module, bundle, variant or level.
    """
    room: Module = MODULES.get(module)
    chosen = list(bundles) or list(room.bundles)
    for bundle in chosen:
        if bundle not in room.bundles:
            raise UserError(f"unknown bundle {bundle!r} in module {module}: known are {', '.join(room.bundles)}")
    wanted = list(variants)
    known = {variant for info in room.bundles.values() for variant in info.variants}
    for variant in wanted:
        if variant not in known:
            raise UserError(f"unknown variant {variant!r} in module {module}: known are {', '.join(sorted(known))}")
    steps = list(levels)
    for level in steps:
        if level not in LEVELS:
            raise UserError(f"level {level} does not exist: levels go from 1 to 10")
    if count < 0:
        raise UserError(f"the number of items must not be negative, and {count} is")
    return [
        Address(module, version, bundle, variant, level, index)
        for bundle in chosen
        for variant in room.bundles[bundle].variants
        if not wanted or variant in wanted
        for level in steps
        for index in range(count)
    ]


def make(secret: bytes, address: Address) -> Made:
    """The item at `address` under `secret`, by whichever module it belongs to."""
    room: Module = MODULES.get(address.module)
    return room.make(secret, address)


def generate(secret: bytes, places: Iterable[Address], executor: Executor | None = None) -> Iterator[Made]:
    """The items at `places`, in that order, whatever the executor."""
    return ordered(partial(make, secret), places, executor)


def ordered(
    work: Callable[[T], U], things: Iterable[T], executor: Executor | None = None, chunk_size: int = 8
) -> Iterator[U]:
    """`work` on each of `things`, results in their order, by any `concurrent.futures.Executor`.

    A bounded number of chunks is under way at a time, so memory stays flat however many things there are.
    """
    if executor is None:
        yield from map(work, things)
        return
    source = iter(things)
    waiting: deque[Future[list[U]]] = deque()
    try:
        while True:
            while len(waiting) < 32 and (chunk := list(islice(source, chunk_size))):
                waiting.append(executor.submit(_work_on, work, chunk))
            if not waiting:
                return
            yield from waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _work_on(work: Callable[[T], U], chunk: list[T]) -> list[U]:
    return [work(thing) for thing in chunk]


def tally(made: Iterable[Made]) -> Counter[str]:
    """Refusals by reason, over many items."""
    total: Counter[str] = Counter()
    for one in made:
        total.update(one.refusals)
    return total
