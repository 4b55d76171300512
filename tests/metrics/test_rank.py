"""The rank check against brute force, and what it says of recipes."""

import itertools
import random
from fractions import Fraction
from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress.items import Item, Part
from benchpress.recipe import Recipe, read_recipe
from benchpress_evaluator.publishing.figures import (
    figures,
    may_be_published,
    places_of_addresses,
    places_of_items,
    refuse_narrow,
)
from benchpress_evaluator.publishing.rank import narrowest
from benchpress_evaluator.publishing.unknowns import Figure, Unknown
from installed import ROOT, Program, one_line_error

RECIPES = ROOT / "generator" / "src" / "benchpress" / "recipes"
MARGINS = ("bundle", "variant", "level")


def rank(rows: list[list[Fraction]]) -> int:
    """By elimination over the rationals."""
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((r for r in range(found, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for row in range(len(rows)):
            if row != found and rows[row][column]:
                factor = rows[row][column] / rows[found][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[found], strict=True)]
        found += 1
    return found


def isolates(stated: list[Figure], items: list[str], few: set[str]) -> bool:
    """Whether some combination of the figures is about items of `few` alone: without them the figures lose rank."""
    unknowns = sorted({unknown for figure in stated for unknown in figure.terms})
    rest = [unknown for unknown in unknowns if unknown.item not in few]
    whole = [[Fraction(figure.terms.get(unknown, 0)) for unknown in unknowns] for figure in stated]
    less = [[Fraction(figure.terms.get(unknown, 0)) for unknown in rest] for figure in stated]
    return rank(whole) > (rank(less) if rest else 0)


def least_by_brute_force(stated: list[Figure], items: list[str], below: int) -> int | None:
    for size in range(1, below):
        if any(isolates(stated, items, set(few)) for few in itertools.combinations(items, size)):
            return size
    return None


@pytest.mark.parametrize("seed", range(60))
def test_it_finds_exactly_what_brute_force_finds(seed: int) -> None:
    draw = random.Random(seed)
    items = [f"i{place}" for place in range(draw.randint(5, 9))]
    unknowns = [Unknown(item, name) for item in items for name in ("", "P")[: draw.choice((1, 1, 2))]]
    stated = []
    for place in range(draw.randint(1, 5)):
        chosen = [unknown for unknown in unknowns if draw.random() < draw.choice((0.4, 0.7, 0.9))]
        if chosen:
            stated.append(Figure("m", str(place), {unknown: draw.choice((1, 1, 1, 2, 3)) for unknown in chosen}))
    below = draw.choice((2, 3, 4))
    expected, found = least_by_brute_force(stated, items, below), narrowest(stated, below)
    assert (found is None) == (expected is None)
    if found is not None:
        assert found.proven
        assert len(found.items) < below
        assert isolates([stated[place] for place in found.figures], items, set(found.items))


def test_a_margin_inside_another_leaves_the_rest() -> None:
    items = [f"i{place}" for place in range(44)]
    nested = [
        Figure("bundle", "a", {Unknown(item, ""): 1 for item in items[:24]}),
        Figure("level", "1", {Unknown(item, ""): 1 for item in items[:20]}),
    ]
    found = narrowest(nested, 20)
    assert found is not None
    assert found.items == tuple(sorted(items[20:24]))
    assert narrowest(nested[:1], 20) is None


@pytest.mark.parametrize("name", ["causal-v1", "causal-public-v1", "replay-v1"])
def test_our_recipes_hide_every_group_of_twenty(name: str) -> None:
    plan = read_recipe(RECIPES / f"{name}.yaml")
    stated = figures(places_of_addresses(plan.addresses), plan.margins, track=plan.module)
    assert {figure.margin for figure in stated} >= {"overall", *MARGINS}
    assert narrowest(stated, 20) is None
    # The bound is sharp: one figure alone, a cell of 20, is about 20 items.
    found = narrowest(stated, 21)
    assert found is not None
    assert len(found.items) == 20


def test_a_recipe_whose_margins_together_tell_too_much_is_refused_in_one_line() -> None:
    """Level 1 occurs in one bundle alone and on 28 of its 35 items: the two cells leave 7."""
    plan = Recipe.model_validate(
        {
            "version": "narrow",
            "module": "causal",
            "bundles": ["confounding", "mediation", "front_door"],
            "per_variant": 7,
            "levels": [4, 5],
            "bundle_levels": {"confounding": [1, 1, 1, 1, 5]},
        }
    )
    plan.check_cells()
    with pytest.raises(UserError) as refused:
        refuse_narrow(plan.version, places_of_addresses(plan.addresses), plan.margins, track=plan.module)
    said = str(refused.value)
    assert "\n" not in said
    for word in ("narrow", "bundle confounding", "level 1", "7 items", "'level' out of margins"):
        assert word in said
    refuse_narrow(plan.version, places_of_addresses(plan.addresses), ("bundle", "variant"), track=plan.module)


def test_seal_refuses_it_before_anything_is_made(program: Program, tmp_path: Path) -> None:
    (tmp_path / "narrow.yaml").write_text(
        "{version: narrow, module: causal, bundles: [confounding, mediation, front_door], per_variant: 7, "
        "levels: [4, 5], bundle_levels: {confounding: [1, 1, 1, 1, 5]}}"
    )
    said = one_line_error(program("seal", "--recipe", "narrow.yaml", "--passphrase", BENCHPRESS_PASSPHRASE="x"))
    assert "bundle and level" in said
    assert not (tmp_path / "private").exists()


def item(place: int, parts: tuple[Part, ...]) -> Item:
    return Item(f"x{place}", "causal", "b", "base", 4, {}, "?", parts, ())


def test_a_skill_that_differs_from_a_part_by_few_items_is_not_published() -> None:
    """26 items test ordering, 22 of them by the part ORDER: both shares would tell of the other four."""
    order, other = (Part(name, "sequence", [], {}, ("ordering",)) for name in ("ORDER", "OTHER"))
    alone = Part("ALONE", "number", "1", {}, ())
    items = [item(place, (order, alone)) for place in range(22)] + [
        item(place, (other, alone)) for place in range(22, 26)
    ]
    cells = may_be_published(places_of_items(items), MARGINS, track="causal")
    assert not {("part", "ORDER"), ("skill", "ordering")} <= cells
    assert ("part", "ALONE") in cells


def test_the_public_twin_publishes_what_is_proved_and_no_more(tmp_path: Path) -> None:
    from benchpress.jsonl import read_items

    items = tuple(read_items(ROOT / "public_examples" / "versions" / "causal-public-v1.jsonl"))
    places = places_of_items(items)
    cells = may_be_published(places, MARGINS, track="causal")
    kept = [figure for figure in figures(places, MARGINS, track="causal") if (figure.margin, figure.name) in cells]
    assert narrowest(kept, 20) is None
    for margin in ("bundle", "variant", "level"):
        assert len({name for which, name in cells if which == margin}) == len({getattr(p, margin) for p in places})
    assert sum(margin == "skill" for margin, _ in cells) >= 20
