"""The recipe that a calibration leads to, as the YAML file that `seal` reads, and the outcome as tables."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pandas as pd
import yaml
from benchpress.commitment import VERSION_NAME
from benchpress.errors import UserError
from benchpress.recipe import SMALLEST_CELL, Recipe, recipe_of

from benchpress_evaluator.calibration import Calibration
from benchpress_evaluator.stats.metric import Table


def check_wanted(version: str, module: str, variants: Mapping[str, tuple[str, ...]], items_per_bundle: int) -> None:
    """Raise UserError for a version that no outcome of a calibration could make a recipe of."""
    if not VERSION_NAME.fullmatch(version):
        raise UserError(
            f"--version {version!r}: use lower-case letters, digits, '-' and '.', beginning with one of the first two"
        )
    wanted = {"version": version, "module": module, "bundles": list(variants), "levels": [1], "margins": []}
    recipe_of({**wanted, "per_variant": _per_variant(variants, items_per_bundle)}, "the next version")


def _per_variant(variants: Mapping[str, tuple[str, ...]], items_per_bundle: int) -> int:
    smallest = min(len(held) for held in variants.values())
    return max(1, items_per_bundle // max(1, smallest))


def recipe_for(
    found: Calibration, version: str, module: str, variants: Mapping[str, tuple[str, ...]], title: str = ""
) -> Recipe:
    """The recipe of the calibrated version: every bundle with its own levels, as many items as were planned.

    `variants` are those of each bundle; items are shared out evenly among them. Margins whose cells would hold too few
    items are left out. Raises UserError for what no recipe may be.
    """
    recipe = Recipe(
        version=version,
        title=title,
        module=module,
        bundles=tuple(held.bundle for held in found.bundles),
        per_variant=_per_variant(variants, found.plan.items_per_bundle),
        levels=tuple(sorted({level for held in found.bundles for level in held.levels})),
        bundle_levels={held.bundle: held.levels for held in found.bundles},
    )
    cells = {margin: min(counts.values()) for margin, counts in recipe.cells().items()}
    kept = tuple(margin for margin in recipe.margins if cells[margin] >= SMALLEST_CELL)
    recipe = recipe.model_copy(update={"margins": kept})
    recipe.check_cells()
    return recipe


def recipe_text(found: Calibration, recipe: Recipe, entrants: tuple[str, ...]) -> str:
    """The recipe as YAML, with what it rests on in comments."""
    plan = found.plan
    cost = "unknown" if found.version_cost_usd is None else f"about {found.version_cost_usd:.2f} US dollars"
    spent = "unknown" if found.cost_usd is None else f"{found.cost_usd:.2f} US dollars"
    lines = [
        f"# Calibrated for an accuracy of {plan.target:.0%} of {', '.join(entrants)}, averaged.",
        f"# Expected: {found.expected:.1%}, 95 % interval {found.low:.1%} to {found.high:.1%},",
        f"# from {found.calls} answers (cost: {spent}). Running the version with these entrants costs {cost}.",
        *(f"# {held.bundle}: {held.problem}" for held in found.bundles if held.problem),
    ]
    value: dict[str, Any] = recipe.model_dump(mode="json", exclude_defaults=True)
    dumped = yaml.safe_dump(value, sort_keys=False, default_flow_style=None, width=110, allow_unicode=True)
    return "\n".join(lines) + "\n" + dumped


def calibration_table(found: Calibration) -> Table:
    """What was chosen for every bundle, and what is expected of it."""
    rows = []
    for held in found.bundles:
        counts = Counter(held.levels)
        rows.append(
            {
                "bundle": held.bundle,
                "levels": ", ".join(f"{level} x{counts[level]}" for level in sorted(counts)),
                "mean_level": sum(held.levels) / len(held.levels),
                "expected": held.expected,
                "problem": held.problem,
            }
        )
    notes = (
        f"expected accuracy {found.expected:.3f}, 95 % interval {found.low:.3f} to {found.high:.3f}, target "
        f"{found.plan.target:.3f}; {found.calls} answers were asked for",
        "only levels were chosen: token caps and every other setting stay as they are",
    )
    return Table("Calibration", pd.DataFrame(rows), notes)
