"""`export`: the publication, and nothing but it, leaves the evaluator."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from benchpress.errors import UserError
from benchpress.publication import CommitmentPage, Runs

from benchpress_evaluator.commands.options import Identity, Items, Models, Store, VersionName
from benchpress_evaluator.commands.running import roster
from benchpress_evaluator.commands.statistics import settings_for
from benchpress_evaluator.entrants import workspace
from benchpress_evaluator.publishing.describe import Release, describe
from benchpress_evaluator.publishing.export import export as write
from benchpress_evaluator.register import published
from benchpress_evaluator.scored import read_scored
from benchpress_evaluator.stats.resampling import RESAMPLES
from benchpress_evaluator.workspace import ItemSet, open_set


def export(
    version: VersionName = None,
    items: Items = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the publication (default: site/data).")] = None,
    models: Models = None,
    place: Store = None,
    identity: Identity = None,
) -> None:
    """Write the publication of a version: aggregates in a closed schema, the commitment, the run register."""
    chosen = open_set(version, items, place, identity or ())
    frame = read_scored(chosen)
    entrants = roster(models, None)
    described = {entrant.id: describe(entrant) for entrant in entrants}
    settings = settings_for(chosen, entrants, 0, RESAMPLES, "item")
    register = Runs.model_validate(published(chosen.register().entries()))
    folder = out if out is not None else workspace() / "site" / "data"
    page = commitment_page(chosen.commitment)
    files = write(frame, release_of(chosen, frame), described, page, register, folder, settings=settings)
    print(f"{len(files)} files of {chosen.version} in {folder}")


def release_of(chosen: ItemSet, frame: Any) -> Release:
    """What the site says of a version; the date is that of its sealing, or of the last answer to a public set."""
    recipe, commitment = chosen.recipe, chosen.commitment
    if commitment is not None and recipe is not None:
        date = str(commitment["time"])[:10]
        return Release(chosen.version, recipe.module, recipe.title or chosen.version, recipe.status, date, sealed=True)
    dates = sorted(str(day) for day in frame["at"].dropna().unique())
    if not dates:
        raise UserError(f"no answer of {chosen.version} was scored yet: `benchpress run`, then `benchpress score`")
    module = chosen.items[0].module
    return Release(chosen.version, module, f"Public items of {module}", "current", dates[-1][:10], sealed=False)


def commitment_page(commitment: Mapping[str, Any] | None) -> CommitmentPage | None:
    """The public commitment as the site shows it."""
    if commitment is None:
        return None
    return CommitmentPage(
        version=commitment["version"],
        seed_commit=commitment["seed_commit"],
        root=commitment["root"],
        items=commitment["items"],
        bundles=dict(sorted(commitment["bundles"].items())),
        digests=dict(sorted(commitment["digests"].items())),
        sealed_at=commitment["time"],
        revealed=False,
    )
