"""The leaderboard and the page of each condition, from the results frame."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace

import pandas as pd
from benchpress.publication import (
    Cell,
    Interval,
    Leaderboard,
    ModelPage,
    Row,
    Setting,
    Statuses,
    StopCount,
    Tier,
    TierMember,
)

from benchpress_evaluator.publishing import disclosure
from benchpress_evaluator.publishing.describe import Description, Release, description_of
from benchpress_evaluator.publishing.figures import may_be_published, places_of_frame
from benchpress_evaluator.stats.accuracy import MARGINS, headline, margin, on_answered
from benchpress_evaluator.stats.efficiency import Usage, usage
from benchpress_evaluator.stats.frame import PENDING, STATUSES, answers_of
from benchpress_evaluator.stats.intervals import EXACT, Estimate, clopper_pearson
from benchpress_evaluator.stats.matrix import Condition, select_runs
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.ranks import Ranks, rank_sets, ranked_scores
from benchpress_evaluator.stats.statuses import NO_STOP_REASON, status_counts, stop_table, unranked_reason
from benchpress_evaluator.stats.tiers import tier_ranks


@dataclass(frozen=True, slots=True)
class Board:
    """Everything about one version that several pages are made of, computed once."""

    frame: pd.DataFrame
    settings: Settings
    release: Release
    described: Mapping[Condition, Description]
    counts: Mapping[Condition, Mapping[str, int]]
    ranks: Ranks
    allowed: disclosure.Allowed
    rows: tuple[Row, ...] = field(default=())

    def slug(self, condition: Condition) -> str:
        return self.described[condition].entrant.slug

    def ranked(self) -> tuple[Condition, ...]:
        return self.ranks.conditions


def board(frame: pd.DataFrame, release: Release, known: Mapping[str, Description], settings: Settings) -> Board:
    """The board of one version's results, its rows best first, unranked ones last.

    A run of a sealed version that has only begun, or lacks only a few items, is left out until it has more.
    """
    counts = status_counts(frame, settings)
    early = {
        condition
        for condition, held in counts.items()
        if not disclosure.begun_may_leave(held["planned"], held[PENDING], sealed=release.sealed)
    }
    if early:
        frame = _without(frame, early)
        counts = status_counts(frame, settings)
    described = {condition: description_of(condition, known) for condition in counts}
    ranks = rank_sets(ranked_scores(frame, settings), seed=settings.seed, resamples=settings.resamples)
    allowed = None
    if release.sealed:
        allowed = may_be_published(places_of_frame(frame), release.margins, track=release.track)
    bare = Board(frame, settings, release, described, counts, ranks, allowed)
    return replace(bare, rows=_rows(bare))


def leaderboard(made: Board) -> Leaderboard:
    """`leaderboard.json`"""
    planned = max((counts["planned"] for counts in made.counts.values()), default=0)
    dates = [row.run_date for row in made.rows if row.run_date]
    return Leaderboard(
        version=made.release.version,
        track=made.release.track,
        planned=planned,
        updated=max(dates, default=None),
        rows=made.rows,
        tiers=_tiers(made),
    )


def model_pages(made: Board) -> list[ModelPage]:
    """`models/<slug>.json`, one a row."""
    margins = {name: margin(made.frame, name, made.settings) for name in MARGINS}
    stops = stop_table(made.frame, made.settings)
    by_slug = {made.slug(condition): condition for condition in made.counts}
    pages = []
    for row in made.rows:
        condition = by_slug[row.entrant.slug]
        partial = made.release.sealed and made.counts[condition][PENDING] > 0
        cells = {
            name: () if partial else _cells(name, found.get(condition, []), made.allowed)
            for name, found in margins.items()
        }
        table = _stops(stops, condition)
        pages.append(
            ModelPage(
                version=made.release.version,
                track=made.release.track,
                row=row,
                settings=tuple(
                    Setting(name=name, value=value) for name, value in made.described[condition].settings.items()
                ),
                bundles=cells["bundle"],
                variants=cells["variant"],
                levels=cells["level"],
                parts=cells["part"],
                skills=cells["skill"],
                stop_reasons=_stop_shares(table),
                stop_table=table,
                public_gap=made.described[condition].public_gaps.get(condition.method),
            )
        )
    return pages


def _rows(made: Board) -> tuple[Row, ...]:
    accuracies = headline(made.frame, made.settings)
    answered = on_answered(made.frame, made.settings)
    used = usage(made.frame, made.settings)
    dates = _run_dates(made.frame, made.settings)
    rows = []
    for condition, counts in made.counts.items():
        place = made.ranks.conditions.index(condition) if condition in made.ranks.conditions else None
        estimate, (right, of) = accuracies[condition], answered.get(condition, (0, 0))
        description, took = made.described[condition], used.get(condition)
        gap = description.public_gaps.get(condition.method)
        reason = unranked_reason(counts)
        rows.append(
            Row(
                entrant=description.entrant,
                method=condition.method,
                run_date=dates.get(condition),
                statuses=Statuses(planned=counts["planned"], **{name: counts[name] for name in STATUSES}),
                correct=counts["correct"],
                accuracy=disclosure.interval(estimate) if estimate else None,
                accuracy_exact=_exact(estimate),
                accuracy_on_answered=disclosure.share(right / of) if of else None,
                ranked=reason is None,
                unranked_reason=reason,
                rank_low=None if place is None else int(made.ranks.low[place]),
                rank_high=None if place is None else int(made.ranks.high[place]),
                tie_group=None if place is None else int(made.ranks.tie_group[place]),
                cost_usd=disclosure.amount(took.total["cost_usd"], "cost_usd") if took else None,
                cost_usd_per_item=disclosure.spread(took, "cost_usd"),
                output_tokens=disclosure.spread(took, "output_tokens"),
                thinking_tokens=disclosure.spread(took, "thinking_tokens"),
                latency_s=disclosure.spread(took, "latency_s"),
                price_date=description.price_date,
                public_minus_private=gap.value if gap else None,
                first_exposure=description.first_exposure,
                correct_parts_per_1000_tokens=_efficiency(took),
                not_truncated=disclosure.share(took.not_truncated) if took else None,
            )
        )
    return tuple(sorted(rows, key=_best_first))


def _without(frame: pd.DataFrame, left_out: Set[Condition]) -> pd.DataFrame:
    """The rows of the other conditions."""
    conditions = zip(frame["entrant"], frame["method"], strict=True)
    return frame[[Condition(str(entrant), str(method)) not in left_out for entrant, method in conditions]]


def _best_first(row: Row) -> tuple[bool, float, str]:
    return (not row.ranked, -(row.accuracy.value if row.accuracy else -1.0), row.entrant.slug)


def _exact(estimate: Estimate | None) -> Interval | None:
    if estimate is None:
        return None
    low, high = clopper_pearson(estimate.value * estimate.n, estimate.n)
    return disclosure.interval(Estimate(estimate.value, low, high, None, estimate.n, "item", EXACT))


def _efficiency(took: Usage | None) -> float | None:
    if took is None or took.correct_parts_per_1000_tokens is None:
        return None
    return round(took.correct_parts_per_1000_tokens, 2)


def _run_dates(frame: pd.DataFrame, settings: Settings) -> dict[Condition, str]:
    """The UTC day of the last answer of each condition, cut from the text: a date is a date in no time zone."""
    answers = answers_of(select_runs(frame, settings.runs))
    answers = answers[answers["at"].notna()]
    found: dict[Condition, str] = {}
    for entrant, method, at in zip(answers["entrant"], answers["method"], answers["at"], strict=True):
        condition = Condition(str(entrant), str(method))
        found[condition] = max(found.get(condition, ""), str(at)[:10])
    return found


def _cells(margin: str, found: list[tuple[str, Estimate]], allowed: disclosure.Allowed) -> tuple[Cell, ...]:
    made = (disclosure.cell(margin, name, estimate, allowed) for name, estimate in found)
    return tuple(cell for cell in made if cell is not None)


def _stops(stops: pd.DataFrame, condition: Condition) -> tuple[StopCount, ...]:
    rows = stops[(stops["entrant"] == condition.entrant) & (stops["method"] == condition.method)]
    counts: dict[tuple[str | None, str], int] = {}
    for raw, status, n in zip(rows["stop_reason"], rows["status"], rows["n"], strict=True):
        key = (disclosure.stop_reason(raw), str(status))
        counts[key] = counts.get(key, 0) + int(n)
    return tuple(
        StopCount(stop_reason=reason, status=status, n=counts[reason, status])
        for reason, status in sorted(counts, key=lambda key: (key[0] or "", key[1]))
    )


def _stop_shares(table: tuple[StopCount, ...]) -> tuple[Cell, ...]:
    total = sum(count.n for count in table)
    sums: dict[str, int] = {}
    for count in table:
        name = NO_STOP_REASON if count.stop_reason is None else count.stop_reason
        sums[name] = sums.get(name, 0) + count.n
    return tuple(
        Cell(name=name, n=n, accuracy=disclosure.share(n / total), low=None, high=None) for name, n in sums.items()
    )


def _tiers(made: Board) -> tuple[Tier, ...]:
    tiers = []
    for dimension, name, ranks in tier_ranks(made.frame, made.settings):
        members = tuple(
            TierMember(
                slug=made.slug(condition),
                method=condition.method,
                rank_low=int(ranks.low[place]),
                rank_high=int(ranks.high[place]),
                tie_group=int(ranks.tie_group[place]),
            )
            for place, condition in enumerate(ranks.conditions)
        )
        tiers.append(Tier(dimension=dimension, name=name, members=members))
    return tuple(tiers)
