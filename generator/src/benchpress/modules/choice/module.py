"""The choice module: multiple-choice forms of causal items.

Public sets are prepared, not generated, so the module has one bundle of its own. Item number i of a variant and level
is the form of causal item number i // 22 of the bundle i % 22, under the same secret and version: the same problem can
be asked in both forms.
"""

from collections.abc import Mapping
from typing import Any

from benchpress.gate import Key
from benchpress.generation import Address, BundleInfo, Made, PartCheck
from benchpress.items import Item
from benchpress.streams import derive

BUNDLE = "causal_choice"
VARIANTS = ("base", "trap", "transfer", "numeric")

BUNDLES: dict[str, BundleInfo] = {
    BUNDLE: BundleInfo(
        "causal problems with four to six options, the wrong ones from typical mistakes", VARIANTS, {"ANSWER": "choice"}
    )
}


class CausalForms:
    """What can be said about an item of the bundle beyond its key."""

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:  # noqa: ARG002
        """Why the key is right, and for every other option what a solver who picks it has done."""
        from benchpress.modules.choice.causal.form import reasons

        right, wrong = reasons(params)
        told = [f"{letter} {what}." for letter, what in wrong.items()]
        return {"ANSWER": " ".join([right, *told]).strip()}


class ChoiceModule:
    """Multiple-choice items whose keys are proved twice and whose other options are refused twice."""

    name = "choice"
    bundles = BUNDLES
    rooms: Mapping[str, CausalForms] = {BUNDLE: CausalForms()}

    def make(self, secret: bytes, address: Address) -> Made:
        """The item at `address`. Raises GateError where a key or a wrong option is not proved by both methods."""
        from benchpress.modules.causal import MODULE as CAUSAL
        from benchpress.modules.choice.causal.focal import options_at
        from benchpress.modules.choice.causal.form import of_causal

        count = options_at(address.level)
        block, turn = divmod(address.index, count)
        path = ("choice", address.version, address.bundle, address.variant, address.level)
        place = derive(secret, *path, block, "places").shuffled(range(count))[turn]
        made = CAUSAL.make(secret, causal_address(address))
        return Made(of_causal(made.item, count, place, derive(secret, *path, address.index, "options")), made.refusals)

    def verify(self, item: Item) -> list[PartCheck]:
        """The right option derived anew from the problem in `params`, and every other one refused, by both methods."""
        from benchpress.modules.causal import MODULE as CAUSAL
        from benchpress.modules.choice.causal.form import part_of, prove

        if item.bundle != BUNDLE:
            note = "the keys of an outside set stand as published; nothing here derives them"
            return [PartCheck(part.id, part, False, (), note) for part in item.parts]
        found = prove(item)
        derived = part_of(item, found.letter or "")
        methods = CAUSAL.rooms[item.params["problem"]["bundle"]].methods
        return [PartCheck(derived.id, derived, found.confirmed, methods, found.note)]


def causal_address(address: Address) -> Address:
    """Where the causal item stands whose form is at `address`."""
    from benchpress.modules.causal import BUNDLES as CONCEPTS

    index, concept = divmod(address.index, len(CONCEPTS))
    return Address("causal", address.version, CONCEPTS[concept], address.variant, address.level, index)


def choice_address(address: Address) -> Address:
    """Where the form of the causal item at `address` stands; the inverse of :func:`causal_address`."""
    from benchpress.modules.causal import BUNDLES as CONCEPTS

    index = address.index * len(CONCEPTS) + CONCEPTS.index(address.bundle)
    return Address("choice", address.version, BUNDLE, address.variant, address.level, index)


MODULE = ChoiceModule()
