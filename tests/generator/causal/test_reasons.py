"""Every part of every bundle has a reason that a reader of the public examples is shown."""

import pytest
from benchpress.generation import addresses, make
from benchpress.modules.causal import MODULE
from benchpress.streams import secret_from_seed
from benchpress.wording.lint import lint

PLACES = addresses("causal", "reasons", (), (), (2, 7), 1)


@pytest.mark.parametrize("name", sorted(MODULE.rooms))
def test_every_part_has_a_reason_in_plain_words(name: str) -> None:
    room = MODULE.rooms[name]
    for place in PLACES:
        if place.bundle != name:
            continue
        item = make(secret_from_seed(8), place).item
        reasons = room.why(item.params, room.first(item.params))
        assert set(reasons) == {part.id for part in item.parts}
        for text in reasons.values():
            assert text.endswith(".")
            assert "{{" not in text
            assert not lint(text)
