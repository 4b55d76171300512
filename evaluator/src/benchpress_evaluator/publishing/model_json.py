"""The view of one model's results: every item with the history of its runs, as one JSON document.

For the maintainer. It holds what a model said, so for a sealed version it is encrypted wherever it is stored, and the
keys are left out.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from benchpress_evaluator.records import Call, Completion, ScoredItem
from benchpress_evaluator.storage import FolderStorage
from benchpress_evaluator.vault.age import lock, lock_with_passphrase
from benchpress_evaluator.vault.sealed import Sealed

FORMAT: Final = "benchpress.model-results/1"


@dataclass(frozen=True)
class ModelRun:
    """One run of one item: the configuration as it was sent, what was said, what it took, how it was scored."""

    benchmark_version: str
    method: str
    run: int
    native_config: Mapping[str, Any] | None
    content: str | None
    """The text of the last call that gave one."""
    stop_reason: str | None
    latency_s: float | None
    input_tokens: int | None
    output_tokens: int | None
    thinking_tokens: int | None
    cost_usd: float | None
    at: str | None
    """UTC of the last call, ISO 8601."""
    status: str | None
    item_correct: bool | None
    parts: list[dict[str, Any]]
    """As in a score; without `expected` where the version is sealed."""


@dataclass
class ModelResults:
    """Everything one entrant answered in a version."""

    entrant: str
    version: str
    runs: dict[str, list[ModelRun]] = field(default_factory=dict)
    """Item -> its history, a run after the other."""
    format: Literal["benchpress.model-results/1"] = FORMAT


Place = tuple[str, str, int, str]


def model_views(scored: Iterable[ScoredItem], calls: Iterable[Call], *, sealed: bool) -> dict[str, dict[str, Any]]:
    """Entrant -> its document: `runs[item_id]` is a list, one entry per method and run, in that order.

    `calls` are those that the scored answers rest on. Items that are still pending have no entry. Of a sealed version
    `expected` is omitted.
    """
    said: dict[Place, list[Completion]] = {}
    for call in calls:
        key = call.key
        said.setdefault((key.entrant, key.method, key.run, key.item_id), []).append(call.completion)
    views: dict[str, ModelResults] = {}
    for answer in sorted(scored, key=lambda a: (a.entrant, a.item_id, a.method, a.run)):
        view = views.setdefault(answer.entrant, ModelResults(answer.entrant, answer.version))
        if answer.result is not None:
            place = (answer.entrant, answer.method, answer.run, answer.item_id)
            entry = _run(answer, said.get(place, []), sealed)
            view.runs.setdefault(answer.item_id, []).append(entry)
    return {entrant: asdict(view) for entrant, view in views.items()}


def _run(answer: ScoredItem, completions: list[Completion], sealed: bool) -> ModelRun:
    result = answer.result
    parts = [part.to_json() for part in result.parts] if result else []
    if sealed:
        for part in parts:
            del part["expected"]
    answered = [completion for completion in completions if completion.error is None]
    last = answered[-1] if answered else completions[-1] if completions else None
    return ModelRun(
        benchmark_version=answer.version,
        method=answer.method,
        run=answer.run,
        native_config=dict(last.native_config) if last else None,
        content=last.text if last else None,
        stop_reason=answer.stop_reason,
        latency_s=answer.latency_s,
        input_tokens=answer.input_tokens,
        output_tokens=answer.output_tokens,
        thinking_tokens=answer.thinking_tokens,
        cost_usd=answer.cost_usd,
        at=answer.at,
        status=str(result.status) if result else None,
        item_correct=result.correct if result else None,
        parts=parts,
    )


def write_views(
    views: Mapping[str, Mapping[str, Any]], folder: Path, sealed: Sealed | None, passphrase: str | None
) -> list[Path]:
    """Write one file an entrant and return them, sorted: in clear for public items, else as age files that whoever can
    open the version can open (`age -d`), `<entrant>.json.age`."""
    storage, written = FolderStorage(folder), []
    for entrant in sorted(views):
        data = json.dumps(views[entrant], ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False).encode()
        name = f"{entrant}.json"
        if sealed is not None:
            name += ".age"
            data = lock(data, sealed.recipients) if sealed.recipients else lock_with_passphrase(data, passphrase or "")
        before = storage.read_tagged(name)
        storage.write(name, data, expected=before[1] if before else None)
        written.append(folder / name)
    return written
