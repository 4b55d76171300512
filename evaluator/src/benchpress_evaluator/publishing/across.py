"""Pages about more than one item set: contamination, and bridges between versions."""

from collections.abc import Mapping, Sequence

from benchpress.publication import Bridge, Contamination, ContaminationRow

from benchpress_evaluator.publishing import disclosure
from benchpress_evaluator.publishing.describe import Release, slug_of
from benchpress_evaluator.stats.contamination import ALARM, Gap, sentence
from benchpress_evaluator.stats.timeline import BridgeFigures


def contamination_page(
    release: Release, canonical: str, fresh: str, items: tuple[int, int], found: Sequence[Gap], slugs: Mapping[str, str]
) -> Contamination:
    """`contamination.json`; `items` counts the canonical and the fresh items, `slugs` names the entrants."""
    return Contamination(
        version=release.version,
        canonical=canonical,
        fresh=fresh,
        canonical_items=items[0],
        fresh_items=items[1],
        alarm_threshold=ALARM,
        rows=tuple(_gap_row(gap, slugs) for gap in found),
        sentence=sentence(list(found)),
    )


def _gap_row(gap: Gap, slugs: Mapping[str, str]) -> ContaminationRow:
    return ContaminationRow(
        slug=slugs.get(gap.condition.entrant, slug_of(gap.condition.entrant)),
        method=gap.condition.method,
        canonical=disclosure.share(gap.canonical) or 0.0,
        fresh=disclosure.share(gap.fresh) or 0.0,
        gap=disclosure.difference(gap.gap, gap.low, gap.high),
        p_value=disclosure.share(gap.p_value) or 0.0,
        p_holm=disclosure.share(gap.p_holm) or 0.0,
        flagged=gap.flagged,
        excess=None if gap.excess is None else disclosure.difference(gap.excess, gap.excess_low, gap.excess_high),
    )


def bridge_entry(earlier: str, later: str, found: BridgeFigures | None, slugs: Mapping[str, str]) -> Bridge:
    """One line of `timeline.json` about two versions."""
    if found is None:
        return Bridge(earlier=earlier, later=later, entrants=(), change=None, note="no entrant ran on both versions")
    names = [slugs.get(c.entrant, slug_of(c.entrant)) for c in found.conditions]
    return Bridge(
        earlier=earlier,
        later=later,
        entrants=tuple(names),
        change=disclosure.difference(found.change, found.low, found.high),
        note=f"mean change over {len(names)} entrants; the items of each version are the units",
    )
