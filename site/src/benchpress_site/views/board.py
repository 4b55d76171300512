"""From a version's rows to what the leaderboard template prints."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchpress.publication import Leaderboard, Row, Saturation, Tier

from benchpress_site import formats
from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page
from benchpress_site.views import columns
from benchpress_site.views.columns import Column, Value


@dataclass(frozen=True)
class Cell:
    column: Column
    value: Value
    text: object


@dataclass(frozen=True)
class Peer:
    """A condition among its like."""

    name: str
    href: str | None
    ranks: str
    tie: str


@dataclass(frozen=True)
class Peers:
    """The ranked conditions that share one attribute, best first."""

    title: str
    members: tuple[Peer, ...]


@dataclass(frozen=True)
class Line:
    """One row of the table, with what filters ask about."""

    row: Row
    cells: tuple[Cell, ...]
    href: str | None
    """Address of the model's page, where there is one."""

    tie: str | None
    """Letter of the tie group."""

    @property
    def tier(self) -> str:
        return columns.tier(self.row) or ""

    @property
    def asked(self) -> str | None:
        return columns.asked(self.row)

    @property
    def ranks(self) -> str | None:
        return rank_range(self.row)


def rank_range(row: Row) -> str | None:
    """The ranks that the data allow, `3` or `3-7`; None for a row that is not ranked."""
    if not row.ranked or row.rank_low is None or row.rank_high is None:
        return None
    return written_range(row.rank_low, row.rank_high)


def written_range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}\u2013{high}"


def peers(version: Version) -> list[Peers]:
    """Rank ranges among those that share whether they reason, a size class, or the openness of their weights."""
    published = version.get("leaderboard", Leaderboard)
    return [_peers(version, tier) for tier in (published.tiers if published else ())]


def _peers(version: Version, tier: Tier) -> Peers:
    letters = columns.tie_letters(member.tie_group for member in tier.members)
    members = tuple(
        Peer(
            version.label(member.slug, member.method),
            href(version, member.slug),
            written_range(member.rank_low, member.rank_high),
            letters[member.tie_group],
        )
        for member in tier.members
    )
    return Peers(formats.sentence(f"{tier.name}{WHAT[tier.dimension]}"), members)


WHAT = {"reasoning": "", "size_class": " models", "openness": " weights"}
"""What the name of a tier is of."""


def href(version: Version, slug: str) -> str | None:
    """Address of an entrant's page, where it has one."""
    return f"{version.name}/models/{slug}/" if slug in version.models else None


def line(version: Version, row: Row, shown: tuple[Column, ...], letters: Mapping[int, str]) -> Line:
    cells = []
    for column in shown:
        value = column.value(row)
        cells.append(Cell(column, value, column.write(value)))
    tie = letters.get(row.tie_group) if row.ranked and row.tie_group is not None else None
    return Line(row, tuple(cells), href(version, row.entrant.slug), tie)


def board(version: Version) -> dict[str, Any]:
    """The context of a leaderboard: ranked rows, the others apart, and what can be filtered by."""
    rows = version.rows
    shown = columns.shown(rows)
    letters = columns.tie_letters(row.tie_group for row in rows if row.ranked)
    published = version.get("leaderboard", Leaderboard)
    return {
        "version": version,
        "here": "leaderboard",
        "planned": published.planned if published else version.entry.items,
        "updated": published.updated if published else None,
        "saturation": version.get("saturation", Saturation),
        "peers": peers(version),
        "only_references": bool(rows) and not any(row.ranked and row.entrant.kind == "model" for row in rows),
        "columns": shown,
        "ranked": [line(version, row, shown, letters) for row in rows if row.ranked],
        "unranked": [line(version, row, shown, letters) for row in rows if not row.ranked],
        "choices": {
            "tier": _values(columns.tier(row) for row in rows),
            "open": _values(columns.openness(row) for row in rows),
            "org": _values(formats.clean(row.entrant.organisation) for row in rows),
            "method": _values(row.method for row in rows),
        },
    }


def _values(found: Iterable[str | None]) -> list[str]:
    return sorted({value for value in found if value})


def pages(_publication: Publication, version: Version) -> Iterator[Page]:
    yield Page(
        f"{version.name}/index.md",
        "leaderboard.html",
        version.entry.title,
        f"Leaderboard of {version.entry.title}: accuracy with intervals, rank ranges, statuses, cost and time.",
        {**board(version), "named": False},
        wide=True,
    )
