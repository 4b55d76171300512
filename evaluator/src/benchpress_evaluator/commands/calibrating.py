"""`calibrate`: levels at which chosen entrants reach a wanted accuracy, measured with few items."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from benchpress.commands.work import read_secret
from benchpress.errors import UserError
from benchpress.generation import Address, Module, make
from benchpress.items import Item
from benchpress.jsonl import atomic_write
from benchpress.registry import MODULES
from rich.console import Console

from benchpress_evaluator.calibrated import calibration_table, check_wanted, recipe_for, recipe_text
from benchpress_evaluator.calibration import Ask, Plan, Seen, calibrate
from benchpress_evaluator.commands.options import Entrant, Models, Store, check_file
from benchpress_evaluator.commands.running import roster
from benchpress_evaluator.entrants import Entrants, read_keys
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.plan import Plan as RunPlan
from benchpress_evaluator.plan import open_session
from benchpress_evaluator.progress import TerminalProgress
from benchpress_evaluator.runner import execute
from benchpress_evaluator.scoring import score
from benchpress_evaluator.stats.tables import to_rich
from benchpress_evaluator.workspace import ItemSet, store_of

VERSION = "calibration"


def calibrate_levels(
    out: Annotated[Path, typer.Option("--out", help="Where the recipe of the next version goes (YAML).")],
    version: Annotated[str, typer.Option("--version", help="Name of the next version, such as causal-v2.")],
    entrant: Entrant = None,
    models: Models = None,
    module: Annotated[str, typer.Option("--module", help="Module of the next version.")] = "causal",
    bundle: Annotated[list[str] | None, typer.Option("--bundle", help="Only this bundle; may be repeated.")] = None,
    target: Annotated[float, typer.Option("--target", help="Wanted accuracy of the chosen entrants, averaged.")] = 0.55,
    items_per_bundle: Annotated[int, typer.Option("--items-per-bundle", min=5, help="Of the next version.")] = 20,
    secret_file: Annotated[
        Path | None, typer.Option("--secret-file", help="File with a 256-bit secret in hex.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Calibrate on public practice items.")] = None,
    place: Store = None,
) -> None:
    """Ask chosen entrants a few items per level, fit accuracy against level, write the next version's recipe."""
    if not entrant:
        raise UserError("name the entrants to calibrate on with --entrant")
    entrants = roster(models, entrant)
    secret = read_secret(secret_file, seed)
    room: Module = MODULES.get(module)
    chosen = list(dict.fromkeys(bundle or room.bundles))
    unknown = [name for name in chosen if name not in room.bundles]
    if unknown:
        raise UserError(f"unknown bundle {unknown[0]!r} in module {module}: known are {', '.join(room.bundles)}")
    variants = {name: room.bundles[name].variants for name in chosen}
    check_wanted(version, module, variants, items_per_bundle)
    check_file(out)
    if not 0 < target < 1:
        raise UserError(f"--target {target:g}: the wanted accuracy is a share between 0 and 1")
    plan = Plan({name: room.bundles[name].levels for name in chosen}, target, items_per_bundle)
    print(f"up to {plan.calls()} items for each of {len(entrants)} entrants", file=sys.stderr)

    asked: list[Item] = []

    def respond(asks: Sequence[Ask]) -> list[Seen]:
        groups = [(ask, [make(secret, address).item for address in addresses(room, ask)]) for ask in asks]
        for _, items in groups:
            asked.extend(items)
        return ask_all(ItemSet(VERSION, tuple(asked), store_of(place, "runs"), None), entrants, groups)

    found = calibrate(plan, respond)
    recipe = recipe_for(found, version, module, variants)
    with atomic_write(out) as file:
        file.write(recipe_text(found, recipe, tuple(one.id for one in entrants)))
    Console().print(to_rich(calibration_table(found)))
    print(f"{out}: expected accuracy {found.expected:.1%}, 95 % interval {found.low:.1%} to {found.high:.1%}")


def addresses(room: Module, ask: Ask) -> list[Address]:
    """The addresses of one Ask, going round the variants of the bundle."""
    variants = room.bundles[ask.bundle].variants
    return [
        Address(room.name, VERSION, ask.bundle, variants[index % len(variants)], ask.level, index)
        for index in range(ask.first, ask.first + ask.count)
    ]


def ask_all(chosen: ItemSet, entrants: Entrants, groups: Sequence[tuple[Ask, list[Item]]]) -> list[Seen]:
    """Run what is new of `chosen` and report, per entrant and group, how many answers were right."""
    journal = chosen.journal()
    methods = (MethodChoice("direct"),)
    session = open_session(RunPlan(chosen.version, chosen.items, entrants, methods), journal.records(), read_keys())
    report = execute(session, journal, TerminalProgress(Console(stderr=True)))
    if report.interrupted:
        raise KeyboardInterrupt
    results = {
        (row.entrant, row.item_id): row
        for row in score(chosen.items, journal.records(), chosen.version, entrants, methods)
    }
    seen = []
    for one in entrants:
        for ask, items in groups:
            rows = [results[one.id, item.id] for item in items]
            known = [row for row in rows if row.result is not None and row.result.status != "api_error"]
            costs = [row.cost_usd for row in known]
            cost = None if None in costs else sum(value for value in costs if value is not None)
            right = sum(row.result is not None and row.result.correct for row in known)
            seen.append(Seen(one.id, ask.bundle, ask.level, right, len(known), cost))
    return seen
