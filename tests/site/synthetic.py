"""Invented publications for tests and previews: sixty entrants that do not exist, on three versions and more tracks.

`python tests/site/synthetic.py FOLDER` writes one; `benchpress site serve --data FOLDER` shows it. Every version has
the status `synthetic`, from which the site says on every page that all of it is invented.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from benchpress import publication as p
from invented import BUNDLES, SKILLS, Field, interval, model, ranked

LADDER = ("ordered", "block_order", "hidden_order", "hidden_roots", "alt_ordered", "alt_hidden")


def tiers(pages: Sequence[p.ModelPage]) -> tuple[p.Tier, ...]:
    """Ranks inside tiers: as wide as the tier, which is all that a preview needs."""
    found = []
    for name, wanted in (("reasoning", True), ("not reasoning", False)):
        rows = [page.row for page in pages if page.row.ranked and page.row.entrant.reasoning is wanted]
        members = tuple(
            p.TierMember(slug=row.entrant.slug, method=row.method, rank_low=1, rank_high=len(rows), tie_group=0)
            for row in rows
        )
        if members:
            found.append(p.Tier(dimension="reasoning", name=name, members=members))
    return tuple(found)


def pareto(version: str, pages: Sequence[p.ModelPage]) -> p.Pareto:
    rows = [page.row for page in pages if page.row.ranked]
    axes = []
    for axis, label, unit, get in (
        ("cost_usd", "Cost", "US dollars a run", lambda row: row.cost_usd),
        ("thinking_tokens", "Thinking tokens", "median an answer", lambda row: row.thinking_tokens.median),
        ("latency_s", "Latency", "seconds, median", lambda row: row.latency_s.median),
    ):
        points = []
        for row in rows:
            x, y = get(row), row.accuracy.value
            others = [(get(other), other.accuracy.value) for other in rows if get(other) is not None]
            best = x is not None and not any((a <= x and b > y) or (a < x and b >= y) for a, b in others)
            points.append(
                p.ParetoPoint(
                    slug=row.entrant.slug,
                    method=row.method,
                    x=x,
                    accuracy=y,
                    on_frontier=best,
                    frontier_probability=None if x is None else (0.8 if best else 0.05),
                )
            )
        axes.append(p.ParetoAxis(axis=axis, label=label, unit=unit, points=tuple(points)))
    return p.Pareto(version=version, axes=tuple(axes))


def pairs(version: str, pages: Sequence[p.ModelPage]) -> p.Pairs:
    rows = [page.row for page in pages if page.row.ranked and page.row.accuracy]
    found = []
    for a, one in enumerate(rows):
        for b in range(a + 1, len(rows)):
            other = rows[b]
            gap = round(one.accuracy.value - other.accuracy.value, 4)
            found.append(
                p.Pair(
                    a=a,
                    b=b,
                    n=440,
                    difference=p.Difference(
                        value=gap, low=round(max(-1, gap - 0.06), 4), high=round(min(1, gap + 0.06), 4)
                    ),
                    probability=round(min(1, max(0, 0.5 + gap * 5)), 4),
                    p_value=round(max(0.0, 0.5 - abs(gap) * 5), 4),
                    p_holm=round(max(0.0, min(1.0, 1 - abs(gap) * 8)), 4),
                    separable=abs(gap) > 0.1,
                )
            )
    sides = tuple(p.Side(slug=row.entrant.slug, method=row.method) for row in rows)
    return p.Pairs(version=version, sides=sides, pairs=tuple(found), note="Invented figures.")


def skills(version: str, pages: Sequence[p.ModelPage]) -> p.Skills:
    full = [page for page in pages if page.row.ranked]
    found = []
    for place, name in enumerate(SKILLS):
        values = [page.skills[place].accuracy or 0.0 for page in full]
        found.append(
            p.Skill(
                name=name,
                n=120,
                field_mean=round(sum(values) / len(values), 4),
                field_best=max(values),
                accuracies=tuple(values),
            )
        )
    found.sort(key=lambda skill: skill.field_mean or 0)
    return p.Skills(
        version=version,
        sides=tuple(p.Side(slug=page.row.entrant.slug, method="direct") for page in full),
        skills=tuple(found),
    )


def timeline(version: str, pages: Sequence[p.ModelPage], earlier: str | None) -> p.Timeline:
    dated = sorted(
        (page.row for page in pages if page.row.ranked and page.row.entrant.launch_date),
        key=lambda row: row.entrant.launch_date,
    )
    points, best = [], 0.0
    for row in dated:
        leads = row.accuracy.value > best
        best = max(best, row.accuracy.value)
        points.append(
            p.TimelinePoint(
                slug=row.entrant.slug,
                name=row.entrant.name,
                method="direct",
                launch_date=row.entrant.launch_date,
                accuracy=row.accuracy,
                on_frontier=leads,
            )
        )
    undated = tuple(page.row.entrant.slug for page in pages if page.row.ranked and not page.row.entrant.launch_date)
    bridge = (
        ()
        if earlier is None
        else (
            p.Bridge(
                earlier=earlier,
                later=version,
                entrants=tuple(point.slug for point in points[:20]),
                change=p.Difference(value=-0.08, low=-0.1, high=-0.06),
                note="Harder by invention.",
            ),
        )
    )
    return p.Timeline(version=version, points=tuple(points), undated=undated, bridges=bridge)


def saturation(version: str, pages: Sequence[p.ModelPage], saturated: bool) -> p.Saturation:
    top = tuple(p.Side(slug=page.row.entrant.slug, method="direct") for page in pages if page.row.tie_group == 0)
    best = max(page.row.accuracy.value for page in pages if page.row.accuracy)
    return p.Saturation(
        version=version,
        saturated=saturated,
        sentence="The set no longer tells the best entrants apart."
        if saturated
        else "The set still tells the best entrants apart.",
        advice="Differences at the top are chance; a harder version is being prepared."
        if saturated
        else "Nothing is to be done.",
        top=top,
        headroom=round(1 - best, 4),
        spread=0.03,
        items_to_separate=1800,
        evidence=(
            p.Evidence(
                name="top_overlap", value=0.91, text="The intervals of the five best overlap in 91% of resamples."
            ),
            p.Evidence(name="headroom", value=round(1 - best, 4), text="The best entrant leaves little room above it."),
        ),
    )


def contamination(version: str, pages: Sequence[p.ModelPage]) -> p.Contamination:
    rows = []
    for place, page in enumerate(pages[:12]):
        value = page.row.accuracy.value
        gap = 0.11 if place == 3 else 0.01
        fresh = round(max(0.0, value - gap), 4)
        rows.append(
            p.ContaminationRow(
                slug=page.row.entrant.slug,
                method="direct",
                canonical=value,
                fresh=fresh,
                gap=p.Difference(value=round(value - fresh, 4), low=-0.02, high=0.15),
                p_value=0.2,
                p_holm=0.004 if place == 3 else 0.9,
                flagged=place == 3,
                excess=p.Difference(value=0.1 if place == 3 else 0.0, low=None, high=None),
            )
        )
    return p.Contamination(
        version=version,
        canonical=version,
        fresh=f"{version}-fresh",
        canonical_items=440,
        fresh_items=220,
        alarm_threshold=0.08,
        rows=tuple(rows),
        fresh_root="d4" * 32,
        fresh_date="2026-10-20",
        every_days=90,
        sentence="One of twelve entrants does markedly better on what it could have seen.",
    )


def changelog(version: str, date: str) -> p.Changelog:
    return p.Changelog(
        version=version,
        changes=(
            p.Change(date=date, version=version, kind="run", text="Sixty invented entrants added.", comparable=True),
            p.Change(date=date, version=version, kind="audit", text="A fresh sample was compared.", comparable=True),
            p.Change(
                date="2026-01-15", version=version, kind="major", text="New items at higher levels.", comparable=False
            ),
        ),
        rules=("patch: another draw of the same recipe.", "major: figures are not comparable."),
    )


def register(version: str, pages: Sequence[p.ModelPage]) -> p.Runs:
    runs = tuple(
        p.RunEntry(
            slug=page.row.entrant.slug,
            method="direct",
            run=1,
            started="2026-10-01T08:00:00Z",
            ended="2026-10-01T10:30:00Z",
            planned_shards=2,
            segments=(("ab" * 16, 220, "cd" * 32), ("ef" * 16, 220, "01" * 32)),
        )
        for page in pages
    )
    exposures = tuple(
        p.Exposure(
            slug=page.row.entrant.slug,
            provider="anthropic",
            endpoint="api.example.invalid",
            retention=("limited", None)[place % 2],
            batch=False,
            date="2026-10-01",
            first=True,
        )
        for place, page in enumerate(pages[:3])
    )
    return p.Runs(version=version, runs=runs, exposures=exposures)


def commitment(version: str) -> p.CommitmentPage:
    return p.CommitmentPage(
        version=version,
        seed_commit="5a" * 32,
        root="c3" * 32,
        items=440,
        bundles=dict.fromkeys(BUNDLES, 20),
        digests={"generator": "77" * 32, "prompts": "88" * 32},
        sealed_at="2026-09-30T12:00:00Z",
        revealed=False,
    )


def histogram(version: str) -> p.ItemCounts:
    heights = (40, 52, 61, 58, 50, 46, 44, 39, 30, 20)
    bins = tuple(p.Bin(low=place / 10, high=(place + 1) / 10, items=height) for place, height in enumerate(heights))
    return p.ItemCounts(
        version=version,
        items=440,
        entrants=60,
        dead=3,
        broken=7,
        negative_discrimination=5,
        suspected_miskeys=0,
        mean_difficulty=0.43,
        mean_discrimination=0.31,
        kr20=0.94,
        histogram=bins,
    )


def order_bias(version: str, field: Field) -> p.OrderBias:
    rows = []
    for place, entrant in enumerate(field.entrants[:6]):
        for method in ("direct", "cyclic_permutation"):
            rotates = method != "direct"
            rows.append(
                p.OrderBiasRow(
                    slug=entrant.slug,
                    method=method,
                    benchmark="invented-mc",
                    n=400,
                    accuracy=interval(round(400 * field.skill[place]), 400),
                    accuracy_conditional=interval(round(380 * field.skill[place]), 380),
                    mad=4.0 + place,
                    mad_low=2.5 + place,
                    mad_high=6.0 + place,
                    recall_rstd=3.0 + place,
                    order_rstd=0.02 * (place + 1) if rotates else None,
                    flip_rate=0.05 * (place + 1) if rotates else None,
                    right=round(400 * field.skill[place]),
                    wrong=380 - round(400 * field.skill[place]),
                    abstained=20,
                    gated=3 * place,
                    recall_rstd_low=2.0 + place,
                    recall_rstd_high=4.0 + place,
                    order_rstd_low=0.01 * (place + 1) if rotates else None,
                    order_rstd_high=0.03 * (place + 1) if rotates else None,
                    flip_rate_low=0.04 * (place + 1) if rotates else None,
                    flip_rate_high=0.07 * (place + 1) if rotates else None,
                )
            )
    return p.OrderBias(version=version, rows=tuple(rows), note="Invented figures.")


def replay(version: str, field: Field) -> p.Replay:
    figures = [
        p.ReplayFigure(
            system=entrant.name,
            slug=entrant.slug,
            setting=setting,
            metric=metric,
            n=100,
            value=round(max(0.0, field.skill[place] - 0.08 * step - (0.1 if metric == "heldout_exact" else 0)), 3),
        )
        for place, entrant in enumerate(field.entrants[:5])
        for step, setting in enumerate(LADDER[:4])
        for metric in ("train_exact", "heldout_exact")
    ]
    table = p.ReplayTable(
        title="Settings ladder", source="own", attribution="Invented figures.", figures=tuple(figures)
    )
    return p.Replay(version=version, settings=LADDER, tables=(table,))


def write(folder: Path, value: p.Published, *names: str) -> None:
    path = folder.joinpath(*names).with_suffix(".json") if names else folder
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value.model_dump_json(indent=1) + "\n", encoding="utf-8")


def write_publication(folder: Path, entrants: int = 60, versions: int = 3, seed: int = 1) -> Path:
    """`versions` causal versions of `entrants` each, one choice and one replay track; returns `folder`."""
    field = Field(entrants, seed)
    entries = [_causal(folder, field, number) for number in range(versions, 0, -1)]
    for track, files in (("choice", {"order_bias": order_bias}), ("replay", {"replay": replay})):
        version = f"{track}-v1"
        pages = ranked(
            [model(field, place, version, track, 0.1, False) for place in range(min(6, len(field.entrants)))]
        )
        entries.append(_version(folder, version, track, pages, f"{track.capitalize()} v1"))
        for name, make in files.items():
            write(folder / version, make(version, field), name)
    write(folder, p.Versions(versions=tuple(entries)), "versions")
    return folder


def _version(folder: Path, version: str, track: str, pages: list[p.ModelPage], title: str) -> p.VersionEntry:
    home = folder / version
    write(
        home,
        p.Leaderboard(
            version=version,
            track=track,
            planned=440,
            updated="2026-10-28",
            rows=tuple(page.row for page in pages),
            tiers=tiers(pages),
        ),
        "leaderboard",
    )
    for page in pages:
        path = home / "models" / f"{page.row.entrant.slug}.json"
        write(path, page)
    return p.VersionEntry(
        version=version,
        track=track,
        title=title,
        status="synthetic",
        date="2026-10-01",
        items=440,
        entrants=len(pages),
        root="c3" * 32,
        note="Invented entrants and figures.",
    )


def _causal(folder: Path, field: Field, number: int) -> p.VersionEntry:
    version = f"causal-v{number}"
    last = len(field.entrants) - 1
    pages = ranked(
        [
            model(field, place, version, "causal", 0.06 * (number - 1), partial=place == last > 0)
            for place in range(len(field.entrants))
        ]
    )
    entry = _version(folder, version, "causal", pages, f"Causal v{number}").model_copy(
        update={"date": f"2026-{6 + number:02d}-01"}
    )
    home = folder / version
    if any(page.row.ranked for page in pages):
        write(home, pareto(version, pages), "pareto")
        write(home, pairs(version, pages), "pairs")
        write(home, skills(version, pages), "skills")
        write(home, timeline(version, pages, f"causal-v{number - 1}" if number > 1 else None), "timeline")
        write(home, saturation(version, pages, saturated=number == 1), "saturation")
        write(home, contamination(version, pages), "contamination")
    write(home, histogram(version), "items")
    write(home, changelog(version, "2026-10-28"), "changelog")
    write(home, register(version, pages), "runs")
    write(home, commitment(version), "commitment")
    return entry


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit("usage: synthetic.py FOLDER [ENTRANTS [VERSIONS]]")
    write_publication(Path(arguments[0]), *map(int, arguments[1:]))
