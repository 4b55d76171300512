"""The ladder of settings on the replay track: our own runs, and the paper's figures apart and attributed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from benchpress.publication import Replay, ReplayFigure, ReplayTable

from benchpress_site import charts, formats
from benchpress_site.charts import Chart, Point, Series, View
from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page
from benchpress_site.views.board import href

METRICS = {
    "valid": "Legal",
    "legal": "Legal",
    "train_exact": "Fits the training worlds",
    "train_world": "Training worlds",
    "heldout_world": "Held-out worlds",
    "train_world_exact": "Training worlds",
    "heldout_world_exact": "Held-out worlds",
    "heldout_exact": "Every world",
    "heldout_exact_given_train_exact": "Every world, of those that fit",
    "heldout_world_given_train_exact": "Held-out worlds, of those that fit",
    "root_exact": "Roots",
    "alt_train_exact": "Alternative fits",
    "alt_scm_joint": "Joint success",
    "joint_success": "Joint success",
    "experiment_witness": "Experiment and witness",
    "joint_leave_model_out": "Joint success, own alternatives left out",
    "paired_train_correct": "Fits without the reference",
    "train_exact_given_root_exact": "Fits, of those with the roots",
    "heldout_world_given_root_exact": "Held-out worlds, of those with the roots",
    "heldout_exact_given_root_exact": "Every world, of those with the roots",
}
LADDER_METRICS = ("heldout_exact", "train_exact", "joint_success")
"""What a ladder is drawn of: the first of these that a table has for more than one setting."""


@dataclass(frozen=True)
class Grid:
    """A table ready to print. `heads` are metrics, or settings where the table has one metric alone."""

    title: str
    attribution: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str | None, str, str | None, tuple[ReplayFigure | None, ...]], ...]
    """Setting (none where settings are the heads), system, address of its page, figures."""
    metric: str | None

    @property
    def columns(self) -> list[tuple[str, str]]:
        """The heads as a table takes them: with the class that aligns figures."""
        return [(head, "num") for head in self.heads]


@cache
def reported() -> Replay:
    """The published tables of the paper, in our form."""
    text = resources.files("benchpress_site").joinpath("reported/replay_paper.json").read_text(encoding="utf-8")
    return Replay.model_validate_json(text)


def label(metric: str) -> str:
    return METRICS.get(metric, formats.words(metric))


def ordered(names: Sequence[str], order: Sequence[str]) -> list[str]:
    """Distinct names, those of `order` first and in its order, the others as they come."""
    found = list(dict.fromkeys(names))
    return [name for name in order if name in found] + [name for name in found if name not in order]


def grid(table: ReplayTable, order: Sequence[str], version: Version | None) -> Grid:
    figures = table.figures
    metrics = list(dict.fromkeys(figure.metric for figure in figures))
    settings = ordered([figure.setting for figure in figures], order)
    systems = list(dict.fromkeys((figure.system, figure.slug) for figure in figures))
    at = {(figure.system, figure.setting, figure.metric): figure for figure in figures}

    def home(slug: str | None) -> str | None:
        return href(version, slug) if version and slug else None

    if len(metrics) == 1:
        only = metrics[0]
        rows = [
            (None, system, home(slug), tuple(at.get((system, setting, only)) for setting in settings))
            for system, slug in systems
        ]
        heads = tuple(formats.setting(one) for one in settings)
        return Grid(table.title, table.attribution, heads, tuple(rows), label(only))
    grouped = [
        (formats.setting(setting), system, home(slug), cells)
        for setting in settings
        for system, slug in systems
        if any(cells := tuple(at.get((system, setting, metric)) for metric in metrics))
    ]
    return Grid(table.title, table.attribution, tuple(label(metric) for metric in metrics), tuple(grouped), None)


def ladder(table: ReplayTable, order: Sequence[str], chart_id: str, title: str) -> Chart | None:
    """Systems as lines over the settings; None where no metric spans two settings."""
    for metric in LADDER_METRICS:
        figures = [figure for figure in table.figures if figure.metric == metric and figure.value is not None]
        settings = ordered([figure.setting for figure in figures], order)
        # More evidence is no rung: the ladder is what is told, on the usual evidence, where that is told apart.
        usual = [setting for setting in settings if setting.endswith("/original")]
        settings = usual if len(usual) > 1 else settings
        if len(settings) > 1:
            break
    else:
        return None
    systems = list(dict.fromkeys(figure.system for figure in figures))
    series = []
    for look, system in enumerate(systems):
        values = {figure.setting: figure.value for figure in figures if figure.system == system}
        points = tuple(
            Point(
                formats.setting(setting),
                value,
                f"{formats.clean(system)}\n{formats.setting(setting)}: {formats.share(value)}",
            )
            for setting in settings
            if (value := values.get(setting)) is not None
        )
        series.append(Series(system, points, look=look, lines=True))
    view = View(
        metric,
        label(metric),
        "Setting",
        "category",
        label(metric),
        tuple(series),
        categories=tuple(map(formats.setting, settings)),
    )
    return Chart(chart_id, f"{title}: {label(metric).lower()}", (view,))


def parts(published: Replay, source: str, version: Version | None) -> tuple[list[Grid], Chart | None]:
    tables = [table for table in published.tables if table.source == source]
    drawn = None
    for table in tables:
        drawn = drawn or ladder(table, published.settings, f"ladder-{source}", table.title)
    return [grid(table, published.settings, version) for table in tables], drawn


def pages(_publication: Publication, version: Version) -> Iterator[Page]:
    published = version.get("replay", Replay)
    if published is None:
        return
    own, own_ladder = parts(published, "own", version)
    theirs = published if any(table.source == "reported" for table in published.tables) else reported()
    paper, paper_ladder = parts(theirs, "reported", None)
    drawn = [chart for chart in (own_ladder, paper_ladder) if chart]
    yield Page(
        f"{version.name}/replay.md",
        "replay.html",
        f"Replay ladder, {version.entry.title}",
        f"How {version.entry.title} falls as less structure is told, and the paper's reported figures apart.",
        {
            "version": version,
            "here": "replay",
            "own": own,
            "own_ladder": own_ladder,
            "paper": paper,
            "paper_ladder": paper_ladder,
        },
        wide=True,
        beside={"charts.json": charts.file(*drawn)} if drawn else {},
    )


def reported_page() -> Page:
    """The paper's figures alone: there whether or not we have run the track."""
    paper, drawn = parts(reported(), "reported", None)
    return Page(
        "reported/replay.md",
        "replay_reported.html",
        "ReplaySCM as reported",
        "Figures that the ReplaySCM paper reports, attributed and apart from our own runs.",
        {"paper": paper, "paper_ladder": drawn},
        wide=True,
        beside={"charts.json": charts.file(drawn)} if drawn else {},
    )
