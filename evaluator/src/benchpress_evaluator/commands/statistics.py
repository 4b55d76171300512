"""`stats`: every registered metric over the scored answers."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from benchpress.commands.work import AsJson, print_json
from benchpress.errors import UserError
from benchpress.jsonl import atomic_write

from benchpress_evaluator.commands.options import Identity, Items, Models, Store, VersionName, check_folder
from benchpress_evaluator.commands.running import roster
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.publishing.describe import describe
from benchpress_evaluator.publishing.disclosure import stop_reason
from benchpress_evaluator.scored import read_scored
from benchpress_evaluator.stats import METRICS
from benchpress_evaluator.stats.comparison import compare_metric
from benchpress_evaluator.stats.matrix import Condition
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.report import report as page
from benchpress_evaluator.stats.resampling import RESAMPLES
from benchpress_evaluator.stats.tables import to_csv, to_json, to_rich
from benchpress_evaluator.workspace import ItemSet, open_set

USUAL = ("accuracy", "statuses", "parts")

NARROW = {
    "accuracy": ["entrant", "method", "accuracy", "low", "high", "n", "accuracy_on_answered", "answered", "interval"],
    "parts": ["entrant", "method", "part", "accuracy", "low", "high", "n"],
}
"""Columns that a terminal shows of wide tables; JSON, CSV and the report have them all."""


def stats(
    version: VersionName = None,
    items: Items = None,
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help="This metric; may be repeated; `all` for every one.")
    ] = None,
    models: Models = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of every resampling.")] = 0,
    resamples: Annotated[int, typer.Option("--resamples", min=100, help="Resamples of every bootstrap.")] = RESAMPLES,
    report: Annotated[Path | None, typer.Option("--report", help="Also write a self-contained HTML page.")] = None,
    unit: Annotated[str, typer.Option("--unit", help="What is resampled: item or bundle.")] = "item",
    csv: Annotated[Path | None, typer.Option("--csv", help="Also write each table as CSV into this folder.")] = None,
    place: Store = None,
    identity: Identity = None,
    as_json: AsJson = False,
) -> None:
    """Accuracy with intervals, statuses in their own columns, marginals per part, and every other metric."""
    if csv is not None:
        check_folder("--csv", csv)
    names = METRICS.names() if metric and "all" in metric else list(metric or USUAL)
    metrics = {name: METRICS.get(name) for name in names}
    entrants = roster(models, None)
    chosen = open_set(version, items, place, identity or ())
    frame = read_scored(chosen)
    if frame.empty:
        raise UserError(f"no answer of {chosen.version} was scored yet: `benchpress run`, then `benchpress score`")
    if chosen.sealed:
        # A vendor may say anything there, what it was asked included.
        plain = frame["stop_reason"].astype(object).map(stop_reason, na_action="ignore")
        frame = frame.assign(stop_reason=plain.astype("category"))
    settings = settings_for(chosen, entrants, seed, resamples, unit)
    tables: dict[str, Table] = {name: made(frame, settings) for name, made in metrics.items()}
    if chosen.sealed:
        plainly = sys.stdout.isatty() and not (as_json or csv or report)
        tables = without_items(tables, chosen.version, metric or (), plainly)
    if csv is not None:
        try:
            csv.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise UserError(f"--csv: cannot make {csv}: {problem.strerror or problem}") from None
        for name, table in tables.items():
            with atomic_write(csv / f"{name.replace(':', '-')}.csv") as file:
                file.write(to_csv(table))
    if report is not None:
        with atomic_write(report) as file:
            file.write(page(f"Statistics of {chosen.version}", list(tables.values())))
    if as_json:
        print_json({name: to_json(table) for name, table in tables.items()})
        return
    from rich.console import Console

    console = Console()
    for name, table in tables.items():
        if name in NARROW:
            table = replace(table, frame=table.frame[NARROW[name]])
        (console if console.is_terminal else Console(width=180)).print(to_rich(table))


def without_items(tables: dict[str, Table], version: str, named: Iterable[str], plainly: bool) -> dict[str, Table]:
    """The tables that may be shown: those that name single items of a sealed version only to whoever asks for them by
    name and looks at a terminal, so that none ends in a log or in a file in clear. Raises UserError."""
    private = {name for name, table in tables.items() if table.secret}
    asked = sorted(private & set(named))
    if asked and not plainly:
        raise UserError(f"{asked[0]} names single items of {version}, which is sealed: it is shown on a terminal only")
    left_out = sorted(private - set(asked))
    if left_out:
        print(f"note: left out, since they name single items: {', '.join(left_out)}", file=sys.stderr)
    return {name: table for name, table in tables.items() if name not in left_out}


def settings_for(chosen: ItemSet, entrants: Iterable[Entrant], seed: int, resamples: int, unit: str) -> Settings:
    """How statistics of an item set are made: its run policy says which run counts."""
    if unit not in ("item", "bundle"):
        raise UserError(f"--unit {unit}: intervals are over items, or over bundles as clusters")
    listed = list(entrants)
    return Settings(
        seed=seed,
        resamples=resamples,
        runs=chosen.recipe.run_policy.headline if chosen.recipe else "first",
        cluster="bundle" if unit == "bundle" else None,
        entrants={entrant.id: describe(entrant).entrant for entrant in listed},
        families={entrant.id: f"{entrant.provider}/{entrant.model}" for entrant in listed},
        options={
            item.id: len(item.parts[0].params.get("options") or ())
            for item in chosen.items
            if [part.type for part in item.parts] == ["choice"]
        },
    )


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="An entrant.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another entrant.")],
    version: VersionName = None,
    items: Items = None,
    method: Annotated[str, typer.Option("--method", help="The method of both.")] = "direct",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of every resampling.")] = 0,
    place: Store = None,
    identity: Identity = None,
    as_json: AsJson = False,
) -> None:
    """Two entrants on their common items: paired difference, exact McNemar, the chance that the first is better."""
    chosen = open_set(version, items, place, identity or ())
    sides = (Condition(first, method), Condition(second, method))
    table = compare_metric(read_scored(chosen), *sides, settings_for(chosen, (), seed, RESAMPLES, "item"))
    if as_json:
        print_json(to_json(table))
        return
    from rich.console import Console

    console = Console()
    (console if console.is_terminal else Console(width=180)).print(to_rich(table))
