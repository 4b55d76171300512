"""The other pages of a version, from its board."""

from benchpress.publication import Pair, Pairs, Pareto, ParetoAxis, ParetoPoint, Published, Side, Skill, Skills

from benchpress_evaluator.publishing import disclosure
from benchpress_evaluator.publishing.leaderboard import Board
from benchpress_evaluator.stats.accuracy import margin
from benchpress_evaluator.stats.comparison import compare_all
from benchpress_evaluator.stats.efficiency import Quantity
from benchpress_evaluator.stats.intervals import Estimate
from benchpress_evaluator.stats.matrix import Condition
from benchpress_evaluator.stats.pareto import pareto
from benchpress_evaluator.stats.ranks import ranked_scores

AXES: tuple[tuple[Quantity, str, str], ...] = (
    ("cost_usd", "Mean cost of an answer", "USD"),
    ("thinking_tokens", "Thinking tokens of an answer (median)", "tokens"),
    ("output_tokens", "Generated tokens of an answer (median)", "tokens"),
    ("latency_s", "Latency of an answer (median)", "s"),
)


def pages(made: Board) -> dict[str, Published]:
    """Every page that follows from the results of the version alone, by file name."""
    return {"pairs": pairs_page(made), "skills": skills_page(made), "pareto": pareto_page(made)}


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
        leaves = disclosure.pair_may_leave((rights[a], rights[b]), n, sealed=made.release.sealed)
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
                probability=disclosure.share(found.probability[row]) if leaves else None,
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
        if made.release.sealed and n < disclosure.MIN_CELL:
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
                frontier_probability=disclosure.share(point.frontier_probability),
            )
            for point in pareto(made.frame, quantity, made.settings)
        )
        axes.append(ParetoAxis(axis=quantity, label=label, unit=unit, points=points))
    return Pareto(version=made.release.version, axes=tuple(axes))


def _accuracy(held: dict[Condition, Estimate], condition: Condition) -> float | None:
    return disclosure.share(held[condition].value) if condition in held else None


def _sides(made: Board) -> tuple[Side, ...]:
    return tuple(Side(slug=made.slug(c), method=c.method) for c in made.ranked())
