"""A prepared set on disk: `items.jsonl`, `stats.json` and `artifact.json`, which holds the digests of all.

The folder is found from what was asked for alone, `ROOT/NAME/SPLIT/src_<12 hex>`; what came out is bound by
`artifact_id`. Loading checks every digest, so a set that was changed by hand or by accident is refused.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchpress.canonical import canonical_bytes, digest
from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.jsonl import atomic_write, read_items, write_lines
from benchpress.modules.choice.benchmarks import BENCHMARKS, benchmark
from benchpress.modules.choice.prompts import V1
from benchpress.modules.choice.question import Question
from benchpress.modules.choice.transforms import check_unique

from benchpress_evaluator.entrants import workspace
from benchpress_evaluator.json_text import parse_json

FORMAT = "benchpress.dataset/1"
NORMALISATION = "norm-1"
"""Goes up when any built-in normaliser starts to give other questions for the same rows."""

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

ITEMS, STATS, ARTIFACT = "items.jsonl", "stats.json", "artifact.json"


@dataclass(frozen=True, slots=True)
class Spec:
    """What is asked for: a set, a split, a revision of the source, and what is left out."""

    name: str
    """A registered benchmark, a Hugging Face data set with one, `package.module:attribute`, or a name of one's own."""
    split: str | None = None
    """None means the split that results are published on; for a set of one's own, `all`."""
    revision: str | None = None
    transforms: tuple[str, ...] = ()

    @property
    def plain_name(self) -> str:
        """The benchmark's own name, which folders and items go by."""
        return benchmark(self.name).name if self.registered else self.name

    @property
    def plain_split(self) -> str:
        return self.split or (benchmark(self.name).split if self.registered else "all")

    @property
    def registered(self) -> bool:
        """Whether a normaliser is registered for it; a set of one's own has columns of the usual names."""
        return "/" in self.name or self.name in BENCHMARKS

    def to_json(self) -> dict[str, Any]:
        return {
            "benchmark": self.plain_name,
            "split": self.plain_split,
            "revision": self.revision,
            "transforms": list(self.transforms),
            "normalisation": NORMALISATION,
        }

    def folder(self, root: Path | None = None) -> Path:
        """Where the prepared set is, or would be. Raises UserError for a name that cannot be a folder."""
        for name in (self.plain_name, self.plain_split):
            if not _PLAIN.fullmatch(name):
                raise UserError(f"{name!r} cannot be the name of a set or split: use letters, digits, dots and dashes")
        name = f"src_{digest(self.to_json())[:12]}"
        return (root or default_root()) / self.plain_name / self.plain_split / name


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prepared set whose digests hold."""

    folder: Path
    artifact: Mapping[str, Any]
    items: tuple[Item, ...]

    @property
    def id(self) -> str:
        """`ds_` and 16 hex digits over everything in the artifact, the digests of the files among it."""
        return str(self.artifact["artifact_id"])

    @property
    def path(self) -> Path:
        """The item file, as `run --items` takes it."""
        return self.folder / ITEMS


def default_root() -> Path:
    """Where prepared sets are kept in the workspace."""
    return workspace() / "data" / "prepared"


def write(folder: Path, facts: Mapping[str, Any], questions: Sequence[Question]) -> Prepared:
    """Write a prepared set; `facts` is what the artifact says of its source. Repeated questions are a UserError."""
    check_unique(questions, str(facts["benchmark"]))
    items = tuple(question.item() for question in questions)
    write_lines(folder / ITEMS, (item.to_json() for item in items))
    _write_json(folder / STATS, statistics(questions))
    artifact = {
        **facts,
        "format": FORMAT,
        "prompts": {"version": V1.version, "digest": V1.digest},
        "rows": len(items),
        "questions_sha256": digest([question_facts(question) for question in questions]),
        "items_sha256": _sha256(folder / ITEMS),
        "stats_sha256": _sha256(folder / STATS),
    }
    artifact["artifact_id"] = _identity(artifact)
    _write_json(folder / ARTIFACT, artifact)
    return Prepared(folder, artifact, items)


def read(folder: Path, spec: Spec | None = None) -> Prepared:
    """The prepared set in `folder`, every digest checked. Raises UserError naming what does not hold."""
    path = folder / ARTIFACT
    try:
        artifact = parse_json(path.read_bytes())
        known = artifact["format"] == FORMAT and artifact["artifact_id"] == _identity(artifact)
        digests = {ITEMS: artifact["items_sha256"], STATS: artifact["stats_sha256"]}
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(f"{path} is missing or damaged: prepare the set again with --replace") from None
    if not known:
        raise UserError(f"{path} was changed after it was written: prepare the set again with --replace")
    for name, expected in digests.items():
        if not (folder / name).is_file() or _sha256(folder / name) != expected:
            raise UserError(f"{folder / name} is missing or was changed: prepare the set again with --replace")
    if spec is not None and {key: artifact.get(key) for key in spec.to_json()} != spec.to_json():
        raise UserError(f"{path} is of another set or split than asked for: prepare the set again with --replace")
    return Prepared(folder, artifact, tuple(read_items(folder / ITEMS)))


def command(spec: Spec) -> str:
    """The command line that prepares `spec`."""
    words = ["benchpress prepare", spec.name]
    words += ["--split", spec.split] if spec.split else []
    words += ["--revision", spec.revision] if spec.revision else []
    words += [word for name in spec.transforms for word in ("--transform", name)]
    return " ".join(words)


def question_facts(question: Question) -> list[Any]:
    """What makes a question that question, as the digest of the ordered rows takes it in."""
    options = [[option.text, option.source_index] for option in question.options]
    return [question.id, question.benchmark, question.subject, question.stem, options, question.gold]


def statistics(questions: Sequence[Question]) -> dict[str, Any]:
    """Counts by number of options, place of the right one and subject; the modal number of options, lowest on ties."""
    sizes = Counter(len(question.options) for question in questions)
    modal = min(sizes, key=lambda size: (-sizes[size], size)) if sizes else 0
    return {
        "rows": len(questions),
        "modal_k": modal,
        "modal_rows": sizes[modal],
        "options": {str(size): sizes[size] for size in sorted(sizes)},
        "gold": dict(sorted(Counter(question.gold_letter for question in questions).items())),
        "subjects": dict(sorted(Counter(question.subject for question in questions).items())),
        "repeated_texts": sum(len(set(question.texts)) < len(question.options) for question in questions),
    }


def _identity(artifact: Mapping[str, Any]) -> str:
    return f"ds_{digest({key: value for key, value in artifact.items() if key != 'artifact_id'})[:16]}"


def _write_json(path: Path, value: Any) -> None:
    canonical_bytes(value)
    with atomic_write(path) as file:
        file.write(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
