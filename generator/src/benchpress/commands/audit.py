"""`audit-items`: what an item file gives away for nothing."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from benchpress.audit import audit
from benchpress.commands.work import AsJson, print_json, print_table
from benchpress.errors import UserError
from benchpress.grading import load_items
from benchpress.terminal import printable


def audit_items(
    items: Annotated[Path, typer.Argument(help="An item file; 2,000 items a bundle make the shares steady.")],
    as_json: AsJson = False,
) -> None:
    """Answer balance, best fixed answer, shallow rules, duplicates, lint, prompt lengths. Exits with 1 on a finding."""
    found = audit(load_items(items).values())
    if not found:
        raise UserError(f"{items} holds no items")
    findings = [f"{one.bundle}: {finding}" for one in found for finding in one.findings]
    if as_json:
        print_json([asdict(one) for one in found])
    else:
        rows = [
            [
                one.bundle,
                str(one.items),
                f"{one.fixed:.1%}",
                f"{one.blind:.1%}",
                f"{one.shallow:.1%}",
                f"{one.example:.1%}",
                str(one.duplicate_prompts),
                "-" if one.structures is None else str(one.structures),
                f"{one.prompt_characters[0]}-{one.prompt_characters[2]}",
            ]
            for one in found
        ]
        columns = ["bundle", "items", "fixed", "blind", "shallow", "example", "same prompt", "structures", "characters"]
        print_table("share of items right without reasoning", columns, rows, frozenset(range(1, 9)))
        spread = [
            [one.bundle, part.part, part.type, str(part.n), str(part.distinct), f"{part.entropy_bits:.2f}",
             f"{part.modal_share:.1%}", part.modal]
            for one in found
            for part in one.parts
        ]  # fmt: skip
        columns = ["bundle", "part", "type", "items", "distinct", "entropy (bits)", "modal share", "mode"]
        print_table("keys per part", columns, spread, frozenset(range(3, 7)))
        print(printable("\n".join(findings)) or "no finding")
    if findings:
        sys.exit(1)
