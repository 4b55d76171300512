"""Regimes of a latent model: interventions with their rows, drawn at random or chosen for what they show."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchpress.modules.replay.configurations import Configuration
from benchpress.modules.replay.evidence import Bits, Simulator, Supports
from benchpress.modules.replay.latent import Latent
from benchpress.streams import Stream

ROW_POOL = 64
REFUTATION = 4
"""What refuting a support is worth against showing one unseen assignment."""

ROOT_LEVELS = (20, 35, 50, 65, 80)
ASSIGNED_LEVELS = (30, 50, 70)

Key = tuple[tuple[int, int], ...]
"""Targets with their constant, or -1 where values are assigned row by row: what makes two interventions the same."""


@dataclass(frozen=True, slots=True)
class World:
    """One regime with its rows. `key` lists the targets (places of variables) in order."""

    key: Key
    rows: Bits

    @property
    def targets(self) -> list[int]:
        return [target for target, _ in self.key]

    @property
    def assigned(self) -> bool:
        """Are values assigned row by row?"""
        return bool(self.key) and self.key[0][1] < 0


class Designer:
    """Draws worlds of one latent model."""

    def __init__(self, latent: Latent, configuration: Configuration, stream: Stream) -> None:
        self.latent = latent
        self.configuration = configuration
        self.stream = stream
        self.simulator = Simulator(latent)
        self.place = {name: index for index, name in enumerate(latent.variables)}
        self.endogenous = [self.place[name] for name in latent.endogenous]
        self.windows = {
            self.place[name]: tuple(self.place[other] for other in window) for name, window in latent.windows.items()
        }
        self.parents = {
            self.place[name]: sum(1 << self.place[parent] for parent in latent.parents(name))
            for name in latent.endogenous
        }

    def root_values(self, rows: int, levels: Sequence[int]) -> Bits:
        """Root values, each root with its own percentage of ones."""
        return np.array([[self.stream.chance(level, 100) for level in levels] for _ in range(rows)], np.uint8).reshape(
            rows, len(levels)
        )

    def observe(self) -> World:
        """A world without intervention, roots even."""
        rows = self.root_values(self.configuration.rows, [50] * len(self.latent.roots))
        return World((), self.simulator.run(rows, [], rows[:, :0]))

    def propose(self, assigned: bool | None = None) -> World:
        """A random intervention on one to three variables, and its rows."""
        stream, configuration = self.stream, self.configuration
        size = stream.weighted((1, 2, 3), configuration.sizes)
        targets = sorted(stream.sample(range(configuration.variables), size))
        if assigned is None:
            assigned = stream.chance(configuration.assigned, 100)
        rows = configuration.rows
        if assigned:
            values = np.array([self._varied(rows) for _ in targets], np.uint8).T
            key = tuple((target, -1) for target in targets)
        else:
            constants = [stream.bits(1) for _ in targets]
            values = np.tile(np.array(constants, np.uint8), (rows, 1))
            key = tuple(zip(targets, constants, strict=True))
        levels = [stream.choice(ROOT_LEVELS) for _ in self.latent.roots]
        return World(key, self.simulator.run(self.root_values(rows, levels), targets, values))

    def _varied(self, rows: int) -> list[int]:
        """Assigned values of one target over the rows of a world, never all the same."""
        level = self.stream.choice(ASSIGNED_LEVELS)
        values = [int(self.stream.chance(level, 100)) for _ in range(rows)]
        if len(set(values)) == 1:
            values[self.stream.below(rows)] ^= 1
        return values

    def telling_world(
        self, targets: Sequence[int], supports: Supports, state: Bits, wanted: NDArray[np.bool_]
    ) -> tuple[World, int]:
        """A world that assigns `targets`, its rows chosen one by one, each the most telling one of a random pool.

        A row tells of each wanted pair of target and support an assignment not yet seen, or a value that refutes it.
        Returns the world, and how much it tells.
        """
        stream, roots = self.stream, len(self.latent.roots)
        targets = sorted(targets)
        width = roots + len(targets)
        pool = np.array([[stream.bits(1) for _ in range(width)] for _ in range(ROW_POOL)], np.uint8)
        rows = self.simulator.run(pool[:, :roots], targets, pool[:, roots:])
        pairs = np.flatnonzero(wanted & ~np.isin(supports.targets, targets))
        entries = supports.entries(rows)[:, pairs]
        marks = np.left_shift(1, rows[:, supports.targets[pairs]]).astype(np.uint8)
        shown = state[pairs]
        chosen: list[int] = []
        told = 0
        for _ in range(self.configuration.rows):
            now = shown[np.arange(len(pairs))[None, :], entries]
            gains = (now == 0).sum(axis=1) + REFUTATION * (now == 3 - marks).sum(axis=1)
            best = int(gains.argmax())
            told += int(gains[best])
            chosen.append(best)
            shown[np.arange(len(pairs)), entries[best]] |= marks[best]
        return World(tuple((target, -1) for target in targets), rows[chosen]), told

    def best_of(
        self,
        target_sets: Sequence[Sequence[int]],
        supports: Supports,
        state: Bits,
        taken: Collection[Key],
    ) -> World | None:
        """The world that tells most of `supports`, over several sets of targets; none whose intervention is `taken`."""
        wanted = supports.open(state) > 0
        best: tuple[int, World] | None = None
        for targets in target_sets:
            if tuple((target, -1) for target in sorted(targets)) not in taken:
                world, told = self.telling_world(targets, supports, state, wanted)
                if best is None or told > best[0]:
                    best = (told, world)
        return None if best is None else best[1]

    def target_sets(self, count: int) -> list[list[int]]:
        """Random sets of three to five variables: blind to the structure, so that they give none of it away."""
        variables = range(self.configuration.variables)
        most = min(5, self.configuration.variables - 2)
        return [sorted(self.stream.sample(variables, self.stream.between(min(3, most), most))) for _ in range(count)]
