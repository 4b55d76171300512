"""The other pages of a version, from its board."""

from collections.abc import Sequence

import numpy as np
from benchpress.publication import (
    Bin,
    Bridge,
    Evidence,
    ItemCounts,
    Pair,
    Pairs,
    Pareto,
    ParetoAxis,
    ParetoPoint,
    Published,
    Saturation,
    Side,
    Skill,
    Skills,
    Timeline,
    TimelinePoint,
)

from benchpress_evaluator.publishing import disclosure
from benchpress_evaluator.publishing.leaderboard import Board
from benchpress_evaluator.publishing.order_bias import order_bias_page
from benchpress_evaluator.publishing.replay import replay_page
from benchpress_evaluator.stats.accuracy import margin
from benchpress_evaluator.stats.comparison import compare_all
from benchpress_evaluator.stats.efficiency import Quantity
from benchpress_evaluator.stats.intervals import Estimate
from benchpress_evaluator.stats.item_analysis import field_scores, item_statistics, suspicions
from benchpress_evaluator.stats.matrix import Condition, Scores
from benchpress_evaluator.stats.pareto import pareto
from benchpress_evaluator.stats.ranks import ranked_scores
from benchpress_evaluator.stats.saturation import detect
from benchpress_evaluator.stats.timeline import launches

BINS = 10

AXES: tuple[tuple[Quantity, str, str], ...] = (
    ("cost_usd", "Mean cost of an answer", "USD"),
    ("thinking_tokens", "Thinking tokens of an answer (median)", "tokens"),
    ("output_tokens", "Generated tokens of an answer (median)", "tokens"),
    ("latency_s", "Latency of an answer (median)", "s"),
)


def pages(made: Board) -> dict[str, Published]:
    """Every page that follows from the results of the version alone, by file name."""
    return {
        "pairs": pairs_page(made),
        "skills": skills_page(made),
        "pareto": pareto_page(made),
        "saturation": saturation_page(made),
        "items": items_page(made),
        **({"replay": replay_page(made)} if made.release.track == "replay" else {}),
        **({"order_bias": bias} if (bias := order_bias_page(made)) is not None else {}),
    }


def pairs_page(made: Board) -> Pairs:
    """`pairs.json`: paired comparisons of the ranked conditions."""
    scores = ranked_scores(made.frame, made.settings)
    found = compare_all(scores, seed=made.settings.seed, resamples=made.settings.resamples)
    rights = (scores.points.sum(axis=1) // scores.scale).tolist()
    made_pairs = []
    for row in range(len(found.first)):
        a, b, n = int(found.first[row]), int(found.second[row]), int(found.n[row])
        if not n:
            continue
        apart = int(found.first_only[row] + found.second_only[row])
        leaves = disclosure.pair_may_leave((rights[a], rights[b]), n, apart, sealed=made.release.sealed)
        made_pairs.append(
            Pair(
                a=a,
                b=b,
                n=n,
                difference=disclosure.difference(
                    found.difference[row],
                    found.low[row] if leaves else None,
                    found.high[row] if leaves else None,
                ),
                probability=disclosure.chance(found.probability[row]) if leaves else None,
                p_value=disclosure.share(found.p_value[row]) if leaves else None,
                p_holm=disclosure.share(found.p_holm[row]) if leaves else None,
                separable=bool(made.ranks.better[a, b] or made.ranks.better[b, a]),
            )
        )
    note = "difference of a and b on common items, the item as the unit; p-values by exact McNemar, Holm over the board"
    return Pairs(version=made.release.version, sides=_sides(made), pairs=tuple(made_pairs), note=note)


def skills_page(made: Board) -> Skills:
    """`skills.json`: skills by what the ranked models make of them, hardest first; reference solvers do not count."""
    models = [c for c in made.ranked() if not made.settings.is_reference(c.entrant)]
    found = margin(made.frame, "skill", made.settings)
    names = sorted({name for cells in found.values() for name, _ in cells})
    rows = []
    for name in names:
        held = {c: estimate for c, cells in found.items() for cell, estimate in cells if cell == name}
        estimates = [held[c] for c in models if c in held]
        n = max(estimate.n for estimate in held.values())
        if not disclosure.leaves("skill", name, n, made.allowed):
            continue
        values = [estimate.value for estimate in estimates]
        rows.append(
            Skill(
                name=name,
                n=n,
                field_mean=disclosure.share(sum(values) / len(values)) if values else None,
                field_best=disclosure.share(max(values)) if values else None,
                accuracies=tuple(_accuracy(held, c) for c in made.ranked()),
            )
        )
    rows.sort(key=lambda row: (row.field_mean is None, row.field_mean or 0.0, row.name))
    return Skills(version=made.release.version, sides=_sides(made), skills=tuple(rows))


def pareto_page(made: Board) -> Pareto:
    """`pareto.json`: one frontier per axis."""
    axes = []
    for quantity, label, unit in AXES:
        points = tuple(
            ParetoPoint(
                slug=made.slug(point.condition),
                method=point.condition.method,
                x=disclosure.amount(point.x, quantity),
                accuracy=disclosure.share(point.accuracy) or 0.0,
                on_frontier=point.on_frontier,
                frontier_probability=disclosure.chance(point.frontier_probability),
            )
            for point in pareto(made.frame, quantity, made.settings)
        )
        axes.append(ParetoAxis(axis=quantity, label=label, unit=unit, points=points))
    return Pareto(version=made.release.version, axes=tuple(axes))


def timeline_page(made: Board, bridges: Sequence[Bridge] = ()) -> Timeline:
    """`timeline.json`"""
    found, undated = launches(made.frame, made.settings)
    return Timeline(
        version=made.release.version,
        points=tuple(
            TimelinePoint(
                slug=made.slug(launch.condition),
                name=made.described[launch.condition].entrant.name,
                method=launch.condition.method,
                launch_date=launch.launch_date,
                accuracy=disclosure.interval(launch.accuracy),
                on_frontier=launch.on_frontier,
            )
            for launch in found
        ),
        undated=tuple(made.slug(condition) for condition in undated),
        bridges=tuple(bridges),
    )


def saturation_page(made: Board) -> Saturation:
    """`saturation.json`; figures of power are left out where they would tell of too few items."""
    scores = ranked_scores(made.frame, made.settings)
    models = [place for place, c in enumerate(scores.conditions) if not made.settings.is_reference(c.entrant)]
    rights = (scores.points[models].sum(axis=1) // scores.scale).tolist()
    n = int(scores.planned[models].all(axis=0).sum()) if models else 0
    # How many items would separate two models tells on how many they differ.
    power = not made.release.sealed or all(
        disclosure.pair_may_leave((rights[a], rights[b]), n, _apart(scores, models[a], models[b]), sealed=True)
        for a in range(len(models))
        for b in range(a, len(models))
    )
    verdict = detect(made.frame, made.settings, power=power)
    return Saturation(
        version=made.release.version,
        saturated=verdict.saturated,
        sentence=verdict.sentence,
        advice=verdict.advice,
        top=tuple(Side(slug=made.slug(c), method=c.method) for c in verdict.tied),
        headroom=disclosure.share(verdict.headroom),
        spread=disclosure.share(verdict.spread),
        items_to_separate=verdict.items_to_separate,
        evidence=tuple(
            Evidence(name=figure.name, value=disclosure.share(figure.value), text=figure.text)
            for figure in verdict.evidence
        ),
    )


def items_page(made: Board) -> ItemCounts:
    """`items.json`: how many items are of each kind; which they are stays with the maintainer."""
    scores = field_scores(made.frame, made.settings)
    found = item_statistics(scores)
    n = len(found.items)
    rights = (scores.points.sum(axis=1) // scores.scale).tolist()
    if not n or not disclosure.counts_may_leave(rights, n, sealed=made.release.sealed):
        return _no_counts(made, n, found.conditions)
    defined = found.discrimination[~np.isnan(found.discrimination)]
    bins = np.histogram(found.difficulty, bins=BINS, range=(0, 1))[0].tolist()
    return ItemCounts(
        version=made.release.version,
        items=n,
        entrants=found.conditions,
        dead=int(found.dead.sum()),
        broken=int(found.broken.sum()),
        negative_discrimination=int((defined < 0).sum()),
        suspected_miskeys=len({s.item_id for s in suspicions(made.frame, made.settings)}),
        mean_difficulty=disclosure.share(float(found.difficulty.mean())),
        mean_discrimination=disclosure.share(float(defined.mean())) if len(defined) else None,
        kr20=disclosure.share(found.reliability),
        histogram=tuple(Bin(low=k / BINS, high=(k + 1) / BINS, items=count) for k, count in enumerate(bins)),
        note=f"over {found.conditions} conditions; a share at the border of two bins counts in the upper one",
    )


def _no_counts(made: Board, items: int, entrants: int) -> ItemCounts:
    return ItemCounts(
        version=made.release.version,
        items=items,
        entrants=entrants,
        dead=None,
        broken=None,
        negative_discrimination=None,
        suspected_miskeys=None,
        mean_difficulty=None,
        mean_discrimination=None,
        kr20=None,
        histogram=(),
        note="too few entrants to publish counts of items" if items else "no entrant is ranked yet",
    )


def _apart(scores: Scores, first: int, second: int) -> int:
    """On how many items two conditions differ."""
    return int((scores.points[first] != scores.points[second]).sum())


def _accuracy(held: dict[Condition, Estimate], condition: Condition) -> float | None:
    return disclosure.share(held[condition].value) if condition in held else None


def _sides(made: Board) -> tuple[Side, ...]:
    return tuple(Side(slug=made.slug(c), method=c.method) for c in made.ranked())
