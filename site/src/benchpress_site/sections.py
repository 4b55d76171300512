"""Which kinds of page a version has, in the order in which its strip lists them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page
from benchpress_site.views import (
    board,
    compare,
    downloads,
    history,
    items,
    model,
    order_bias,
    pareto,
    register,
    replay,
    skills,
    timeline,
)

Maker = Callable[[Publication, Version], Iterator[Page]]


@dataclass(frozen=True)
class Section:
    """One entry of the strip that links the pages of a version."""

    key: str
    label: str
    path: str


KINDS: tuple[tuple[str, str, str, Maker], ...] = (
    ("leaderboard", "Leaderboard", "index.md", board.pages),
    ("pareto", "Pareto", "pareto.md", pareto.pages),
    ("compare", "Compare", "compare.md", compare.pages),
    ("skills", "Skills", "skills.md", skills.pages),
    ("timeline", "Timeline", "timeline.md", timeline.pages),
    ("order-bias", "Order bias", "order-bias.md", order_bias.pages),
    ("replay", "Replay ladder", "replay.md", replay.pages),
    ("items", "Item health", "items.md", items.pages),
    ("register", "Run register", "register.md", register.pages),
    ("history", "History", "history.md", history.pages),
    ("data", "Data", "data.md", downloads.pages),
    ("model", "", "", model.pages),
)
"""Key, label in the strip (none for pages that it does not list), file, and what makes the pages."""


def of_version(publication: Publication, version: Version) -> tuple[list[Page], list[Section]]:
    """Every page of one version, and the sections of it that exist."""
    pages: list[Page] = []
    sections = []
    for key, label, file, make in KINDS:
        made = list(make(publication, version))
        pages += made
        home = f"{version.name}/{file}"
        sections += [Section(key, label, page.address) for page in made if label and page.path == home]
    return pages, sections
