"""Choose levels for a target accuracy: ask few items, fit accuracy against level, write the next recipe.

Only levels are chosen. Token caps and every other setting of an entrant stay what they are: a stingy cap would only
fake difficulty.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from benchpress.errors import UserError

from benchpress_evaluator.stats.curves import Curves, fit_curves

Floats = npt.NDArray[np.float64]

WINDOW = 6.0
"""Levels over which a bundle's items are spread, so that stronger and weaker entrants are told apart as well."""
SHARE = 0.4
"""Of the full grid of GRID items a bundle and level: what calibration may ask of each entrant."""
GRID = 10
FIRST_LEVELS = (3, 7)
FIRST_ITEMS = 2
ROUNDS = 4
CLOSE = 0.001
Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask every entrant `count` fresh items of a bundle at a level: those with index `first`, `first` + 1, ..."""

    bundle: str
    level: int
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of an Ask for one entrant: `right` of `asked` items. Failed calls count in neither."""

    entrant: str
    bundle: str
    level: int
    right: int
    asked: int
    cost_usd: float | None = None


Respond = Callable[[Sequence[Ask]], Sequence[Seen]]
"""Runs the items of one round and reports what came of them: a real run, or a simulated respondent."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is wanted: the target accuracy, averaged over bundles and entrants, and which items a version will have."""

    bundles: Mapping[str, Sequence[int]]
    """Bundle -> the levels it has."""
    target: float = 0.55
    items_per_bundle: int = 20
    share: float = SHARE

    def calls(self) -> int:
        """Items that each entrant is asked at most."""
        return int(self.share * GRID * sum(len(levels) for levels in self.bundles.values()))


@dataclass(frozen=True, slots=True)
class BundleLevels:
    """The levels of one bundle's items, `expected` accuracy there, and why the target cannot be reached, if so."""

    bundle: str
    levels: tuple[int, ...]
    expected: float
    problem: str


@dataclass(frozen=True, slots=True)
class Calibration:
    """The outcome: levels per bundle, the accuracy they should give with a 95 % interval, and what it took.

    `cost_usd` is that of the calibration, `version_cost_usd` of running the calibrated version once with the same
    entrants; null where a cost is unknown.
    """

    plan: Plan
    bundles: tuple[BundleLevels, ...]
    expected: float
    low: float
    high: float
    calls: int
    cost_usd: float | None
    version_cost_usd: float | None
    curves: Curves


def calibrate(plan: Plan, respond: Respond) -> Calibration:
    """Calibrate `plan` on whoever answers `respond`.

    A first round looks at two levels of every bundle; each later one spends its share where the fitted curves put the
    version's items, so what is estimated in the end is that version's accuracy itself. Raises UserError for a plan that
    cannot be carried out.
    """
    _check(plan)
    names = sorted(plan.bundles)
    counts = _Counts(names)
    left = plan.calls() // len(names)
    first = [[level for level in FIRST_LEVELS if level in plan.bundles[name]] for name in names]
    counts.add(respond(counts.asks([dict.fromkeys(levels, FIRST_ITEMS) for levels in first])))
    left -= FIRST_ITEMS * max(len(levels) for levels in first)
    for remaining in range(ROUNDS, 0, -1):
        share = left // remaining
        left -= share
        curves = counts.fit()
        weights = _weights_for(plan, names, curves)
        turn = remaining * len(names)
        counts.add(respond(counts.asks([_spread(row, share, turn + place) for place, row in enumerate(weights)])))
    return _outcome(plan, names, counts)


def _check(plan: Plan) -> None:
    if not 0 < plan.target < 1:
        raise UserError(f"the target accuracy is a share between 0 and 1, not {plan.target}")
    if not plan.bundles:
        raise UserError("there is no bundle to calibrate; name at least one")
    for name, levels in plan.bundles.items():
        if not levels or not set(levels) <= set(range(1, 11)):
            raise UserError(f"bundle {name} has no levels between 1 and 10 to choose from")
    needed = len(plan.bundles) * (FIRST_ITEMS * len(FIRST_LEVELS) + ROUNDS)
    if plan.calls() < needed:
        raise UserError(f"calibrating {len(plan.bundles)} bundles needs {needed} items an entrant; raise the share")


class _Counts:
    """Answers so far, and which item indices were used."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.entrants: list[str] = []
        self.seen: dict[tuple[str, str, int], tuple[int, int]] = {}
        self.next: dict[tuple[str, int], int] = {}
        self.costs: list[float | None] = []

    def asks(self, wanted: Sequence[Mapping[int, int]]) -> list[Ask]:
        made = []
        for name, levels in zip(self.names, wanted, strict=True):
            for level in sorted(levels):
                if levels[level]:
                    first = self.next.get((name, level), 0)
                    self.next[name, level] = first + levels[level]
                    made.append(Ask(name, level, first, levels[level]))
        return made

    def add(self, results: Sequence[Seen]) -> None:
        for seen in results:
            if seen.entrant not in self.entrants:
                self.entrants = sorted([*self.entrants, seen.entrant])
            key = (seen.entrant, seen.bundle, seen.level)
            right, asked = self.seen.get(key, (0, 0))
            self.seen[key] = (right + seen.right, asked + seen.asked)
            self.costs.append(seen.cost_usd)
        if not any(asked for _, asked in self.seen.values()):
            raise UserError("no item was answered: check the entrants with `benchpress doctor --providers`")

    def fit(self) -> Curves:
        shape = (len(self.entrants), len(self.names), 10)
        right, asked = np.zeros(shape), np.zeros(shape)
        for (entrant, bundle, level), (hits, tries) in self.seen.items():
            cell = (self.entrants.index(entrant), self.names.index(bundle), level - 1)
            right[cell], asked[cell] = hits, tries
        return fit_curves(right, asked, np.arange(1.0, 11.0))

    def calls(self) -> int:
        return sum(asked for _, asked in self.seen.values())

    def cost(self) -> float | None:
        known = [cost for cost in self.costs if cost is not None]
        return sum(known) if known and len(known) == len(self.costs) else None


CENTRES = np.arange(1.5 - WINDOW / 2, 9.5 + WINDOW / 2 + 1e-4, 0.05)
"""From the lowest level alone to the highest alone."""


def window(centre: Floats, levels: Sequence[int]) -> Floats:
    """Weights of the levels 1 to 10 for items spread evenly around each centre: centres x levels, rows sum to 1."""
    low = np.maximum(centre - WINDOW / 2, min(levels) - 0.5)
    high = np.minimum(centre + WINDOW / 2, max(levels) + 0.5)
    high, low = np.maximum(high, low + 1e-9), np.minimum(low, high - 1e-9)
    every = np.arange(1.0, 11.0)
    held = np.clip(np.minimum(high[:, None], every + 0.5) - np.maximum(low[:, None], every - 0.5), 0, None)
    held[:, [level not in levels for level in range(1, 11)]] = 0
    nothing = held.sum(axis=1) <= 0
    nearest = np.abs(every[None, [level - 1 for level in levels]] - centre[:, None]).argmin(axis=1)
    held[nothing, np.array(levels)[nearest[nothing]] - 1] = 1
    return np.asarray(held / held.sum(axis=1, keepdims=True), dtype=np.float64)


def _weights_for(plan: Plan, names: Sequence[str], curves: Curves) -> Floats:
    """Weights over levels per bundle with which the mean over bundles comes closest to the target.

    All bundles aim at one accuracy; where some cannot reach it, the others make up for them.
    """
    chances = curves.chances()
    options = [window(CENTRES, plan.bundles[name]) for name in names]
    reached = np.array(
        [np.minimum.accumulate(option @ chance) for option, chance in zip(options, chances, strict=True)]
    )
    aims = np.linspace(0, 1, 1001)
    places = np.array([np.minimum((reached > aim).sum(axis=1), len(CENTRES) - 1) for aim in aims])
    means = reached[np.arange(len(names))[None, :], places].mean(axis=1)
    best = int(np.abs(means - plan.target).argmin())
    return np.array([option[place] for option, place in zip(options, places[best], strict=True)])


def _spread(weights: Floats, count: int, turn: int) -> dict[int, int]:
    """`count` items over the levels in proportion to `weights`, by largest remainders.

    Equal remainders are common (the inside of a window), so who goes first changes with `turn`: always preferring low
    levels would ask, and choose, too many easy items.
    """
    exact = weights * count
    whole = np.floor(exact + 1e-9).astype(int)
    first = (7 * np.arange(len(weights)) + 3 * turn) % len(weights)
    order = np.lexsort((first, -np.round(exact - whole, 9)))
    whole[order[: count - int(whole.sum())]] += 1
    return {place + 1: int(number) for place, number in enumerate(whole.tolist()) if number}


def _outcome(plan: Plan, names: Sequence[str], counts: _Counts) -> Calibration:
    curves = counts.fit()
    chances = curves.chances()
    weights = _weights_for(plan, names, curves)
    chosen = [_spread(row, plan.items_per_bundle, place) for place, row in enumerate(weights)]
    _balance(plan, names, chosen, chances)
    used = np.zeros((len(names), 10))
    for place, levels in enumerate(chosen):
        for level, number in levels.items():
            used[place, level - 1] = number / plan.items_per_bundle
    expected, error = curves.mean(used)
    calls, cost = counts.calls(), counts.cost()
    planned = plan.items_per_bundle * len(names) * len(counts.entrants)
    bundles = [
        BundleLevels(
            name, _order(levels), float(chances[place] @ used[place]), _problem(plan, name, chances[place], levels)
        )
        for place, (name, levels) in enumerate(zip(names, chosen, strict=True))
    ]
    return Calibration(
        plan,
        tuple(bundles),
        expected,
        max(0.0, expected - Z95 * error),
        min(1.0, expected + Z95 * error),
        calls,
        cost,
        None if cost is None else cost / calls * planned,
        curves,
    )


def _balance(plan: Plan, names: Sequence[str], chosen: list[dict[int, int]], chances: Floats) -> None:
    """Move single items to a neighbouring level until the expected mean is within CLOSE of the target, which rounding
    to whole items may have missed."""
    total = plan.items_per_bundle * len(names)

    def mean() -> float:
        found = (n * chances[p, level - 1] for p, held in enumerate(chosen) for level, n in held.items())
        return float(sum(found)) / total

    for _ in range(total):
        gap = plan.target - mean()
        if abs(gap) <= CLOSE:
            return
        moves = [
            (abs(gap - (chances[p, level + step - 1] - chances[p, level - 1]) / total), p, level, step)
            for p, held in enumerate(chosen)
            for level in sorted(held)
            for step in (-1, 1)
            if level + step in held
        ]
        best = min(moves, default=(abs(gap), 0, 0, 0))
        if best[0] >= abs(gap) - 1e-12:
            return
        _, p, level, step = best
        chosen[p][level + step] += 1
        chosen[p][level] -= 1
        if not chosen[p][level]:
            del chosen[p][level]


def _order(levels: Mapping[int, int]) -> tuple[int, ...]:
    """One level per item, so mixed that any run of neighbours holds easy and hard ones."""
    placed = [((k + 0.5) / number, level) for level, number in levels.items() for k in range(number)]
    return tuple(level for _, level in sorted(placed))


def _problem(plan: Plan, name: str, chances: Floats, levels: Mapping[int, int]) -> str:
    has = plan.bundles[name]
    if set(levels) == {min(has)} and chances[min(has) - 1] < plan.target:
        return f"too hard: about {chances[min(has) - 1]:.0%} even at level {min(has)}"
    if set(levels) == {max(has)} and chances[max(has) - 1] > plan.target:
        return f"too easy: about {chances[max(has) - 1]:.0%} even at level {max(has)}"
    return ""
