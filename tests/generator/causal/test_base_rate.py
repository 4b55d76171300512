"""Base rates: textbook problems, and every key of generated items by adding cells in fractions."""

from fractions import Fraction
from typing import Any

import pytest
from benchpress.gate import Key
from benchpress.modules.causal.base_rate import BUNDLE
from binary import chance, entry, network
from solved import items, modal_share, solved


def problem(*tables: dict[str, Any], seen: str = "11", clues: str = "EF") -> dict[str, Any]:
    return {
        **network(*tables),
        "roles": {"event": "H", "first clue": "E", "second clue": "F"},
        "seen": list(seen),
        "sets": {"clues": sorted(clues)},
    }


# The cab problem (Tversky and Kahneman 1982): 15 % of cabs are blue, a witness is right in 80 % of cases: 12/29. A
# second witness of the same kind who looks for himself: 0.15 * 0.64 / (0.15 * 0.64 + 0.85 * 0.04) = 48/65.
CABS = problem(entry("H", "", "0.15"), entry("E", "H", "0.2", "0.8"), entry("F", "H", "0.2", "0.8"))
# A second witness who only repeats what the first one said, and is heard wrongly once in ten times.
HEARSAY = problem(entry("H", "", "0.15"), entry("E", "H", "0.2", "0.8"), entry("F", "E", "0.1", "0.9"))
# Two coins and a bell that rings when either shows heads (Primer, section 2.3): 2/3 and, the other coin known, 1/2.
BELL = problem(entry("H", "", "0.5"), entry("F", "", "0.5"), entry("E", "FH", "0", "1", "1", "1"))


@pytest.mark.parametrize(
    ("params", "one", "two", "direction"),
    [(CABS, "12/29", "48/65", "raises"), (HEARSAY, "12/29", "12/29", "same"), (BELL, "2/3", "0.5", "lowers")],
)
def test_textbook_problems(params: dict[str, Any], one: str, two: str, direction: str) -> None:
    keys = BUNDLE.first(params)
    assert [keys[part].gold for part in ("POSTERIOR", "POSTERIOR_TWO", "DIRECTION")] == [one, two, direction]
    assert {part: right for part, right in BUNDLE.second(params, keys).items() if part != "ORDER"} == {
        "POSTERIOR": True,
        "POSTERIOR_TWO": True,
        "DIRECTION": True,
    }


@pytest.mark.parametrize(
    ("part", "value"),
    [("POSTERIOR", "0.8"), ("POSTERIOR_TWO", "0.6"), ("DIRECTION", "raises"), ("ORDER", ["E", "F"])],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    keys = {**BUNDLE.first(HEARSAY), part: Key(value)}
    assert [one for one, right in BUNDLE.second(HEARSAY, keys).items() if not right] == [part]


@pytest.mark.parametrize(("variant", "level"), [("base", 2), ("trap", 5), ("numeric", 7), ("transfer", 4)])
def test_keys_by_adding_cells(variant: str, level: int) -> None:
    for item in items("base_rate", variant, level, 4):
        params, gold = item.params, {part.id: part.gold for part in item.parts}
        h, e, f = (params["roles"][role] for role in ("event", "first clue", "second clue"))
        seen = dict(zip((e, f), map(int, params["seen"]), strict=True))
        one, two = chance(params, {h: 1}, {e: seen[e]}), chance(params, {h: 1}, seen)
        assert (Fraction(gold["POSTERIOR"]), Fraction(gold["POSTERIOR_TWO"])) == (one, two)
        assert gold["DIRECTION"] == ("same" if one == two else "raises" if two > one else "lowers")
        alone = {name: chance(params, {h: 1}, {name: 1}) for name in params["sets"]["clues"]}
        assert gold["ORDER"] == sorted(alone, key=lambda name: alone[name])
        if "rate" in params:
            prior, rate = chance(params, {h: 1}), Fraction(params["rate"][0])
            likely = [chance(params, seen, {h: value}) for value in (0, 1)]
            assert prior != rate
            assert Fraction(gold["SHIFTED"]) == rate * likely[1] / (rate * likely[1] + (1 - rate) * likely[0])


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("base_rate", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("base_rate", variant, 5, 40)]
    assert modal_share(made) <= 0.65
