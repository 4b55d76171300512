"""Calibration baseline: exact symbolic search.

For every variable all smallest sets of others of which it is a function on the rows shown, each with the shortest
formula that fits; then the acyclic choice of one set a variable with the fewest nodes in all, by a dynamic programme
over sets of variables. Where roots are hidden, the best over all root sets. What it gets wrong is what the rows leave
open: it completes them by the shortest formula. An Alt-SCM problem is answered by the shortest changed mechanism.
"""

import json
from dataclasses import dataclass
from itertools import combinations

from benchpress.models.boolean import parse
from benchpress.models.boolean_replay import Model
from benchpress.modules.replay.alternatives import alternatives, answer
from benchpress.modules.replay.ambiguity import Support, fitting_functions
from benchpress.modules.replay.completion import complete, constant, tabulate
from benchpress.modules.replay.observed import Observed, observe
from benchpress.parts.mechanisms_problem import evaluation_order


@dataclass(frozen=True, slots=True, order=True)
class Option:
    """A mechanism that fits: ordered by nodes, then parents, then the places of the parents."""

    nodes: int
    parents: int
    support: Support
    formula: str


def solve(prompt: str) -> str:
    """The answer to a printed problem; an empty one where nothing is found. Raises ValueError for other prompts."""
    problem = observe(prompt)
    if problem.reference:
        return _alternative(problem)
    options = {target: mechanisms(problem, target) for target in problem.endogenous}
    if problem.roots is not None:
        return json.dumps({"mechanisms": _named(problem, best_choice(options)[1])})
    best: tuple[int, tuple[int, ...], dict[int, Option]] | None = None
    for roots in combinations(range(len(problem.names)), problem.root_count):
        others = {target: found for target, found in options.items() if target not in roots}
        if all(others.values()):
            nodes, chosen = best_choice(others)
            if len(chosen) == len(others) and (best is None or nodes < best[0]):
                best = (nodes, roots, chosen)
    if best is None:
        return ""
    return json.dumps({"roots": [problem.names[root] for root in best[1]], "mechanisms": _named(problem, best[2])})


def _alternative(problem: Observed) -> str:
    """The first alternative to the reference that fits and can be told apart: the shortest changed mechanism."""
    formulas = {name: parse(text, problem.names) for name, text in problem.reference.items()}
    roots = [name for name in problem.names if name not in formulas]
    order = list(problem.order)
    if not order:
        order = roots + (evaluation_order(roots, {name: one.variables for name, one in formulas.items()}) or [])
    model = Model(tuple(roots), {name: formulas[name] for name in order if name in formulas})
    places = {name: place for place, name in enumerate(problem.names)}
    for other, told in alternatives(model, order, problem.rows, places, problem.most):
        return json.dumps(answer(other, told, reference_first=True))
    return ""


def mechanisms(problem: Observed, target: int) -> list[Option]:
    """The options of one variable, best first: one a smallest fitting set."""
    within = problem.usable[target]
    candidates = [place for place in range(len(problem.names)) if within >> place & 1]
    fitting = sorted(
        fitting_functions(problem.rows, target, candidates, problem.most), key=lambda s: (s.bit_count(), s)
    )
    smallest: list[Support] = []
    for support in fitting:
        if not any(other & support == other for other in smallest):
            smallest.append(support)
    options = []
    for support in smallest:
        members = [place for place in candidates if support >> place & 1]
        care, value, _ = tabulate(
            [problem.rows.columns[place] for place in members], problem.rows.columns[target], problem.rows.free[target]
        )
        if members:
            nodes, text = complete([problem.names[place] for place in members], care, value)
        else:
            nodes, text = 4, constant(problem.names[candidates[0]], value)
            support = 1 << candidates[0]
        options.append(Option(nodes, len(members), support, text))
    return sorted(options)


def best_choice(options: dict[int, list[Option]]) -> tuple[int, dict[int, Option]]:
    """The acyclic choice of one option a variable with the fewest nodes; roots are whatever is no key of `options`.

    Variables are placed one after the other: each set of placed variables is reached in the cheapest way. Where some
    variable cannot be placed it is missing from the choice.
    """
    targets = sorted(options)
    inside = sum(1 << target for target in targets)
    reached: dict[Support, tuple[int, tuple[tuple[int, Option], ...]]] = {0: (0, ())}
    for size in range(len(targets)):
        for placed in [mask for mask in sorted(reached) if mask.bit_count() == size]:
            nodes, chosen = reached[placed]
            for target in targets:
                if placed >> target & 1:
                    continue
                found = next((one for one in options[target] if not one.support & inside & ~placed), None)
                if found is not None:
                    after = placed | 1 << target
                    if after not in reached or nodes + found.nodes < reached[after][0]:
                        reached[after] = (nodes + found.nodes, (*chosen, (target, found)))
    furthest = max(reached, key=lambda mask: (mask.bit_count(), -reached[mask][0]))
    nodes, chosen = reached[furthest]
    return nodes, dict(chosen)


def _named(problem: Observed, chosen: dict[int, Option]) -> dict[str, str]:
    return {problem.names[target]: option.formula for target, option in sorted(chosen.items())}
