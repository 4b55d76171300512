"""Preparing a set: its files, its rows, a question a row, what is declared to be left out, and the artifact."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchpress.errors import UserError
from benchpress.modules.choice.benchmarks import benchmark
from benchpress.modules.choice.benchmarks.local import local
from benchpress.modules.choice.transforms import transformed

from benchpress_evaluator.datasets.artifact import ARTIFACT, Prepared, Spec, command, read, write
from benchpress_evaluator.datasets.sources import Source, from_folder, from_hub
from benchpress_evaluator.datasets.tables import Row, rows_of


def prepare(spec: Spec, root: Path | None = None, source: Path | None = None, *, replace: bool = False) -> Prepared:
    """Prepare `spec` under `root`, from the hub or from the folder or file `source`.

    A set that is there already with the same content is left as it is; one with other content is refused unless
    `replace`. Raises UserError for everything that can be wrong with the input.
    """
    folder = spec.folder(root)
    if not spec.registered and source is None:
        benchmark(spec.name)
    found = benchmark(spec.name) if spec.registered else local(spec.name)
    facts: dict[str, Any] = {**spec.to_json(), "repository": found.repository, "subset": found.subset, "commit": None}
    if source is None and found.rows is not None:
        questions, facts["sources"] = found.questions(found.rows()), []
    else:
        taken = (
            from_hub(found, spec.plain_split, spec.revision)
            if source is None
            else from_folder(found, spec.plain_split, source)
        )
        questions = found.questions(_rows(taken))
        facts |= {"sources": taken.files(), "commit": taken.commit}
    left, facts["left_out"] = transformed(questions, spec.transforms)
    if not left:
        raise UserError(f"{spec.plain_name}, split {spec.plain_split}: no question is left of {len(questions)} rows")
    facts["reordered"] = any(question.source_order != question.options for question in left)

    partial = folder.with_name(f".{folder.name}.partial-{os.getpid()}")
    try:
        partial.mkdir(parents=True, exist_ok=True)
        made = write(partial, facts, left)
        if (folder / ARTIFACT).exists() and not replace:
            if read(folder, spec).id != made.id:
                raise UserError(
                    f"{folder} holds another state of this set: prepare into another folder with --out, "
                    "or with --replace to lose it"
                )
            return read(folder, spec)
        if folder.exists():
            shutil.rmtree(folder)
        partial.rename(folder)
    except OSError as problem:
        raise UserError(f"cannot write {folder}: {problem.strerror or problem}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return read(folder, spec)


def load(spec: Spec, root: Path | None = None) -> Prepared:
    """The prepared set of `spec`. Raises UserError where it is not there, or is not what was prepared.

    A set that comes with the program is prepared on the way.
    """
    folder = spec.folder(root)
    if (folder / ARTIFACT).is_file():
        return read(folder, spec)
    if spec.registered and benchmark(spec.name).rows is not None:
        return prepare(spec, root)
    raise UserError(f"{spec.plain_name}, split {spec.plain_split}, is not prepared: run `{command(spec)}` first")


def _rows(source: Source) -> Iterator[Row]:
    for path in source.paths:
        yield from rows_of(path)
