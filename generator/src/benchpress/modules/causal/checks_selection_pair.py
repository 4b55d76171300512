"""Two models of a graph that agree on all selected cases and differ in an effect: the effect cannot be recovered.

Both live on one directed path from a variable w to the selection and another from w to the outcome that avoids the
treatment; all else is independent of these and of each other, as in a model whose other arrows do nothing. In the
second the selection favours other values of the last variable before it, and the chances along the path make up for
that. No value is impossible in either.
"""

from collections.abc import Sequence

import numpy as np

from benchpress.modules.causal.checks_latent import Array, Mixed

STEP: Array = np.array([[0.7, 0.3], [0.2, 0.8]])
"""How every variable of a path responds to the one before it."""

START: Array = np.array([0.6, 0.4])
CHOSEN: Array = np.array([0.3, 0.6])
TILT: Array = np.array([1.0, 2.0])
"""The second model selects by CHOSEN / TILT."""


def differ(graph: Mixed, x: str, y: str, selection: str) -> bool:
    """Whether such a pair exists for P(y = 1 | do(x)) and was seen to agree and to differ as claimed."""
    paths = _paths(graph, x, y, selection)
    if paths is None:
        return False
    to_selection, to_outcome = paths
    plain = [STEP] * (len(to_selection) - 2)
    start, tilted = _tilted(START, plain)
    one = _selected(START, plain, CHOSEN)
    other = _selected(start, tilted, CHOSEN / TILT)
    onward = np.linalg.matrix_power(STEP, len(to_outcome) - 1)
    effects = [float((chances @ onward)[1]) for chances in (START, start)]
    return bool(np.abs(one - other).max() < 1e-12 and one.min() > 0 and abs(effects[0] - effects[1]) > 1e-4)


def _paths(graph: Mixed, x: str, y: str, selection: str) -> tuple[list[str], list[str]] | None:
    """Directed paths from some w to the selection and, past x, to y that share w alone; the second as short as can be.

    Taking w nearest to y keeps all that comes after it on the second path from acting on the selection.
    """
    above = _distances(graph, selection, set(graph.nodes))
    bearing = _distances(graph, y, set(graph.nodes) - {x})
    both = sorted((bearing[name], name) for name in above if name in bearing)
    if not both:
        return None
    start = both[0][1]
    return _descend(graph, start, above), _descend(graph, start, bearing)


def _distances(graph: Mixed, goal: str, within: set[str]) -> dict[str, int]:
    """How many arrows lead from each variable to the goal."""
    found, layer = {goal: 0}, [goal]
    while layer:
        layer = sorted({cause for name in layer for cause in graph.causes[name] & within if cause not in found})
        found |= dict.fromkeys(layer, max(found.values()) + 1)
    return found


def _descend(graph: Mixed, start: str, distance: dict[str, int]) -> list[str]:
    path = [start]
    while distance[path[-1]]:
        path.append(next(one for one in sorted(graph.effects[path[-1]]) if distance.get(one) == distance[path[-1]] - 1))
    return path


def _tilted(start: Array, steps: Sequence[Array]) -> tuple[Array, list[Array]]:
    """The chances along the path that make the last variable's values as many times likelier as TILT says."""
    ahead, found = TILT, list[Array]()
    for step in reversed(steps):
        before = step @ ahead
        found.insert(0, step * ahead / before[:, None])
        ahead = before
    weighed = start * ahead
    return weighed / weighed.sum(), found


def _selected(start: Array, steps: Sequence[Array], chosen: Array) -> Array:
    """The distribution of the path among the selected."""
    cells = start
    for step in steps:
        cells = cells[..., None] * step
    cells = cells * chosen
    whole: Array = cells / cells.sum()
    return whole
