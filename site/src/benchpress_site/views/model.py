"""A page per entrant."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from benchpress.publication import Cell, Leaderboard, ModelPage, Runs, Skills

from benchpress_site import badges, formats
from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page
from benchpress_site.views.board import WHAT, rank_range, written_range
from benchpress_site.views.columns import asked, tier

STATUSES = (
    ("ok", "OK", "Answered in a readable form, rightly or wrongly"),
    ("refusal", "Refused", "The model or its vendor declined; counted as wrong, shown apart"),
    ("invalid_answer", "Invalid", "An answer came, and no part of it could be read"),
    ("truncated", "Cut off", "The output cap was reached before every part was answered"),
    ("api_error", "API error", "No answer came back"),
    ("pending", "Pending", "Not asked yet"),
    ("gated", "Left out", "Left out by a rule of the method, before anything was asked"),
)


@dataclass(frozen=True)
class Status:
    key: str
    label: str
    help: str
    n: int
    share: float | None


@dataclass(frozen=True)
class Against:
    """A cell beside the mean of the field."""

    cell: Cell
    field: float | None

    @property
    def difference(self) -> float | None:
        if self.cell.accuracy is None or self.field is None:
            return None
        return self.cell.accuracy - self.field


@dataclass(frozen=True)
class Table:
    key: str
    title: str
    head: str
    note: str
    cells: tuple[Against, ...]

    @property
    def field(self) -> bool:
        return any(cell.field is not None for cell in self.cells)


@dataclass(frozen=True)
class Past:
    """The same entrant on another version."""

    version: Version
    page: ModelPage


TABLES = (
    ("bundles", "By bundle", "Bundle", "A bundle is one causal concept, with the same number of items each."),
    ("skills", "By skill", "Skill", "An item may test several skills, so the rows overlap."),
    ("parts", "By part", "Part", "Share of items whose part was right, whatever became of the others."),
    (
        "variants",
        "By variant",
        "Variant",
        "How the concept was put: as a story, a trap, bare, in numbers, or as claims.",
    ),
    ("levels", "By level", "Level", "Difficulty; a higher level has larger graphs and more distractors."),
)


@cache
def field_means(version: Version, table: str) -> Mapping[str, float]:
    """Unweighted mean accuracy of the ranked models per cell; reference solvers are no part of the field."""
    found: dict[str, list[float]] = {}
    for page in version.models.values():
        if page.row.ranked and page.row.entrant.kind == "model":
            for cell in getattr(page, table):
                if cell.accuracy is not None:
                    found.setdefault(cell.name, []).append(cell.accuracy)
    return {name: fmean(values) for name, values in found.items() if len(values) > 1}


def tables(version: Version, page: ModelPage) -> Iterator[Table]:
    published = version.get("skills", Skills)
    for key, title, head, note in TABLES:
        cells: tuple[Cell, ...] = getattr(page, key)
        if not cells:
            continue
        means = dict(field_means(version, key))
        if key == "skills" and published:
            means.update({skill.name: skill.field_mean for skill in published.skills if skill.field_mean is not None})
        yield Table(key, title, head, note, tuple(Against(cell, means.get(cell.name)) for cell in cells))


def statuses(page: ModelPage) -> list[Status]:
    counts = page.row.statuses
    planned = counts.planned
    return [
        Status(key, label, help_text, n, n / planned if planned else None)
        for key, label, help_text in STATUSES
        if (n := getattr(counts, key)) or key not in ("pending", "gated")
    ]


def among(version: Version, slug: str) -> list[tuple[str, str, int]]:
    """Tier, rank range in it and its size, for every tier that the entrant is in."""
    published = version.get("leaderboard", Leaderboard)
    return [
        (f"{tier.name}{WHAT[tier.dimension]}", written_range(member.rank_low, member.rank_high), len(tier.members))
        for tier in (published.tiers if published else ())
        for member in tier.members
        if member.slug == slug
    ]


def past(publication: Publication, version: Version, slug: str) -> list[Past]:
    """The entrant's other versions of the same track."""
    return [
        Past(other, other.models[slug])
        for other in publication.versions
        if other is not version and other.entry.track == version.entry.track and slug in other.models
    ]


def pages(publication: Publication, version: Version) -> Iterator[Page]:
    runs = version.get("runs", Runs)
    for slug, page in version.models.items():
        row = page.row
        name = formats.clean(row.entrant.name)
        accuracy = (
            f"{formats.share(row.accuracy.value)} of planned items correct"
            if row.accuracy and not asked(row)
            else "a partial run"
        )
        yield Page(
            f"{version.name}/models/{slug}.md",
            "model.html",
            f"{name}, {version.entry.title}",
            f"{name} on {version.entry.title}: {accuracy}; statuses, skills, cost and configuration.",
            {
                "version": version,
                "here": "model",
                "model": page,
                "tier": tier(row),
                "asked": asked(row),
                "ranks": rank_range(row),
                "among": among(version, slug),
                "statuses": statuses(page),
                "tables": list(tables(version, page)),
                "past": past(publication, version, slug),
                "badge": badges.words(page),
                "badge_width": badges.width(page),
                "runs": [run for run in runs.runs if run.slug == slug] if runs else [],
            },
            wide=True,
        )
