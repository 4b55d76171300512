"""Recipes: what a version consists of, and the addresses of its items."""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchpress.errors import UserError
from benchpress.generation import LEVELS, Address, Module
from benchpress.registry import MODULES

SMALLEST_CELL = 20
"""No published margin may rest on fewer items than this."""

Margin = Literal["bundle", "variant", "level"]


class AuditPolicy(BaseModel):
    """When the version is compared with fresh items of the same recipe, and from which gap on that is an alarm."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    every_days: Annotated[int, Field(ge=1)] = 90
    alarm_points: Annotated[int, Field(ge=1, le=100)] = 5
    """Percentage points better on the version than on fresh items, beyond chance."""


class RunPolicy(BaseModel):
    """Fixed before the first call: which run is the headline, what is ever asked again, when it is audited."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    headline: Literal["first", "latest"] = "first"
    asked_again: Literal["api_error"] = "api_error"
    audit: AuditPolicy = AuditPolicy()


class Recipe(BaseModel):
    """A version: which cells it has and how many items in each.

    Items are made for every bundle and variant; the level goes round `levels` from item to item over the whole
    version, so every level holds about the same number of items of every kind.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: str = Field(pattern=r"^[a-z0-9]([a-z0-9.-]{0,62}[a-z0-9])?$")
    title: str = ""
    status: Literal["current", "demo"] = "current"
    module: str
    bundles: tuple[str, ...] = ()
    """Empty means all bundles of the module."""
    variants: tuple[str, ...] = ()
    """Empty means all variants of each bundle."""
    per_variant: int = Field(gt=0, le=1000)
    levels: tuple[int, ...] = Field(min_length=1)
    bundle_levels: dict[str, tuple[int, ...]] = {}
    """Bundles with a round of levels of their own, as calibration chooses them; it goes over the bundle's items."""
    methods: tuple[str, ...] = ("direct",)
    run_policy: RunPolicy = RunPolicy()
    margins: tuple[Margin, ...] = ("bundle", "variant", "level")
    """The one-way margins that will be published beside the overall figure."""

    @cached_property
    def addresses(self) -> tuple[Address, ...]:
        """Every item's address, in the order of the version. Raises UserError for an unknown bundle, variant, level."""
        room: Module = MODULES.get(self.module)
        for what, wanted, known in (
            ("bundle", self.bundles, list(room.bundles)),
            ("variant", self.variants, sorted({v for info in room.bundles.values() for v in info.variants})),
            ("level", self.levels, list(LEVELS)),
            ("bundle", self.bundle_levels, list(self.bundles or room.bundles)),
            ("level", [level for own in self.bundle_levels.values() for level in own], list(LEVELS)),
        ):
            for name in wanted:
                if name not in known:
                    raise UserError(f"recipe {self.version}: unknown {what} {name!r}; known are {_listed(known)}")
        found: list[Address] = []
        for bundle in self.bundles or room.bundles:
            own, start = self.bundle_levels.get(bundle), len(found)
            for variant in room.bundles[bundle].variants:
                if self.variants and variant not in self.variants:
                    continue
                for index in range(self.per_variant):
                    level = own[(len(found) - start) % len(own)] if own else self.levels[len(found) % len(self.levels)]
                    found.append(Address(self.module, self.version, bundle, variant, level, index))
        return tuple(found)

    def cells(self) -> dict[str, Counter[str]]:
        """For every published margin, how many items each of its cells holds."""
        return {margin: Counter(str(getattr(address, margin)) for address in self.addresses) for margin in self.margins}

    def check_cells(self) -> None:
        """Raise UserError where a cell that will be published holds too few items to hide a single answer."""
        if len(self.addresses) < SMALLEST_CELL:
            raise UserError(f"recipe {self.version}: {len(self.addresses)} items; at least {SMALLEST_CELL} are needed")
        for margin, counts in self.cells().items():
            for name, count in counts.items():
                if count < SMALLEST_CELL:
                    raise UserError(
                        f"recipe {self.version}: {margin} {name} would be published with {count} items; make it at "
                        f"least {SMALLEST_CELL} or take {margin!r} out of margins"
                    )


def _listed(known: list[Any]) -> str:
    return ", ".join(map(str, known))


def read_recipe(path: Path) -> Recipe:
    """The recipe in a YAML file. Raises UserError with file and field."""
    import yaml

    try:
        value = yaml.safe_load(path.read_bytes())
    except OSError as problem:
        raise UserError(f"cannot read {path}: {problem.strerror or problem}") from None
    except yaml.YAMLError as problem:
        raise UserError(f"{path}: not valid YAML ({' '.join(str(problem).split())})") from None
    except (ValueError, LookupError, AttributeError, TypeError, ArithmeticError, RecursionError):
        # A tag that does not fit its value ends in whatever the library runs into.
        raise UserError(f"{path}: not valid YAML (a date, number or tag that cannot be read)") from None
    return recipe_of(value, str(path))


def recipe_of(value: Any, where: str) -> Recipe:
    """The recipe stated by a parsed document. Raises UserError naming the first wrong field."""
    if not isinstance(value, Mapping):
        raise UserError(f"{where}: a recipe is a mapping; `benchpress schema recipe` prints its fields")
    try:
        recipe = Recipe.model_validate(value)
    except ValidationError as problem:
        first = problem.errors()[0]
        field = ".".join(map(str, first["loc"])) or "recipe"
        raise UserError(f"{where}: {field}: {first['msg']}; `benchpress schema recipe` prints the fields") from None
    recipe.check_cells()
    return recipe
