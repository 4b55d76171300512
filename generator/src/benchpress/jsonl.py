"""JSON Lines files: streaming in with exact error messages, and out without ever leaving a partial file."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any

from benchpress.canonical import canonical_text
from benchpress.errors import UserError
from benchpress.items import Item, Response


def read_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Line number and value of every non-empty line. Raises UserError naming file and line."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    yield number, json.loads(line)
                except (ValueError, RecursionError) as problem:
                    raise UserError(
                        f"{path}, line {number}: not valid JSON ({problem}); mend or remove the line"
                    ) from None
    except OSError as problem:
        raise UserError(f"cannot read {path}: {problem.strerror or problem}") from None


def read_items(path: Path) -> Iterator[Item]:
    """The items of a file. A line of another shape or a repeated id is a UserError."""
    seen: set[str] = set()
    for number, value in read_lines(path):
        try:
            item = Item.from_json(value)
            _check_types(item, value)
            _check_text(value)
        except (KeyError, TypeError, AttributeError) as problem:
            what = f"field {problem} is missing" if isinstance(problem, KeyError) else str(problem)
            raise UserError(
                f"{path}, line {number}: not an item ({what}); `benchpress schema item` prints the format"
            ) from None
        if item.id in seen:
            raise UserError(f"{path}, line {number}: item id {item.id!r} occurs twice")
        seen.add(item.id)
        yield item


def _check_types(item: Item, value: Mapping[str, Any]) -> None:
    """Raise TypeError where a field of an item is of another type than the format says."""
    texts = (item.id, item.module, item.bundle, item.variant, item.prompt)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("id, module, bundle, variant and prompt must be strings")
    if not all(isinstance(part.id, str) and isinstance(part.type, str) for part in item.parts):
        raise TypeError("id and type of a part must be strings")
    if not all(isinstance(params, dict) for params in (item.params, *(part.params for part in item.parts))):
        raise TypeError("params must be an object")
    if not isinstance(item.level, int) or isinstance(item.level, bool):
        raise TypeError("level must be a whole number")
    for entry in value.get("verification") or ():
        if not isinstance(entry["part"], str) or not _is_texts(entry["methods"]):
            raise TypeError("an entry of verification needs the id of a part and a list of methods")
    if not all(_is_texts(part.get("skills") or []) for part in value["parts"]):
        raise TypeError("skills of a part must be a list of strings")


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _check_text(value: Any) -> None:
    """Raise TypeError where something inside `value` cannot be printed or written: half a surrogate pair."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        raise TypeError("it holds half a character, a lone surrogate, or is nested too deeply") from None


def read_responses(path: Path) -> Iterator[Response]:
    """The responses of a file. A line of another shape or a repeated item id is a UserError."""
    seen: set[str] = set()
    for number, value in read_lines(path):
        if not isinstance(value, dict) or not isinstance(value.get("item_id"), str) or "text" not in value:
            raise UserError(
                f"{path}, line {number}: a response needs item_id and text; see `benchpress schema response`"
            )
        if not isinstance(value["text"], str | None):
            raise UserError(f"{path}, line {number}: text must be a string or null")
        if value["item_id"] in seen:
            raise UserError(f"{path}, line {number}: a second response to item {value['item_id']!r}; keep one")
        seen.add(value["item_id"])
        yield Response(
            value["item_id"],
            value["text"],
            value.get("stop_reason"),
            value.get("error"),
            value.get("output_tokens"),
            value.get("max_tokens"),
        )


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[str]]:
    """A text file that appears under its name only when complete; on any error nothing is left behind.

    A link stays: the file that it names is written. What is no regular file (a pipe, a device, an open descriptor) is
    never replaced but written as it stands, line after line. Raises UserError where the file cannot be written.
    """
    if str(path) == "-":
        raise UserError("cannot write to '-': name a file, or /dev/stdout for standard output")
    whole = Path(os.path.realpath(path))
    partial = whole.with_name(f".{whole.name}.partial-{os.getpid()}")
    try:
        stream = _stream(path)
        target = partial if stream is None else stream
        with open(target, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123 - it may be a descriptor
            yield file
        if stream is None:
            partial.replace(whole)
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise UserError(f"cannot write {path}: {problem.strerror or problem}") from None
    finally:
        with suppress(OSError):
            partial.unlink()


def _stream(path: Path) -> int | Path | None:
    """What is written in place: a copy of an open descriptor, or what is no regular file; None where a file is."""
    open_already = _DESCRIPTOR.fullmatch(str(path))
    if open_already is not None:
        name = open_already["name"]
        return os.dup({"stdout": 1, "stderr": 2}.get(name) or int(open_already["number"]))
    try:
        return None if S_ISREG(path.stat().st_mode) else path
    except FileNotFoundError:
        return None


_DESCRIPTOR = re.compile(r"/dev/(?P<name>stdout|stderr)|(?:/dev|/proc/self)/fd/(?P<number>[0-9]{1,9})")
"""A descriptor is not opened anew by its name: that would empty a file that already holds what was printed into it."""


def write_lines(path: Path, values: Iterable[Mapping[str, Any]], each: Callable[[], None] = lambda: None) -> int:
    """Write canonical JSON lines; returns how many. `each` is called after every line, for progress."""
    count = 0
    with atomic_write(path) as file:
        for value in values:
            file.write(canonical_text(value))
            file.write("\n")
            count += 1
            each()
    return count
