"""Options that several commands share, with one meaning everywhere, and the check of places that they name."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from benchpress.errors import UserError
from benchpress.jsonl import atomic_write

VersionName = Annotated[str | None, typer.Argument(metavar="[VERSION]", help="A sealed version, such as causal-v1.")]
Items = Annotated[
    Path | None, typer.Option("--items", help="A public item file instead; its journal is kept in clear.")
]
Store = Annotated[
    str | None,
    typer.Option("--store", help="Folder or s3://bucket/prefix of versions and journals (default: private/)."),
]
Identity = Annotated[
    list[Path] | None, typer.Option("--identity", help="File with a private age key; may be repeated.")
]
Models = Annotated[Path | None, typer.Option("--models", help="The roster (default: models.yaml of the workspace).")]
Entrant = Annotated[
    list[str] | None, typer.Option("--entrant", help="Only this entrant of the roster; may be repeated.")
]
Config = Annotated[
    Path | None, typer.Option("--config", help="An experiment grid in YAML; `benchpress grid template` prints one.")
]
Benchmarks = Annotated[
    list[str] | None,
    typer.Option("--benchmark", help="A grid without a file: NAME, NAME:SPLIT, or a CSV or JSONL file; repeatable."),
]
Methods = Annotated[
    list[str] | None, typer.Option("--method", help='Of a grid: NAME or NAME{"param": value}; may be repeated.')
]
MetricNames = Annotated[list[str] | None, typer.Option("--metric", help="Of a grid: a metric; may be repeated.")]
Samples = Annotated[
    int | None, typer.Option("--n-samples", min=1, help="Of a grid: so many questions of every benchmark.")
]
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="Of a grid: decides samples, shuffles and ties.")]
RunId = Annotated[str | None, typer.Option("--run-id", help="The name of a grid's run; the same name resumes.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask before calls are made or a run is removed.")]
ResetRun = Annotated[bool, typer.Option("--reset-run", help="Remove the run of that name first, answers and all.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only say what a grid would ask: rows, calls, costs, gates, identities.")
]
Reparse = Annotated[
    bool, typer.Option("--reparse", help="Of a grid: read the stored answers anew; a report of its own.")
]


def check_folder(option: str, path: Path) -> Path:
    """`path`, which nothing is written into yet. Raises UserError where a file stands in its place or in its way."""
    for place in (path, *path.parents):
        if os.path.lexists(place):
            if not place.is_dir():
                raise UserError(f"{option} {path}: {place} is not a folder; name a folder")
            break
    return path


class _TriedError(Exception):
    pass


def check_file(path: Path) -> None:
    """Raise UserError where no file can be written at `path`, before anything is paid for that should end in it.

    A pipe is not tried: its reader would take that for the end.
    """
    if not path.is_fifo():
        with suppress(_TriedError), atomic_write(path):
            raise _TriedError
