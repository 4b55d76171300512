"""More evidence on the same model: extra worlds that fill the windows, counterexample worlds until one model is left.

Both assign chosen variables row by row, never the set of a held-out world, and choose rows greedily among random ones.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from benchpress.modules.replay.ambiguity import Support
from benchpress.modules.replay.evidence import Bits, Supports
from benchpress.modules.replay.worlds import Designer, World, watched
from numpy.typing import NDArray

TARGET_SETS = 16
ROW_POOL = 64
MOST_FREE = 3
MOST_WORLDS = 400


def extra_worlds(designer: Designer, train: Sequence[World], heldout: Sequence[World]) -> list[World]:
    """Three or four worlds that show as many unseen assignments of the windows as they can."""
    _, windows = watched(designer)
    state = after(windows, train)
    worth = np.ones(len(windows.targets), np.intp)
    worlds: list[World] = []
    for _ in range(designer.stream.between(3, 4)):
        best = None
        for targets in _target_sets(designer, windows, state, [*train, *worlds], heldout):
            world, gain = _best_rows(designer, targets, windows, state, worth)
            if best is None or gain > best[0]:
                best = (gain, world)
        if best is None:
            break
        worlds.append(best[1])
        state = windows.add(state, best[1].rows, best[1].targets)
    return worlds


def _target_sets(
    designer: Designer, windows: Supports, state: Bits, shown: Sequence[World], heldout: Sequence[World]
) -> list[list[int]]:
    """Sets of targets to try: windows with unseen assignments, one or two together, and random sets."""
    stream = designer.stream
    gaps = windows.open(state)
    needy = [list(designer.windows[int(windows.targets[place])]) for place in np.flatnonzero(gaps)]
    proposals = needy + [sorted({*one, *other}) for one in needy for other in needy if one < other]
    while len(proposals) < TARGET_SETS:
        proposals.append(sorted(stream.sample(range(designer.configuration.variables), stream.between(2, 4))))
    known = {world.key for world in (*shown, *heldout)}
    return [targets for targets in proposals if tuple((target, -1) for target in sorted(targets)) not in known]


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
        world, _ = _best_rows(designer, targets, supports, state, np.where(complete, 1, 4) * (need > 0))
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


def _assigned_set(designer: Designer, need: Mapping[int, int], taken: set[tuple[tuple[int, int], ...]]) -> list[int]:
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


def _best_rows(
    designer: Designer, targets: Sequence[int], supports: Supports, state: Bits, worth: NDArray[np.intp]
) -> tuple[World, int]:
    """A world on `targets` with rows chosen one by one, each the one of a random pool that shows most that is new.

    New is an unseen assignment of a support, or a value that refutes it; `worth` weighs the pairs. Returns the world,
    and how much it shows.
    """
    stream, roots = designer.stream, designer.latent.roots
    targets = sorted(targets)
    pool = np.array([[stream.bits(1) for _ in range(len(roots) + len(targets))] for _ in range(ROW_POOL)], np.uint8)
    rows = designer.simulator.run(pool[:, : len(roots)], targets, pool[:, len(roots) :])
    columns = np.flatnonzero((worth > 0) & ~np.isin(supports.targets, targets))
    entries = supports.entries(rows)[:, columns]
    marks = np.left_shift(1, rows[:, supports.targets[columns]]).astype(np.uint8)
    shown = state[columns]
    weight = worth[columns]
    chosen: list[int] = []
    total = 0
    for _ in range(designer.configuration.rows):
        now = shown[np.arange(len(columns))[None, :], entries]
        gains = (((now == 0) | ((now & ~marks & 3) > 0) & ((now & marks) == 0)) * weight).sum(axis=1)
        best = int(gains.argmax())
        total += int(gains[best])
        chosen.append(best)
        shown[np.arange(len(columns)), entries[best]] |= marks[best]
    return World(tuple((target, -1) for target in targets), rows[chosen]), total
