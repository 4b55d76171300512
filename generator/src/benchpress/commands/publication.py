"""`check-publication`: what is about to be built into a site is a publication, whole and as it was exported."""

from pathlib import Path
from typing import Annotated

import typer


def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the publication, such as site/data.")],
) -> None:
    """Check schema, smallest cells and digests of a publication. Needs no evaluator, no network and no secret."""
    from benchpress.publication.check import check_publication

    print(f"{folder}: {check_publication(folder)} files, every one of the schema and as its digest says")
