"""The report of a run: what became of every condition, and every metric over the rows that were written.

A report has an identity of its own over the results, the metrics and their code, so it never takes the place of
another one. Nothing here asks a model.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from benchpress.errors import UserError
from benchpress.items import ItemResult, PartResult, Status
from benchpress.modules.choice.question import PART

from benchpress_evaluator.grid.folder import RunFolder, json_bytes
from benchpress_evaluator.grid.identity import identity
from benchpress_evaluator.grid.implementation import implementation_digest
from benchpress_evaluator.grid.manifest import COMPLETED, PENDING, State, read_manifest, read_metrics, read_states
from benchpress_evaluator.grid.results import read_results
from benchpress_evaluator.grid.rows import KEPT, Row
from benchpress_evaluator.records import ScoredItem
from benchpress_evaluator.redaction import redact
from benchpress_evaluator.stats import METRICS
from benchpress_evaluator.stats.choice_table import Cell
from benchpress_evaluator.stats.frame import results_frame
from benchpress_evaluator.stats.metric import Settings, Table
from benchpress_evaluator.stats.order_bias import Bias, ChoiceMetric, biases
from benchpress_evaluator.stats.tables import to_json

FORMAT = "benchpress.grid-report/1"
OF_CHOICES = {"accuracy": "choice_accuracy", "pairs": "choice_pairs"}
"""Metrics that a grid computes per benchmark, under the names they have everywhere."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A report, and the tables in it for people."""

    report: Mapping[str, Any]
    tables: Mapping[str, Table]

    @property
    def id(self) -> str:
        return str(self.report["evaluation_id"])


def opened(folder: RunFolder) -> tuple[dict[str, Any], dict[str, State]]:
    """Manifest and states of a run. Raises UserError where there is none."""
    folder.check_place()
    manifest = read_manifest(folder)
    if manifest is None:
        raise UserError(f"there is no run {folder.run_id} in {folder.runs}; `benchpress grid runs` lists them")
    return manifest, read_states(folder, [one["condition_id"] for one in manifest["conditions"]])


def evaluate(folder: RunFolder, metrics: Sequence[str] = ()) -> Evaluation:
    """The report over the stored rows. Raises UserError where conditions are pending or a result file was changed."""
    manifest, states = opened(folder)
    waiting = [one for one in manifest["conditions"] if states[one["condition_id"]].status == PENDING]
    if waiting:
        first = waiting[0]
        raise UserError(
            f"{len(waiting)} of {len(states)} conditions of run {folder.run_id} are pending (the first is "
            f"{first['benchmark']} x {first['model']} x {first['method']}): run it to the end first"
        )
    held = {name: read_results(folder, name, state) for name, state in states.items() if state.status == COMPLETED}
    return report_of(manifest, states, held, metrics or read_metrics(folder), {"mode": "stored"})


def report_of(
    manifest: Mapping[str, Any],
    states: Mapping[str, State],
    held: Mapping[str, tuple[Sequence[Row], Sequence[Row]]],
    metrics: Sequence[str],
    how: Mapping[str, Any],
) -> Evaluation:
    """The report over rows and usage per condition id; `how` says in what way the answers were read."""
    functions = {name: _metric(name) for name in metrics}
    facts = {
        **how,
        "experiment_id": manifest["experiment_id"],
        "conditions": {name: [state.status, state.sha256] for name, state in states.items()},
        "metrics": {name: code for name, (_, code) in functions.items()},
        "seed": manifest["identity"]["seed"],
    }
    frame, settings = frame_of(manifest, held)
    tables: dict[str, Table] = {}
    told: dict[str, Any] = {}
    shared = _Shared(frame, settings)
    for name, (function, _) in functions.items():
        found = shared.table(function)
        if isinstance(found, Table):
            tables[name] = found
            told[name] = to_json(found)
        else:
            told[name] = {"error": found}
    whole = all(state.status != "failed" for state in states.values())
    report = {
        "format": FORMAT,
        "evaluation_id": identity("eval", facts),
        "identity": facts,
        "experiment_id": manifest["experiment_id"],
        "run_status": "complete" if whole else "partial",
        "conditions": [
            {**one, **_outcomes(held.get(one["condition_id"])), **states[one["condition_id"]].to_json()}
            for one in manifest["conditions"]
        ],
        "metrics": told,
    }
    return Evaluation(report, tables)


def keep(folder: RunFolder, evaluation: Evaluation) -> str:
    """Write a report under its id; returns its name. Raises UserError where another one stands there."""
    name, data = f"reports/{evaluation.id}.json", json_bytes(evaluation.report)
    path = folder / name
    if path.is_file():
        if path.read_bytes() != data:
            raise UserError(
                f"{path} is a report with the same identity and other figures (another version of a library?): move "
                "it away first; a report is never overwritten"
            )
        return name
    folder.write(name, data)
    return name


def _metric(name: str) -> tuple[Callable[..., Any] | str, str]:
    """A metric with the digest of its code; the reason in its place where it cannot be had.

    Raises UserError for a name that nobody registered.
    """
    if name not in METRICS:
        raise UserError(f"unknown metric {name!r}: known are {', '.join(METRICS.names())}, or package.module:attribute")
    try:
        function = METRICS.get(OF_CHOICES.get(name, name))
        return function, implementation_digest(function)
    except UserError as problem:
        return redact(str(problem)), "unresolved"
    except Exception as problem:  # noqa: BLE001 - anybody's code
        return redact(f"{type(problem).__name__}: {problem}"), "unresolved"


class _Shared:
    """Metrics over one frame; what the metrics of the choice track have in common is measured once."""

    def __init__(self, frame: pd.DataFrame, settings: Settings) -> None:
        self._frame = frame
        self._settings = settings
        self._measured: Mapping[Cell, Bias] | None = None

    def table(self, function: Callable[..., Any] | str) -> Table | str:
        """What a metric gives, or why it gives nothing."""
        if isinstance(function, str):
            return function
        if self._frame.empty:
            return "no condition has results"
        try:
            found = self._computed(function)
            return found if isinstance(found, Table) else "it gave no Table"
        except Exception as problem:  # noqa: BLE001 - a broken metric costs its own figures and nothing else
            return redact(f"{type(problem).__name__}: {problem}")

    def _computed(self, function: Callable[..., Any]) -> Any:
        if not isinstance(function, ChoiceMetric):
            return function(self._frame, self._settings)
        if self._measured is None:
            self._measured = biases(self._frame, self._settings)
        return function.table(self._measured)


def frame_of(
    manifest: Mapping[str, Any], held: Mapping[str, tuple[Sequence[Row], Sequence[Row]]]
) -> tuple[pd.DataFrame, Settings]:
    """The results frame of all rows, and what metrics need besides: seed, descriptions, numbers of options."""
    scored: list[ScoredItem] = []
    options: dict[str, int] = {}
    for rows, usage in held.values():
        took = {line["item_id"]: line for line in usage}
        for row in rows:
            options[row["item_id"]] = row["n_choices"]
            scored.append(scored_of(row, took.get(row["item_id"], {})))
    return results_frame(scored), Settings(seed=manifest["identity"]["seed"], options=options)


def scored_of(row: Mapping[str, Any], usage: Mapping[str, Any]) -> ScoredItem:
    """A stored row as every statistic takes it."""
    gated = row["outcome"] == "gated"
    part = PartResult(
        PART, "choice", row["parsed_choice"], row["correct_option"], bool(row["correct"]), row["error"] or ""
    )
    extra = {name: row[name] for name in KEPT if row[name] is not None}
    result = None if gated else ItemResult(row["item_id"], Status(row["status"]), bool(row["correct"]), (part,))
    return ScoredItem(
        version=row["experiment_id"],
        entrant=row["model"],
        method=row["method"],
        run=1,
        item_id=row["item_id"],
        module="choice",
        bundle=row["benchmark"],
        variant=row["split"] or "",
        level=1,
        skills={PART: ()},
        result=result,
        input_tokens=usage.get("input_tokens"),
        output_tokens=usage.get("output_tokens"),
        thinking_tokens=usage.get("thinking_tokens"),
        cost_usd=usage.get("cost_usd"),
        latency_s=usage.get("latency_s"),
        at=usage.get("at"),
        extra={**(row["extra"] or {}), **extra},
        gated=gated,
        flags=tuple(usage.get("flags") or ()),
    )


def _outcomes(held: tuple[Sequence[Row], Sequence[Row]] | None) -> dict[str, Any]:
    counts = Counter(row["outcome"] for row in held[0]) if held is not None else None
    return {name: None if counts is None else counts[name] for name in ("right", "wrong", "abstained", "gated")}
