"""The folder of one run: its name, its only writer, and how it is emptied on purpose."""

import contextlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchpress.errors import UserError

from benchpress_evaluator.json_text import parse_json
from benchpress_evaluator.storage import UNFINISHED, make_folder, replace_durably

RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
LOCKS = ".locks"
SCORED = ("reports", "reparsed")
"""The folders of a run that scoring writes, which needs no lock: its files have names of their own."""


def check_run_id(run_id: str) -> str:
    """`run_id`, where it may name a run. Raises UserError otherwise."""
    if not RUN_ID.fullmatch(run_id):
        raise UserError(
            f"--run-id {run_id[:140]!r}: a letter or digit, then up to 127 letters, digits, '.', '_' and '-'"
        )
    return run_id


class RunFolder:
    """`runs/<id>/`. Everything in it is written whole and durably, or not at all."""

    def __init__(self, runs: Path, run_id: str) -> None:
        self.runs = runs
        self.run_id = check_run_id(run_id)
        self.path = runs / run_id

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    @property
    def started(self) -> bool:
        """Whether anything stands in it."""
        try:
            return any(self.path.iterdir())
        except FileNotFoundError:
            return False
        except OSError as problem:
            raise UserError(f"cannot read {self.path}: {problem.strerror or problem}") from None

    def check_place(self) -> None:
        """Raise UserError where the folder is a link or lies outside of the runs."""
        if self.path.is_symlink():
            raise UserError(f"{self.path} is a symbolic link; a run is a folder of its own")
        if self.path.exists() and (not self.path.is_dir() or self.path.resolve().parent != self.runs.resolve()):
            raise UserError(f"{self.path} is no folder of a run")

    @contextlib.contextmanager
    def only_writer(self) -> Iterator[None]:
        """Alone with this run; the system lifts the lock when the process dies, however it dies.

        Raises UserError at once where another process writes it.
        """
        import fcntl

        path = self.runs / LOCKS / f"{self.run_id}.run.lock"
        try:
            make_folder(path.parent)
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as problem:
            raise UserError(f"cannot write {path}: {problem.strerror or problem}") from None
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UserError(
                    f"run {self.run_id} is being written by another process; wait for it or choose another --run-id"
                ) from None
            self.check_place()
            self._remove_unfinished()
            yield
        finally:
            os.close(handle)

    def _remove_unfinished(self) -> None:
        """Remove what a writer that was killed had not finished. What is scored may be written at the same time."""
        for path in self.path.rglob(UNFINISHED):
            scored = path.relative_to(self.path).parts[0] in SCORED
            if not scored and path.is_file() and not path.is_symlink():
                path.unlink(missing_ok=True)

    def reset(self) -> None:
        """Remove the run. Only its writer may call this. Raises UserError for what is no folder of a run."""
        self.check_place()
        if not self.path.exists():
            return
        # Out of the way in one step, so that a half-deleted run is never taken for one.
        grave = self.runs / LOCKS / f"{self.run_id}.{secrets.token_hex(6)}.removed"
        self.path.rename(grave)
        shutil.rmtree(grave)

    def write(self, name: str, data: bytes) -> None:
        """A file under its final name only when it is complete and durable; in place of the one before."""
        write_whole(self.path / name, data)

    def write_json(self, name: str, value: Any) -> None:
        self.write(name, json_bytes(value))

    def read_json(self, name: str) -> Any:
        """What stands in a file, or None where there is none. Raises UserError where it is damaged."""
        path = self.path / name
        try:
            return parse_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as problem:
            raise UserError(f"cannot read {path}: {problem}; restore it, or start anew with --reset-run") from None


def json_bytes(value: Any) -> bytes:
    """JSON for people and programs, the same for the same value."""
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True, allow_nan=False).encode() + b"\n"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole and durably. Raises UserError."""
    try:
        make_folder(path.parent)
        replace_durably(path, data)
    except OSError as problem:
        raise UserError(f"cannot write {path}: {problem.strerror or problem}") from None
