"""The folder that a site is built into: MkDocs empties it first, so it must be one that holds nothing else."""

from pathlib import Path

from benchpress.errors import UserError

MARKER = ".benchpress-site"
"""Says that a folder holds a built site and nothing besides. MkDocs leaves hidden files, so it outlives a rebuild."""

EARLIER = ("index.html", "data/schema/versions.json")
"""What a site built before there was a marker holds."""


def claim(folder: Path) -> None:
    """Mark `folder` as one that may be emptied.

    Raises UserError where it holds anything that was not built here; hidden files are never touched.
    """
    try:
        held = folder.is_dir() and any(not one.name.startswith(".") for one in folder.iterdir())
        ours = (folder / MARKER).is_file() or all((folder / name).is_file() for name in EARLIER)
        if held and not ours:
            raise UserError(
                f"{folder} holds files that are not of a built site, and a build would delete them: "
                "name a new or empty folder with --out"
            )
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARKER).write_text("Built by `benchpress site build`, which empties this folder each time.\n")
    except OSError as problem:
        raise UserError(
            f"cannot build into {folder}: {problem.strerror or problem}; name another folder with --out"
        ) from None
