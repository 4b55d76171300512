"""`seal`: from a recipe to a sealed file and a public commitment."""

import json
from collections import Counter
from concurrent.futures import Executor
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import benchpress
import typer
from benchpress.canonical import canonical_text, digest
from benchpress.commands.work import Cluster, Workers, executor, progress
from benchpress.commitment import installed_release, source_digest
from benchpress.errors import UserError
from benchpress.generation import generate
from benchpress.recipe import Recipe, read_recipe

from benchpress_evaluator.commands.options import Store
from benchpress_evaluator.storage import MissingError, Storage
from benchpress_evaluator.vault.age import read_recipients
from benchpress_evaluator.vault.ceremony import complete, draw, seed_document, store
from benchpress_evaluator.vault.identities import passphrase_from_user
from benchpress_evaluator.vault.sealed import Sealed, canonical_lines
from benchpress_evaluator.workspace import commitment_name, metadata_name, sealed_name, store_of

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
    place: Store = None,
    workers: Workers = 1,
    cluster: Cluster = None,
) -> None:
    """Draw a secret, generate and verify the items of a recipe, write the sealed file and the public commitment."""
    plan = read_recipe(recipe)
    if (recipients is None) != passphrase:
        raise UserError(
            "seal for --recipients FILE, or with --passphrase for a throw-away version; exactly one of them"
        )
    if cluster is not None:
        raise UserError("a cluster would be sent the secret; seal with --workers instead")
    storage = store_of(place)
    for name in (sealed_name(plan.version), commitment_name(plan.version)):
        refuse_existing(storage, name, plan.version)
    word = passphrase_from_user(f"for {plan.version}", confirm=True) if passphrase else None
    draft = draw(plan.version, read_recipients(recipients) if recipients else ())
    seed = seed_document(draft, now())
    with executor(workers, cluster) as pool:
        sealed, commitment = make(draft, seed, plan, pool)
    store(storage, sealed_name(plan.version), sealed, passphrase=word)
    write_json(storage, commitment_name(plan.version), commitment)
    write_json(storage, metadata_name(plan.version), dict(sealed.metadata))
    refused = sum(sealed.metadata["refusals"].values())
    print(
        f"sealed {plan.version}: {len(sealed.lines)} items, every key agreed by two methods, {refused} drawings refused"
    )
    print(f"sealed file  {storage.locate(sealed_name(plan.version))}")
    print(f"commitment   {storage.locate(commitment_name(plan.version))}  (public: root {commitment['root'][:16]}...)")


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


def refuse_existing(storage: Storage, name: str, version: str) -> None:
    """Raise UserError where a file of this version is there already."""
    try:
        storage.read(name)
    except MissingError:
        return
    raise UserError(
        f"{storage.locate(name)} exists: a version's contents never change; give the recipe another name than {version}"
    )


def write_json(storage: Storage, name: str, value: dict[str, Any]) -> None:
    """Write readable JSON under a new name."""
    storage.write(
        name, (json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True) + "\n").encode(), expected=None
    )


def now() -> str:
    """UTC time, ISO 8601 to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
