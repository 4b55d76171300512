"""Options that several commands share, with one meaning everywhere."""

from pathlib import Path
from typing import Annotated

import typer

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
