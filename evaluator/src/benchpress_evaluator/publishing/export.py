"""Write the publication: every file checked against its model, the same bytes for the same results."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
from benchpress.errors import UserError
from benchpress.jsonl import atomic_write
from benchpress.publication import (
    DIGESTS,
    FILES,
    MODELS,
    VERSIONS,
    Bridge,
    CommitmentPage,
    Digests,
    ModelPage,
    Published,
    Runs,
    VersionEntry,
    Versions,
)
from benchpress.publication.text import published_text
from pydantic import ValidationError

from benchpress_evaluator.publishing.across import bridge_entry
from benchpress_evaluator.publishing.describe import Description, Release
from benchpress_evaluator.publishing.frozen import refuse_small_changes
from benchpress_evaluator.publishing.leaderboard import Board, board, leaderboard, model_pages
from benchpress_evaluator.publishing.pages import pages, timeline_page
from benchpress_evaluator.stats.matrix import one_version
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.timeline import bridge


def export(
    frame: pd.DataFrame,
    release: Release,
    entrants: Mapping[str, Description],
    commitment: CommitmentPage | None,
    register: Runs | None,
    out: Path,
    *,
    settings: Settings | None = None,
    extra: Sequence[Published] = (),
    earlier: Mapping[str, pd.DataFrame] | None = None,
) -> list[Path]:
    """Write the publication of one version into `out` and return the files written, sorted.

    `frame` holds the results of this version; `entrants` describes them by id; `register` is the run register as
    published; `extra` are further files of the version, already made (contamination, changelog, order bias); `earlier`
    holds the results of earlier versions, to which this one is bridged by who ran on both. Files of an earlier export
    of the same version that no longer belong are removed; other versions stay. Raises UserError.
    """
    if not frame.empty and one_version(frame) != release.version:
        raise UserError(
            f"the results are of {one_version(frame)}, not of {release.version}; name the version they have"
        )
    base = settings or Settings()
    chosen = replace(base, entrants={name: described.entrant for name, described in entrants.items()})
    made = board(frame, release, entrants, chosen)
    files: dict[str, Published] = {"leaderboard": leaderboard(made), **pages(made)}
    files["timeline"] = timeline_page(made, _bridges(made, earlier or {}))
    if commitment is not None:
        files["commitment"] = commitment
    if register is not None:
        files["runs"] = register
    for page in extra:
        files[_name(page)] = page
    folder = out / release.version
    if release.sealed:
        refuse_small_changes(folder, files)
    contents = {folder / f"{name}.json": page for name, page in files.items()}
    contents |= {folder / MODELS / f"{page.row.entrant.slug}.json": page for page in model_pages(made)}
    if len(contents) != len(files) + len(made.rows):
        raise UserError("two entrants have the same slug; give one of them another id in models.yaml")
    contents[out / VERSIONS] = _versions(out / VERSIONS, made, commitment)
    texts = {path: published_text(page) for path, page in contents.items()}
    listed = _digests(out, release.version, texts)
    for path in sorted(texts):
        _write(path, texts[path])
    _remove_stale(folder, set(texts))
    # Last, so that an interrupted export is told from a complete one.
    _write(out / DIGESTS, published_text(listed))
    return sorted([*texts, out / DIGESTS])


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UserError(f"cannot make {path.parent}: {problem.strerror or problem}") from None
    with atomic_write(path) as file:
        file.write(text)


def _digests(out: Path, version: str, texts: Mapping[Path, str]) -> Digests:
    """The digests of this version's files and of the list of versions; those of other versions stay as they were, so
    that an export never vouches for a file it did not write."""
    path = out / DIGESTS
    try:
        known = Digests.model_validate_json(path.read_bytes()).files if path.exists() else {}
    except (OSError, ValidationError):
        raise UserError(f"{path} is not a list of digests; restore it or export to an empty folder") from None
    files = {name: digest for name, digest in known.items() if not name.startswith(f"{version}/")}
    for place, text in texts.items():
        files[place.relative_to(out).as_posix()] = hashlib.sha256(text.encode()).hexdigest()
    return Digests(files=dict(sorted(files.items())))


def _bridges(made: Board, earlier: Mapping[str, pd.DataFrame]) -> list[Bridge]:
    slugs = {condition: made.slug(condition) for condition in made.counts}
    return [
        bridge_entry(name, made.release.version, bridge(earlier[name], made.frame, made.settings), slugs)
        for name in sorted(earlier)
    ]


def _name(page: Published) -> str:
    for name, model in FILES.items():
        if type(page) is model:
            return name
    raise ValueError(f"{type(page).__name__} is no file of a version")


def _versions(path: Path, made: Board, commitment: CommitmentPage | None) -> Versions:
    release = made.release
    planned = max((counts["planned"] for counts in made.counts.values()), default=0)
    entry = VersionEntry(
        version=release.version,
        track=release.track,
        title=release.title,
        status=release.status,
        date=release.date,
        items=commitment.items if commitment and commitment.items else planned,
        entrants=len({condition.entrant for condition in made.counts}),
        root=commitment.root if commitment else None,
        note=release.note,
    )
    others = [old for old in read_versions(path) if old.version != entry.version]
    return Versions(versions=tuple(sorted([*others, entry], key=lambda e: (e.track, e.date, e.version))))


def read_versions(path: Path) -> Sequence[VersionEntry]:
    if not path.exists():
        return ()
    try:
        return Versions.model_validate_json(path.read_bytes()).versions
    except (OSError, ValidationError):
        raise UserError(f"{path} is not a list of versions; restore it or export to an empty folder") from None


def _remove_stale(folder: Path, written: set[Path]) -> None:
    for path in [*(folder / f"{name}.json" for name in FILES), *sorted((folder / MODELS).glob("*.json"))]:
        if path not in written and path.suffix == ".json" and path.is_file() and _is_ours(path):
            path.unlink()


def _is_ours(path: Path) -> bool:
    """Whether a file is of the publication's format: nothing else is ever removed."""
    model = ModelPage if path.parent.name == MODELS else FILES[path.stem]
    try:
        model.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return False
    return True
