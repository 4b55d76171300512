"""What was published of a version before and stays true: that it is retired, and that it was revealed."""

from pathlib import Path

from benchpress.errors import UserError
from benchpress.publication import VERSIONS, Change, Changelog, CommitmentPage, VersionEntry
from pydantic import ValidationError

from benchpress_evaluator.publishing.export import read_versions


def published_entry(out: Path, version: str) -> VersionEntry | None:
    """The version's line in the list of versions, if it was exported before."""
    return next((entry for entry in read_versions(out / VERSIONS) if entry.version == version), None)


def published_retirement(out: Path, version: str) -> tuple[Change, ...]:
    """The line of its changelog that says when and why it was retired; none where it was not."""
    path = out / version / "changelog.json"
    if not path.is_file():
        return ()
    try:
        changes = Changelog.model_validate_json(path.read_bytes()).changes
    except (OSError, ValidationError):
        raise UserError(f"{path} is no changelog; restore it, since it may hold the version's retirement") from None
    return tuple(change for change in changes if change.kind == "retired" and change.version == version)


def was_revealed(out: Path, version: str) -> bool:
    """Whether its reveal was published with an earlier export."""
    path = out / version / "commitment.json"
    if not path.is_file():
        return False
    try:
        return CommitmentPage.model_validate_json(path.read_bytes()).revealed
    except (OSError, ValidationError):
        raise UserError(f"{path} is no commitment page; restore it or export to an empty folder") from None
