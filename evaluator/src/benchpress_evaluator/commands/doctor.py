"""`doctor`: is everything whole, and what to do where it is not."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from benchpress.commands.work import AsJson, print_json, print_table
from benchpress.commitment import Finding
from benchpress.errors import UserError

from benchpress_evaluator.commands.options import Entrant as EntrantNames
from benchpress_evaluator.commands.options import Identity, Items, Models, Store
from benchpress_evaluator.commands.running import roster
from benchpress_evaluator.entrants import Entrant, read_keys
from benchpress_evaluator.probe import Probe, probe
from benchpress_evaluator.providers import PROVIDERS
from benchpress_evaluator.providers.base import open_provider
from benchpress_evaluator.register import check_journal
from benchpress_evaluator.vault.checks import check_version
from benchpress_evaluator.workspace import (
    ItemSet,
    Stored,
    keys_for,
    open_public,
    open_version,
    read_commitment,
    sealed_name,
    store_of,
    versions_of,
)


def doctor(
    version: Annotated[
        str | None, typer.Argument(metavar="[VERSION]", help="Check this version; else all there are.")
    ] = None,
    items: Items = None,
    providers: Annotated[
        bool, typer.Option("--providers", help="Instead, make one tiny call per entrant and show what came back.")
    ] = False,
    entrant: EntrantNames = None,
    models: Models = None,
    place: Store = None,
    identity: Identity = None,
    as_json: AsJson = False,
) -> None:
    """Check sealed versions against their commitments, journals against their registers, and the roster's keys."""
    if providers:
        tell_probes(probe(roster(models, entrant), read_keys()), as_json)
        return
    findings: list[tuple[str, Finding]] = [("roster", finding) for finding in check_roster(models)]
    checked = ["roster"]
    if items is not None:
        chosen = open_public(items, place)
        checked.append(chosen.version)
        findings += [(chosen.version, finding) for finding in check_records(chosen)]
    else:
        storage = store_of(place)
        stored = versions_of(storage)
        if version is not None:
            stored = [one for one in stored if one.version == version]
            if not stored:
                raise UserError(
                    f"nothing of a version {version!r} is in {storage.locate('')}; `benchpress seal` makes one"
                )
        for one in stored:
            checked.append(one.version)
            findings += [(one.version, finding) for finding in check_sealed(one, place, identity or [])]
    if as_json:
        print_json(
            {
                "checked": checked,
                "findings": [
                    {"where": where, "check": f.check, "problem": f.problem, "remedy": f.remedy, "grave": f.grave}
                    for where, f in findings
                ],
            }
        )
    else:
        rows = [[where, "problem" if f.grave else "note", f.check, f.problem, f.remedy] for where, f in findings]
        if rows:
            print_table("", ["where", "", "check", "what is the case", "what to do"], rows)
        grave = sum(finding.grave for _, finding in findings)
        print(f"checked {', '.join(checked)}: {grave} problems, {len(findings) - grave} notes")
    if any(finding.grave for _, finding in findings):
        sys.exit(1)


def tell_probes(found: Sequence[Probe], as_json: bool) -> None:
    """What each vendor reported of a tiny call, field by field. Exits with 1 where a call failed."""
    listed = [
        {
            "entrant": one.entrant,
            "provider": one.provider,
            "problem": one.problem,
            "cost_usd": one.cost_usd,
            "completion": None if one.completion is None else one.completion.to_json(),
        }
        for one in found
    ]
    if as_json:
        print_json(listed)
    else:
        for one in found:
            rows = [["provider", one.provider], ["cost", "unknown" if one.cost_usd is None else f"${one.cost_usd:.6f}"]]
            if one.problem is not None:
                rows.append(["problem", one.problem])
            fields = {} if one.completion is None else one.completion.to_json()
            rows += [[name, "not reported" if value is None else str(value)] for name, value in fields.items()]
            print_table(one.entrant, ["field", "what came back"], rows)
    if any(one.problem is not None for one in found):
        sys.exit(1)


def check_sealed(stored: Stored, place: str | None, identity: Sequence[Path]) -> list[Finding]:
    """What there is to say about a sealed version and its journal."""
    storage, name = store_of(place), sealed_name(stored.version)
    if not stored.committed:
        remedy = "an interrupted `seal` leaves this: seal again; had the version been published, restore its commitment"
        return [Finding("commitment", f"{storage.locate(name)} has no commitment beside it", remedy)]
    if not stored.sealed:
        return [Finding("sealed file", f"{storage.locate(name)} is missing", "restore it from a copy")]
    try:
        commitment = read_commitment(storage, stored.version)
    except UserError as refusal:
        return [Finding("commitment", str(refusal), "until then nothing is run or scored with it")]
    findings = check_version(storage, name, keys_for(storage, name, identity), commitment)
    if any(finding.grave for finding in findings):
        return findings
    return findings + check_records(open_version(stored.version, place, identity))


def check_records(chosen: ItemSet) -> list[Finding]:
    """What there is to say about the journal of an item set."""
    return check_journal(chosen.journal(), chosen.register().entries())


def check_roster(models: Path | None) -> Iterator[Finding]:
    """Entrants of the roster that could not run here, and why; a missing roster is no problem for a version."""
    try:
        entrants = roster(models, None)
    except UserError as refusal:
        yield Finding("roster", str(refusal), "only needed to run models", grave=models is not None)
        return
    keys = read_keys()
    for entrant in entrants:
        problem = could_not_run(entrant, keys)
        if problem is not None:
            yield Finding(entrant.id, problem, "only needed to run this entrant", grave=False)


def could_not_run(entrant: Entrant, keys: Mapping[str, str]) -> str | None:
    """Why an entrant could not run here, or None."""
    try:
        open_provider(PROVIDERS.get(entrant.provider), entrant, keys)
    except UserError as refusal:
        return str(refusal)
    return None
