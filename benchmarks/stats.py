"""How fast and how honest the statistics are, beside a plain loop and scipy's bootstrap on the same scores.

usage: python benchmarks/stats.py [--runs N] [--skip-calibration]

One core. The board has 50 entrants, 500 items and 10,000 resamples; peers bootstrap a few entrants and are scaled up.
Coverage is exact, summed over every outcome. Calibration runs on the simulated respondents of the tests.
"""

import argparse
import os
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.stats
from benchpress_evaluator.calibration import Plan, calibrate
from benchpress_evaluator.stats.comparison import compare_all
from benchpress_evaluator.stats.intervals import accuracy_intervals
from benchpress_evaluator.stats.matrix import Condition, Scores
from benchpress_evaluator.stats.ranks import rank_sets
from figures import MOST, figure

ONE_CORE = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
ENTRANTS, ITEMS, RESAMPLES = 50, 500, 10_000


def scores_of(points: np.ndarray) -> Scores:
    """A matrix of conditions x items of 0 and 1 as scores."""
    every = np.ones(points.shape, dtype=np.bool_)
    names = tuple(Condition(f"e{place:03d}", "direct") for place in range(len(points)))
    items = tuple(f"i{place}" for place in range(points.shape[1]))
    return Scores(names, items, ("b",), np.zeros(points.shape[1], dtype=np.int64), points, 1, every, every)


def seconds(work: Callable[[], object]) -> float:
    """Processor time, so that other work on the machine does not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def plain_loop(row: list[int], resamples: int) -> tuple[float, float]:
    """The bootstrap as a first course teaches it."""
    draw = random.Random(0)
    means = sorted(sum(draw.choices(row, k=len(row))) / len(row) for _ in range(resamples))
    return means[int(0.025 * resamples)], means[int(0.975 * resamples) - 1]


def speed() -> None:
    state = np.random.RandomState(0)
    points = (state.random_sample((ENTRANTS, ITEMS)) < np.linspace(0.2, 0.8, ENTRANTS)[:, None]).astype(np.int64)
    scores = scores_of(points)
    intervals = seconds(lambda: accuracy_intervals(scores, resamples=RESAMPLES))
    pairs = seconds(lambda: compare_all(scores, resamples=RESAMPLES))
    ranks = seconds(lambda: rank_sets(scores, resamples=RESAMPLES))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    loop = seconds(lambda: plain_loop(points[25].tolist(), 1000)) * RESAMPLES / 1000 * ENTRANTS
    peer = seconds(
        lambda: scipy.stats.bootstrap((points[25],), np.mean, n_resamples=RESAMPLES, method="percentile", batch=500)
    )
    scipy_all = peer * ENTRANTS
    count = ENTRANTS * (ENTRANTS - 1) // 2
    loop_pairs, scipy_pairs = loop / ENTRANTS * count, peer * count
    print(f"{ENTRANTS} entrants x {ITEMS} items x {RESAMPLES:,} resamples, one core")
    print(f"{'':<34}{'ours':>10}{'plain loop':>14}{'scipy':>12}   seconds")
    print(f"{'all intervals':<34}{intervals:>10.2f}{loop:>14.1f}{scipy_all:>12.1f}")
    print(f"{f'all {count:,} pairs':<34}{pairs:>10.2f}{loop_pairs:>14.0f}{scipy_pairs:>12.0f}")
    print(f"{'rank ranges (simultaneous)':<34}{ranks:>10.2f}{'':>14}{'':>12}")
    total, limit = intervals + pairs, 5.0
    print(f"intervals and pairs: {total:.2f} s of {limit:.0f} s, peak memory {memory:.0f} MB of 1,024 MB")
    figure("statistics", "seconds of all intervals and pairs, of the 5 allowed", total / limit, 1, MOST)
    figure("statistics", "peak memory, of the 1,024 MB allowed", memory / 1024, 1, MOST)
    slower = (loop + loop_pairs) / total, (scipy_all + scipy_pairs) / total
    figure("statistics", "beside a plain loop", slower[0])
    figure("statistics", "beside scipy's bootstrap", slower[1])
    print(f"ratios: {slower[0]:,.0f} x a plain loop, {slower[1]:,.0f} x scipy\n")


def coverage() -> None:
    chances = (0.02, 0.05, 0.1, 0.3, 0.5, 0.9)
    print("share of experiments whose published 95 % interval covers the truth (summed over all outcomes)")
    print(f"{'items':<10}" + "".join(f"{f'p = {chance}':>12}" for chance in chances))
    for n in (20, 50, 60, 100, 300, 440):
        points = np.tril(np.ones((n + 1, n), dtype=np.int64), -1)
        found = accuracy_intervals(scores_of(points))
        low, high = np.array([(e.low, e.high) for e in found if e]).T
        law = {p: scipy.stats.binom.pmf(np.arange(n + 1), n, p) for p in chances}
        held = [law[p][(low <= p + 1e-12) & (p - 1e-12 <= high)].sum() for p in chances]
        print(f"{n:<10}" + "".join(f"{share:>12.3f}" for share in held))
    print()


def calibration(runs: int) -> None:
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "metrics"))
    from respondents import BUNDLES, RESPONDENTS, Simulated, true_accuracy

    plan = Plan(dict.fromkeys(BUNDLES, range(1, 11)))
    print(f"calibration to .55 on simulated respondents, {runs} runs each")
    print(f"{'respondent':<14}{'within 3 points':>16}{'interval covers':>17}{'mean error':>12}{'calls':>8}  of 2,200")
    for name in sorted(RESPONDENTS):
        errors, covered, calls = [], 0, 0
        for run in range(runs):
            state = np.random.RandomState(10_000 + run)
            truths = {name: RESPONDENTS[name](state)}
            found = calibrate(plan, Simulated(truths, state))
            truth = true_accuracy(found, truths)
            errors.append(truth - 0.55)
            covered += found.low <= truth <= found.high
            calls = found.calls
        close = np.mean(np.abs(errors) <= 0.03)
        print(f"{name:<14}{close:>16.3f}{covered / runs:>17.3f}{np.mean(errors):>+12.4f}{calls:>8}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200, help="calibrations per respondent")
    parser.add_argument("--skip-calibration", action="store_true")
    options = parser.parse_args()
    if not ONE_CORE.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ONE_CORE})
    speed()
    coverage()
    if not options.skip_calibration:
        calibration(options.runs)


if __name__ == "__main__":
    main()
