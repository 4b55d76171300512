"""The schema of everything that is ever published: an allow-list, and the only thing the site reads.

Every file is one of the models named in :data:`FILES`. Nothing here can hold an item of a sealed version, a
prompt, a response, a parameter or a secret. Unknown is null, never zero; shares are rounded by the exporter.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
IsoDate = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")]


class Published(BaseModel):
    """Frozen, and closed to any field that is not declared."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Interval(Published):
    """A point estimate with a 95 % interval; `unit` is what was resampled or counted, `method` how."""

    value: Share
    low: Share
    high: Share
    unit: str
    method: str


class Spread(Published):
    """Median and 90th percentile over a condition's answers; null where the vendor reports nothing."""

    median: float | None
    p90: float | None


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


class Entrant(Published):
    """Who was evaluated, in one native configuration."""

    slug: Slug
    name: str
    organisation: str
    kind: Literal["model", "reference"]
    openness: Literal["open", "closed"] | None
    size_class: str | None
    reasoning: bool | None
    launch_date: IsoDate | None


class Statuses(Published):
    """Exclusive and exhaustive: the seven numbers sum to `planned`."""

    planned: Count
    ok: Count
    refusal: Count
    invalid_answer: Count
    truncated: Count
    api_error: Count
    pending: Count
    gated: Count = 0


class Row(Published):
    """One condition on the leaderboard: entrant x item set x method."""

    entrant: Entrant
    method: str
    run_date: IsoDate | None
    statuses: Statuses
    correct: Count
    accuracy: Interval | None
    """Correct / planned; null where nothing was answered yet."""
    accuracy_on_answered: Share | None
    ranked: bool
    unranked_reason: str | None
    rank_low: Count | None
    rank_high: Count | None
    tie_group: Count | None
    cost_usd: float | None
    """Of the whole run."""
    cost_usd_per_item: Spread
    output_tokens: Spread
    thinking_tokens: Spread
    latency_s: Spread
    price_date: IsoDate | None
    public_minus_private: float | None
    first_exposure: IsoDate | None


class Leaderboard(Published):
    """`<version>/leaderboard.json`"""

    format: Literal["benchpress.leaderboard/1"] = "benchpress.leaderboard/1"
    version: str
    track: str
    planned: Count
    updated: IsoDate | None
    rows: tuple[Row, ...]


class Cell(Published):
    """Accuracy on a fixed one-way margin: a bundle, a variant, a level, a part or a skill."""

    name: str
    n: Count
    accuracy: Share | None
    low: Share | None
    high: Share | None


class Setting(Published):
    """One line of the configuration that was sent, as text."""

    name: str
    value: str


class ModelPage(Published):
    """`<version>/models/<slug>.json`"""

    format: Literal["benchpress.model/1"] = "benchpress.model/1"
    version: str
    track: str
    row: Row
    settings: tuple[Setting, ...]
    bundles: tuple[Cell, ...]
    variants: tuple[Cell, ...]
    levels: tuple[Cell, ...]
    parts: tuple[Cell, ...]
    skills: tuple[Cell, ...]
    stop_reasons: tuple[Cell, ...]
    """Share of answers per raw stop reason that the vendor gave."""


class ParetoPoint(Published):
    slug: Slug
    method: str
    x: float | None
    accuracy: Share
    on_frontier: bool
    frontier_probability: Share | None


class ParetoAxis(Published):
    """Accuracy against one cost; points with an unknown `x` are listed and are never on the frontier."""

    axis: Literal["cost_usd", "thinking_tokens", "output_tokens", "latency_s"]
    label: str
    unit: str
    points: tuple[ParetoPoint, ...]


class Pareto(Published):
    """`<version>/pareto.json`"""

    format: Literal["benchpress.pareto/1"] = "benchpress.pareto/1"
    version: str
    axes: tuple[ParetoAxis, ...]


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


class Runs(Published):
    """`<version>/runs.json`"""

    format: Literal["benchpress.runs/1"] = "benchpress.runs/1"
    version: str
    runs: tuple[RunEntry, ...]


FILES: dict[str, type[Published]] = {
    "leaderboard": Leaderboard,
    "pareto": Pareto,
    "commitment": CommitmentPage,
    "runs": Runs,
}
"""File name without ending, under `<version>/`, and its model; `models/<slug>.json` is a ModelPage, `versions.json`
beside the version folders is Versions."""
