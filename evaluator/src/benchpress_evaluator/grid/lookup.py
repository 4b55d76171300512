"""Models and methods by name, each with what identifies it, or with the reason why it cannot be had."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from benchpress.canonical import canonical_text
from benchpress.errors import UserError
from benchpress.registry import Registry

from benchpress_evaluator.entrants import Entrant, Entrants
from benchpress_evaluator.grid.config import MethodEntry, Written
from benchpress_evaluator.grid.identity import identity, normal
from benchpress_evaluator.grid.implementation import implementation_digest
from benchpress_evaluator.methods import METHODS, Method
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


def model_of(one: str | Entrant, written: Written, roster: Callable[[], Entrants], keys: Mapping[str, str]) -> Model:
    entrant = roster().get(one) if isinstance(one, str) else one
    limit = written.config.run.concurrency_limit
    check_known(PROVIDERS, entrant.provider, "provider")
    kind = attempt(lambda: _class(entrant.provider))
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
    provider = attempt(lambda: open_provider(kind, entrant, keys), secrets)
    if isinstance(provider, Failed):
        return Model(entrant, None, {**facts, "unresolved": True}, provider.error)
    told = attempt(lambda: _told(provider), secrets)
    if isinstance(told, Failed):
        return Model(entrant, provider, {**facts, "unresolved": True}, told.error)
    return Model(entrant, provider, {**facts, **told})


def ways_of(entries: Sequence[MethodEntry]) -> list[Way]:
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
        check_known(METHODS, entry.name, "method")
        method = attempt(lambda entry=entry: _method(entry.name))  # type: ignore[misc]
        if isinstance(method, Failed):
            ways.append(Way(entry, label, None, {**facts, "unresolved": True}, method.error))
            continue
        code = attempt(lambda method=method: implementation_digest(method))  # type: ignore[misc]
        if isinstance(code, Failed):
            ways.append(Way(entry, label, None, {**facts, "unresolved": True}, code.error))
            continue
        fault = _check_params(entry, method)
        ways.append(Way(entry, label, method, {**facts, "implementation": code}, fault))
    return ways


def _check_params(entry: MethodEntry, method: Method) -> str | None:
    """Raise UserError for what the method does not take; returns the fault of a method that cannot even check."""
    known = method.parameters
    if entry.modal_k_threshold is not None and "modal_k_threshold" not in known:
        raise UserError(f"method {entry.name!r} has no gate, so it takes no modal_k_threshold")
    if entry.preflight is not None and "calibration" not in known:
        raise UserError(f"method {entry.name!r} estimates nothing beforehand, so it takes no preflight")
    if entry.requires_logprobs is False and OPTION_SCORES in method.requires:
        raise UserError(f"method {entry.name!r} needs log-probabilities; requires_logprobs cannot be false")
    try:
        method.check(params_of(entry, method, None, 0))
    except UserError as problem:
        raise UserError(f"method {entry.name!r}: {problem}") from None
    except Exception as problem:  # noqa: BLE001 - anybody's code
        return redact(f"{type(problem).__name__}: {problem}")
    return None


def params_of(entry: MethodEntry, method: Method, candidates: str | None, seed: int) -> dict[str, Any]:
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


def check_capabilities(way: Way, models: Sequence[Model]) -> None:
    needed = set(way.method.requires) if way.method is not None else set()
    needed |= {OPTION_SCORES} if way.entry.requires_logprobs else set()
    for model in models:
        kind = attempt(lambda model=model: _class(model.entrant.provider))  # type: ignore[misc]
        missing = sorted(needed - kind.capabilities) if not isinstance(kind, Failed) else []
        if missing:
            raise UserError(
                f"method {way.entry.name!r} needs {', '.join(missing)}, which provider {model.entrant.provider!r} of "
                f"model {model.entrant.id!r} does not offer; put them into two grids"
            )


def check_known(registry: Registry[Any], name: str, noun: str, *, known: bool = False) -> None:
    if not known and name not in registry:
        raise UserError(
            f"unknown {noun} {name!r}: known are {', '.join(registry.names())}, or package.module:attribute"
        )


def attempt(make: Callable[[], T], secrets: Sequence[str | None] = ()) -> T | Failed:
    """What `make` gives, or why it does not. Whatever a plug-in throws on import stays with what needs it."""
    try:
        return make()
    except UserError as problem:
        return Failed(redact(str(problem), secrets))
    except Exception as problem:  # noqa: BLE001 - anybody's code
        return Failed(redact(f"{type(problem).__name__}: {problem}", secrets))


def _class(name: str) -> type[Provider]:
    """A provider by name. Raises UserError for what is none."""
    found = PROVIDERS.get(name)
    if not (isinstance(found, type) and issubclass(found, Provider)):
        raise UserError(f"{name} is no provider: that is a subclass of benchpress_evaluator.providers.base.Provider")
    return found


def _method(name: str) -> Method:
    """A method by name. Raises UserError for what is none."""
    found = METHODS.get(name)
    if not isinstance(found, Method):
        raise UserError(f"{name} is no method: a method is an instance of benchpress_evaluator.methods.Method")
    return found


def _told(provider: Provider) -> dict[str, Any]:
    """What identifies a model beside its configuration: its weights, and the code of a plug-in."""
    ours = type(provider).__module__.startswith("benchpress_evaluator.")
    code = {} if ours else {"implementation": implementation_digest(type(provider))}
    return {**code, "fingerprint": dict(provider.fingerprint())}
