"""Audits of a version: fresh samples of its recipe, each sealed under a secret of its own, by name and number."""

import re
from datetime import datetime
from typing import Any

from benchpress.errors import UserError
from benchpress.recipe import Recipe, recipe_of

from benchpress_evaluator.storage import Storage
from benchpress_evaluator.workspace import commitment_name, read_commitment

MARK = "-audit-"


def audit_name(version: str, number: int) -> str:
    """The version name of a fresh sample: causal-v1-audit-3."""
    return f"{version}{MARK}{number}"


def audit_numbers(storage: Storage, version: str) -> list[int]:
    """The numbers of the fresh samples that were sealed for `version`, ascending."""
    pattern = re.compile(re.escape(f"{version}{MARK}") + r"([1-9]\d*)" + re.escape(commitment_name("")))
    return sorted(int(match[1]) for name in storage.names("") if (match := pattern.fullmatch(name)))


def is_due(storage: Storage, version: str, every_days: int, now: str) -> bool:
    """Whether a new sample is to be drawn: there is none, or the last one is `every_days` old at `now`."""
    numbers = audit_numbers(storage, version)
    if not numbers:
        return True
    drawn = read_commitment(storage, audit_name(version, numbers[-1])).get("time")
    age = datetime.fromisoformat(now) - datetime.fromisoformat(str(drawn))
    return age.days >= every_days


def fresh_recipe(recipe: Recipe, name: str, per_variant: int | None) -> Recipe:
    """The recipe under another name, and of another size where one is stated. None of its margins is published."""
    value: dict[str, Any] = recipe.model_dump(mode="json")
    value |= {"version": name, "title": f"Fresh sample of {recipe.version}", "margins": []}
    if per_variant is not None:
        value["per_variant"] = per_variant
    if MARK in recipe.version:
        raise UserError(f"{recipe.version} is itself a fresh sample; audit the version that it was drawn for")
    return recipe_of(value, f"fresh sample of {recipe.version}")
