"""Entrants that do not exist, with a page each: what the invented publications are made from."""

import random
from collections.abc import Sequence

from benchpress import publication as p

ORGANISATIONS = (
    "Aldermoor",
    "Brightwater",
    "Cindervale",
    "Duskfield",
    "Elmhurst",
    "Fernbank",
    "Glasswing",
    "Hollowell",
)
STEMS = (
    "Avocet",
    "Bittern",
    "Curlew",
    "Dunlin",
    "Egret",
    "Fulmar",
    "Godwit",
    "Heron",
    "Ibis",
    "Jacana",
    "Knot",
    "Linnet",
)
BUNDLES = (
    "adjustment",
    "back_door",
    "bow_arc",
    "chain",
    "collider",
    "confounding",
    "counterfactual",
    "discrimination",
    "do_calculus",
    "equivalence",
    "fork",
    "front_door",
    "instrument",
    "m_bias",
    "markov_blanket",
    "mediation",
    "paradox",
    "selection",
    "separation",
    "transport",
    "unfaithful",
    "verma",
)
VARIANTS = ("base", "trap", "transfer", "numeric", "analyst")
SKILLS = (
    "d_separation",
    "back_door",
    "colliders",
    "effects",
    "identifiability",
    "front_door",
    "bias",
    "reading_tables",
)
PARTS = ("SET", "EFFECT", "VERDICT")
PER_BUNDLE = 20


class Field:
    """The invented entrants with a skill each; everything else is drawn around it."""

    def __init__(self, entrants: int, seed: int) -> None:
        self.draw = random.Random(seed)
        self.entrants: list[p.Entrant] = []
        self.skill: list[float] = []
        for place in range(entrants):
            draw = self.draw
            reasoning = place % 3 != 0
            stem, year, month = STEMS[place % len(STEMS)], 2023 + place % 4, 1 + (place * 5) % 12
            edition = place // len(STEMS) + 1
            self.entrants.append(
                p.Entrant(
                    slug=f"{stem.lower()}-{edition}-{place:02d}",
                    name=f"{stem} {edition}{' thinking' if reasoning else ''}",
                    organisation=ORGANISATIONS[place % len(ORGANISATIONS)],
                    kind="model",
                    openness=("open", "closed", "closed")[place % 3] if place % 11 else None,
                    size_class=("small", "medium", "large")[place % 3] if place % 13 else None,
                    reasoning=reasoning,
                    launch_date=None if place % 17 == 5 else f"{year}-{month:02d}-{1 + place % 28:02d}",
                )
            )
            self.skill.append(min(0.93, max(0.02, 0.1 + 0.13 * (year - 2023) + 0.2 * reasoning + draw.gauss(0, 0.12))))


def interval(correct: int, n: int, unit: str = "items") -> p.Interval:
    """A Wilson interval: the shape of a real one, which is all that a preview needs."""
    share, z = correct / n, 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * ((share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5) / (1 + z * z / n)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return p.Interval(value=round(share, 4), low=round(low, 4), high=round(high, 4), unit=unit, method="Wilson")


def cell(draw: random.Random, name: str, n: int, share: float) -> p.Cell:
    correct = sum(draw.random() < share for _ in range(n))
    found = interval(correct, n)
    return p.Cell(name=name, n=n, accuracy=found.value, low=found.low, high=found.high)


def spread(draw: random.Random, middle: float | None) -> p.Spread:
    if middle is None:
        return p.Spread(median=None, p90=None)
    return p.Spread(median=round(middle, 4), p90=round(middle * (1.5 + draw.random()), 4))


def model(field: Field, place: int, version: str, track: str, harder: float, partial: bool) -> p.ModelPage:
    draw, entrant = field.draw, field.entrants[place]
    ability = max(0.01, field.skill[place] - harder)
    bundles = tuple(cell(draw, name, PER_BUNDLE, min(0.99, max(0.0, draw.gauss(ability, 0.15)))) for name in BUNDLES)
    planned = PER_BUNDLE * len(BUNDLES)
    pending = planned - 15 if partial else 0
    correct = round(sum((one.accuracy or 0) * one.n for one in bundles)) if not partial else round(15 * ability)
    bad = [draw.randrange(0, 12), draw.randrange(0, 9), draw.randrange(0, 15), draw.randrange(0, 4)]
    bad = [0, 0, 0, 0] if partial or planned - correct < sum(bad) else bad
    ok = planned - pending - sum(bad)
    tokens = 200 + 9000 * draw.random() * (2.5 if entrant.reasoning else 0.2)
    cost = None if place % 9 == 4 else round(planned * tokens * (0.2 + 8 * draw.random()) / 1e6, 4)
    row = p.Row(
        entrant=entrant,
        method="direct",
        run_date=f"2026-10-{1 + place % 28:02d}",
        statuses=p.Statuses(
            planned=planned,
            ok=ok,
            refusal=bad[0],
            invalid_answer=bad[1],
            truncated=bad[2],
            api_error=bad[3],
            pending=pending,
        ),
        correct=correct,
        accuracy=interval(correct, 15 if partial else planned),
        accuracy_on_answered=round(correct / ok, 4) if ok else None,
        ranked=not partial,
        unranked_reason="partial run: 15 of 440 items" if partial else None,
        rank_low=None,
        rank_high=None,
        tie_group=None,
        cost_usd=cost,
        cost_usd_per_item=spread(draw, None if cost is None else cost / planned),
        output_tokens=spread(draw, tokens),
        thinking_tokens=spread(draw, tokens * 0.85 if entrant.reasoning and place % 7 else None),
        latency_s=spread(draw, tokens / (30 + 80 * draw.random())),
        price_date=None if cost is None else "2026-10-01",
        public_minus_private=round(draw.gauss(0.01, 0.02), 4) if place % 5 else None,
        first_exposure=f"2026-10-{1 + place % 28:02d}",
    )
    return p.ModelPage(
        version=version,
        track=track,
        row=row,
        settings=(
            p.Setting(name="max_tokens", value="32000"),
            p.Setting(name="thinking", value="adaptive" if entrant.reasoning else "off"),
        ),
        bundles=() if partial else bundles,
        variants=() if partial else tuple(cell(draw, name, 88, ability) for name in VARIANTS),
        levels=()
        if partial
        else tuple(cell(draw, str(level), 73, max(0, ability + 0.25 - level * 0.04)) for level in range(4, 10)),
        parts=() if partial else tuple(cell(draw, name, planned, min(0.98, ability + 0.15)) for name in PARTS),
        skills=() if partial else tuple(cell(draw, name, 120, min(0.98, ability + 0.1)) for name in SKILLS),
        public_gap=None
        if row.public_minus_private is None
        else p.Difference(
            value=row.public_minus_private,
            low=round(row.public_minus_private - 0.03, 4),
            high=round(row.public_minus_private + 0.03, 4),
        ),
        stop_reasons=(),
        stop_table=(
            p.StopCount(stop_reason="end_turn", status="ok", n=ok),
            p.StopCount(stop_reason=None, status="api_error", n=bad[3]),
        ),
    )


def ranked(pages: Sequence[p.ModelPage]) -> list[p.ModelPage]:
    """The pages with rank ranges from overlapping intervals and tie groups with a fixed anchor."""
    order = sorted(pages, key=lambda page: -(page.row.accuracy.value if page.row.accuracy else 0))
    full = [page for page in order if page.row.ranked and page.row.accuracy]
    found = []
    group, anchor = -1, 0.0
    for page in order:
        if page not in full or page.row.accuracy is None:
            found.append(page)
            continue
        mine = page.row.accuracy
        better = sum(other.row.accuracy.low > mine.high for other in full if other.row.accuracy)
        worse = sum(other.row.accuracy.high < mine.low for other in full if other.row.accuracy)
        if group < 0 or mine.high < anchor:
            group, anchor = group + 1, mine.low
        row = page.row.model_copy(update={"rank_low": better + 1, "rank_high": len(full) - worse, "tie_group": group})
        found.append(page.model_copy(update={"row": row}))
    return found
