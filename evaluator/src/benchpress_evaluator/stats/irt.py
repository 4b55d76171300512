"""Item response theory: the two-parameter logistic model by marginal maximum likelihood (Bock and Aitkin 1981)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchpress_evaluator.stats.item_analysis import field_scores
from benchpress_evaluator.stats.metric import Settings, Table

Floats = npt.NDArray[np.float64]

POPULATION = 200
"""With fewer entrants than this the parameters of a two-parameter model are not to be trusted."""
NODES = np.linspace(-6, 6, 61)
WEIGHTS = np.exp(-NODES * NODES / 2) / np.exp(-NODES * NODES / 2).sum()
SLOPES = (0.05, 8.0)
INTERCEPTS = 12.0
STEPS = 500
TOLERANCE = 1e-5


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted 2PL: P(right) = 1 / (1 + exp(-(slope ability + intercept))), ability standard normal.

    `items` are places among the columns that vary; others carry no information and are left out. Standard errors come
    from the cross-products of the persons' scores (the empirical information), NaN where they are not defined.
    `at_bound` marks items whose likelihood has no maximum inside the bounds.
    """

    items: npt.NDArray[np.int64]
    slope: Floats
    intercept: Floats
    slope_se: Floats
    intercept_se: Floats
    at_bound: npt.NDArray[np.bool_]
    ability: Floats
    """Posterior mean per person."""
    ability_sd: Floats
    log_likelihood: float
    converged: bool

    @property
    def difficulty(self) -> Floats:
        """The ability at which the chance is one half, -intercept / slope."""
        return -self.intercept / self.slope


def fit_2pl(right: npt.NDArray[np.int64]) -> Fit:
    """Fit the model to a matrix of persons x items of 0 and 1."""
    vary = np.flatnonzero((right.sum(axis=0) > 0) & (right.sum(axis=0) < len(right))).astype(np.int64)
    y = right[:, vary].astype(np.float64)
    share = np.clip(y.mean(axis=0), 0.02, 0.98) if y.size else np.zeros(0)
    slope, intercept = np.ones(len(vary)), np.log(share / (1 - share))
    previous, converged = -np.inf, False
    for _ in range(STEPS):
        posterior, total = _posterior(y, slope, intercept)
        expected, counts = y.T @ posterior, posterior.sum(axis=0)
        slope, intercept = _maximise(expected, counts, slope, intercept)
        converged = total - previous < TOLERANCE
        if converged:
            break
        previous = total
    posterior, total = _posterior(y, slope, intercept)
    slope_se, intercept_se = _errors(y, posterior, slope, intercept)
    ability = posterior @ NODES
    spread = np.sqrt(np.maximum(posterior @ (NODES * NODES) - ability * ability, 0))
    bound = (slope <= SLOPES[0]) | (slope >= SLOPES[1]) | (np.abs(intercept) >= INTERCEPTS)
    return Fit(vary, slope, intercept, slope_se, intercept_se, bound, ability, spread, total, converged)


def _posterior(y: Floats, slope: Floats, intercept: Floats) -> tuple[Floats, float]:
    """Weights of the nodes per person, and the marginal log-likelihood."""
    eta = slope[:, None] * NODES[None, :] + intercept[:, None]
    log_right, log_wrong = -np.logaddexp(0, -eta), -np.logaddexp(0, eta)
    joint = y @ log_right + (1 - y) @ log_wrong + np.log(WEIGHTS)[None, :]
    top = joint.max(axis=1, keepdims=True)
    weights = np.exp(joint - top)
    sums = weights.sum(axis=1, keepdims=True)
    return weights / sums, float((top + np.log(sums)).sum())


def _maximise(expected: Floats, counts: Floats, slope: Floats, intercept: Floats) -> tuple[Floats, Floats]:
    """One damped Newton step for every item at once on the expected complete-data likelihood."""
    p = 1 / (1 + np.exp(-(slope[:, None] * NODES[None, :] + intercept[:, None])))
    residual = expected - counts[None, :] * p
    weight = counts[None, :] * p * (1 - p)
    g0, g1 = residual.sum(axis=1), residual @ NODES
    h00, h01, h11 = weight.sum(axis=1), weight @ NODES, weight @ (NODES * NODES)
    det = np.maximum(h00 * h11 - h01 * h01, 1e-12)
    step0, step1 = (h11 * g0 - h01 * g1) / det, (h00 * g1 - h01 * g0) / det
    shrink = np.minimum(1, 1 / np.maximum(np.maximum(np.abs(step0), np.abs(step1)), 1e-12))
    return (
        np.clip(slope + shrink * step1, *SLOPES),
        np.clip(intercept + shrink * step0, -INTERCEPTS, INTERCEPTS),
    )


def _errors(y: Floats, posterior: Floats, slope: Floats, intercept: Floats) -> tuple[Floats, Floats]:
    p = 1 / (1 + np.exp(-(slope[:, None] * NODES[None, :] + intercept[:, None])))
    mean_p, mean_tp = posterior @ p.T, posterior @ (p * NODES[None, :]).T
    score0 = y - mean_p
    score1 = y * (posterior @ NODES)[:, None] - mean_tp
    i00, i01, i11 = (score0**2).sum(axis=0), (score0 * score1).sum(axis=0), (score1**2).sum(axis=0)
    det = i00 * i11 - i01 * i01
    with np.errstate(divide="ignore", invalid="ignore"):
        slope_se, intercept_se = np.sqrt(i00 / det), np.sqrt(i11 / det)
    bad = ~(det > 1e-9)
    slope_se[bad], intercept_se[bad] = np.nan, np.nan
    return slope_se, intercept_se


def warning(persons: int) -> str | None:
    """Why the fit is not to be trusted, null where the population is large enough."""
    if persons >= POPULATION:
        return None
    return (
        f"NOT TO BE TRUSTED: {persons} entrants are too few for a two-parameter model, which needs some "
        f"{POPULATION}; read the ranks instead"
    )


def _fit(frame: pd.DataFrame, settings: Settings) -> tuple[Fit, list[str], list[str], list[str]]:
    scores = field_scores(frame, settings)
    common = scores.planned.all(axis=0) if scores.conditions else np.zeros(len(scores.items), dtype=np.bool_)
    points = scores.points[:, common]
    notes = []
    if scores.scale > 1:
        notes.append("repeats were rounded to right or wrong by their majority")
    fit = fit_2pl((2 * points >= scores.scale).astype(np.int64))
    caution = warning(len(scores.conditions))
    if caution:
        notes.insert(0, caution)
    if not fit.converged:
        notes.append("the fit did not converge")
    notes.append(f"{points.shape[1] - len(fit.items)} items that do not vary were left out")
    items = [scores.items[place] for place in np.flatnonzero(common)[fit.items].tolist()]
    return fit, [c.entrant for c in scores.conditions], items, notes


def irt_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """Abilities of the entrants, standard normal in the population, with posterior standard deviations."""
    fit, entrants, _, notes = _fit(frame, settings)
    table = pd.DataFrame({"entrant": entrants, "ability": fit.ability, "sd": fit.ability_sd})
    table = table.sort_values(["ability", "entrant"], ascending=[False, True], ignore_index=True)
    return Table("Item response theory: abilities (2PL, marginal maximum likelihood)", table, tuple(notes))


def irt_items_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """Slope and difficulty of the items, with standard errors."""
    fit, _, items, notes = _fit(frame, settings)
    table = pd.DataFrame(
        {
            "item_id": items,
            "slope": fit.slope,
            "slope_se": fit.slope_se,
            "intercept": fit.intercept,
            "intercept_se": fit.intercept_se,
            "difficulty": fit.difficulty,
            "at_bound": fit.at_bound,
        }
    )
    return Table("Item response theory: items", table, tuple(notes), secret=True)
