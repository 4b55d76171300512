"""`run`: put items to models."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from benchpress.commands.work import AsJson, print_json, print_table
from benchpress.errors import UserError
from rich.console import Console

from benchpress_evaluator import register
from benchpress_evaluator.clock import now
from benchpress_evaluator.commands.options import (
    Benchmarks,
    Config,
    DryRun,
    Entrant,
    Identity,
    Items,
    Methods,
    MetricNames,
    Models,
    ResetRun,
    RunId,
    Samples,
    Seed,
    Store,
    VersionName,
    Yes,
)
from benchpress_evaluator.entrants import Entrants, load_entrants, read_keys, workspace
from benchpress_evaluator.exposure import exposure
from benchpress_evaluator.plan import Plan, Shard, estimate_lines, open_session, run_number
from benchpress_evaluator.progress import TerminalProgress
from benchpress_evaluator.providers.base import Keyless
from benchpress_evaluator.replay import Recorded
from benchpress_evaluator.runner import RunReport, execute
from benchpress_evaluator.workspace import ItemSet, open_set


def roster(models: Path | None, chosen: list[str] | None) -> Entrants:
    """The entrants of the roster file, or those chosen of it."""
    entrants = load_entrants(models or workspace() / "models.yaml")
    return entrants.select(chosen) if chosen else entrants


def run(
    version: VersionName = None,
    items: Items = None,
    entrant: Entrant = None,
    models: Models = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first so many items; a partial run.")
    ] = None,
    shard: Annotated[
        str, typer.Option("--shard", help="This machine's share, i/n; all shards together are the run.")
    ] = "1/1",
    rerun: Annotated[
        bool, typer.Option("--rerun", help="Start a further run; earlier ones stay in the history.")
    ] = False,
    announce: Annotated[
        bool, typer.Option("--announce", help="Enter the run into the register, to be published, and ask nothing yet.")
    ] = False,
    number: Annotated[
        int | None, typer.Option("--run", min=1, help="The run's number, where shards must agree on it.")
    ] = None,
    max_calls: Annotated[int | None, typer.Option("--max-calls", min=0, help="Stop after so many calls.")] = None,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", min=0, help="Stop before this many US dollars.")
    ] = None,
    config: Config = None,
    benchmark: Benchmarks = None,
    method: Methods = None,
    metric: MetricNames = None,
    n_samples: Samples = None,
    seed: Seed = None,
    run_id: RunId = None,
    yes: Yes = False,
    reset_run: ResetRun = False,
    dry_run: DryRun = False,
    place: Store = None,
    identity: Identity = None,
    as_json: AsJson = False,
) -> None:
    """Put the items to models. What was answered is never asked again: the same command resumes.

    With --config or --benchmark: run an experiment grid of benchmarks, models and methods.
    """
    if config is not None or benchmark:
        from benchpress_evaluator.commands.grids import run_config, written_of

        other = {"VERSION": version, "--items": items, "--limit": limit, "--run": number, "--rerun": rerun}
        other["--announce"] = announce
        refuse_beside("a grid", {**other, "--shard": shard != "1/1", "--identity": identity})
        options = {"benchmark": benchmark, "method": method, "metric": metric, "n_samples": n_samples, "seed": seed}
        written = written_of(config, {**options, "entrant": entrant, "max_calls": max_calls, "max_cost": max_cost})
        run_config(written, models, place, run_id, yes=yes, reset=reset_run, dry=dry_run, as_json=as_json)
        return
    grid = {"--method": method, "--metric": metric, "--n-samples": n_samples, "--seed": seed, "--run-id": run_id}
    refuse_beside("a version or an item file", {**grid, "--reset-run": reset_run, "--dry-run": dry_run})
    entrants = roster(models, entrant)
    part = Shard.parse(shard)
    chosen = open_set(version, items, place, identity or ())
    plan = Plan(
        version=chosen.version,
        items=chosen.items,
        entrants=entrants,
        methods=chosen.methods,
        shard=part,
        limit=limit,
        rerun=rerun,
        run=number,
        max_calls=max_calls,
        max_cost=max_cost,
        keyless=True,
    )
    if announce:
        announced(plan, chosen)
        return
    report = registered(plan, chosen, quiet=as_json)
    tell(report, chosen, as_json)
    if report.interrupted:
        raise KeyboardInterrupt
    if not report.complete:
        sys.exit(1)


def refuse_beside(what: str, options: Mapping[str, object]) -> None:
    """Raise UserError for an option that has no meaning for `what`."""
    for name, value in options.items():
        if value not in (None, False, [], ()):
            raise UserError(f"{name} has no meaning for {what}; leave it out")


def announced(plan: Plan, chosen: ItemSet) -> None:
    """Enter a run into the register before its first call, with all its shards; needs no key of a vendor."""
    ids = {item.id for item in chosen.items}
    recorded = Recorded.of(chosen.journal().records(), chosen.version, ids, lambda _: True)
    conditions = [
        register.Condition(entrant.id, method.key, run_number(plan, recorded, entrant.id, method.key))
        for entrant in plan.entrants
        for method in plan.methods
    ]
    book = chosen.register()
    book.start(conditions, plan.shard.count, now())
    print(
        f"{len(conditions)} runs in {plan.shard.count} shards stand in {book.place}: publish it before the first call"
    )


def registered(plan: Plan, chosen: ItemSet, *, quiet: bool) -> RunReport:
    """Make the calls of a plan between two entries in the register: before the first call, and at the end.

    Raises UserError where nothing at all came of it.
    """
    journal = chosen.journal()
    session = open_session(plan, journal.records(), read_keys())
    if not quiet:
        for expected in estimate_lines(session):
            print(expected)
    # What has no key is not said to have begun, nor to have sent anything anywhere.
    begun = [work for work in session.works if not (work.left and isinstance(work.provider, Keyless))]
    asked = [work for work in begun if work.left]
    conditions = [
        register.Condition(job.condition.entrant.id, job.condition.method.key, job.condition.run)
        for work in begun
        for job in work.jobs
    ]
    began = now()
    exposures = [line for work in asked if (line := exposure(work.entrant, work.provider, began)) is not None]
    book = chosen.register()
    book.start(conditions, plan.shard.count, began, exposures)
    report = execute(session, journal, TerminalProgress(Console(stderr=True)))
    if report.complete and plan.limit is None:
        book.finish(conditions, plan.shard.index, journal.heads(), now())
    if report.fruitless is not None and not report.interrupted:
        raise UserError(report.fruitless)
    return report


def tell(report: RunReport, chosen: ItemSet, as_json: bool) -> None:
    """What was done, per entrant."""
    if as_json:
        print_json(
            {
                "version": chosen.version,
                "interrupted": report.interrupted,
                "seconds": round(report.seconds, 3),
                "entrants": [
                    {
                        "entrant": tally.entrant,
                        "planned": tally.planned,
                        "asked": tally.done,
                        "calls": tally.calls,
                        "api_errors": tally.api_errors,
                        "cost_usd": None if tally.unknown_costs else round(tally.cost_usd, 6),
                        "stopped": tally.stopped,
                    }
                    for tally in report.tallies
                ],
            }
        )
        return
    rows = [
        [
            tally.entrant,
            f"{tally.planned - tally.left + tally.done}/{tally.planned}",
            str(tally.calls),
            str(tally.api_errors),
            "unknown" if tally.unknown_costs else f"${tally.cost_usd:.4f}",
            tally.stopped or "",
        ]
        for tally in report.tallies
    ]
    print_table(
        f"{chosen.version}: {report.seconds:.1f} s",
        ["entrant", "items asked", "new calls", "api errors", "cost", "stopped because"],
        rows,
        frozenset({1, 2, 3, 4}),
    )
