"""`examples`: regenerates the public examples."""

from pathlib import Path
from typing import Annotated

import typer

from benchpress.commands.work import progress
from benchpress.examples import (
    VERSION,
    causal_examples,
    choice_examples,
    public_version,
    replay_examples,
    write_causal,
    write_choice,
    write_readme,
    write_replay,
)
from benchpress.jsonl import write_lines
from benchpress.recipes import recipe


def examples(
    out: Annotated[Path, typer.Option("--out", help="Folder of the examples.")] = Path("public_examples"),
) -> None:
    """Write the public version and its examples: JSON lines, and pages with drawings and reasons."""
    out.mkdir(parents=True, exist_ok=True)
    version = out / "versions" / f"{VERSION}.jsonl"
    version.parent.mkdir(exist_ok=True)
    total = len(recipe(VERSION).addresses)
    with progress("generating", total) as step:
        write_lines(version, (item.to_json() for item in public_version()), step)
    written = [version, *write_causal(out, causal_examples()), *write_replay(out, replay_examples())]
    written += [*write_choice(out, choice_examples()), write_readme(out)]
    print(f"{len(written)} files in {out}")
