"""Which questions a benchmark of the grid puts: loaded, filtered, and sampled by a key of the seed."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchpress.canonical import digest
from benchpress.errors import UserError
from benchpress.items import ITEM_SCHEMA, Item
from benchpress.jsonl import read_items, read_lines
from benchpress.modules.choice.benchmarks.local import local
from benchpress.modules.choice.prompts import V1, Prompts
from benchpress.modules.choice.question import Question
from benchpress.modules.choice.transforms import check_unique, transformed

from benchpress_evaluator.grid.config import Benchmark, Preflight, RunEntry, Written
from benchpress_evaluator.grid.identity import identity

BENCHMARK = "benchmark"
"""The `source` of a preflight that means the benchmark under test itself, in another split."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The questions of one benchmark, as exactly these rows."""

    name: str
    split: str
    artifact: Mapping[str, Any]
    """What is known of where the rows come from."""
    artifact_id: str
    available: int
    """Rows before subjects and sampling."""
    items: tuple[Item, ...]

    def facts(self) -> dict[str, Any]:
        """What the identity says about these rows."""
        return {
            "benchmark": self.name,
            "split": self.split,
            "artifact_id": self.artifact_id,
            "rows": len(self.items),
            "rows_digest": rows_digest(self.items),
        }

    @property
    def id(self) -> str:
        return identity("sel", self.facts())


def rows_digest(items: Sequence[Item]) -> str:
    """Over the items in order: prompts, options, keys."""
    return digest([digest(item.to_json()) for item in items])


def select(entry: Benchmark, run: RunEntry, written: Written, prompts: Prompts) -> Selection:
    """The questions of one entry. Raises UserError where the set is not there, was changed, or nothing is left."""
    split, artifact, items = _load(entry, written)
    questions = [(Question.of(item), item) for item in items]
    check_unique([question for question, _ in questions], entry.name)
    kept = questions
    if entry.subject_filter is not None:
        known = {question.subject for question, _ in questions}
        if lost := next((subject for subject in entry.subject_filter if subject not in known), None):
            raise UserError(f"{entry.name} has no subject {lost!r}; it has {', '.join(sorted(known))}")
        kept = [pair for pair in questions if pair[0].subject in entry.subject_filter]
    if entry.n_samples is not None and entry.n_samples < len(kept):
        # By a key and not by a draw: a larger sample under the same seed holds the smaller one.
        keyed = sorted(kept, key=lambda pair: digest(["benchpress.grid-sample/1", run.seed, entry.name, pair[0].id]))
        chosen = {pair[0].id for pair in keyed[: entry.n_samples]}
        kept = [pair for pair in kept if pair[0].id in chosen]
    if not kept:
        raise UserError(f"{entry.name} has no questions")
    asked = tuple(put(item, question, prompts) for question, item in kept)
    return Selection(entry.name, split, artifact, identity("ds", artifact), len(items), asked)


def put(item: Item, question: Question, prompts: Prompts) -> Item:
    """The item with its question put in the texts of `prompts`."""
    if prompts.digest == V1.digest:
        return item
    return replace(item, prompt=prompts.direct_prompt(question.stem, question.texts, question.subject))


def calibration(
    entry: Benchmark, preflight: Preflight, tested: Selection, run: RunEntry, written: Written
) -> Selection:
    """The candidates that a prior may be estimated on: a whole other split, benchmark or file.

    Which of them are used is the method's own draw. Raises UserError where the source is the very set under test.
    """
    if _is_file(preflight.source):
        name = preflight.source
        source = Benchmark(name=Path(name).stem, path=name)
    else:
        own = preflight.source == BENCHMARK
        if own and preflight.split is None:
            raise UserError(
                f"preflight of {entry.name}: name a split other than the one under test ({tested.split}), or a file"
            )
        source = Benchmark(
            name=entry.name if own else preflight.source,
            split=preflight.split,
            source_revision=entry.source_revision if own else None,
            transforms=entry.transforms,
        )
    found = select(source, run, written, V1)
    if found.artifact_id == tested.artifact_id:
        raise UserError(
            f"preflight of {entry.name}: its source is the set under test (split {found.split}); choose another split"
        )
    return found


def _is_file(source: str) -> bool:
    return Path(source).suffix.lower() in (".csv", ".jsonl", ".json", ".tsv", ".parquet")


def _load(entry: Benchmark, written: Written) -> tuple[str, Mapping[str, Any], Sequence[Item]]:
    """Split, facts about the artifact, and the items."""
    if entry.path is not None:
        return _from_file(entry, written.path(entry.path))
    from benchpress_evaluator.datasets import Spec, load

    found = load(Spec(entry.name, entry.split, entry.source_revision, tuple(entry.transforms)))
    facts = {name: value for name, value in found.artifact.items() if name not in ("prompts", "items_sha256")}
    return str(found.artifact.get("split", entry.split or "all")), facts, found.items


def _from_file(entry: Benchmark, path: Path) -> tuple[str, Mapping[str, Any], Sequence[Item]]:
    from benchpress_evaluator.datasets.tables import rows_of

    if not path.is_file():
        raise UserError(f"benchmark {entry.name!r}: there is no file {path}")
    if _holds_items(path):
        if entry.transforms:
            raise UserError(f"benchmark {entry.name!r}: {path.name} holds items, which are taken as they are")
        items: Sequence[Item] = list(read_items(path))
        dropped: dict[str, int] = {}
    else:
        try:
            questions = local(entry.name).questions(rows_of(path))
        except UserError as problem:
            raise UserError(f"{path}: {problem}") from None
        left, dropped = transformed(questions, entry.transforms)
        items = [question.item() for question in left]
    facts = {
        "benchmark": entry.name,
        "file_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "transforms": list(entry.transforms),
        "dropped": dropped,
    }
    return entry.split or "all", {**facts, "split": entry.split or "all"}, items


def _holds_items(path: Path) -> bool:
    if path.suffix.lower() != ".jsonl":
        return False
    for _, value in read_lines(path):
        return isinstance(value, dict) and value.get("schema") == ITEM_SCHEMA
    return False


def to_lines(items: Sequence[Item]) -> bytes:
    """The items as they are archived with a run."""
    return b"".join(
        json.dumps(item.to_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        for item in items
    )
