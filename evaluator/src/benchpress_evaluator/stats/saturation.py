"""Whether an item set still tells the best apart: overlap at the top, headroom, spread and power, in plain words."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchpress_evaluator.stats.matrix import Condition, Scores
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.ranks import Ranks, rank_order, rank_sets, ranked_scores

TOP = 10
"""Entrants looked at, at most."""
FEWEST = 3
"""With fewer ranked models nothing is said."""
CEILING = 0.05
"""A best accuracy that leaves less headroom than this is at the ceiling."""
CROWD = 5
CROWDED = 2.0
"""The top is crowded where nobody in it can be told from the best, if it has CROWD models or more, or if telling its
first from its last would need more than CROWDED times the items."""
Z_ALPHA, Z_POWER = 1.959963984540054, 0.8416212335729143
"""Normal quantiles of a two-sided 5 % test with 80 % power."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the evidence with its words."""

    name: str
    value: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the detector says. `saturated` is null where too few models are ranked; reference solvers do not count.

    `tied` are the models that cannot be told from the best, the best first; `items_to_separate` would tell the two best
    apart with 80 % power, null where they are exactly equal or there are no two.
    """

    saturated: bool | None
    sentence: str
    advice: str
    tied: tuple[Condition, ...]
    headroom: float | None
    spread: float | None
    items_to_separate: int | None
    evidence: tuple[Figure, ...]


def items_needed(discordant: float, difference: float) -> int | None:
    """Items that let an exact-size paired test find `difference` with 80 % power (Connor 1987).

    `discordant` is the share of items that exactly one of the two has right. Null where the difference is zero.
    """
    if difference == 0:
        return None
    psi = max(discordant, abs(difference))
    root = Z_ALPHA * math.sqrt(psi) + Z_POWER * math.sqrt(psi - difference * difference)
    return math.ceil(round(root * root / (difference * difference), 6))


def detect(frame: pd.DataFrame, settings: Settings, *, power: bool = True) -> Verdict:
    """The verdict on one version's results; without `power` it does not tell how many items would separate whom."""
    scores = ranked_scores(frame, settings)
    models = [p for p, condition in enumerate(scores.conditions) if not settings.is_reference(condition.entrant)]
    scores = scores.rows(models)
    if len(models) < FEWEST:
        sentence = f"Too few models are ranked ({len(models)}) to say whether the set is saturated."
        return Verdict(None, sentence, "", scores.conditions, None, None, None, ())
    ranks = rank_sets(scores, seed=settings.seed, resamples=settings.resamples)
    return _judge(scores, ranks, power)


def _judge(scores: Scores, ranks: Ranks, power: bool) -> Verdict:
    top = rank_order(ranks)[:TOP]
    best, last = top[0], top[-1]
    tied = [place for place in top if not ranks.better[best, place]]
    common = scores.planned.all(axis=0)
    n = int(common.sum())
    headroom = 1 - float(ranks.accuracy[best])
    spread = float(ranks.accuracy[best] - ranks.accuracy[last])
    two, whole = _needed(scores, best, top[1]), _needed(scores, best, last)
    ceiling = headroom < CEILING and len(tied) > 1
    crowded = len(tied) == len(top) and (len(top) >= CROWD or whole is None or whole > CROWDED * n)
    evidence: tuple[Figure, ...] = (
        Figure(
            "top overlap",
            (len(tied) - 1) / (len(top) - 1),
            f"{len(tied) - 1} of the {len(top) - 1} models behind the best cannot be told from it (simultaneous "
            f"comparison, {n} items)",
        ),
        Figure("headroom", headroom, f"the best model leaves {100 * headroom:.1f} points to the ceiling"),
        Figure("spread", spread, f"the top {len(top)} lie within {100 * spread:.2f} points"),
    )
    if power:
        evidence += (
            Figure("items to separate the top two", two, _power_text(two, n, "the two best")),
            Figure("items to separate the top", whole, _power_text(whole, n, f"first and last of the top {len(top)}")),
        )
    told = two if power else None
    sentence, advice = _words(ceiling, crowded, len(tied), len(top), headroom, spread, told)
    return Verdict(
        ceiling or crowded,
        sentence,
        advice,
        tuple(ranks.conditions[place] for place in tied),
        headroom,
        spread,
        told,
        evidence,
    )


def _needed(scores: Scores, a: int, b: int) -> int | None:
    common = scores.given[a] & scores.given[b]
    apart = (scores.points[a, common] - scores.points[b, common]) / scores.scale
    if not len(apart):
        return None
    return items_needed(float(np.mean(apart * apart)), float(np.mean(apart)))


def _power_text(needed: int | None, n: int, who: str) -> str:
    if needed is None:
        return f"{who} are exactly equal: no number of items of this kind would separate them"
    return f"about {needed:,} items would separate {who} with 80 % power; there are {n:,}"


def _words(
    ceiling: bool, crowded: bool, tied: int, top: int, headroom: float, spread: float, two: int | None
) -> tuple[str, str]:
    if ceiling:
        return (
            f"This set is saturated: the best model scores {100 * (1 - headroom):.1f} % and {tied} of the top {top} "
            "models cannot be told apart, so it cannot rank them.",
            "Re-harden: calibrate a next version at higher levels.",
        )
    if crowded:
        return (
            f"This set does not separate the top: its {top} best models lie within {100 * spread:.2f} points and none "
            "can be told from the best.",
            "Re-harden at levels where these models differ, or add items.",
        )
    if tied > 1:
        more = "" if two is None else f" About {two:,} items would separate the two best."
        return (
            f"The set is not saturated, but {tied} of the top {top} models are statistical ties of the best.{more}",
            "",
        )
    return "The set is not saturated: the best model is told apart from all others.", ""


def saturation_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """The verdict with its evidence."""
    verdict = detect(frame, settings)
    said = "unknown" if verdict.saturated is None else "saturated" if verdict.saturated else "not saturated"
    rows = [{"evidence": figure.name, "value": figure.value, "in words": figure.text} for figure in verdict.evidence]
    notes = tuple(text for text in (verdict.sentence, verdict.advice) if text)
    return Table(f"Saturation: {said}", pd.DataFrame(rows, columns=["evidence", "value", "in words"]), notes)
