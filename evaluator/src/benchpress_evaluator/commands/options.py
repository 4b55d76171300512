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
