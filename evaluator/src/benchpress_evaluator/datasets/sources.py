"""The files of one split of a data set: downloaded from the Hugging Face hub, or found in a folder of that layout."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from benchpress.errors import UserError
from benchpress.modules.choice.benchmarks import Benchmark

from benchpress_evaluator.datasets.tables import SUFFIXES


@dataclass(frozen=True, slots=True)
class Source:
    """Where the rows of a split are, in order."""

    paths: tuple[Path, ...]
    names: tuple[str, ...]
    """What each file is called in the data set."""
    commit: str | None = None
    """The commit of the repository that the files are of; None for local files."""

    def files(self) -> list[dict[str, str | int]]:
        """Name, size and SHA-256 of every file, for the record."""
        return [
            {"path": name, "bytes": path.stat().st_size, "sha256": _sha256(path)}
            for name, path in zip(self.names, self.paths, strict=True)
        ]


def from_folder(benchmark: Benchmark, split: str, folder: Path) -> Source:
    """The split's files in `folder`, which has the layout of the data set; or the one file that `folder` is.

    Raises UserError where there is none.
    """
    if folder.is_file():
        return Source((folder,), (folder.name,))
    if not folder.is_dir():
        raise UserError(f"there is no file or folder {folder} to prepare {benchmark.name} from")
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    chosen = of_split(names, benchmark.subset, split, str(folder))
    return Source(tuple(folder / name for name in chosen), tuple(chosen))


def from_hub(benchmark: Benchmark, split: str, revision: str | None) -> Source:
    """The split's files at `revision` of the data set, through the cache of huggingface_hub.

    The revision is resolved to a commit first, so all files are of one state. Raises UserError where the hub cannot be
    reached, or has no such data set, revision or split.
    """
    if not benchmark.repository:
        raise UserError(f"{benchmark.name} is not on the hub: give its files with --from")
    hub = _hub()
    try:
        info = hub.HfApi().dataset_info(benchmark.repository, revision=revision)
        names = sorted(one.rfilename for one in info.siblings or ())
        chosen = of_split(names, benchmark.subset, split, benchmark.repository)
        paths = [
            Path(hub.hf_hub_download(benchmark.repository, name, repo_type="dataset", revision=info.sha))
            for name in chosen
        ]
    except UserError:
        raise
    except Exception as problem:  # noqa: BLE001 - the library and its HTTP client have many kinds of errors
        raise UserError(_explained(problem, benchmark, revision)) from None
    return Source(tuple(paths), tuple(chosen), info.sha)


def of_split(names: Iterable[str], subset: str, split: str, where: str) -> list[str]:
    """The table files of one split of one subset, in order of name.

    Known layouts: `SUBSET/SPLIT-00000-of-00001.parquet`, `data/SPLIT.jsonl`, `SUBSET/SPLIT/0000.parquet`, `SPLIT.csv`.
    Parquet is preferred where a split is there in several formats. Raises UserError where no file, or files of several
    subsets, could be meant.
    """
    tables = [name for name in names if _suffix(name) is not None]
    found = [name for name in tables if _is_of(PurePosixPath(name), split)]
    if subset and any(subset in PurePosixPath(name).parts for name in tables):
        found = [name for name in found if subset in PurePosixPath(name).parts]
    if not found:
        known = sorted({_split_named(PurePosixPath(name)) for name in tables})
        here = f"; it seems to have {', '.join(known)}" if known else ""
        raise UserError(f"{where} has no table of the split {split!r}{f' of {subset}' if subset else ''}{here}")
    best = min((_suffix(name) or "" for name in found), key=list(SUFFIXES).index)
    chosen = [name for name in found if _suffix(name) == best]
    folders = {PurePosixPath(name).parent.as_posix() for name in chosen}
    if len(folders) > 1:
        raise UserError(f"{where} has the split {split!r} in several places ({', '.join(sorted(folders))}): name one")
    return chosen


def _is_of(path: PurePosixPath, split: str) -> bool:
    return split in path.parts[:-1] or _split_named(path) == split


def _split_named(path: PurePosixPath) -> str:
    """What the file name says before the number of its shard: `test` of `test-00000-of-00001.parquet`."""
    return path.name.partition(".")[0].partition("-0")[0].partition("_0")[0]


def _suffix(name: str) -> str | None:
    return next((suffix for suffix in SUFFIXES if name.endswith(suffix)), None)


def _hub() -> Any:
    try:
        import huggingface_hub
    except ImportError:
        raise UserError(
            "fetching a data set needs huggingface_hub: pip install 'benchpress-evaluator[datasets]', or give a local "
            "copy with --from"
        ) from None
    return huggingface_hub


def _explained(problem: Exception, benchmark: Benchmark, revision: str | None) -> str:
    kind = type(problem).__name__
    name = benchmark.repository
    if kind == "RevisionNotFoundError":
        return f"the data set {name} has no revision {revision!r}"
    if kind == "GatedRepoError":
        return f"the data set {name} is gated: accept its terms on the hub and set HF_TOKEN, or give a copy with --from"
    if kind == "RepositoryNotFoundError":
        return f"the hub has no data set {name}, or does not show it without HF_TOKEN"
    endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co")
    return (
        f"cannot fetch {name} from {endpoint} ({kind}); check the network, or give a local copy of the data set "
        "with --from FOLDER"
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
