"""`export`: the publication, and nothing but it, leaves the evaluator."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from benchpress.commands.reveal import read_document
from benchpress.commitment import REVEAL_FORMAT, seed_commitment
from benchpress.errors import UserError
from benchpress.publication import Change, CommitmentPage, Contamination, Difference, Runs, VersionDocument
from benchpress.recipe import Recipe

from benchpress_evaluator.audits import MARK, audit_name, audit_numbers
from benchpress_evaluator.clock import now
from benchpress_evaluator.commands.options import Identity, Items, Models, Store, VersionName, check_folder
from benchpress_evaluator.commands.running import roster
from benchpress_evaluator.commands.scoring import scored_items
from benchpress_evaluator.commands.statistics import settings_for
from benchpress_evaluator.entrants import Entrants, workspace
from benchpress_evaluator.exposure import first_days
from benchpress_evaluator.publishing.across import contamination_page, public_gaps
from benchpress_evaluator.publishing.describe import Description, Release, describe, description_of
from benchpress_evaluator.publishing.export import export as write
from benchpress_evaluator.publishing.history import changelog, retirement
from benchpress_evaluator.publishing.model_json import model_views, write_views
from benchpress_evaluator.publishing.standing import published_entry, published_retirement, was_revealed
from benchpress_evaluator.records import Call
from benchpress_evaluator.register import published
from benchpress_evaluator.scored import read_scored
from benchpress_evaluator.stats.contamination import Gap, gaps, sentence
from benchpress_evaluator.stats.matrix import Condition
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.resampling import RESAMPLES
from benchpress_evaluator.workspace import ItemSet, open_file, open_set, open_version, read_commitment, versions_of


def export(
    version: VersionName = None,
    items: Items = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the publication (default: site/data).")] = None,
    form: Annotated[
        Literal["publication", "model-json"],
        typer.Option("--format", help="What to write; model-json is every answer, encrypted for a sealed version."),
    ] = "publication",
    public: Annotated[
        str | None,
        typer.Option("--public", help="The public set to compare with: a version, or an item file that was run."),
    ] = None,
    earlier: Annotated[
        list[str] | None, typer.Option("--earlier", help="An earlier version to bridge to; may be repeated.")
    ] = None,
    retired: Annotated[
        str | None, typer.Option("--retired", metavar="REASON", help="Publish that the version is retired, and why.")
    ] = None,
    reveal: Annotated[
        Path | None, typer.Option("--reveal", help="The published reveal of a retired version, checked against it.")
    ] = None,
    models: Models = None,
    place: Store = None,
    identity: Identity = None,
) -> None:
    """Write the publication of a version: aggregates in a closed schema, with commitment, register and history.

    A fresh sample that `audit` ran is compared with the version. The list of digests is written last.
    """
    if out is not None:
        check_folder("--out", out)
    chosen = open_set(version, items, place, identity or ())
    entrants = roster(models, None)
    if form == "model-json":
        write_model_json(chosen, entrants, out, identity or ())
        return
    frame = read_scored(chosen)
    folder = out if out is not None else workspace() / "site" / "data"
    settings = settings_for(chosen, entrants, 0, RESAMPLES, "item")
    register = Runs.model_validate(published(chosen.register().entries()))
    end = ending(chosen, folder, retired, reveal)
    release = release_of(chosen, frame, folder, retired=end[-1].text if end else None)
    gap = {} if public is None else public_gaps(_other(public, place, identity or ()), frame, settings)
    described = descriptions(chosen, entrants, gap)
    audits = audits_of(chosen, frame, settings, place, identity or ())
    extra: list[Any] = []
    if (page := contamination_of(chosen, audits, described, release)) is not None:
        extra.append(page)
    if chosen.recipe is not None:
        extra.append(VersionDocument.model_validate(chosen.commitment))
        drawn = [(dict(one.sample.commitment or {}), one.outcome) for one in audits]
        extra.append(changelog(chosen.version, completed(chosen, chosen.recipe), drawn, register, end))
    revealed = reveal is not None or was_revealed(folder, chosen.version)
    commitment = commitment_page(chosen.commitment, revealed=revealed)
    before = {name: read_scored(open_version(name, place, identity or ())) for name in earlier or ()}
    files = write(
        frame, release, described, commitment, register, folder, settings=settings, extra=extra, earlier=before
    )
    print(f"{len(files)} files of {chosen.version} in {folder}")


def _other(name: str, place: str | None, identity: Sequence[Path]) -> Any:
    """The results of another set, a version or an item file."""
    path = Path(name)
    return read_scored(open_set(None, path, None) if path.is_file() else open_version(name, place, identity))


def descriptions(chosen: ItemSet, entrants: Entrants, public: Mapping[Condition, Difference]) -> dict[str, Description]:
    """Every entrant of the roster for readers, with the day on which its provider was first sent any item."""
    days = first_days(chosen.register().entries().exposures)
    return {
        entrant.id: replace(
            describe(entrant, days.get(entrant.provider)),
            public_gaps={found.method: gap for found, gap in public.items() if found.entrant == entrant.id},
        )
        for entrant in entrants
    }


@dataclass(frozen=True)
class Audited:
    """A fresh sample with what the comparison gave; `found` is None where it was not run to an end by anybody."""

    sample: ItemSet
    found: tuple[Gap, ...] | None
    problem: str = ""

    @property
    def outcome(self) -> str:
        return sentence(list(self.found)) if self.found is not None else "It was not compared yet."


def audits_of(
    chosen: ItemSet, frame: Any, settings: Settings, place: str | None, identity: Sequence[Path]
) -> list[Audited]:
    """Every fresh sample of the version, in order, compared with it."""
    if chosen.recipe is None:
        return []
    alarm, made = chosen.recipe.run_policy.audit.alarm_points / 100, []
    for number in audit_numbers(chosen.storage, chosen.version):
        sample = open_version(audit_name(chosen.version, number), place, identity)
        try:
            made.append(Audited(sample, tuple(gaps(frame, read_scored(sample), settings, alarm))))
        except UserError as problem:
            made.append(Audited(sample, None, str(problem)))
    return made


def contamination_of(
    chosen: ItemSet, audits: Sequence[Audited], described: Mapping[str, Description], release: Release
) -> Contamination | None:
    """The version against its latest fresh sample that was compared; null, and a note, where there is none."""
    for audited in reversed(audits):
        if audited.found is None:
            print(f"note: {audited.sample.version} is on no page: {audited.problem}", file=sys.stderr)
            continue
        slugs = {gap.condition: description_of(gap.condition, described).entrant.slug for gap in audited.found}
        sizes = (len(chosen.items), len(audited.sample.items))
        return contamination_page(
            release,
            chosen.version,
            audited.sample.version,
            sizes,
            audited.found,
            slugs,
            drawn=audited.sample.commitment,
            every_days=chosen.recipe.run_policy.audit.every_days if chosen.recipe else None,
            exposures=Runs.model_validate(published(audited.sample.register().entries())).exposures,
        )
    return None


def completed(chosen: ItemSet, recipe: Recipe) -> list[dict[str, Any]]:
    """The public commitments of the track's versions; fresh samples, and demos beside real versions, are left out."""
    storage = chosen.storage
    names = [one.version for one in versions_of(storage) if one.committed and MARK not in one.version]
    found = [one for one in (read_commitment(storage, name) for name in names) if one.get("stage") == "items"]
    same = (recipe.module, recipe.status)
    return [one for one in found if (one["recipe"]["module"], one["recipe"]["status"]) == same]


def ending(chosen: ItemSet, out: Path, reason: str | None, reveal: Path | None) -> list[Change]:
    """The end of a version: as it was published before, or as it is published now. Raises UserError."""
    if reveal is not None:
        check_reveal_is_of(chosen, read_document(reveal))
        reason = reason or "its secret is revealed, so that anybody can check every item."
    if reason is not None and not chosen.sealed:
        raise UserError(f"{chosen.version} is a public file: only sealed versions are retired or revealed")
    before = published_retirement(out, chosen.version)
    return list(before) or ([retirement(chosen.version, now()[:10], reason)] if reason is not None else [])


def check_reveal_is_of(chosen: ItemSet, document: Mapping[str, Any]) -> None:
    """Raises UserError unless a reveal is that of the version."""
    try:
        salt, secret = bytes.fromhex(document["salt"]), bytes.fromhex(document["secret"])
        same = document["format"] == REVEAL_FORMAT and chosen.commitment is not None
        same = same and seed_commitment(salt, secret) == (chosen.commitment or {})["seed_commit"]
    except (KeyError, ValueError, TypeError):
        same = False
    if not same:
        raise UserError(f"--reveal: this is not the reveal of {chosen.version}; `benchpress reveal` writes it")


def release_of(chosen: ItemSet, frame: Any, out: Path | None, *, retired: str | None = None) -> Release:
    """What the site says of a version; the date is that of its sealing, or of the last answer to a public set."""
    recipe, commitment = chosen.recipe, chosen.commitment
    if commitment is not None and recipe is not None:
        date = str(commitment["time"])[:10]
        title = recipe.title or chosen.version
        before = None if out is None else published_entry(out, chosen.version)
        gone = retired is not None or (before is not None and before.status == "retired")
        note = retired if retired is not None else before.note if before is not None else ""
        status = "retired" if gone else recipe.status
        return Release(
            chosen.version, recipe.module, title, status, date, sealed=True, note=note, margins=recipe.margins
        )
    dates = sorted(str(day) for day in frame["at"].dropna().unique())
    if not dates:
        raise UserError(f"no answer of {chosen.version} was scored yet: `benchpress run`, then `benchpress score`")
    module = chosen.items[0].module
    return Release(chosen.version, module, f"Public items of {module}", "current", dates[-1][:10], sealed=False)


def commitment_page(commitment: Mapping[str, Any] | None, *, revealed: bool) -> CommitmentPage | None:
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
        revealed=revealed,
    )


def write_model_json(chosen: ItemSet, entrants: Entrants, out: Path | None, identity: Sequence[Path]) -> None:
    """Every answer with its history, a file an entrant: for the maintainer, and encrypted for a sealed version."""
    calls = [Call.from_json(record) for record in chosen.journal().records() if "call" in record]
    views = model_views(scored_items(chosen, entrants), calls, sealed=chosen.sealed)
    sealed, keys = None, None
    if chosen.commitment is not None:
        sealed, keys = open_file(chosen.version, chosen.storage, chosen.commitment, identity)
    default = workspace() / ("private" if chosen.sealed else "runs") / chosen.version / "models"
    folder = out if out is not None else default
    files = write_views(views, folder, sealed, keys.passphrase if keys else None)
    print(f"{len(files)} files of {chosen.version} in {folder}" + (", encrypted" if sealed else ""))
