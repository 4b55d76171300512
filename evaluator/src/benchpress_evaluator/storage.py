"""Where private files live: a folder or an S3 bucket, with the same code above it.

Two kinds of things are stored. A *file* is written whole and replaced conditionally, so that two writers never
overwrite each other unknowingly. A *log* belongs to one writer and only grows: one file in a folder, a run of
numbered objects in a bucket.
"""

import contextlib
import errno
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Protocol

from benchpress.errors import UserError

CHUNK = 1 << 20


class MissingError(UserError):
    """No file of this name is stored."""


class ConflictError(UserError):
    """The file is not in the state that the writer expected: somebody else wrote it first."""


class Log(Protocol):
    """The growing end of one log. One writer only."""

    def append(self, data: bytes, *, sync: bool) -> None:
        """Add `data`; where `sync` is true it survives a power cut when this returns.

        Raises UserError where that fails; what was added before stays, and the same data may be tried again.
        """
        ...

    def close(self) -> None: ...


class Storage(Protocol):
    """Files and logs under names such as `causal-v1/journal/ab12.seg`."""

    keeps_unsynced: bool
    """What is appended to a log without `sync` is cheap, and outlives the process if not the machine."""

    def locate(self, name: str) -> str:
        """Where `name` is, for people."""
        ...

    def names(self, prefix: str) -> list[str]:
        """The files and logs directly inside the folder `prefix`, in code-point order; none where it is missing."""
        ...

    def read(self, name: str) -> bytes:
        """The whole file. Raises MissingError."""
        ...

    def read_tagged(self, name: str) -> tuple[bytes, str] | None:
        """The file and a tag of this state for `write`, or None where there is none."""
        ...

    def write(self, name: str, data: bytes, *, expected: str | None) -> None:
        """Write the file whole and durably if it still has the tag `expected` (None: if there is no such file).

        Raises ConflictError where it has not.
        """
        ...

    def new_log(self, name: str) -> Log:
        """A new, empty log. Raises ConflictError where the name is taken."""
        ...

    def read_log(self, name: str) -> Iterator[bytes]:
        """What is in the log, in stretches of about a megabyte. Raises MissingError."""
        ...


def open_storage(place: str | os.PathLike[str]) -> Storage:
    """The storage at a folder's path or at `s3://bucket/prefix`; nothing is written or asked yet."""
    text = os.fspath(place)
    if text.startswith("s3://"):
        try:
            from benchpress_evaluator.s3 import S3Storage
        except ImportError:
            raise UserError("storage in S3 needs boto3: install benchpress-evaluator[s3]") from None
        return S3Storage(text)
    if "://" in text:
        raise UserError(f"storage {text!r}: only a folder or s3://bucket/prefix is understood")
    return FolderStorage(Path(text))


def check_name(name: str) -> str:
    """`name`, where it stays inside the storage. Raises UserError otherwise."""
    if not name or any(part in ("", ".", "..") for part in name.split("/")) or "\\" in name or "\0" in name:
        raise UserError(f"{name!r} is no name for a stored file: use letters, digits, '-', '_', '.' and '/'")
    return name


def cannot(verb: str, where: str, problem: OSError) -> UserError:
    """One line for an operating system's refusal, with what to do about it."""
    advice = {
        errno.ENOSPC: "free some space and run the same command again",
        errno.EDQUOT: "the quota is used up: free some space and run the same command again",
        errno.EFBIG: "the limit for file sizes is reached: raise it (ulimit -f) and run the same command again",
        errno.EROFS: "choose a place that can be written",
        errno.EACCES: "give this user access or choose another place",
        errno.EPERM: "give this user access or choose another place",
        errno.EIO: "the device is failing: keep the files, move to another one and run the same command again",
    }.get(problem.errno or 0, "see to it and run the same command again")
    return UserError(
        f"cannot {verb} {where}: {problem.strerror or problem}; everything acknowledged before is kept; {advice}"
    )


class FolderStorage:
    """Files below one folder."""

    keeps_unsynced = True

    def __init__(self, root: Path) -> None:
        self.root = root

    def locate(self, name: str) -> str:
        return str(self.root / name)

    def names(self, prefix: str) -> list[str]:
        folder = self.root / check_name(prefix) if prefix else self.root
        try:
            with os.scandir(folder) as entries:
                found = [entry.name for entry in entries if entry.is_file() and not entry.name.startswith(".")]
        except FileNotFoundError:
            return []
        except OSError as problem:
            raise cannot("list", str(folder), problem) from None
        return [f"{prefix}/{name}" if prefix else name for name in sorted(found)]

    def read(self, name: str) -> bytes:
        found = self.read_tagged(name)
        if found is None:
            raise MissingError(f"{self.locate(name)} does not exist")
        return found[0]

    def read_tagged(self, name: str) -> tuple[bytes, str] | None:
        path = self.root / check_name(name)
        try:
            data = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as problem:
            raise cannot("read", str(path), problem) from None
        return data, hashlib.sha256(data).hexdigest()

    def write(self, name: str, data: bytes, *, expected: str | None) -> None:
        path = self.root / check_name(name)
        try:
            make_folder(path.parent)
            with locked(path):
                found = self.read_tagged(name)
                if (found and found[1]) != expected:
                    state = "was changed by somebody else" if found else "does not exist any more"
                    raise ConflictError(
                        f"{path} {'exists already' if expected is None else state}; nothing was written"
                    )
                replace_durably(path, data)
        except OSError as problem:
            raise cannot("write", str(path), problem) from None

    def new_log(self, name: str) -> Log:
        path = self.root / check_name(name)
        try:
            make_folder(path.parent)
            return _FileLog(path)
        except FileExistsError:
            raise ConflictError(f"{path} exists already; nothing was written") from None
        except OSError as problem:
            raise cannot("write", str(path), problem) from None

    def read_log(self, name: str) -> Iterator[bytes]:
        path = self.root / check_name(name)
        try:
            with path.open("rb", buffering=0) as file:
                while chunk := file.read(CHUNK):
                    yield chunk
        except FileNotFoundError:
            raise MissingError(f"{path} does not exist") from None
        except OSError as problem:
            raise cannot("read", str(path), problem) from None


class _FileLog:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(
            path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600
        )
        self._length = 0
        self._broken: UserError | None = None
        sync_folder(path.parent)

    def append(self, data: bytes, *, sync: bool) -> None:
        if self._broken:
            raise self._broken
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as problem:
            failure = cannot("write", str(self._path), problem)
            try:
                os.ftruncate(self._file, self._length)
            except OSError:
                self._broken = failure
            raise failure from None
        self._length += len(data)
        if sync:
            try:
                os.fsync(self._file)
            except OSError as problem:
                # A second fsync may report success for pages that were dropped by the first: never try again.
                self._broken = cannot("write", str(self._path), problem)
                raise self._broken from None

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._file)


def make_folder(folder: Path) -> None:
    """Make a folder whose name survives a power cut."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for place in missing:
        sync_folder(place.parent)


def replace_durably(path: Path, data: bytes) -> None:
    """Write a file whole, or not at all, and wait until it is on the disk. Raises OSError."""
    write_durably(path, lambda file: file.write(data))


UNFINISHED = ".*.partial-*"
"""The names of files that are being written, or that were when their writer was killed."""


def write_durably(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """The same for what `write` puts into the file, piece by piece."""
    partial = path.with_name(f".{path.name}.partial-{os.getpid()}")
    try:
        with partial.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def create_durably(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, under a name that is not taken, and wait until it is on the disk.

    Raises FileExistsError where the name is taken, and OSError where anything else fails: then nothing is left of it.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        sync_folder(path.parent)
    except OSError:
        with contextlib.suppress(OSError):
            path.unlink()
        raise


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Alone with the folder of `path` among those who write here; the system lifts the lock when a process dies."""
    import fcntl

    handle = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
