"""Who is evaluated: the entrants of `models.yaml`, each a model in one native configuration, or a reference solver."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from benchpress.errors import UserError
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from benchpress_evaluator.credentials import is_credential, names
from benchpress_evaluator.records import configuration_digest
from benchpress_evaluator.yaml_file import line_of, read_yaml

UsdPerMillion = Annotated[Decimal, Field(ge=Decimal("0.001"), le=Decimal(2000))]
"""A price a person could mean: per token or per thousand tokens falls outside, and so does a forgotten zero."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Price(_Closed):
    """What the maintainer pays, in US dollars per million tokens; takes the place of the price table."""

    input: UsdPerMillion
    output: UsdPerMillion
    cached_input: UsdPerMillion | None = None
    """Per million input tokens read from a cache; where it is missing, a call with cached tokens has no known cost."""
    cache_write: UsdPerMillion | None = None
    batch_factor: Annotated[Decimal, Field(gt=0, le=1)] | None = None
    """What a batch call costs, as a share of the price; missing means that batch calls have no known cost."""
    date: date


class Entrant(_Closed):
    """One entry of `models.yaml`."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")]
    name: str = ""
    provider: Annotated[str, Field(min_length=1)]
    model: Annotated[str, Field(min_length=1)]
    company: str = ""
    openness: Literal["open", "closed"] | None = None
    size_class: str | None = None
    reasoning: bool | None = None
    launch_date: date | None = None
    api_key_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    params: dict[str, Any] = Field(default_factory=dict)
    """The native configuration, in the vendor's own words; sent as it stands."""
    base_url: str | None = None
    price: Price | None = None
    concurrency: Annotated[int, Field(ge=1, le=512)] | None = None
    """Calls in flight at most; missing means the provider's own default."""
    timeout_s: Annotated[float, Field(gt=0, le=86400)] = 900
    """Limit of one attempt from sending to the last byte."""
    batch: bool = False
    """Use the vendor's batch endpoint: cheaper, and without a latency."""
    retention: Literal["none", "limited", "unlimited", "training"] | None = None
    """What the vendor keeps of a prompt under this account: nothing, for a stated time, until it is deleted, or for
    training; missing means unknown. Recorded and published, not enforced."""

    @property
    def kind(self) -> Literal["model", "reference"]:
        """What the leaderboard calls it."""
        return "reference" if self.provider == "reference" else "model"

    @cached_property
    def configuration(self) -> str:
        """Digest of the native configuration; part of the key of every call."""
        return configuration_digest(self.provider, self.model, self.params)

    @property
    def title(self) -> str:
        """The name for people."""
        return self.name or self.id

    @field_validator("params")
    @classmethod
    def _plain_params(cls, value: dict[str, Any]) -> dict[str, Any]:
        for _, name in names(value):
            if is_credential(name) or name.lower() in ("token", "secret"):
                raise ValueError(f"{name!r} looks like a credential: name its environment variable in api_key_env")
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as problem:
            raise ValueError(f"is no JSON ({problem}); write dates and the like in quotes") from None
        return value

    @field_validator("base_url")
    @classmethod
    def _plain_url(cls, value: str | None) -> str | None:
        if value is not None and not (re.fullmatch(r"https?://[^\s/@]+(/[^\s@?]*)?", value) and _is_address(value)):
            raise ValueError("must be an http or https address without user, password or query")
        return value


def _is_address(url: str) -> bool:
    """Whether host and port can be told."""
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


class Entrants(Sequence[Entrant]):
    """The roster, in the order of the file."""

    def __init__(self, entries: Sequence[Entrant], source: str) -> None:
        self._entries = tuple(entries)
        self.source = source

    def __getitem__(self, index: Any) -> Any:
        return self._entries[index]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entrant]:
        return iter(self._entries)

    def get(self, name: str) -> Entrant:
        """The entrant with this id. Raises UserError with the known ids."""
        for entrant in self._entries:
            if entrant.id == name:
                return entrant
        known = ", ".join(entrant.id for entrant in self._entries) or "none"
        raise UserError(f"unknown entrant {name!r}: {self.source} has {known}")

    def select(self, names: Sequence[str]) -> "Entrants":
        """The entrants named, in the order given; all of them where no name is given."""
        return Entrants([self.get(name) for name in dict.fromkeys(names)] if names else self._entries, self.source)


class _Roster(_Closed):
    entrants: tuple[Entrant, ...]


def load_entrants(path: Path) -> Entrants:
    """Read `models.yaml`. A broken file, an unknown field or a repeated key or id is one UserError with its line."""
    node, value = read_yaml(path, "name the file of entrants with --models")
    if not isinstance(value, dict):
        raise UserError(f"{path}: needs a list of entries under `entrants:`")
    try:
        roster = _Roster.model_validate(value)
    except ValidationError as problem:
        raise UserError(_explain(path, node, value, problem)) from None
    if not roster.entrants:
        raise UserError(f"{path}, line {line_of(node, ('entrants',))}: entrants: the list is empty")
    seen: set[str] = set()
    for number, entrant in enumerate(roster.entrants):
        if entrant.id in seen:
            line = line_of(node, ("entrants", number, "id"))
            raise UserError(f"{path}, line {line}: entrant id {entrant.id!r} occurs twice")
        seen.add(entrant.id)
    return Entrants(roster.entrants, str(path))


def _explain(path: Path, node: Any, value: Mapping[str, Any], problem: ValidationError) -> str:
    """The first thing that is wrong, with line, entrant and field."""
    # A misspelt name gives two errors, of which the unknown field is the one that helps.
    first = min(problem.errors(include_url=False), key=lambda error: error["type"] != "extra_forbidden")
    place = first["loc"]
    who = ""
    if len(place) > 1 and place[0] == "entrants" and isinstance(place[1], int):
        entry = value["entrants"][place[1]]
        who = f" entrant {entry['id']!r}," if isinstance(entry, dict) and "id" in entry else f" entry {place[1] + 1},"
        place = place[2:]
    field = ".".join(str(step) for step in place)
    known = ", ".join(Entrant.model_fields if who else _Roster.model_fields)
    message = {
        "extra_forbidden": f"unknown field; known are {known}" if len(place) < 2 else "unknown field",
        "missing": "is missing",
    }.get(first["type"], first["msg"].removeprefix("Value error, "))
    more = f" (and {problem.error_count() - 1} more)" if problem.error_count() > 1 else ""
    return f"{path}, line {line_of(node, first['loc'])}:{who} {field or 'entrants'}: {message}{more}"


def workspace() -> Path:
    """The folder that holds a maintainer's own files: BENCHPRESS_HOME, or the current one."""
    return Path(os.environ.get("BENCHPRESS_HOME") or ".")


def read_keys(folder: Path | None = None) -> Mapping[str, str]:
    """API keys and addresses: the `.env` of the workspace, under the environment, which wins.

    A line is `NAME=value`, with or without `export` and quotes; `#` starts a comment. Raises UserError for any
    other line without repeating it.
    """
    path = (folder or workspace()) / ".env"
    found: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    except (OSError, UnicodeDecodeError) as problem:
        raise UserError(f"cannot read {path}: {type(problem).__name__}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = re.fullmatch(
            r"""\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'#][^#"']*?|))\s*(?:\s#.*)?""", line
        )
        if not match:
            raise UserError(f"{path}, line {number}: not of the form NAME=value")
        found[match[1]] = next((part for part in match.groups()[1:] if part is not None), "")
    return {**found, **os.environ}
