"""What is left of a grid to ask, asking it, and the result files that follow from the journal.

The journal is the only state that matters: every condition is read out of it again when a session ends, so a run that
was killed anywhere and resumed has the same results as one that nobody disturbed.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchpress.errors import UserError
from benchpress.grading import grade_item
from benchpress.items import Item, Response

from benchpress_evaluator.budget import Estimate, estimate
from benchpress_evaluator.clock import today
from benchpress_evaluator.costs import list_price
from benchpress_evaluator.grid.cache import CachedProvider, ResponseCache
from benchpress_evaluator.grid.folder import RunFolder
from benchpress_evaluator.grid.lookup import Model
from benchpress_evaluator.grid.manifest import (
    COMPLETED,
    FAILED,
    GATED,
    MANIFEST,
    PENDING,
    State,
    condition_json,
    read_states,
    unresolved,
    write_states,
)
from benchpress_evaluator.grid.resolve import Condition, Grid
from benchpress_evaluator.grid.results import Results, stands, write_results
from benchpress_evaluator.grid.rows import IDENTITIES, Row, row_of, usage_of
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import method_of
from benchpress_evaluator.plan import Job, Plan, Session, Work
from benchpress_evaluator.providers.base import OPTION_SCORES
from benchpress_evaluator.records import ScoredItem
from benchpress_evaluator.redaction import redact
from benchpress_evaluator.replay import Condition as Asked
from benchpress_evaluator.replay import Outcome, Recorded, Replay
from benchpress_evaluator.runner import Progress, RunReport, execute
from benchpress_evaluator.scoring import scored
from benchpress_evaluator.storage import FolderStorage

VERSION = "benchpress.grid/1"
"""Under this name calls stand in the journal of a run; the manifest says what they are about."""

SHARED_CACHE = ".cache"


@dataclass(slots=True)
class Opened:
    """A grid over what its journal holds. Nothing was sent and nothing written."""

    grid: Grid
    session: Session
    jobs: dict[str, Job]
    """By condition id."""
    errors: dict[str, str]
    """Condition id -> why it cannot be run, found while reading the journal."""
    gates: dict[str, Mapping[str, Any]]
    """Condition id -> report of its gate, where the method has one."""
    gated: dict[str, str]
    """Condition id -> why the gate refused it."""
    settled: frozenset[str] = frozenset()
    """Conditions whose result files stand as they were written by this experiment, with no call left to repeat."""


def journal_of(folder: RunFolder) -> Journal:
    """The calls of a run, in clear."""
    return Journal.open(FolderStorage(folder.path), "journal", None)


def open_grid(grid: Grid, folder: RunFolder) -> Opened:
    """See what is left. Raises UserError for a damaged journal, or a limit on dollars without prices."""
    run = grid.written.config.run
    items = {item.id: item for selection in grid.selections.values() for item in selection.items}
    entrants = list({one.model.entrant.id: one.model.entrant for one in grid.conditions}.values())
    plan = Plan(
        VERSION, list(items.values()), entrants, (), max_calls=run.max_calls, max_cost=run.max_cost, isolate=True
    )
    done = settled(grid, folder)
    recorded = recorded_of(grid, folder, done)
    opened = Opened(grid, Session(plan, recorded, [], []), {}, {}, {}, {}, done)
    with asyncio.Runner() as runner:
        for model in {one.model.entrant.id: one.model for one in grid.conditions}.values():
            if model.provider is None:
                continue
            work = _work(model, grid, folder)
            for condition in grid.conditions:
                if condition.model.entrant.id == model.entrant.id and condition.error is None:
                    job = runner.run(_job(condition, recorded, opened))
                    if job is not None:
                        opened.jobs[condition.id] = job
                        work.jobs.append(job)
            opened.session.works.append(work)
            opened.session.estimates.append(_estimate(work, recorded))
    missing = [work.entrant.id for work in opened.session.works if work.price is None and work.provider.paid]
    if run.max_cost is not None and missing:
        raise UserError(
            f"a limit on cost needs a price for every model and {', '.join(missing)} has none: add `price` to its "
            "entry, or limit the calls"
        )
    return opened


def settled(grid: Grid, folder: RunFolder) -> frozenset[str]:
    """Conditions that need not be read out of the journal again."""
    manifest = folder.read_json(MANIFEST)
    if manifest is None or manifest["experiment_id"] != grid.experiment_id:
        return frozenset()
    states = read_states(folder, [one.id for one in grid.conditions])
    return frozenset(name for name, state in states.items() if not state.api_errors and stands(folder, state))


def recorded_of(grid: Grid, folder: RunFolder, done: frozenset[str]) -> Recorded:
    """The calls in the journal of a run, but for those that only settled conditions made."""
    ids = {item.id for selection in grid.selections.values() for item in selection.items}
    wanted = {(one.model.entrant.id, one.choice.key) for one in grid.conditions if one.id not in done}
    records = journal_of(folder).records()
    return Recorded.of(records, VERSION, ids, lambda key: (key.entrant, key.method) in wanted)


def _work(model: Model, grid: Grid, folder: RunFolder) -> Work:
    provider, scope = model.provider, grid.written.config.run.cache_scope
    if provider is None:
        raise ValueError("a model that could not be opened has no work")
    if scope != "none" and not model.entrant.batch:
        place = folder.runs / SHARED_CACHE if scope == "shared" else folder / "cache"
        provider = CachedProvider(provider, ResponseCache(place / model.id, model.facts))
    return Work(model.entrant, provider, list_price(model.entrant, today()))


async def _job(condition: Condition, recorded: Recorded, opened: Opened) -> Job | None:
    """What is left of one condition; None where nothing can be, which is then told in `opened`."""
    asked = Asked(VERSION, condition.model.entrant, condition.choice)
    try:
        replay = Replay(asked, recorded)
        method = method_of(condition.choice)
        gate = getattr(method, "gate", None)
        if gate is not None:
            opened.gates[condition.id] = gate(condition.items, condition.choice.params).to_json()
        await replay.prepare(condition.items)
        if replay.gated is not None:
            opened.gated[condition.id] = replay.gated.reason
            opened.gates.setdefault(condition.id, replay.gated.report)
            return None
        planned = method.planned_calls(condition.items, condition.choice.params)
    except Exception as problem:  # noqa: BLE001 - a method's fault is its condition's
        opened.errors[condition.id] = _why(problem)
        return None
    if condition.id in opened.settled:
        return Job(asked, condition.items, [], 0, condition.items)
    todo, made = [], 0
    for item in condition.items:
        outcome, fault = await outcome_of(replay, item)
        if fault is None and (outcome.pending or outcome.failed):
            todo.append(item)
        made += sum(call.completion.error is None for call in outcome.calls)
    left = max(len(todo), planned - made) if todo else 0
    return Job(asked, condition.items, todo, left, condition.items)


async def outcome_of(replay: Replay, item: Item) -> tuple[Outcome, str | None]:
    """What the recorded calls give for an item, or what went wrong in the method."""
    try:
        return await replay.outcome(item), None
    except Exception as problem:  # noqa: BLE001 - a method's fault is its item's
        return Outcome(), _why(problem, item.prompt)


def _why(problem: Exception, prompt: str = "") -> str:
    text = str(problem) if isinstance(problem, UserError) else f"{type(problem).__name__}: {problem}"
    return redact(text, (), [prompt] if prompt else ())


def _estimate(work: Work, recorded: Recorded) -> Estimate:
    sizes: list[int] = []
    for job in work.jobs:
        mean = sum(len(item.prompt) for item in job.todo) // len(job.todo) if job.todo else 0
        sizes += [mean] * job.calls
    return estimate(work.entrant, sizes, (call for call in recorded.calls() if call.key.entrant == work.entrant.id))


def start_states(opened: Opened, folder: RunFolder) -> dict[str, State]:
    """The states before the first call of a session, with what is known already."""
    states = unresolved(opened.grid, read_states(folder, [one.id for one in opened.grid.conditions]))
    for name, why in opened.errors.items():
        states[name] = State(FAILED, why)
    for name, why in opened.gated.items():
        states[name] = State(GATED, why)
    return states


def run_grid(opened: Opened, folder: RunFolder, progress: Progress) -> tuple[RunReport, dict[str, State]]:
    """Ask what is left and write the results. Only the run's writer may call this."""
    grid, states = opened.grid, start_states(opened, folder)
    write_states(folder, grid, states)
    report = execute(opened.session, journal_of(folder), progress)
    stopped = {tally.entrant: tally for tally in report.tallies}
    results = Results(folder)
    recorded = opened.session.recorded
    if any(tally.calls for tally in report.tallies):
        # What was known before is let go of first: a large grid is never in memory twice.
        recorded = opened.session.recorded = Recorded(VERSION)
        recorded = recorded_of(grid, folder, opened.settled)
    with asyncio.Runner() as runner:
        for condition in grid.conditions:
            if condition.id not in opened.jobs:
                if condition.id in opened.gates:
                    results.artifact(condition.id, "modal_k_gate.json", opened.gates[condition.id])
                continue
            if condition.id in opened.settled:
                continue
            job, tally = opened.jobs[condition.id], stopped[condition.model.entrant.id]
            found = runner.run(rows_of(job.condition, condition.items, identities(grid, condition), recorded))
            if isinstance(found, State):
                states[condition.id] = found
            elif found is not None:
                rows, usage, errors = found
                files = write_results(results, condition.id, rows, usage, opened.gates.get(condition.id))
                states[condition.id] = State(COMPLETED, None, len(rows), files, errors)
            elif job.fault is not None:
                states[condition.id] = State(FAILED, job.fault)
            elif tally.stopped is not None and not tally.spent:
                states[condition.id] = State(FAILED, tally.stopped)
            else:
                states[condition.id] = State(PENDING, tally.stopped)
    # By name, so that the order of the configuration is none of the results.
    complete = [one for one in grid.conditions if states[one.id].status == COMPLETED]
    complete.sort(key=lambda one: (one.benchmark, one.model.entrant.id, one.way.label))
    results.join([one.id for one in complete])
    write_states(folder, grid, states)
    return report, states


async def rows_of(
    asked: Asked, items: Sequence[Item], identities: Mapping[str, Any], recorded: Recorded
) -> tuple[list[Row], list[Row], int] | State | None:
    """Rows, usage and failed calls of a condition; its state where it ended without rows; None while it is pending."""
    rows: list[Row] = []
    usage: list[Row] = []
    failed = 0
    try:
        replay = Replay(asked, recorded)
        await replay.prepare(items)
        if replay.gated is not None:
            return State(GATED, replay.gated.reason)
        async for one, text, transport, lost in answers(replay, items):
            if one is None:
                return None
            rows.append(row_of(identities, items[len(rows)], one, text, transport))
            usage.append(usage_of(identities["condition_id"], one))
            failed += lost
    except Exception as problem:  # noqa: BLE001 - a method's fault is its condition's
        return State(FAILED, _why(problem))
    if all(row["answer_status"] == "method_error" for row in rows):
        return State(FAILED, f"the method fails on every question: {rows[0]['error']}")
    return rows, usage, failed


async def answers(
    replay: Replay, items: Sequence[Item]
) -> AsyncIterator[tuple[ScoredItem | None, str | None, str | None, bool]]:
    """Every item's scored answer, the text it was read from, how its calls went, and whether one failed for good.

    The answer is None where the item is pending.
    """
    scores_only = OPTION_SCORES in method_of(replay.condition.method).requires
    for item in items:
        outcome, fault = await outcome_of(replay, item)
        if fault is not None:
            yield _faulted(replay, item, fault), None, None, False
            continue
        if outcome.pending:
            yield None, None, None, False
            continue
        one = scored(replay.condition, item, outcome)
        failures = [call.completion.error for call in outcome.calls if call.completion.error is not None]
        if failures:
            one = replace(one, extra={**one.extra, "error": redact(failures[0])})
        transport = None if scores_only or not outcome.calls else _transport(outcome, failures)
        yield one, _text(outcome), transport, bool(failures)


def _text(outcome: Outcome) -> str | None:
    answer = outcome.answer
    if answer is None:
        return None
    return answer.text if answer.text is not None or answer.completion is None else answer.completion.text


def _transport(outcome: Outcome, failures: Sequence[str]) -> str:
    """success where every call returned, failure where none did, partial between them."""
    if not failures:
        return "success"
    return "failure" if len(failures) == len(outcome.calls) else "partial"


def _faulted(replay: Replay, item: Item, fault: str) -> ScoredItem:
    """An item that the method cannot cope with: no answer, and the reason beside it."""
    # As a gated item it has no result yet, which is then one without an answer.
    one = scored(replay.condition, item, Outcome(gated=fault))
    return replace(one, result=grade_item(item, Response(item.id, "")), gated=False, extra={"error": fault})


def identities(grid: Grid, condition: Condition) -> dict[str, Any]:
    """The columns that say whose row it is."""
    told = {**condition_json(grid, condition), "experiment_id": grid.experiment_id}
    return {name: told[name] for name in IDENTITIES}
