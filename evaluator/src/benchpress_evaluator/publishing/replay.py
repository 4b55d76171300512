"""The page of the replay track: our own results on every rung of its ladder."""

from collections.abc import Iterator

import numpy as np
from benchpress.modules.replay.report import Figure, summarise
from benchpress.publication import Replay, ReplayFigure, ReplayTable

from benchpress_evaluator.publishing import disclosure
from benchpress_evaluator.publishing.figures import SETTING
from benchpress_evaluator.publishing.leaderboard import Board
from benchpress_evaluator.stats.frame import METRIC_PREFIX
from benchpress_evaluator.stats.matrix import Condition, select_runs

DISCLOSURES = ("ordered", "block_order", "hidden_order", "hidden_roots", "alt_ordered", "alt_hidden")
EVIDENCE = ("original", "extra_worlds", "counterexample")
"""The ladder of the replay track: what is disclosed, most first, and what evidence is shown."""

COUNT = "n_valid"
"""Left out: the share of legal submissions and their number say the same."""


def replay_page(made: Board) -> Replay:
    """`replay.json`: our own results in every setting; those of others are in their sources, on their own items."""
    found = [
        ReplayFigure(
            system=made.described[condition].entrant.name,
            slug=made.slug(condition),
            setting=setting,
            metric=_name(metric),
            value=disclosure.share(figure.value),
            n=figure.n,
        )
        for condition, setting, of, figures in _pools(made)
        for metric, figure in figures.items()
        if metric != COUNT
        and disclosure.leaves(SETTING, setting, of, made.allowed)
        and disclosure.part_leaves(figure.n, of, sealed=made.release.sealed)
    ]
    found.sort(key=lambda figure: (figure.setting, figure.metric, figure.slug or ""))
    settings = sorted({figure.setting for figure in found}, key=_rung)
    own = ReplayTable(title="Our runs", source="own", attribution="", figures=tuple(found))
    return Replay(version=made.release.version, settings=tuple(settings), tables=(own,))


def _pools(made: Board) -> Iterator[tuple[Condition, str, int, dict[str, Figure]]]:
    """Every condition in every setting, with the setting's items; a metric applies in a setting where anybody's answer
    has it."""
    rows = select_runs(made.frame, made.settings.runs)
    names = [str(column) for column in rows.columns if str(column).startswith(METRIC_PREFIX)]
    for (bundle, variant), held in rows.groupby(["bundle", "variant"], observed=True):
        applying = [name for name in names if held[name].notna().any()]
        if not applying:
            continue
        for (entrant, method), mine in held.groupby(["entrant", "method"], observed=True):
            values = mine[applying].to_numpy(dtype=np.float64)
            plain = [name.removeprefix(METRIC_PREFIX) for name in applying]
            submissions = [
                {name: None if np.isnan(value) else float(value) for name, value in zip(plain, row, strict=True)}
                for row in values
            ]
            yield Condition(str(entrant), str(method)), f"{bundle}/{variant}", len(values), summarise(submissions)


def _name(metric: str) -> str:
    """A metric's name as the published tables of the paper have it."""
    if metric == "legal":
        return "valid"
    return metric.replace("heldout_world_exact given ", "heldout_world given ").replace(" given ", "_given_")


def _rung(setting: str) -> tuple[int, int, str]:
    bundle, _, variant = setting.partition("/")
    places = (
        (DISCLOSURES.index(bundle) if bundle in DISCLOSURES else len(DISCLOSURES)),
        (EVIDENCE.index(variant) if variant in EVIDENCE else len(EVIDENCE)),
    )
    return (*places, setting)
