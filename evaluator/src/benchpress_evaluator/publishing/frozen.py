"""Two exports of one version: what was published of a run is final, or the difference would tell of few items."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from benchpress.errors import UserError
from benchpress.publication import CommitmentPage, Leaderboard, Published, Row, Runs
from pydantic import ValidationError

from benchpress_evaluator.publishing.disclosure import MIN_CELL

Page = TypeVar("Page", bound=Published)


def refuse_small_changes(folder: Path, files: Mapping[str, Published]) -> None:
    """Raise UserError where the leaderboard in `folder` and the one in `files` differ in a run by few items.

    `folder` is that of the version, from an earlier export of the same items. A run that was complete stays as it is; a
    partial one, which has no margins, goes on by MIN_CELL items or more. A further run may say something else.
    """
    before, after = _read(folder / "leaderboard.json", Leaderboard), files["leaderboard"]
    ours, theirs = files.get("commitment"), _read(folder / "commitment.json", CommitmentPage)
    if before is None or theirs is None or not isinstance(ours, CommitmentPage) or ours.root != theirs.root:
        return
    runs_before, runs_after = _runs(_read(folder / "runs.json", Runs)), _runs(files.get("runs"))
    now = {row.entrant.slug: row for row in after.rows} if isinstance(after, Leaderboard) else {}
    for old in before.rows:
        new = now.get(old.entrant.slug)
        if new is None or _said(new) == _said(old):
            continue
        if runs_after.get(old.entrant.slug, 0) > runs_before.get(old.entrant.slug, 0):
            continue
        pending = old.statuses.pending - new.statuses.pending
        if not old.statuses.pending or pending < MIN_CELL:
            raise UserError(
                f"{old.entrant.slug} was published with other results of the same run: the difference would tell of "
                f"fewer than {MIN_CELL} items; "
                + ("what is published is final" if not old.statuses.pending else "finish the run, then export")
            )


def _said(row: Row) -> tuple[object, ...]:
    return (row.correct, row.statuses)


def _runs(register: Published | None) -> dict[str, int]:
    """The latest run of every entrant that the register names."""
    found: dict[str, int] = {}
    for entry in register.runs if isinstance(register, Runs) else ():
        found[entry.slug] = max(found.get(entry.slug, 0), entry.run)
    return found


def _read(path: Path, model: type[Page]) -> Page | None:
    try:
        return model.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
