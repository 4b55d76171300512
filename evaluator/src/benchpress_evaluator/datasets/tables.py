"""The rows of a table file, cells as they stand: no text becomes a number, a date or a missing value by guesswork."""

import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchpress.errors import UserError
from benchpress.jsonl import read_lines

from benchpress_evaluator.json_text import parse_json

Row = Mapping[str, Any]


def rows_of(path: Path) -> Iterator[Row]:
    """The rows of one file, read by what its name ends with. Raises UserError naming the file."""
    for suffix, read in SUFFIXES.items():
        if path.name.endswith(suffix):
            yield from read(path)
            return
    raise UserError(f"cannot read {path}: a table is a file that ends with {', '.join(SUFFIXES)}")


def _parquet(path: Path) -> Iterator[Row]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise UserError(f"reading {path.name} needs pyarrow: pip install 'benchpress-evaluator[datasets]'") from None
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches():
                yield from batch.to_pylist()
    except (OSError, ValueError, OverflowError, ArrowException) as problem:
        raise UserError(f"cannot read {path} as Parquet: {problem}") from None


def _separated(separator: str) -> Callable[[Path], Iterator[Row]]:
    def read(path: Path) -> Iterator[Row]:
        import pandas as pd

        try:
            table = pd.read_csv(path, sep=separator, dtype=str, keep_default_na=False, na_filter=False)
        except (OSError, ValueError, EOFError, zlib.error) as problem:
            raise UserError(f"cannot read {path} as a table: {' '.join(str(problem).split())}") from None
        yield from table.to_dict("records")  # type: ignore[misc]

    return read


def _json_lines(path: Path) -> Iterator[Row]:
    for number, value in read_lines(path):
        yield _object(value, f"{path}, line {number}")


def _json(path: Path) -> Iterator[Row]:
    try:
        value = parse_json(path.read_bytes())
    except (OSError, ValueError) as problem:
        raise UserError(f"cannot read {path} as JSON: {problem}") from None
    if isinstance(value, dict):
        lists = [member for member in value.values() if isinstance(member, list)]
        value = lists[0] if len(lists) == 1 else value
    if not isinstance(value, list):
        raise UserError(f"{path} holds no list of rows: write a JSON array of objects, or JSON Lines")
    for number, row in enumerate(value, 1):
        yield _object(row, f"{path}, row {number}")


def _object(value: Any, where: str) -> Row:
    if not isinstance(value, dict):
        raise UserError(f"{where}: a row is a JSON object, and this is {type(value).__name__}")
    return value


SUFFIXES: Mapping[str, Callable[[Path], Iterator[Row]]] = {
    ".parquet": _parquet,
    ".jsonl": _json_lines,
    ".json": _json,
    ".csv": _separated(","),
    ".csv.gz": _separated(","),
    ".tsv": _separated("\t"),
}
"""How a file name ends -> how the file is read; the first is preferred where a split is there in several formats."""
