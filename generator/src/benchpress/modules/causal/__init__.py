"""The causal module: one file a bundle; every key follows from the printed problem and is proved twice."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module

from benchpress.gate import GateError, Redraw, admit
from benchpress.generation import Address, BundleInfo, Made, PartCheck
from benchpress.items import Item, Verification, item_id
from benchpress.modules.causal.bundle import Bundle
from benchpress.modules.causal.prompts import compose, parts_of
from benchpress.streams import derive
from benchpress.wording.lint import lint
from benchpress.wording.sayings import Wording

BUNDLES: tuple[str, ...] = (
    "confounding",
    "collider_bias",
    "m_bias",
    "mediation",
    "simpson",
    "base_rate",
    "instrument",
    "front_door",
    "selection",
    "transport",
    "time_varying",
    "d_separation",
    "equivalence",
    "discovery",
    "counterfactual",
    "causation_probability",
    "identification",
    "effect_modification",
    "measurement_error",
    "do_vs_observe",
    "difference_in_differences",
    "experiment_design",
)
"""Bundles in their published order; each is the file of the same name with its class instance `BUNDLE`."""

MAX_ATTEMPTS = 1000


class Bundles(Mapping[str, Bundle]):
    """The bundles by name, each imported when first used."""

    def __getitem__(self, name: str) -> Bundle:
        if name not in BUNDLES:
            raise KeyError(name)
        bundle: Bundle = import_module(f"{__name__}.{name}").BUNDLE
        return bundle

    def __iter__(self) -> Iterator[str]:
        return iter(BUNDLES)

    def __len__(self) -> int:
        return len(BUNDLES)


class CausalModule:
    """Items of causal inference in 22 bundles, five variants and ten levels."""

    name = "causal"

    def __init__(self) -> None:
        self.rooms = Bundles()

    @cached_property
    def bundles(self) -> dict[str, BundleInfo]:
        return {name: BundleInfo(room.summary, room.variants, room.parts) for name, room in self.rooms.items()}

    def make(self, secret: bytes, address: Address) -> Made:
        """The item at `address`. Raises GateError where the two methods disagree or the prompt says something else."""
        bundle = self.rooms[address.bundle]
        path = ("causal", address.version, address.bundle, address.variant, address.level, address.index)
        refusals: Counter[str] = Counter()
        for attempt in range(MAX_ATTEMPTS):
            try:
                drawn = bundle.draw(derive(secret, *path, attempt, "draw"), address.variant, address.level)
                keys = bundle.first(drawn.params)
                break
            except Redraw as decision:
                refusals[decision.reason] += 1
        else:
            raise GateError(f"{'/'.join(map(str, path))}: no problem in {MAX_ATTEMPTS} drawings: {dict(refusals)}")

        where = "/".join(map(str, path))
        asked = bundle.asked(drawn.params)
        admit(where, keys, bundle.second(drawn.params, keys))
        parts = parts_of(asked, keys)
        wording = Wording(derive(secret, *path, attempt, "wording"), formal=address.variant == "transfer")
        prompt = compose(bundle, drawn, asked, parts, wording)
        if bundle.read(prompt) != drawn.params:
            raise GateError(f"{where}: the printed problem does not read back as its params")
        if refused := lint(prompt):
            raise GateError(f"{where}: the vocabulary lint refuses {', '.join(refused)}")
        item = Item(
            id="",
            module="causal",
            bundle=address.bundle,
            variant=address.variant,
            level=address.level,
            params=drawn.params,
            prompt=prompt,
            parts=parts,
            verification=tuple(Verification(part.id, bundle.methods) for part in parts),
        )
        return Made(_with_id(item), refusals)

    def verify(self, item: Item) -> list[PartCheck]:
        """Every key derived anew from `item.params`, by both methods."""
        bundle = self.rooms[item.bundle]
        keys = bundle.first(item.params)
        confirmed = bundle.second(item.params, keys)
        stated = bundle.read(item.prompt) == dict(item.params)
        note = "" if stated else "the printed problem does not read back as params"
        return [
            PartCheck(one.id, one.part(keys[one.id]), confirmed.get(one.id, False) and stated, bundle.methods, note)
            for one in bundle.asked(item.params)
        ]


def _with_id(item: Item) -> Item:
    return Item(**{**{name: getattr(item, name) for name in item.__slots__}, "id": item_id(item)})


MODULE = CausalModule()
