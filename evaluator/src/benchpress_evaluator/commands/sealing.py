"""`seal`: from a recipe to a sealed file and a public commitment."""

import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Annotated, Any

import benchpress
import typer
from benchpress.canonical import canonical_text, digest
from benchpress.commands.work import Workers, executor, progress, read_secret
from benchpress.commitment import installed_release, source_digest
from benchpress.errors import UserError
from benchpress.generation import generate
from benchpress.recipe import Recipe, read_recipe

from benchpress_evaluator.clock import now
from benchpress_evaluator.commands.options import Identity, Store
from benchpress_evaluator.publishing.figures import places_of_addresses, refuse_narrow
from benchpress_evaluator.storage import Storage
from benchpress_evaluator.vault.age import read_recipients
from benchpress_evaluator.vault.ceremony import complete, draw, seed_document, store, with_beacon
from benchpress_evaluator.vault.passphrases import passphrase_from_user
from benchpress_evaluator.vault.sealed import Sealed, canonical_lines, open_sealed
from benchpress_evaluator.workspace import (
    commitment_name,
    keys_for,
    metadata_name,
    read_commitment,
    sealed_name,
    store_of,
)

SCORER = ("parts", "protocol.py", "status.py", "grading.py", "items.py")
PROMPTS = ("wording", "modules", "protocol.py")


def seal(
    recipe: Annotated[Path, typer.Option("--recipe", help="YAML file: `benchpress schema recipe` prints its fields.")],
    recipients: Annotated[
        Path | None,
        typer.Option("--recipients", help="File of age recipients, at least two, one of them for recovery."),
    ] = None,
    passphrase: Annotated[
        bool, typer.Option("--passphrase", help="Throw-away version: sealed by BENCHPRESS_PASSPHRASE or a typed one.")
    ] = False,
    published_secret: Annotated[
        Path | None,
        typer.Option("--published-secret", help="File with a secret that everybody knows, for public sets."),
    ] = None,
    beacon: Annotated[
        str | None, typer.Option("--beacon", help="First of two steps: commit to the secret and wait for this source.")
    ] = None,
    beacon_time: Annotated[
        str | None, typer.Option("--beacon-time", help="When the source will speak, ISO 8601 with zone.")
    ] = None,
    beacon_value: Annotated[
        str | None, typer.Option("--beacon-value", help="Second step: complete the version with what the source said.")
    ] = None,
    place: Store = None,
    identity: Identity = None,
    workers: Workers = 1,
) -> None:
    """Draw a secret, generate and verify the items of a recipe, write the sealed file and the public commitment."""
    plan = read_recipe(recipe)
    refuse_narrow(plan.version, places_of_addresses(plan.addresses), plan.margins, track=plan.module)
    storage = store_of(place)
    if beacon_value is not None:
        if recipients or passphrase or published_secret or beacon or beacon_time:
            raise UserError("--beacon-value completes a version that was begun; its keys and source are fixed already")
        complete_later(plan, storage, beacon_value, identity or (), workers)
        return
    if (recipients is None) != passphrase:
        raise UserError(
            "seal for --recipients FILE, or with --passphrase for a throw-away version; exactly one of them"
        )
    if (beacon is None) != (beacon_time is None):
        raise UserError("--beacon names a public source and --beacon-time when it will speak: give both or neither")
    if storage.read_tagged(commitment_name(plan.version)) is not None:
        where = storage.locate(commitment_name(plan.version))
        raise UserError(f"{where} exists: a version's contents never change; give the recipe another version name")
    word = passphrase_from_user(f"for {plan.version}", confirm=True) if passphrase else None
    draft = draw(
        plan.version,
        read_recipients(recipients) if recipients else (),
        beacon=(beacon, beacon_time) if beacon is not None and beacon_time is not None else None,
        published_secret=read_secret(published_secret, None) if published_secret else None,
    )
    seed = seed_document(draft, now())
    # A sealed file without its commitment is what an interrupted seal leaves, unless something was run with it.
    left = storage.read_tagged(sealed_name(plan.version))
    if left and storage.names(f"{plan.version}/journal"):
        where = storage.locate(commitment_name(plan.version))
        raise UserError(
            f"{plan.version} was run already, but {where} is missing: restore it from where it was published"
        )
    expected = left[1] if left else None
    if draft.beacon is not None:
        store(storage, sealed_name(plan.version), draft, passphrase=word, expected=expected)
        write_json(storage, commitment_name(plan.version), seed)
        print(f"committed to the secret of {plan.version}; no items yet: they wait for {beacon} at {beacon_time}")
        print(f"publish {storage.locate(commitment_name(plan.version))} now, then seal again with --beacon-value")
        return
    sealed, commitment = generated(draft, seed, plan, workers)
    store(storage, sealed_name(plan.version), sealed, passphrase=word, expected=expected)
    finish(storage, sealed, commitment, None)


def complete_later(plan: Recipe, storage: Storage, value: str, identity: Sequence[Path], workers: int) -> None:
    """The second step: the public value is known, so the items can be drawn."""
    name = sealed_name(plan.version)
    seed = read_commitment(storage, plan.version)
    before = storage.read_tagged(commitment_name(plan.version))
    file = storage.read_tagged(name)
    keys = keys_for(storage, name, identity)
    draft = with_beacon(open_sealed(storage, name, keys, seed), value)
    sealed, commitment = generated(draft, seed, plan, workers)
    store(storage, name, sealed, passphrase=keys.passphrase, expected=file[1] if file else None)
    finish(storage, sealed, commitment, before[1] if before else None)


def generated(draft: Sealed, seed: dict[str, Any], plan: Recipe, workers: int) -> tuple[Sealed, dict[str, Any]]:
    """The version with its items, made in this process or in several."""
    with executor(workers, None) as pool:
        return make(draft, seed, plan, pool)


def finish(storage: Storage, sealed: Sealed, commitment: dict[str, Any], expected: str | None) -> None:
    """Write what stands beside the sealed file, and say what was made."""
    version = sealed.version
    write_json(storage, metadata_name(version), dict(sealed.metadata), overwrite=True)
    write_json(storage, commitment_name(version), commitment, expected=expected)
    refused = sum(sealed.metadata["refusals"].values())
    print(f"sealed {version}: {len(sealed.lines)} items, every key agreed by two methods, {refused} drawings refused")
    print(f"sealed file  {storage.locate(sealed_name(version))}")
    print(f"commitment   {storage.locate(commitment_name(version))}  (public: root {commitment['root'][:16]}...)")


def make(draft: Sealed, seed: dict[str, Any], plan: Recipe, pool: Executor | None) -> tuple[Sealed, dict[str, Any]]:
    """Generate the recipe's items from the draft's secret and complete the version."""
    refusals: Counter[str] = Counter()
    items = []
    with progress("generating", len(plan.addresses)) as step:
        for made in generate(draft.effective, plan.addresses, pool):
            items.append(made.item)
            refusals.update(made.refusals)
            step()
    release = installed_release()
    metadata = {"refusals": dict(sorted(refusals.items())), "release": release.to_json(), "items": len(items)}
    source = Path(benchpress.__file__).parent
    recipe = json.loads(canonical_text(plan.model_dump(mode="json")))
    digests = {
        "scorer": source_digest(source, SCORER),
        "prompts": source_digest(source, PROMPTS),
        "run_policy": digest(recipe["run_policy"]),
    }
    return complete(draft, seed, recipe, canonical_lines(items), metadata, release=release, digests=digests, time=now())


def write_json(
    storage: Storage, name: str, value: dict[str, Any], *, expected: str | None = None, overwrite: bool = False
) -> None:
    """Write readable JSON under a new name, or in place of the file whose tag is `expected`."""
    if overwrite and (before := storage.read_tagged(name)) is not None:
        expected = before[1]
    data = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    storage.write(name, data.encode(), expected=expected)
