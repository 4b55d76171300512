"""`run --config`, `score --run-id` and `grid`: the experiment grid from the command line."""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from benchpress.commands.work import print_json, print_table
from benchpress.errors import UserError
from benchpress.jsonl import atomic_write
from rich.console import Console

from benchpress_evaluator.commands.options import check_folder
from benchpress_evaluator.commands.running import roster
from benchpress_evaluator.entrants import read_keys, workspace
from benchpress_evaluator.grid.config import Written, load_config, parse_config
from benchpress_evaluator.grid.folder import RunFolder
from benchpress_evaluator.grid.manifest import COMPLETED, FAILED, GATED, State, admit, begin, check
from benchpress_evaluator.grid.resolve import Grid, resolve
from benchpress_evaluator.grid.running import Opened, open_grid, run_grid, start_states
from benchpress_evaluator.json_text import parse_json
from benchpress_evaluator.plan import estimate_lines
from benchpress_evaluator.progress import TerminalProgress
from benchpress_evaluator.stats.metric import Table
from benchpress_evaluator.stats.tables import in_words, plain, to_rich
from benchpress_evaluator.workspace import PUBLIC_RUNS

TEMPLATES = ("template", "toy")

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Configurations to start an experiment grid from.",
)


@app.command()
def template(
    name: Annotated[str, typer.Argument(help="template (every field, explained) or toy (runs as it is).")] = "template",
    out: Annotated[Path | None, typer.Option("--out", help="Write it there instead of printing it.")] = None,
) -> None:
    """Print a configuration, or write it to a file that does not exist yet."""
    if name not in TEMPLATES:
        raise UserError(f"no configuration {name!r}: there are {', '.join(TEMPLATES)}")
    text = files("benchpress_evaluator.grid").joinpath("templates", f"{name}.yaml").read_text(encoding="utf-8")
    if out is None:
        print(text, end="")
        return
    if out.exists():
        raise UserError(f"{out} exists already; choose another name")
    with atomic_write(out) as file:
        file.write(text)


@app.command()
def runs(place: Annotated[str | None, typer.Option("--store", help="Folder of the runs.")] = None) -> None:
    """List the runs of the workspace by name."""
    root = runs_root(place)
    for path in sorted(root.iterdir()) if root.is_dir() else ():
        if (path / "manifest.json").is_file():
            print(path.name)


def runs_root(place: str | None) -> Path:
    """Where runs are kept: a folder, since one writer is told from another by a lock on it."""
    if place is not None and "://" in place:
        raise UserError("--store: a grid is run in a folder of this machine")
    return check_folder("--store", Path(place)) if place is not None else workspace() / PUBLIC_RUNS


def run_config(
    written: Written,
    models: Path | None,
    place: str | None,
    run_id: str | None,
    *,
    yes: bool,
    reset: bool,
    dry: bool,
    as_json: bool,
) -> None:
    """Run a grid, or with `dry` say what a run would do."""
    folder = RunFolder(runs_root(place), run_id or datetime.now(UTC).strftime("%Y%m%d-%H%M%S"))
    if dry or written.config.run.dry_run:
        folder.check_place()
        grid = resolve(written, lambda: roster(models, None), read_keys())
        if not reset:
            check(folder, grid, resume=written.config.run.resume)
        tell_plan(open_grid(grid, folder), folder, as_json)
        return
    with folder.only_writer():
        if reset:
            _confirm(f"remove everything of run {folder.run_id} and start anew?", yes, needed=folder.started)
        grid = resolve(written, lambda: roster(models, None), read_keys())
        if reset:
            folder.reset()
        resumed = admit(folder, grid, resume=written.config.run.resume)
        opened = open_grid(grid, folder)
        if not as_json:
            tell_plan(opened, folder, False)
        if any(job.todo for job in opened.jobs.values()):
            _confirm(f"make these calls as run {folder.run_id}?", yes, needed=False)
        for line in begin(folder, grid, resumed=resumed):
            print(f"warning: not as when run {folder.run_id} was last worked on: {line}", file=sys.stderr)
        report, states = run_grid(opened, folder, TerminalProgress(Console(stderr=True)))
    tell_states(grid, states, folder, as_json)
    if report.interrupted:
        raise KeyboardInterrupt
    if any(state.status not in (COMPLETED, GATED) or state.api_errors for state in states.values()):
        sys.exit(1)


def _confirm(question: str, yes: bool, *, needed: bool) -> None:
    """Ask on a terminal. Where there is none, what removes something needs --yes."""
    if yes or (not needed and not sys.stdin.isatty()):
        return
    if not sys.stdin.isatty():
        raise UserError(f"{question} Say so with --yes")
    if not typer.confirm(question):
        raise UserError("nothing was done")


def tell_plan(opened: Opened, folder: RunFolder, as_json: bool) -> None:
    """Rows, calls, estimated cost, gates and identities, before anything is sent."""
    grid, states = opened.grid, start_states(opened, folder)
    rows = []
    for condition in grid.conditions:
        job, state = opened.jobs.get(condition.id), states[condition.id]
        rows.append(
            {
                "condition_id": condition.id,
                "benchmark": condition.benchmark,
                "model": condition.model.entrant.id,
                "method": condition.way.label,
                "rows": len(condition.items),
                "calls": job.calls if job else 0,
                "gate": gate_text(opened.gates.get(condition.id)),
                "status": state.status,
                "error": state.error,
            }
        )
    if as_json:
        print_json(
            {
                "experiment_id": grid.experiment_id,
                "run_id": folder.run_id,
                "conditions": rows,
                "models": [
                    {
                        "model": one.entrant,
                        "calls": one.calls,
                        "input_tokens": one.input_tokens,
                        "output_tokens": one.output_tokens,
                        "cost_usd": one.cost_usd,
                        "basis": one.basis,
                    }
                    for one in opened.session.estimates
                ],
            }
        )
        return
    columns = ["condition_id", "benchmark", "model", "method", "rows", "calls", "gate", "status", "error"]
    cells = [["" if row[name] is None else str(row[name]) for name in columns] for row in rows]
    heads = ["condition", "benchmark", "model", "method", "rows", "calls left", "gate", "status", "why"]
    print_table(f"{grid.experiment_id}, run {folder.run_id}", heads, cells, frozenset({4, 5}))
    for line in estimate_lines(opened.session):
        print(line)


def gate_text(report: Mapping[str, Any] | None) -> str | None:
    """A gate's report in a few words."""
    if report is None:
        return None
    verdict = "passes" if report.get("passed") else "refuses"
    return f"{verdict}: {report.get('reason')}"


def tell_states(grid: Grid, states: Mapping[str, State], folder: RunFolder, as_json: bool) -> None:
    """What became of every condition, and where the results are."""
    named = {condition.id: condition for condition in grid.conditions}
    if as_json:
        print_json(
            {
                "experiment_id": grid.experiment_id,
                "run_id": folder.run_id,
                "conditions": [
                    {
                        "condition_id": name,
                        "benchmark": named[name].benchmark,
                        "model": named[name].model.entrant.id,
                        "method": named[name].way.label,
                        **state.to_json(),
                    }
                    for name, state in states.items()
                ],
            }
        )
        return
    rows = [
        [
            named[name].benchmark,
            named[name].model.entrant.id,
            named[name].way.label,
            state.status,
            "" if state.rows is None else str(state.rows),
            str(state.api_errors) if state.api_errors else "",
            state.error or "",
        ]
        for name, state in states.items()
    ]
    heads = ["benchmark", "model", "method", "status", "rows", "api errors", "why"]
    print_table(f"{grid.experiment_id}, run {folder.run_id}", heads, rows, frozenset({4, 5}))
    failed = sum(state.status == FAILED for state in states.values())
    if failed:
        print(f"{failed} of {len(states)} conditions failed; the others stand on their own")
    print(f"results: {folder / 'results.csv'}; scores: benchpress score --run-id {folder.run_id}")


def score_run(
    run_id: str, place: str | None, metrics: list[str], *, reparse: bool, out: Path | None, as_json: bool
) -> None:
    """The report of a run: kept in its folder, and printed."""
    from benchpress_evaluator.grid import reparse as anew
    from benchpress_evaluator.grid.evaluate import evaluate, keep

    folder = RunFolder(runs_root(place), run_id)
    evaluation = anew.reparse(folder, metrics) if reparse else evaluate(folder, metrics)
    name = keep(folder, evaluation)
    if out is not None:
        with atomic_write(out) as file:
            file.write((folder / name).read_text(encoding="utf-8"))
    if as_json:
        print_json(evaluation.report)
        return
    conditions = evaluation.report["conditions"]
    columns = ["benchmark", "model", "method", "status", "rows", "right", "wrong", "abstained", "gated", "api_errors"]
    rows = [["" if one[column] is None else str(one[column]) for column in columns] for one in conditions]
    heads = [column.replace("_", " ") for column in columns]
    print_table(
        f"{evaluation.id}, run {run_id}: {evaluation.report['run_status']}", heads, rows, frozenset(range(4, 10))
    )
    for one in conditions:
        if one["error"]:
            print(f"{one['status']}: {one['benchmark']} x {one['model']} x {one['method']}: {one['error']}")
    console = Console()
    for table in evaluation.tables.values():
        (console if console.is_terminal else Console(width=180)).print(to_rich(folded(table)))
    for metric, told in evaluation.report["metrics"].items():
        if "error" in told:
            print(f"warning: metric {metric!r} gave nothing: {told['error']}", file=sys.stderr)
    print(f"report: {folder / name}")


def folded(table: Table) -> Table:
    """A table with every figure and its interval in one column, so that it fits a terminal."""
    frame = table.frame.copy()
    for name in [name for name in frame if {f"{name}_low", f"{name}_high"} <= set(frame)]:
        low, high = f"{name}_low", f"{name}_high"
        figures = zip(*(frame[column].tolist() for column in (name, low, high)), strict=True)
        frame[name] = [in_words(plain(value)) + interval(plain(at), plain(to)) for value, at, to in figures]
        frame = frame.drop(columns=[low, high])
    return replace(table, frame=frame)


def interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{in_words(low)}, {in_words(high)}]"


def written_of(config: Path | None, options: Mapping[str, Any]) -> Written:
    """The configuration of a file, or one put together from options. Raises UserError for both at once."""
    given = {name: value for name, value in options.items() if value}
    if config is not None:
        if set(given) - {"seed", "max_calls", "max_cost"}:
            name = sorted(set(given) - {"seed", "max_calls", "max_cost"})[0].replace("_", "-")
            raise UserError(f"--{name} and --config: what a grid consists of stands in its file; leave one out")
        return with_run(load_config(config), given)
    value = {
        "models": given.get("entrant") or [],
        "benchmarks": [benchmark_of(text, given.get("n_samples")) for text in given["benchmark"]],
        "methods": [method_of(text) for text in given.get("method") or ["direct"]],
        "metrics": list(given.get("metric") or ["accuracy"]),
    }
    text = yaml.safe_dump(value, sort_keys=False, allow_unicode=True)
    return with_run(Written(parse_config(text, "the command line"), text, Path()), given)


def with_run(written: Written, given: Mapping[str, Any]) -> Written:
    """The configuration with what options say about how it is run."""
    changes = {name: given[name] for name in ("seed", "max_calls", "max_cost") if name in given}
    if not changes:
        return written
    config = written.config
    text = f"{written.text.rstrip()}\n# Given on the command line: {json.dumps(changes)}\n"
    run = config.run.model_copy(update=changes)
    return Written(config.model_copy(update={"run": run}), text, written.folder)


def benchmark_of(text: str, n_samples: int | None) -> dict[str, Any]:
    """`NAME`, `NAME:SPLIT`, or a file of questions."""
    found: dict[str, Any] = {"n_samples": n_samples} if n_samples else {}
    if Path(text).suffix in (".csv", ".jsonl"):
        return {"name": Path(text).stem, "path": str(Path(text).absolute()), **found}
    name, _, split = text.partition(":")
    return {"name": name, **({"split": split} if split else {}), **found}


def method_of(text: str) -> dict[str, Any]:
    """`NAME`, or `NAME{"param": value}`."""
    match = re.fullmatch(r"([^{]+)(\{.*\})?", text, re.DOTALL)
    if match is None:
        raise UserError(f'--method {text}: write NAME or NAME{{"param": value}}')
    try:
        params = parse_json(match[2]) if match[2] else {}
    except ValueError as problem:
        raise UserError(f"--method {text}: the parameters are no JSON ({problem})") from None
    return {"name": match[1], "params": params} if params else {"name": match[1]}
