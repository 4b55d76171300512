"""The replay module: infer an executable Boolean causal model from interventional worlds; judged by replay alone.

A bundle is what is disclosed, a variant how much evidence there is, the level how large the problem is. Items with the
same version, level and index share their latent model, whatever bundle and variant.
"""

from dataclasses import replace

from benchpress.gate import GateError
from benchpress.generation import Address, BundleInfo, Made, PartCheck
from benchpress.items import Item, Verification, item_id

_LADDER = ("original", "extra_worlds", "counterexample")

BUNDLES: dict[str, BundleInfo] = {
    name: BundleInfo(summary, variants, {"MODEL": "mechanisms"})
    for name, summary, variants in (
        ("ordered", "Mechanisms from interventions, the causal order given", _LADDER),
        ("block_order", "Mechanisms from interventions, two or three blocks of the order given", _LADDER[:1]),
        ("hidden_order", "Mechanisms from interventions, the order hidden", _LADDER),
        ("hidden_roots", "Roots and mechanisms from interventions, the order hidden", _LADDER[:1]),
        ("alt_ordered", "Another model that fits, and an experiment that tells; the order given", _LADDER[:1]),
        ("alt_hidden", "Another model that fits, and an experiment that tells; the order hidden", _LADDER[:1]),
    )
}


class ReplayModule:
    """Items of mechanism induction."""

    name = "replay"
    bundles = BUNDLES

    def make(self, secret: bytes, address: Address) -> Made:
        """The item at `address`. Raises GateError where a key is not confirmed by both evaluators."""
        from benchpress.modules.replay.matched import draw_matched
        from benchpress.modules.replay.problems import METHODS, build, confirm
        from benchpress.modules.replay.suites import configuration

        size = configuration(address.version, address.level, address.index)
        matched = draw_matched(secret, address.version, size, address.index)
        item = build(matched, secret, address.bundle, address.variant, address.level)
        agreed, note = confirm(item)
        if not agreed:
            raise GateError(f"{address}: {note}")
        item = replace(item, verification=(Verification("MODEL", METHODS),))
        return Made(replace(item, id=item_id(item)), matched.refusals)

    def verify(self, item: Item) -> list[PartCheck]:
        """The key replayed by both evaluators in every world of `item.params`, and the prompt read back."""
        from benchpress.modules.replay.problems import METHODS, confirm

        agreed, note = confirm(item)
        return [PartCheck("MODEL", item.parts[0], agreed, METHODS, note)]

    def suite(self, name: str) -> list[Address]:
        """The addresses of a named set of items. Raises UserError for an unknown name."""
        from benchpress.modules.replay.suites import suite

        return [address for _, address in suite(name)]


MODULE = ReplayModule()
