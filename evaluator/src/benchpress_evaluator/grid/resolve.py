"""From a configuration to conditions: everything is looked up, and what cannot be had fails its own conditions only.

A mistake in the configuration itself (a name nobody registered, parameters a method does not take, a method that needs
option scores with a provider that has none) is refused before anything runs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.modules.choice.benchmarks import BENCHMARKS
from benchpress.modules.choice.prompts import V1, Prompts

from benchpress_evaluator.entrants import Entrants
from benchpress_evaluator.grid.config import Benchmark, Written
from benchpress_evaluator.grid.identity import identity, normal
from benchpress_evaluator.grid.lookup import (
    Failed,
    Model,
    Way,
    attempt,
    check_capabilities,
    check_known,
    model_of,
    params_of,
    ways_of,
)
from benchpress_evaluator.grid.selecting import Selection, calibration, select
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.methods.base import Material
from benchpress_evaluator.methods.preflight import calibration_digest


@dataclass(frozen=True, slots=True)
class Condition:
    """Benchmark x model x method. Where `error` is set, it cannot be run as things are."""

    benchmark: str
    model: Model
    way: Way
    selection: Selection | None
    choice: MethodChoice
    facts: Mapping[str, Any]
    error: str | None = None

    @property
    def id(self) -> str:
        return identity("cond", self.facts)

    @property
    def items(self) -> Sequence[Item]:
        return self.selection.items if self.selection is not None else ()


@dataclass(frozen=True, slots=True)
class Grid:
    """Everything that was resolved. `sections` is the identity, in parts that a refusal can name."""

    written: Written
    prompts: Prompts
    prompt_id: str
    selections: Mapping[str, Selection]
    """By selection id; calibration sets among them."""
    conditions: Sequence[Condition]
    sections: Mapping[str, Any]

    @property
    def experiment_id(self) -> str:
        return identity("exp", self.sections)


@dataclass(slots=True)
class _Sets:
    """Benchmarks and calibration sets, each resolved once."""

    found: dict[str, Selection] = field(default_factory=dict)

    def keep(self, selection: Selection) -> Selection:
        return self.found.setdefault(selection.id, selection)


def resolve(written: Written, roster: Callable[[], Entrants], keys: Mapping[str, str]) -> Grid:
    """Look up everything that the configuration names. `roster` is read only where models are named by id.

    Raises UserError for a mistake in the configuration.
    """
    config = written.config
    prompts = _prompts(written)
    prompt_facts = {"version": prompts.version, "texts": prompts.texts}
    models = [model_of(one, written, roster, keys) for one in config.models]
    ways = ways_of(config.methods)
    for way in ways:
        check_capabilities(way, models)
    sets = _Sets()
    benchmarks: list[tuple[Benchmark, Selection | Failed]] = []
    for entry in config.benchmarks:
        check_known(BENCHMARKS, entry.name, "benchmark", known=entry.path is not None or "/" in entry.name)
        found = attempt(lambda entry=entry: sets.keep(select(entry, config.run, written, prompts)))  # type: ignore[misc]
        benchmarks.append((entry, found))
    labels = _labels(benchmarks)
    conditions: list[Condition] = []
    for label, (entry, selection) in zip(labels, benchmarks, strict=True):
        for way in ways:
            material = _material(entry, way, selection, sets, written, prompts)
            conditions += [
                _condition(label, entry, selection, model, way, material, config.run.seed, prompt_facts)
                for model in models
            ]
    _refuse_twice(conditions)
    sections = {
        "protocol": "benchpress.grid/1",
        "seed": config.run.seed,
        "prompts": prompt_facts,
        "benchmarks": {
            label: _benchmark_facts(entry, selection)
            for label, (entry, selection) in zip(labels, benchmarks, strict=True)
        },
        "calibrations": {name: sets.found[name].facts() for name in sorted(sets.found) if name not in _ids(benchmarks)},
        "models": {model.entrant.id: dict(model.facts) for model in models},
        "methods": {way.label: dict(way.facts) for way in ways},
        "conditions": sorted(condition.id for condition in conditions),
    }
    return Grid(written, prompts, identity("prompt", prompt_facts), sets.found, conditions, normal(sections))


def _prompts(written: Written) -> Prompts:
    run = written.config.run
    if run.prompt_dir is None:
        if run.prompt_version != V1.version:
            raise UserError(
                f"run.prompt_version: the built-in bundle is {V1.version}; another one needs run.prompt_dir, the "
                "folder that holds it"
            )
        return V1
    return Prompts.load(written.path(run.prompt_dir) / run.prompt_version)


def _material(
    entry: Benchmark,
    way: Way,
    tested: Selection | Failed,
    sets: _Sets,
    written: Written,
    prompts: Prompts,
) -> tuple[Material, Selection | None] | Failed:
    """What the method is given on this benchmark, and the calibration set in it."""
    preflight = way.entry.preflight
    if preflight is None or isinstance(tested, Failed):
        return Material(prompts), None
    found = attempt(lambda: sets.keep(calibration(entry, preflight, tested, written.config.run, written)))
    return found if isinstance(found, Failed) else (Material(prompts, found.items), found)


def _condition(
    label: str,
    entry: Benchmark,
    selection: Selection | Failed,
    model: Model,
    way: Way,
    material: tuple[Material, Selection | None] | Failed,
    seed: int,
    prompt_facts: Mapping[str, Any],
) -> Condition:
    failed = [thing.error for thing in (selection, material) if isinstance(thing, Failed)]
    errors = [*failed, *(thing.error for thing in (model, way) if thing.error is not None)]
    given, candidates = (Material(), None) if isinstance(material, Failed) else material
    name = calibration_digest(candidates.items) if candidates is not None else None
    params = dict(way.entry.params) if way.method is None else params_of(way.entry, way.method, name, seed)
    rows = selection if isinstance(selection, Selection) else None
    facts = {
        "benchmark": _benchmark_facts(entry, selection),
        "selection": rows.id if rows else None,
        "calibration": candidates.id if candidates is not None else None,
        "model": model.id,
        "method": way.id,
        "prompts": identity("prompt", prompt_facts),
        "seed": seed,
        "params": params,
        "unresolved": bool(errors),
    }
    return Condition(
        label, model, way, rows, MethodChoice(way.entry.name, params, given), facts, errors[0] if errors else None
    )


def _benchmark_facts(entry: Benchmark, selection: Selection | Failed) -> dict[str, Any]:
    declared = entry.model_dump(exclude={"path"})
    if entry.subject_filter is not None:
        declared["subject_filter"] = sorted(set(entry.subject_filter))
    if isinstance(selection, Failed):
        return {**declared, "unresolved": True}
    return {**declared, "split": selection.split, "selection": selection.facts()}


def _labels(benchmarks: Sequence[tuple[Benchmark, Selection | Failed]]) -> list[str]:
    """A name for each benchmark: its own, with the split or else a number where one name occurs several times."""
    found: list[str] = []
    for entry, _ in benchmarks:
        twins = [other for other, _ in benchmarks if other.name == entry.name]
        label = entry.name if len(twins) == 1 or entry.split is None else f"{entry.name}:{entry.split}"
        number, name = 1, label
        while name in found:
            number += 1
            name = f"{label}#{number}"
        found.append(name)
    return found


def _ids(benchmarks: Sequence[tuple[Benchmark, Selection | Failed]]) -> set[str]:
    return {selection.id for _, selection in benchmarks if isinstance(selection, Selection)}


def _refuse_twice(conditions: Sequence[Condition]) -> None:
    seen: set[str] = set()
    for condition in conditions:
        if condition.id in seen:
            raise UserError(
                f"{condition.benchmark} x {condition.model.entrant.id} x {condition.way.label} is in the grid twice"
            )
        seen.add(condition.id)
