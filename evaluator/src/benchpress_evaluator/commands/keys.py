"""`keys` and `reveal`: who can open a version, and opening it to everybody at the end of its life."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from benchpress.commands.work import AsJson, print_json, print_table
from benchpress.errors import UserError
from benchpress.jsonl import atomic_write

from benchpress_evaluator.clock import now
from benchpress_evaluator.commands.options import Identity, Store
from benchpress_evaluator.storage import create_durably
from benchpress_evaluator.vault import ceremony
from benchpress_evaluator.vault import keys as wrapping
from benchpress_evaluator.vault.age import read_recipients
from benchpress_evaluator.vault.identities import new_identity, parse_identities, wrap_with_kms
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
    write_new(out, f"# recipient: {public}\n{secret}\n".encode("ascii"))
    print(public)


@app.command("wrap")
def wrap(
    private: Annotated[Path, typer.Option("--identity", help="File with the private age key.")],
    kms: Annotated[str, typer.Option("--kms", help="Id, ARN or alias of the key in AWS KMS.")],
    out: Annotated[Path, typer.Option("--out", help="Where the encrypted key goes.")],
) -> None:
    """Encrypt a private age key with AWS KMS, in place of a passphrase; BENCHPRESS_IDENTITY_KMS names the file."""
    try:
        data = private.read_bytes()
    except OSError as problem:
        raise UserError(f"cannot read the identity file {private}: {problem.strerror or problem}") from None
    found = parse_identities(data, str(private))
    if not all(identity.public.startswith("age1") for identity in found):
        raise UserError(f"{private} holds an ssh key; `benchpress keys new` makes an age key that can be wrapped")
    if out.exists():
        raise _taken(out)
    write_new(out, wrap_with_kms("".join(f"{identity.key}\n" for identity in found), kms))
    for identity in found:
        print(identity.public)


def write_new(out: Path, data: bytes) -> None:
    """Write a key into a file of its own, durably. Raises UserError."""
    try:
        create_durably(out, data)
    except FileExistsError:
        raise _taken(out) from None
    except OSError as problem:
        raise UserError(f"cannot write {out}: {problem.strerror or problem}; there is no key in it") from None


def _taken(out: Path) -> UserError:
    return UserError(f"{out} exists; a key is never overwritten")


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
