"""More evidence on the same model: extra worlds that fill the windows, counterexample worlds until one model is left.

Both assign chosen variables row by row, never the set of a held-out world, and choose rows greedily among random ones.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from benchpress.modules.replay.ambiguity import Support
from benchpress.modules.replay.evidence import Bits, Supports
from benchpress.modules.replay.regimes import Designer, Key, World
from benchpress.modules.replay.worlds import watched

TARGET_SETS = 20
MOST_FREE = 3
MOST_WORLDS = 400


def extra_worlds(designer: Designer, train: Sequence[World], heldout: Sequence[World]) -> list[World]:
    """Three or four worlds that show as many unseen assignments of the windows as they can."""
    _, windows = watched(designer)
    state = after(windows, train)
    taken = {world.key for world in (*train, *heldout)}
    worlds: list[World] = []
    for _ in range(designer.stream.between(3, 4)):
        world = designer.best_of(designer.target_sets(TARGET_SETS), windows, state, taken)
        if world is not None:
            worlds.append(world)
            taken.add(world.key)
            state = windows.add(state, world.rows, world.targets)
    return worlds


def after(supports: Supports, worlds: Sequence[World]) -> Bits:
    """The state of `supports` when all `worlds` were seen."""
    state = supports.unseen()
    for world in worlds:
        state = supports.add(state, world.rows, world.targets)
    return state


def coverage(designer: Designer, train: Sequence[World]) -> tuple[int, int]:
    """The share of its window's assignments that a variable was seen under while free, on average: a fraction."""
    _, windows = watched(designer)
    gaps = windows.open(after(windows, train))
    widest = int(windows.sizes.max())
    seen = int((((1 << windows.sizes) - gaps) << (widest - windows.sizes)).sum())
    return seen, len(gaps) << widest


def counterexample_worlds(
    designer: Designer,
    train: Sequence[World],
    heldout: Sequence[World],
    usable: Mapping[int, Support],
    most: int,
) -> list[World]:
    """Worlds after which every mechanism is the only function of at most `most` usable variables that fits."""
    pairs = [
        (target, members)
        for target, within in usable.items()
        for members in _subsets([place for place in range(within.bit_length()) if within >> place & 1], most)
    ]
    supports = Supports(pairs, designer.configuration.variables)
    state = after(supports, train)
    parents = np.array([designer.parents[int(target)] for target in supports.targets])
    complete = (supports.masks & parents) == parents
    taken = {world.key for world in heldout}
    worlds: list[World] = []
    while len(worlds) < MOST_WORLDS:
        need = _needs(supports, state, complete)
        if not need.any():
            return worlds
        by_target = {target: int(need[supports.targets == target].sum()) for target in usable}
        targets = _assigned_set(designer, by_target, taken)
        world, _ = designer.telling_world(targets, supports, state, need > 0)
        worlds.append(world)
        state = supports.add(state, world.rows, world.targets)
    raise RuntimeError("counterexample worlds do not come to an end")


def _subsets(members: Sequence[int], most: int) -> list[tuple[int, ...]]:
    chosen: list[tuple[int, ...]] = [()]
    for member in members:
        chosen += [(*subset, member) for subset in chosen if len(subset) < most]
    return chosen


def _needs(supports: Supports, state: Bits, complete: NDArray[np.bool_]) -> NDArray[np.intp]:
    """For each pair what stands between it and the end: unseen assignments where the support has every parent, and
    one refutation where it has not and the target still is a function of it."""
    needs: NDArray[np.intp] = np.where(complete, supports.open(state), supports.fits(state).astype(np.intp))
    return needs


def _assigned_set(designer: Designer, need: Mapping[int, int], taken: set[Key]) -> list[int]:
    """All variables but one to three that need most, drawn by need; never the target set of a held-out world."""
    stream = designer.stream
    while True:
        left = {target: amount for target, amount in need.items() if amount}
        free: list[int] = []
        for _ in range(min(stream.between(1, MOST_FREE), len(left))):
            chosen = stream.weighted(list(left), list(left.values()))
            free.append(chosen)
            del left[chosen]
        targets = [place for place in range(designer.configuration.variables) if place not in free]
        if tuple((target, -1) for target in targets) not in taken:
            return targets
