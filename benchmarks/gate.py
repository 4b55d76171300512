"""How often the two methods disagree on a key that the generator drew: a large run, which should find none.

    python benchmarks/gate.py [--items 20] [--levels 1 5 10] [--bundle NAME ...] [--workers 1] [--seconds S]
    python benchmarks/gate.py --generic 200
    python benchmarks/gate.py --scores 100

`--items` counts items per bundle, variant and level. With `--seconds` the run ends after that time and says how far it
came; items are taken in rounds, one of every bundle, variant and level after another, so every kind is reached.
A disagreement, or a drawing that fails, is listed with its address and exits with 1: it is an error to investigate,
never a redraw.
`--generic` measures what argument 2 needs: how wide the gap is between zeros and other values. `--scores` measures what
argument 3 needs: by how many of its standard errors a simulated estimate misses a key, in items of the bundles that
simulate; were a standard error too small, the scores would spread wider than one.

Why a right item is refused less often than once in 100,000. The second methods compare in three ways.

1. Exactly: enumerations of orientations, response types, paths and cells of a joint distribution. Integers agree or do
   not; sums over some thousands of cells agree with the fraction to 1e-12, and are compared to 1e-9 (twin networks,
   which invert a covariance, to 1e-7). Nothing random enters.
2. Against zero in a generic population (1e-10 in `checks.EXACT`, up to 1e-8 for slopes elsewhere, 1e-6 for one
   derivative an item of transport). Coefficients are 0.5 to 1.5 in size, noise variances 0.5 to 2, graphs have at most
   some 14 variables, so a zero by structure shows as rounding of about 1e-13. A right key is refused only where a value
   that is not zero by structure falls below the threshold by the accident of its coefficients. Such a value is a
   rational function of random coefficients that keep away from zero themselves; it comes near zero only where paths
   cancel, and its density there is bounded: the share of values below t falls in proportion to t. `--generic`
   measures that share (5e-3 below 1e-2, 4e-4 below 1e-3), which puts it near 4e-9 below 1e-8 and 4e-11 below 1e-10;
   with five hundred subsets compared an item, 2e-6 at the very worst and 2e-8 as a rule.
3. Against a simulated estimate (`checks.SIGMAS`, 7 standard errors). Estimates come from a million simulated units or
   more (ten thousand million in `checks_linear` and `checks_panel`, drawn as one covariance), so they are normal to
   within far less than matters, and a right value lies more than 7 standard errors away with probability 2.6e-12. With
   fewer than 20 simulated figures an item: below 1e-10, if the standard errors are right. `--scores` found spreads of
   0.07 (where the errors of cells are added up at their worst) to 1.04, and 4.0 as the largest of 6,000 scores.
   Verdicts that follow from a simulated difference rest on drawn margins of 0.02 or more, many standard errors wide,
   or on a zero by structure, which stays within its 7 as before.

Seeds derive from the problem itself, so an item that was admitted once is admitted always.
A run of n items without a disagreement bounds the rate: with 95 % confidence it is below 3/n (the rule of three).
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import astuple
from fractions import Fraction
from itertools import combinations

import numpy as np
from benchpress.gate import GateError
from benchpress.generation import LEVELS, Address, addresses, make, ordered
from benchpress.modules.causal import MODULE, checks
from benchpress.modules.causal.checks import EXACT, Population, seed_of
from benchpress.streams import secret_from_seed

SECRET = secret_from_seed(99)
VERSION = "gate"


def tried(where: Address) -> tuple[str, int, str]:
    """Bundle, parts that were confirmed, and what the gate said against the item."""
    try:
        return where.bundle, len(make(SECRET, where).item.parts), ""
    except GateError as refused:
        return where.bundle, 0, str(refused)
    except (ArithmeticError, LookupError, ValueError) as broken:
        return where.bundle, 0, f"{where}: not even drawn: {type(broken).__name__}: {broken}"


def rounds(bundles: Sequence[str], levels: Sequence[int], items: int) -> Iterator[Address]:
    """Addresses in rounds of one item a bundle, variant and level."""
    every = addresses("causal", VERSION, bundles, (), levels, items)
    return iter(sorted(every, key=lambda where: (where.index, astuple(where))))


def generic(count: int) -> str:
    """The gap between zeros and other values: biases of every subset of covariates, in generic populations."""
    found = []
    for index in range(count):
        params = make(SECRET, Address("causal", VERSION, "confounding", "base", 10, index)).item.params
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        population = Population(params["graph"], seed_of(params, "generic"))
        others = [name for name in params["graph"]["nodes"] if name not in (x, y)]
        for size in range(len(others) + 1):
            sets = list(combinations(others, size))
            found.append(np.abs(population.coefficients(x, y, sets) - population.effect(x, y)))
    values = np.concatenate(found)
    zeros, rest = values[values < EXACT], values[values >= EXACT]
    shares = ", ".join(f"{np.mean(rest < limit):.1e} below {limit:g}" for limit in (1e-2, 1e-3, 1e-4, 1e-5))
    return (
        f"{len(values)} biases in {count} populations: {len(zeros)} are zero, the largest of them {zeros.max():.1e}; "
        f"of the others {shares}, the smallest {rest.min():.1e}"
    )


def scores(count: int) -> Iterator[str]:
    """For every bundle that simulates: how far its estimates lie from the keys, in standard errors."""
    found: list[float] = []
    judge = checks.near

    def near(estimate: tuple[float, float], gold: str) -> bool:
        value, error = estimate
        if error > 0:
            found.append((value - float(Fraction(gold))) / error)
        return judge(estimate, gold)

    checks.near = near
    for bundle in MODULE.rooms:
        found.clear()
        for where in addresses("causal", VERSION, [bundle], (), (5, 10), count):
            make(SECRET, where)
        if found:
            yield (
                f"{bundle:<26}{len(found):>6} scores, mean {np.mean(found):+.3f}, spread {np.std(found):.3f}, "
                f"largest {np.abs(found).max():.2f}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=20, help="items per bundle, variant and level")
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 5, 10], choices=list(LEVELS))
    parser.add_argument("--bundle", nargs="+", default=list(MODULE.rooms), choices=list(MODULE.rooms))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=None, help="stop after this time")
    parser.add_argument("--generic", type=int, metavar="N", help="only look at the biases of N generic populations")
    parser.add_argument("--scores", type=int, metavar="N", help="only look at the estimates of N items a kind")
    arguments = parser.parse_args()
    if arguments.scores:
        print(*scores(arguments.scores), sep="\n")
        return
    if arguments.generic:
        print(generic(arguments.generic))
        return
    counts: Counter[str] = Counter()
    parts, refused = 0, []
    start = time.perf_counter()
    with ProcessPoolExecutor(arguments.workers) if arguments.workers > 1 else nullcontext() as pool:
        for bundle, confirmed, problem in ordered(
            tried, rounds(arguments.bundle, arguments.levels, arguments.items), pool
        ):
            counts[bundle] += 1
            parts += confirmed
            if problem:
                refused.append(problem)
            if arguments.seconds is not None and time.perf_counter() - start > arguments.seconds:
                break
    items = sum(counts.values())
    print(f"{items} items of {len(counts)} bundles, levels {' '.join(map(str, arguments.levels))}, {parts} parts")
    print(f"fewest items of a bundle: {min(counts.values())}; {time.perf_counter() - start:.0f} s")
    print(f"{len(refused)} disagreements; rate below {3 / items:.1e} with 95 % confidence" if not refused else
          f"{len(refused)} disagreements, {len(refused) / items:.1e} of the items:")  # fmt: skip
    print("\n".join(refused), end="\n" if refused else "")
    sys.exit(bool(refused))


if __name__ == "__main__":
    main()
