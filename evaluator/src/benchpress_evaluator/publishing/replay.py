"""The page of the replay track: our own results on every rung of its ladder."""

from benchpress.publication import Replay, ReplayFigure, ReplayTable

from benchpress_evaluator.publishing import disclosure
from benchpress_evaluator.publishing.leaderboard import Board
from benchpress_evaluator.stats.measures import measures

DISCLOSURES = ("ordered", "block_order", "hidden_order", "hidden_roots", "alt_ordered", "alt_hidden")
EVIDENCE = ("original", "extra_worlds", "counterexample")
"""The ladder of the replay track: what is disclosed, most first, and what evidence is shown."""


def replay_page(made: Board) -> Replay:
    """`replay.json`: our own results in every setting; those of others are in their sources, on their own items."""
    found = [
        measure
        for measure in measures(made.frame, made.settings)
        if not made.release.sealed or measure.n >= disclosure.MIN_CELL
    ]
    figures = tuple(
        ReplayFigure(
            system=made.described[measure.condition].entrant.name,
            slug=made.slug(measure.condition),
            setting=measure.setting,
            metric=measure.name,
            value=disclosure.share(measure.value),
            n=measure.n,
        )
        for measure in found
    )
    settings = sorted({measure.setting for measure in found}, key=_rung)
    own = ReplayTable(title="Our runs", source="own", attribution="", figures=figures)
    return Replay(version=made.release.version, settings=tuple(settings), tables=(own,))


def _rung(setting: str) -> tuple[int, int, str]:
    bundle, _, variant = setting.partition("/")
    places = (
        (DISCLOSURES.index(bundle) if bundle in DISCLOSURES else len(DISCLOSURES)),
        (EVIDENCE.index(variant) if variant in EVIDENCE else len(EVIDENCE)),
    )
    return (*places, setting)
