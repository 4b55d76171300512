"""What matched items share: one latent model with its worlds, and the further worlds of the evidence ladder.

The address of this is (version, level, index) alone. Bundle and variant are left out on purpose, so that the same
index is the same model in every setting and at every level of evidence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from benchpress.canonical import digest
from benchpress.gate import GateError, Redraw
from benchpress.models.boolean_replay import Model
from benchpress.modules.replay.alternatives import Separation, alternatives
from benchpress.modules.replay.ambiguity import Rows, Support
from benchpress.modules.replay.configurations import Configuration
from benchpress.modules.replay.ladder import counterexample_worlds, extra_worlds
from benchpress.modules.replay.latent import Latent, draw_latent
from benchpress.modules.replay.regimes import Designer, World
from benchpress.modules.replay.worlds import design_heldout, design_training
from benchpress.streams import Stream, derive

MAX_ATTEMPTS = 500


@dataclass(frozen=True, slots=True)
class Matched:
    """One latent model with original training worlds, held-out worlds, and the alternatives that can be told apart."""

    path: tuple[str | int, ...]
    configuration: Configuration
    latent: Latent
    train: tuple[World, ...]
    heldout: tuple[World, ...]
    alternatives: tuple[tuple[Model, Separation], ...]
    refusals: Mapping[str, int] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The same for all items that share the model: twelve hex digits of it."""
        formulas = {name: str(formula) for name, formula in self.latent.model.formulas.items()}
        return digest([list(self.latent.order), formulas])[:12]

    def stream(self, secret: bytes, *purpose: str) -> Stream:
        return derive(secret, *self.path, *purpose)

    def designer(self, stream: Stream) -> Designer:
        return Designer(self.latent, self.configuration, stream)

    def usable(self, bundle: str) -> dict[int, Support]:
        """For each endogenous variable those that may come before it: by the true order, or all where it is hidden."""
        place = {name: index for index, name in enumerate(self.latent.variables)}
        full = (1 << len(place)) - 1
        result = {}
        for position, name in enumerate(self.latent.order):
            if name in self.latent.model.formulas:
                before = sum(1 << place[other] for other in self.latent.order[:position])
                result[place[name]] = before if bundle in ("ordered", "alt_ordered") else full & ~(1 << place[name])
        return result


@lru_cache(maxsize=32)
def draw_matched(secret: bytes, version: str, configuration: Configuration, index: int) -> Matched:
    """The model and the worlds at an address. Raises GateError where no drawing meets the requirements."""
    path = ("replay", version, configuration.name, configuration.level, index)
    refusals: dict[str, int] = {}
    for attempt in range(MAX_ATTEMPTS):
        try:
            latent = draw_latent(derive(secret, *path, attempt, "latent"), configuration)
            designer = Designer(latent, configuration, derive(secret, *path, attempt, "worlds"))
            train = design_training(designer)
            heldout = design_heldout(designer, train)
            places = {name: place for place, name in enumerate(latent.variables)}
            told = tuple(
                alternatives(latent.model, latent.order, packed_rows(train), places, configuration.most_parents)
            )
            if not told:
                raise Redraw("no alternative can be told apart")
            return Matched(path, configuration, latent, tuple(train), tuple(heldout), told, refusals)
        except Redraw as decision:
            refusals[decision.reason] = refusals.get(decision.reason, 0) + 1
    raise GateError(f"{'/'.join(map(str, path))}: no problem in {MAX_ATTEMPTS} drawings: {refusals}")


def packed_rows(worlds: Sequence[World]) -> Rows:
    """The rows of training worlds as columns, for counting."""
    variables = worlds[0].rows.shape[1]
    columns, free = [0] * variables, [0] * variables
    at = 0
    for world in worlds:
        held = set(world.targets)
        for row in world.rows.tolist():
            for variable, value in enumerate(row):
                columns[variable] |= value << at
                free[variable] |= (variable not in held) << at
            at += 1
    return Rows(tuple(columns), tuple(free))


def training_worlds(matched: Matched, secret: bytes, bundle: str, variant: str) -> list[World]:
    """The training worlds of an item. Extra worlds are the same in every disclosure, counterexample worlds are not."""
    train = list(matched.train)
    if variant == "original":
        return train
    train += extra_worlds(matched.designer(matched.stream(secret, "extra")), train, matched.heldout)
    if variant == "extra_worlds":
        return train
    designer = matched.designer(matched.stream(secret, bundle, "counterexample"))
    return train + counterexample_worlds(
        designer, train, matched.heldout, matched.usable(bundle), matched.configuration.most_parents
    )


def world_json(world: World, name: str, split: str, variables: Sequence[str]) -> dict[str, Any]:
    """A world in the neutral schema."""
    return {
        "id": name,
        "split": split,
        "targets": {variables[place]: "assigned" if value < 0 else value for place, value in world.key},
        "rows": [dict(zip(variables, row, strict=True)) for row in world.rows.tolist()],
    }
