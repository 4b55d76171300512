"""JSON Lines files: streaming in with exact error messages, and out without ever leaving a partial file."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
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
            _check_types(item)
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


def _check_types(item: Item) -> None:
    """Raise TypeError where a field of an item is of another type than the format says."""
    texts = (item.id, item.module, item.bundle, item.variant, item.prompt)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("id, module, bundle, variant and prompt must be strings")
    if not all(isinstance(part.id, str) and isinstance(part.type, str) for part in item.parts):
        raise TypeError("id and type of a part must be strings")
    if not all(isinstance(params, dict) for params in (item.params, *(part.params for part in item.parts))):
        raise TypeError("params must be an object")


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
    """A text file that appears under its name only when complete; on any error nothing is left behind."""
    partial = path.with_name(f".{path.name}.partial-{os.getpid()}")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        partial.replace(path)
    except OSError as problem:
        partial.unlink(missing_ok=True)
        raise UserError(f"cannot write {path}: {problem.strerror or problem}") from None
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


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
