"""`score`: from stored answers to scored items, offline."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from benchpress.commands.work import AsJson, print_json, print_table
from benchpress.items import Status
from benchpress.jsonl import atomic_write

from benchpress_evaluator.commands.options import (
    Entrant,
    Identity,
    Items,
    MetricNames,
    Models,
    Reparse,
    RunId,
    Store,
    VersionName,
)
from benchpress_evaluator.commands.running import refuse_beside, roster
from benchpress_evaluator.entrants import Entrants
from benchpress_evaluator.records import ScoredItem
from benchpress_evaluator.scored import write_scored
from benchpress_evaluator.scoring import score as score_all
from benchpress_evaluator.workspace import ItemSet, open_set

Counts = dict[tuple[str, str, int], dict[str, int]]


def score(
    version: VersionName = None,
    items: Items = None,
    entrant: Entrant = None,
    models: Models = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Score lines, one JSON a line; for public item files.")
    ] = None,
    run_id: RunId = None,
    metric: MetricNames = None,
    reparse: Reparse = False,
    place: Store = None,
    identity: Identity = None,
    as_json: AsJson = False,
) -> None:
    """Score stored answers. Never calls a model; the scored cache of a sealed version is encrypted.

    With --run-id: the report of an experiment grid.
    """
    if run_id is not None:
        from benchpress_evaluator.commands.grids import score_run

        refuse_beside("a grid", {"VERSION": version, "--items": items, "--entrant": entrant, "--models": models})
        score_run(run_id, place, metric or [], reparse=reparse, out=out, as_json=as_json)
        return
    refuse_beside("a version or an item file", {"--metric": metric, "--reparse": reparse})
    chosen = open_set(version, items, place, identity or ())
    scored = scored_items(chosen, roster(models, entrant))
    write_scored(chosen, scored)
    if out is not None:
        write_score_lines(chosen, scored, out)
    counts = summary(scored)
    if as_json:
        print_json(
            [{"entrant": name, "method": method, "run": run, **one} for (name, method, run), one in counts.items()]
        )
        return
    columns = ["entrant", "method", "run", "planned", "correct", *map(str, Status), "pending"]
    rows = [
        [name, method, str(run), *(str(one[column]) for column in columns[3:])]
        for (name, method, run), one in counts.items()
    ]
    print_table(f"{chosen.version}: scored", columns, rows, frozenset(range(2, len(columns))))


def scored_items(chosen: ItemSet, entrants: Entrants) -> list[ScoredItem]:
    """Every item of every condition that has at least one answer; entrants that were never run are left out."""
    found = score_all(chosen.items, chosen.journal().records(), chosen.version, entrants, chosen.methods)
    conditions: dict[tuple[str, str, int], list[ScoredItem]] = {}
    for one in found:
        conditions.setdefault((one.entrant, one.method, one.run), []).append(one)
    return [one for rows in conditions.values() if any(row.result for row in rows) for one in rows]


def summary(scored: Iterable[ScoredItem]) -> Counts:
    """Per condition: planned, correct, every status, pending."""
    counts: Counts = {}
    for one in scored:
        condition = (one.entrant, one.method, one.run)
        row = counts.setdefault(condition, {"planned": 0, "correct": 0, **{str(s): 0 for s in Status}, "pending": 0})
        row["planned"] += 1
        row[str(one.result.status) if one.result else "pending"] += 1
        row["correct"] += bool(one.result and one.result.correct)
    return counts


def write_score_lines(chosen: ItemSet, scored: Iterable[ScoredItem], out: Path) -> None:
    """Score lines in clear. Raises UserError for a sealed version, whose results never leave one by one."""
    import json

    from benchpress.errors import UserError

    if chosen.sealed:
        raise UserError(
            "--out writes per-item results in clear, which a sealed version does not allow; use stats or export"
        )
    with atomic_write(out) as file:
        for one in scored:
            if one.result is not None:
                line: dict[str, Any] = {
                    "entrant": one.entrant,
                    "method": one.method,
                    "run": one.run,
                    **one.result.to_json(),
                }
                file.write(json.dumps(line, ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n")
