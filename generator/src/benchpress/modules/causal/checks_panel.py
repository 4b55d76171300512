"""Second methods for groups over periods: both worlds simulated cell by cell, contrasts by least squares.

Reads the printed numbers alone and shares no code with the exact panels.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchpress.modules.causal.checks import seed_of

CELL_ERROR = 1e-5
"""Standard error of a simulated cell mean: ten thousand million units of standard deviation 1."""

Cells = NDArray[np.float64]


class SimulatedPanel:
    """Cell means of simulated units, groups by periods, in the world with the scheme and in the one without."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        names = [group for group, _, _ in params["groups"]]
        periods = len(params["shifts"])
        row = {name: at for at, name in enumerate(names)}
        self.row, self.sets = row, params["sets"]
        self.weights = np.array([float(size) for _, size, _ in params["groups"]])
        without = np.array([[float(base)] * periods for _, _, base in params["groups"]])
        without += np.array(list(map(_real, params["shifts"])))
        slopes = {name: np.array(list(map(_real, series))) for name, series in params["slopes"]}
        for covariate, group, series in params["means"]:
            without[row[group]] += slopes[covariate] * np.array(list(map(_real, series)))
        clock = np.arange(periods)
        for group, drift in params["drifts"]:
            without[row[group]] += _real(drift) * clock
        starts = {group: int(period) - 1 for group, period in params["starts"]}
        self.reaction = np.zeros_like(without)
        self.anticipation = np.zeros_like(without)
        self.spillover = np.zeros_like(without)
        effects = np.array(list(map(_real, params["effects"])))
        for group, begun in starts.items():
            self.reaction[row[group], begun:] = effects[: periods - begun]
        for group, amount in params["anticipation"]:
            if group in starts:
                self.anticipation[row[group], starts[group] - 1] = _real(amount)
        for group, amount in params["spillover"]:
            self.spillover[row[group], min(starts.values()) :] = _real(amount)
        rng = np.random.Generator(np.random.PCG64(seed_of(params, "panel")))
        self.without: Cells = without + CELL_ERROR * rng.standard_normal(without.shape)
        self.given: Cells = self.without + self.reaction + self.anticipation + self.spillover

    def contrast(self, cells: Cells, before: Sequence[str], after: Sequence[str]) -> float:
        """The coefficient of side x time in a weighted regression on side, time and their product."""
        design, target, weight = [], [], []
        for treated, side in ((1.0, "treated"), (0.0, "untreated")):
            for later, window in ((1.0, after), (0.0, before)):
                for group in self.sets[side]:
                    for period in window:
                        design.append([1.0, treated, later, treated * later])
                        target.append(cells[self.row[group], int(period) - 1])
                        weight.append(self.weights[self.row[group]])
        root = np.sqrt(np.array(weight))
        solved = np.linalg.lstsq(np.array(design) * root[:, None], np.array(target) * root, rcond=None)[0]
        return float(solved[3])

    def estimate(self) -> float:
        return self.contrast(self.given, self.sets["before"], self.sets["after"])

    def placebo(self) -> float:
        return self.contrast(self.given, self.sets["placebo"][:1], self.sets["placebo"][1:])

    def effect(self) -> float:
        """How much the treated groups' means in the after periods differ between the two worlds."""
        places = [self.row[group] for group in self.sets["treated"]]
        window = [int(period) - 1 for period in self.sets["after"]]
        gain = (self.given - self.without)[np.ix_(places, window)].mean(axis=1)
        return float(gain @ self.weights[places] / self.weights[places].sum())

    def verdict(self) -> str:
        """What makes the two sides differ where they should not, or none."""
        before, after = self.sets["before"], self.sets["after"]
        faults = {
            "trends": self.without,
            "anticipation": self.anticipation,
            "spillover": self.spillover,
        }
        found = [
            fault for fault, cells in faults.items() if abs(self.contrast(cells, before, after)) > 100 * CELL_ERROR
        ]
        places = [self.row[group] for group in self.sets["untreated"]]
        window = [int(period) - 1 for period in after]
        if np.any(self.reaction[np.ix_(places, window)]):
            found.append("contamination")
        return found[0] if len(found) == 1 else "several" if found else "none"

    def moves_alike(self, one: str, other: str, earlier: str, later: str) -> bool:
        """Whether two groups change alike between two periods in the world without the scheme."""
        change = self.without[:, int(later) - 1] - self.without[:, int(earlier) - 1]
        return bool(abs(change[self.row[one]] - change[self.row[other]]) < 100 * CELL_ERROR)

    def touched(self, group: str, period: str) -> bool:
        """Whether the scheme changes anything in a group and period."""
        here = self.row[group], int(period) - 1
        return bool(abs(self.given[here] - self.without[here]) > 100 * CELL_ERROR)


class RegressedTable:
    """The contrasts of a printed table of counts and means, all by weighted least squares on its cells."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        treated = params["sets"]["treated"][0]
        self.before = sorted(int(period) for period in params["sets"]["before"])
        self.after = sorted(int(period) for period in params["sets"]["after"])
        self.rows = [
            (1.0 if group == treated else 0.0, stratum, period, float(count), _real(mean))
            for group, stratum, row in params["cells"]
            for period, (count, mean) in enumerate(row, 1)
        ]
        self.strata = sorted({stratum for _, stratum, *_ in self.rows})

    def pooled(self, earlier: Sequence[int], later: Sequence[int]) -> float:
        """Side x time over all units of two sets of periods."""
        kept = [row for row in self.rows if row[2] in (*earlier, *later)]
        return self._product(kept, [float(row[2] in later) for row in kept])

    def within(self, stratum: str, earlier: int, later: int) -> float:
        """Side x time in one stratum between two periods."""
        kept = [row for row in self.rows if row[1] == stratum and row[2] in (earlier, later)]
        return self._product(kept, [float(row[2] == later) for row in kept])

    def _product(self, rows: Sequence[tuple[float, str, int, float, float]], later: Sequence[float]) -> float:
        root = np.sqrt([row[3] for row in rows])
        design = np.array([[1.0, row[0], time, row[0] * time] for row, time in zip(rows, later, strict=True)])
        target = np.array([row[4] for row in rows])
        return float(np.linalg.lstsq(design * root[:, None], target * root, rcond=None)[0][3])

    def estimate(self) -> float:
        return self.pooled(self.before[-1:], self.after)

    def placebo(self) -> float:
        return self.pooled(self.before[:1], self.before[-1:])

    def effect(self) -> float:
        """Per stratum and period a regression with a trend of its own for the treated, weighted by treated units."""
        total, units = 0.0, 0.0
        first, last = self.before[0], self.before[-1]
        for stratum in self.strata:
            for period in self.after:
                kept = [row for row in self.rows if row[1] == stratum and row[2] in (first, last, period)]
                design = np.array(
                    [
                        [1.0, side, float(at == last), float(at == period), side * at, side * (at == period)]
                        for side, _, at, _, _ in kept
                    ]
                )
                solved = np.linalg.solve(design, np.array([row[4] for row in kept]))
                count = next(row[3] for row in kept if row[0] and row[2] == period)
                total += count * float(solved[5])
                units += count
        return total / units

    def parallel(self) -> str:
        """Where the sides move in parallel before the scheme."""
        steps = list(zip(self.before, self.before[1:], strict=False))
        together = all(abs(self.pooled([one], [other])) < 1e-6 for one, other in steps)
        within = all(abs(self.within(stratum, *step)) < 1e-6 for stratum in self.strata for step in steps)
        return ("both" if within else "pooled") if together else "within" if within else "neither"


def _real(text: str) -> float:
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)
