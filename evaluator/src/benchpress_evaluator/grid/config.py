"""A grid as a person writes it: one YAML file, every field checked, nothing guessed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from benchpress.errors import UserError
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from benchpress_evaluator.credentials import is_credential, names
from benchpress_evaluator.entrants import Entrant, Price
from benchpress_evaluator.yaml_file import line_of, parse_yaml

Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(gt=0, le=1)]

OWNED = ("seed", "prompts", "calibration", "modal_k", "modal_k_threshold", "condition_id")
"""Parameters of methods that the grid sets itself."""

INSTEAD = {
    "backend": "a backend is a provider here",
    "model_name_or_path": "it is called model here",
    "generation_kwargs": "they are called params here, in the vendor's own words",
    "checkpoint_every_n": "every call is kept as soon as it is made",
}
"""What helps with fields that other frameworks have."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Experiment(_Strict):
    """What the experiment is called; no part of its identity."""

    name: str = ""


class Benchmark(_Strict):
    """One set of questions."""

    name: Text
    """A registered benchmark, or with `path` a name of your own."""
    path: Text | None = None
    """A CSV or JSONL file of questions, or a JSONL file of items."""
    split: Text | None = None
    source_revision: Text | None = None
    transforms: list[Text] = Field(default_factory=list)
    n_samples: Count | None = None
    subject_filter: Annotated[list[Text], Field(min_length=1)] | None = None


class Preflight(_Strict):
    """Where the questions come from that a prior is estimated on."""

    source: Text = "benchmark"
    """`benchmark`, another registered benchmark's name, or a CSV or JSONL file."""
    split: Text | None = None
    n: Count = 100


class MethodEntry(_Strict):
    """One way to ask."""

    name: Text
    params: dict[str, Any] = Field(default_factory=dict)
    requires_logprobs: bool | None = None
    preflight: Preflight | None = None
    modal_k_threshold: Share | None = None

    @field_validator("params")
    @classmethod
    def _params(cls, value: dict[str, Any]) -> dict[str, Any]:
        _plain(value)
        for name in OWNED:
            if name in value:
                raise ValueError(f"{name!r} is set by the grid: see docs/grid.md for the field that decides it")
        return value


class RunEntry(_Strict):
    """How the grid is run. Only the seed and the prompts belong to its identity."""

    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 42
    resume: bool = True
    dry_run: bool = False
    prompt_version: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")] = "v1"
    prompt_dir: Text | None = None
    concurrency_limit: Annotated[int, Field(ge=1, le=512)] | None = None
    cache_scope: Literal["per_run", "shared", "none"] = "per_run"
    max_calls: Annotated[int, Field(ge=0)] | None = None
    max_cost: Annotated[float, Field(ge=0)] | None = None


class Config(_Strict):
    """The whole file."""

    experiment: Experiment = Field(default_factory=Experiment)
    models: Annotated[list[str | Entrant], Field(min_length=1)]
    benchmarks: Annotated[list[Benchmark], Field(min_length=1)]
    methods: Annotated[list[MethodEntry], Field(min_length=1)]
    metrics: Annotated[list[Text], Field(min_length=1)] = Field(default_factory=lambda: ["accuracy"])
    run: RunEntry = Field(default_factory=RunEntry)

    @field_validator("metrics")
    @classmethod
    def _metrics(cls, value: list[str]) -> list[str]:
        if twice := next((name for name in value if value.count(name) > 1), None):
            raise ValueError(f"{twice!r} occurs twice")
        return value

    @model_validator(mode="after")
    def _once(self) -> "Config":
        named = [model if isinstance(model, str) else model.id for model in self.models]
        if twice := next((name for name in named if named.count(name) > 1), None):
            raise ValueError(f"models: {twice!r} occurs twice; two configurations of one model need two ids")
        return self


def _inline(source: str, node: Any, number: int, value: Mapping[str, Any]) -> Entrant:
    """An entrant that is written out in the grid; as strict about types as all the rest."""
    price = value.get("price")
    plain = {name: inner for name, inner in value.items() if name != "price"}
    place: list[str | int] = ["models", number]
    try:
        _plain(value.get("params", {}))
        entrant = Entrant.model_validate(plain, strict=True)
        place.append("price")
        return entrant if price is None else entrant.model_copy(update={"price": Price.model_validate(price)})
    except ValidationError as problem:
        raise UserError(_explain(source, node, problem, place[: 2 if place[-1] != "price" else 3])) from None
    except ValueError as problem:
        line = line_of(node, [*place, "params"])
        raise UserError(f"{source}, line {line}: models.{number + 1}.params: {problem}") from None


def _plain(value: Any) -> None:
    """Raise ValueError where `value` is no JSON."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as problem:
        raise ValueError(f"is no JSON ({problem}); write dates and the like in quotes") from None
    if any(not isinstance(key, str) for key in _keys(value)):
        raise ValueError("names of parameters must be text; put numbers in quotes")


def _keys(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *(key for inner in value.values() for key in _keys(inner))]
    return [key for inner in value for key in _keys(inner)] if isinstance(value, list) else []


@dataclass(frozen=True, slots=True)
class Written:
    """A configuration with the text it was read from."""

    config: Config
    text: str
    folder: Path
    """What relative paths in it start from."""

    def path(self, name: str) -> Path:
        """A file that the configuration names."""
        path = Path(name).expanduser()
        return path if path.is_absolute() else self.folder / path


def load_config(path: Path) -> Written:
    """Read a grid. Raises UserError with the line: no YAML, an unknown field, a wrong type, a credential."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(f"{path} does not exist; `benchpress grid template` prints one to start from") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise UserError(f"cannot read {path}: {problem}") from None
    return Written(parse_config(text, str(path)), text, path.parent)


def parse_config(text: str, source: str) -> Config:
    """As :func:`load_config`, from text."""
    node, value = parse_yaml(text, source)
    if not isinstance(value, dict):
        raise UserError(f"{source}: needs the sections {', '.join(Config.model_fields)}")
    _refuse_credentials(source, node, value)
    if isinstance(value.get("models"), list):
        value["models"] = [
            _inline(source, node, number, model) if isinstance(model, dict) else model
            for number, model in enumerate(value["models"])
        ]
    try:
        return Config.model_validate(value)
    except ValidationError as problem:
        raise UserError(_explain(source, node, problem)) from None


def _refuse_credentials(source: str, node: Any, value: Mapping[str, Any]) -> None:
    for place, name in names(dict(value)):
        where = place[0] == "models" and len(place) == 3
        if is_credential(name) and not (where and name == "api_key_env"):
            advice = (
                "keys come from the environment; a model names the variable in api_key_env"
                if place[0] == "models"
                else "rename it if it is an ordinary parameter"
            )
            raise UserError(f"{source}, line {line_of(node, place)}: {name!r} looks like a credential; {advice}")


def _explain(source: str, node: Any, problem: ValidationError, start: Sequence[str | int] = ()) -> str:
    """The first thing that is wrong, with its line. The value itself is never repeated."""
    found = problem.errors(include_url=False, include_input=False)
    # A misspelt name gives two errors, of which the unknown field is the one that helps.
    first = min(found, key=lambda error: error["type"] != "extra_forbidden")
    place = [*start, *(step for step in first["loc"] if step not in ("str", "Entrant"))]
    field = ".".join(str(step + 1) if isinstance(step, int) else step for step in place)
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        message = f"unknown field; known are {', '.join(_fields(place))}"
        message += f"; {INSTEAD[str(place[-1])]}" if place[-1] in INSTEAD else ""
    elif first["type"] == "missing":
        message = "is missing"
    elif place[:1] == ["models"] and len(place) == 2:
        message = "a model is the id of an entrant in the roster, or an entrant written out"
    return f"{source}, line {line_of(node, place)}: {field + ': ' if field else ''}{message}"


def _fields(place: list[str | int]) -> list[str]:
    """The fields that are known where `place` points to."""
    kinds: dict[str, type[BaseModel]] = {
        "experiment": Experiment,
        "models": Entrant,
        "benchmarks": Benchmark,
        "methods": MethodEntry,
        "run": RunEntry,
    }
    if len(place) == 1:
        return list(Config.model_fields)
    if "preflight" in place[:-1]:
        return list(Preflight.model_fields)
    if "price" in place[:-1]:
        return list(Price.model_fields)
    return list(kinds[str(place[0])].model_fields) if str(place[0]) in kinds else []
