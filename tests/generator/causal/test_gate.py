"""The gate: two methods that share no code, and no wrong key passes them."""

import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from benchpress.gate import GateError, Key, admit
from benchpress.generation import Address, make
from benchpress.items import Item, Json, Part
from benchpress.modules.causal import BUNDLES, MODULE
from benchpress.streams import secret_from_seed
from benchpress.wording.numbers import show

SECRET = secret_from_seed(7)
EVERY = [(bundle, variant) for bundle in BUNDLES for variant in MODULE.rooms[bundle].variants]
EXACT_ROOMS = (
    "/benchpress/graphs/",
    "/benchpress/models/linear",
    "/benchpress/models/elimination",
    "/benchpress/models/discrete",
    "/benchpress/models/exact",
    "/benchpress/models/table",
    "/benchpress/models/formulas",
    "/benchpress/models/causation",
    "/benchpress/models/structural",
    "/benchpress/modules/causal/worlds",
    "/benchpress/modules/causal/observed",
)
SECOND_ROOMS = ("/benchpress/modules/causal/checks", "/benchpress/models/simulation")


def item_of(bundle: str, variant: str, level: int = 5, index: int = 0) -> Item:
    return make(SECRET, Address("causal", "test", bundle, variant, level, index)).item


def code_run_by(work: Callable[[], Any]) -> set[CodeType]:
    """Code objects of our package that are entered while `work` runs."""
    seen: set[CodeType] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and "/benchpress/" in frame.f_code.co_filename:
            seen.add(frame.f_code)

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return seen


def paths(code: set[CodeType]) -> set[str]:
    return {Path(one.co_filename).as_posix() for one in code}


@pytest.mark.parametrize(("bundle", "variant"), EVERY)
def test_the_two_methods_share_no_code(bundle: str, variant: str) -> None:
    item, room = item_of(bundle, variant), MODULE.rooms[bundle]
    keys: dict[str, Key] = {}
    first = code_run_by(lambda: keys.update(room.first(item.params)))
    second = code_run_by(lambda: room.second(item.params, keys))
    assert not [path for path in paths(second) if any(room in path for room in EXACT_ROOMS)]
    assert not [path for path in paths(first) if any(room in path for room in SECOND_ROOMS)]
    shared = {one.co_qualname for one in first & second if "/wording/numbers" not in one.co_filename}
    assert not shared, shared


def wrong_values(part: Part) -> list[Json]:
    """Values near the key that are not right."""
    if part.type == "number":
        gold, tolerance = Fraction(part.gold), Fraction(part.params.get("tolerance", "0"))
        return [show(gold + 3 * tolerance + Fraction(1, 100)), show(gold - 3 * tolerance - Fraction(1, 100))]
    if part.type == "verdict":
        return [word for word in part.params["vocabulary"] if word != part.gold]
    right = [part.gold, *part.params.get("accept", [])]
    names = sorted(part.params.get("universe", ()))
    if part.type == "node_set":
        changed = [sorted(set(part.gold) ^ {name}) for name in names]
    elif part.type == "sequence":
        changed = [[*part.gold[1:], *part.gold[:1]], list(reversed(part.gold))]
    else:
        changed = [part.gold[1:], [[b, a] for a, b in part.gold]] if part.gold else [[names[:2]]]
    return [value for value in changed if value not in right]


@pytest.mark.parametrize(("bundle", "variant"), EVERY)
def test_an_injected_miskey_is_refused(bundle: str, variant: str) -> None:
    room = MODULE.rooms[bundle]
    tried = set()
    for index in range(3):
        item = item_of(bundle, variant, index=index)
        keys = room.first(item.params)
        for part in item.parts:
            for value in wrong_values(part):
                injected = {**keys, part.id: Key(value)}
                with pytest.raises(GateError, match=part.id):
                    admit("test", injected, room.second(item.params, injected))
                tried.add(part.type)
    assert tried == {part.type for part in item.parts}


@pytest.mark.parametrize(("bundle", "variant"), EVERY)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_keys_follow_from_params_alone_and_the_exact_solver_reads_the_prompt(
    bundle: str, variant: str, level: int
) -> None:
    from benchpress.grading import grade_item
    from benchpress.items import Response
    from benchpress.modules.causal.reference import SOLVERS

    for index in range(6):
        item = item_of(bundle, variant, level, index)
        checks = MODULE.verify(item)
        assert [check.derived for check in checks] == list(item.parts)
        assert all(check.agreed for check in checks)
        assert grade_item(item, Response(item.id, SOLVERS["exact"](item.prompt))).correct
        assert len(item.parts) >= 3


def test_a_part_that_was_not_checked_is_refused() -> None:
    with pytest.raises(GateError, match="not checked"):
        admit("test", {"A": Key("1")}, {})
