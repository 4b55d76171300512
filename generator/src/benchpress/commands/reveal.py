"""`check-reveal`: anybody can check a retired version against its commitment."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from benchpress.canonical import canonical_bytes
from benchpress.commands.work import AsJson, Workers, executor, print_json, progress
from benchpress.commitment import check_reveal
from benchpress.errors import UserError
from benchpress.generation import generate
from benchpress.recipe import recipe_of
from benchpress.terminal import printable


def check(
    commitment: Annotated[Path, typer.Argument(metavar="VERSION.json", help="The public commitment.")],
    reveal: Annotated[Path, typer.Argument(metavar="REVEAL.json", help="The reveal.")],
    workers: Workers = 1,
    as_json: AsJson = False,
) -> None:
    """Make every item of a revealed version again and compare with the commitment. Exits with 1 where they differ."""

    def regenerate(effective: bytes, version: str, recipe: dict[str, Any]) -> Iterator[bytes]:
        plan = recipe_of(recipe, f"recipe of {version}")
        with executor(workers, None) as pool, progress("generating", len(plan.addresses)) as step:
            for made in generate(effective, plan.addresses, pool):
                step()
                yield canonical_bytes(made.item.to_json())

    document = read_document(commitment)
    findings = check_reveal(document, read_document(reveal), lambda *call: list(regenerate(*call)))
    if as_json:
        print_json({"holds": not findings, "findings": [str(finding) for finding in findings]})
    else:
        holds = f"{document.get('version')} is what was committed: {document.get('items')} items"
        print(printable("\n".join(map(str, findings)) or holds))
    if findings:
        sys.exit(1)


def read_document(path: Path) -> dict[str, Any]:
    """A JSON object in a file. Raises UserError."""
    try:
        value = json.loads(path.read_bytes())
    except OSError as problem:
        raise UserError(f"cannot read {path}: {problem.strerror or problem}") from None
    except (ValueError, RecursionError) as problem:
        raise UserError(f"{path} is not valid JSON ({problem})") from None
    if not isinstance(value, dict):
        raise UserError(f"{path} does not hold a JSON object")
    return value
