"""Design of the worlds of a problem: training worlds that leave no shortcut, held-out worlds that are new.

Training worlds are proposed at random and the best of each round is kept: the one that refutes most shortcuts that
still fit (smaller supports on which a variable would be a function). Where windows stay open, one or two further worlds
put their unseen assignments to the test. Held-out worlds intervene on sets that are near those seen and never the same.
"""

from collections.abc import Sequence
from itertools import combinations

from benchpress.gate import Redraw
from benchpress.modules.replay.evidence import Supports
from benchpress.modules.replay.regimes import Designer, World

PROPOSALS = 12
TARGETED = 2
TARGET_SETS = 8
OPEN_PERCENT = 15
LEAST_ASSIGNED = 4
MOST_SHORTCUTS = 1


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
    state = states[1]
    for _ in range(TARGETED):
        if int(windows.open(state).sum()) * 100 <= OPEN_PERCENT * int((1 << windows.sizes).sum()):
            break
        keys = [other.key for other in train]
        targeted = designer.best_of(designer.target_sets(TARGET_SETS), windows, state, keys)
        if targeted is None:
            break
        train.append(targeted)
        state = windows.add(state, targeted.rows, targeted.targets)
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
