"""`audit`: is a version still unknown to the models? Fresh items of the same recipe tell."""

import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer
from benchpress.commands.work import AsJson, Workers, print_json
from benchpress.errors import UserError
from benchpress.recipe import Recipe

from benchpress_evaluator.audits import audit_name, audit_numbers, fresh_recipe, is_due
from benchpress_evaluator.clock import now
from benchpress_evaluator.commands.options import Entrant, Identity, Models, Store
from benchpress_evaluator.commands.running import registered, roster
from benchpress_evaluator.commands.scoring import scored_items
from benchpress_evaluator.commands.sealing import finish, generated
from benchpress_evaluator.commands.statistics import settings_for
from benchpress_evaluator.entrants import Entrants
from benchpress_evaluator.plan import Plan
from benchpress_evaluator.scored import read_scored, write_scored
from benchpress_evaluator.stats.contamination import gaps, gaps_table
from benchpress_evaluator.stats.frame import results_frame
from benchpress_evaluator.stats.resampling import RESAMPLES
from benchpress_evaluator.stats.tables import to_json, to_rich
from benchpress_evaluator.storage import Storage
from benchpress_evaluator.vault.age import Keys
from benchpress_evaluator.vault.ceremony import draw, seed_document, store
from benchpress_evaluator.vault.sealed import Sealed
from benchpress_evaluator.workspace import ItemSet, open_file, open_version, sealed_name


def audit(
    version: Annotated[str, typer.Argument(help="A sealed version that was scored, such as causal-v1.")],
    entrant: Entrant = None,
    models: Models = None,
    per_variant: Annotated[
        int | None,
        typer.Option("--per-variant", min=1, help="Fresh items per bundle and variant (default: as many as it has)."),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Draw another fresh sample now, though the last one is not old yet.")
    ] = False,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", min=0, help="Stop before this many US dollars.")
    ] = None,
    place: Store = None,
    identity: Identity = None,
    workers: Workers = 1,
    as_json: AsJson = False,
) -> None:
    """Seal a fresh sample of the version's recipe when one is due, run it, and compare; exits with 1 on an alarm.

    A sample is drawn when the last one is as old as the run policy says; until then the same command goes on with the
    last one, and asks only what is missing.
    """
    chosen = open_version(version, place, identity or ())
    if chosen.recipe is None or chosen.commitment is None:
        raise UserError(f"{version} has no items yet: complete it with `benchpress seal --beacon-value`")
    policy = chosen.recipe.run_policy.audit
    canonical = read_scored(chosen)
    ran = {str(name) for name in canonical["entrant"].unique()}
    listed = roster(models, entrant)
    entrants = listed if entrant else Entrants([one for one in listed if one.id in ran], listed.source)
    numbers = audit_numbers(chosen.storage, version)
    if new or is_due(chosen.storage, version, policy.every_days, now()):
        numbers.append((numbers or [0])[-1] + 1)
        sealed, keys = open_file(version, chosen.storage, chosen.commitment, identity or ())
        plan = fresh_recipe(chosen.recipe, audit_name(version, numbers[-1]), per_variant)
        seal_fresh(chosen.storage, sealed, keys, plan, workers, quiet=as_json)
    fresh = open_version(audit_name(version, numbers[-1]), place, identity or ())
    run_fresh(fresh, entrants, max_cost, quiet=as_json)
    scored = scored_items(fresh, roster(models, None))
    write_scored(fresh, scored)
    settings = settings_for(chosen, entrants, 0, RESAMPLES, "item")
    found = gaps(canonical, results_frame(scored), settings, policy.alarm_points / 100)
    table = gaps_table(found)
    if as_json:
        print_json(to_json(table))
    else:
        from rich.console import Console

        console = Console()
        (console if console.is_terminal else Console(width=180)).print(to_rich(table))
    if any(gap.flagged for gap in found):
        print(f"alarm: {table.notes[0]}", file=sys.stderr)
        sys.exit(1)


def seal_fresh(storage: Storage, sealed: Sealed, keys: Keys, plan: Recipe, workers: int, *, quiet: bool) -> None:
    """Seal a sample of `plan` under a secret of its own, for whoever can open the version it is drawn for."""
    draft = draw(plan.version, sealed.recipients)
    made, commitment = generated(draft, seed_document(draft, now()), plan, workers)
    # A sealed file without its commitment is what an interrupted audit leaves; nothing was run with it.
    left = storage.read_tagged(sealed_name(plan.version))
    word = None if sealed.recipients else keys.passphrase
    store(storage, sealed_name(plan.version), made, passphrase=word, expected=left[1] if left else None)
    with redirect_stdout(sys.stderr if quiet else sys.stdout):
        finish(storage, made, commitment, None)


def run_fresh(fresh: ItemSet, entrants: Entrants, max_cost: float | None, *, quiet: bool) -> None:
    """Put the fresh items to the entrants. Raises UserError where some are left."""
    plan = Plan(fresh.version, fresh.items, entrants, fresh.methods, max_cost=max_cost)
    report = registered(plan, fresh, quiet=quiet)
    if report.interrupted:
        raise KeyboardInterrupt
    if not report.complete:
        left = ", ".join(tally.entrant for tally in report.tallies if tally.done < tally.left or tally.api_errors)
        raise UserError(f"{fresh.version} is not finished for {left}; the same command asks what is left")
