"""`leak-check`: look through files for anything of a sealed version."""

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from benchpress.commands.work import AsJson, Workers, executor, print_json, print_table, progress
from benchpress.errors import UserError
from benchpress.recipe import recipe_of
from benchpress.recipes import published_secret

from benchpress_evaluator.commands.options import Identity, Store
from benchpress_evaluator.entrants import workspace
from benchpress_evaluator.leaks.needles import PREFIX
from benchpress_evaluator.leaks.public import NOTHING, PUBLIC_ITEMS, Known, known_examples, known_public
from benchpress_evaluator.leaks.search import UNREAD, Finding, Search
from benchpress_evaluator.storage import Storage
from benchpress_evaluator.vault.sealed import Sealed
from benchpress_evaluator.workspace import open_file, read_commitment, sealed_name, store_of, versions_of

CACHE = Path(".cache") / "leak-check"
EXAMPLES = "public_examples"
LARGEST = 1 << 29
"""Bytes of a file that are taken into memory."""


def leak_check(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and folders to look through.")],
    versions: Annotated[
        list[str] | None, typer.Option("--version", help="Only this sealed version; may be repeated (default: all).")
    ] = None,
    canaries: Annotated[
        Path | None, typer.Option("--canaries", help="File of further strings that must not be found, one a line.")
    ] = None,
    public: Annotated[
        list[Path] | None,
        typer.Option("--public", help="Folder of item files that are public, beside public_examples; may be repeated."),
    ] = None,
    public_items: Annotated[
        int, typer.Option("--public-items", min=0, help="Public items that tell what is template text.")
    ] = PUBLIC_ITEMS,
    place: Store = None,
    identity: Identity = None,
    workers: Workers = 1,
    as_json: AsJson = False,
) -> None:
    """Look for canaries, secrets in any encoding, item ids, parameters and prompts; exit code 1 where one is found.

    What is compressed, encoded or escaped is opened first. Findings name a file and the place of an item in its
    version, never what was found.
    """
    files = list(files_of(paths))
    extra = strings_of(canaries) if canaries else []
    storage = store_of(place)
    names = versions or sealed_versions(storage)
    opened = [open_file(name, storage, read_commitment(storage, name), identity or ())[0] for name in names]
    if not versions:
        opened = [sealed for sealed in opened if not is_public(sealed)]
    known = public_text(opened, [workspace() / EXAMPLES, *(public or ())], public_items, workers)
    search = Search(opened, known, extra)
    began, size = time.monotonic(), 0
    findings: list[Finding] = []
    with progress("looking", len(files)) as step:
        for file in files:
            found, read = look(search, file)
            findings += found
            size += read
            step()
    tell(search, opened, findings, (len(files), size, time.monotonic() - began), as_json)
    if findings:
        sys.exit(1)


def files_of(paths: Iterable[Path]) -> Iterator[Path]:
    """Every file at or below `paths`, hidden ones too, in order; links to folders are not followed.

    A link to a file stands for the file, and each real file is given once. What cannot be reached is given as well, so
    that looking into it says so: a link to nothing or in a circle, a folder that may not be listed.
    """
    known: set[str] = set()
    for path in paths:
        if path.is_dir():
            found = sorted(_below(path), key=lambda one: (one.is_symlink(), str(one)))
        elif path.is_file():
            found = [path]
        else:
            raise UserError(f"cannot read {path}: there is no such file or folder")
        for one in found:
            real = os.path.realpath(one)
            if real not in known:
                known.add(real)
                yield one


def _below(folder: Path) -> Iterator[Path]:
    closed: list[Path] = []
    for here, _, names in os.walk(folder, onerror=lambda problem: closed.append(Path(problem.filename))):
        for name in names:
            path = Path(here, name)
            # Pipes, sockets and devices hold nothing, and reading them may never end.
            if path.is_file() or not path.exists():
                yield path
    yield from closed


def strings_of(path: Path) -> list[str]:
    """The further strings, one a line. Raises UserError for one that is too short to tell anything."""
    try:
        lines = [line.strip() for line in path.read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as problem:
        raise UserError(f"cannot read {path}: {problem}") from None
    for number, line in enumerate(lines, start=1):
        if line and len(line.encode()) < PREFIX:
            raise UserError(f"{path}: line {number} has fewer than {PREFIX} bytes, which would be found everywhere")
    return [line for line in lines if line]


def sealed_versions(storage: Storage) -> list[str]:
    """The versions of a store, with a warning of those that cannot be looked for. Raises UserError where none is left.

    A sealed file without its commitment is what an interrupted seal leaves: none of its items left the store.
    """
    found = versions_of(storage)
    for one in found:
        if not one.committed:
            where = storage.locate(sealed_name(one.version))
            print(f"warning: {where} has no commitment, so {one.version} is not looked for", file=sys.stderr)
    if not any(one.committed for one in found):
        raise UserError(f"no sealed version in {storage.locate('')}; name its store with --store")
    return [one.version for one in found if one.committed]


def is_public(sealed: Sealed) -> bool:
    """Whether the version was made from a secret that is published with the generator."""
    try:
        return sealed.secret == published_secret(sealed.version)
    except OSError:
        return False


def public_text(opened: Sequence[Sealed], folders: Sequence[Path], wanted: int, workers: int) -> Known:
    """What is public of the kinds of items that the versions have."""
    known = NOTHING
    with executor(workers, None) if workers > 1 else nullcontext() as pool:
        for sealed in opened:
            if sealed.recipe is None:
                continue
            addresses = recipe_of(dict(sealed.recipe), f"recipe of {sealed.version}").addresses
            with progress(f"public items like those of {sealed.version}", wanted) as step:
                known |= known_public(addresses, workspace() / CACHE, wanted=wanted, pool=pool, step=step)
    for folder in folders:
        known |= known_examples(folder)
    return known


def look(search: Search, file: Path) -> tuple[list[Finding], int]:
    """What is found in a file, and its size; a file that cannot be read is a finding, not a pass."""
    try:
        size = file.stat().st_size
        if size > LARGEST:
            return [Finding(str(file), UNREAD, f"it is larger than {LARGEST:,} bytes", "", 0)], 0
        return search.file(str(file), file.read_bytes()), size
    except OSError as problem:
        return [Finding(str(file), UNREAD, problem.strerror or "it cannot be opened", "", 0)], 0


def tell(
    search: Search,
    opened: Sequence[Sealed],
    findings: Sequence[Finding],
    scanned: tuple[int, int, float],
    as_json: bool,
) -> None:
    """What was found, and what was looked through."""
    files, size, seconds = scanned
    names = [sealed.version for sealed in opened]
    if as_json:
        print_json(
            {
                "versions": names,
                "files": files,
                "bytes": size,
                "seconds": round(seconds, 3),
                "windows": search.windows,
                "findings": [one.to_json() for one in findings],
            }
        )
        return
    if findings:
        columns = ["file", "kind", "what", "inside", "at byte", "times"]
        rows = [[f.file, f.kind, f.what, f.wrapped, str(f.position), str(f.times)] for f in findings]
        print_table("", columns, rows, frozenset({4, 5}))
    found = f"{len(findings)} findings" if findings else "nothing found"
    print(f"{files} files, {size / 1e6:.1f} MB: {found} of {', '.join(names)} ({search.windows:,} windows of text)")
