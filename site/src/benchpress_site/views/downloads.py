"""What can be downloaded of a version."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchpress_site.data import Publication, Version
from benchpress_site.downloads import TABLES
from benchpress_site.pages import Page

WORDS = {
    "leaderboard": "Every condition with statuses, accuracy, ranks, cost, tokens and latency",
    "pairs": "Paired differences of every two ranked conditions",
    "skills": "Accuracy of the field and of every ranked condition per skill",
    "pareto": "Points and frontiers for every cost axis",
    "timeline": "Accuracy over launch dates, and bridges between versions",
    "saturation": "Whether the set still tells the best apart",
    "items": "Counts of dead and broken items, and the histogram of difficulty",
    "contamination": "Canonical against fresh items",
    "runs": "The run register",
    "commitment": "The public commitment, as the register shows it",
    "version": "The commitment itself: what `benchpress check-reveal` takes",
    "changelog": "What changed, and what stays comparable",
    "order_bias": "Effect of the order of options",
    "replay": "Figures of the ladder of settings",
}


@dataclass(frozen=True)
class Download:
    name: str
    words: str
    json: str
    csv: str | None
    schema: str


def listed(version: Version) -> list[Download]:
    home = f"data/{version.name}"
    return [
        Download(
            name,
            WORDS.get(name, ""),
            f"{home}/{name}.json",
            f"{home}/{name}.csv" if name in TABLES else None,
            f"data/schema/{name}.json",
        )
        for name in version.files
    ]


def pages(_publication: Publication, version: Version) -> Iterator[Page]:
    yield Page(
        f"{version.name}/data.md",
        "data.html",
        f"Data, {version.entry.title}",
        f"JSON and CSV of everything shown of {version.entry.title}, with schemas.",
        {"version": version, "here": "data", "downloads": listed(version)},
        wide=True,
    )
