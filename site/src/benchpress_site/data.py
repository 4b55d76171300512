"""Reads the published files of every version, checked against the publication schema."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from benchpress.errors import UserError
from benchpress.publication import (
    DIGESTS,
    FILES,
    VERSIONS,
    Digests,
    Leaderboard,
    ModelPage,
    Published,
    Row,
    VersionEntry,
    Versions,
)
from pydantic import ValidationError

P = TypeVar("P", bound=Published)


@dataclass(frozen=True, eq=False)
class Version:
    """One version of one track: its entry in `versions.json`, its files by name, and its model pages by slug."""

    entry: VersionEntry
    files: Mapping[str, Published] = field(default_factory=dict)
    models: Mapping[str, ModelPage] = field(default_factory=dict)

    def get(self, name: str, kind: type[P]) -> P | None:
        """The file `name`, or None where it was not published."""
        found = self.files.get(name)
        return found if isinstance(found, kind) else None

    @property
    def name(self) -> str:
        return self.entry.version

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every condition, best first; what has no accuracy comes last. Ties keep the order of names."""
        board = self.get("leaderboard", Leaderboard)
        if board is None:
            return ()
        return tuple(
            sorted(
                board.rows,
                key=lambda row: (
                    row.accuracy is None,
                    -row.accuracy.value if row.accuracy else 0.0,
                    row.entrant.name,
                    row.entrant.slug,
                    row.method,
                ),
            )
        )

    @cached_property
    def _by_condition(self) -> Mapping[tuple[str, str], Row]:
        return {(row.entrant.slug, row.method): row for row in self.rows}

    def row(self, slug: str, method: str) -> Row | None:
        return self._by_condition.get((slug, method))

    def name_of(self, slug: str) -> str:
        """An entrant's name, whatever the method; its slug where it is not on the leaderboard."""
        return next((row.entrant.name for row in self.rows if row.entrant.slug == slug), slug)

    def label(self, slug: str, method: str) -> str:
        """An entrant's name, with its method where the version has several."""
        name = self.name_of(slug)
        return f"{name}, {method}" if method and len({other.method for other in self.rows}) > 1 else name


@dataclass(frozen=True)
class Publication:
    """Everything that the site knows: current versions first, newest first."""

    versions: tuple[Version, ...]
    index: Versions = field(default_factory=lambda: Versions(versions=()))
    """The list of versions as it was published."""
    digests: Digests | None = None
    """SHA-256 of every file of the publication, where it came with them."""

    @property
    def synthetic(self) -> bool:
        return any(version.entry.status == "synthetic" for version in self.versions)

    @property
    def newest(self) -> str | None:
        """The latest date that anything here speaks of, YYYY-MM-DD: the date that a build carries."""
        dates = [version.entry.date for version in self.versions]
        dates += [row.run_date for version in self.versions for row in version.rows if row.run_date]
        return max(dates, default=None)

    @property
    def tracks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(version.entry.track for version in self.versions))

    @property
    def headline(self) -> Version | None:
        """The version that the front page shows."""
        return self.versions[0] if self.versions else None


STATUS_ORDER = ("current", "synthetic", "demo", "retired")
TRACK_ORDER = ("causal", "replay", "choice")


def read_publication(folder: Path) -> Publication:
    """The publication in `folder`; empty where `versions.json` is missing. Raises UserError for a broken file."""
    index = folder / VERSIONS
    if not index.is_file():
        return Publication(())
    listed = _read(index, Versions)
    entries = listed.versions
    names = [entry.version for entry in entries]
    for name in names:
        if "/" in name or "\\" in name or name.strip(". ") == "":
            raise UserError(f"{index}: version {name!r} cannot be the name of a folder; export it again")
        if names.count(name) > 1:
            raise UserError(f"{index}: version {name!r} is listed twice; keep one")
    versions = [_read_version(folder, entry) for entry in entries]
    versions.sort(key=lambda version: version.entry.date, reverse=True)
    versions.sort(key=lambda version: (_place(version.entry.track), STATUS_ORDER.index(version.entry.status)))
    digests = folder / DIGESTS
    return Publication(tuple(versions), listed, _read(digests, Digests) if digests.is_file() else None)


def _place(track: str) -> tuple[int, str]:
    return (TRACK_ORDER.index(track) if track in TRACK_ORDER else len(TRACK_ORDER), track)


def _read_version(folder: Path, entry: VersionEntry) -> Version:
    home = folder / entry.version
    files = {name: _read(path, kind) for name, kind in FILES.items() if (path := home / f"{name}.json").is_file()}
    models = {}
    for path in sorted((home / "models").glob("*.json"), key=lambda path: path.name):
        page = _read(path, ModelPage)
        if page.row.entrant.slug != path.stem:
            raise UserError(f"{path}: the file is named for another entrant than {page.row.entrant.slug!r}; rename it")
        models[path.stem] = page
    return Version(entry, files, models)


def _read(path: Path, kind: type[P]) -> P:
    try:
        # NaN and infinities are not JSON; where a producer writes one, the figure is unknown.
        value: Any = json.loads(path.read_text(encoding="utf-8"), parse_constant=lambda _: None)
        return kind.model_validate(value)
    except OSError as problem:
        raise UserError(f"cannot read {path}: {problem.strerror or problem}") from None
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(str(step) for step in first["loc"]) or "the top level"
        raise UserError(f"{path}: not the published format at {place}: {first['msg']}; export it again") from None
    except (ValueError, RecursionError) as problem:
        raise UserError(f"{path}: not valid JSON ({problem}); export it again") from None
