"""Any two conditions side by side."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from benchpress.publication import Cell, ModelPage, Pair, Pairs

from benchpress_site import formats, paired
from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page
from benchpress_site.views.board import href


@dataclass(frozen=True)
class Choice:
    """One side that the reader can pick; `value` is what the address holds."""

    value: str
    label: str
    slug: str
    place: int


@dataclass(frozen=True)
class Comparison:
    """Two conditions, the first of them better or before the other on the leaderboard."""

    better: Choice
    worse: Choice
    pair: Pair
    sign: int
    """1 where the pair is published as better minus worse, -1 where the other way round."""

    @property
    def difference(self) -> float:
        return self.sign * self.pair.difference.value

    @property
    def limits(self) -> tuple[float, float] | None:
        low, high = self.pair.difference.low, self.pair.difference.high
        if low is None or high is None:
            return None
        return (low, high) if self.sign > 0 else (-high, -low)

    @property
    def probability(self) -> float | None:
        found = self.pair.probability
        return found if found is None or self.sign > 0 else 1 - found


@dataclass(frozen=True)
class BundleLine:
    """Two conditions on the items of one bundle."""

    name: str
    n: int
    first: float | None
    second: float | None
    difference: float | None
    limits: tuple[float, float] | None


def choices(version: Version, published: Pairs) -> list[Choice]:
    """The sides in the order of the leaderboard."""
    several = len({side.method for side in published.sides}) > 1
    places = {(side.slug, side.method): place for place, side in enumerate(published.sides)}
    ordered = [key for row in version.rows if (key := (row.entrant.slug, row.method)) in places]
    ordered += sorted(set(places) - set(ordered))
    return [
        Choice(f"{slug}~{method}" if several else slug, version.label(slug, method), slug, places[slug, method])
        for slug, method in ordered
    ]


def neighbours(published: Pairs, ordered: list[Choice]) -> list[Comparison]:
    """Conditions that follow each other on the leaderboard."""
    pairs = {(pair.a, pair.b): pair for pair in published.pairs}
    found = []
    for better, worse in pairwise(ordered):
        if pair := pairs.get((better.place, worse.place)):
            found.append(Comparison(better, worse, pair, 1))
        elif pair := pairs.get((worse.place, better.place)):
            found.append(Comparison(better, worse, pair, -1))
    return found


def by_bundle(first: ModelPage | None, second: ModelPage | None) -> list[BundleLine]:
    """The bundles of both, in the order of the first."""
    if first is None or second is None:
        return []
    others = {cell.name: cell for cell in second.bundles}
    return [_line(cell, others[cell.name]) for cell in first.bundles if cell.name in others]


def _line(one: Cell, other: Cell) -> BundleLine:
    if one.accuracy is None or other.accuracy is None:
        return BundleLine(one.name, one.n, one.accuracy, other.accuracy, None, None)
    limits = None
    if one.n == other.n > 0:
        limits = paired.widest(round(one.accuracy * one.n), round(other.accuracy * other.n), one.n)
    return BundleLine(one.name, one.n, one.accuracy, other.accuracy, one.accuracy - other.accuracy, limits)


def pages(_publication: Publication, version: Version) -> Iterator[Page]:
    published = version.get("pairs", Pairs)
    if published is None or len(published.sides) < 2:
        return
    ordered = choices(version, published)
    lines = neighbours(published, ordered)
    opening = lines[0] if lines and (lines[0].better, lines[0].worse) == (ordered[0], ordered[1]) else None
    models = [version.models.get(one.slug) for one in ordered[:2]]
    names = {cell.name: formats.words(cell.name) for page in models if page for cell in page.bundles}
    yield Page(
        f"{version.name}/compare.md",
        "compare.html",
        f"Compare two models, {version.entry.title}",
        f"Paired difference of any two entrants on {version.entry.title}, with interval and probability.",
        {
            "version": version,
            "here": "compare",
            "choices": ordered,
            "neighbours": lines,
            "opening": opening,
            "opening_bundles": by_bundle(*models),
            "names": json.dumps(names, ensure_ascii=False),
            "note": published.note,
            "href": {choice.slug: href(version, choice.slug) for choice in ordered},
        },
        wide=True,
    )
