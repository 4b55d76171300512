"""`keys` and `reveal`: who can open a version, and opening it to everybody at the end of its life."""

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer
from benchpress.commands.work import AsJson, print_json, print_table
from benchpress.errors import UserError
from benchpress.jsonl import atomic_write

from benchpress_evaluator.commands.options import Identity, Store
from benchpress_evaluator.commands.sealing import now
from benchpress_evaluator.vault import ceremony
from benchpress_evaluator.vault import keys as wrapping
from benchpress_evaluator.vault.age import read_recipients
from benchpress_evaluator.vault.identities import new_identity
from benchpress_evaluator.vault.sealed import open_sealed
from benchpress_evaluator.workspace import keys_for, read_commitment, sealed_name, store_of

app = typer.Typer(
    add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=True,
    help="Make keys, add recipients to a version, rotate them, and prove that each can open it.",
)  # fmt: skip

Version = Annotated[str, typer.Argument(help="A sealed version.")]
Recipients = Annotated[Path, typer.Option("--recipients", help="File of age recipients, one a line.")]


@app.command("new")
def new(
    out: Annotated[Path, typer.Option("--out", help="Where the private key goes; keep it off this machine.")],
) -> None:
    """Make a private age key and print its recipient."""
    secret, public = new_identity()
    try:
        handle = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UserError(f"{out} exists; a key is never overwritten") from None
    except OSError as problem:
        raise UserError(f"cannot write {out}: {problem.strerror or problem}") from None
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"# recipient: {public}\n{secret}\n")
    print(public)


@app.command("add")
def add(version: Version, recipients: Recipients, place: Store = None, identity: Identity = None) -> None:
    """Let further recipients open a version."""
    storage, name = store_of(place), sealed_name(version)
    commitment = read_commitment(storage, version)
    keys = keys_for(storage, name, identity or ())
    sealed = wrapping.add_recipients(storage, name, keys, commitment, read_recipients(recipients))
    print(f"{version} now opens for {len(sealed.recipients)} recipients")


@app.command("rotate")
def rotate(version: Version, recipients: Recipients, place: Store = None, identity: Identity = None) -> None:
    """Seal the same content for other recipients."""
    storage, name = store_of(place), sealed_name(version)
    commitment = read_commitment(storage, version)
    sealed = wrapping.rotate(
        storage, name, keys_for(storage, name, identity or ()), commitment, read_recipients(recipients)
    )
    print(f"{version} now opens for {len(sealed.recipients)} recipients and no longer for the earlier ones;")
    print(wrapping.NO_REVOCATION)


@app.command("drill")
def drill(version: Version, place: Store = None, identity: Identity = None, as_json: AsJson = False) -> None:
    """Open a version with every key at hand, one at a time, and say whose key was proved to work."""
    storage, name = store_of(place), sealed_name(version)
    commitment = read_commitment(storage, version)
    found = wrapping.drill(storage, name, keys_for(storage, name, identity or ()), commitment)
    if as_json:
        print_json([{**one.recipient.to_json(), "opened": one.opened, "note": one.note} for one in found])
        return
    words = {True: "opens it", False: "does not open it", None: "not tried"}
    print_table(
        f"drill of {version}",
        ["holder", "key", "result", "note"],
        [[one.recipient.name, one.recipient.key, words[one.opened], one.note] for one in found],
    )


def reveal(
    version: Version,
    out: Annotated[Path, typer.Option("--out", help="Where the public reveal goes.")],
    yes: Annotated[bool, typer.Option("--yes", help="Yes, end this version's privacy for good.")] = False,
    place: Store = None,
    identity: Identity = None,
) -> None:
    """Publish the secret of a retired version, so that anybody can make its items again and check the commitment."""
    if not yes:
        raise UserError(f"this ends the privacy of {version} for good; say so with --yes")
    storage, name = store_of(place), sealed_name(version)
    commitment = read_commitment(storage, version)
    document: dict[str, Any] = ceremony.reveal(
        open_sealed(storage, name, keys_for(storage, name, identity or ()), commitment), now()
    )
    with atomic_write(out) as file:
        file.write(json.dumps(document, indent=2, sort_keys=True) + "\n")
    print(f"{out} reveals {version}: publish it; `benchpress check-reveal` checks it against the commitment")
