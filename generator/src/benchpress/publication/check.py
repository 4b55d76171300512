"""Whether a folder is a publication: nothing but files of the schema, no cell too small, digests as listed.

Needs neither the evaluator nor a secret: whoever builds the site runs it first.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from benchpress.errors import UserError
from benchpress.publication import (
    DIGESTS,
    FILES,
    MODELS,
    VERSIONS,
    Contamination,
    Digests,
    Leaderboard,
    ModelPage,
    OrderBias,
    Pairs,
    Published,
    Replay,
    Skills,
    Versions,
)
from benchpress.publication.text import first_problem, published_text
from benchpress.recipe import SMALLEST_CELL


def model_of(name: str) -> type[Published] | None:
    """The model of a file of the publication by its path inside the folder; None where it has no business there."""
    match name.split("/"):
        case [only]:
            return Versions if only == VERSIONS else Digests if only == DIGESTS else None
        case [_, file] if file.endswith(".json"):
            return FILES.get(file.removesuffix(".json"))
        case [_, folder, file] if folder == MODELS and file.endswith(".json"):
            return ModelPage
    return None


def check_publication(folder: Path) -> int:
    """The number of files of a publication that holds. Raises UserError with the first thing that is wrong."""
    if not (folder / VERSIONS).is_file():
        raise UserError(f"{folder} is no publication: there is no {VERSIONS}; `benchpress export` writes one")
    pages: dict[str, Published] = {}
    digests: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        name = path.relative_to(folder).as_posix()
        model = None if path.is_symlink() else model_of(name)
        if model is None:
            raise UserError(f"{path} is no file of a publication; take it out, or export to an empty folder")
        data = path.read_bytes()
        pages[name] = _read(path, data, model)
        digests[name] = hashlib.sha256(data).hexdigest()
    _check_versions(folder, pages)
    _check_digests(folder, pages.get(DIGESTS), digests)
    return len(pages)


def _read(path: Path, data: bytes, model: type[Published]) -> Published:
    try:
        page = model.model_validate_json(data, strict=True)
    except ValidationError as problem:
        raise UserError(f"{path} violates the schema at {first_problem(problem)}; export it again") from None
    # One way of writing leaves no room for a repeated key, a second meaning or a hidden message.
    if published_text(page).encode() != data:
        raise UserError(f"{path} is not written as export writes it; export it again, and edit nothing by hand")
    return page


def _check_versions(folder: Path, pages: dict[str, Published]) -> None:
    listed = pages[VERSIONS]
    assert isinstance(listed, Versions)  # noqa: S101 - for the type checker
    entries = {entry.version: entry for entry in listed.versions}
    if len(entries) < len(listed.versions):
        raise UserError(f"{folder / VERSIONS} lists a version twice; export it again")
    for name in entries:
        if f"{name}/leaderboard.json" not in pages:
            raise UserError(f"{folder / VERSIONS} lists {name}, which has no leaderboard here; restore its folder")
    for name, page in pages.items():
        if "/" not in name:
            continue
        version = name.split("/")[0]
        if version not in entries:
            raise UserError(f"{folder / name} is of a version that {VERSIONS} does not list; export it again")
        if getattr(page, "version", version) != version:
            raise UserError(f"{folder / name} is of version {page.version}, not of {version}; export it again")  # type: ignore[attr-defined]
        if isinstance(page, ModelPage) and name != f"{version}/{MODELS}/{page.row.entrant.slug}.json":
            raise UserError(f"{folder / name} is the page of {page.row.entrant.slug}; export it again")
        if entries[version].root is not None:
            for place, n in cells(page):
                if n < SMALLEST_CELL:
                    raise UserError(
                        f"{folder / name}: {place} rests on {n} items of a sealed version; at least {SMALLEST_CELL} "
                        "are needed: export it again with a release that withholds it"
                    )


def cells(page: Published) -> Iterator[tuple[str, int]]:
    """Every figure of a page that rests on items: its name, and on how many."""
    match page:
        case Leaderboard():
            yield from ((f"row {row.entrant.slug}", row.statuses.planned) for row in page.rows)
        case ModelPage():
            yield "the overall figure", page.row.statuses.planned
            for margin in ("bundles", "variants", "levels", "parts", "skills"):
                yield from ((f"{margin} {cell.name}", cell.n) for cell in getattr(page, margin))
        case Skills():
            yield from ((f"skill {skill.name}", skill.n) for skill in page.skills)
        case Pairs():
            yield from ((f"pair {pair.a}, {pair.b}", pair.n) for pair in page.pairs)
        case Contamination():
            yield "the canonical set", page.canonical_items
            yield "the fresh sample", page.fresh_items
        case OrderBias():
            yield from ((f"row {row.slug}", row.n) for row in page.rows)
        case Replay():
            own = (figure for table in page.tables if table.source == "own" for figure in table.figures)
            yield from ((f"{figure.setting} {figure.metric}", figure.n) for figure in own if figure.n is not None)


def _check_digests(folder: Path, listed: Published | None, found: dict[str, str]) -> None:
    if not isinstance(listed, Digests):
        raise UserError(f"{folder / DIGESTS} is missing; export again, so that every file has its digest")
    there = {name: digest for name, digest in found.items() if name != DIGESTS}
    for name in sorted(there.keys() | listed.files.keys()):
        if name not in there:
            raise UserError(f"{folder / name} is listed in {DIGESTS} and missing; restore it or export again")
        if name not in listed.files:
            raise UserError(f"{folder / name} is not listed in {DIGESTS}; export again")
        if there[name] != listed.files[name]:
            raise UserError(f"{folder / name} does not match its digest in {DIGESTS}: it was changed; restore it")
