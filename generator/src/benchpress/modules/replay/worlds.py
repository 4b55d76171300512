"""Design of the worlds of a problem: training worlds that leave no shortcut, held-out worlds that are new.

Training worlds are proposed at random and the best of each round is kept: the one that refutes most shortcuts that
still fit (smaller supports on which a variable would be a function). One or two further worlds put unseen assignments
of a window to the test. Held-out worlds intervene on sets that are near those seen and never the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from benchpress.gate import Redraw
from benchpress.modules.replay.configurations import Configuration
from benchpress.modules.replay.evidence import Bits, Simulator, Supports
from benchpress.modules.replay.latent import Latent
from benchpress.streams import Stream

PROPOSALS = 12
TARGETED = 2
OPEN_PERCENT = 15
LEAST_ASSIGNED = 4
MOST_SHORTCUTS = 1
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

    def assign(self, targets: Sequence[int], patterns: Sequence[int]) -> World:
        """A world that sets `targets` to the given assignments (bit *i* for target *i*), cycled through its rows."""
        rows = self.configuration.rows
        chosen = [patterns[row % len(patterns)] for row in range(rows)]
        values = np.array([[entry >> place & 1 for place in range(len(targets))] for entry in chosen], np.uint8)
        levels = [50] * len(self.latent.roots)
        simulated = self.simulator.run(self.root_values(rows, levels), targets, values)
        return World(tuple((target, -1) for target in targets), simulated)


def design_training(designer: Designer) -> list[World]:
    """The training worlds. Raises Redraw where these draws do not meet the requirements."""
    configuration = designer.configuration
    shortcuts, windows = watched(designer)
    train = [designer.observe()]
    states = (
        shortcuts.add(shortcuts.unseen(), train[0].rows, []),
        windows.add(windows.unseen(), train[0].rows, []),
    )
    while len(train) < configuration.train_worlds:
        best = None
        for _ in range(PROPOSALS):
            world = designer.propose(_mode(train, configuration.train_worlds))
            if world.key in [other.key for other in train]:
                continue
            after = (
                shortcuts.add(states[0], world.rows, world.targets),
                windows.add(states[1], world.rows, world.targets),
            )
            score = int(shortcuts.fits(after[0]).sum())
            if best is None or score < best[0]:
                best = (score, world, after)
        if best is None:
            raise Redraw("no new intervention was proposed")
        train.append(best[1])
        states = best[2]
    for _ in range(TARGETED):
        targeted = _targeted(designer, windows, states[1])
        if targeted is None or targeted.key in [other.key for other in train]:
            break
        train.append(targeted)
        states = (
            shortcuts.add(states[0], targeted.rows, targeted.targets),
            windows.add(states[1], targeted.rows, targeted.targets),
        )
        if int(windows.open(states[1]).sum()) * 100 <= OPEN_PERCENT * int((1 << windows.sizes).sum()):
            break
    if int(shortcuts.fits(states[0]).sum()) > MOST_SHORTCUTS:
        raise Redraw("a shortcut still fits")
    _require_support(designer, train)
    return train


def watched(designer: Designer) -> tuple[Supports, Supports]:
    """The shortcuts (up to three variables of a window that leave out a parent), and the windows themselves."""
    shortcuts = [
        (target, members)
        for target, window in designer.windows.items()
        for size in range(min(3, len(window)) + 1)
        for members in combinations(window, size)
        if designer.parents[target] & ~sum(1 << member for member in members)
    ]
    variables = designer.configuration.variables
    return Supports(shortcuts, variables), Supports(designer.windows.items(), variables)


def _mode(train: Sequence[World], worlds: int) -> bool | None:
    """Which kind the next world must have so that the last ones still can meet the quotas; None where any will do."""
    left = worlds - len(train)
    assigned = sum(world.assigned for world in train)
    constant = len(train) - 1 - assigned
    if LEAST_ASSIGNED - assigned >= left:
        return True
    if not constant and left == 1:
        return False
    return None


def _targeted(designer: Designer, windows: Supports, state: Bits) -> World | None:
    """A world that sets the window with most unseen assignments to just those; None where every one was seen."""
    gaps = windows.open(state)
    worst = int(gaps.argmax())
    if not gaps[worst]:
        return None
    unseen = [int(entry) for entry in np.flatnonzero(state[worst] == 0)]
    return designer.assign(designer.windows[int(windows.targets[worst])], designer.stream.shuffled(unseen))


def _require_support(designer: Designer, train: Sequence[World]) -> None:
    """Raise Redraw unless every mechanism is seen at work often enough, and interventions change what is seen."""
    base = train[0].rows[:, designer.endogenous]
    if 2 * int((base.min(axis=0) != base.max(axis=0)).sum()) < len(designer.endogenous):
        raise Redraw("most variables do not vary without intervention")
    for target in designer.endogenous:
        scored = [world for world in train if target not in world.targets]
        if len(scored) < 3 or len(train) - len(scored) > 5:
            raise Redraw("a mechanism is intervened too often")
    if not any(shifted(designer, train[0], world) for world in train[1:]):
        raise Redraw("no intervention shifts a distribution")


def shifted(designer: Designer, base: World, world: World) -> bool:
    """Does a variable that is not intervened have another count of ones than in the base world?"""
    free = [place for place in designer.endogenous if place not in world.targets]
    return bool((base.rows[:, free].sum(axis=0) != world.rows[:, free].sum(axis=0)).any())


def design_heldout(designer: Designer, train: Sequence[World]) -> list[World]:
    """Held-out worlds: no intervention that was seen, but none far from all that were.

    The set of targets lies at a Jaccard distance of a quarter to 0.72 from the nearest one seen. Raises Redraw where
    such worlds do not come about or leave a mechanism untested.
    """
    configuration = designer.configuration
    keys = {world.key for world in train}
    seen = [set(world.targets) for world in train if world.key]
    heldout: list[World] = []
    for _ in range(40 * configuration.heldout_worlds):
        if len(heldout) == configuration.heldout_worlds:
            break
        world = designer.propose()
        targets = set(world.targets)
        nearest = min(100 - 100 * len(targets & other) // len(targets | other) for other in seen)
        if world.key not in keys and 25 <= nearest <= 72 and shifted(designer, train[0], world):
            heldout.append(world)
            keys.add(world.key)
    if len(heldout) < configuration.heldout_worlds:
        raise Redraw("no held-out intervention is new and near")
    for target in designer.endogenous:
        if sum(target not in world.targets for world in heldout) < 2:
            raise Redraw("a mechanism is hardly tested by the held-out worlds")
    return heldout
