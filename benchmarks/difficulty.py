"""How the accuracy of imperfect solvers falls with the level, bundle by bundle; and what a level means.

    python benchmarks/difficulty.py [--items 4] [--levels 1 2 ... 10] [--bundle NAME ...] [--workers 1] [--write]
    python benchmarks/difficulty.py --knobs

Every solver of the ladder reads the printed prompts and is graded like any entrant. `--items` counts items per bundle,
variant and level. `--write` puts what was measured into docs/causal-difficulty.md; `--knobs` measures nothing and
writes the structural knobs of every level into docs/causal.md.
"""

import argparse
import re
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import mean

from benchpress.generation import LEVELS, Address, addresses, make, ordered
from benchpress.grading import grade_item
from benchpress.items import Response
from benchpress.modules.causal import MODULE
from benchpress.modules.causal.reference import SOLVERS
from benchpress.streams import secret_from_seed

DOCS = Path(__file__).resolve().parent.parent / "docs"
SECRET = secret_from_seed(2026)
VERSION = "difficulty"
DASHES = ("", "7 4", "2 4", "9 3 2 3", "4 2", "1 3", "12 4")
"""How each solver's line is broken, so that the plot can be read without colour."""

INK = 'fill="currentColor" stroke="none"'


@dataclass(frozen=True)
class Marks:
    """What every solver made of one item: solver -> (all parts right, share of parts right)."""

    bundle: str
    level: int
    by_solver: dict[str, tuple[bool, float]]


def marks(secret: bytes, where: Address) -> Marks:
    """The item at `where` put to every solver."""
    item = make(secret, where).item
    found = {}
    for name, solve in SOLVERS.items():
        result = grade_item(item, Response(item.id, solve(item.prompt)))
        found[name] = (result.correct, mean(part.correct for part in result.parts))
    return Marks(where.bundle, where.level, found)


@dataclass(frozen=True)
class Figures:
    """Accuracies of the solvers, every bundle weighing the same."""

    per_variant: int
    bundles: tuple[str, ...]
    levels: tuple[int, ...]
    items: tuple[Marks, ...]

    def of(self, bundle: str, level: int) -> list[Marks]:
        return [one for one in self.items if one.bundle == bundle and one.level == level]

    def bundle_accuracy(self, solver: str, bundle: str, level: int) -> float:
        """Share of items with every part right."""
        return mean(one.by_solver[solver][0] for one in self.of(bundle, level))

    def accuracy(self, solver: str, level: int) -> float:
        return mean(self.bundle_accuracy(solver, bundle, level) for bundle in self.bundles)

    def parts(self, solver: str, level: int) -> float:
        """Share of parts right."""
        return mean(mean(one.by_solver[solver][1] for one in self.of(bundle, level)) for bundle in self.bundles)

    def error(self, solver: str, level: int) -> float:
        """Standard error of the accuracy: binomial within the bundles, which are the ones there are."""
        spread = 0.0
        for bundle in self.bundles:
            share = self.bundle_accuracy(solver, bundle, level)
            spread += share * (1 - share) / len(self.of(bundle, level))
        return sqrt(spread) / len(self.bundles)

    def rises(self, solver: str) -> list[tuple[int, int, float, float]]:
        """Neighbouring levels between which the accuracy rises: from, to, by how much, standard error of that."""
        found = []
        for low, high in zip(self.levels, self.levels[1:], strict=False):
            rise = self.accuracy(solver, high) - self.accuracy(solver, low)
            if rise > 0:
                found.append((low, high, rise, sqrt(self.error(solver, low) ** 2 + self.error(solver, high) ** 2)))
        return found


def measure(bundles: Sequence[str], levels: Sequence[int], per_variant: int, workers: int) -> Figures:
    """The ladder on `per_variant` items per bundle, variant and level."""
    places = addresses("causal", VERSION, bundles, (), levels, per_variant)
    with ProcessPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
        found = tuple(ordered(partial(marks, SECRET), places, pool))
    return Figures(per_variant, tuple(bundles), tuple(levels), found)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table, all columns but the first aligned to the right."""
    aligned = ["---", *["---:"] * (len(head) - 1)]
    return [f"| {' | '.join(row)} |" for row in (head, aligned, *rows)]


def by_level(figures: Figures, of: str) -> list[str]:
    figure = getattr(figures, of)
    head = ["solver", *(f"level {level}" for level in figures.levels)]
    return table(head, ([f"`{name}`", *(f"{figure(name, level):.2f}" for level in figures.levels)] for name in SOLVERS))


def by_bundle(figures: Figures, solver: str) -> list[str]:
    head = ["bundle", *(f"level {level}" for level in figures.levels)]
    return table(
        head,
        (
            [f"`{bundle}`", *(f"{figures.bundle_accuracy(solver, bundle, level):.2f}" for level in figures.levels)]
            for bundle in figures.bundles
        ),
    )


def curve(figures: Figures) -> str:
    """The accuracies as an inline SVG; lines differ by their dashes and carry their names."""
    width, height, left, top = 470, 260, 44, 14
    first, last = figures.levels[0], figures.levels[-1]

    def x(level: int) -> float:
        return left + (level - first) / max(1, last - first) * width

    def y(share: float) -> float:
        return top + (1 - share) * height

    drawn = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        drawn.append(f'<path d="M{left} {y(share):.1f}h{width}" opacity=".2"/>')
        drawn.append(f'<text {INK} x="{left - 6}" y="{y(share) + 4:.1f}" text-anchor="end">{share:g}</text>')
    drawn += [
        f'<text {INK} x="{x(level):.1f}" y="{top + height + 18}" text-anchor="middle">{level}</text>'
        for level in figures.levels
    ]
    # Names stand at the ends of their lines, pushed apart where the lines end close together.
    lowest = -1e9
    for name, dash in sorted(zip(SOLVERS, DASHES, strict=True), key=lambda one: -figures.accuracy(one[0], last)):
        points = " ".join(f"{x(level):.1f},{y(figures.accuracy(name, level)):.1f}" for level in figures.levels)
        drawn.append(f'<polyline points="{points}" fill="none" stroke-width="1.8" stroke-dasharray="{dash}"/>')
        lowest = max(y(figures.accuracy(name, last)), lowest + 14)
        drawn.append(f'<text {INK} x="{left + width + 8}" y="{lowest + 4:.1f}">{name}</text>')
    label = "Share of items right by level, one line a solver; the tables below give the numbers"
    return (
        f'<figure><svg role="img" aria-label="{label}" viewBox="0 0 {left + width + 120} {top + height + 28}" '
        f'xmlns="http://www.w3.org/2000/svg" stroke="currentColor" font-size="12" style="max-width:40rem">'
        f"{''.join(drawn)}</svg></figure>"
    )


def monotone(figures: Figures) -> list[str]:
    """One line a solver: whether its accuracy falls from each level to the next."""
    lines = []
    for name in SOLVERS:
        if name == "exact":
            continue
        rises = figures.rises(name)
        steps = "; ".join(
            f"{low} to {high} by {rise:.3f} (standard error {error:.3f})" for low, high, rise, error in rises
        )
        start, end = (figures.accuracy(name, level) for level in (figures.levels[0], figures.levels[-1]))
        said = f"rises from level {steps}" if rises else "falls, or stays, at every step"
        lines.append(
            f"- `{name}`: {start:.2f} at level {figures.levels[0]}, {end:.2f} at {figures.levels[-1]}; {said}."
        )
    return lines


def climbing(figures: Figures) -> list[str]:
    """Bundles in which the solver that errs at random is better at the last level than at the first."""
    first, last = figures.levels[0], figures.levels[-1]
    return [
        bundle
        for bundle in figures.bundles
        if figures.bundle_accuracy("fallible", bundle, last) >= figures.bundle_accuracy("fallible", bundle, first)
    ]


PAGE = """---
title: Difficulty by measurement
description: How the accuracy of a ladder of imperfect solvers falls with the level of causal items.
---

# Difficulty by measurement

Written by `python benchmarks/difficulty.py --write`. A level is a set of structural knobs, listed on
[the page of the causal module](causal.md#knobs). Whether it is harder is measured: a ladder of imperfect solvers reads
the printed prompts and is graded like any entrant.

- `exact` derives every key.
- `adjust_all` adjusts for everything recorded that the treatment does not affect, `adjust_parents` for the recorded
  direct causes of the treatment, `ignore_colliders` takes every association for open, `naive` takes the unadjusted
  comparison for the effect. Each is careful in everything else: it errs only where its habit matters.
- `fallible` errs in each elementary step with probability 1 in 50.
- `random` guesses every part by its type.

Measured on {items:,} items: {per_variant} per bundle, variant and level, that is {each} per bundle and level, of
{bundles} bundles, which weigh the same.

## Items right in every part

{curve}

{accuracy}

## Parts right

{parts}

## Is it monotone?

Of items right in every part, level by level as measured:

{monotone}

{kept}
A habit does no harm in the bundles whose concept it does not touch, and no more harm on a larger problem where one
wrong covariate already decides; such curves are flat in part, and what moves them is the draw.

## The solver that errs in steps, bundle by bundle

With {each} items a cell, a share of one half has a standard error of {cell_error:.2f}.

{by_bundle}
"""


def page(figures: Figures) -> str:
    """The whole of docs/causal-difficulty.md."""
    each = len(figures.of(figures.bundles[0], figures.levels[0]))
    worse = climbing(figures)
    return PAGE.format(
        items=len(figures.items),
        per_variant=figures.per_variant,
        each=each,
        bundles=len(figures.bundles),
        curve=curve(figures),
        accuracy="\n".join(by_level(figures, "accuracy")),
        parts="\n".join(by_level(figures, "parts")),
        monotone="\n".join(monotone(figures)),
        kept="In every bundle `fallible` is worse at the last level than at the first."
        if not worse
        else f"`fallible` is not worse at the last level than at the first in: {', '.join(worse)}.",
        cell_error=0.5 / sqrt(each),
        by_bundle="\n".join(by_bundle(figures, "fallible")),
    )


def knob_tables() -> str:
    """For every bundle a table of its knobs at levels 1 to 10."""
    lines: list[str] = []
    for name, room in MODULE.rooms.items():
        steps = {level: room.knobs(level) for level in LEVELS}
        rows = ([knob, *(str(steps[level][knob]) for level in LEVELS)] for knob in steps[1])
        lines += [f"### {name}", "", *table(["knob", *map(str, LEVELS)], rows), ""]
    return "\n".join(lines)


def write_knobs() -> None:
    path = DOCS / "causal.md"
    text = path.read_text()
    made = re.sub(
        r"(<!-- knobs -->\n).*(<!-- /knobs -->)", lambda m: f"{m[1]}\n{knob_tables()}\n{m[2]}", text, flags=re.DOTALL
    )
    path.write_text(made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=4, help="items per bundle, variant and level")
    parser.add_argument("--levels", type=int, nargs="+", default=list(LEVELS), choices=list(LEVELS))
    parser.add_argument("--bundle", nargs="+", default=list(MODULE.rooms), choices=list(MODULE.rooms))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write docs/causal-difficulty.md")
    parser.add_argument("--knobs", action="store_true", help="only write the knobs into docs/causal.md")
    arguments = parser.parse_args()
    if arguments.knobs:
        write_knobs()
        return
    start = time.perf_counter()
    figures = measure(arguments.bundle, sorted(set(arguments.levels)), arguments.items, arguments.workers)
    print("\n".join([*by_level(figures, "accuracy"), "", *monotone(figures), "", *by_bundle(figures, "fallible")]))
    print(f"{len(figures.items)} items in {time.perf_counter() - start:.0f} s")
    if arguments.write:
        (DOCS / "causal-difficulty.md").write_text(page(figures))


if __name__ == "__main__":
    main()
