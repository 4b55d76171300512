"""The schema of everything that is ever published: an allow-list, and the only thing the site reads.

Every file is one of the models named in :data:`FILES`. Nothing here can hold an item of a sealed version, a
prompt, a response, a parameter or a secret. Unknown is null, never zero; shares are rounded by the exporter.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]
Signed = Annotated[float, Field(ge=-1, le=1)]
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


class Difference(Published):
    """A difference of two shares, in [-1, 1], with a 95 % interval; null limits are withheld or unknown."""

    value: Signed
    low: Signed | None
    high: Signed | None


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


class ParetoPoint(Published):
    slug: Slug
    method: str
    x: float | None
    accuracy: Share
    on_frontier: bool
    frontier_probability: Share | None


class ParetoAxis(Published):
    """Accuracy against one cost. Points with an unknown `x`, and reference solvers beside models, are listed and are
    never on the frontier."""

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


class Side(Published):
    """One condition as a side of a comparison."""

    slug: Slug
    method: str


class Pair(Published):
    """Two conditions on the items that both answered. Paired figures are null where disclosure control withholds them.

    `a` and `b` are places in `Pairs.sides`; the difference is accuracy of a minus accuracy of b.
    """

    a: Count
    b: Count
    n: Count
    difference: Difference
    probability: Share | None
    """That a beats b on a fresh draw of items, ties split."""
    p_value: Share | None
    """Exact McNemar."""
    p_holm: Share | None
    """The same after Holm's correction over the board."""
    separable: bool
    """By the simultaneous comparison from which the rank ranges are made."""


class Pairs(Published):
    """`<version>/pairs.json`: every two ranked conditions, a before b in `sides`."""

    format: Literal["benchpress.pairs/1"] = "benchpress.pairs/1"
    version: str
    sides: tuple[Side, ...]
    pairs: tuple[Pair, ...]
    note: str = ""


class Skill(Published):
    """One skill over the field of ranked models; `accuracies` follows `Skills.sides`, null where withheld."""

    name: str
    n: Count
    """Items that test the skill."""
    field_mean: Share | None
    field_best: Share | None
    accuracies: tuple[Share | None, ...]


class Skills(Published):
    """`<version>/skills.json`: which concepts the field fails, hardest first."""

    format: Literal["benchpress.skills/1"] = "benchpress.skills/1"
    version: str
    sides: tuple[Side, ...]
    skills: tuple[Skill, ...]


class TimelinePoint(Published):
    slug: Slug
    name: str
    method: str
    launch_date: IsoDate
    accuracy: Interval
    on_frontier: bool
    """Best of all that were launched up to then."""


class Bridge(Published):
    """How two versions compare, from the entrants that ran on both: the mean change in accuracy, later - earlier."""

    earlier: str
    later: str
    entrants: tuple[Slug, ...]
    change: Difference | None
    note: str


class Timeline(Published):
    """`<version>/timeline.json`; entrants without a known launch date are in `undated`."""

    format: Literal["benchpress.timeline/1"] = "benchpress.timeline/1"
    version: str
    points: tuple[TimelinePoint, ...]
    undated: tuple[Slug, ...]
    bridges: tuple[Bridge, ...]


class Evidence(Published):
    """One figure behind a verdict, with the words that explain it."""

    name: str
    value: float | None
    text: str


class Saturation(Published):
    """`<version>/saturation.json`: whether the set still tells the best apart. `saturated` is null where too few
    entrants are ranked to say."""

    format: Literal["benchpress.saturation/1"] = "benchpress.saturation/1"
    version: str
    saturated: bool | None
    sentence: str
    advice: str
    top: tuple[Side, ...]
    """The conditions that cannot be told from the best one."""
    headroom: Share | None
    """1 - best accuracy."""
    spread: Share | None
    """Best - worst accuracy among the top entrants."""
    items_to_separate: Count | None
    """Items that would separate the two best with 80 % power; null where they are exactly equal."""
    evidence: tuple[Evidence, ...]


class Bin(Published):
    low: Share
    high: Share
    items: Count


class ItemCounts(Published):
    """`<version>/items.json`: counts only; which items they are stays with the maintainer. Counts are null where
    disclosure control withholds them."""

    format: Literal["benchpress.items/1"] = "benchpress.items/1"
    version: str
    items: Count
    entrants: Count
    dead: Count | None
    """Everyone is right."""
    broken: Count | None
    """Everyone is wrong."""
    negative_discrimination: Count | None
    suspected_miskeys: Count | None
    mean_difficulty: Share | None
    """Mean over the items of the share of entrants that are right."""
    mean_discrimination: Signed | None
    """Mean item-rest correlation over the items where it is defined."""
    kr20: float | None
    histogram: tuple[Bin, ...]
    """Items by the share of entrants that are right; empty where withheld."""
    note: str = ""


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


class Change(Published):
    """One line of the history of a track: what changed and whether numbers stay comparable."""

    date: IsoDate
    version: str
    kind: Literal["major", "minor", "patch", "run", "retired"]
    text: str
    comparable: bool
    """Whether numbers of before may be set beside numbers of after."""


class Changelog(Published):
    """`<version>/changelog.json`, newest first."""

    format: Literal["benchpress.changelog/1"] = "benchpress.changelog/1"
    version: str
    changes: tuple[Change, ...]


class OrderBiasRow(Published):
    """How the order of options moves one condition on multiple-choice items; null where a method has no rotations."""

    slug: Slug
    method: str
    benchmark: str
    n: Count
    accuracy: Interval
    accuracy_conditional: Interval | None
    """On the questions where a letter was read."""
    mad: float | None
    """Mean over labels of |picked % - keyed %|, in points."""
    mad_low: float | None
    mad_high: float | None
    recall_rstd: float | None
    """Population standard deviation of the recall per keyed letter, in points."""
    order_rstd: float | None
    """Population standard deviation of accuracy over the printed place of the key, in [0, 1]."""
    flip_rate: Share | None
    """Share of questions whose pick changes with the rotation."""


class OrderBias(Published):
    """`<version>/order_bias.json`"""

    format: Literal["benchpress.order-bias/1"] = "benchpress.order-bias/1"
    version: str
    rows: tuple[OrderBiasRow, ...]
    note: str = ""


class ReplayFigure(Published):
    """One metric of one system in one setting; `n` is null where a source does not tell."""

    system: str
    slug: Slug | None
    setting: str
    metric: str
    value: float | None
    n: Count | None


class ReplayTable(Published):
    """Figures with one source. Figures of different sources are on different items and never in one table."""

    title: str
    source: Literal["own", "reported"]
    attribution: str
    figures: tuple[ReplayFigure, ...]


class Replay(Published):
    """`<version>/replay.json`: the ladder of settings, ours and as reported elsewhere, apart."""

    format: Literal["benchpress.replay/1"] = "benchpress.replay/1"
    version: str
    settings: tuple[str, ...]
    """In the order of the ladder, most disclosed first."""
    tables: tuple[ReplayTable, ...]


FILES: dict[str, type[Published]] = {
    "leaderboard": Leaderboard,
    "pairs": Pairs,
    "skills": Skills,
    "pareto": Pareto,
    "timeline": Timeline,
    "saturation": Saturation,
    "items": ItemCounts,
    "contamination": Contamination,
    "runs": Runs,
    "commitment": CommitmentPage,
    "changelog": Changelog,
    "order_bias": OrderBias,
    "replay": Replay,
}
"""File name without ending, under `<version>/`, and its model; `models/<slug>.json` is a ModelPage, `versions.json`
beside the version folders is Versions."""
