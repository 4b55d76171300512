"""Pages of single tracks: the order of options in multiple choice, the ladder of the replay track."""

from typing import Literal

from benchpress.publication.base import Count, Interval, Published, Share, Slug


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
    right: Count | None = None
    wrong: Count | None = None
    """Answered with another letter than the key."""
    abstained: Count | None = None
    """No letter could be read; right + wrong + abstained = n."""
    gated: Count = 0
    """Questions that a declared rule of the method left out; they are not in n."""
    recall_rstd_low: float | None = None
    recall_rstd_high: float | None = None
    order_rstd_low: float | None = None
    order_rstd_high: float | None = None
    flip_rate_low: Share | None = None
    flip_rate_high: Share | None = None


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
