"""What a run is, written once before the first call; and what became of its conditions so far, written again and again.

`manifest.json` is immutable but for one thing: what could not be resolved when the run began (a data set that was not
prepared, a plug-in that was not installed) may be resolved by a later session. Its predecessor is kept then.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from benchpress.errors import UserError

from benchpress_evaluator.clock import now
from benchpress_evaluator.grid import environment
from benchpress_evaluator.grid.folder import RunFolder
from benchpress_evaluator.grid.identity import sha256_of
from benchpress_evaluator.grid.resolve import Condition, Grid
from benchpress_evaluator.grid.selecting import to_lines

FORMAT = "benchpress.grid-manifest/1"
MANIFEST, STATE, ENVIRONMENT, CONFIG = "manifest.json", "state.json", "environment.json", "config.yaml"

PENDING, COMPLETED, FAILED, GATED = "pending", "completed", "failed", "gated"


def manifest_of(grid: Grid) -> dict[str, Any]:
    """The manifest of a grid. Only `identity` is what the experiment's id is taken over."""
    return {
        "format": FORMAT,
        "experiment_id": grid.experiment_id,
        "digest": sha256_of(grid.sections),
        "identity": dict(grid.sections),
        "name": grid.written.config.experiment.name,
        "conditions": [condition_json(grid, condition) for condition in grid.conditions],
        "created_at": now(),
    }


def condition_json(grid: Grid, condition: Condition) -> dict[str, Any]:
    """One condition as the manifest has it: who it is, and under which ids."""
    selection = condition.selection
    return {
        "condition_id": condition.id,
        "benchmark": condition.benchmark,
        "split": selection.split if selection else None,
        "artifact_id": selection.artifact_id if selection else None,
        "selection_id": selection.id if selection else None,
        "calibration_id": condition.facts["calibration"],
        "model": condition.model.entrant.id,
        "model_id": condition.model.id,
        "method": condition.way.label,
        "method_id": condition.way.id,
        "method_params": dict(condition.choice.params),
        "prompt_id": grid.prompt_id,
        "seed": grid.written.config.run.seed,
        "rows": len(condition.items),
        "results": f"results/{condition.id}.jsonl",
    }


def read_manifest(folder: RunFolder) -> dict[str, Any] | None:
    """The manifest of a run, or None where nothing was begun. Raises UserError for one that was changed."""
    found = folder.read_json(MANIFEST)
    if found is None:
        if folder.started:
            raise UserError(
                f"{folder.path} is not empty and has no manifest, so nothing in it can be vouched for: choose another "
                "--run-id, or clear it with --reset-run"
            )
        return None
    try:
        whole = found["format"] == FORMAT and found["digest"] == sha256_of(found["identity"])
    except (KeyError, TypeError, ValueError):
        whole = False
    if not whole:
        raise UserError(f"{folder / MANIFEST} was changed after it was written: restore it, or use --reset-run")
    return dict(found)


def check(folder: RunFolder, grid: Grid, *, resume: bool) -> dict[str, Any] | None:
    """The manifest of the run that this grid may go on with; None where there is none. Nothing is written.

    Raises UserError naming what differs.
    """
    before = read_manifest(folder)
    if before is None:
        return None
    if not resume:
        raise UserError(
            f"run {folder.run_id} is there already and run.resume is false: choose another --run-id, or --reset-run"
        )
    if lost := _lost(before["identity"], grid):
        raise UserError(f"run {folder.run_id} cannot go on: {lost}; see to it and run the same command again")
    sections = differing(before["identity"], grid.sections)
    if sections:
        raise UserError(
            f"run {folder.run_id} is another experiment ({before['experiment_id']}, this is {grid.experiment_id}): "
            f"{', '.join(sections)} differ; choose another --run-id, or start anew with --reset-run"
        )
    return before


def admit(folder: RunFolder, grid: Grid, *, resume: bool) -> bool:
    """Whether a run is there to go on with: see :func:`check`. A manifest that is about to be replaced is kept."""
    before = check(folder, grid, resume=resume)
    if before is not None and before["digest"] != sha256_of(grid.sections):
        folder.write_json(f"manifests/{before['experiment_id']}.json", before)
    return before is not None


def differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The sections that are not the same, with the entries in question.

    What was unresolved before may be resolved now, and what follows from that differs too.
    """
    found: list[str] = []
    grown = False
    for name in sorted({*before, *now} - {"conditions", "calibrations"}):
        was, is_now = before.get(name), now.get(name)
        if name in ("models", "benchmarks", "methods") and isinstance(was, dict) and isinstance(is_now, dict):
            entries = [one for one in sorted({*was, *is_now}) if was.get(one) != is_now.get(one)]
            wrong = [one for one in entries if not _grown(was.get(one), is_now.get(one))]
            grown = grown or len(wrong) < len(entries)
            found += [f"{name} ({', '.join(wrong)})"] if wrong else []
        elif was != is_now:
            found.append(name)
    return found or _derived(before, now, grown=grown)


def _derived(before: Mapping[str, Any], now: Mapping[str, Any], *, grown: bool) -> list[str]:
    """Of what follows from the other sections: calibration sets may only be added, where something was resolved."""
    was, is_now = before["calibrations"], now["calibrations"]
    same = all(is_now.get(name) == facts for name, facts in was.items()) and (grown or len(was) == len(is_now))
    if not same:
        return ["calibrations"]
    return [] if grown or before["conditions"] == now["conditions"] else ["conditions"]


def _lost(before: Mapping[str, Any], grid: Grid) -> str | None:
    """Why something that was there when the run began is not there now; None where nothing is lacking."""
    for condition in grid.conditions:
        named = (
            ("benchmarks", condition.benchmark),
            ("models", condition.model.entrant.id),
            ("methods", condition.way.label),
        )
        for section, entry in named:
            was, is_now = before[section].get(entry), grid.sections[section].get(entry)
            if condition.error is not None and was != is_now and _grown(is_now, was):
                return condition.error
    return None


def _grown(was: Any, is_now: Any) -> bool:
    """Whether an entry is the one that could not be resolved before, with what was found now."""
    if not isinstance(was, dict) or not isinstance(is_now, dict) or not was.get("unresolved"):
        return False
    return all(is_now.get(name) == value or value is None for name, value in was.items() if name != "unresolved")


def begin(folder: RunFolder, grid: Grid, *, resumed: bool) -> list[str]:
    """Write everything that stands before the first call; returns what of the environment is not as it was.

    Raises UserError where an archived file is not what this experiment says.
    """
    for selection in grid.selections.values():
        _archive(folder, f"datasets/{selection.id}.jsonl", to_lines(selection.items))
        folder.write_json(f"datasets/{selection.id}.artifact.json", dict(selection.artifact))
    for name, text in grid.prompts.texts.items():
        _archive(folder, f"prompts/{grid.prompt_id}/{name}.txt", text.encode())
    manifest = manifest_of(grid)
    before = folder.read_json(MANIFEST)
    if before is None or before["digest"] != manifest["digest"]:
        folder.write_json(MANIFEST, manifest)
    folder.write(CONFIG, grid.written.text.encode())
    now = environment.environment()
    sessions = folder.read_json(ENVIRONMENT) or []
    changed = environment.differences(sessions[-1], now) if resumed and sessions else []
    if not sessions or sessions[-1] != now:
        folder.write_json(ENVIRONMENT, [*sessions, now])
    return changed


def _archive(folder: RunFolder, name: str, data: bytes) -> None:
    """Keep exact bytes under a name that is a digest of them; what is there must be the same."""
    path = folder / name
    try:
        held = path.read_bytes()
    except FileNotFoundError:
        folder.write(name, data)
        return
    except OSError as problem:
        raise UserError(f"cannot read {path}: {problem.strerror or problem}") from None
    if held != data:
        raise UserError(f"{path} was changed after it was written: restore it, or start anew with --reset-run")


@dataclass(frozen=True, slots=True)
class State:
    """What became of one condition so far."""

    status: str = PENDING
    error: str | None = None
    rows: int | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    """Its result files by name, with the SHA-256 of each."""
    api_errors: int = 0
    """Rows whose calls failed for good; the next session asks them again."""

    @property
    def sha256(self) -> str | None:
        """Of its result lines."""
        return next(
            (digest for name, digest in self.files.items() if name.startswith("results/") and name.endswith(".jsonl")),
            None,
        )

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def read_states(folder: RunFolder, conditions: Iterable[str]) -> dict[str, State]:
    """The state of every condition; pending where nothing is known. Raises UserError where the file is damaged."""
    found = folder.read_json(STATE) or {"conditions": {}}
    try:
        states = {name: State(**value) for name, value in found["conditions"].items()}
    except (AttributeError, KeyError, TypeError):
        raise UserError(f"{folder / STATE} is damaged: delete it and run again; the answers are kept") from None
    return {name: states.get(name, State()) for name in conditions}


def read_metrics(folder: RunFolder) -> list[str]:
    """The metrics that the latest session asked for."""
    return list((folder.read_json(STATE) or {}).get("metrics", ()))


def write_states(folder: RunFolder, grid: Grid, states: Mapping[str, State]) -> None:
    """Keep what became of every condition, and which metrics are wanted: they are no part of the identity."""
    told = {name: state.to_json() for name, state in states.items()}
    folder.write_json(STATE, {"metrics": list(grid.written.config.metrics), "conditions": told})


def unresolved(grid: Grid, states: Mapping[str, State]) -> dict[str, State]:
    """The states with every condition that cannot be run as things are marked as failed."""
    errors = {condition.id: condition.error for condition in grid.conditions}
    return {
        name: replace(State(), status=FAILED, error=errors[name]) if errors[name] else state
        for name, state in states.items()
    }
