"""The leaderboard of a version and the page of each condition on it."""

from typing import Literal

from benchpress.publication.base import Count, Difference, Interval, IsoDate, Published, Share, Slug, Spread


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
    accuracy_exact: Interval | None = None
    """The Clopper-Pearson interval of the same share, shown beside it on the choice track."""
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
    correct_parts_per_1000_tokens: float | None = None
    """Efficiency: correct parts / generated tokens x 1,000, both pooled over the run; null where tokens are unknown."""
    not_truncated: Share | None = None
    """Resilience: share of answers that no output cap cut off."""


class TierMember(Published):
    """Where a condition stands among its like: rank range and tie group inside the tier alone."""

    slug: Slug
    method: str
    rank_low: Count
    rank_high: Count
    tie_group: Count


class Tier(Published):
    """Like compared with like: the ranked conditions that share one attribute of their entrant."""

    dimension: Literal["reasoning", "size_class", "openness"]
    name: str
    members: tuple[TierMember, ...]


class Leaderboard(Published):
    """`<version>/leaderboard.json`"""

    format: Literal["benchpress.leaderboard/1"] = "benchpress.leaderboard/1"
    version: str
    track: str
    planned: Count
    updated: IsoDate | None
    rows: tuple[Row, ...]
    tiers: tuple[Tier, ...] = ()


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


class StopCount(Published):
    """How many answers ended with this raw stop reason (null: the vendor gave none) and were given this status."""

    stop_reason: str | None
    status: str
    n: Count


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
    stop_table: tuple[StopCount, ...] = ()
    """Statuses against raw stop reasons; sums to the answers given."""
    public_gap: Difference | None = None
    """Public minus private accuracy, bundle by bundle, with its interval; null where the public set was not run."""
