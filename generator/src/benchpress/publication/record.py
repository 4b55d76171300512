"""What was done and when: versions, commitments, runs, exposures, contamination, the history of a track, digests."""

from typing import Literal

from benchpress.publication.base import Count, Difference, IsoDate, Published, Sha256, Share, Slug
from benchpress.recipe import Recipe


class VersionEntry(Published):
    version: str
    track: str
    title: str
    status: Literal["current", "retired", "demo", "synthetic"]
    date: IsoDate
    items: Count
    entrants: Count
    root: str | None
    note: str


class Versions(Published):
    """`versions.json`"""

    format: Literal["benchpress.versions/1"] = "benchpress.versions/1"
    versions: tuple[VersionEntry, ...]


class CommitmentPage(Published):
    """`<version>/commitment.json`: the public commitment, as sealed, and what can be checked with it."""

    format: Literal["benchpress.commitment-page/1"] = "benchpress.commitment-page/1"
    version: str
    seed_commit: str | None
    root: str | None
    items: Count
    bundles: dict[str, Count]
    digests: dict[str, str]
    sealed_at: str
    revealed: bool


class Beacon(Published):
    """Public randomness that items were drawn with."""

    source: str
    time: str
    value: str


class GeneratorRelease(Published):
    """The generator that made a version; `digest` is over its files."""

    name: str
    version: str
    digest: Sha256


class VersionDocument(Published):
    """`<version>/version.json`: the commitment itself, which `benchpress check-reveal` takes."""

    format: Literal["benchpress.commitment/1"]
    version: str
    stage: Literal["items"]
    seed_commit: Sha256
    seed_time: str
    beacon: Beacon | None
    root: Sha256
    items: Count
    bundles: dict[str, Count]
    recipe: Recipe
    release: GeneratorRelease
    digests: dict[str, Sha256]
    time: str


class RunEntry(Published):
    """One run in the register: who, when, which shards were planned, how each segment ended."""

    slug: Slug
    method: str
    run: Count
    started: str
    ended: str | None
    planned_shards: Count
    segments: tuple[tuple[str, int, str], ...]
    """Segment id, number of records, head."""


Retention = Literal["none", "limited", "unlimited", "training"]
"""What a vendor keeps of a prompt: nothing; for a stated time; until it is deleted; and may train on it."""


class Exposure(Published):
    """A day on which items of the version were sent to a provider for one entrant."""

    slug: Slug
    provider: str
    endpoint: str
    """Host that was asked; `own server` where it has no public name."""
    retention: Retention | None
    batch: bool
    """Whether the items went as a batch, which some vendors keep until it is deleted."""
    date: IsoDate
    first: bool
    """Whether the provider had not been sent any item of the version on an earlier day."""


class Runs(Published):
    """`<version>/runs.json`"""

    format: Literal["benchpress.runs/1"] = "benchpress.runs/1"
    version: str
    runs: tuple[RunEntry, ...]
    exposures: tuple[Exposure, ...] = ()
    """By day; what stayed on the maintainer's machine is not among them."""


class ContaminationRow(Published):
    """Canonical against fresh for one condition: a positive gap means better on what could have been seen."""

    slug: Slug
    method: str
    canonical: Share
    fresh: Share
    gap: Difference
    p_value: Share
    p_holm: Share
    flagged: bool
    """The gap exceeds the alarm threshold and stays significant after Holm's correction."""
    excess: Difference | None
    """Difference in differences: the gap minus the mean gap of the other entrants."""


class Contamination(Published):
    """`<version>/contamination.json`"""

    format: Literal["benchpress.contamination/1"] = "benchpress.contamination/1"
    version: str
    canonical: str
    fresh: str
    canonical_items: Count
    fresh_items: Count
    alarm_threshold: Share
    rows: tuple[ContaminationRow, ...]
    sentence: str
    fresh_root: str | None = None
    """Root over the fresh items, committed before the first call."""
    fresh_date: IsoDate | None = None
    every_days: Count | None = None
    """The schedule: a new fresh sample is drawn when the last one is this old."""
    exposures: tuple[Exposure, ...] = ()
    """To which providers the fresh items were sent, by day."""


class Change(Published):
    """One line of the history of a track: what changed and whether numbers stay comparable."""

    date: IsoDate
    version: str
    kind: Literal["major", "minor", "patch", "run", "audit", "retired"]
    text: str
    comparable: bool
    """Whether numbers of before may be set beside numbers of after."""


class Changelog(Published):
    """`<version>/changelog.json`, newest first."""

    format: Literal["benchpress.changelog/1"] = "benchpress.changelog/1"
    version: str
    changes: tuple[Change, ...]
    rules: tuple[str, ...] = ()
    """What the kinds of change mean, in words."""


class Digests(Published):
    """`digests.json` beside `versions.json`: SHA-256 of every other file of the publication, by its path."""

    format: Literal["benchpress.digests/1"] = "benchpress.digests/1"
    files: dict[str, Sha256]
