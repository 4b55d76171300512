"""Pages that follow from the results: comparisons, skills, frontiers, time, saturation, counts of items."""

from typing import Literal

from benchpress.publication.base import Count, Difference, Interval, IsoDate, Published, Share, Signed, Slug


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
