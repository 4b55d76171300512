"""A module whose items carry canaries in prompt, parameters and key, and a method that fails with one in its error."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchpress.generation import Address, BundleInfo, Made, PartCheck
from benchpress.items import Item, Part, Verification, item_id
from benchpress.streams import derive
from benchpress_evaluator.methods.base import Answer, Ask, Method
from benchpress_evaluator.records import Json, Request

PROMPT = "canaryprompt4711xq"
PARAMS = "canaryparams4712xq"
KEY = "canarykey4713xq"
RESPONSE = "canaryresponse4714xq"
EXCEPTION = "canaryexception4715xq"
VENDOR = "canaryvendor4716xq"
ALL = (PROMPT, PARAMS, KEY, RESPONSE, EXCEPTION, VENDOR)

NAMES = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "knoll", "larch", "maple")


class Planted:
    name = "planted"
    bundles: Mapping[str, BundleInfo] = {
        "chain": BundleInfo("Names in order.", ("base", "trap"), {"ORDER": "sequence", "COUNT": "number"})
    }

    def make(self, secret: bytes, address: Address) -> Made:
        place = (address.module, address.version, address.bundle, address.variant, address.level, address.index)
        draw = derive(secret, *place)
        # The canaries are of the secret that is sealed; items of the public seed have other words there.
        mark = "" if address.version == "practice" else "x"
        names = draw.shuffled(NAMES)[:9]
        weights = [draw.between(100, 999) for _ in names]
        prompt = f"The weights are: {', '.join(f'{n} {w}' for n, w in zip(names, weights, strict=True))}."
        if mark:
            prompt += f' A note says "{PROMPT}" & <{PROMPT}>.'
        prompt += "\nWhich are the two heaviest, in order, and how many are there?\nORDER: [a, b]\nCOUNT: a number"
        best = sorted(zip(weights, names, strict=True), reverse=True)[:2]
        gold = [name for _, name in best] + ([KEY] if mark else [])
        item = Item(
            id="",
            module=self.name,
            bundle=address.bundle,
            variant=address.variant,
            level=address.level,
            params={"weights": dict(zip(names, weights, strict=True)), "note": PARAMS if mark else "none"},
            prompt=prompt,
            parts=(
                Part("ORDER", "sequence", gold, {"universe": [*NAMES, KEY], "cyclic": False}, ("ordering",)),
                Part("COUNT", "number", "9", {"tolerance": "0"}, ("counting",)),
            ),
            verification=(Verification("ORDER", ("a", "b")), Verification("COUNT", ("a", "b"))),
        )
        return Made(replace(item, id=item_id(item)))

    def verify(self, item: Item) -> list[PartCheck]:
        return [PartCheck(part.id, part, True, ("a", "b")) for part in item.parts]


class Fails(Method):
    """Fails with an error that quotes everything it was given."""

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        completion = await ask("answer", Request.of(item.prompt))
        raise ValueError(f"{EXCEPTION} {item.prompt} {item.params} {item.parts[0].gold} {completion.text}")


MODULE = Planted()
FAILS = Fails()
