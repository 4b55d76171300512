"""`examples`: regenerates the public examples."""

from pathlib import Path
from typing import Annotated

import typer

from benchpress.examples import causal_examples, replay_examples, write_causal, write_replay


def examples(
    out: Annotated[Path, typer.Option("--out", help="Folder of the examples.")] = Path("public_examples"),
) -> None:
    """Write the public examples: JSON lines, and a readable page per bundle with drawings and reasons."""
    out.mkdir(parents=True, exist_ok=True)
    written = write_causal(out, causal_examples()) + write_replay(out, replay_examples())
    print(f"{len(written)} files in {out}")
