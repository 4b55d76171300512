"""Registries: names of modules, part types, methods, metrics and providers, and where their code is.

A name is found among the built-in ones, then among installed entry points of the group, and a name of the
form ``package.module:attribute`` names its own code. Nothing is imported before it is asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar

from benchpress.errors import UserError

T = TypeVar("T")


class Registry(Generic[T]):
    """What is registered under one entry-point group, loaded when first used.

    `needs` names the attributes without which an object is none of its kind.
    """

    def __init__(self, group: str, noun: str, builtin: Mapping[str, str], needs: Sequence[str] = ()) -> None:
        self.group = group
        self.noun = noun
        self._builtin = dict(builtin)
        self._needs = tuple(needs)
        self._loaded: dict[str, T] = {}

    def names(self) -> list[str]:
        """Every registered name: built-in ones in their order, then plug-ins sorted."""
        plugins = sorted(point.name for point in entry_points(group=self.group))
        return [*self._builtin, *(name for name in plugins if name not in self._builtin)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __contains__(self, name: str) -> bool:
        return name in self._builtin or ":" in name or name in self.names()

    def get(self, name: str) -> T:
        """The object registered under `name`. Raises UserError for an unknown or broken one."""
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> T:
        target = self._builtin.get(name)
        if target is None:
            matches = [point.value for point in entry_points(group=self.group) if point.name == name]
            target = matches[0] if matches else name
        if ":" not in target:
            raise UserError(
                f"unknown {self.noun} {name!r}: known are {', '.join(self.names())}, or package.module:attribute"
            )
        module, _, attribute = target.partition(":")
        try:
            found: Any = import_module(module)
            for step in attribute.split("."):
                found = getattr(found, step)
        except Exception as problem:
            raise UserError(f"{self.noun} {name!r} cannot be loaded from {target}: {problem}") from problem
        missing = [need for need in self._needs if not hasattr(found, need)]
        if missing:
            raise UserError(f"{name!r} is no {self.noun}: {target} has no {' and no '.join(missing)}")
        return found  # type: ignore[no-any-return]


MODULES: Registry[Any] = Registry(
    "benchpress.modules",
    "module",
    {
        "causal": "benchpress.modules.causal:MODULE",
        "replay": "benchpress.modules.replay:MODULE",
        "choice": "benchpress.modules.choice.module:MODULE",
    },
    needs=("name", "bundles", "make", "verify"),
)

PART_TYPES: Registry[Any] = Registry(
    "benchpress.part_types",
    "part type",
    {
        "number": "benchpress.parts.number:NUMBER",
        "node_set": "benchpress.parts.node_set:NODE_SET",
        "sequence": "benchpress.parts.sequence:SEQUENCE",
        "edges": "benchpress.parts.edges:EDGES",
        "verdict": "benchpress.parts.verdict:VERDICT",
        "choice": "benchpress.parts.choice:CHOICE",
        "mechanisms": "benchpress.parts.mechanisms:MECHANISMS",
    },
    needs=("read", "score"),
)

SCHEMAS: Registry[Any] = Registry(
    "benchpress.schemas",
    "file format",
    {
        "item": "benchpress.items:Item",
        "response": "benchpress.items:Response",
        "score": "benchpress.items:ItemResult",
        "recipe": "benchpress.recipe:Recipe",
        "versions": "benchpress.publication:Versions",
        "leaderboard": "benchpress.publication:Leaderboard",
        "model": "benchpress.publication:ModelPage",
        "pareto": "benchpress.publication:Pareto",
        "commitment": "benchpress.publication:CommitmentPage",
        "runs": "benchpress.publication:Runs",
        "pairs": "benchpress.publication:Pairs",
        "skills": "benchpress.publication:Skills",
        "timeline": "benchpress.publication:Timeline",
        "saturation": "benchpress.publication:Saturation",
        "items": "benchpress.publication:ItemCounts",
        "contamination": "benchpress.publication:Contamination",
        "changelog": "benchpress.publication:Changelog",
        "order_bias": "benchpress.publication:OrderBias",
        "replay": "benchpress.publication:Replay",
        "version": "benchpress.publication:VersionDocument",
        "digests": "benchpress.publication:Digests",
        "reveal": "benchpress.commitment:Reveal",
    },
)
