"""Which sums a publication states of every entrant, as rows over what each of its items may tell.

The unknowns of an entrant are whether an item is right as a whole and whether a part of it is; where an item has one
part they are the same. Statuses, lengths, costs and what two entrants have in common are unknowns of their own, each
of which is published over all items only (a status, a total) or in cells that are settled one by one (a measure of
the replay track), so nothing can be made of them that a single cell does not tell.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
from benchpress.errors import UserError
from benchpress.generation import Address
from benchpress.items import Item

from benchpress_evaluator.publishing import rank
from benchpress_evaluator.publishing.disclosure import MIN_CELL
from benchpress_evaluator.publishing.unknowns import Figure, Unknown
from benchpress_evaluator.stats.frame import SEPARATOR

OVERALL = "overall"
POOLED = "parts of all items"
SETTING = "setting"
WHOLE = ""
"""The name of the unknown "the item is right"."""


@dataclass(frozen=True, slots=True)
class Place:
    """An item as the publication counts it: its coordinates, and the skills of each of its parts."""

    item: str
    bundle: str
    variant: str
    level: str
    skills: Mapping[str, tuple[str, ...]]

    @property
    def setting(self) -> str:
        return f"{self.bundle}/{self.variant}"


def places_of_items(items: Iterable[Item]) -> list[Place]:
    """The items of a version."""
    return [
        Place(item.id, item.bundle, item.variant, str(item.level), {part.id: tuple(part.skills) for part in item.parts})
        for item in items
    ]


def places_of_addresses(addresses: Iterable[Address]) -> list[Place]:
    """Items that are not drawn yet: their parts are still unknown."""
    return [
        Place(str(place), address.bundle, address.variant, str(address.level), {})
        for place, address in enumerate(addresses)
    ]


def places_of_frame(frame: pd.DataFrame) -> list[Place]:
    """The items of a results frame."""
    names = ["item_id", "bundle", "variant", "level", "part", "skills"]
    rows = frame[names].astype(object).drop_duplicates(["item_id", "part"])
    found: dict[str, Place] = {}
    for item, bundle, variant, level, part, skills in rows.itertuples(index=False):
        place = found.setdefault(str(item), Place(str(item), str(bundle), str(variant), str(level), {}))
        if part:
            tags = tuple(sorted(set(str(skills).split(SEPARATOR)) - {""}))
            found[str(item)] = Place(
                place.item, place.bundle, place.variant, place.level, {**place.skills, str(part): tags}
            )
    return [found[item] for item in sorted(found)]


def figures(places: Sequence[Place], margins: Sequence[str], *, track: str) -> list[Figure]:
    """Every sum that is published of an entrant, in order of precedence; single cells that are too small left out.

    Overall and `margins` first, then the sum of all parts right (efficiency), settings of the replay track, parts,
    skills.
    """
    cells: dict[tuple[str, str], dict[Unknown, int]] = {(OVERALL, ""): {_whole(place): 1 for place in places}}
    for margin in margins:
        for place in places:
            cells.setdefault((margin, getattr(place, margin)), {})[_whole(place)] = 1
    later: dict[tuple[str, str], dict[Unknown, int]] = {}
    scale = math.lcm(*(len(place.skills) for place in places if place.skills))
    for place in places:
        if track == "replay":
            later.setdefault((SETTING, place.setting), {})[_whole(place)] = 1
        for part, skills in place.skills.items():
            unknown = _part(place, part)
            cells.setdefault((POOLED, ""), {})[unknown] = 1
            later.setdefault(("part", part), {})[unknown] = 1
            for skill in skills:
                share = scale // sum(skill in other for other in place.skills.values())
                later.setdefault(("skill", skill), {})[unknown] = share
    order = {SETTING: 0, "part": 1, "skill": 2}
    cells |= {key: later[key] for key in sorted(later, key=lambda key: (order[key[0]], key[1]))}
    made = [Figure(margin, name, terms) for (margin, name), terms in cells.items()]
    return [figure for figure in made if len({unknown.item for unknown in figure.terms}) >= MIN_CELL]


def may_be_published(places: Sequence[Place], margins: Sequence[str], *, track: str) -> frozenset[tuple[str, str]]:
    """The cells, as (margin, name), that may leave a sealed version together."""
    return rank.allowed(figures(places, margins, track=track), MIN_CELL)[0]


def refuse_narrow(version: str, places: Sequence[Place], margins: Sequence[str], *, track: str) -> None:
    """Raise UserError where the margins of a recipe, taken together, would tell of fewer than MIN_CELL items."""
    stated = figures(places, margins, track=track)
    fixed = [figure for figure in stated if figure.margin in (OVERALL, *margins)]
    _, found = rank.allowed(fixed, MIN_CELL, frozenset((OVERALL, *margins)))
    if found is None:
        return
    names = [name for name in margins if any(fixed[place].margin == name for place in found.figures)]
    cells = [f"{fixed[place].margin} {fixed[place].name}" for place in found.figures if fixed[place].margin != OVERALL]
    listed = ", ".join(cells[:4]) + (f" and {len(cells) - 4} more" if len(cells) > 4 else "")
    together = " and ".join(names)
    if not found.proven:
        problem = f"it cannot be shown that {listed} hide every group of {MIN_CELL} items"
    else:
        problem = f"{listed}, put together, would tell of {len(found.items)} items, and {MIN_CELL} are the least"
    raise UserError(
        f"recipe {version}: margins {together}: {problem}; make more items per variant or take {names[-1]!r} out of "
        "margins"
    )


def _whole(place: Place) -> Unknown:
    only = next(iter(place.skills)) if len(place.skills) == 1 else WHOLE
    return Unknown(place.item, only)


def _part(place: Place, part: str) -> Unknown:
    return Unknown(place.item, part)
