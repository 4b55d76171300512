"""From a configuration to conditions: everything is looked up, and what cannot be had fails its own conditions only.

A mistake in the configuration itself (a name nobody registered, parameters a method does not take, a method that needs
option scores with a provider that has none) is refused before anything runs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from benchpress.canonical import canonical_text
from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.modules.choice.benchmarks import BENCHMARKS
from benchpress.modules.choice.prompts import V1, Prompts
from benchpress.registry import Registry

from benchpress_evaluator.entrants import Entrant, Entrants
from benchpress_evaluator.grid.config import Benchmark, MethodEntry, Written
from benchpress_evaluator.grid.identity import identity, normal
from benchpress_evaluator.grid.implementation import implementation_digest
from benchpress_evaluator.grid.selecting import Selection, calibration, select
from benchpress_evaluator.methods import METHODS, Method, MethodChoice
from benchpress_evaluator.methods.base import Material
from benchpress_evaluator.methods.preflight import calibration_digest
from benchpress_evaluator.providers import PROVIDERS
from benchpress_evaluator.providers.base import OPTION_SCORES, Provider, open_provider
from benchpress_evaluator.redaction import redact

T = TypeVar("T")


@dataclass(slots=True)
class Failed:
    """Something that cannot be had, and why, in one line that may be shown."""

    error: str


@dataclass(frozen=True, slots=True)
class Model:
    """A model of the grid. `provider` is None where it could not be opened."""

    entrant: Entrant
    provider: Provider | None
    facts: Mapping[str, Any]
    error: str | None = None

    @property
    def id(self) -> str:
        return identity("model", self.facts)


@dataclass(frozen=True, slots=True)
class Way:
    """A method of the grid with what was declared for it."""

    entry: MethodEntry
    label: str
    method: Method | None
    facts: Mapping[str, Any]
    error: str | None = None

    @property
    def id(self) -> str:
        return identity("method", self.facts)


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
    models = [_model(one, written, roster, keys) for one in config.models]
    ways = _ways(config.methods)
    for way in ways:
        _check_capabilities(way, models)
    sets = _Sets()
    benchmarks: list[tuple[Benchmark, Selection | Failed]] = []
    for entry in config.benchmarks:
        _check_known(BENCHMARKS, entry.name, "benchmark", known=entry.path is not None or "/" in entry.name)
        found = _attempt(lambda entry=entry: sets.keep(select(entry, config.run, written, prompts)))  # type: ignore[misc]
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


def _model(one: str | Entrant, written: Written, roster: Callable[[], Entrants], keys: Mapping[str, str]) -> Model:
    entrant = roster().get(one) if isinstance(one, str) else one
    limit = written.config.run.concurrency_limit
    _check_known(PROVIDERS, entrant.provider, "provider")
    kind = _attempt(lambda: PROVIDERS.get(entrant.provider))
    facts: dict[str, Any] = {
        "id": entrant.id,
        "provider": entrant.provider,
        "model": entrant.model,
        "base_url": entrant.base_url,
        "params": entrant.params,
    }
    if isinstance(kind, Failed):
        return Model(entrant, None, {**facts, "unresolved": True}, kind.error)
    if limit is not None and entrant.concurrency is None and kind.paid:
        entrant = entrant.model_copy(update={"concurrency": limit})
    secrets = [keys.get(name) for name in (entrant.api_key_env, kind.key_env) if name]
    provider = _attempt(lambda: open_provider(kind, entrant, keys), secrets)
    if isinstance(provider, Failed):
        return Model(entrant, None, {**facts, "unresolved": True}, provider.error)
    told = _attempt(provider.fingerprint, secrets)
    if isinstance(told, Failed):
        return Model(entrant, provider, {**facts, "unresolved": True}, told.error)
    code = {} if _is_ours(kind) else {"implementation": implementation_digest(kind)}
    return Model(entrant, provider, {**facts, **code, "fingerprint": dict(told)})


def _ways(entries: Sequence[MethodEntry]) -> list[Way]:
    ways: list[Way] = []
    for entry in entries:
        declared = {
            "params": entry.params,
            "requires_logprobs": entry.requires_logprobs,
            "preflight": None if entry.preflight is None else entry.preflight.model_dump(),
            "modal_k_threshold": entry.modal_k_threshold,
        }
        alone = sum(other.name == entry.name for other in entries) == 1
        told = normal({name: value for name, value in declared.items() if value not in (None, {})})
        label = entry.name if alone or not told else entry.name + canonical_text(told)
        if any(label == way.label for way in ways):
            raise UserError(f"method {label!r} is in the grid twice; leave one out, or give them other params")
        facts = {"name": entry.name, **declared}
        _check_known(METHODS, entry.name, "method")
        method = _attempt(lambda entry=entry: METHODS.get(entry.name))  # type: ignore[misc]
        if isinstance(method, Failed):
            ways.append(Way(entry, label, None, {**facts, "unresolved": True}, method.error))
            continue
        code = _attempt(lambda method=method: implementation_digest(method))  # type: ignore[misc]
        if isinstance(code, Failed):
            ways.append(Way(entry, label, None, {**facts, "unresolved": True}, code.error))
            continue
        _check_params(entry, method)
        ways.append(Way(entry, label, method, {**facts, "implementation": code}))
    return ways


def _check_params(entry: MethodEntry, method: Method) -> None:
    known = method.parameters
    if entry.modal_k_threshold is not None and "modal_k_threshold" not in known:
        raise UserError(f"method {entry.name!r} has no gate, so it takes no modal_k_threshold")
    if entry.preflight is not None and "calibration" not in known:
        raise UserError(f"method {entry.name!r} estimates nothing beforehand, so it takes no preflight")
    if entry.requires_logprobs is False and OPTION_SCORES in method.requires:
        raise UserError(f"method {entry.name!r} needs log-probabilities; requires_logprobs cannot be false")
    try:
        method.check(_params(entry, method, None, 0))
    except UserError as problem:
        raise UserError(f"method {entry.name!r}: {problem}") from None


def _params(entry: MethodEntry, method: Method, candidates: str | None, seed: int) -> dict[str, Any]:
    """The parameters as the method gets them: those written, and those that the grid decides."""
    known = method.parameters
    params = dict(entry.params)
    if "seed" in known:
        params["seed"] = seed
    if entry.modal_k_threshold is not None:
        params["modal_k_threshold"] = repr(entry.modal_k_threshold)
    if entry.preflight is not None:
        params["calibration_n"] = entry.preflight.n
        params["calibration"] = candidates or ""
    return params


def _check_capabilities(way: Way, models: Sequence[Model]) -> None:
    needed = set(way.method.requires) if way.method is not None else set()
    needed |= {OPTION_SCORES} if way.entry.requires_logprobs else set()
    for model in models:
        kind = _attempt(lambda model=model: PROVIDERS.get(model.entrant.provider))  # type: ignore[misc]
        missing = sorted(needed - kind.capabilities) if not isinstance(kind, Failed) else []
        if missing:
            raise UserError(
                f"method {way.entry.name!r} needs {', '.join(missing)}, which provider {model.entrant.provider!r} of "
                f"model {model.entrant.id!r} does not offer; put them into two grids"
            )


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
    found = _attempt(lambda: sets.keep(calibration(entry, preflight, tested, written.config.run, written)))
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
    params = dict(way.entry.params) if way.method is None else _params(way.entry, way.method, name, seed)
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


def _check_known(registry: Registry[Any], name: str, noun: str, *, known: bool = False) -> None:
    if not known and name not in registry:
        raise UserError(
            f"unknown {noun} {name!r}: known are {', '.join(registry.names())}, or package.module:attribute"
        )


def _attempt(make: Callable[[], T], secrets: Sequence[str | None] = ()) -> T | Failed:
    """What `make` gives, or why it does not. Whatever a plug-in throws on import stays with what needs it."""
    try:
        return make()
    except UserError as problem:
        return Failed(redact(str(problem), secrets))
    except Exception as problem:  # noqa: BLE001 - anybody's code
        return Failed(redact(f"{type(problem).__name__}: {problem}", secrets))


def _is_ours(kind: type[Provider]) -> bool:
    return kind.__module__.startswith("benchpress_evaluator.")
