"""Pages about more than one item set: contamination, and bridges between versions."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from benchpress.publication import Bridge, Contamination, ContaminationRow, Difference, Exposure

from benchpress_evaluator.publishing import disclosure
from benchpress_evaluator.publishing.describe import Release, slug_of
from benchpress_evaluator.stats.contamination import ALARM, Gap, gaps, sentence
from benchpress_evaluator.stats.matrix import Condition
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.timeline import BridgeFigures


def contamination_page(
    release: Release,
    canonical: str,
    fresh: str,
    items: tuple[int, int],
    found: Sequence[Gap],
    slugs: Mapping[Condition, str],
    drawn: Mapping[str, Any] | None = None,
    every_days: int | None = None,
    exposures: Sequence[Exposure] = (),
) -> Contamination:
    """`contamination.json`; `items` counts the canonical and the fresh items, `slugs` names the conditions, `drawn` is
    the commitment of the fresh sample and `exposures` its ledger."""
    return Contamination(
        version=release.version,
        canonical=canonical,
        fresh=fresh,
        canonical_items=items[0],
        fresh_items=items[1],
        alarm_threshold=found[0].alarm if found else ALARM,
        rows=tuple(_gap_row(gap, slugs) for gap in found),
        sentence=sentence(list(found)),
        fresh_root=drawn["root"] if drawn else None,
        fresh_date=str(drawn["time"])[:10] if drawn else None,
        every_days=every_days,
        exposures=tuple(exposures),
    )


def _gap_row(gap: Gap, slugs: Mapping[Condition, str]) -> ContaminationRow:
    return ContaminationRow(
        slug=_slug(gap.condition, slugs),
        method=gap.condition.method,
        canonical=disclosure.share(gap.canonical) or 0.0,
        fresh=disclosure.share(gap.fresh) or 0.0,
        gap=disclosure.difference(gap.gap, gap.low, gap.high),
        p_value=disclosure.share(gap.p_value) or 0.0,
        p_holm=disclosure.share(gap.p_holm) or 0.0,
        flagged=gap.flagged,
        excess=None if gap.excess is None else disclosure.difference(gap.excess, gap.excess_low, gap.excess_high),
    )


def public_gaps(public: pd.DataFrame, private: pd.DataFrame, settings: Settings) -> dict[Condition, Difference]:
    """Accuracy on a public set minus accuracy on the private one, of every condition that finished both."""
    found = gaps(public, private, settings)
    return {gap.condition: disclosure.difference(gap.gap, gap.low, gap.high) for gap in found}


def _slug(condition: Condition, slugs: Mapping[Condition, str]) -> str:
    return slugs.get(condition) or slug_of(condition.entrant)


def bridge_entry(earlier: str, later: str, found: BridgeFigures | None, slugs: Mapping[Condition, str]) -> Bridge:
    """One line of `timeline.json` about two versions."""
    if found is None:
        return Bridge(earlier=earlier, later=later, entrants=(), change=None, note="no entrant ran on both versions")
    names = [_slug(condition, slugs) for condition in found.conditions]
    return Bridge(
        earlier=earlier,
        later=later,
        entrants=tuple(names),
        change=disclosure.difference(found.change, found.low, found.high),
        note=f"mean change over {len(names)} entrants; the items of each version are the units",
    )
