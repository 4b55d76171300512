"""The files that a run leaves for people: rows and usage of every condition, and all of them in one."""

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from benchpress.errors import UserError

from benchpress_evaluator.grid.folder import RunFolder
from benchpress_evaluator.grid.manifest import State
from benchpress_evaluator.grid.rows import Row, from_jsonl, to_csv, to_jsonl
from benchpress_evaluator.storage import write_durably


class Results:
    """The result files in the folder of a run."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder

    def artifact(self, condition_id: str, name: str, value: Any) -> None:
        """A file beside the results of one condition, such as the report of its gate."""
        self.folder.write_json(f"artifacts/{condition_id}/{name}", value)

    def write(self, name: str, data: bytes) -> None:
        """A result file; one that is the same already is left alone."""
        path = self.folder / name
        if not path.is_file() or path.read_bytes() != data:
            self.folder.write(name, data)

    def join(self, condition_ids: Sequence[str]) -> None:
        """All complete conditions in one file of each kind, in the order of the manifest."""
        for kind, place in (("jsonl", "results"), ("csv", "results"), ("jsonl", "usage")):
            parts = [self.folder / f"{place}/{name}.{kind}" for name in condition_ids]
            _join(self.folder / f"{place}.{kind}", parts, header=kind == "csv")


def _join(path: Path, parts: Sequence[Path], *, header: bool) -> None:
    def copy(file: IO[bytes]) -> None:
        for number, part in enumerate(parts):
            with part.open("rb") as held:
                if header and number:
                    held.readline()
                shutil.copyfileobj(held, file)

    try:
        write_durably(path, copy)
    except OSError as problem:
        raise UserError(f"cannot write {path}: {problem.strerror or problem}") from None


def join_bytes(parts: Sequence[bytes]) -> bytes:
    """CSV files with the same header as one."""
    return b"".join(part if not number else part.partition(b"\n")[2] for number, part in enumerate(parts))


def write_results(
    results: Results,
    condition_id: str,
    rows: Sequence[Row],
    usage: Sequence[Row],
    gate: Mapping[str, Any] | None,
) -> dict[str, str]:
    """Write one condition; returns the SHA-256 of each of its files by name."""
    held = {
        f"results/{condition_id}.csv": to_csv(rows),
        f"usage/{condition_id}.jsonl": to_jsonl(usage),
        f"results/{condition_id}.jsonl": to_jsonl(rows),
    }
    for name, data in held.items():
        results.write(name, data)
    if gate is not None:
        results.artifact(condition_id, "modal_k_gate.json", gate)
    return {name: hashlib.sha256(data).hexdigest() for name, data in held.items()}


def stands(folder: RunFolder, state: State) -> bool:
    """Whether a condition is complete and its files are as they were written."""
    return bool(state.files) and all(_digest(folder / name) == digest for name, digest in state.files.items())


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def read_results(folder: RunFolder, condition_id: str, state: State) -> tuple[list[Row], list[Row]]:
    """Rows and usage of a completed condition, as they were written. Raises UserError where they are not."""
    path = folder / f"results/{condition_id}.jsonl"
    if not stands(folder, state):
        raise UserError(
            f"{path} or a file beside it is not what the run wrote; run again to write it anew from the stored answers"
        )
    usage = folder / f"usage/{condition_id}.jsonl"
    return list(from_jsonl(path.read_bytes())), list(from_jsonl(usage.read_bytes()))
