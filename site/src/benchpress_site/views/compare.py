"""Any two conditions side by side."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from benchpress.publication import Pair, Pairs

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
class Neighbours:
    """Two conditions that follow each other on the leaderboard."""

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


def neighbours(published: Pairs, ordered: list[Choice]) -> list[Neighbours]:
    pairs = {(pair.a, pair.b): pair for pair in published.pairs}
    found = []
    for better, worse in pairwise(ordered):
        if pair := pairs.get((better.place, worse.place)):
            found.append(Neighbours(better, worse, pair, 1))
        elif pair := pairs.get((worse.place, better.place)):
            found.append(Neighbours(better, worse, pair, -1))
    return found


def pages(_publication: Publication, version: Version) -> Iterator[Page]:
    published = version.get("pairs", Pairs)
    if published is None or len(published.sides) < 2:
        return
    ordered = choices(version, published)
    yield Page(
        f"{version.name}/compare.md",
        "compare.html",
        f"Compare two models, {version.entry.title}",
        f"Paired difference of any two entrants on {version.entry.title}, with interval and probability.",
        {
            "version": version,
            "here": "compare",
            "choices": ordered,
            "neighbours": neighbours(published, ordered),
            "note": published.note,
            "href": {choice.slug: href(version, choice.slug) for choice in ordered},
        },
        wide=True,
    )
